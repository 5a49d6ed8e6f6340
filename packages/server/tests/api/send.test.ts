import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { gated } from '../../../../tests/harness/gated.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import {
  ENVELOPE_FIELDS,
  type Envelope,
  idOf,
  MAIL_DOMAIN,
  type ThreadItem,
  TIME,
} from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const service = await serveInside({ behaviors: [gated(folder, 'node')] });
/** The behavior that takes as long as a message says. */
const SLOW = { name: 'gated' };
const { api, newNamespace, newMailbox, newPaused, send, read, all } = connect(service.url);

const locationOf = (envelope: Envelope) => `/api/v1/mail/messages/${envelope.id}`;

test('a sync send answers with the reply', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const sent = await send(home.key, { to: mailbox.address, body: 'Who are you?', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.match(sent.headers.get('content-type') ?? '', /^application\/json\b/);
  const { id, thread_id, created_at, settled_at, reply, ...rest } = sent.body;
  assert.deepEqual(Object.keys(sent.body).sort(), [...ENVELOPE_FIELDS, 'labels'].sort());
  assert.match(id, idOf('msg'));
  assert.match(thread_id, idOf('thr'));
  assert.match(created_at, TIME);
  assert.match(settled_at ?? '', TIME);
  assert.ok((settled_at ?? '') >= created_at);
  assert.deepEqual(rest, {
    labels: ['unread'],
    in_reply_to: null,
    retry_of: null,
    to: mailbox.address,
    from: null,
    sender: { kind: 'key', id: home.keyId },
    channel: 'api',
    subject: null,
    body: 'Who are you?',
    data: null,
    attachments: [],
    status: 'completed',
    waiting_for: null,
    replies_count: 1,
    progress: [],
    error: null,
  });
  assert.ok(reply !== null);
  assert.deepEqual(Object.keys(reply).sort(), [
    'attachments',
    'body',
    'created_at',
    'data',
    'from',
    'id',
    'in_reply_to',
  ]);
  assert.match(reply.id, idOf('msg'));
  assert.notEqual(reply.id, id);
  assert.equal(reply.in_reply_to, id);
  assert.equal(reply.from, mailbox.address);
  assert.match(reply.created_at, TIME);
  assert.match(reply.body, /I write programs/);
});

test('a send without sync is accepted with a place to look, and answered later', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (const fields of [{}, { sync: false }]) {
    const sent = await send(home.key, { to: mailbox.address, body: 'Who are you?', ...fields });
    assert.equal(sent.status, 202, sent.text);
    assert.equal(sent.headers.get('location'), locationOf(sent.body));
    assert.deepEqual(Object.keys(sent.body).sort(), [...ENVELOPE_FIELDS, 'labels'].sort());
    assert.equal(sent.body.status, 'submitted');
    assert.equal(sent.body.reply, null);
    assert.equal(sent.body.settled_at, null);
    const settled = await read(home.key, sent.body.id, '?wait=20');
    assert.equal(settled.body.status, 'completed', settled.text);
    assert.equal(settled.body.reply?.in_reply_to, sent.body.id);
    assert.equal(settled.body.created_at, sent.body.created_at);
  }
});

test('the answer to a sync send is what is read later', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { behavior: SLOW });
  const sent = await send(home.key, {
    to: mailbox.address,
    body: 'This are a example.',
    subject: 'Ünïcode 🎉',
    data: { ms: 1, a: [1, 2.5, null, true, 'x'] },
    sync: true,
  });
  assert.deepEqual((await read(home.key, sent.body.id)).body, sent.body);
});

test('bodies are kept to the letter', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  for (const body of [
    'a',
    ' ',
    '\n',
    'one\r\ntwo\rthree\n',
    '👩‍👩‍👧‍👦 e\u0301 \u00e9 \ufeff',
    'שלום \u202e עולם',
    '"\\\u2028\u2029</script>',
    '\u{10ffff}\ufffd\ufffe',
    '\u0001\u001b[31m\u007f',
    ' leading and trailing ',
  ]) {
    const sent = await send(home.key, {
      to: mailbox.address,
      body,
      subject: body.replaceAll(/[\r\n]/g, ' '),
      sync: true,
    });
    assert.equal(sent.status, 200, `${JSON.stringify(body)}: ${sent.text}`);
    assert.equal(sent.body.body, body);
    assert.equal((await read(home.key, sent.body.id)).body.body, body);
  }
});

test('data comes back as it was', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  let deep: unknown = 'bottom';
  for (let level = 0; level < 64; level++) deep = level % 2 === 0 ? [deep] : { in: deep };
  for (const data of [
    null,
    true,
    0,
    -1.5,
    'text',
    '',
    [],
    {},
    [[], {}],
    { a: { b: [1, '2', null] } },
    deep,
    'x'.repeat(65_000),
  ]) {
    const sent = await send(home.key, { to: mailbox.address, body: 'Hi', data, sync: true });
    assert.equal(sent.status, 200, sent.text.slice(0, 300));
    assert.deepEqual((await read(home.key, sent.body.id)).body.data, data);
  }
});

