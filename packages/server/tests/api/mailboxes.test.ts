import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder, sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import type { Envelope, Mailbox, Page } from '../../../../tests/harness/wire.ts';
import { idOf, MAIL_DOMAIN, MAILBOX_FIELDS, TIME } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newPaused, newKey, send, tryOut, read, change, all } = connect(service.url);

const make = (home: { name: string; key: string }, body: unknown) =>
  api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });

test('a mailbox is made with what was asked for and shown whole', async () => {
  const home = await newNamespace();
  const made = await make(home, {
    local_part: 'Ada.L-1_x',
    display_name: 'Ada',
    description: 'Says who she is.',
    behavior: HELLO,
    visibility: 'unlisted',
    access: 'public',
    try_out: false,
  });
  assert.equal(made.status, 201, made.text);
  const { id, created_at, updated_at, ...rest } = made.body;
  assert.deepEqual(Object.keys(made.body).sort(), [...MAILBOX_FIELDS].sort());
  assert.match(id, idOf('mbx'));
  assert.match(created_at, TIME);
  assert.match(updated_at, TIME);
  assert.deepEqual(rest, {
    address: `ada.l-1_x@${home.name}.${MAIL_DOMAIN}`,
    local_part: 'ada.l-1_x',
    aliases: [],
    namespace: home.name,
    display_name: 'Ada',
    description: 'Says who she is.',
    behavior: HELLO,
    status: 'online',
    visibility: 'unlisted',
    access: 'public',
    try_out: false,
    wake: 'to',
    budget: null,
    senders: { allow: [], block: [] },
    outgoing: {
      review: 'never',
      allow: [],
      block: [],
      max_per_day: null,
      expires_seconds: 86_400,
      on_expiry: 'discard',
    },
  });
});

test('by default a mailbox is online, listed, public and open to try', async () => {
  const home = await newNamespace();
  const made = await make(home, { local_part: 'a', behavior: PROOFREAD });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.body.status, 'online');
  assert.equal(made.body.visibility, 'listed');
  assert.equal(made.body.access, 'public');
  assert.equal(made.body.try_out, true);
  assert.equal(made.body.display_name, null);
});

test('local parts of every allowed kind are taken', async () => {
  const home = await newNamespace();
  for (const local of ['a', '0', 'a.b.c', 'a-b', 'a_b', 'a--b', 'a__b', 'a.-b', 'x'.repeat(64), 'auth', 'www']) {
    const made = await make(home, { local_part: local, behavior: HELLO });
    assert.equal(made.status, 201, `${local}: ${made.text}`);
  }
});

test('local parts of no allowed kind are refused', async () => {
  const home = await newNamespace();
  const wrong = ['', '.a', 'a.', '-a', 'a-', '_a', 'a_', 'a..b', 'a+b', 'a b', 'a@b', 'ä', 'x'.repeat(65), 'a\n'];
  for (const local of [...wrong, 'postmaster', 'abuse', 'mailer-daemon', 'noreply', 'Postmaster']) {
    isProblem(await make(home, { local_part: local, behavior: HELLO }), 'validation_error', '/local_part');
  }
  assert.deepEqual(await all(`/namespaces/${home.name}/mailboxes`, home.key), []);
});

test('an address is given once, whatever its case', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'ada' });
  isProblem(await make(home, { local_part: 'ada', behavior: HELLO }), 'mailbox_taken');
  isProblem(await make(home, { local_part: 'ADA', behavior: HELLO }), 'mailbox_taken');
  const other = await newNamespace();
  assert.equal((await make(other, { local_part: 'ada', behavior: HELLO })).status, 201);
});

test('of 30 who ask for one address at once, one gets it', async () => {
  const home = await newNamespace();
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => make(home, { local_part: 'ada', behavior: HELLO })),
  );
  assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
  for (const answer of answers.filter((one) => one.status !== 201)) isProblem(answer, 'mailbox_taken');
});

