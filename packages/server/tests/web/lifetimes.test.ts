import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person } from '../../../../tests/harness/person.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Envelope, Key, KeyWithSecret, Page } from '../../../../tests/harness/wire.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const threads = await openPeopleService();
const { client, outbox } = threads;
const { api, newNamespace, newMailbox, newPaused, newKey, send, read } = client;
let now = Date.now();
const pass = (ms: number): void => {
  threads.pass(ms);
  now += ms;
};
/** A key of the namespace that expires in a minute. */
const brief = (home: Home, fields: object = { scopes: ['owner'] }): Promise<KeyWithSecret> =>
  newKey(home, { ...fields, expires_at: new Date(now + MINUTE).toISOString() });
const keysOf = async (home: Home): Promise<readonly Key[]> =>
  (await api<Page<Key>>('GET', '/keys', { key: home.key })).body.items;

async function atConsole(key: string): Promise<Person> {
  const person = new Person(threads.url);
  assert.equal((await person.post('/console', { key })).at, '/console');
  return person;
}

/** Signs this browser in to an account. */
async function withAccount(person: Person): Promise<void> {
  const address = `${unique('p')}@example.com`;
  const asked = await person.send(await person.get('/account/sign-in?other=1'), ['do', 'code'], { address });
  const { code } = await outbox.code(address);
  await person.send(asked, ['do', 'verify'], { code });
  assert.ok(person.cookies.has('mr_account'), [...person.cookies.keys()].join());
}

test('an owner key that expires makes nobody an owner, and leaves no key behind', async () => {
  const home = await newNamespace();
  const { secret } = await brief(home);
  const person = await atConsole(secret);
  await withAccount(person);
  const page = await person.get('/console/members');
  assert.doesNotMatch(page.html, /value="claim"/);
  assert.match(page.html, /a key that expires/);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  // The form for a key that does not expire.
  const lasting = await atConsole(home.key);
  for (const [name, value] of person.cookies) if (name !== 'mr_session') lasting.cookies.set(name, value);
  const account = /name="account" value="([^"]+)"/.exec((await lasting.get('/console/members')).html)?.[1] ?? '';
  assert.match(account, /^acc_/);
  const refused = await person.post('/console/members', { csrf, do: 'claim', account });
  assert.equal(refused.status, 422);
  assert.match(
    refused.html,
    /This key expires at [^,]+, and an owner would outlive it\. Use a key that does not expire\./,
  );
  assert.deepEqual(
    (await keysOf(home)).map(({ name }) => name?.startsWith('Sign-in of') ?? false),
    [false, false],
  );
  pass(MINUTE);
  assert.equal((await person.get('/console/enter', { 'sec-fetch-site': 'same-origin' })).at, '/console/enter');
  assert.equal((await person.get('/console/keys')).status, 403);
});

test('a session of the console ends with its key: pages, forms, list and stream', async () => {
  const home = await newNamespace();
  const { address } = await newPaused(home);
  const end = async (how: (key: KeyWithSecret) => Promise<unknown>): Promise<void> => {
    const key = await brief(home);
    const person = await atConsole(key.secret);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get('/console/settings')).html)?.[1] ?? '';
    const cookie = `mr_session=${person.cookies.get('mr_session')}`;
    const stream = await openStream(`${threads.url}/console/live`, { cookie });
    await send(home.key, { to: address, body: 'Told' });
    while (!stream.text().includes('event: row')) await new Promise((resolve) => setTimeout(resolve, 5));
    await how(key);
    const textBefore = stream.text();
    const { id } = (await send(home.key, { to: address, body: 'Not told' })).body;
    assert.equal((await person.get('/console/settings')).status, 403);
    const form = await person.post('/console/settings', { csrf, display_name: 'Taken' });
    assert.equal(form.status, 403);
    await stream.ended;
    assert.ok(!stream.text().slice(textBefore.length).includes(id), 'nothing is told after it');
    const left = await (await atConsole(home.key)).get('/console/settings');
    assert.doesNotMatch(left.html, /value="Taken"/);
  };
  await end(({ id }) => api('DELETE', `/keys/${id}`, { key: home.key }));
  await end(async () => pass(MINUTE));
  const sessions = await threads.store.states.of('session', home.id, now);
  const own = (await keysOf(home)).map(({ id }) => id);
  const alive = sessions.filter(({ value }) => own.includes((JSON.parse(value) as { key_id: string }).key_id));
  assert.equal(sessions.length, alive.length, 'none outlives its key in the list either');
});

test('streams and waits of the API end with their key, and tell nothing after it', async () => {
  const home = await newNamespace();
  const end = async (how: (key: KeyWithSecret) => Promise<unknown>): Promise<void> => {
    const { address } = await newPaused(home);
    const { id } = (await send(home.key, { to: address, body: 'Wait' })).body;
    const key = await brief(home, { scopes: ['messages:read'] });
    const authorization = `Bearer ${key.secret}`;
    const follow = await openStream(`${threads.url}/api/v1/mail/messages/${id}`, { authorization });
    const events = await openStream(`${threads.url}/api/v1/events`, { authorization });
    const waiting = read(key.secret, id, '?wait=30');
    // Before the message waits, the request itself would be refused.
    while (!follow.text().includes(id)) await new Promise((resolve) => setTimeout(resolve, 5));
    await how(key);
    const [replyText, eventText] = [follow.text(), events.text()];
    assert.equal((await api('POST', `/mail/messages/${id}/cancel`, { key: home.key })).status, 200);
    isProblem(await waiting, 'invalid_key');
    await Promise.all([follow.ended, events.ended]);
    assert.doesNotMatch(events.text().slice(eventText.length), /canceled/);
    assert.doesNotMatch(follow.text().slice(replyText.length), /canceled/);
  };
  await end(({ id }) => api('DELETE', `/keys/${id}`, { key: home.key }));
  await end(async () => pass(MINUTE));
});

