import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AllowedService, newAuth, newService, type Service } from '../../../../tests/harness/auth.ts';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { client, visitor } = threads;
const { newNamespace, newMailbox, api } = client;

async function signedIn(home: Home): Promise<Visitor> {
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}
const servicesOf = async (home: Home, address: string): Promise<Service[]> =>
  (await api<Page<Service>>('GET', `/mailboxes/${address}/clients`, { key: home.key })).body.items;
const CODE = (id: string) => new RegExp(`<code id="${id}">([^<]+)</code>`);
const code = (html: string, id: string): string => CODE(id).exec(html)?.[1] ?? '';
const FORM = { name: 'Shop', redirects: 'https://shop.example/callback' };

test('an auth address leads to the apps in which people sign in by it, any other does not', async () => {
  const home = await newNamespace();
  const { address } = await newAuth(client, home);
  await newMailbox(home, { local_part: 'plain' });
  const who = await signedIn(home);
  const own = (await who.get('/console/addresses/auth?tab=behavior')).html;
  assert.match(
    own,
    /href="\.\.\/\.\.\/console\/clients\/auth".*?Your apps<\/a><span class="meta">Apps that let people sign in here \(OIDC clients\)/,
  );
  assert.match(
    (await who.get('/console/addresses/auth?tab=access')).html,
    /Where it may sign in<\/a><span class="meta">Services it may sign in to [^<]*\(allowed relying parties\)/,
  );
  assert.doesNotMatch((await who.get('/console/addresses/plain?tab=behavior')).html, /console\/clients/);
  assert.equal((await who.get('/console/clients/plain')).status, 404);
  const { html } = await who.get('/console/clients/auth');
  assert.match(html, /No apps yet/);
  assert.equal(new URL(code(html, 'issuer')).pathname, `/oidc/${home.name}`);
  assert.deepEqual(await servicesOf(home, address), []);
});

test('a service is registered by a form, its secret is shown once, and a second click makes no second one', async () => {
  const home = await newNamespace();
  const { address } = await newAuth(client, home);
  const who = await signedIn(home);
  const { html } = await who.get('/console/clients/auth?edit=');
  const idempotency = /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const fields = { ...FORM, once: idempotency, method: 'client_secret_basic', do: 'save', csrf: await who.token() };
  const registered = await who.post('/console/clients/auth', fields);
  assert.equal(registered.status, 201, registered.html);
  assert.match(code(registered.html, 'client-secret'), /^mr_client_[0-9A-Za-z]{43}$/);
  assert.equal(registered.headers.get('cache-control'), 'no-store');
  const again = await who.post('/console/clients/auth', fields);
  assert.equal(again.status, 200);
  assert.match(again.html, /sent twice/);
  assert.equal(code(again.html, 'client-secret'), '');
  const [service, ...others] = await servicesOf(home, address);
  assert.deepEqual(others, []);
  assert.equal(code(registered.html, 'client-id'), service?.id);
  assert.deepEqual(service?.redirect_uris, ['https://shop.example/callback']);
  const list = (await who.get('/console/clients/auth')).html;
  assert.ok(list.includes(service?.id as string) && list.includes('Shop'));
  for (const path of ['', `?edit=${service?.id}`])
    assert.ok(!(await who.get(`/console/clients/auth${path}`)).html.includes('mr_client_'));
});

test('what is wrong is told at its field, and nothing that was typed is lost', async () => {
  const home = await newNamespace();
  const { address } = await newAuth(client, home);
  const who = await signedIn(home);
  const redirects = 'https://shop.example/cb\nhttp://shop.example/cb';
  const answer = await who.send('/console/clients/auth?edit=', { name: '', redirects, keys: 'x' }, ['do', 'save']);
  assert.equal(answer.status, 422);
  assert.match(answer.html, /<title>Error: New app/);
  assert.match(answer.html, /href="#name"/);
  assert.ok(answer.html.includes('http://shop.example/cb</textarea>'));
  const next = await who.send('/console/clients/auth?edit=', { name: 'Shop', redirects }, ['do', 'save']);
  assert.match(next.html, /http:\/\/shop\.example\/cb: http is for localhost/);
  const none = await who.send('/console/clients/auth?edit=', { name: 'Shop' }, ['do', 'save']);
  assert.match(none.html, /Enter at least one\./);
  const keys = await who.send('/console/clients/auth?edit=', { ...FORM, method: 'private_key_jwt', keys: '{' }, [
    'do',
    'save',
  ]);
  assert.match(keys.html, /neither an https URL nor JSON/);
  assert.deepEqual(await servicesOf(home, address), []);
});

