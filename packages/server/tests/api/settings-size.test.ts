import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox } = connect(service.url);

const wordy = (characters: number) => ({
  name: 'do',
  settings: {
    procedures: [
      {
        name: 'long',
        description: 'Long.',
        steps: [{ task: 'text', input: { op: 'say', text: 'ä'.repeat(characters) } }],
      },
    ],
  },
});
const LONG = wordy(40_000);
const SHORT = wordy(30_000);

test('settings of more than 64 KiB as JSON are refused, on making a mailbox and on changing it', async () => {
  const home = await newNamespace();
  const path = `/namespaces/${home.name}/mailboxes`;
  const made = await api('POST', path, { key: home.key, body: { local_part: 'long', behavior: LONG } });
  const { errors } = isProblem(made, 'body_too_large');
  assert.equal(errors?.[0]?.pointer, '/behavior/settings');
  assert.match(errors?.[0]?.message ?? '', /65536 are allowed/);
  const { address } = await newMailbox(home, { behavior: SHORT });
  const changed = await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { behavior: LONG } });
  assert.equal(isProblem(changed, 'body_too_large').errors?.[0]?.pointer, '/behavior/settings');
  const kept = await api<{ behavior: unknown }>('GET', `/mailboxes/${address}`, { key: home.key });
  assert.deepEqual(kept.body.behavior, SHORT);
});

test('a page that makes an address says that its settings are too long, and makes nothing', async () => {
  const name = `n${crypto.randomUUID().slice(0, 8)}`;
  const form = new URLSearchParams({ name, local: 'hello', behavior: 'hello', do: 'make', once: crypto.randomUUID() });
  form.set('settings.hello.name', HELLO.settings.name);
  form.set('settings.hello.introduction', 'Hi');
  for (let i = 0; i < 20; i++) {
    form.set(`settings.hello.languages.${i}~key`, `${'abcdefghijklmnopqrst'[i]}a`);
    form.set(`settings.hello.languages.${i}`, 'x'.repeat(8_000));
  }
  const answer = await fetch(`${service.url}/new`, { method: 'POST', body: form, headers: { origin: service.url } });
  const page = await answer.text();
  assert.equal(answer.status, 413, page.slice(0, 2000));
  assert.match(page, /65536 are allowed/);
  isProblem(await api('GET', `/namespaces/${name}`), 'namespace_not_found');
});
