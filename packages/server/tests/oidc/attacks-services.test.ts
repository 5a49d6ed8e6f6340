import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '@mailroom/behavior/values/ids';
import { unique } from '../../../../tests/harness/client.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { openPeopleService } from '../../../../tests/harness/people-service.ts';
import type { Relying } from '../../../../tests/harness/relying.ts';
import type { Store } from '../../core/ports/store.ts';
import { Browser, type Got } from './browser.ts';

const threads = await openPeopleService();
const notes = await threads.relying('Acme Notes');
const newPerson = (): string => `${unique('p')}@example.com`;
const { origin } = new URL(threads.url);

/** Sends one of the service's forms, as a browser does from its page. */
const post = (
  browser: Browser,
  url: string | URL,
  fields: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = { origin, 'sec-fetch-site': 'same-origin' },
): Promise<Got> => browser.get(url, { method: 'POST', headers, body: new URLSearchParams(fields) });

/** Fills in and sends the form with this button, and follows where it leads. */
async function send(browser: Browser, page: Got, does: string, fields: Record<string, string> = {}): Promise<Got> {
  const { action, data } = formOf(page, does);
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  const got = await post(browser, action, data);
  return got.status === 303 ? browser.get(got.location) : got;
}

function formOf(page: Got, does: string): { readonly action: URL; readonly data: URLSearchParams } {
  const form = [...page.text.matchAll(/<form\b[^>]*>.*?<\/form>/gs)]
    .map(([text]) => text)
    .find((text) => text.includes(`name="do" value="${does}"`));
  assert.ok(form !== undefined, `${page.status} ${page.url} has no ${does}: ${page.text.slice(-1500)}`);
  const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
  const data = formData(form.replace('<form', '<form id="f"'), { id: 'f', button: ['do', does] });
  return { action: new URL(action, page.url), data };
}

/** Follows a page back to the service's callback. */
async function followBack(browser: Browser, page: Got, service: Relying = notes): Promise<URL> {
  const to = /url=(.*)$/.exec(page.headers.get('refresh') ?? '')?.[1];
  assert.ok(to !== undefined, `${page.status} ${page.url}: ${page.text.slice(-1500)}`);
  return new URL((await browser.follow(new URL(to, page.url), service.redirect_uri)).location);
}

async function signIn(browser: Browser, page: Got, address: string): Promise<Got> {
  const shown = await send(browser, page, 'code', { address });
  return send(browser, shown, 'verify', { code: (await threads.outbox.code(address)).code });
}

/** Signs in to the service in a new browser. */
async function signedIn(address: string, browser = new Browser(), more: Record<string, string> = {}): Promise<Browser> {
  const { url, finish } = await notes.begin(more);
  const begun = await browser.get(url);
  const page = await browser.get(begun.location);
  await finish(await followBack(browser, await signIn(browser, page, address)));
  return browser;
}

/** The page that asks for an address; undefined when the browser is let through to the service. */
async function isAsked(browser: Browser, more: Record<string, string> = {}): Promise<Got | undefined> {
  const { location } = await browser.get((await notes.begin(more)).url);
  return location.startsWith(notes.redirect_uri) ? undefined : browser.get(location);
}

test('a service that wants to know anew is not told of a session that was there, whichever of 3 forms is sent by hand', async () => {
  const browser = await signedIn(newPerson());
  for (const more of [{ prompt: 'login' }, { max_age: '1' }]) {
    // `max_age` is in whole seconds.
    await pause(2_100);
    const page = (await isAsked(browser, more)) as Got;
    const { data } = formOf(page, 'code');
    const csrf = data.get('csrf') as string;
    for (const [path, does] of [
      ['', 'continue'],
      ['/passkey', 'skip'],
      ['/passkey', 'add'],
    ] as const) {
      const got = await post(browser, page.url + path, { csrf, do: does, name: 'x', response: '{}' });
      assert.equal(got.headers.get('refresh'), null, `${path} ${does}`);
      assert.ok(got.text.includes('Send me a code'));
    }
    assert.ok(!(await browser.get(`${page.url}/passkey`)).text.includes('Next time without a code?'));
    await followBack(browser, await signIn(browser, page, newPerson()));
  }
});

