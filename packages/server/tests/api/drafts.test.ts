import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Home } from '../../../../tests/harness/client.ts';
import { connect, HELLO, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { idOf, MAIL_DOMAIN, TIME } from '../../../../tests/harness/wire.ts';

interface Draft {
  id: string;
  draft_id?: string;
  status: 'draft' | 'scheduled' | 'failed' | 'sent';
  to: string | null;
  from: string | null;
  subject: string | null;
  body: string | null;
  data: unknown;
  attachments: unknown[];
  thread_id: string | null;
  in_reply_to: string | null;
  sync: boolean;
  send_at: string | null;
  message_id: string | null;
  error: { code: string; message: string } | null;
  created_at: string;
  updated_at: string;
}

const service = await serveInside({ env: { LIMIT_DRAFTS: '6', RATE_LIMITS: 'off' } });
const client = connect(service.url);
const { api, newNamespace, newMailbox, newPaused, newKey, read, all } = client;

const home = await newNamespace();
const { address: to } = await newMailbox(home);
const PATH = '/mail/drafts';
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const create = (key: string, body: unknown, headers: Record<string, string> = {}) =>
  api<Draft>('POST', PATH, { key, body, headers });
const get = (key: string, id: string) => api<Draft>('GET', `${PATH}/${id}`, { key });
const patch = (key: string, id: string, body: unknown, headers: Record<string, string> = {}) =>
  api<Draft>('PATCH', `${PATH}/${id}`, { key, body, headers });
const remove = (key: string, id: string, headers: Record<string, string> = {}) =>
  api('DELETE', `${PATH}/${id}`, { key, headers });
const sendIt = (key: string, id: string, headers: Record<string, string> = {}) =>
  api<Envelope>('POST', `${PATH}/${id}/send`, { key, headers });
const made = (answer: Answer<Draft>): Draft => {
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const becomes = async (key: string, id: string, status: Draft['status'], ms = 5000): Promise<Draft> =>
  (
    await until(
      ms,
      async () => (await get(key, id)).body,
      (draft) => draft.status === status,
    )
  ).seen;
const received = (of: Home, address: string) => all<Envelope>(`/mailboxes/${address}/messages`, of.key);
const fresh = async () => {
  const of = await newNamespace();
  return { of, address: (await newMailbox(of)).address };
};

test('a draft may be empty, and every field of it is null until it is set', async () => {
  const { of } = await fresh();
  const answer = await create(of.key, {});
  const { id, created_at, updated_at, ...rest } = made(answer);
  assert.match(id, idOf('drf'));
  assert.match(created_at, TIME);
  assert.match(updated_at, TIME);
  assert.equal(answer.headers.get('location'), `/api/v1/mail/drafts/${id}`);
  assert.equal(answer.headers.get('etag'), '"1"');
  const nothing = {
    to: null,
    from: null,
    subject: null,
    body: null,
    data: null,
    thread_id: null,
    in_reply_to: null,
    caused_by: null,
  };
  const unset = { attachments: [], send_at: null, message_id: null, error: null, sync: false };
  assert.deepEqual(rest, { status: 'draft', ...nothing, ...unset, etag: '"1"' });
  assert.deepEqual((await get(of.key, id)).body, answer.body);
});

test('a draft is changed field by field, null removes one, and it is then sent as it is', async () => {
  const { of, address } = await fresh();
  const from = (await newMailbox(of)).address;
  const { id } = made(await create(of.key, { subject: 'One', data: { a: [1] } }));
  await patch(of.key, id, { to: address, body: 'Hi', from });
  const changed = await patch(of.key, id, { subject: null });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.headers.get('etag'), '"3"');
  assert.deepEqual(
    [changed.body.to, changed.body.body, changed.body.from, changed.body.subject, changed.body.data],
    [address, 'Hi', from, null, { a: [1] }],
  );
  const sent = await sendIt(of.key, id);
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.headers.get('location'), `/api/v1/mail/messages/${sent.body.id}`);
  assert.deepEqual([sent.body.to, sent.body.from, sent.body.body, sent.body.data], [address, from, 'Hi', { a: [1] }]);
  const after = await get(of.key, id);
  assert.deepEqual([after.body.status, after.body.message_id, after.body.body], ['sent', sent.body.id, null]);
  assert.deepEqual((await all<Draft>(PATH, of.key)).length, 0);
});

