import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpc } from '../../../../../tests/harness/a2a.ts';
import { connect, unique } from '../../../../../tests/harness/client.ts';
import { sharedService } from '../../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../../tests/harness/wire.ts';

// Two keys of one namespace, of which one may read: what the other one began shows it nothing of what came of that.
const service = await sharedService();
const { api, newNamespace, newMailbox, newKey } = connect(service.url);
const home = await newNamespace();
const { key } = home;
const canary = unique('canary');
const created = await newMailbox(home, { behavior: { name: 'agent' } });
const sender = await newMailbox(home, { behavior: { name: 'agent' } });
const repeated = (): Record<string, string> => ({ 'idempotency-key': unique('again') });
interface Page {
  readonly items: readonly { readonly body: string }[];
  readonly next_cursor: string | null;
}
type Made = Envelope & Page & { readonly secret: string };
const done = async (method: string, path: string, by: string, body?: object, headers = {}): Promise<Made> => {
  const answer = await api<Made>(method, path, { key: by, body, headers });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.body;
};
const bound = (): Promise<{ secret: string }> => newKey(home, { scopes: ['mail:send'], mailbox: sender.address });

test('a repeated request for a draft does not show what another key has made of it', async () => {
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  for (const path of ['/mail/drafts', '/mail/send']) {
    const send_at = new Date(Date.now() + 86_400_000).toISOString();
    const body = { to: created.address, body: 'Hi', send_at };
    const headers = repeated();
    const made = await done('POST', path, secret, body, headers);
    const id = path === '/mail/drafts' ? made.id : (made as unknown as { draft_id: string }).draft_id;
    assert.equal((await api('POST', path, { key: secret, body, headers })).status, path === '/mail/drafts' ? 201 : 202);
    await done('PATCH', `/mail/drafts/${id}`, key, { body: canary });
    assert.equal((await api('GET', `/mail/drafts/${id}`, { key: secret })).status, 404);
    const again = await api('POST', path, { key: secret, body, headers });
    assert.deepEqual([again.status, again.text.includes(canary)], [404, false], again.text);
  }
});

test('a draft that another key sent does not show its answer to a key that may not read it', async () => {
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  const { id } = await done('POST', '/mail/drafts', secret, { to: created.address, body: 'Hi' });
  const sent = await done('POST', `/mail/drafts/${id}/send`, key);
  await done('POST', `/mail/messages/${sent.id}/answer`, key, { body: canary });
  assert.equal((await api('GET', `/mail/messages/${sent.id}`, { key: secret })).status, 404);
  const again = await api<Envelope>('POST', `/mail/drafts/${id}/send`, { key: secret });
  assert.deepEqual([again.status, again.body.id, again.body.body, again.body.reply], [202, sent.id, '', null]);
});

test('a repeated request for a webhook does not show the secret of what a key may not set up', async () => {
  const { secret } = await newKey(home, { scopes: ['webhooks:write'] });
  const body = { url: 'https://hooks.invalid/', types: ['mailbox.*'] };
  const headers = repeated();
  const made = await done('POST', '/webhooks', secret, body, headers);
  assert.equal((await done('POST', '/webhooks', secret, body, headers)).secret, made.secret);
  await done('PATCH', `/webhooks/${made.id}`, key, { types: ['message.*'] });
  const rotated = await done('POST', `/webhooks/${made.id}/rotate`, key);
  const again = await api<{ code: string }>('POST', '/webhooks', { key: secret, body, headers });
  assert.deepEqual([again.status, again.body.code], [403, 'insufficient_scope'], again.text);
  assert.ok(!again.text.includes(rotated.secret));
});

test('a thread shows a key what it wrote and what answers that, and nothing that another key wrote there', async () => {
  const [first, second] = [await bound(), await bound()];
  const begun = await done('POST', '/mail/send', first.secret, { to: created.address, body: 'First' });
  await done('POST', `/mail/messages/${begun.id}/answer`, key, { body: 'Answer' });
  const next = { to: created.address, body: canary, thread_id: begun.thread_id };
  const later = await done('POST', '/mail/send', second.secret, next);
  await done('POST', `/mail/messages/${later.id}/answer`, key, { body: canary });
  const bodies = async (by: string, query = ''): Promise<readonly string[]> =>
    (await done('GET', `/mail/threads/${begun.thread_id}${query}`, by)).items.map(({ body }) => body);
  assert.deepEqual(await bodies(key), ['First', 'Answer', canary, canary]);
  assert.deepEqual(await bodies(first.secret), ['First', 'Answer']);
  assert.deepEqual(await bodies(second.secret), [canary, canary]);
  const pages: string[] = [];
  for (let cursor: string | null = '', count = 0; cursor !== null && count < 9; count++) {
    const query = `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Page = (await api<Page>('GET', `/mail/threads/${begun.thread_id}${query}`, { key: first.secret })).body;
    pages.push(...page.items.map(({ body }) => body));
    cursor = page.next_cursor;
  }
  assert.deepEqual(pages, ['First', 'Answer']);
});

test('a task of A2A shows a key, and has it cancel, nothing of how another key continued it', async () => {
  const [first, second] = [await bound(), await bound()];
  const call = (method: string, params: object) =>
    rpc(service, created.address, { jsonrpc: '2.0', id: 1, method, params }, { key: first.secret });
  const message = { messageId: unique('m'), role: 'ROLE_USER', parts: [{ text: 'First' }] };
  const sent = await call('SendMessage', { message, configuration: { returnImmediately: true } });
  const { id } = sent.body.result.task as { id: string };
  await done('POST', `/mail/messages/${id}/answer`, key, { body: 'Which?', status: 'input_required' });
  const { thread_id } = await done('GET', `/mail/messages/${id}`, key);
  const later = await done('POST', '/mail/send', second.secret, { to: created.address, body: canary, thread_id });
  const whole = await rpc(
    service,
    created.address,
    { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id } },
    { key },
  );
  assert.ok(whole.text.includes(canary), whole.text);
  for (const [method, params] of [
    ['GetTask', { id }],
    ['ListTasks', {}],
    ['ListTasks', { contextId: thread_id }],
  ] as const) {
    const shown = await call(method, params);
    assert.ok(shown.text.includes(id) && !shown.text.includes(canary), `${method}: ${shown.text}`);
  }
  await call('CancelTask', { id });
  assert.equal((await done('GET', `/mail/messages/${later.id}`, key)).status, 'submitted');
});
