import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newAuth, newService } from '../../../../tests/harness/auth.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import { addDomain, claimFor } from '../../../../tests/harness/domains.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';

const threads = await openConsole();
const { client } = threads;
const { api, newNamespace, newMailbox, newKey, send } = client;

const CANARY = unique('canary');
const home = await newNamespace({ display_name: 'Victim' });
const mailbox = await newMailbox(home, { local_part: `${CANARY}box`, access: 'key' });
const auth = await newAuth(client, home);
const shop = await newService(client, home, auth, { name: `${CANARY}shop` });
const key = await newKey(home, { scopes: ['mail:send'], name: `${CANARY}key` });
const { id, thread_id } = (await send(home.key, { to: mailbox.address, body: CANARY, sync: true })).body;
const { body: draft } = await api<{ readonly id: string }>('POST', '/mail/drafts', {
  key: home.key,
  body: { from: mailbox.address, to: mailbox.address, body: CANARY },
});
const victim = threads.visitor();
await victim.signIn(home.key);
const [session] = await threads.store.states.of('session', home.id, Date.now());
assert.ok(session !== undefined);
const other = await newNamespace();
const DOMAIN = `${CANARY}.example.com`;
const ownMailbox = await newMailbox(other, { local_part: 'own' });
await claimFor(home, ownMailbox.id, threads.store);
await addDomain(client, home, DOMAIN);
await newAuth(client, other);

const held = await newMailbox(home, { outgoing: { review: 'always' } });
await send(key.secret, { from: held.address, to: mailbox.address, body: 'Held' });
const { body: waiting } = await api<{ items: { id: string; hash: string }[] }>('GET', '/mail/reviews', {
  key: home.key,
});
const [review] = waiting.items;
assert.ok(review !== undefined);