test('a draft with sync is answered with the reply, and a second time with the same message', async () => {
  const { of, address } = await fresh();
  const { id } = made(await create(of.key, { to: address, body: 'Hi', sync: true }));
  const first = await sendIt(of.key, id, { prefer: 'wait=20' });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.body.status, 'completed');
  assert.equal(first.headers.get('preference-applied'), 'wait=20');
  assert.equal(first.headers.get('idempotency-replayed'), null);
  const second = await sendIt(of.key, id);
  assert.equal(second.body.id, first.body.id);
  assert.equal(second.headers.get('idempotency-replayed'), 'true');
  assert.equal((await received(of, address)).length, 1);
});

test('of 20 who send one draft at once each gets the same message', async () => {
  const { of, address } = await fresh();
  const { id } = made(await create(of.key, { to: address, body: 'Hi', send_at: inMs(500) }));
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendIt(of.key, id)));
  for (const answer of answers) assert.equal(answer.status, 202, answer.text);
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
  await pause(1000);
  assert.equal((await received(of, address)).length, 1);
});

test('send with send_at is answered with a draft, which becomes a message at its time, once', async () => {
  const { of, address } = await fresh();
  const at = inMs(1200);
  const answer = await api<Draft>('POST', '/mail/send', {
    key: of.key,
    body: { to: address, body: 'Later', send_at: at },
  });
  assert.equal(answer.status, 202, answer.text);
  const { draft_id, ...draft } = answer.body;
  assert.equal(draft_id, draft.id);
  assert.deepEqual([draft.status, draft.send_at], ['scheduled', at]);
  assert.equal(answer.headers.get('location'), `/api/v1/mail/drafts/${draft_id}`);
  assert.deepEqual(await received(of, address), []);
  const sent = await becomes(of.key, draft.id, 'sent');
  const [message, ...more] = await received(of, address);
  assert.deepEqual([message?.id, message?.body, more], [sent.message_id, 'Later', []]);
  assert.ok(Date.parse(message?.created_at ?? '') >= Date.parse(at), 'not before its time');
  assert.equal((await read(of.key, sent.message_id ?? '', '?wait=60')).body.status, 'completed');
});

test('a send with send_at is repeated safely by its idempotency key, and is another request than one without', async () => {
  const { of, address } = await fresh();
  const headers = { 'idempotency-key': unique() };
  const body = { to: address, body: 'Later', send_at: inMs(60_000) };
  const ask = (fields: object) => api<Draft>('POST', '/mail/send', { key: of.key, body: fields, headers });
  const answers = await Promise.all([ask(body), ask(body), ask(body)]);
  assert.equal(new Set(answers.map((one) => one.body.draft_id)).size, 1, answers[0]?.text);
  assert.equal(answers.filter((one) => one.headers.get('idempotency-replayed') === null).length, 1);
  isProblem(await ask({ to: address, body: 'Later' }), 'idempotency_mismatch');
  assert.equal((await all(PATH, of.key)).length, 1);
});

test('a time that is changed or removed holds, and a deleted draft is not sent', async () => {
  const { of, address } = await fresh();
  const scheduled = async () => made(await create(of.key, { to: address, body: 'Hi', send_at: inMs(1500) })).id;
  const [moved, unscheduled, deleted] = [await scheduled(), await scheduled(), await scheduled()];
  assert.equal((await patch(of.key, moved, { send_at: inMs(3_600_000) })).body.status, 'scheduled');
  assert.equal((await patch(of.key, unscheduled, { send_at: null })).body.status, 'draft');
  assert.equal((await remove(of.key, deleted)).status, 204);
  isProblem(await get(of.key, deleted), 'not_found');
  isProblem(await remove(of.key, deleted), 'not_found');
  await pause(2500);
  assert.deepEqual(await received(of, address), []);
  assert.equal((await patch(of.key, moved, { send_at: inMs(200) })).status, 200);
  await becomes(of.key, moved, 'sent');
});