test('a request for a mailbox is checked field by field', async () => {
  const home = await newNamespace();
  const good = { local_part: 'ada', behavior: HELLO };
  const wrong: [string, unknown][] = [
    ['/local_part', { behavior: HELLO }],
    ['/local_part', { ...good, local_part: 1 }],
    ['/behavior', { local_part: 'ada' }],
    ['/behavior', { ...good, behavior: 'hello' }],
    ['/behavior/name', { ...good, behavior: {} }],
    ['/behavior/name', { ...good, behavior: { name: 1 } }],
    ['/behavior/kind', { ...good, behavior: { ...HELLO, kind: 'x' } }],
    ['/behavior/settings', { ...good, behavior: { name: 'hello', settings: [] } }],
    ['/visibility', { ...good, visibility: 'secret' }],
    ['/access', { ...good, access: 'none' }],
    ['/try_out', { ...good, try_out: 'true' }],
    ['/display_name', { ...good, display_name: 1 }],
    ['/description', { ...good, description: {} }],
    ['/status', { ...good, status: 'paused' }],
    ['/colour', { ...good, colour: 'red' }],
  ];
  for (const [pointer, body] of wrong) isProblem(await make(home, body), 'validation_error', pointer);
  assert.deepEqual(await all(`/namespaces/${home.name}/mailboxes`, home.key), []);
});

test("settings are checked against the behavior's own schema", async () => {
  const home = await newNamespace();
  const wrong: [string, unknown][] = [
    ['/behavior/settings/dialect', { name: 'proofread', settings: { dialect: 'klingon' } }],
    ['/behavior/settings/introduction', { name: 'hello', settings: { name: 'Ada', introduction: 5 } }],
    [
      '/behavior/settings/links/0/label',
      { name: 'hello', settings: { name: 'Ada', introduction: 'Hi', links: [{ url: 'https://example.org/' }] } },
    ],
  ];
  for (const [pointer, behavior] of wrong) {
    isProblem(await make(home, { local_part: 'ada', behavior }), 'validation_error', pointer);
  }
});

test('a mailbox is found with @ or %40, and in any case', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'ada' });
  for (const path of [mailbox.address, mailbox.address.replace('@', '%40'), mailbox.address.toUpperCase()]) {
    const got = await api<Mailbox>('GET', `/mailboxes/${path}`);
    assert.equal(got.status, 200, `${path}: ${got.text}`);
    assert.equal(got.body.id, mailbox.id);
  }
});

test('what has no mailbox is not found', async () => {
  const home = await newNamespace();
  for (const address of [
    `nobody@${home.name}.${MAIL_DOMAIN}`,
    `ada@never-was.${MAIL_DOMAIN}`,
    'ada@example.org',
    'ada',
    `@${MAIL_DOMAIN}`,
  ]) {
    isProblem(await api('GET', `/mailboxes/${address}`), 'mailbox_not_found');
  }
});

test('settings are shown to keys that may change mailboxes of the namespace, to no other, and in no list', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home);
  const writer = await newKey(home, { scopes: ['mailboxes:write'] });
  const reader = await newKey(home, { scopes: ['messages:read', 'mail:send', 'keys:write', 'auth:assert'] });
  const one = async (key?: string) =>
    (await api<Mailbox>('GET', `/mailboxes/${mailbox.address}`, { key })).body.behavior;
  const listed = async (key?: string) => (await all<Mailbox>(`/namespaces/${home.name}/mailboxes`, key))[0]?.behavior;
  const inDirectory = async (key?: string) =>
    (await all<Mailbox>(`/mailboxes?namespace=${home.name}`, key))[0]?.behavior;
  for (const key of [home.key, writer.secret]) {
    assert.deepEqual(await one(key), HELLO);
    assert.deepEqual(await listed(key), { name: 'hello' });
    assert.deepEqual(await inDirectory(key), { name: 'hello' });
  }
  for (const key of [reader.secret, stranger.key, undefined]) {
    assert.deepEqual(await one(key), { name: 'hello' });
    assert.deepEqual(await listed(key), { name: 'hello' });
  }
  assert.deepEqual(await inDirectory(stranger.key), { name: 'hello' });
  assert.deepEqual(await inDirectory(), { name: 'hello' });
});

test('an unlisted mailbox is for whoever has its address', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home, { visibility: 'unlisted' });
  assert.equal((await api('GET', `/mailboxes/${mailbox.address}`)).status, 200);
  assert.equal((await api('GET', `/mailboxes/${mailbox.address}`, { key: stranger.key })).status, 200);
  assert.deepEqual(await all(`/mailboxes?namespace=${home.name}`), []);
  assert.equal((await send(stranger.key, { to: mailbox.address, body: 'Hi', sync: true })).body.status, 'completed');
  assert.equal((await tryOut({ to: mailbox.address, body: 'Hi' })).status, 200);
});

