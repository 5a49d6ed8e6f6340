import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { openAnswering } from './answering.ts';

const {
  service,
  api,
  newNamespace,
  newMailbox,
  newKey,
  send,
  read,
  change,
  home,
  other,
  newAgent,
  claim,
  claimOne,
  answer,
  post,
} = await openAnswering();

test('a key that can only answer reads the files of a message that waits for it, and of no other', async () => {
  const address = await newAgent();
  const { secret: key } = await newKey(home, { scopes: ['mail:answer'] });
  const content = Buffer.from('a;b\n').toString('base64');
  const attachments = [{ filename: 'table.csv', content_type: 'text/csv', content }];
  const sent = await send(other.key, { to: address, body: 'Sum it up.', attachments });
  const { message, claim: held } = await claimOne(address);
  const [file] = message.attachments ?? [];
  const status = async (secret: string): Promise<number> => {
    const url = `${service.url}/api/v1/mail/attachments/${file?.id}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${secret}` } });
    await response.arrayBuffer();
    return response.status;
  };
  const { secret: stranger } = await newKey(await newNamespace(), { scopes: ['mail:answer'] });
  assert.deepEqual([await status(key), await status(stranger)], [200, 404]);
  assert.equal((await answer(sent.body.id, { claim: held, body: 'One row.' }, key)).status, 200);
  assert.equal(await status(key), 404);
});

test('a key that is revoked while its claim waits gets no message, however short the wait was', async () => {
  const address = await newAgent();
  const { id: key, secret } = await newKey(home, { scopes: ['mail:answer', 'messages:read'], mailbox: address });
  const waiting = claim(address, {}, secret);
  const status = async () => (await api<{ status: string }>('GET', `/mailboxes/${address}`)).body.status;
  await until(60_000, status, (seen) => seen === 'online');
  assert.equal((await api('DELETE', `/keys/${key}`, { key: home.key })).status, 204);
  const { id } = await post(address, 'not for the revoked key');
  const refused = await waiting;
  isProblem(refused, 'invalid_key');
  assert.ok(!refused.text.includes('not for'));
  const { message } = await claimOne(address);
  assert.equal(message.id, id);
});

test('others claim and answer nothing: another namespace, a key without the scope, one bound elsewhere', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  isProblem(await claim(address, { wait: 0 }, other.key), 'access_denied');
  const own = await answer(id, { body: 'x' }, other.key);
  isProblem(own, 'insufficient_scope');
  // Its scopes are all there are, so another key of this namespace would not help.
  assert.match(own.text, new RegExp(`a key of ${home.name}`));
  isProblem(await answer(id, { body: 'x' }, (await newNamespace()).key), 'message_not_found');
  const reader = (await newKey(home, { scopes: ['messages:read'] })).secret;
  isProblem(await claim(address, { wait: 0 }, reader), 'insufficient_scope');
  const elsewhere = await newKey(home, { scopes: ['mail:answer'], mailbox: await newAgent() });
  isProblem(await claim(address, { wait: 0 }, elsewhere.secret), 'access_denied');
  isProblem(await answer(id, { body: 'x' }, elsewhere.secret), 'message_not_found');
  const bound = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  const { items } = (await claim(address, {}, bound.secret)).body;
  assert.equal(items[0]?.message.id, id);
  assert.equal((await answer(id, { claim: items[0]?.claim, body: 'mine' }, bound.secret)).status, 200);
});
interface Operation {
  readonly security: readonly object[];
}

