import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { openConsole } from '../../../../tests/harness/console.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

const { client, visitor } = await openConsole({ WEBHOOK_NETWORKS: '127.0.0.1' });
const { newNamespace, newMailbox, api, send } = client;
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;

test('an owner sets a webhook up, sees why it was switched off, and switches it on again', async () => {
  await using program = await openAgentServer();
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'bot', behavior: { name: 'agent' } });
  const who = visitor();
  await who.signIn(home.key);
  const path = '/console/addresses/bot?tab=behavior';
  const { html: form } = await who.get(path);
  assert.doesNotMatch(form, /id="webhook"/);
  const [, field = ''] = /name="([^"]*webhook_url[^"]*)"/.exec(form) ?? [];
  // The browser would refuse a URL without its scheme, which the service completes, and say less about others.
  for (const one of [form, (await who.get('/console/addresses/new')).html]) {
    const holds = one.split('<form ').find((part) => part.includes('type="url"'));
    assert.match(holds ?? '', /^[^>]* novalidate[ >]/);
  }
  const bare = await who.send(path, { [field]: 'hooks' }, ['do', 'save']);
  assert.match(bare.html, /A complete URL is needed here, such as https:\/\/hooks\.example\.com\/in\./);
  const refused = await who.send(path, { [field]: 'http://10.0.0.1/' }, ['do', 'save']);
  assert.equal(refused.status, 422);
  assert.match(refused.html, /10\.0\.0\.1 is not a public address/);
  const saved = await who.send(path, { [field]: program.url }, ['do', 'save']);
  assert.match(saved.html, SECRET);
  assert.doesNotMatch((await who.get(path)).html, SECRET);

  program.answer(() => ({ status: 410 }));
  const { id } = (await send(home.key, { to: address, body: 'Are you there?' })).body;
  const show = async () => (await api<Mailbox>('GET', `/mailboxes/${address}`)).body;
  await until(30_000, show, ({ status }) => status === 'offline');
  assert.match((await who.get('/console/addresses/bot')).html, /Its webhook is off\./);
  const off = await who.get('/console/addresses/bot?tab=webhook');
  assert.match(off.html, /Off since[\s\S]*status 410[\s\S]*Try again/);
  program.answer(() => ({ type: 'text/plain', body: 'I am.' }));
  const token = await who.token();
  assert.equal((await who.post(path, { csrf: token, do: 'webhook-on' })).status, 303);
  const answered = await api<{ reply: { body: string } }>('GET', `/mail/messages/${id}?wait=30`, { key: home.key });
  assert.equal(answered.body.reply.body, 'I am.');
  const rotated = await who.post(path, { csrf: token, do: 'webhook-secret' });
  assert.match(rotated.html, SECRET);
});

test('an address that is made with a webhook shows its secret, once', async () => {
  await using program = await openAgentServer();
  const home = await newNamespace();
  const who = visitor();
  await who.signIn(home.key);
  const path = '/console/addresses/new';
  const { html: form } = await who.get(path);
  const [, field = ''] = /name="([^"]*webhook_url[^"]*)"/.exec(form) ?? [];
  const fields = { local_part: 'bot', behavior: 'agent', [field]: program.url };
  const made = await who.send(path, fields, ['do', 'save']);
  assert.equal(made.status, 200);
  assert.match(made.html, SECRET);
  assert.match(made.html, /shown only now/);
  assert.doesNotMatch((await who.get('/console/addresses/bot?tab=behavior')).html, SECRET);
});