test('an error of a send is answered, kept and shown, and cleared by the next change', async () => {
  const { of } = await fresh();
  const gone = (await newMailbox(of)).address;
  const byHand = made(await create(of.key, { to: gone, body: 'Hi' })).id;
  const byTime = made(await create(of.key, { to: gone, body: 'Hi', send_at: inMs(700) })).id;
  await api('DELETE', `/mailboxes/${gone}`, { key: of.key });
  isProblem(await sendIt(of.key, byHand), 'mailbox_gone');
  for (const id of [byHand, byTime]) {
    const failed = await becomes(of.key, id, 'failed');
    assert.equal(failed.error?.code, 'mailbox_gone');
    assert.deepEqual([failed.send_at, failed.message_id, failed.body], [null, null, 'Hi']);
  }
  const fixed = await patch(of.key, byTime, { to: (await newMailbox(of)).address });
  assert.deepEqual([fixed.body.status, fixed.body.error], ['draft', null]);
  assert.equal((await sendIt(of.key, byTime)).status, 202);
});

test('a draft whose key is revoked fails at its time, and another key can send it', async () => {
  const { of, address } = await fresh();
  const key = await newKey(of, { scopes: ['mail:send'] });
  const { id } = made(await create(key.secret, { to: address, body: 'Hi', send_at: inMs(700) }));
  await api('DELETE', `/keys/${key.id}`, { key: of.key });
  assert.equal((await becomes(of.key, id, 'failed')).error?.code, 'invalid_key');
  const sent = await sendIt(of.key, id);
  assert.equal(sent.status, 202, sent.text);
  assert.deepEqual(sent.body.sender, { kind: 'key', id: of.keyId });
});

test('a scheduled draft that was changed is sent by the key that changed it', async () => {
  const { of, address } = await fresh();
  const key = await newKey(of, { scopes: ['mail:send'] });
  const { id } = made(await create(key.secret, { to: address, body: 'Hi', send_at: inMs(900) }));
  await patch(of.key, id, { body: 'Ho' });
  const { message_id } = await becomes(of.key, id, 'sent');
  assert.deepEqual((await read(of.key, message_id ?? '')).body.sender, { kind: 'key', id: of.keyId });
});

test('of two changes at once both fields are there, and none is half', async () => {
  const { of } = await fresh();
  const { id } = made(await create(of.key, {}));
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all([
      patch(of.key, id, { subject: `s${round}` }),
      patch(of.key, id, { body: `b${round}` }),
      patch(of.key, id, { data: [round, round] }),
    ]);
    for (const answer of answers) assert.equal(answer.status, 200, answer.text);
    const now = (await get(of.key, id)).body;
    assert.deepEqual([now.subject, now.body, now.data], [`s${round}`, `b${round}`, [round, round]]);
  }
});

test('with If-Match a change of another version is refused, and of ten at once one is made', async () => {
  const { of } = await fresh();
  const { id } = made(await create(of.key, {}));
  const tag = { 'if-match': '"1"' };
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => patch(of.key, id, { body: `${at}` }, tag)));
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1);
  for (const answer of answers.filter(({ status }) => status !== 200)) isProblem(answer, 'precondition_failed');
  assert.equal((await get(of.key, id)).body.body, good[0]?.body.body);
  isProblem(await remove(of.key, id, tag), 'precondition_failed');
  isProblem(await sendIt(of.key, id, tag), 'precondition_failed');
  assert.equal((await patch(of.key, id, { body: 'x' }, { 'if-match': '"1", "2"' })).status, 200);
  assert.equal((await patch(of.key, id, { body: 'y' }, { 'if-match': '*' })).status, 200);
  for (const wrong of ['1', 'W/"4"', '', '"4" "5"', 'x'.repeat(500)])
    isProblem(await patch(of.key, id, { body: 'z' }, { 'if-match': wrong }), 'validation_error');
  assert.equal((await remove(of.key, id, { 'if-match': '"4"' })).status, 204);
});

test('changes, deletions and sends of one draft at once leave one whole result', async () => {
  for (let round = 0; round < 6; round++) {
    const { of, address } = await fresh();
    const { id } = made(await create(of.key, { to: address, body: 'first', subject: 'first', send_at: inMs(300) }));
    await pause(240);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, (_, at) => patch(of.key, id, { body: `b${at}`, subject: `b${at}` })),
      sendIt(of.key, id),
      sendIt(of.key, id),
      ...(round % 2 === 0 ? [remove(of.key, id)] : []),
    ]);
    for (const answer of answers) if (answer.status >= 400) isOneOf(answer, 'draft_sent', 'not_found');
    await pause(300);
    const messages = await received(of, address);
    assert.ok(messages.length <= 1, `${messages.length} messages`);
    for (const { body, subject } of messages) assert.equal(body, subject);
  }
});

