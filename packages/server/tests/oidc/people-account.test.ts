import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as openid from 'openid-client';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import type { Relying } from '../../../../tests/harness/relying.ts';
import { until } from '../../../../tests/harness/until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const threads = await openPeopleService();
const { newNamespace, newMailbox, api } = threads.client;
const notes = await threads.relying('Acme Notes');
const SIGN_IN = '/account/sign-in';
const VERIFY: [string, string] = ['do', 'verify'];
const newPerson = (): string => `${unique('p')}@example.com`;
const pathOf = (url: URL): string => url.pathname + url.search;

/** Types the address and the code from its mail, starting at the page that asks for the address. */
async function prove(person: Person, shown: Shown, address: string): Promise<Shown> {
  const asked = await person.send(shown, ['do', 'code'], { address });
  return person.send(asked, VERIFY, { code: (await threads.outbox.code(address)).code });
}

async function signedIn(address: string, person = new Person(threads.url)): Promise<Person> {
  assert.equal((await prove(person, await person.get(SIGN_IN), address)).at, '/account');
  return person;
}

/** The target of a page that continues by itself. */
async function onward(person: Person, shown: Shown): Promise<Shown> {
  const [, to] = /^0;url=(.+)$/.exec(shown.headers.get('refresh') ?? '') ?? [];
  assert.ok(to !== undefined, shown.html.slice(-1500));
  return person.get(pathOf(new URL(to)));
}

/** Signs in to a service, by a code when asked for one; returns the service's tokens. */
async function atService(person: Person, service: Relying, address: string) {
  const { url, exchange } = await service.begin({ scope: 'openid email offline_access', prompt: 'consent' });
  const page = await person.get(pathOf(url));
  const done = page.html.includes('value="continue"')
    ? await person.send(page, ['do', 'continue'])
    : await prove(person, page, address);
  const { at } = await onward(person, done);
  assert.ok(at.startsWith(service.redirect_uri), at);
  const tokens = await exchange(new URL(at));
  assert.ok(tokens.refresh_token !== undefined);
  return { access: tokens.access_token, refresh: tokens.refresh_token, sub: tokens.claims()?.sub as string };
}

/** The issuer's answer to a request that may not show a page: whether the browser is signed in. */
async function unasked(person: Person, service: Relying): Promise<string> {
  const { url } = await service.begin({ scope: 'openid', prompt: 'none' });
  const { at } = await person.get(pathOf(url));
  assert.ok(at.startsWith(service.redirect_uri), at);
  return new URL(at).searchParams.get('error') ?? 'let in';
}

const isKnown = async ({ config }: Relying, access: string, sub: string): Promise<boolean> => {
  const claims = await openid.fetchUserInfo(config, access, sub).catch(() => undefined);
  return claims !== undefined;
};
const refreshed = async ({ config }: Relying, token: string): Promise<string> => {
  try {
    await openid.refreshTokenGrant(config, token);
    return 'refreshed';
  } catch (error) {
    return (error as { error?: string }).error ?? String(error);
  }
};

test('revoking a service ends its tokens and the session it was let in by, and those of no other service or person', async () => {
  const other = await threads.relying('Other');
  const address = newPerson();
  const person = new Person(threads.url);
  const [first, second] = [await atService(person, notes, address), await atService(person, other, address)];
  const strangers = new Person(threads.url);
  const stranger = await atService(strangers, notes, newPerson());
  assert.deepEqual(
    [await isKnown(notes, first.access, first.sub), await unasked(person, notes), await unasked(person, other)],
    [true, 'let in', 'let in'],
  );
  const page = await person.get('/account');
  const row = /<li>(?:(?!<\/li>).)*Acme Notes.*?<\/li>/s.exec(page.html)?.[0] as string;
  const done = await person.send({ ...page, html: row }, ['do', 'revoke']);
  assert.ok(done.html.includes('Revoked: the service must ask you again the next time.'));
  assert.ok(!done.html.includes('Acme Notes') && done.html.includes('Other'));
  assert.deepEqual(
    [
      await isKnown(notes, first.access, first.sub),
      await refreshed(notes, first.refresh),
      await unasked(person, notes),
      await unasked(person, other),
    ],
    [false, 'invalid_grant', 'login_required', 'login_required'],
  );
  // With `offline_access` the service keeps its access without a session.
  assert.equal(await refreshed(other, second.refresh), 'refreshed');
  assert.deepEqual(
    [await isKnown(notes, stranger.access, stranger.sub), await unasked(strangers, notes)],
    [true, 'let in'],
  );
  assert.equal(await refreshed(notes, stranger.refresh), 'refreshed');
  // The account is still signed in, so one click is enough.
  assert.equal((await atService(person, notes, address)).sub, first.sub);
});