test('a mailbox with access "key" exists for the keys of its namespace only', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home, { access: 'key', visibility: 'unlisted' });
  assert.equal(mailbox.try_out, false);
  const path = `/mailboxes/${mailbox.address}`;
  const sender = await newKey(home, { scopes: ['mail:send'] });
  assert.equal((await api('GET', path, { key: home.key })).status, 200);
  assert.equal((await api('GET', path, { key: sender.secret })).status, 200);
  assert.equal((await send(sender.secret, { to: mailbox.address, body: 'Hi', sync: true })).status, 200);
  isProblem(await api('GET', path), 'mailbox_not_found');
  isProblem(await api('GET', path, { key: stranger.key }), 'mailbox_not_found');
  isProblem(await send(stranger.key, { to: mailbox.address, body: 'Hi' }), 'mailbox_not_found');
  isProblem(await tryOut({ to: mailbox.address, body: 'Hi' }), 'mailbox_not_found');
  isProblem(await api('GET', `${path}/messages`, { key: stranger.key }), 'mailbox_not_found');
  isProblem(await api('PATCH', path, { key: stranger.key, body: { description: 'x' } }), 'mailbox_not_found');
  isProblem(await api('DELETE', path, { key: stranger.key }), 'mailbox_not_found');
});

test('whatever a list shows to someone, that someone can open', async () => {
  const home = await newNamespace();
  await newMailbox(home, { local_part: 'keyed', access: 'key', visibility: 'listed' });
  await newMailbox(home, { local_part: 'open' });
  for (const list of [`/mailboxes?namespace=${home.name}`, `/namespaces/${home.name}/mailboxes`]) {
    for (const mailbox of await all<Mailbox>(list)) {
      assert.equal((await api('GET', `/mailboxes/${mailbox.address}`)).status, 200, `${list}: ${mailbox.address}`);
    }
  }
});

test('access "key" leaves no try-out', async () => {
  const home = await newNamespace();
  isProblem(
    await make(home, { local_part: 'ada', behavior: HELLO, access: 'key', try_out: true }),
    'validation_error',
    '/try_out',
  );
  const mailbox = await newMailbox(home);
  assert.equal(mailbox.try_out, true);
  const keyed = await change(home.key, mailbox.address, { access: 'key' });
  assert.equal(keyed.access, 'key');
  assert.equal(keyed.try_out, false);
  isProblem(
    await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { try_out: true } }),
    'validation_error',
    '/try_out',
  );
});

test('a mailbox changes field by field', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { display_name: 'Ada', description: 'Old.' });
  const changed = await change(home.key, mailbox.address, { description: 'New.', visibility: 'unlisted' });
  assert.equal(changed.description, 'New.');
  assert.equal(changed.visibility, 'unlisted');
  assert.equal(changed.display_name, 'Ada');
  assert.equal(changed.created_at, mailbox.created_at);
  assert.ok(changed.updated_at >= mailbox.updated_at);
  assert.deepEqual((await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key })).body, changed);
});

test('settings are replaced whole, and change the next answer', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, {
    behavior: {
      name: 'hello',
      settings: { name: 'Ada', introduction: 'Old words.', links: [{ label: 'Home', url: 'https://example.org/' }] },
    },
  });
  const settings = { name: 'Ada', introduction: 'New words.' };
  const changed = await change(home.key, mailbox.address, { behavior: { settings } });
  assert.deepEqual(changed.behavior, { name: 'hello', settings });
  const answer = await send(home.key, { to: mailbox.address, body: 'Who are you?', sync: true });
  assert.match(answer.body.reply?.body ?? '', /New words\./);
  assert.doesNotMatch(answer.body.reply?.body ?? '', /Old words|example\.org/);
});

