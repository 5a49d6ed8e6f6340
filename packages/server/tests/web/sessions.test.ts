import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole, type Page, type Visitor } from '../../../../tests/harness/console.ts';
import { sessionNames } from '../../core/sign-in/session-views.ts';
import { agentOf } from '../../http/agent.ts';
import { SessionCookie } from '../../http/session-cookie.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const threads = await openConsole();
const { client, visitor } = threads;
const { newNamespace, newKey, newMailbox, api } = client;

const WRONG = 'This key does not open a console. Check that you copied all of it.';
const isOpen = async (who: Visitor): Promise<boolean> => (await who.get('/console')).html.includes('data-inbox');
const isDoor = ({ html }: Page): boolean => html.includes('Paste your owner key') && !html.includes('data-inbox');

async function signedIn(key: string): Promise<Visitor> {
  const who = visitor();
  const { status, to } = await who.signIn(key);
  assert.deepEqual([status, to], [303, '/console']);
  assert.ok(await isOpen(who));
  return who;
}

test('an owner key opens the console, by a cookie that scripts and other sites do not get', async () => {
  const home = await newNamespace();
  const who = visitor();
  const first = await who.get('/console');
  assert.equal(first.status, 200);
  assert.ok(isDoor(first));
  const { headers } = await who.signIn(` ${home.key}\n`);
  assert.match(
    headers.get('set-cookie') ?? '',
    /^mr_session=[\w-]{43}\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.equal(headers.get('cache-control'), 'no-store');
  const page = await who.get('/console');
  assert.equal(page.status, 200);
  assert.ok(page.html.includes(`Inbox of ${home.name}`));
  assert.ok(!page.html.includes(home.key));
  assert.equal(page.headers.get('cache-control'), 'no-store');
});

test('what is no owner key opens nothing, and is not sent back', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const bound = await newKey(home, { scopes: ['owner'], mailbox: mailbox.address });
  const reader = await newKey(home, { scopes: ['messages:read', 'mailboxes:write', 'keys:write'] });
  const soon = new Date(Date.now() + MINUTE).toISOString();
  const short = await newKey(home, { scopes: ['owner'], expires_at: soon });
  threads.pass(MINUTE);
  const flipped = home.key.slice(0, -1) + (home.key.endsWith('a') ? 'b' : 'a');
  for (const [key, status] of [
    ['', 422],
    ['<b>mr_live_nonsense', 422],
    [flipped, 422],
    [`${home.key} ${home.key}`, 422],
    [short.secret, 422],
    [bound.secret, 403],
    [reader.secret, 403],
  ] as const) {
    const who = visitor();
    const page = await who.signIn(key as string);
    assert.equal(page.status, status, key ?? '');
    assert.ok(page.html.includes(WRONG));
    assert.equal(who.cookie, '');
    if (key !== '') assert.ok(!page.html.includes(String(key)) && !page.html.includes('nonsense'));
  }
});

test('a cookie that was tampered with, or made up, is nobody', async () => {
  const home = await newNamespace();
  const who = await signedIn(home.key);
  const good = who.cookie;
  const [name, value] = good.split('=') as [string, string];
  const [id = '', signature = ''] = value.split('.');
  const other = new SessionCookie('another secret').write(id, false).split(';', 1)[0] as string;
  for (const cookie of [
    `${name}=${id}`,
    `${name}=${id}.${signature.slice(0, -2)}AA`,
    `${name}=${id.slice(0, -2)}AA.${signature}`,
    `${name}=.${signature}`,
    `${name}=${'x'.repeat(9000)}`,
    other,
    `__Host-${good}`,
  ]) {
    who.cookie = cookie;
    const page = await who.get('/console/keys');
    assert.equal(page.status, 403, cookie.slice(0, 60));
    assert.ok(isDoor(page));
  }
  who.cookie = good;
  assert.ok(await isOpen(who));
});

test('each sign-in has a session of its own, and the one before in this browser ends', async () => {
  const home = await newNamespace();
  const who = await signedIn(home.key);
  const cookieBefore = who.cookie;
  await who.signIn(home.key);
  assert.notEqual(who.cookie, cookieBefore);
  assert.ok(await isOpen(who));
  who.cookie = cookieBefore;
  assert.ok(!(await isOpen(who)));
  // Session fixation: a planted session id is not adopted.
  const planted = visitor();
  planted.cookie = `mr_session=${'A'.repeat(43)}.${'B'.repeat(43)}`;
  await planted.signIn(home.key);
  assert.ok(!planted.cookie.includes('AAAA'));
});

