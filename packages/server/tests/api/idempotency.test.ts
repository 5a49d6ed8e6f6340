import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { gated } from '../../../../tests/harness/gated.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { type Envelope, MAIL_DOMAIN, type Mailbox, type ThreadItem } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const service = await serveInside({ behaviors: [gated(folder, 'node')] });
/** The behavior that takes as long as a message says. */
const SLOW = { name: 'gated' };
const { api, newNamespace, newMailbox, newPaused, newKey, send, read, change, all } = connect(service.url);

const withKey = (key = unique('once-')) => ({ 'idempotency-key': key });

test('the same request again is the same message as it stands now', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const headers = withKey();
  const first = await send(home.key, { to, body: 'Hi', sync: true }, headers);
  const second = await send(home.key, { to, body: 'Hi', sync: true }, headers);
  assert.equal(first.headers.get('idempotency-replayed'), null);
  assert.equal(second.status, 200, second.text);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(second.body, first.body);
  assert.equal((await all('/mail/messages', home.key)).length, 1);
});

test('a repeated async send shows what came of it since', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const headers = withKey();
  const first = await send(home.key, { to, body: 'Hi' }, headers);
  const held = await send(home.key, { to, body: 'Hi' }, headers);
  assert.equal(held.status, 202, held.text);
  assert.equal(held.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(held.body, first.body);
  await change(home.key, to, { status: 'online' });
  const settled = await read(home.key, first.body.id, '?wait=20');
  const again = await send(home.key, { to, body: 'Hi' }, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, settled.body);
});

test('the same JSON is the same however it is written', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const headers = withKey();
  const texts = [
    JSON.stringify({ to, body: 'Hé', data: { a: 1, b: [1, 2] }, sync: true }),
    JSON.stringify({ sync: true, data: { b: [1, 2], a: 1 }, body: 'Hé', to }, null, 2),
    `{"to":"${to}","body":"H\\u00e9","data":{"a":1.0,"b":[1,2e0]},"sync":true}`,
  ];
  const ids = new Set<string>();
  for (const raw of texts) {
    const answer = await api<Envelope>('POST', '/mail/send', { key: home.key, raw, headers });
    assert.equal(answer.status, 200, answer.text);
    ids.add(answer.body.id);
  }
  assert.equal(ids.size, 1);
});

test('the same key with another request is refused', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const other = await newMailbox(home);
  const headers = withKey();
  const good = { to, body: 'Hi', sync: true, data: [1, 2] };
  const first = await send(home.key, good, headers);
  assert.equal(first.status, 200, first.text);
  for (const fields of [
    { ...good, body: 'Ho' },
    { ...good, to: other.address },
    { ...good, sync: false },
    { ...good, data: [2, 1] },
    { ...good, subject: 'S' },
  ]) {
    isProblem(await send(home.key, fields, headers), 'idempotency_mismatch');
  }
  isProblem(
    await api('POST', '/keys', { key: home.key, body: { scopes: ['mail:send'] }, headers }),
    'idempotency_mismatch',
  );
  assert.equal((await all('/mail/messages', home.key)).length, 1);
});

test('an idempotency key belongs to the API key that used it', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const { address: to } = await newMailbox(home);
  const second = await newKey(home, { scopes: ['mail:send'] });
  const headers = withKey();
  const ids = new Set<string>();
  for (const key of [home.key, stranger.key, second.secret]) {
    const answer = await send(key, { to, body: 'Hi', sync: true }, headers);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get('idempotency-replayed'), null);
    ids.add(answer.body.id);
  }
  assert.equal(ids.size, 3);
});

test('outer quotes are not part of an idempotency key', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const key = unique();
  const first = await send(home.key, { to, body: 'Hi', sync: true }, withKey(key));
  const second = await send(home.key, { to, body: 'Hi', sync: true }, withKey(`"${key}"`));
  assert.equal(second.body.id, first.body.id, second.text);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
});

test('an idempotency key is 1 to 255 characters', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  for (const key of ['x', 'k'.repeat(255)]) {
    assert.equal((await send(home.key, { to, body: `For ${key.length}`, sync: true }, withKey(key))).status, 200);
  }
  for (const key of ['k'.repeat(256), '', '""']) {
    isProblem(await send(home.key, { to, body: 'Hi' }, withKey(key)), 'validation_error');
  }
  assert.equal((await all('/mail/messages', home.key)).length, 2);
});

test('a refused request leaves its idempotency key free', async () => {
  const home = await newNamespace();
  const headers = withKey();
  const to = `ada@${home.name}.${MAIL_DOMAIN}`;
  isProblem(await send(home.key, { to, body: 5 }, headers), 'validation_error');
  isProblem(await send(home.key, { to, body: 'Hi', sync: true }, headers), 'mailbox_not_found');
  isProblem(await api('POST', '/mail/send', { key: home.key, raw: '{', headers }), 'malformed_json');
  await newMailbox(home, { local_part: 'ada' });
  const sent = await send(home.key, { to, body: 'Hi', sync: true }, headers);
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.headers.get('idempotency-replayed'), null);
});