for (const [name, button] of [
  ['signing out', 'out'],
  ['signing out everywhere', 'everywhere'],
] as const) {
  test(`after ${name} no service is let in by that browser without asking`, async () => {
    const address = newPerson();
    const person = new Person(threads.url);
    await atService(person, notes, address);
    assert.equal(await unasked(person, notes), 'let in');
    await person.send(await person.get('/account'), ['do', button]);
    assert.equal(await unasked(person, notes), 'login_required');
    const { url } = await notes.begin();
    assert.ok((await person.get(pathOf(url))).html.includes('Your address'));
  });
}

test('whoever is signed out from another browser is let in to no service either', async () => {
  const address = newPerson();
  const lost = new Person(threads.url);
  await atService(lost, notes, address);
  const person = await signedIn(address);
  const done = await person.send(await person.get('/account'), ['do', 'end']);
  assert.ok(done.html.includes('That browser is signed out.'));
  assert.equal((await lost.get('/account')).at, SIGN_IN);
  assert.equal(await unasked(lost, notes), 'login_required');
});

test('what changes how an account is opened, or ends it, takes a sign-in of the last hour; nothing is done after it', async () => {
  const address = newPerson();
  const person = await signedIn(address);
  const { id: account_id } = await threads.store.accounts.getOrPut({ id: 'acc_none', address, created_at: 0 });
  const [first, second] = [unique('key'), unique('key')];
  for (const id of [first, second]) {
    const passkey = { id, account_id, name: id, public_key: 'AA', counter: 0, transports: '[]', backed_up: false };
    const added = await threads.store.accounts.addPasskey({ ...passkey, created_at: 0, used_at: null });
    assert.equal(added, 'added');
  }
  const kept = async () => (await threads.store.accounts.passkeys(account_id)).map(({ id, name }) => [id, name]);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await person.get('/account')).html)?.[1] as string;
  const send = (wanted: string, id: string) =>
    person.post('/account', { csrf, do: wanted, id, name: 'Mine now', response: '{}', typed: address });
  threads.pass(HOUR - MINUTE);
  assert.ok((await send('remove', first)).html.includes('The passkey is removed'));
  threads.pass(2 * MINUTE);
  for (const wanted of ['add', 'rename', 'remove', 'console', 'delete']) {
    const refused = await send(wanted, second);
    assert.equal(refused.at, `${SIGN_IN}?other=1&note=again`, wanted);
    assert.ok(refused.html.includes('You signed in more than an hour ago.'), wanted);
  }
  assert.deepEqual(await kept(), [[second, second]]);
  assert.equal((await person.get('/account')).at, '/account', 'looking, and signing out, go on');
  assert.equal((await prove(person, await person.get(`${SIGN_IN}?other=1&note=again`), address)).at, '/account');
  assert.ok((await send('rename', second)).html.includes('The passkey is renamed.'));
  assert.deepEqual(await kept(), [[second, 'Mine now']]);
});

/** Makes the person the owner of a namespace without an owner. */
async function owning(home: Home, person: Person): Promise<void> {
  assert.equal((await person.post('/console', { key: home.key })).at, '/console');
  assert.equal((await person.send(await person.get('/console/members'), ['do', 'claim'])).status, 200);
  person.cookies.delete('mr_session');
}

