import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, HELLO, PROOFREAD, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isOneOf, isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder, sharedService } from '../../../../tests/harness/service.ts';
import {
  type Envelope,
  idOf,
  MAIL_DOMAIN,
  MAILBOX_FIELDS,
  type Mailbox,
  type Page,
  TIME,
} from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, read, change, all } = connect(service.url);

const make = (home: { name: string; key: string }, body: unknown) =>
  api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });

test('a mailbox is made with what was asked for and shown whole', async () => {
  const home = await newNamespace();
  const created = await make(home, {
    local_part: 'Ada.L-1_x',
    display_name: 'Ada',
    description: 'Says who she is.',
    behavior: HELLO,
    visibility: 'unlisted',
    access: 'public',
    try_out: false,
  });
  assert.equal(created.status, 201, created.text);
  const { id, created_at, updated_at, ...rest } = created.body;
  assert.deepEqual(Object.keys(created.body).sort(), [...MAILBOX_FIELDS].sort());
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
    sign_answers: false,
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
  const created = await make(home, { local_part: 'a', behavior: PROOFREAD });
  assert.equal(created.status, 201, created.text);
  assert.equal(created.body.status, 'online');
  assert.equal(created.body.visibility, 'listed');
  assert.equal(created.body.access, 'public');
  assert.equal(created.body.try_out, true);
  assert.equal(created.body.display_name, null);
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
  const calculation = (await send(home.key, { to: address, body: 'Calculate 6 * 7', sync: true })).body;
  assert.equal(calculation.waiting_for, 'approval');
  const put = async (behavior: object) => (await change(home.key, address, { behavior })).behavior;
  const kept = async () => {
    const { text } = await api('GET', `/namespaces/${home.name}/export`, { key: home.key });
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'mailbox').kept_settings;
  };
  assert.equal(await kept(), undefined);
  assert.deepEqual(await put(HELLO), HELLO);
  assert.deepEqual(await kept(), { do: settings });
  const early = isProblem(
    await api('POST', `/mail/messages/${calculation.id}/approve`, { key: home.key }),
    'not_waiting',
  );
  assert.match(early.detail, /Change it back to approve the plan, or refuse it/);
  assert.deepEqual(await put({ name: 'do' }), { name: 'do', settings });
  assert.deepEqual(await kept(), { hello: HELLO.settings });
  assert.equal((await api('POST', `/mail/messages/${calculation.id}/approve`, { key: home.key })).status, 200);
  assert.match((await read(home.key, calculation.id, '?wait=60')).body.reply?.body ?? '', /42/);
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
