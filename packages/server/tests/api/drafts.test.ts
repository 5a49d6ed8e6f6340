import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { idOf, MAIL_DOMAIN, type Page, TIME } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { type Draft, draftCalls, inMs, PATH } from './draft-calls.ts';

const service = await serveInside({ env: { LIMIT_DRAFTS: '6', RATE_LIMITS: 'off' } });
const client = connect(service.url);
const { api, newNamespace, newMailbox, newKey, all } = client;
const { create, get, patch, remove, sendIt, made, received, fresh } = draftCalls(client);
const home = await newNamespace();
const { address: to } = await newMailbox(home);

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

test('of two changes at once both fields are there, and none is half', async () => {
  const { of } = await fresh();
  const { id } = made(await create(of.key, {}));
  for (let round = 0; round < amount(3, 15); round++) {
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
  for (let round = 0; round < amount(2, 6); round++) {
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
  const draftId = made(await create(sender, { to: address })).id;
  const asAlice = made(await create(of.key, { from: alice.address })).id;
  const asBob = made(await create(of.key, { from: bob.address })).id;
  const seen = async (key: string) => (await all<Draft>(PATH, key)).map(({ id }) => id).sort();
  assert.deepEqual(await seen(sender), [draftId]);
  assert.deepEqual(await seen(other), []);
  assert.deepEqual(await seen(ofAlice), [asAlice]);
  assert.deepEqual(await seen(of.key), [draftId, asAlice, asBob].sort());
  isProblem(await api('GET', PATH, { key: reader }), 'insufficient_scope');
  for (const id of [draftId, asBob])
    for (const call of [get(ofAlice, id), patch(ofAlice, id, { body: 'x' }), remove(ofAlice, id), sendIt(ofAlice, id)])
      isProblem(await call, 'not_found');
  isProblem(await get(other, draftId), 'not_found');
  isProblem(await get((await newNamespace()).key, draftId), 'not_found');
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

test('storage counts drafts, a full namespace stores no more, and what a draft took is given back', async () => {
  await using small = await serveInside({
    env: { RATE_LIMITS: 'off', LIMIT_STORAGE: '200000', LIMIT_STORAGE_UNCLAIMED: '200000' },
  });
  const it = connect(small.url);
  const home = await it.newNamespace();
  const address = (await it.newMailbox(home)).address;
  const body = 'x'.repeat(60_000);
  const ask = (fields: object) => it.api<Draft>('POST', PATH, { key: home.key, body: fields });
  const ids: string[] = [];
  for (let answer = await ask({ to: address, body }); answer.status === 201; answer = await ask({ to: address, body }))
    ids.push(answer.body.id);
  assert.equal(ids.length, 3);
  isProblem(await ask({ to: address, body }), 'storage_full');
  const [first = '', second = ''] = ids;
  isProblem(
    await it.api('PATCH', `${PATH}/${first}`, { key: home.key, body: { data: 'x'.repeat(30_000) } }),
    'storage_full',
  );
  // The message is stored beside its draft for a moment, so it does not fit.
  isProblem(await it.api('POST', `${PATH}/${first}/send`, { key: home.key }), 'storage_full');
  assert.equal((await it.api<Draft>('GET', `${PATH}/${first}`, { key: home.key })).body.error?.code, 'storage_full');
  assert.equal((await it.api('DELETE', `${PATH}/${second}`, { key: home.key })).status, 204);
  await until(
    8000,
    () => it.api<Draft>('POST', `${PATH}/${first}/send`, { key: home.key }),
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
  const home = await it.newNamespace();
  const address = (await it.newMailbox(home)).address;
  const ids: string[] = [];
  for (let at = 0; at < 8; at++) {
    const body = { to: address, body: 'Hi', send_at: inMs(1500) };
    const answer = await it.api<Draft>('POST', PATH, { key: home.key, body });
    assert.equal(answer.status, 201, answer.text);
    ids.push(answer.body.id);
  }
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await it.api<Draft>('GET', `${PATH}/${id}`, { key: home.key })).body));
  const { seen } = await until(8000, statuses, (drafts) =>
    drafts.every(({ status, error }) => status === 'sent' || error !== null),
  );
  const waiting = seen.filter(({ status }) => status !== 'sent');
  assert.ok(waiting.length >= 3, `${waiting.length} wait`);
  for (const { status, error } of waiting) assert.deepEqual([status, error?.code], ['scheduled', 'rate_limited']);
});