/** Every form of the console, with what it would change of the victim's. */
const { body: hook } = await api<{ id: string }>('POST', '/webhooks', {
  key: home.key,
  body: { url: 'https://hook.example/' },
});
assert.match(hook.id, /^[a-z]+_/);
const FORMS: Readonly<Record<string, readonly (readonly [path: string, fields: Record<string, string>])[]>> = {
  '/console/keys': [
    ['/console/keys', { do: 'revoke', id: key.id }],
    ['/console/keys', { do: 'make', scope: 'owner', name: 'Taken', mailbox: mailbox.local_part }],
  ],
  '/console/messages/{id}': [
    [`/console/messages/${id}`, { do: 'cancel' }],
    [`/console/messages/${id}`, { do: 'again' }],
    [`/console/messages/${id}`, { do: 'delete' }],
    [`/console/messages/${id}`, { do: 'approve', plan_sha256: '' }],
  ],
  '/console/answers/{id}': [
    [`/console/answers/${id}`, { do: 'completed', body: 'Taken' }],
    [`/console/answers/${id}`, { do: 'rejected', reason: 'Taken' }],
  ],
  '/console/conversations/{id}': [
    [`/console/conversations/${id}`, { state: 'done' }],
    [`/console/conversations/${id}`, { assignee: '' }],
    [`/console/conversations/${id}`, { do: 'note', note: 'Taken' }],
  ],
  '/console/threads/{id}': [
    [`/console/threads/${id}`, { do: 'take-over' }],
    [`/console/threads/${id}`, { do: 'hand-back' }],
  ],
  '/console/senders/{id}': [
    [`/console/senders/${id}`, { do: 'block' }],
    [`/console/senders/${id}`, { do: 'allow' }],
  ],
  '/console/webhooks': [['/console/webhooks', { url: 'https://taken.example/' }]],
  '/console/webhooks/{id}': ['save', 'off', 'test', 'replay', 'rotate', 'remove'].map((what) => [
    `/console/webhooks/${hook.id}`,
    { do: what, url: 'https://taken.example/' },
  ]),
  '/console/domains': [['/console/domains', { do: 'add', domain: 'taken.example.com' }]],
  '/console/domains/{domain}': ['verify', 'remove'].map((what) => [`/console/domains/${DOMAIN}`, { do: what }]),
  '/console/labels/{id}': [
    [`/console/labels/${id}`, { label: 'taken' }],
    [`/console/labels/${id}`, { do: 'unread' }],
    [`/console/labels/${id}`, { do: 'done' }],
    [`/console/labels/${id}`, { do: 'inbox' }],
  ],
  '/console/batch': [
    ['/console/batch', { do: 'trash', id }],
    ['/console/batch', { do: 'label', label: 'taken', id }],
    ['/console/batch', { assignee: '', id }],
    ['/console/batch', { until: new Date(Date.now() + 3_600_000).toISOString(), id }],
  ],
  '/console/undo': [
    ['/console/undo', { undo: `done:${id}` }],
    ['/console/undo', { undo: `restore:${id}` }],
    ['/console/undo', { undo: draft.id }],
    ['/console/undo', { undo: `held:${id}` }],
  ],
  '/console/forward/{id}': [[`/console/forward/${id}`, { do: 'forward', to: mailbox.address, body: 'Taken' }]],
  '/console/drafts': [['/console/drafts', { do: 'delete', id: draft.id }]],
  '/console/write': [
    ['/console/write', { do: 'save', from: mailbox.local_part, to: mailbox.address, body: 'Taken', draft: draft.id }],
    ['/console/write', { do: 'send', from: mailbox.local_part, to: mailbox.address, body: 'Taken' }],
  ],
  '/console/settings': [
    ['/console/settings', { do: 'delete', typed: home.name }],
    ['/console/settings', { do: 'end', session: session.id }],
    ['/console/settings', { display_name: 'Taken' }],
  ],
  '/console/export': [['/console/export', {}]],
  '/console/log': [['/console/log', {}]],
  '/console/members': [
    ['/console/members', { do: 'invite', address: 'taken@evil.example', role: 'owner' }],
    ['/console/members', { do: 'withdraw', id: home.keyId }],
    ['/console/members', { do: 'change', id: home.keyId, role: 'reader' }],
    ['/console/members', { do: 'remove', id: home.keyId }],
    ['/console/members', { do: 'claim', account: home.keyId }],
  ],
  '/console/notices': [['/console/notices', { mail_minutes: 'never' }]],
  '/console/addresses/new': [['/console/addresses/new', { local_part: 'taken', behavior: 'hello' }]],
  '/console/addresses/{local}': [
    [`/console/addresses/${mailbox.local_part}`, { do: 'delete', typed: mailbox.address }],
    [`/console/addresses/${mailbox.local_part}`, { do: 'pause' }],
  ],
  '/console/preview/{local}': [[`/console/preview/${mailbox.local_part}`, { example: 'Hi' }]],
  '/console/procedures/{local}': [[`/console/procedures/${mailbox.local_part}`, { do: 'save', name: 'taken' }]],
  // Only `do` and `assistant` use tools of others; any other address has no such page.
  '/console/outside/{local}': [
    [`/console/outside/${mailbox.local_part}`, { do: 'save', name: 'taken', url: 'https://evil.example/' }],
  ],
  '/console/reviews': ['approve', 'reject', 'save'].map((what) => [
    `/console/reviews?open=${review.id}`,
    { do: what, hash: review.hash, body: 'Taken' },
  ]),
  '/console/outgoing/{local}': [
    [
      `/console/outgoing/${mailbox.local_part}`,
      { do: 'save', review: 'never', expires_hours: '24', on_expiry: 'discard' },
    ],
  ],
  '/console/rules/{local}': [
    [`/console/rules/${mailbox.local_part}`, { do: 'save', id: 'taken', add_labels: 'taken' }],
    [`/console/rules/${mailbox.local_part}`, { do: 'try', id: 'taken', add_labels: 'taken' }],
  ],
  '/console/clients/{local}': [
    [`/console/clients/auth`, { do: 'remove', id: shop.id }],
    [`/console/clients/auth`, { do: 'secret', id: shop.id }],
    [`/console/clients/auth`, { do: 'save', id: shop.id, name: 'Taken', redirect_uris: 'https://evil.example/' }],
  ],
  '/console/services/{local}': [[`/console/services/${mailbox.local_part}`, { issuer: home.name, client_id: shop.id }]],
  '/console/usage/{local}': [[`/console/usage/${mailbox.local_part}`, { do: 'save', tokens_per_day: '1' }]],
  '/console/markdown': [['/console/markdown', { body: 'Taken' }]],
  '/console/sign-out': [['/console/sign-out', { everywhere: 'yes' }]],
};
const SHOWS = [
  `/console/messages/${id}`,
  `/console/texts/${id}`,
  `/console/texts/${id}?of=reply`,
  `/console/html/${id}`,
  `/console/originals/${id}`,
  `/console?undo=done:${id}`,
  `/console/write?reply=${id}`,
  `/console?message=${id}`,
  `/console?mailbox=${mailbox.local_part}`,
  `/console?q=${CANARY.slice(0, 6)}`,
  '/console/drafts',
  '/console/log',
  `/console/write?draft=${draft.id}`,
  `/console/addresses/${mailbox.local_part}`,
  `/console/procedures/${mailbox.local_part}`,
  `/console/rules/${mailbox.local_part}`,
  `/console/outgoing/${mailbox.local_part}`,
  `/console/reviews?open=${review.id}`,
  `/console/reviews?all=${mailbox.local_part}`,
  `/console/clients/auth?edit=${shop.id}`,
  `/console/services/${mailbox.local_part}`,
  `/console/keys?revoke=${key.id}`,
  '/console/activity',
  '/console/owners',
  '/console/members',
  '/console/domains',
  `/console/domains/${DOMAIN}`,
  '/console/settings',
];