test('who signs out, here or everywhere, or is signed out by a service, is asked by services again, with nobody to go on as', async () => {
  for (const does of ['out', 'everywhere'] as const) {
    const address = newPerson();
    const [browser, other] = [await signedIn(address), await signedIn(address)];
    assert.equal(await isAsked(browser), undefined);
    await send(browser, await browser.get(`${threads.url}/account`), does);
    assert.ok((await isAsked(browser))?.text.includes('Send me a code'), does);
    const elsewhere = await isAsked(other);
    if (does === 'everywhere') assert.ok(elsewhere?.text.includes('Send me a code'));
    else assert.equal(elsewhere, undefined);
    const none = new URL((await browser.get((await notes.begin({ prompt: 'none' })).url)).location);
    assert.equal(none.searchParams.get('error'), 'login_required');
  }
  const browser = await signedIn(newPerson());
  const page = await browser.get(`${threads.url}/oidc/agents/session/end`);
  const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(page.text) ?? [];
  const [, action = ''] = /action="([^"]+)"/.exec(page.text) ?? [];
  await browser.get(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) });
  assert.ok((await isAsked(browser))?.text.includes('Send me a code'));
});

test('the cookies of a sign-in change as somebody signs in: planted ones of 2 kinds open nothing for who planted them', async () => {
  for (const was of ['nobody', 'attacker'] as const) {
    const attacker = was === 'attacker' ? await signedIn(newPerson()) : new Browser();
    if (was === 'nobody') await isAsked(attacker);
    const planted = attacker.cookiesFor(`${threads.url}/oidc/agents/auth`).split('; ');
    const victim = new Browser();
    victim.take(
      planted.filter((cookie) => cookie !== '').map((cookie) => `${cookie}; Path=/`),
      threads.url,
    );
    const address = newPerson();
    const page = (await isAsked(victim, { prompt: 'login' })) as Got;
    await followBack(victim, await signIn(victim, page, address));
    const after = await isAsked(attacker);
    const account = await attacker.get(`${threads.url}/account`);
    assert.ok(!account.text.includes(address.split('@')[0] as string));
    assert.ok(after === undefined ? was === 'attacker' : !after.text.includes('Continue as'));
  }
});

