import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, connect, HELLO, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';

const KiB = 1024;
/** A small limit, so that few messages fill it. */
const env = {
  LIMIT_STORAGE: String(400 * KiB),
  LIMIT_STORAGE_UNCLAIMED: String(200 * KiB),
  LIMIT_STORAGE_NETWORK: String(300 * KiB),
  LIMIT_GUEST_STORAGE: String(20 * KiB),
  RATE_LIMITS: 'off',
};
const BODY = 'x'.repeat(20 * KiB);

const service = await serveInside({ env });
const { api, newNamespace, newMailbox, newPaused, send, tryOut, read } = connect(service.url);

/** Sends until refused; returns how many were accepted. */
const filler =
  (send: Client['send']) =>
  async (home: Home, to: string): Promise<number> => {
    for (let taken = 0; taken < 100; taken++) {
      const answer = await send(home.key, { to, body: BODY });
      if (answer.status === 507) return taken;
      assert.equal(answer.status, 202, answer.text);
    }
    throw new Error('It is never full.');
  };
const fill = filler(send);

const remove = (home: Home): Promise<unknown> => api('DELETE', `/namespaces/${home.name}`, { key: home.key });

test('a full namespace sends nothing more, keeps nothing more, and still reads, exports and deletes', async () => {
  const home = await newNamespace();
  const box = await newPaused(home);
  const first = (await send(home.key, { to: box.address, body: 'First' })).body;
  const taken = await fill(home, box.address);
  assert.ok(taken >= 7 && taken <= 9, `${taken} of 21 KiB fit into 200 KiB`);
  for (const fields of [{}, { sync: true }]) {
    const { detail } = isProblem(await send(home.key, { to: box.address, body: BODY, ...fields }), 'storage_full');
    assert.match(detail, /200 KiB.*[Dd]elete.*claim/);
  }
  const behavior = { name: 'hello', settings: { name: 'Ada', introduction: 'x'.repeat(8 * KiB) } };
  const created = api('POST', `/namespaces/${home.name}/mailboxes`, {
    key: home.key,
    body: {
      local_part: 'big',
      behavior: {
        ...behavior,
        settings: {
          ...behavior.settings,
          languages: Object.fromEntries(['de', 'fr', 'es'].map((one) => [one, 'x'.repeat(8 * KiB)])),
        },
      },
    },
  });
  isProblem(await created, 'storage_full');
  assert.equal((await read(home.key, first.id)).body.body, 'First');
  const list = await api<{ items: unknown[] }>('GET', '/mail/messages?limit=200', { key: home.key });
  assert.equal(list.body.items.length, taken + 1);
  const exported = await fetch(`${service.url}/api/v1/namespaces/${home.name}/export`, {
    headers: { authorization: `Bearer ${home.key}` },
  });
  assert.match((await exported.text()).trimEnd().split('\n').at(-1) ?? '', /"type":"end"/);

  assert.equal((await api('DELETE', `/mailboxes/${box.address}`, { key: home.key })).status, 204);
  const other = await newMailbox(home, { behavior: HELLO });
  // Deleted data goes in batches, and the freed storage is known within a second.
  const { seen } = await until(
    10_000,
    () => send(home.key, { to: other.address, body: BODY, sync: true }),
    ({ status }) => status === 200,
  );
  assert.equal(seen.body.status, 'completed');
  await remove(home);
});

test('the same byte attached again and again fills the storage, and is given back with its messages', async () => {
  const home = await newNamespace();
  const [box, other] = [await newPaused(home), await newPaused(home)];
  const attachments = Array.from({ length: 20 }, () => ({
    filename: 'a.txt',
    content_type: 'text/plain',
    content: Buffer.from('x').toString('base64'),
  }));
  const attach = (to: string) => send(home.key, { to, body: 'x', attachments });
  let taken = 0;
  for (let status = 202; status !== 507 && taken < 100; taken++) ({ status } = await attach(box.address));
  assert.ok(taken >= 8 && taken <= 10, `${taken} messages with 20 files of one byte fit into 200 KiB`);
  isProblem(await attach(box.address), 'storage_full');
  assert.equal((await api('DELETE', `/mailboxes/${box.address}`, { key: home.key })).status, 204);
  const { seen } = await until(
    10_000,
    () => send(home.key, { to: other.address, body: BODY.repeat(8) }),
    ({ status }) => status === 202,
  );
  assert.equal(seen.status, 202, 'nothing else counts any more');
  await remove(home);
});