test('a key that only sends sees its own drafts, others those that their scopes and mailbox allow', async () => {
  const { of, address } = await fresh();
  const [alice, bob] = [await newMailbox(of), await newMailbox(of)];
  const keyOf = async (fields: object) => (await newKey(of, { scopes: ['mail:send'], ...fields })).secret;
  const sender = await keyOf({});
  const other = await keyOf({});
  const reader = (await newKey(of, { scopes: ['messages:read'] })).secret;
  const ofAlice = await keyOf({ scopes: ['mail:send', 'messages:read'], mailbox: alice.address });
  const own = made(await create(sender, { to: address })).id;
  const asAlice = made(await create(of.key, { from: alice.address })).id;
  const asBob = made(await create(of.key, { from: bob.address })).id;
  const seen = async (key: string) => (await all<Draft>(PATH, key)).map(({ id }) => id).sort();
  assert.deepEqual(await seen(sender), [own]);
  assert.deepEqual(await seen(other), []);
  assert.deepEqual(await seen(ofAlice), [asAlice]);
  assert.deepEqual(await seen(of.key), [own, asAlice, asBob].sort());
  isProblem(await api('GET', PATH, { key: reader }), 'insufficient_scope');
  for (const id of [own, asBob])
    for (const call of [get(ofAlice, id), patch(ofAlice, id, { body: 'x' }), remove(ofAlice, id), sendIt(ofAlice, id)])
      isProblem(await call, 'not_found');
  isProblem(await get(other, own), 'not_found');
  isProblem(await get((await newNamespace()).key, own), 'not_found');
  isProblem(await patch(ofAlice, asAlice, { from: bob.address }), 'sender_not_allowed');
  isProblem(await api('GET', PATH), 'missing_key');
});

test('lists have pages, newest first', async () => {
  const { of } = await fresh();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.unshift(made(await create(of.key, { subject: `${at}` })).id);
  const page = (await api<Page<Draft>>('GET', `${PATH}?limit=2`, { key: of.key })).body;
  assert.deepEqual(
    page.items.map(({ id }) => id),
    ids.slice(0, 2),
  );
  assert.deepEqual(
    (await all<Draft>(`${PATH}?limit=2`, of.key)).map(({ id }) => id),
    ids,
  );
  isProblem(await api('GET', `${PATH}?cursor=x`, { key: of.key }), 'validation_error');
  isProblem(await api('GET', `${PATH}?limit=0`, { key: of.key }), 'validation_error');
});

test('a namespace has at most LIMIT_DRAFTS drafts, exactly, and sent ones do not count', async () => {
  const { of, address } = await fresh();
  const answers = await Promise.all(Array.from({ length: 15 }, () => create(of.key, { to: address, body: 'Hi' })));
  const good = answers.filter(({ status }) => status === 201);
  assert.equal(good.length, 6);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assert.match(isProblem(answer, 'validation_error').detail, /6 drafts, the maximum\. Send or delete one/);
  }
  isProblem(
    await api('POST', '/mail/send', { key: of.key, body: { to: address, body: 'Hi', send_at: inMs(60_000) } }),
    'validation_error',
  );
  await sendIt(of.key, good[0]?.body.id ?? '');
  made(await create(of.key, {}));
});