test('revoking the key ends its sessions at once, and those of others go on', async () => {
  const home = await newNamespace();
  const second = await newKey(home, { scopes: ['owner'] });
  const [mine, other] = [await signedIn(home.key), await signedIn(second.secret as string)];
  await api('DELETE', `/keys/${second.id}`, { key: home.key });
  const page = await other.get('/console/keys');
  assert.equal(page.status, 403);
  assert.ok(page.html.includes('You are signed out.'));
  assert.equal(other.cookie, '');
  assert.ok(await isOpen(mine));
});

test('a session ends after 7 days alone, and after 30 in any case; a key that expires takes it along', async () => {
  const home = await newNamespace();
  const [busy, idle] = [await signedIn(home.key), await signedIn(home.key)];
  const limited = await newKey(home, { scopes: ['owner'], expires_at: new Date(Date.now() + 3 * DAY).toISOString() });
  const short = await signedIn(limited.secret as string);
  threads.pass(4 * DAY);
  assert.ok(await isOpen(busy));
  assert.ok(!(await isOpen(short)));
  threads.pass(4 * DAY);
  assert.ok(await isOpen(busy));
  assert.ok(!(await isOpen(idle)));
  for (let day = 8; day < 28; day += 5) {
    threads.pass(5 * DAY);
    assert.ok(await isOpen(busy), `day ${day}`);
  }
  threads.pass(3 * DAY);
  assert.ok(!(await isOpen(busy)));
});

test('sign out ends this session; everywhere ends all of the name, and no other', async () => {
  const [home, elsewhere] = [await newNamespace(), await newNamespace()];
  const [a, b, c, d] = [
    await signedIn(home.key),
    await signedIn(home.key),
    await signedIn(home.key),
    await signedIn(elsewhere.key),
  ];
  const old = a.cookie;
  const out = await a.post('/console/sign-out', { csrf: await a.token() });
  assert.deepEqual([out.status, out.to, a.cookie], [303, '/console?note=out', '']);
  assert.ok((await a.get(out.to)).html.includes('You are signed out.'));
  a.cookie = old;
  assert.ok(!(await isOpen(a)));
  const list = await b.get('/console/settings?tab=sessions');
  assert.equal([...list.html.matchAll(/Signed in <time/g)].length, 2);
  const all = await b.post('/console/sign-out', { csrf: await b.token(), everywhere: '1' });
  assert.equal(all.to, '/console?note=everywhere');
  assert.ok(!(await isOpen(c)));
  assert.ok(await isOpen(d));
});

test('one session of the list is signed out, never another name’s', async () => {
  const [home, elsewhere] = [await newNamespace(), await newNamespace()];
  const [mine, other, foreign] = [await signedIn(home.key), await signedIn(home.key), await signedIn(elsewhere.key)];
  const hashOf = async (who: Visitor): Promise<string> =>
    /name="session" value="([0-9a-f]{64})"/.exec((await who.get('/console/settings?tab=sessions')).html)?.[1] ?? '';
  const hash = await hashOf(mine);
  const csrf = await mine.token();
  const second = await signedIn(elsewhere.key);
  const foreignHash = await hashOf(second);
  await mine.post('/console/settings', { csrf, do: 'end', session: foreignHash });
  assert.ok(await isOpen(foreign));
  await mine.post('/console/settings', { csrf, do: 'end', session: hash });
  assert.ok(!(await isOpen(other)));
  assert.ok(await isOpen(mine));
});

test('a form of another site, or without this session’s token, changes nothing', async () => {
  const home = await newNamespace();
  const [who, other] = [await signedIn(home.key), await signedIn(home.key)];
  const csrf = await who.token();
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null', 'sec-fetch-site': 'cross-site' },
    { origin: threads.url.replace(/\d+$/, '1'), 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const { status } = await who.post('/console/settings', { csrf, display_name: 'Evil' }, headers);
    assert.equal(status, 403);
    assert.equal((await visitor().post('/console', { key: home.key }, headers)).status, 403);
  }
  for (const token of ['', 'x', await other.token(), csrf.slice(0, -1), `${csrf}x`]) {
    const { status, html } = await who.post('/console/settings', { csrf: token, display_name: 'Evil' });
    assert.equal(status, 403);
    assert.ok(html.includes('nothing was changed'));
  }
  assert.equal((await api<{ display_name: null }>('GET', `/namespaces/${home.name}`)).body.display_name, null);
  assert.equal((await who.post('/console/settings', { csrf, display_name: 'Ada' })).status, 303);
  assert.equal((await api<{ display_name: string }>('GET', `/namespaces/${home.name}`)).body.display_name, 'Ada');
  const signedOut = await visitor().post('/console/settings', { csrf, display_name: 'Evil' });
  assert.equal(signedOut.status, 403);
  assert.ok(signedOut.html.includes('Nothing was changed.'));
});