test('what is sent again with its idempotency key is answered though the storage is full', async () => {
  const home = await newNamespace();
  const box = await newPaused(home);
  const idempotent = { 'idempotency-key': 'first' };
  const first = await send(home.key, { to: box.address, body: 'First' }, idempotent);
  await fill(home, box.address);
  const again = await send(home.key, { to: box.address, body: 'First' }, idempotent);
  assert.equal(again.status, 202, again.text);
  assert.equal(again.body.id, first.body.id);
  await remove(home);
});

test('unclaimed namespaces of one network share a limit, and the house is none of them', async () => {
  await using own = await serveInside({ env });
  const { api, newNamespace, newPaused, send } = connect(own.url);
  const fill = filler(send);
  const [one, two] = [await newNamespace(), await newNamespace()];
  const [at, there] = [await newPaused(one), await newPaused(two)];
  const taken = (await fill(one, at.address)) + (await fill(two, there.address));
  assert.ok(taken >= 11 && taken <= 14, `${taken} of 21 KiB fit into 300 KiB`);
  const answer = await api('POST', '/namespaces', { body: { name: `n${crypto.randomUUID().slice(0, 8)}` } });
  isProblem(await send(two.key, { to: there.address, body: BODY }), 'storage_full');
  assert.ok([201, 507].includes(answer.status), answer.text);
  assert.equal((await send(own.ownerKey, { to: at.address, body: BODY })).status, 202);
});

test('guests of one network store so much a day, answers included, and keys go on', async () => {
  const home = { id: '', name: 'agents', key: service.ownerKey, keyId: '' };
  const box = await newMailbox(home);
  let taken = 0;
  for (; taken < 50; taken++) {
    const answer = await tryOut({ to: box.address, body: 'x'.repeat(4 * KiB) });
    if (answer.status !== 200) break;
  }
  assert.ok(taken >= 2 && taken <= 4, `${taken} of 5 KiB and their answers fit into 20 KiB`);
  const refused = await tryOut({ to: box.address, body: 'Hi' });
  if (refused.status !== 200) assert.match(isProblem(refused, 'storage_full').detail, /00:00 UTC/);
  const over = await tryOut({ to: box.address, body: 'x'.repeat(8 * KiB) });
  assert.match(isProblem(over, 'storage_full').detail, /00:00 UTC/);
  assert.notEqual(over.headers.get('retry-after'), null);
  assert.equal((await send(home.key, { to: box.address, body: 'Hi', sync: true })).status, 200);
});

test('a namespace has so many keys that work, and revoked ones count no more', async () => {
  await using small = await serveInside({ env: { LIMIT_KEYS: '3', RATE_LIMITS: 'off' } });
  const client = connect(small.url);
  const home = await client.newNamespace();
  const make = () => client.api<{ id: string }>('POST', '/keys', { key: home.key, body: { scopes: ['mail:send'] } });
  const mailboxes = await Promise.all([make(), make(), make(), make()]);
  assert.deepEqual(
    mailboxes.map(({ status }) => status).sort((a, b) => a - b),
    [201, 201, 422, 422],
  );
  assert.match(isProblem(await make(), 'validation_error').detail, /3 active keys.*Revoke one/);
  const [id] = mailboxes.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
  assert.equal((await client.api('DELETE', `/keys/${id}`, { key: home.key })).status, 204);
  assert.equal((await make()).status, 201);
});