test('wrong fields are refused one by one, and nothing is stored', async () => {
  const { of } = await fresh();
  const kept = made(await create(of.key, { subject: 'kept' }));
  const wrong: [string, unknown][] = [
    ['/to', { to: 1 }],
    ['/to', { to: '' }],
    ['/to', { to: 'nowhere' }],
    ['/to', { to: `a@b@c.${MAIL_DOMAIN}` }],
    ['/body', { body: '' }],
    ['/body', { body: ['x'] }],
    ['/subject', { subject: 'x'.repeat(999) }],
    ['/subject', { subject: 1 }],
    ['/thread_id', { thread_id: {} }],
    ['/in_reply_to', { in_reply_to: 'x'.repeat(65) }],
    ['/from', { from: 'me' }],
    ['/sync', { sync: 'true' }],
    ['/send_at', { to, body: 'Hi', send_at: 'tomorrow' }],
    ['/send_at', { to, body: 'Hi', send_at: 1_800_000_000 }],
    ['/send_at', { to, body: 'Hi', send_at: inMs(-1000) }],
    ['/send_at', { to, body: 'Hi', send_at: '2026-02-30T08:00:00Z' }],
    ['/send_at', { to, body: 'Hi', send_at: inMs(367 * 86_400_000) }],
    ['/to', { body: 'Hi', send_at: inMs(60_000) }],
    ['/body', { to, send_at: inMs(60_000) }],
    ['/id', { id: 'drf_x' }],
    ['/status', { status: 'sent' }],
    ['/message_id', { message_id: null }],
    ['/colour', { colour: 'red' }],
  ];
  for (const [pointer, body] of wrong) {
    isProblem(await create(of.key, body), 'validation_error', pointer);
    isProblem(await patch(of.key, kept.id, body), 'validation_error', pointer);
  }
  for (const body of [null, [], 'x', 1]) isProblem(await create(of.key, body), 'validation_error');
  isProblem(await patch(of.key, kept.id, {}), 'validation_error');
  isProblem(await create(of.key, { from: to }), 'sender_not_allowed');
  isProblem(await create(of.key, { body: 'ä'.repeat(140_000) }), 'body_too_large', '/body');
  isProblem(await create(of.key, { data: 'x'.repeat(70_000) }), 'body_too_large', '/data');
  isProblem(
    await create(of.key, { to: `none@${of.name}.${MAIL_DOMAIN}`, body: 'Hi', send_at: inMs(9000) }),
    'mailbox_not_found',
  );
  isProblem(
    await create(of.key, { to, body: 'Hi', thread_id: 'thr_x', send_at: inMs(9000) }),
    'validation_error',
    '/thread_id',
  );
  isProblem(await api('POST', PATH, { key: of.key, raw: '{"to":"a","to":"b"}' }), 'validation_error');
  isProblem(await api('POST', PATH, { key: of.key, raw: '{' }), 'malformed_json');
  isProblem(await api('POST', PATH, { key: of.key, raw: '{"body":"\\u0000"}' }), 'validation_error');
  assert.deepEqual(
    (await all<Draft>(PATH, of.key)).map(({ id, subject }) => [id, subject]),
    [[kept.id, 'kept']],
  );
  const incomplete = isProblem(await sendIt(of.key, kept.id), 'validation_error', '/to');
  assert.deepEqual(
    incomplete.errors?.map(({ pointer }) => pointer),
    ['/to', '/body'],
  );
});

test('ids that are none are answered as drafts that do not exist', async () => {
  for (const id of [
    'x',
    'drf_',
    'drf_00000000000000000000',
    'msg_00000000000000000000',
    "drf_'--",
    '%00',
    'drf_x'.repeat(80),
  ]) {
    for (const call of [
      get(home.key, id),
      remove(home.key, id),
      patch(home.key, id, { body: 'x' }),
      sendIt(home.key, id),
    ])
      isOneOf(await call, 'not_found');
  }
});

test('a draft is repeated safely by its idempotency key', async () => {
  const { of } = await fresh();
  const headers = { 'idempotency-key': unique() };
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(of.key, { subject: 'One' }, headers)));
  assert.equal(new Set(answers.map((one) => made(one).id)).size, 1);
  assert.equal(answers.filter((one) => one.headers.get('idempotency-replayed') === 'true').length, 4);
  isProblem(await create(of.key, { subject: 'Two' }, headers), 'idempotency_mismatch');
  isProblem(await sendIt(of.key, made(answers[0] as Answer<Draft>).id, headers), 'idempotency_mismatch');
});

test('drafts of a deleted mailbox and namespace are gone with it', async () => {
  const { of, address } = await fresh();
  const from = (await newMailbox(of)).address;
  const { id } = made(await create(of.key, { to: address, body: 'Hi', from, send_at: inMs(800) }));
  made(await create(of.key, {}));
  await api('DELETE', `/mailboxes/${from}`, { key: of.key });
  isProblem(await get(of.key, id), 'not_found');
  assert.equal((await all(PATH, of.key)).length, 1);
  await pause(1500);
  assert.deepEqual(await received(of, address), []);
});

test('a draft to a mailbox that does not accept its sender fails with the reason', async () => {
  const { of } = await fresh();
  const other = await newNamespace();
  const closed = await newMailbox(other, { senders: { block: [of.name] } });
  isProblem(await create(of.key, { to: closed.address, body: 'Hi', send_at: inMs(9000) }), 'sender_not_allowed');
  const { id } = made(await create(of.key, { to: closed.address, body: 'Hi' }));
  isProblem(await sendIt(of.key, id), 'sender_not_allowed');
  assert.equal((await get(of.key, id)).body.error?.code, 'sender_not_allowed');
});