test('a repetition attaches to the one that still runs, and both get the one reply', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: SLOW });
  const headers = { ...withKey(), prefer: 'wait=60' };
  const fields = { to, body: 'Hi', data: { ms: 1_500 }, sync: true };
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(home.key, fields, headers)));
  for (const answer of answers) {
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.equal(answer.body.status, 'completed');
    assert.deepEqual(answer.body, answers[0]?.body);
  }
  const replayed = answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true');
  assert.equal(replayed.length, 4);
  assert.equal((await all<ThreadItem>(`/mail/threads/${answers[0]?.body.thread_id}`, home.key)).length, 2);
});

test('who attaches waits as long as asked, not longer', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: SLOW });
  const key = withKey();
  const fields = { to, body: 'Hello', data: { ms: 4_000 }, sync: true };
  const first = await send(home.key, fields, { ...key, prefer: 'wait=1' });
  assert.equal(first.status, 202, first.text.slice(0, 300));
  const second = await send(home.key, fields, { ...key, prefer: 'wait=1' });
  assert.equal(second.body.id, first.body.id);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  const third = await send(home.key, fields, { ...key, prefer: 'wait=100' });
  assert.equal(third.status, 200, third.text.slice(0, 300));
  assert.equal(third.body.id, first.body.id);
  assert.equal(third.body.status, 'completed', JSON.stringify(third.body.error));
});

const SENDS = amount(40, 1_000);
for (const sync of [true, false]) {
  test(`${SENDS} ${sync ? 'sync' : 'async'} sends at once with one key are one message`, async () => {
    const home = await newNamespace();
    const { address: to } = await newMailbox(home);
    const headers = withKey();
    const answers = await Promise.all(
      Array.from({ length: SENDS }, () => send(home.key, { to, body: 'Hi', sync }, headers)),
    );
    for (const answer of answers) assert.ok([200, 202].includes(answer.status), answer.text);
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    if (sync) {
      assert.ok(answers.every((answer) => answer.status === 200));
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
    }
    assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null).length, 1);
    const received = await all<Envelope>(`/mailboxes/${to}/messages`, home.key);
    assert.equal(received.length, 1);
    const settled = await read(home.key, received[0]?.id ?? '', '?wait=20');
    assert.equal(settled.body.status, 'completed');
    assert.equal((await all('/mail/messages', home.key)).length, 1);
  });
}

test('of many different requests at once with one key, one is done and the others are refused', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const headers = withKey();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => send(home.key, { to, body: `Hi ${i}`, sync: true }, headers)),
  );
  const done = answers.filter((answer) => answer.status === 200);
  assert.equal(done.length, 1);
  for (const answer of answers.filter((one) => one.status !== 200)) isProblem(answer, 'idempotency_mismatch');
  assert.equal((await all('/mail/messages', home.key)).length, 1);
});

test('a mailbox is made once per idempotency key', async () => {
  const home = await newNamespace();
  const ask = { key: home.key, body: { local_part: 'ada', behavior: HELLO }, headers: withKey() };
  const path = `/namespaces/${home.name}/mailboxes`;
  const first = await api<Mailbox>('POST', path, ask);
  const second = await api<Mailbox>('POST', path, ask);
  assert.equal(second.status, 201, second.text);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal(second.body.id, first.body.id);
  isProblem(await api('POST', path, { ...ask, body: { local_part: 'bob', behavior: HELLO } }), 'idempotency_mismatch');
});

test('a repetition is answered with what came of the first, though its mailbox is paused by now', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  const headers = withKey();
  const first = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }, headers);
  await change(home.key, mailbox.address, { status: 'paused' });
  const again = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }, headers);
  assert.deepEqual(again.body, first.body);
});

test('a repetition is answered with what came of the first, though its mailbox takes no more from this sender', async () => {
  const [home, other] = await Promise.all([newNamespace(), newNamespace()]);
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  const headers = withKey();
  const fields = { to: mailbox.address, body: 'Hi', sync: true };
  const first = await send(other.key, fields, headers);
  assert.equal(first.status, 200, first.text);
  await change(home.key, mailbox.address, { senders: { allow: [home.name], block: [] } });
  isProblem(await send(other.key, fields, withKey()), 'sender_not_allowed');
  const again = await send(other.key, fields, headers);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  isProblem(await send(other.key, { ...fields, body: 'Ho' }, headers), 'idempotency_mismatch');
});
