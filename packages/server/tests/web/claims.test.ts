import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import type { Key, Page } from '../../../../tests/harness/wire.ts';

const HOUR = 3_600_000;
const threads = await openPeopleService();
const { client, outbox } = threads;
const { newNamespace, newMailbox, api, send } = client;
const newEmail = (): string => `${unique('p')}@example.com`;

/** A browser signed in to the console with the owner key. */
async function atConsole(home: Home): Promise<Person> {
  const person = new Person(threads.url);
  assert.equal((await person.post('/console', { key: home.key })).at, '/console');
  return person;
}

/** Types the address and the code from its mail, beginning on the account's sign-in page. */
async function prove(person: Person, page: Shown, address: string): Promise<Shown> {
  assert.ok(page.at.startsWith('/account/sign-in'), page.at);
  const asked = await person.send(page, ['do', 'code'], { address });
  const { code } = await outbox.code(address);
  return person.send(asked, ['do', 'verify'], { code });
}

/** Adds an address as an owner, beginning in the console. */
async function claimed(home: Home, address: string): Promise<Person> {
  const person = await atConsole(home);
  const page = await prove(person, await person.send(await person.get('/console/members'), ['do', 'sign-in']), address);
  assert.equal(page.at, '/console/members');
  const done = await person.send(page, ['do', 'claim']);
  assert.equal(done.at, '/console/members?done=claimed', done.html);
  return person;
}

/** Opens the console in another browser with the address and its code. */
async function entered(address: string): Promise<{ readonly person: Person; readonly page: Shown }> {
  const person = new Person(threads.url);
  const page = await prove(person, await person.post('/console/enter', {}), address);
  return { person, page };
}
/** Where the form of a member is. */
async function formOf(person: Person, address: string): Promise<string> {
  const { html } = await person.get('/console/members');
  const [, id] = new RegExp(`\\?change=(acc_\\w+)#change">Change<span class="sr"> ${address}`).exec(html) ?? [];
  return `/console/members?change=${id ?? assert.fail(html)}`;
}
const keysOf = async (home: Home, key = home.key): Promise<readonly Key[]> =>
  (await api<Page<Key>>('GET', '/keys', { key })).body.items;

test('a name that nobody owns says so, and leads to adding an address', async () => {
  const home = await newNamespace();
  const person = await atConsole(home);
  for (const path of ['keys', 'settings', 'members']) {
    const { html } = await person.get(`/console/${path}`);
    assert.match(html, /has no owner who can sign in\.<\/b> If you lose the owner key, you lose access to it\./, path);
    if (path !== 'members') assert.match(html, /href="members">Add your address or a passkey/);
  }
  await claimed(home, newEmail());
  for (const path of ['keys', 'settings', 'members'])
    assert.doesNotMatch((await person.get(`/console/${path}`)).html, /has no owner who can sign in/);
});

test('who proves an address in the console owns the name, and enters it from then on with a code', async () => {
  const home = await newNamespace();
  const address = newEmail();
  await claimed(home, address);
  const { person, page } = await entered(address);
  assert.equal(page.at, '/console/enter');
  const console_ = await person.send(page, ['name', home.name]);
  assert.equal(console_.at, '/console');
  assert.match(console_.html, new RegExp(`aria-label="${home.name}: inbox"`));
  const { html } = await person.get('/console/members');
  assert.ok(html.includes(`<span class="meta">${address}</span>`));
  assert.match(html, /<span class="tag answered">You<\/span>/);
});

test('the earlier page of owners leads to the members', async () => {
  const person = await atConsole(await newNamespace());
  assert.equal((await person.get('/console/owners')).at, '/console/members');
});

