import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { Person, type Shown } from '../../../../tests/harness/person.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount } from '../../../../tests/soak/length.ts';

const service = await serveInside({ env: { LOG_LEVEL: 'info' } });
const outbox = new Outbox(join(service.folder, 'outbox'));
const { newNamespace, newMailbox, api } = connect(service.url);
const SIGN_IN = '/account/sign-in';
const CODE: [string, string] = ['do', 'verify'];
const newPerson = (): string => `${unique('p')}@example.com`;

/** The log with everything done before; it is written in order, with a delay. */
async function logged(): Promise<string> {
  const last = unique('last');
  await api('GET', `/${last}`);
  const { seen } = await until(
    10_000,
    async () => service.logs(),
    (logs) => logs.includes(last),
  );
  return seen;
}

/** Continues to the page that asks for the code. */
async function asked(address: string): Promise<{ readonly person: Person; readonly shown: Shown }> {
  const person = new Person(service.url);
  const shown = await person.send(await person.get('/account'), ['do', 'code'], { address });
  return { person, shown };
}

async function signedIn(address: string): Promise<Person> {
  const { person, shown } = await asked(address);
  const { code } = await outbox.code(address);
  const account = await person.send(shown, CODE, { code });
  assert.equal(account.at, '/account');
  return person;
}

test('an address and the code from its mail open the account, without scripts', async () => {
  const address = newPerson();
  const { person, shown } = await asked(address.toUpperCase());
  assert.ok(shown.at.startsWith(`${SIGN_IN}/code?attempt=`));
  assert.ok(shown.html.includes('no mail server yet'), 'the page says where the mail is');
  const { code, mail } = await outbox.code(address);
  assert.equal(mail.subject, `Your code for localhost:${service.port}`);
  const account = await person.send(shown, CODE, { code: ` ${code.toLowerCase()} ` });
  assert.equal(account.status, 200);
  assert.equal(account.at, '/account');
  assert.ok(account.html.includes(address.slice(0, address.indexOf('@'))));
  assert.equal(account.headers.get('cache-control'), 'no-store');
  // No passkey is offered unless a script reported support for it.
  assert.ok(!account.html.includes('Next time without a code?'));
});

test('the session is a cookie that scripts and other sites do not get; signing out ends it', async () => {
  const person = await signedIn(newPerson());
  const cookies = new Map(person.cookies);
  assert.match(cookies.get('mr_account') ?? '', /^[\w-]{43}\.[\w-]{43}$/);
  const out = await person.send(await person.get('/account'), ['do', 'out']);
  assert.ok(out.html.includes('You are signed out.'));
  const stolen = new Person(service.url);
  for (const [name, value] of cookies) stolen.cookies.set(name, value);
  assert.equal((await stolen.get('/account')).at, SIGN_IN);
});

test('wrong codes are counted out loud, burn the code, and the way on is a new one', async () => {
  const address = newPerson();
  const { person, shown } = await asked(address);
  const { code } = await outbox.code(address);
  const wrong = code === 'CCCC-CCCC' ? 'DDDD-DDDD' : 'CCCC-CCCC';
  let page = await person.send(shown, CODE, { code: 'what?' });
  assert.equal(page.status, 422);
  assert.ok(page.html.includes('This did not use up a try'));
  for (const left of ['4 tries left', '3 tries left', '2 tries left', '1 try left']) {
    page = await person.send(shown, CODE, { code: wrong });
    assert.equal(page.status, 422);
    assert.ok(page.html.includes(left), left);
  }
  page = await person.send(shown, CODE, { code: wrong });
  assert.ok(page.html.includes('Too many wrong codes.'));
  page = await person.send(shown, CODE, { code });
  assert.ok(page.html.includes('Too many wrong codes.'));
  const again = await person.send(page, ['do', 'code']);
  const account = await person.send(again, CODE, { code: (await outbox.code(address)).code });
  assert.equal(account.at, '/account');
});