test('a behavior that is chosen again by its name has its settings again, in the export meanwhile', async () => {
  const home = await newNamespace();
  const settings = { time_zone: 'Europe/Berlin', approval: ['calculate'] };
  const { address } = await newMailbox(home, { behavior: { name: 'do', settings } });
  const asked = (await send(home.key, { to: address, body: 'Calculate 6 * 7', sync: true })).body;
  assert.equal(asked.waiting_for, 'approval');
  const put = async (behavior: object) => (await change(home.key, address, { behavior })).behavior;
  const kept = async () => {
    const { text } = await api('GET', `/namespaces/${home.name}/export`, { key: home.key });
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'mailbox').kept_settings;
  };
  assert.equal(await kept(), undefined);
  assert.deepEqual(await put(HELLO), HELLO);
  assert.deepEqual(await kept(), { do: settings });
  const early = isProblem(await api('POST', `/mail/messages/${asked.id}/approve`, { key: home.key }), 'not_waiting');
  assert.match(early.detail, /Change it back to approve the plan, or refuse it/);
  assert.deepEqual(await put({ name: 'do' }), { name: 'do', settings });
  assert.deepEqual(await kept(), { hello: HELLO.settings });
  assert.equal((await api('POST', `/mail/messages/${asked.id}/approve`, { key: home.key })).status, 200);
  assert.match((await read(home.key, asked.id, '?wait=60')).body.reply?.body ?? '', /42/);
  assert.deepEqual(await put({ name: 'hello', settings: { name: 'Bob' } }), {
    name: 'hello',
    settings: { name: 'Bob' },
  });
  assert.deepEqual(await put({ name: 'do', settings: {} }), { name: 'do', settings: {} }, 'replaced whole');
  assert.deepEqual(await put({ name: 'proofread' }), { name: 'proofread', settings: {} }, 'the first time');
});

test('a wrong change is refused and changes nothing', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/mailboxes/${mailbox.address}`;
  const wrong: [string, unknown][] = [
    ['/status', { status: 'offline' }],
    ['/status', { status: 'Paused' }],
    ['/visibility', { visibility: null }],
    ['/local_part', { local_part: 'other' }],
    ['/address', { address: 'x', description: 'y' }],
    ['/behavior/settings/introduction', { behavior: { name: 'hello', settings: { name: 'A', introduction: [] } } }],
    ['/behavior/settings/dialect', { behavior: { name: 'proofread', settings: { dialect: 'x' } } }],
  ];
  for (const [pointer, body] of wrong) {
    isProblem(await api('PATCH', path, { key: home.key, body }), 'validation_error', pointer);
  }
  assert.deepEqual((await api('GET', path, { key: home.key })).body, mailbox);
});

test('only keys with mailboxes:write of its namespace change or delete a mailbox', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/mailboxes/${mailbox.address}`;
  const weak = await newKey(home, { scopes: ['messages:read', 'mail:send', 'keys:write', 'auth:assert'] });
  for (const [method, body] of [
    ['PATCH', { description: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    isProblem(await api(method, path, { body }), 'missing_key');
    isProblem(await api(method, path, { key: weak.secret, body }), 'insufficient_scope');
    isOneOf(await api(method, path, { key: stranger.key, body }), 'access_denied', 'insufficient_scope');
  }
  isOneOf(
    await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: stranger.key,
      body: { local_part: 'squat', behavior: HELLO },
    }),
    'access_denied',
    'insufficient_scope',
  );
  isProblem(
    await api('POST', '/namespaces/never-was/mailboxes', { key: home.key, body: { local_part: 'a', behavior: HELLO } }),
    'namespace_not_found',
  );
  assert.deepEqual((await api('GET', path, { key: home.key })).body, mailbox);
});

test('a paused mailbox holds what it gets and answers when it is resumed', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  assert.equal(mailbox.status, 'paused');
  const sent = await Promise.all([1, 2, 3].map((n) => send(home.key, { to: mailbox.address, body: `Held ${n}` })));
  for (const answer of sent) {
    assert.equal(answer.status, 202, answer.text);
    const now = await read(home.key, answer.body.id);
    assert.equal(now.body.status, 'submitted');
    assert.equal(now.body.reply, null);
    assert.equal(now.body.settled_at, null);
  }
  assert.equal((await change(home.key, mailbox.address, { status: 'online' })).status, 'online');
  for (const answer of sent) {
    const settled = await read(home.key, answer.body.id, '?wait=20');
    assert.equal(settled.body.status, 'completed', settled.text);
    assert.match(settled.body.reply?.body ?? '', /I write programs/);
  }
});