test('a field named __proto__ in data is kept or refused, never lost', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const raw = `{"to":"${mailbox.address}","body":"Hi","sync":true,"data":{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}}`;
  const sent = await api<Envelope>('POST', '/mail/send', { key: home.key, raw });
  if (sent.status === 422) isProblem(sent, 'validation_error');
  else
    assert.ok(
      sent.status === 200 && sent.text.includes('"__proto__"') && sent.text.includes('"constructor"'),
      sent.text,
    );
  assert.equal(({} as { x?: number }).x, undefined);
});

test('Prefer: wait sets how long a sync send waits, from 1 to 120 s, and is confirmed', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  for (const [prefer, applied] of [
    ['wait=5', 'wait=5'],
    ['wait=0', 'wait=1'],
    ['wait=100000', 'wait=120'],
    ['wait=99999999999999999999', 'wait=120'],
    ['wait=7, respond-async', 'wait=7'],
    ['return=minimal, wait=8', 'wait=8, return=minimal'],
  ] as const) {
    const sent = await send(home.key, { to, body: 'Hi', sync: true }, { prefer });
    assert.equal(sent.status, 200, sent.text);
    assert.equal(sent.headers.get('preference-applied'), applied, prefer);
  }
});

test('Prefer is ignored when it is garbage, and without sync', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  for (const prefer of ['wait', 'wait=', 'wait=soon', 'wait=-1', 'wait=1.5', 'wait=1e3', 'respond-async', ';;;', '=']) {
    const sent = await send(home.key, { to, body: 'Hi', sync: true }, { prefer });
    assert.equal(sent.status, 200, `${prefer}: ${sent.text}`);
    assert.equal(sent.headers.get('preference-applied'), null, prefer);
  }
  const sent = await send(home.key, { to, body: 'Hi' }, { prefer: 'wait=5' });
  assert.equal(sent.status, 202);
  assert.equal(sent.headers.get('preference-applied'), null);
});

test('a sync send that is not settled in its budget answers 202, and the reply still comes', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home, { behavior: SLOW });
  const began = performance.now();
  const sent = await send(home.key, { to, body: 'Hi', data: { ms: 2_000 }, sync: true }, { prefer: 'wait=1' });
  const took = performance.now() - began;
  assert.equal(sent.status, 202, sent.text.slice(0, 300));
  assert.ok(took > 900, `${took} ms`);
  await assertSoon(took, 5_000, 'the answer');
  assert.equal(sent.headers.get('preference-applied'), 'wait=1');
  assert.equal(sent.headers.get('location'), locationOf(sent.body));
  assert.ok(['submitted', 'working'].includes(sent.body.status), sent.body.status);
  assert.equal(sent.body.reply, null);
  const settled = await read(home.key, sent.body.id, '?wait=60');
  assert.equal(settled.body.id, sent.body.id);
  assert.equal(settled.body.status, 'completed', JSON.stringify(settled.body.error));
  assert.equal((await all<ThreadItem>(`/mail/threads/${sent.body.thread_id}`, home.key)).length, 2);
});

test('every wrong field is a problem at its place, and nothing is kept', async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const wrong: [string, unknown][] = [
    ['/to', { body: 'Hi' }],
    ['/body', { to }],
    ['/to', { to: 5, body: 'Hi' }],
    ['/to', { to: null, body: 'Hi' }],
    ['/to', { to: [], body: 'Hi' }],
    ['/to/0', { to: [[to]], body: 'Hi' }],
    ['/to', { to: '', body: 'Hi' }],
    ['/to', { to: 'hello', body: 'Hi' }],
    ['/to', { to: `hello@@${MAIL_DOMAIN}`, body: 'Hi' }],
    ['/to', { to: `a..b@${home.name}.${MAIL_DOMAIN}`, body: 'Hi' }],
    ['/to', { to: `${to} `, body: 'Hi' }],
    ['/to', { to: `Ada <${to}>`, body: 'Hi' }],
    ['/to', { to: `${to},${to}`, body: 'Hi' }],
    ['/body', { to, body: '' }],
    ['/body', { to, body: null }],
    ['/body', { to, body: { text: 'Hi' } }],
    ['/sync', { to, body: 'Hi', sync: 'true' }],
    ['/sync', { to, body: 'Hi', sync: 1 }],
    ['/sync', { to, body: 'Hi', sync: null }],
    ['/subject', { to, body: 'Hi', subject: 5 }],
    ['/thread_id', { to, body: 'Hi', thread_id: 5 }],
    ['/in_reply_to', { to, body: 'Hi', in_reply_to: [] }],
    ['/from', { to, body: 'Hi', from: 5 }],
    ['/from', { to, body: 'Hi', from: 'no address' }],
    ['/cc', { to, body: 'Hi', cc: to }],
    ['/TO', { to, body: 'Hi', TO: to }],
    ['/a~1b~0c', { to, body: 'Hi', 'a/b~c': 1 }],
  ];
  for (const [pointer, body] of wrong) {
    isProblem(await api('POST', '/mail/send', { key: home.key, body }), 'validation_error', pointer);
  }
  const tagged = await send(home.key, { to, body: 'Hi', from: to.replace('@', '+x@') });
  assert.match(isProblem(tagged, 'validation_error', '/from').detail, /tag/);
  assert.deepEqual(await all('/mail/messages', home.key), []);
});