test('a code is refused in any browser but the one that began, whatever it sends, and is still good there', async () => {
  const address = newPerson();
  const { person, shown } = await asked(address);
  const { code } = await outbox.code(address);
  const attempt = new URL(shown.at, service.url).searchParams.get('attempt') as string;
  const other = new Person(service.url);
  const page = await other.get(SIGN_IN);
  for (let at = 0; at < 10; at++) {
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] as string;
    const refused = await other.post(`${SIGN_IN}/code`, { csrf, attempt, code });
    assert.equal(refused.status, 410);
    assert.ok(!other.cookies.has('mr_account'));
  }
  assert.equal((await person.send(shown, CODE, { code })).at, '/account');
});

test('an address that exists and one that does not are answered the same, byte for byte', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const known = newPerson();
  await signedIn(known);
  const pages = new Set<string>();
  for (const address of [mailbox.address, mailbox.address.replace(/^m/, 'x'), known, newPerson().replace(/^p/, 'q')]) {
    const { shown } = await asked(address);
    const attempt = new URL(shown.at, service.url).searchParams.get('attempt') as string;
    const csrf = /name="csrf" value="([^"]+)"/.exec(shown.html)?.[1] as string;
    const mark = address.replace('@', '@<wbr>');
    pages.add(
      [
        shown.status,
        shown.html.replaceAll(attempt, '*').replaceAll(csrf, '*').replaceAll(mark, '*').replaceAll(address, '*'),
      ].join(),
    );
  }
  assert.equal(pages.size, 1, [...pages].join('\n=====\n'));
});

test('an address that is hosted here gets its code in its own inbox, and is the account of that mailbox', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const { person, shown } = await asked(mailbox.address);
  let body = '';
  for (let at = 0; at < 200 && !body.includes('Your code:'); at++) {
    const list = await api<{ items: { id: string }[] }>('GET', `/mailboxes/${mailbox.address}/messages`, {
      key: home.key,
    });
    const id = list.body.items[0]?.id;
    if (id !== undefined)
      body = (await api<{ body: string }>('GET', `/mail/messages/${id}`, { key: home.key })).body.body ?? '';
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const code = /^([A-Z0-9]{4}-[A-Z0-9]{4})$/m.exec(body)?.[1] as string;
  assert.ok(code, body);
  const account = await person.send(shown, CODE, { code });
  assert.ok(account.html.includes('This address is a mailbox of this service'));
});

test('the link of the mail is one button in the browser that began, and elsewhere shows the code and nothing to press', async () => {
  const address = newPerson();
  const { person } = await asked(address);
  const { code, link } = await outbox.code(address);
  const path = link.pathname + link.search;
  const other = await new Person(service.url).get(path);
  assert.equal(other.status, 200);
  assert.ok(other.html.includes(code));
  assert.doesNotMatch(other.html, /<form|<button|<input/);
  assert.equal(other.headers.get('referrer-policy'), 'no-referrer');
  assert.deepEqual(other.headers.getSetCookie(), []);
  const own = await person.get(path);
  assert.equal(own.headers.get('referrer-policy'), 'strict-origin');
  assert.equal(own.html.match(/<button/g)?.length, 1);
  assert.equal((await person.send(own, CODE)).at, '/account');
  // A used link is as inert as in another browser.
  assert.doesNotMatch((await person.get(path)).html, /<form/);
});