test('a paused mailbox answers sync sends and try-outs at once with 202, held', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home);
  const began = performance.now();
  const sent = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }, { prefer: 'wait=20' });
  const tried = await tryOut({ to: mailbox.address, body: 'Hi' });
  await assertSoon(performance.now() - began, 5_000, 'what does not wait');
  for (const answer of [sent, tried]) {
    assert.equal(answer.status, 202, answer.text);
    assert.equal(answer.body.status, 'submitted');
    assert.equal(answer.body.reply, null);
    assert.equal(answer.headers.get('location'), `/api/v1/mail/messages/${answer.body.id}`);
  }
  await change(home.key, mailbox.address, { status: 'online' });
  assert.equal((await read(home.key, sent.body.id, '?wait=20')).body.status, 'completed');
  assert.equal((await read(home.key, tried.body.id, '?wait=20')).body.status, 'completed');
});

test('a deleted mailbox is gone for everyone', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const sent = await send(home.key, { to: mailbox.address, body: 'Hi', sync: true });
  const deleted = await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key });
  assert.equal(deleted.status, 204, deleted.text);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_gone');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
  isProblem(await send(home.key, { to: mailbox.address, body: 'Hi' }), 'mailbox_gone');
  isProblem(await send(home.key, { to: mailbox.address, body: 'Hi', sync: true }), 'mailbox_gone');
  isProblem(await tryOut({ to: mailbox.address, body: 'Hi' }), 'mailbox_gone');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}/messages`, { key: home.key }), 'mailbox_gone');
  isProblem(
    await api('PATCH', `/mailboxes/${mailbox.address}`, { key: home.key, body: { status: 'paused' } }),
    'mailbox_gone',
  );
  isProblem(await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
  isProblem(await read(home.key, sent.body.id), 'message_not_found');
  assert.deepEqual(await all(`/namespaces/${home.name}/mailboxes`, home.key), []);
  assert.deepEqual(await all(`/mailboxes?namespace=${home.name}`), []);
});

test('a deleted mailbox with access "key" stays unknown to strangers', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { access: 'key' });
  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`), 'mailbox_not_found');
  isProblem(await api('GET', `/mailboxes/${mailbox.address}`, { key: home.key }), 'mailbox_gone');
});

test('its owner makes a deleted mailbox anew, empty', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const first = await newMailbox(home, { local_part: 'ada', description: 'The first.' });
  const bound = await newKey(home, { scopes: ['mail:send', 'messages:read'], mailbox: first.address });
  await send(stranger.key, { to: first.address, body: 'For the first', sync: true });
  const old = await send(home.key, { to: first.address, body: 'Also the first', sync: true });
  assert.equal((await api('DELETE', `/mailboxes/${first.address}`, { key: home.key })).status, 204);
  const second = await newMailbox(home, { local_part: 'ada' });
  assert.equal(second.address, first.address);
  assert.notEqual(second.id, first.id);
  assert.equal(second.description === 'The first.', false);
  assert.equal((await api('GET', `/mailboxes/${second.address}`)).status, 200);
  assert.deepEqual(await all(`/mailboxes/${second.address}/messages`, home.key), []);
  isProblem(await read(home.key, old.body.id), 'message_not_found');
  const byBound = await send(bound.secret, { to: second.address, body: 'With the key of the first' });
  assert.ok([401, 403, 404, 410].includes(byBound.status), `a key of the first opens the second: ${byBound.text}`);
  const seen = await api<Page<Envelope>>('GET', `/mailboxes/${second.address}/messages`, { key: bound.secret });
  assert.ok([401, 403, 404, 410].includes(seen.status), `a key of the first reads the second: ${seen.text}`);
  assert.equal((await send(home.key, { to: second.address, body: 'Hi', sync: true })).status, 200);
});

test('what a deleted mailbox held is never answered', async () => {
  const home = await newNamespace();
  const mailbox = await newPaused(home, { local_part: 'ada' });
  const held = await send(home.key, { to: mailbox.address, body: 'Held' });
  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  await newMailbox(home, { local_part: 'ada' });
  isProblem(await read(home.key, held.body.id), 'message_not_found');
});

