import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { type Visitor, visitorOf } from '../../../../tests/harness/console.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { until } from '../../../../tests/harness/until.ts';
import { isSigned, webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
const url = service.url.replace('localhost', '127.0.0.1');
const { api, newNamespace, newMailbox, send } = connect(url);

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly mailbox: string | null;
  readonly status: string;
}
const SOON_MS = 20_000;
const SECRET = /<code id="new-secret">(whsec_[^<]+)<\/code>/;
const hooksOf = async (home: Home): Promise<readonly Hook[]> =>
  (await api<Page<Hook>>('GET', '/webhooks', { key: home.key })).body.items;

async function signedIn(): Promise<{ readonly home: Home; readonly who: Visitor; readonly address: string }> {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'ada' });
  const who = visitorOf(url);
  assert.equal((await who.signIn(home.key)).status, 303);
  return { home, who, address };
}
/** Posts a form, and follows it to its page. */
async function act(who: Visitor, path: string, fields: Record<string, string>): Promise<string> {
  const done = await who.post(path, { ...fields, csrf: await who.token() });
  assert.equal(done.status, 303, done.html);
  return (await who.get(done.to)).html;
}

test('a webhook is made by a form, its secret is shown once, and a second click makes no second one', async () => {
  const { home, who, address } = await signedIn();
  await using endpoint = await webhookEndpoint();
  const empty = (await who.get('/console/webhooks')).html;
  assert.match(empty, /No webhooks yet/);
  const idempotencyKey = /name="once" value="([^"]+)"/.exec(empty)?.[1] ?? '';
  const fields = {
    url: endpoint.url,
    type: 'message.*',
    mailbox: 'ada',
    once: idempotencyKey,
    do: 'make',
    csrf: await who.token(),
  };
  const made = await who.post('/console/webhooks', fields);
  assert.equal(made.status, 201, made.html);
  const secret = SECRET.exec(made.html)?.[1] ?? '';
  assert.equal(made.headers.get('cache-control'), 'no-store');
  assert.equal((await who.post('/console/webhooks', fields)).status, 200);
  const [hook, ...more] = await hooksOf(home);
  assert.ok(hook !== undefined && more.length === 0);
  assert.deepEqual([hook.url, hook.types, hook.mailbox], [endpoint.url, ['message.*'], address]);
  for (const path of ['/console/webhooks', `/console/webhooks/${hook.id}`]) {
    const { html } = await who.get(path);
    assert.ok(html.includes(endpoint.url) && !html.includes('whsec_'), path);
  }
  await send(home.key, { to: address, body: 'Hello?', sync: true });
  const [posted] = await endpoint.got(1);
  assert.ok(posted !== undefined && (await isSigned(posted, secret)));
  const rotated = await who.post(`/console/webhooks/${hook.id}`, { do: 'rotate', csrf: await who.token() });
  const next = SECRET.exec(rotated.html)?.[1] ?? '';
  assert.ok(next !== '' && next !== secret);
  assert.match((await who.get(`/console/webhooks/${hook.id}`)).html, /An earlier secret signs too until/);
});

test('its page lists deliveries by status, sends them again, and sends what happened since a time', async () => {
  const { home, who, address } = await signedIn();
  await using endpoint = await webhookEndpoint();
  const { id } = (await api<Hook>('POST', '/webhooks', { key: home.key, body: { url: endpoint.url } })).body;
  const path = `/console/webhooks/${id}`;
  await send(home.key, { to: address, body: 'Hello?', sync: true });
  await until(
    SOON_MS,
    async () => (await who.get(path)).html,
    (html) => html.includes('tag answered'),
  );
  const { html } = await who.get(`${path}?status=sent`);
  assert.match(html, /message\.completed/);
  assert.match((await who.get(`${path}?status=failed`)).html, /None of these/);
  const delivery = /name="delivery" value="(dlv_[^"]+)"/.exec(html)?.[1] ?? '';
  assert.match(await act(who, path, { do: 'redeliver', delivery }), /It is sent again/);
  await endpoint.got(2);
  assert.match(await act(who, path, { do: 'replay', since: '2026-01-01T00:00' }), /sent again/);
  await endpoint.got(3);
  const wrong = await who.post(path, { do: 'replay', since: 'x', csrf: await who.token() });
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /no RFC 3339 time/);
  assert.match(await act(who, path, { do: 'test' }), /The test event arrived/);
  endpoint.answer(500);
  assert.match(await act(who, path, { do: 'test' }), /did not arrive/);
});

test('one that is off says why, and is switched on again', async () => {
  const { home, who, address } = await signedIn();
  await using endpoint = await webhookEndpoint();
  const { id } = (await api<Hook>('POST', '/webhooks', { key: home.key, body: { url: endpoint.url } })).body;
  const path = `/console/webhooks/${id}`;
  endpoint.answer(410);
  await send(home.key, { to: address, body: 'Hello?', sync: true });
  await until(
    SOON_MS,
    async () => (await who.get(path)).html,
    (html) => html.includes('Its endpoint answered 410'),
  );
  assert.match((await who.get('/console/webhooks')).html, /tag failed">Off/);
  assert.match(await act(who, path, { do: 'on' }), /switched on/);
  assert.equal((await hooksOf(home))[0]?.status, 'enabled');
  assert.match(await act(who, path, { do: 'off' }), /switched off by hand/);
  assert.match(await act(who, path, { do: 'save', url: `${endpoint.url}/2`, type: 'mailbox.*', mailbox: '' }), /saved/);
  const [hook] = await hooksOf(home);
  assert.deepEqual([hook?.url, hook?.types], [`${endpoint.url}/2`, ['mailbox.*']]);
  assert.match(await act(who, path, { do: 'remove' }), /is removed/);
  assert.equal((await who.get(path)).status, 404);
});

test('what is wrong with a form is said beside what was typed, and another namespace sees nothing', async () => {
  const { who } = await signedIn();
  const csrf = await who.token();
  for (const [fields, says] of [
    [{ url: 'https://10.0.0.1/', type: 'message.*' }, /not a public address/],
    [{ url: 'https://ada:x@example.com/', type: 'message.*' }, /no user name/],
    [{ url: 'https://hooks.invalid/' }, /Choose at least one/],
    [{ url: 'https://hooks.invalid/', type: 'message.*', mailbox: 'nowhere' }, /has no mailbox/],
  ] as const) {
    const refused = await who.post('/console/webhooks', { ...fields, do: 'make', csrf });
    assert.equal(refused.status, 422, refused.html);
    assert.match(refused.html, says);
    assert.ok(refused.html.includes(`value="${fields.url}"`), 'what was typed stays');
  }
  const other = await newNamespace();
  const { id } = (await api<Hook>('POST', '/webhooks', { key: other.key, body: { url: 'https://hooks.invalid/' } }))
    .body;
  assert.equal((await who.get(`/console/webhooks/${id}`)).status, 404);
  assert.equal((await who.post(`/console/webhooks/${id}`, { do: 'remove', csrf })).status, 404);
});