test('no form of a sign-in to a service is taken in 6 ways from elsewhere: 4 forms, 24 refusals, and it goes on', async () => {
  const address = newPerson();
  const browser = new Browser();
  const { url, finish } = await notes.begin();
  const page = await browser.get((await browser.get(url)).location);
  const other = new Browser();
  const theirs = formOf((await isAsked(other)) as Got, 'code').data.get('csrf') as string;
  const second = formOf((await isAsked(browser, { state: 'second' })) as Got, 'code').data.get('csrf') as string;
  const again = await browser.get(page.url);
  // A browser keeps the cookie of each sign-in at its own path.
  assert.equal(again.status, 200);
  const csrf = formOf(page, 'code').data.get('csrf') as string;
  const headers = { origin, 'sec-fetch-site': 'same-origin' };
  const ways: readonly [string, string | undefined, Record<string, string>][] = [
    ['another site', csrf, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a neighbor', csrf, { origin, 'sec-fetch-site': 'same-site' }],
    ['nowhere', csrf, {}],
    ['no token', undefined, headers],
    ["another browser's token", theirs, headers],
    ["another sign-in's token", second, headers],
  ];
  const forms: readonly [string, Record<string, string>][] = [
    ['', { do: 'code', address }],
    ['', { do: 'cancel' }],
    ['/code', { do: 'verify', attempt: 'x', code: 'CCCC-CCCC' }],
    ['/passkey', { do: 'skip' }],
  ];
  for (const [path, fields] of forms) {
    for (const [way, token, headers] of ways) {
      const body = token === undefined ? fields : { ...fields, csrf: token };
      const got = await post(browser, page.url + path, body, headers);
      assert.equal(got.status, 403, `${fields.do} from ${way}`);
    }
  }
  const claims = await finish(await followBack(browser, await signIn(browser, page, address)));
  assert.equal(claims.email, address);
});

test('none of 8 pages of an issuer can be framed, kept by a cache, or tells where it is', async () => {
  const browser = await signedIn(newPerson());
  const { url } = await notes.begin({ prompt: 'login' });
  const page = await browser.get((await browser.get(url)).location);
  const sent = await send(browser, page, 'code', { address: newPerson() });
  const cancelled = new Browser();
  const cancels = await cancelled.get((await cancelled.get((await notes.begin()).url)).location);
  const pages = [
    page,
    sent,
    await browser.get(`${page.url}/passkey`),
    await browser.get(`${threads.url}/oidc/agents/sign-in/nothing`),
    await browser.get(`${threads.url}/oidc/agents/auth?client_id=nobody`),
    await browser.get(`${threads.url}/oidc/agents/session/end`),
    await browser.get(`${threads.url}/oidc/agents/session/end/success`),
    await send(cancelled, cancels, 'cancel'),
  ];
  for (const { url: at, headers, text } of pages) {
    assert.match(text, /<h1/, at);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, at);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, at);
    assert.equal(headers.get('x-frame-options'), 'DENY', at);
    assert.match(headers.get('cache-control') ?? '', /no-store/, at);
    assert.match(headers.get('referrer-policy') ?? '', /no-referrer|same-origin|strict-origin/, at);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', at);
  }
});

test('none of 20 addresses to go on to after signing out is redirected to', async () => {
  const browser = await signedIn(newPerson());
  const tries = [
    'https://evil.example/',
    '//evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    `${notes.origin}@evil.example/`,
    `${notes.origin}.evil.example/`,
    `${notes.redirect_uri}/../x`,
    `${notes.redirect_uri}%0d%0aSet-Cookie:a=b`,
    `${notes.redirect_uri}\r\nSet-Cookie: a=b`,
    notes.origin,
  ];
  const clients = [undefined, (await notes.begin()).url.searchParams.get('client_id') as string];
  for (const client_id of clients) {
    for (const to of tries) {
      const query = new URLSearchParams({ post_logout_redirect_uri: to, ...(client_id && { client_id }) });
      const got = await browser.get(`${threads.url}/oidc/agents/session/end?${query}`);
      assert.equal(got.location, '', to);
      assert.ok(!got.headers.getSetCookie().some((cookie) => cookie.startsWith('a=')));
      assert.doesNotMatch(got.headers.get('content-security-policy') ?? '', /evil/);
      if (got.status !== 200) continue;
      const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(got.text) ?? [];
      const [, action = ''] = /action="([^"]+)"/.exec(got.text) ?? [];
      const done = await browser.get(action, { method: 'POST', body: new URLSearchParams({ xsrf, stay: 'yes' }) });
      assert.ok(done.location === '' || new URL(done.location).origin === origin, done.location);
    }
  }
});

/** A service described in a document, as anyone can write one. */
async function registered(store: Store, name: string, redirect_uri: string, more: object = {}): Promise<string> {
  const mailbox = await store.mailboxes.byAddress('auth', 'agents');
  assert.ok(mailbox !== undefined);
  const now = Date.now();
  const id = newId('cli', now);
  const metadata = {
    client_name: name,
    redirect_uris: [redirect_uri],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'none',
    ...more,
  };
  await store.clients.create({
    id,
    namespace_id: mailbox.namespace_id,
    mailbox_id: mailbox.id,
    source: 'registration',
    name,
    metadata: JSON.stringify(metadata),
    secret: null,
    created_at: now,
    updated_at: now,
  });
  return id;
}