test('what a mailbox received is listed newest first, to keys that may read it', async () => {
  const home = await newNamespace();
  const stranger = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/mailboxes/${mailbox.address}/messages`;
  const sent: string[] = [];
  for (const body of ['One', 'Two', 'Three']) {
    sent.push((await send(stranger.key, { to: mailbox.address, body, sync: true })).body.id);
  }
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const got = await api<Page<Envelope>>('GET', path, { key: reader.secret });
  assert.equal(got.status, 200, got.text);
  assert.deepEqual(
    got.body.items.map((item) => item.id),
    sent.reverse(),
  );
  assert.equal(got.body.next_cursor, null);
  assert.equal(got.body.items[0]?.reply?.in_reply_to, got.body.items[0]?.id);
  const weak = await newKey(home, { scopes: ['mail:send', 'mailboxes:write', 'keys:write'] });
  isProblem(await api('GET', path), 'missing_key');
  isProblem(await api('GET', path, { key: weak.secret }), 'insufficient_scope');
  isOneOf(await api('GET', path, { key: stranger.key }), 'access_denied', 'insufficient_scope', 'mailbox_not_found');
});

test('what a mailbox received is narrowed by status, time and text', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/mailboxes/${mailbox.address}/messages`;
  const early = await send(home.key, { to: mailbox.address, body: 'A zebra, early', sync: true });
  const late = await send(home.key, { to: mailbox.address, body: 'An okapi, late', subject: 'Stripes', sync: true });
  await change(home.key, mailbox.address, { status: 'paused' });
  const held = await send(home.key, { to: mailbox.address, body: 'A tapir, held' });
  const ids = async (query: string) =>
    (await all<Envelope>(`${path}?${query}`, home.key)).map((item) => item.id).sort();
  assert.deepEqual(await ids('status=completed'), [early.body.id, late.body.id].sort());
  assert.deepEqual(await ids('status=submitted'), [held.body.id]);
  assert.deepEqual(await ids('status=canceled'), []);
  assert.deepEqual(await ids('query=zebra'), [early.body.id]);
  assert.deepEqual(await ids('query=OKAPI'), [late.body.id]);
  assert.deepEqual(await ids('query=100%25'), []);
  assert.deepEqual(await ids('query=_'), []);
  assert.deepEqual(await ids('query=tapir&status=completed'), []);
  assert.deepEqual(await ids(`since=${encodeURIComponent(held.body.created_at)}`), [held.body.id]);
  assert.equal((await ids(`since=${encodeURIComponent(early.body.created_at)}`)).length, 3);
  assert.deepEqual(await ids('since=2999-01-01T00:00:00Z'), []);
});

test('a wrong filter is a problem at its name', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const path = `/mailboxes/${mailbox.address}/messages`;
  for (const [pointer, query] of [
    ['/status', 'status=done'],
    ['/since', 'since=yesterday'],
    ['/limit', 'limit=0'],
    ['/cursor', 'cursor=garbage'],
  ]) {
    isProblem(await api('GET', `${path}?${query}`, { key: home.key }), 'validation_error', pointer);
  }
});

test('a mailbox whose behavior this build does not have rejects every message', async () => {
  const folder = newFolder();
  // Assistants need a model.
  const model = { MODEL_BASE_URL: 'http://127.0.0.1:9', MODEL_NAME: 'none' };
  let address = '';
  {
    await using before = await serveInside({ folder, env: model });
    const { newMailbox } = connect(before.url);
    const home = { id: '', name: 'agents', key: before.ownerKey, keyId: '' };
    const behavior = { name: 'assistant', settings: { instructions: 'Help.' } };
    ({ address } = await newMailbox(home, { behavior, try_out: true }));
  }
  await using service = await serveInside({ folder });
  const { send, read, tryOut } = connect(service.url);
  const { ownerKey } = service;
  const answer = await send(ownerKey, { to: address, body: 'Do it', sync: true });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.status, 'rejected');
  assert.equal(answer.body.error?.code, 'behavior_unavailable');
  assert.notEqual(answer.body.error?.message, '');
  assert.equal(answer.body.reply, null);
  assert.match(answer.body.settled_at ?? '', TIME);
  const later = await send(ownerKey, { to: address, body: unique() });
  assert.equal(later.status, 202);
  const settled = await read(ownerKey, later.body.id, '?wait=20');
  assert.equal(settled.body.error?.code, 'behavior_unavailable');
  const tried = await tryOut({ to: address, body: 'Do it' });
  assert.equal(tried.body.status, 'rejected', tried.text);
  removeFolder(folder);
});