test('a browser’s own sign-in leads straight into the one name, a page of another site does not', async () => {
  const home = await newNamespace();
  const address = newEmail();
  const person = await claimed(home, address);
  person.cookies.delete('mr_session');
  const cross = await person.get('/console/enter', { 'sec-fetch-site': 'cross-site' });
  assert.equal(cross.at, '/console/enter');
  assert.ok(!person.cookies.has('mr_session'));
  assert.equal((await person.get('/console/enter', { 'sec-fetch-site': 'same-origin' })).at, '/console');
  assert.ok(person.cookies.has('mr_session'));
  person.cookies.delete('mr_session');
  assert.equal((await person.post('/console/enter', {})).at, '/console');
  assert.ok(person.cookies.has('mr_session'));
});

test('who owns several names chooses; who owns none is told so', async () => {
  const [first, second] = [await newNamespace(), await newNamespace()];
  const address = newEmail();
  for (const home of [first, second]) await claimed(home, address);
  const { person, page } = await entered(address);
  for (const { name } of [first, second]) assert.ok(page.html.includes(`name="name" value="${name}"`));
  const opened = await person.send(page, ['name', second.name]);
  assert.match(opened.html, new RegExp(`aria-label="${second.name}: inbox"`));
  const stranger = await entered(newEmail());
  assert.match(stranger.page.html, /This account is no member of a name\./);
  const forced = await stranger.person.post('/console/enter', { name: first.name });
  assert.equal(forced.at, '/console/enter');
  assert.ok(!stranger.person.cookies.has('mr_session'));
});

test('with the owner key lost, the owner makes a new one', async () => {
  const home = await newNamespace();
  const address = newEmail();
  await claimed(home, address);
  assert.equal((await api('DELETE', `/keys/${home.keyId}`, { key: home.key })).status, 204);
  const { person, page } = await entered(address);
  await person.send(page, ['name', home.name]);
  const made = await person.send(await person.get('/console/keys'), ['do', 'make'], { name: 'New', scope: 'owner' });
  const secret = /mr_live_[0-9A-Za-z]{46}/.exec(made.html)?.[0] ?? '';
  assert.equal((await api('GET', '/me', { key: secret })).status, 200);
  assert.ok((await atConsole({ ...home, key: secret })).cookies.has('mr_session'));
});

test('a removed owner is signed out at once and does not come back; the last way in is not closed without a warning', async () => {
  const home = await newNamespace();
  const [ada, bob] = [newEmail(), newEmail()];
  await claimed(home, ada);
  const owner = await claimed(home, bob);
  const { person, page } = await entered(ada);
  await person.send(page, ['name', home.name]);
  const asked = await owner.get(await formOf(owner, ada));
  assert.doesNotMatch(asked.html, /last way to sign in/);
  assert.equal((await owner.send(asked, ['do', 'remove'])).at, '/console/members?done=removed');
  assert.equal((await person.get('/console/keys')).status, 403);
  assert.match((await entered(ada)).page.html, /This account is no member of a name\./);
  const last = (await keysOf(home)).find(({ name }) => name === `Sign-in of ${bob}`);
  await api('DELETE', `/keys/${home.keyId}`, { key: home.key });
  const again = await entered(bob);
  await again.person.send(again.page, ['name', home.name]);
  for (const path of [await formOf(again.person, bob), `/console/keys?revoke=${last?.id}`]) {
    const warned = await again.person.get(path);
    assert.match(warned.html, /(This is the last way to sign in|It is your last owner key)\.<\/b>/);
  }
});

test('a mailbox of the name itself does not come to own it; one elsewhere loses it with the mailbox', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const mailbox = await newMailbox(home);
  const elsewhere = await newMailbox(other);
  const person = await atConsole(home);
  const hosted = async (page: Shown, of: Home, address: string): Promise<Shown> => {
    const asked = await person.send(page, ['do', 'code'], { address });
    return person.send(asked, ['do', 'verify'], { code: await codeAt(of, address) });
  };
  const start = async () => person.send(await person.get('/console/members'), ['do', 'sign-in']);
  const refused = await person.send(await hosted(await start(), home, mailbox.address), ['do', 'claim']);
  assert.equal(refused.status, 422);
  assert.match(refused.html, /cannot own it/);
  const done = await person.send(await hosted(await start(), other, elsewhere.address), ['do', 'claim']);
  assert.equal(done.at, '/console/members?done=claimed');
  assert.equal((await api('DELETE', `/mailboxes/${elsewhere.address}`, { key: other.key })).status, 204);
  assert.equal((await person.get('/console/settings')).status, 403, 'it is signed out with its mailbox');
  assert.match((await (await atConsole(home)).get('/console/settings')).html, /has no owner who can sign in/);
  assert.equal((await person.get('/console/enter')).at, '/console');
});