const SCANNERS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  GET: (path) => new Person(service.url).get(path),
  HEAD: (path) => new Person(service.url).head(path),
  OPTIONS: (path) => fetch(service.url + path, { method: 'OPTIONS' }),
  POST: (path) => fetch(service.url + path, { method: 'POST', body: new URLSearchParams() }),
  PUT: (path) => fetch(service.url + path, { method: 'PUT', body: 'x' }),
  'GET without Accept': (path) => fetch(service.url + path),
  'GET for an image': (path) => new Person(service.url).get(path, { accept: 'image/*' }),
  prefetch: (path) => new Person(service.url).get(path, { 'sec-purpose': 'prefetch', purpose: 'prefetch' }),
  prerender: (path) => new Person(service.url).get(path, { 'sec-purpose': 'prefetch;prerender' }),
  'a range': (path) => new Person(service.url).get(path, { range: 'bytes=0-100' }),
  'GET twice with its cookies': async (path) => {
    const person = new Person(service.url);
    await person.get(path);
    return person.get(path);
  },
  'another browser that was here before': async (path) => {
    const person = new Person(service.url);
    await person.get(SIGN_IN);
    return person.get(path);
  },
  'a form made of what the link holds': (path) => formOf(path, {}),
  'a form with an Origin of ours': (path) => formOf(path, { origin: service.url }),
  'a form from another site': (path) =>
    formOf(path, { origin: 'https://scanner.example', 'sec-fetch-site': 'cross-site' }),
  'a form to the link': (path) => new Person(service.url).post(path, fieldsOf(path)),
  'a form with a token of another browser': async (path) => {
    const person = new Person(service.url);
    const { html } = await person.get(SIGN_IN);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] as string;
    return person.post(`${SIGN_IN}/code`, { ...fieldsOf(path), csrf });
  },
  'every link on the page': async (path) => {
    const person = new Person(service.url);
    const { html } = await person.get(path);
    const links = [...html.matchAll(/<a[^>]* href="([^"]+)"/g)].map(
      ([, href]) => new URL(href as string, service.url + path),
    );
    for (const { pathname } of links) await person.get(pathname);
  },
  'the page of the code': (path) => new Person(service.url).get(path.replace('/link?', '/code?')),
  'JSON in place of a form': (path) =>
    fetch(`${service.url}${SIGN_IN}/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fieldsOf(path)),
    }),
};
const fieldsOf = (path: string): Record<string, string> => Object.fromEntries(new URL(path, service.url).searchParams);
const formOf = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(`${service.url}${SIGN_IN}/code`, { method: 'POST', headers, body: new URLSearchParams(fieldsOf(path)) });

const SCANS = amount(10, 50);
test(`20 behaviors of mail scanners, ${SCANS} times each, spend 0 codes`, async () => {
  assert.equal(Object.keys(SCANNERS).length, 20);
  const address = newPerson();
  const { person, shown } = await asked(address);
  const { code, link } = await outbox.code(address);
  const path = link.pathname + link.search;
  for (const scan of Object.values(SCANNERS)) {
    for (let at = 0; at < SCANS; at += 10) await Promise.all(Array.from({ length: 10 }, () => scan(path)));
  }
  const before = await person.get(shown.at);
  assert.ok(before.html.includes('5 tries left'));
  assert.equal((await person.send(shown, CODE, { code })).at, '/account');
});

test('no form is taken from another site, without its token, or with one of another browser; each page forbids frames', async () => {
  const address = newPerson();
  const person = await signedIn(address);
  const paths = ['/account', SIGN_IN, `${SIGN_IN}?other=1`, `${SIGN_IN}/code`, `${SIGN_IN}/link`, `${SIGN_IN}/passkey`];
  for (const path of paths) {
    const { headers } = await person.get(path);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.match(headers.get('cache-control') ?? '', /no-store/, path);
  }
  const token = /name="csrf" value="([^"]+)"/.exec((await person.get('/account')).html)?.[1] as string;
  const others = /name="csrf" value="([^"]+)"/.exec((await new Person(service.url).get(SIGN_IN)).html)?.[1] as string;
  const steps = /name="csrf" value="([^"]+)"/.exec((await person.get(`${SIGN_IN}?other=1`)).html)?.[1] as string;
  for (const wanted of ['out', 'everywhere', 'delete', 'remove', 'rename', 'add', 'revoke', 'console', 'end']) {
    const fields = { do: wanted, typed: address, id: 'x' };
    const tries: [Record<string, string>, Record<string, string>][] = [
      [fields, {}],
      [{ ...fields, csrf: others }, {}],
      [{ ...fields, csrf: steps }, {}],
      [
        { ...fields, csrf: token },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      ],
      [
        { ...fields, csrf: token },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
      ],
    ];
    for (const [body, headers] of tries)
      assert.equal((await person.post('/account', body, headers)).status, 403, wanted);
  }
  for (const path of [SIGN_IN, `${SIGN_IN}/code`, `${SIGN_IN}/passkey`]) {
    assert.equal((await person.post(path, { csrf: token })).status, 403, path);
    assert.equal((await person.post(path, {})).status, 403, path);
  }
  assert.equal((await person.get('/account')).at, '/account');
});

test('sessions are listed and ended one by one, or all at once', async () => {
  const address = newPerson();
  const [a, b, c] = [await signedIn(address), await signedIn(address), await signedIn(address)];
  const stranger = await signedIn(newPerson());
  const page = await a.get('/account');
  assert.equal(page.html.match(/name="session"/g)?.length, 3);
  assert.equal(page.html.match(/This one/g)?.length, 1);
  const ended = await a.send(page, ['do', 'end']);
  assert.ok(ended.html.includes('That browser is signed out.'));
  assert.equal(ended.html.match(/name="session"/g)?.length, 2);
  assert.equal([await b.get('/account'), await c.get('/account')].filter(({ at }) => at === '/account').length, 1);
  // A session of another account stays.
  const hash = /name="session" value="([^"]+)"/.exec((await stranger.get('/account')).html)?.[1] as string;
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] as string;
  await a.post('/account', { csrf, do: 'end', session: hash });
  assert.equal((await stranger.get('/account')).at, '/account');
  const out = await a.send(await a.get('/account'), ['do', 'everywhere']);
  assert.ok(out.html.includes('You are signed out everywhere.'));
  for (const one of [a, b, c]) assert.equal((await one.get('/account')).at, SIGN_IN);
});

test('an account is deleted by typing its address, with its sessions; who comes back is somebody new', async () => {
  const address = newPerson();
  const [person, other] = [await signedIn(address), await signedIn(address)];
  const wrong = await person.send(await person.get('/account'), ['do', 'delete'], { typed: 'me' });
  assert.equal(wrong.status, 422);
  assert.ok(wrong.html.includes('Nothing was deleted.'));
  const gone = await person.send(await person.get('/account'), ['do', 'delete'], { typed: address });
  assert.ok(gone.html.includes('Your account is deleted.'));
  for (const one of [person, other]) assert.equal((await one.get('/account')).at, SIGN_IN);
  assert.equal((await (await signedIn(address)).get('/account')).status, 200);
});

test('what is no address is told what is wrong with it, and keeps what was typed', async () => {
  const person = new Person(service.url);
  const page = await person.send(await person.get(SIGN_IN), ['do', 'code'], { address: '<b>ada@' });
  assert.equal(page.status, 422);
  assert.ok(page.html.includes('An address has a name, an @ and a domain'));
  assert.ok(page.html.includes('value="&lt;b&gt;ada@"'));
  assert.ok(page.html.includes('<title>Error: Sign in'));
});

test('codes, the links that carry them, and cookies are in no log', async () => {
  const address = newPerson();
  const { person, shown } = await asked(address);
  const { code, link } = await outbox.code(address);
  await person.get(link.pathname + link.search);
  await person.send(shown, CODE, { code });
  const logs = await logged();
  assert.ok(logs.includes('/account/sign-in/link'), 'it is logged that the link was opened');
  assert.ok(!logs.includes(code));
  for (const value of person.cookies.values()) assert.ok(!logs.includes(value));
});

test('each try to sign in is in the log, with how and what came of it, and without the address', async () => {
  const address = newPerson();
  const { person, shown } = await asked(address);
  const { code } = await outbox.code(address);
  const stranger = new Person(service.url);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await stranger.get(SIGN_IN)).html)?.[1] as string;
  const attempt = new URL(shown.at, service.url).searchParams.get('attempt') as string;
  await stranger.post(`${SIGN_IN}/code`, { csrf, attempt, code });
  await stranger.post(SIGN_IN, { csrf, do: 'passkey', response: '{}' });
  await person.send(shown, CODE, { code: code === 'CCCC-CCCC' ? 'DDDD-DDDD' : 'CCCC-CCCC' });
  await person.send(shown, CODE, { code });
  const seen = await logged();
  const outcomes = seen
    .split('\n')
    .filter((line) => line.includes('"a sign-in"'))
    .map((line) => JSON.parse(line) as Record<string, string>);
  const last = outcomes.slice(-5).map(({ level, by, outcome }) => [level, by, outcome]);
  assert.deepEqual(last, [
    ['info', 'code', 'asked'],
    ['warn', 'code', 'elsewhere'],
    ['warn', 'passkey', 'refused'],
    ['warn', 'code', 'wrong'],
    ['info', 'code', 'signed_in'],
  ]);
  assert.match(outcomes.at(-1)?.account_id ?? '', /^acc_/);
  assert.ok(outcomes.every(({ request_id, time }) => request_id !== undefined && time !== undefined));
  assert.ok(!seen.includes(address));
});