test('the cookie opens the console and nothing of the API', async () => {
  const home = await newNamespace();
  const who = await signedIn(home.key);
  const headers = { cookie: who.cookie };
  assert.equal((await api('GET', '/me', { headers })).status, 401);
  assert.equal((await api('GET', '/keys', { headers })).status, 401);
  assert.equal((await api('GET', '/events', { headers })).status, 401);
  assert.equal((await api('POST', '/mail/send', { headers, body: { to: 'a@b.c', body: 'x' } })).status, 401);
});

test('who is asked for a key on the way is taken there, and nowhere else', async () => {
  const home = await newNamespace();
  const who = visitor();
  const door = await who.get('/console/keys');
  assert.equal(door.status, 403);
  assert.ok(door.html.includes('name="next" value="console/keys"'));
  assert.ok(door.html.includes('action="../console"'));
  assert.equal((await who.post('/console', { key: home.key, next: 'console/keys' })).to, '/console/keys');
  for (const next of ['//evil.example', 'https://evil.example', '../new', 'console/../new', 'console//evil.example']) {
    assert.equal((await visitor().post('/console', { key: home.key, next })).to, '/console');
  }
});

test('keys are tried ten times a minute and not more often', async () => {
  const strict = await openConsole({ RATE_LIMITS: 'on' });
  const home = await strict.client.newNamespace();
  const who = strict.visitor();
  for (let nth = 0; nth < 10; nth++) assert.equal((await who.signIn('mr_live_x')).status, 422);
  const page = await who.signIn(home.key);
  assert.equal(page.status, 429);
  assert.match(page.html, /Next try in <span data-left>\d+<\/span> s\./);
  assert.match(page.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(who.cookie, '');
  strict.pass(10_000);
  assert.equal((await who.signIn(home.key)).status, 303);
});

test('pages of the console count like any other, and what they send too', async () => {
  const strict = await openConsole({ RATE_LIMITS: 'on', LIMIT_PAGES_PER_MINUTE: '5' });
  const home = await strict.client.newNamespace();
  const who = strict.visitor();
  await who.signIn(home.key);
  const csrf = await who.token();
  for (let nth = 0; nth < 3; nth++) assert.equal((await who.get('/console')).status, 200);
  assert.equal((await who.post('/console/settings', { csrf, do: 'save' })).status, 303);
  assert.equal((await who.get('/console/keys')).status, 429);
  assert.equal((await who.get('/console/live')).status, 429);
  assert.equal((await who.post('/console/settings', { csrf, do: 'save' })).status, 429);
  strict.pass(60_000);
  assert.equal((await who.get('/console/keys')).status, 200);
});

test('of a name’s sessions a hundred stay: who was not seen for longest is signed out', async () => {
  const home = await newNamespace();
  const first = await signedIn(home.key);
  threads.pass(1_000);
  const others = Array.from({ length: 100 }, () => visitor());
  for (const who of others) await who.signIn(home.key);
  assert.ok(!(await isOpen(first)));
  const [who] = others as [Visitor];
  assert.ok(await isOpen(who));
  const { html } = await who.get('/console/settings?tab=sessions');
  assert.equal(html.match(/Signed in /g)?.length, 100);
});

test('over https the cookie is Secure, of this host alone', () => {
  const cookie = new SessionCookie('secret');
  const id = 'a'.repeat(43);
  const written = cookie.write(id, true);
  assert.match(written, /^__Host-mr_session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const header = written.split(';', 1)[0];
  assert.equal(cookie.read(header, true), id);
  assert.equal(cookie.read(header, false), undefined);
  assert.equal(cookie.read(`a=b; ${header}`, true), id);
  assert.notEqual(cookie.token(id), header?.split('.')[1]);
  assert.match(cookie.clear(true), /^__Host-mr_session=; Max-Age=0; /);
});

test('a browser is called as its owner would call it', () => {
  const agents = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15':
      'Safari on macOS',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
      'Edge on Windows',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    '': 'A browser',
  };
  for (const [header, name] of Object.entries(agents)) assert.equal(agentOf(header), name);
});

test('sessions of one kind of browser are told apart in a list', () => {
  const list = [
    { id: '9f3acc', agent: 'Chrome on Linux' },
    { id: '07bbcc', agent: 'Chrome on Linux' },
    { id: 'aa00cc', agent: 'Safari on iPhone' },
  ];
  assert.deepEqual(
    [...sessionNames(list).values()],
    ['Chrome on Linux, 9f3a', 'Chrome on Linux, 07bb', 'Safari on iPhone'],
  );
});