test('every wrong field is named, not the first alone', async () => {
  const home = await newNamespace();
  const problem = isProblem(
    await api('POST', '/mail/send', { key: home.key, body: { body: 5, sync: 'x', colour: 'red' } }),
    'validation_error',
    '/to',
  );
  const pointers = (problem.errors ?? []).map((error) => error.pointer);
  for (const pointer of ['/to', '/body', '/sync', '/colour'])
    assert.ok(pointers.includes(pointer), `${pointer} in ${pointers.join()}`);
});

test('a body holds 256 KiB of UTF-8, not a byte more', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  for (const body of ['x'.repeat(262_144), 'é'.repeat(131_072), '😀'.repeat(65_536)]) {
    const sent = await send(home.key, { to, body });
    assert.equal(sent.status, 202, sent.text.slice(0, 300));
    assert.equal((await read(home.key, sent.body.id)).body.body, body);
  }
  for (const body of ['x'.repeat(262_145), `${'é'.repeat(131_072)}x`, `${'😀'.repeat(65_536)}x`]) {
    isProblem(await send(home.key, { to, body }), 'body_too_large');
  }
  assert.equal((await all('/mail/messages', home.key)).length, 3);
});

test('a body counts as text, not as it is escaped', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const raw = `{"to":"${to}","body":"${'\\u0041'.repeat(262_144)}"}`;
  const sent = await api<Envelope>('POST', '/mail/send', { key: home.key, raw });
  assert.equal(sent.status, 202, sent.text.slice(0, 300));
});

test('a subject holds 998 characters', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  const sent = await send(home.key, { to, body: 'Hi', subject: 's'.repeat(998) });
  assert.equal(sent.status, 202, sent.text);
  assert.equal(sent.body.subject, 's'.repeat(998));
  isOneOf(await send(home.key, { to, body: 'Hi', subject: 's'.repeat(999) }), 'validation_error', 'body_too_large');
});

test('data holds 64 KiB and 64 levels', async () => {
  const home = await newNamespace();
  const { address: to } = await newPaused(home);
  isProblem(await send(home.key, { to, body: 'Hi', data: 'x'.repeat(65_600) }), 'body_too_large');
  isProblem(
    await send(home.key, { to, body: 'Hi', data: Array.from({ length: 9_000 }, () => 'xxxxxx') }),
    'body_too_large',
  );
  let deep: unknown = 'bottom';
  for (let level = 0; level < 65; level++) deep = [deep];
  const problem = isProblem(await send(home.key, { to, body: 'Hi', data: deep }), 'validation_error');
  assert.ok(
    problem.errors?.every((error) => error.pointer.startsWith('/data')),
    JSON.stringify(problem.errors),
  );
  assert.deepEqual(await all('/mail/messages', home.key), []);
});

test('an address is compared without case', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  const sent = await send(home.key, { to: mailbox.address.toUpperCase(), body: 'Hi', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.to, mailbox.address);
});

test('a tagged address reaches the mailbox and keeps its tag', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  const tagged = mailbox.address.replace('@', '+news.2026@');
  const sent = await send(home.key, { to: tagged, body: 'Hi', sync: true });
  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.body.to, tagged);
  assert.equal(sent.body.reply?.from, mailbox.address);
  assert.equal((await all<Envelope>(`/mailboxes/${mailbox.address}/messages`, home.key))[0]?.to, tagged);
});

test('a message to nobody is a problem', async () => {
  const home = await newNamespace();
  for (const to of [`nobody@${home.name}.${MAIL_DOMAIN}`, `ada@never-was.${MAIL_DOMAIN}`, 'ada@example.org']) {
    isProblem(await send(home.key, { to, body: 'Hi' }), 'mailbox_not_found');
    isProblem(await send(home.key, { to, body: 'Hi', sync: true }), 'mailbox_not_found');
  }
});

const SENDS = amount(60, 1_000);
test(`${SENDS} sends at once are ${SENDS} messages, each answered once`, async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const word = unique();
  const sent = await Promise.all(
    Array.from({ length: SENDS }, (_, i) => send(home.key, { to, body: `${word} ${i}`, sync: i % 2 === 0 })),
  );
  for (const [i, answer] of sent.entries()) assert.equal(answer.status, i % 2 === 0 ? 200 : 202, answer.text);
  assert.equal(new Set(sent.map((answer) => answer.body.id)).size, SENDS);
  await Promise.all(
    sent.map(async (answer) => {
      const settled = await read(home.key, answer.body.id, '?wait=30');
      assert.equal(settled.body.status, 'completed', settled.text);
    }),
  );
  assert.equal((await all(`/mailboxes/${to}/messages`, home.key)).length, SENDS);
});