test('the console of a name that the account owns is opened from its page, and of no other', async () => {
  const [home, foreign] = [await newNamespace(), await newNamespace()];
  const address = newPerson();
  const person = await signedIn(address);
  await owning(home, person);
  const page = await person.get('/account');
  const opened = await person.send(page, ['do', 'console']);
  assert.equal(opened.at, '/console');
  assert.match(opened.html, new RegExp(`aria-label="${home.name}: inbox"`));
  person.cookies.delete('mr_session');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] as string;
  const { id } = (await threads.store.namespaces.byName(foreign.name)) as { id: string };
  const refused = await person.post('/account', { csrf, do: 'console', id });
  assert.equal(refused.status, 403);
  assert.ok(!person.cookies.has('mr_session'));
});

test('signing out everywhere closes the consoles that were opened as this account, and of nobody else', async () => {
  const home = await newNamespace();
  const person = await signedIn(newPerson());
  await owning(home, person);
  const other = new Person(threads.url);
  assert.equal((await other.post('/console', { key: home.key })).at, '/console');
  await person.send(await person.get('/account'), ['do', 'console']);
  await person.send(await person.get('/account'), ['do', 'everywhere']);
  assert.equal((await person.get('/console/keys')).status, 403);
  assert.equal((await other.get('/console/keys')).status, 200);
});

test('a deleted account is nobody to a service, and whoever comes back with its address is somebody new', async () => {
  const home = await newNamespace();
  const address = newPerson();
  const person = new Person(threads.url);
  const { access, refresh, sub } = await atService(person, notes, address);
  await owning(home, person);
  await person.send(await person.get('/account'), ['do', 'console']);
  const page = await person.get('/account');
  const [, last = ''] = /name="last" value="([^"]+)"/.exec(page.html) ?? [];
  await person.send(page, ['do', 'delete'], { typed: address, last });
  assert.equal((await person.get('/console/keys')).status, 403, 'its names are not its own any more');
  assert.deepEqual(
    [await isKnown(notes, access, sub), await refreshed(notes, refresh), await unasked(person, notes)],
    [false, 'invalid_grant', 'login_required'],
  );
  const again = await atService(new Person(threads.url), notes, address);
  assert.notEqual(again.sub, sub);
  assert.doesNotMatch((await (await signedIn(address)).get('/account')).html, new RegExp(home.name));
});

test('who signed in as a mailbox is signed in nowhere once it is deleted', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const person = new Person(threads.url);
  const codeOf = async (): Promise<string> => {
    const { seen } = await until(
      15_000,
      async () => {
        const list = await api<{ items: { id: string }[] }>('GET', `/mailboxes/${mailbox.address}/messages`, {
          key: home.key,
        });
        const [newest] = list.body.items;
        if (newest === undefined) return undefined;
        const { body } = await api<{ body: string }>('GET', `/mail/messages/${newest.id}`, { key: home.key });
        return /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(body.body ?? '')?.[1];
      },
      (code) => code !== undefined,
    );
    return seen as string;
  };
  const { url, exchange } = await notes.begin({ scope: 'openid profile offline_access', prompt: 'consent' });
  const asked = await person.send(await person.get(pathOf(url)), ['do', 'code'], { address: mailbox.address });
  const { at } = await onward(person, await person.send(asked, VERIFY, { code: await codeOf() }));
  const tokens = await exchange(new URL(at));
  const sub = tokens.claims()?.sub as string;
  assert.deepEqual([await isKnown(notes, tokens.access_token, sub), await unasked(person, notes)], [true, 'let in']);
  assert.equal((await person.get('/account')).at, '/account');
  assert.equal((await api('DELETE', `/mailboxes/${mailbox.address}`, { key: home.key })).status, 204);
  assert.equal((await person.get('/account')).at, SIGN_IN);
  assert.deepEqual(
    [
      await isKnown(notes, tokens.access_token, sub),
      await refreshed(notes, tokens.refresh_token as string),
      await unasked(person, notes),
    ],
    [false, 'invalid_grant', 'login_required'],
  );
});