test('who becomes an owner goes on as that, so that what is assigned to them is theirs', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
  const { id } = (await send(home.key, { to: address, subject: 'The footbridge', body: 'When?' })).body;
  const email = newEmail();
  const person = await claimed(home, email);
  const page = await person.get(`/console/messages/${id}`);
  const [, me = ''] = /value="(acc_\w+)"[^>]*>(?:(?!<\/button>).)*\(you\)/s.exec(page.html) ?? [];
  await person.send(page, ['assignee', me]);
  assert.match((await person.get('/console?assignee=me')).html, /The footbridge/);
  assert.match(
    (await person.get('/console/notices')).html,
    /name="mail_minutes"/,
    'and they choose how they are called',
  );
  const again = await person.post('/console', { key: home.key });
  assert.equal(again.at, '/console');
  const members = await person.get('/console/members');
  assert.match(members.html, /opened with a key/);
  await person.send(members, ['name', home.name]);
  assert.match((await person.get('/console?assignee=me')).html, /The footbridge/);
});

/** The code sent to a hosted address, as its owner reads it. */
async function codeAt(of: Home, address: string): Promise<string> {
  for (;;) {
    const list = await api<Page<{ id: string }>>('GET', `/mailboxes/${address}/messages`, { key: of.key });
    for (const { id } of list.body.items) {
      const { text } = await api('GET', `/mail/messages/${id}`, { key: of.key });
      const code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(text)?.[0];
      if (code !== undefined) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('nothing is claimed without both sessions, the form of this one, and a sign-in that is recent', async () => {
  const home = await newNamespace();
  const address = newEmail();
  const person = await atConsole(home);
  const page = await prove(person, await person.send(await person.get('/console/members'), ['do', 'sign-in']), address);
  const fields = Object.fromEntries(
    [...page.html.matchAll(/name="(csrf|account)" value="([^"]+)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;
  const claim = { do: 'claim', ...fields };
  const assertUnowned = async () =>
    assert.match((await person.get('/console/settings')).html, /has no owner who can sign in/);
  assert.equal((await person.post('/console/members', { ...claim, csrf: 'x' })).status, 403);
  const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  assert.equal((await person.post('/console/members', claim, evil)).status, 403);
  // Not the account that the page named.
  const other = await person.post('/console/members', { ...claim, account: 'acc_00000000000000000000' });
  assert.ok(other.at.startsWith('/account/sign-in'));
  // Only the account's session.
  const alone = new Person(threads.url);
  for (const name of ['mr_account', 'mr_browser']) alone.cookies.set(name, person.cookies.get(name) ?? '');
  assert.equal((await alone.post('/console/members', claim)).status, 403);
  // Only the console's session.
  const without = new Person(threads.url);
  without.cookies.set('mr_session', person.cookies.get('mr_session') ?? '');
  assert.ok((await without.post('/console/members', claim)).at.startsWith('/account/sign-in'));
  await assertUnowned();
  threads.pass(HOUR + 1);
  assert.ok((await person.post('/console/members', claim)).at.startsWith('/account/sign-in'));
  await assertUnowned();
});

test('signing out of the console signs the account out of this browser too', async () => {
  const home = await newNamespace();
  const person = await claimed(home, newEmail());
  const { html } = await person.get('/console');
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const out = await person.post('/console/sign-out', { csrf });
  assert.match(out.html, /You are signed out\./);
  assert.ok((await person.get('/account')).at.startsWith('/account/sign-in'));
  assert.match((await person.post('/console/enter', {})).at, /^\/account\/sign-in/);
});

test('an hour after its sign-in an account opens no console without another one', async () => {
  const home = await newNamespace();
  const address = newEmail();
  const person = await claimed(home, address);
  person.cookies.delete('mr_session');
  threads.pass(HOUR + 1);
  assert.equal((await person.get('/console/enter', { 'sec-fetch-site': 'same-origin' })).at, '/console');
  assert.ok(!person.cookies.has('mr_session'));
  const again = await prove(person, await person.post('/console/enter', {}), address);
  assert.equal(again.at, '/console/enter');
});

test('where one goes on to after signing in is a page of ours, whatever the cookie says', async () => {
  for (const to of ['https://evil.example', '//evil.example', 'console/keys', 'account/../console/enter']) {
    const person = new Person(threads.url);
    const address = newEmail();
    person.cookies.set('mr_go_on', encodeURIComponent(to));
    assert.equal((await prove(person, await person.get('/account'), address)).at, '/account');
  }
});

/** The account's page after signing in with a code. */
async function account(address: string): Promise<{ readonly person: Person; readonly page: Shown }> {
  const person = new Person(threads.url);
  const page = await prove(person, await person.get('/account'), address);
  assert.equal(page.at, '/account');
  return { person, page };
}
const DELETE: [string, string] = ['do', 'delete'];

test('who deletes an account is told what stays, and names that keep another owner ask no more', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'hello' });
  const [ada, bob] = [newEmail(), newEmail()];
  await claimed(home, ada);
  await claimed(home, bob);
  const { person, page } = await account(ada);
  assert.match(
    page.html,
    new RegExp(`What stays:</b> ${home.name}, with all addresses, their public pages and their mess`),
  );
  assert.match(page.html, /You stop being an owner\./);
  assert.doesNotMatch(page.html, /last owner/);
  const gone = await person.send(page, DELETE, { typed: ada });
  assert.ok(gone.html.includes('Your account is deleted.'), gone.html);
  assert.equal((await api('GET', `/mailboxes/${mailbox.address}`)).status, 200);
  assert.match((await entered(ada)).page.html, /This account is no member of a name\./);
});

test('the last owner of a name deletes the account only after confirming what follows for that name', async () => {
  const home = await newNamespace();
  const [ada, bob] = [newEmail(), newEmail()];
  await claimed(home, ada);
  await claimed(home, bob);
  const { person, page } = await account(ada);
  // It became the last owner after the page was made.
  const owner = await atConsole(home);
  await owner.send(await owner.get(await formOf(owner, bob)), ['do', 'remove']);
  const confirmation = await person.send(page, DELETE, { typed: ada });
  assert.equal(confirmation.status, 422);
  assert.match(confirmation.html, new RegExp(`You are the last owner of ${home.name}\\.`));
  assert.match(
    confirmation.html,
    /Only holders of its owner key can open its console afterwards\. The key keeps working/,
  );
  assert.match(confirmation.html, new RegExp(`Confirm this for ${home.name}\\. Nothing was deleted`));
  assert.ok(confirmation.html.includes(`value="${ada}"`));
  const [, id = ''] = /name="last" value="([^"]+)"/.exec(confirmation.html) ?? [];
  const wrong = await person.send(confirmation, DELETE, { typed: 'me', last: id });
  assert.equal(wrong.status, 422);
  const confirmed = await person.send(wrong, DELETE, { typed: ada, last: id });
  assert.ok(confirmed.html.includes('Your account is deleted.'), confirmed.html);
  assert.equal((await atConsole(home)).cookies.has('mr_session'), true);
});

test('where no owner key works either, the last owner is told that nobody gets in', async () => {
  const home = await newNamespace();
  const ada = newEmail();
  await claimed(home, ada);
  await api('DELETE', `/keys/${home.keyId}`, { key: home.key });
  const { page } = await account(ada);
  assert.match(page.html, /no working owner key either: no one can open its console afterwards/);
});
