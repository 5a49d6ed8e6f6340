import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Email } from 'postal-mime';
import { unique } from '../../../../tests/harness/client.ts';
import { startDns } from '../../../../tests/harness/dns.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { openModelServer } from '../../../../tests/harness/model-server.ts';
import { ownedBy } from '../../../../tests/harness/owner.ts';
import { KEY, namesOf, signed } from './reading/signing.ts';

const model = await openModelServer();
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny' },
});
const dns = await startDns({ 's._domainkey.example.com': KEY, 'example.com': { TXT: ['v=spf1 -all'] } });
after(async () => {
  await inside.stop();
  await dns[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

test('an assistant answers a mail and the answer to its answer, with the history of the thread', async () => {
  const home = await inside.client.newNamespace();
  const behavior = { name: 'assistant', settings: { instructions: 'You are a pirate.' } };
  const { address: to } = await inside.client.newMailbox(home, { behavior });
  const from = `${unique('ada')}@example.com`;
  const write = async (body: string, answers?: Email): Promise<void> => {
    const id = answers?.messageId ?? '';
    const text = mailText(
      {
        From: `Ada Lovelace <${from}>`,
        To: to,
        Subject: 'Hello',
        'Message-ID': `<${unique()}@example.com>`,
        'Content-Type': 'text/plain; charset=utf-8',
        ...(answers !== undefined && { 'In-Reply-To': id, References: id }),
      },
      body,
    );
    assert.match(await sendMail(inside.smtp?.port ?? 0, { from, to: [to], text }), /^250 /);
  };
  model.say([{ text: ['Arr, ', 'Ada!'] }, { text: ['Still ', 'here.'] }]);
  await write('Hello 👋\n\nSent from my iPhone\n');
  const [first] = await leftFor(inside.outbox, from);
  assert.match(first?.text ?? '', /^Arr, Ada!/);
  await write('Are you there?\n\nOn Mon, 23 Nov 2026 at 10:01, Pirate wrote:\n> Arr, Ada!\n', first);
  const mails = await leftFor(inside.outbox, from, 2);
  assert.ok(mails.some(({ text }) => text?.startsWith('Still here.')));
  const [, second] = model.requests;
  const said = JSON.stringify(second);
  assert.ok(said.includes('Arr, Ada!') && said.includes('Hello 👋') && !said.includes('iPhone'), said);
});

test('an assistant that answers an owner is not shown what others handed in to the thread', async () => {
  const env = { SMTP_LISTEN: '127.0.0.1:0', SMTP_TRUSTED: 'none', DNS_SERVERS: dns.address };
  const outer = await startInside({ env: { ...env, MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny' } });
  const home = await outer.client.newNamespace();
  const owner = `${unique('ada')}@example.com`;
  await ownedBy(outer, home, owner);
  const { address } = await outer.client.newMailbox(home, { behavior: { name: 'assistant' } });
  const id = `<${unique()}@example.com>`;
  const write = async (to: string, body: string, more: Readonly<Record<string, string>>) => {
    const text = mailText({ From: owner, To: to, Subject: 'Hello', Date: new Date().toUTCString(), ...more }, body);
    const mail = signed(text, { names: namesOf(text) });
    const reply = await sendMail(outer.smtp?.port ?? 0, { from: 'x@evil.example', to: [address], text: mail });
    const [, message = ''] = /^250 2\.0\.0 Received as (\S+)/.exec(reply) ?? assert.fail(reply);
    return (await outer.client.read(home.key, message, '?wait=60')).body;
  };
  model.say([{ text: ['Aye.'] }, { text: ['Aye.'] }, { text: ['Aye.'] }]);
  const more = { 'In-Reply-To': id, References: id };
  const messages = [
    await write(address, 'The password is swordfish.\n', { 'Message-ID': id }),
    await write('friend@elsewhere.example', 'The account is EVIL123.\n', more),
    await write(address, 'What is the account?\n', more),
  ];
  assert.equal(new Set(messages.map(({ thread_id }) => thread_id)).size, 1);
  const said = JSON.stringify(model.requests.at(-1));
  assert.ok(said.includes('swordfish') && said.includes('What is the account') && !said.includes('EVIL123'), said);
  await outer.stop();
});