/** Its sign-in page and its mail. */
async function shown(id: string, redirect_uri: string, more: Record<string, string> = {}) {
  const browser = new Browser();
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...more,
  });
  const begun = await browser.get(`${threads.url}/oidc/agents/auth?${query}`);
  assert.ok(begun.location.includes('/sign-in/'), `${begun.status} ${begun.location} ${begun.text.slice(-800)}`);
  const page = await browser.get(begun.location);
  assert.equal(page.status, 200, page.text.slice(-800));
  const address = newPerson();
  const code = await send(browser, page, 'code', { address });
  return { page, code, mail: (await threads.outbox.code(address)).mail };
}

test('a service that calls itself one of 6 bad names is shown by its origin, and what it says is text', async () => {
  const names = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'Bank%0d%0aSet-Cookie: a=b',
    '\u200Fknab',
    'https://bank.example',
    '{{constructor.constructor}}',
  ];
  for (const name of names) {
    const redirect_uri = 'https://evil.example/callback';
    const id = await registered(threads.store, name, redirect_uri, { logo_uri: 'https://evil.example/logo' });
    const { page, code, mail } = await shown(id, redirect_uri);
    for (const { text, headers } of [page, code]) {
      assert.doesNotMatch(text, /<script>|<img src=x|javascript:|onerror=a[^&]*>/);
      assert.ok(!headers.getSetCookie().some((cookie) => cookie.startsWith('a=')));
      assert.ok(text.replaceAll('<wbr>', '').includes('evil.example'));
    }
    // The name is in an element that isolates its text direction.
    assert.match(page.text, /It calls itself <b dir="auto">/);
    assert.equal(mail.subject, 'Your code for evil.example');
    assert.ok(!`${mail.text}${mail.html}`.includes('bank'), 'the mail says nothing that the service says of itself');
    assert.ok(!page.text.includes('/logo'), 'no picture of its own');
  }
});

test('4 origins that look like others are shown as what they are: punycode, with port and user apart, an app as an app', async () => {
  for (const [redirect_uri, wanted, more] of [
    // The first letter is Cyrillic.
    [new URL('https://аpple.com/cb').href, 'https://xn--pple-43d.com', {}],
    ['https://bank.example.evil.example/cb', 'https://bank.example.evil.example', {}],
    ['https://evil.example:8443/https://bank.example/', 'https://evil.example:8443', {}],
    ['bank.example:/cb', 'the app bank.example:', { application_type: 'native' }],
  ] as const) {
    const id = await registered(threads.store, 'Bank', redirect_uri, more);
    const { page, mail } = await shown(id, redirect_uri);
    const heading = /<h1>(.*?)<\/h1>/s.exec(page.text)?.[1]?.replace(/<[^>]*>/g, '');
    assert.equal(heading, `Sign in to ${wanted}`);
    assert.ok(mail.text?.startsWith(`Sign in to ${wanted}\n`));
  }
});

test('a passkey is added to no old session, by neither of 2 ways around the page that asks to sign in again', async () => {
  const browser = await signedIn(newPerson());
  threads.pass(61 * 60_000);
  const account = await browser.get(`${threads.url}/account`);
  const of = formOf(account, 'everywhere').data;
  const again = await post(browser, `${threads.url}/account`, {
    csrf: of.get('csrf') as string,
    do: 'add',
    response: '{}',
  });
  assert.match(again.location, /note=again/);
  const shown = await browser.get(`${threads.url}/account/sign-in/passkey`);
  assert.ok(!shown.text.includes('Next time without a code?'));
  const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1] as string;
  const added = await post(browser, `${threads.url}/account/sign-in/passkey`, {
    csrf,
    do: 'add',
    name: 'x',
    response: '{}',
  });
  assert.doesNotMatch(added.text, /passkey did not work/);
});