test('a service is changed, gets a new secret, and is removed', async () => {
  const home = await newNamespace();
  const auth = await newAuth(client, home);
  const { id, client_secret } = await newService(client, home, auth, { client_uri: 'https://app.example.com/' });
  const who = await signedIn(home);
  const page = `/console/clients/auth?edit=${id}`;
  const two = 'https://app.example.com/callback\ncom.example.app:/callback';
  const saved = await who.send(page, { redirects: two, native: 'yes', home: '' }, ['do', 'save']);
  assert.equal(saved.to, `${page}&done=saved`);
  assert.match((await who.get(saved.to)).html, /Saved\./);
  const [changed] = await servicesOf(home, auth.address);
  assert.deepEqual(changed?.redirect_uris, two.split('\n'));
  assert.deepEqual([changed?.application_type, changed?.client_uri], ['native', null]);
  const renewed = await who.post('/console/clients/auth', { do: 'secret', id, csrf: await who.token() });
  assert.match(code(renewed.html, 'client-secret'), /^mr_client_/);
  assert.notEqual(code(renewed.html, 'client-secret'), client_secret);
  const removed = await who.post('/console/clients/auth', { do: 'remove', id, csrf: await who.token() });
  assert.equal(removed.to, '/console/clients/auth?done=removed');
  assert.deepEqual(await servicesOf(home, auth.address), []);
  assert.equal((await who.get(page)).status, 404);
});

test('a token to register by is shown once and removed', async () => {
  const home = await newNamespace();
  await newAuth(client, home);
  const who = await signedIn(home);
  const made = await who.send('/console/clients/auth', { token_name: 'staging' }, ['do', 'token']);
  assert.equal(made.status, 201);
  assert.match(code(made.html, 'token'), /^mr_register_[0-9A-Za-z]{43}$/);
  const { html } = await who.get('/console/clients/auth');
  assert.ok(html.includes('staging') && !html.includes('mr_register_'));
  const id = /name="id" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
  const ended = await who.post('/console/clients/auth', { do: 'end', id, csrf: await who.token() });
  assert.equal(ended.to, '/console/clients/auth?done=ended');
  assert.ok(!(await who.get('/console/clients/auth')).html.includes('staging'));
});

test('the page of any address lists where it may sign in, adds a service, and takes one away', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const box = await newMailbox(home, { local_part: 'agent' });
  const app = await newService(client, other, await newAuth(client, other), { name: 'Shop' });
  const who = await signedIn(home);
  assert.match(
    (await who.get('/console/addresses/agent?tab=access')).html,
    /href="\.\.\/\.\.\/console\/services\/agent"/,
  );
  const path = '/console/services/agent';
  const wrong = await who.send(path, { issuer: 'nobody-here', client_id: app.id }, ['do', 'allow']);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /does not offer sign-in/);
  assert.ok(wrong.html.includes(`value="${app.id}"`));
  const allowed = await who.send(path, { issuer: app.issuer, client_id: app.id }, ['do', 'allow']);
  assert.equal(allowed.to, `${path}?done=allowed`);
  const list = async () =>
    (await api<Page<AllowedService>>('GET', `/mailboxes/${box.address}/services`, { key: home.key })).body.items;
  const [one] = await list();
  assert.deepEqual([one?.client_id, one?.name], [app.id, 'Shop']);
  assert.match((await who.get(path)).html, /<b dir="auto">Shop<\/b>/);
  const removed = await who.post(path, { do: 'remove', id: one?.id ?? '', csrf: await who.token() });
  assert.equal(removed.to, `${path}?done=removed`);
  assert.deepEqual(await list(), []);
});

test('nothing is done without a session, without its token, or for another namespace', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const auth = await newAuth(client, home);
  const { id } = await newService(client, home, auth);
  const [who, stranger] = [await signedIn(home), await signedIn(other)];
  await newAuth(client, other);
  const forms: [string, Record<string, string>][] = [
    ['/console/clients/auth', { ...FORM, do: 'save' }],
    ['/console/clients/auth', { do: 'remove', id }],
    ['/console/clients/auth', { do: 'secret', id }],
    ['/console/clients/auth', { do: 'token' }],
    ['/console/services/auth', { do: 'allow', issuer: home.name, client_id: id }],
  ];
  for (const [path, fields] of forms) {
    assert.equal((await visitor().post(path, fields)).status, 403);
    assert.equal((await who.post(path, fields)).status, 403);
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await who.post(path, { ...fields, csrf: await who.token() }, evil)).status, 403);
  }
  const csrf = await stranger.token();
  assert.equal((await stranger.post('/console/clients/auth', { do: 'remove', id, csrf })).status, 404);
  assert.equal((await stranger.get(`/console/clients/auth?edit=${id}`)).status, 404);
  const [left, ...more] = await servicesOf(home, auth.address);
  assert.deepEqual([left?.id, more], [id, []]);
});
