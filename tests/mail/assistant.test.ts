import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Email } from 'postal-mime';
import { unique } from '../harness/client.ts';
import { startInside } from '../harness/inside.ts';
import { leftFor, mailText, sendMail } from '../harness/mail.ts';
import { openModelServer } from '../harness/model-server.ts';

const model = await openModelServer();
const inside = await startInside({
  env: { SMTP_LISTEN: '127.0.0.1:0', MODEL_BASE_URL: model.url, MODEL_NAME: 'tiny' },
});
after(async () => {
  await inside.stop();
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