test('a draft to a paused mailbox becomes a message that is held', async () => {
  const { of } = await fresh();
  const paused = await newPaused(of);
  const { id } = made(await create(of.key, { to: paused.address, body: 'Hi', sync: true }));
  const sent = await sendIt(of.key, id);
  assert.deepEqual([sent.status, sent.body.status], [202, 'submitted'], sent.text);
});

test('a draft that is due while the service is down is sent once after it is back', async () => {
  const folder = newFolder();
  after(() => removeFolder(folder));
  const first = await startService({ folder, env: { RATE_LIMITS: 'off' } });
  const before = connect(first.url);
  const of = await before.newNamespace();
  const address = (await before.newMailbox(of, { behavior: HELLO })).address;
  const body = { to: address, body: 'Hi', send_at: inMs(1500) };
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) {
    const answer = await before.api<Draft>('POST', '/mail/send', { key: of.key, body });
    ids.push(answer.body.draft_id ?? '');
  }
  await first.kill();
  await pause(1600);
  await using second = await serveInside({ folder, env: { RATE_LIMITS: 'off' } });
  const again = connect(second.url);
  for (const id of ids) {
    await until(
      8000,
      async () => (await again.api<Draft>('GET', `${PATH}/${id}`, { key: of.key })).body,
      (draft) => draft.status === 'sent',
    );
  }
  assert.equal((await again.all(`/mailboxes/${address}/messages`, of.key)).length, 5);
});

test('storage counts drafts, a full namespace stores no more, and what a draft took is given back', async () => {
  await using small = await serveInside({
    env: { RATE_LIMITS: 'off', LIMIT_STORAGE: '200000', LIMIT_STORAGE_UNCLAIMED: '200000' },
  });
  const it = connect(small.url);
  const of = await it.newNamespace();
  const address = (await it.newMailbox(of)).address;
  const body = 'x'.repeat(60_000);
  const ask = (fields: object) => it.api<Draft>('POST', PATH, { key: of.key, body: fields });
  const ids: string[] = [];
  for (let answer = await ask({ to: address, body }); answer.status === 201; answer = await ask({ to: address, body }))
    ids.push(answer.body.id);
  assert.equal(ids.length, 3);
  isProblem(await ask({ to: address, body }), 'storage_full');
  const [first = '', second = ''] = ids;
  isProblem(
    await it.api('PATCH', `${PATH}/${first}`, { key: of.key, body: { data: 'x'.repeat(30_000) } }),
    'storage_full',
  );
  // The message is stored beside its draft for a moment, so it does not fit.
  isProblem(await it.api('POST', `${PATH}/${first}/send`, { key: of.key }), 'storage_full');
  assert.equal((await it.api<Draft>('GET', `${PATH}/${first}`, { key: of.key })).body.error?.code, 'storage_full');
  assert.equal((await it.api('DELETE', `${PATH}/${second}`, { key: of.key })).status, 204);
  await until(
    8000,
    () => it.api<Draft>('POST', `${PATH}/${first}/send`, { key: of.key }),
    ({ status }) => status === 202,
  );
  await until(
    8000,
    () => ask({ to: address, body }),
    ({ status }) => status === 201,
  );
});

test('messages of drafts count against the rate limits when they are sent', async () => {
  await using limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_NAMESPACE_SENDS: '3' } });
  const it = connect(limited.url);
  const of = await it.newNamespace();
  const address = (await it.newMailbox(of)).address;
  const ids: string[] = [];
  for (let at = 0; at < 8; at++) {
    const body = { to: address, body: 'Hi', send_at: inMs(1500) };
    const answer = await it.api<Draft>('POST', PATH, { key: of.key, body });
    assert.equal(answer.status, 201, answer.text);
    ids.push(answer.body.id);
  }
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await it.api<Draft>('GET', `${PATH}/${id}`, { key: of.key })).body));
  const { seen } = await until(8000, statuses, (drafts) =>
    drafts.every(({ status, error }) => status === 'sent' || error !== null),
  );
  const waiting = seen.filter(({ status }) => status !== 'sent');
  assert.ok(waiting.length >= 3, `${waiting.length} wait`);
  for (const { status, error } of waiting) assert.deepEqual([status, error?.code], ['scheduled', 'rate_limited']);
});