/** Everything of the victim's that a form could change. */
async function everything(): Promise<readonly string[]> {
  const paths = [
    `/namespaces/${home.name}`,
    `/namespaces/${home.name}/mailboxes`,
    `/mailboxes/${mailbox.address}`,
    `/mailboxes/${mailbox.address}/messages`,
    '/mail/drafts',
    '/mail/reviews',
    `/mailboxes/${mailbox.address}/services`,
    `/mailboxes/${auth.address}/clients`,
    '/keys',
    '/webhooks',
    `/namespaces/${home.name}/domains`,
    `/namespaces/${home.name}/members`,
  ];
  const answers = await Promise.all(paths.map((path) => api('GET', path, { key: home.key })));
  const sessions = await threads.store.states.of('session', home.id, Date.now());
  const open = sessions.some((one) => one.id === session?.id);
  return [...answers.map(({ text }) => text.replace(/"last_used_at":("[^"]*"|null)/g, '')), String(open)];
}

async function tokenOf(visitor: Visitor): Promise<string> {
  const [, token = ''] = /name="csrf" value="([^"]+)"/.exec((await visitor.get('/console/settings')).html) ?? [];
  assert.notEqual(token, '');
  return token;
}
/** Whether the page contains the canary other than in the value that was sent, which a form shows again. */
const leaks = (html: string, sent: string): boolean => html.replaceAll(sent, '').includes(CANARY);

test('every form of the console is tried', () => {
  const folder = join(import.meta.dirname, '../../transports/web/console');
  const source = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const forms = source.flatMap((text) => [
    ...[...text.matchAll(/signedForm\(\s*'([^']+)'/g)].map(([, path]) => String(path)),
    ...[...text.matchAll(/mailboxPages\(context, parts, \{\s*name: '([^']+)'/g)].map(
      ([, name]) => `/console/${name}/{local}`,
    ),
  ]);
  assert.deepEqual(Object.keys(FORMS).sort(), forms.sort());
  // Signing in has no session yet, and `signedForm` itself is the helper that all others use.
  const posts = source.flatMap((text) =>
    [...text.matchAll(/pageRoute\('POST', ([^,]+), /g)].map(([, path]) => String(path)),
  );
  assert.deepEqual(posts.sort(), ["'/console'", "'/console/enter'", "'/console/invitations/{token}'", 'path']);
});

test('a form without this session’s token, or of another site, does nothing', async () => {
  const stranger = threads.visitor();
  await stranger.signIn(other.key);
  const [mine, theirs] = [await tokenOf(victim), await tokenOf(stranger)];
  const stateBefore = await everything();
  const cross = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const same = { origin: 'null', 'sec-fetch-site': 'same-site' };
  for (const [nth, [path, fields]] of Object.values(FORMS).flat().entries()) {
    const ways = [
      () => victim.post(path, fields),
      () => victim.post(path, { ...fields, csrf: theirs }),
      () => victim.post(path, { ...fields, csrf: mine }, cross),
      () => victim.post(path, { ...fields, csrf: mine }, same),
      () => threads.visitor().post(path, { ...fields, csrf: mine }),
    ];
    for (const way of everyNth(ways, 5, nth)) {
      const { status, html } = await way();
      assert.equal(status, 403, path);
      assert.ok(!leaks(html, ''), path);
    }
  }
  assert.deepEqual(await everything(), stateBefore);
});

test('an owner of another name sees and changes nothing of this one by its ids', async () => {
  const stranger = threads.visitor();
  const stateBefore = await everything();
  for (const [path, fields] of Object.values(FORMS).flat()) {
    if (path === '/console/sign-out') continue;
    await stranger.signIn(other.key);
    const { status, html } = await stranger.post(path, { ...fields, csrf: await tokenOf(stranger) });
    assert.ok(status < 500, path);
    assert.ok(!leaks(html, mailbox.local_part), `${path} ${html.slice(0, 2_000)}`);
  }
  await stranger.signIn(other.key);
  for (const path of SHOWS) {
    const { status, html } = await stranger.get(path);
    assert.ok(status < 500, path);
    assert.ok(!leaks(html, path.includes(mailbox.local_part) ? mailbox.local_part : CANARY.slice(0, 6)), path);
  }
  assert.deepEqual(await everything(), stateBefore);
});

test('the stream of one console tells nothing of another', async () => {
  const stranger = threads.visitor();
  await stranger.signIn(other.key);
  const { items } = (await api<{ items: { id: string }[] }>('GET', '/events', { key: home.key })).body;
  const after = items[0]?.id ?? '';
  const cookie = stranger.cookie;
  const stream = await openStream(`${threads.url}/console/live?after=${after}&mailbox=${mailbox.local_part}`, {
    cookie,
  });
  await send(home.key, { to: mailbox.address, body: CANARY });
  const { body } = await send(other.key, { to: ownMailbox.address, body: 'Told' });
  while (!stream.text().includes(body.id)) await new Promise((resolve) => setTimeout(resolve, 5));
  stream.close();
  // The links of each row contain the filter that was requested.
  assert.ok(!leaks(stream.text(), mailbox.local_part) && !stream.text().includes(thread_id), stream.text());
});

test('a session that was planted is not gone on with, and a weaker key opens none', async () => {
  const visitor = threads.visitor();
  visitor.cookie = 'mr_session=planted.planted';
  await visitor.signIn(home.key);
  assert.doesNotMatch(visitor.cookie, /planted/);
  const first = visitor.cookie;
  await visitor.signIn(home.key);
  assert.notEqual(visitor.cookie, first, 'each sign-in has an id of its own');
  const before = threads.visitor();
  before.cookie = first;
  assert.equal((await before.get('/console/settings')).status, 403, 'the one before has ended');
  const bound = await newKey(home, { scopes: ['owner'], mailbox: mailbox.address });
  const all = await newKey(home, {
    scopes: ['mail:send', 'messages:read', 'mailboxes:write', 'keys:write', 'auth:assert'],
  });
  for (const { secret } of [bound, all, key]) {
    const refused = threads.visitor();
    assert.equal((await refused.signIn(secret)).status, 403);
    assert.equal(refused.cookie, '');
  }
});

test('ids of another namespace under an address of one’s own lead nowhere', async () => {
  const theirs = `/mailboxes/auth@${other.name}.mailroom.localhost`;
  const asks = [
    ['GET', `${theirs}/clients/${shop.id}`],
    ['PATCH', `${theirs}/clients/${shop.id}`, { name: 'Taken' }],
    ['POST', `${theirs}/clients/${shop.id}/secret`],
    ['DELETE', `${theirs}/clients/${shop.id}`],
    ['DELETE', `${theirs}/registration-tokens/${shop.id}`],
    ['DELETE', `${theirs}/services/${shop.id}`],
    ['POST', '/keys', { scopes: ['owner'], mailbox: mailbox.address }],
    ['POST', '/mail/send', { to: ownMailbox.address, body: 'Hi', thread_id }],
    ['POST', '/mail/send', { to: ownMailbox.address, body: 'Hi', in_reply_to: id }],
    ['POST', '/mail/send', { to: ownMailbox.address, body: 'Hi', from: mailbox.address }],
    ['POST', '/mail/try', { to: ownMailbox.address, body: 'Hi', thread_id, thread_token: `mt_${thread_id.slice(4)}` }],
  ] as const;
  const stateBefore = await everything();
  for (const [method, path, body] of asks) {
    const answer = await api<Envelope>(method, path, { key: other.key, ...(body === undefined ? {} : { body }) });
    assert.ok([403, 404, 422].includes(answer.status), `${method} ${path} ${answer.status} ${answer.text}`);
    assert.ok(!answer.text.replaceAll(mailbox.address, '').includes(CANARY), answer.text);
  }
  assert.deepEqual(await everything(), stateBefore);
});