test('what would outlast a key that expires it does not make', async () => {
  const home = await newNamespace();
  const auth = await newMailbox(home, { behavior: { name: 'auth' } });
  const agent = await newMailbox(home);
  const service = { name: 'Shop', redirect_uris: ['https://shop.example/callback'] };
  const registered = await api<{ id: string }>('POST', `/mailboxes/${auth.address}/clients`, {
    key: home.key,
    body: service,
  });
  assert.equal(registered.status, 201, registered.text);
  const key = (await brief(home, { scopes: ['mailboxes:write'] })).secret;
  const clients = `/mailboxes/${auth.address}/clients`;
  const allowance = { issuer: home.name, client_id: registered.body.id };
  const refused = [
    await api('POST', clients, { key, body: service }),
    await api('POST', `${clients}/${registered.body.id}/secret`, { key }),
    await api('PATCH', `${clients}/${registered.body.id}`, { key, body: { redirect_uris: ['https://evil.example/'] } }),
    await api('POST', `/mailboxes/${auth.address}/registration-tokens`, { key, body: {} }),
    await api('POST', `/mailboxes/${agent.address}/services`, { key, body: allowance }),
  ];
  for (const answer of refused) {
    isProblem(answer, 'access_denied');
    assert.match(answer.text, /would outlive it\. Use a key that does not expire\./);
  }
  const list = await api<Page<{ redirect_uris: string[] }>>('GET', clients, { key });
  assert.deepEqual(
    list.body.items.map(({ redirect_uris }) => redirect_uris),
    [service.redirect_uris],
  );
});

test('a key makes none that outlives it or can do more, whatever is asked of it', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home);
  const other = await newMailbox(home);
  const key = await brief(home, { scopes: ['keys:write', 'mail:send'], mailbox: address });
  const ask = (body: object) => api<KeyWithSecret>('POST', '/keys', { key: key.secret, body });
  const same = await ask({ scopes: ['mail:send'], mailbox: address });
  assert.equal(same.body.expires_at, key.expires_at, same.text);
  const later = new Date(now + DAY).toISOString();
  for (const body of [
    { scopes: ['mail:send'], mailbox: address, expires_at: later },
    { scopes: ['owner'], mailbox: address },
    { scopes: ['messages:read'], mailbox: address },
    { scopes: ['mail:send'] },
    { scopes: ['mail:send'], mailbox: other.address },
  ]) {
    isProblem(await ask(body), 'insufficient_scope');
  }
  pass(MINUTE);
  isProblem(await api('GET', '/me', { key: same.body.secret }), 'invalid_key');
});

test('a registration token works no longer than the key that made it', async () => {
  const home = await newNamespace();
  const auth = await newMailbox(home, { behavior: { name: 'auth' } });
  const maker = await newKey(home, { scopes: ['mailboxes:write'] });
  const path = `/mailboxes/${auth.address}/registration-tokens`;
  const token = await api<{ token: string }>('POST', path, { key: maker.secret, body: {} });
  assert.equal(token.status, 201, token.text);
  const register = async (): Promise<number> => {
    const answer = await fetch(`${threads.url}/oidc/${home.name}/reg`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.body.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Self', redirect_uris: ['https://self.example/callback'] }),
    });
    await answer.text();
    return answer.status;
  };
  assert.equal(await register(), 201);
  assert.equal((await api('DELETE', `/keys/${maker.id}`, { key: home.key })).status, 204);
  assert.equal(await register(), 401);
  assert.deepEqual((await api<Page<unknown>>('GET', path, { key: home.key })).body.items, []);
});

test('what is planned by a key ends with it', async () => {
  const home = await newNamespace();
  const planner = await newMailbox(home, { behavior: { name: 'do' } });
  const key = await newKey(home, { scopes: ['mail:send'] });
  const planned = await send(key.secret, { to: planner.address, body: 'every day at 9:00 say hi', sync: true });
  assert.equal(planned.body.status, 'completed', planned.text);
  const count = async (): Promise<number> =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${planner.address}/messages`, { key: home.key })).body.items.length;
  const countBefore = await count();
  await api('DELETE', `/keys/${key.id}`, { key: home.key });
  pass(2 * DAY);
  // The dispatcher checks for due schedules about every second; the owner's second schedule shows that it ran.
  const own = await send(home.key, { to: planner.address, body: 'in 1 minute say ho', sync: true });
  assert.equal(own.body.status, 'completed', own.text);
  pass(2 * MINUTE);
  const end = performance.now() + 20_000;
  while ((await count()) < countBefore + 2 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const left = (await api<Page<Envelope>>('GET', `/mailboxes/${planner.address}/messages`, { key: home.key })).body
    .items;
  assert.deepEqual(
    left.slice(0, 2).map(({ body }) => body),
    ['say ho', 'in 1 minute say ho'],
  );
});

test('a code that opens a session of weeks is not told to a key that expires', async () => {
  const home = await newNamespace();
  const agent = await newMailbox(home);
  const person = new Person(threads.url);
  await person.send(await person.get('/account/sign-in?other=1'), ['do', 'code'], { address: agent.address });
  const list = async () =>
    (await api<Page<Envelope>>('GET', `/mailboxes/${agent.address}/messages`, { key: home.key })).body.items;
  let [mail] = await list();
  while (mail === undefined) [mail] = await list();
  const CODE = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/;
  assert.doesNotMatch((await read((await brief(home)).secret, mail.id)).text, CODE);
  const lasting = await newKey(home, { scopes: ['messages:read', 'auth:assert'] });
  assert.match((await read(lasting.secret, mail.id)).text, CODE);
});