test('a key bound to an address with the scope to answer can do nothing else, on any endpoint', async () => {
  const address = await newAgent();
  const elsewhere = await newAgent();
  const { id, thread_id } = await post(address);
  const theirs = await post(elsewhere);
  const { secret } = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  const { paths } = (await api<{ paths: Record<string, Record<string, Operation>> }>('GET', '/openapi.json')).body;
  const may: string[] = [];
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.security.some((way) => Object.keys(way).length === 0)) continue;
      const to = path
        .replace('{address}', address)
        .replace('{name}', home.name)
        .replace('{id}', path.includes('threads') ? thread_id : path.includes('/messages/') ? id : 'key_1');
      // A claim would wait for a message.
      const sent = path.endsWith('/claim') ? { wait: 0 } : {};
      const body = method === 'get' || method === 'delete' ? {} : { body: sent };
      const { status, text } = await api(method.toUpperCase(), to.replace('/api/v1', ''), { key: secret, ...body });
      // The right is checked before the form of what is sent, so 415 and 422 mean that it may.
      if (status < 400 || status === 415 || status === 422)
        may.push(`${method.toUpperCase()} ${path.replace('/api/v1', '')}`);
      else assert.ok([401, 403, 404].includes(status), `${method} ${path}: ${text}`);
    }
  assert.deepEqual(may.sort(), [
    'GET /me',
    'PATCH /mail/messages/{id}',
    'PATCH /mail/threads/{id}',
    'POST /mail/messages/batch',
    'POST /mail/messages/{id}/answer',
    'POST /mail/messages/{id}/progress',
    'POST /mail/messages/{id}/release',
    'POST /mail/messages/{id}/restore',
    'POST /mail/messages/{id}/trash',
    'POST /mail/threads/{id}/notes',
    'POST /mailboxes/{address}/answers',
    'POST /mailboxes/{address}/claim',
    'POST /mailboxes/{address}/import',
  ]);
  // The first one was claimed above.
  const next = await post(address);
  const { items } = (await claim(address, { max: 64, wait: 0 }, secret)).body;
  assert.deepEqual([items.length, items[0]?.message.id], [1, next.id]);
  for (const key of ['answer', 'progress', 'release']) {
    const body = key === 'answer' ? { body: 'x' } : { claim: items[0]?.claim };
    isProblem(await api('POST', `/mail/messages/${theirs.id}/${key}`, { key: secret, body }), 'message_not_found');
  }
  // The claim of another message answers nothing.
  const wrong = await answer(next.id, { claim: 'clm_00000000000000000000', body: 'x' }, secret);
  isProblem(wrong, 'claim_lost');
  isProblem(
    await api('PATCH', `/mail/messages/${theirs.id}`, { key: secret, body: { labels: { add: ['x'] } } }),
    'message_not_found',
  );
  const done = await answer(next.id, { claim: items[0]?.claim, body: 'Mine' }, secret);
  // What it answers with, it is not shown without the right to read.
  assert.deepEqual([done.status, done.body.body, done.body.reply?.body ?? null], [200, '', null]);
});

test('messages of another behavior are not claimed, and answered by hand only once they are settled', async () => {
  const { address } = await newMailbox(home);
  isProblem(await claim(address, { wait: 0 }), 'not_waiting');
  const sent = await send(other.key, { to: address, body: 'hello', sync: true });
  const more = await answer(sent.body.id, { body: 'And in person: welcome.' });
  assert.deepEqual([more.status, more.body.answer.settles], [200, false], more.text);
});

test('a canceled message gets no answer, and a deleted one is not found', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  const { claim: held } = await claimOne(address);
  await api('POST', `/mail/messages/${id}/cancel`, { key: other.key });
  isProblem(await answer(id, { claim: held, body: 'late' }), 'not_waiting');
  const next = await post(address);
  await api('DELETE', `/mailboxes/${address}`, { key: home.key });
  isProblem(await answer(next.id, { body: 'x' }), 'message_not_found');
});

test('a paused mailbox gives its messages to none until it is resumed', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await change(home.key, address, { status: 'paused' });
  assert.deepEqual((await claim(address, { wait: 0 })).body, { items: [] });
  await change(home.key, address, { status: 'online' });
  assert.equal((await claimOne(address)).message.id, id);
});

test('with another behavior, what waits is answered by that behavior', async () => {
  const address = await newAgent();
  const { id } = await post(address);
  await change(home.key, address, { behavior: { name: 'hello' } });
  assert.equal((await read(other.key, id, '?wait=60')).body.status, 'completed');
});
