import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { openConsole } from '../../../../tests/harness/console.ts';
import {
  type Agent,
  authorizationUrl,
  newAgent,
  newService,
  type Registered,
} from '../../../../tests/harness/services.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';

const threads = await openConsole();
const { client, visitor, store, url: base } = threads;
const { send, read, newNamespace, newMailbox, newKey, api, tryOut } = client;
const origin = base.replace('127.0.0.1', 'localhost');

interface Issuer {
  readonly auth: Mailbox;
  readonly url: string;
}

async function makeIssuer(): Promise<Issuer> {
  const home = await newNamespace();
  const auth = await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
  return { auth, url: `${origin}/oidc/${home.name}` };
}
/** One for all tests, since the first token of an issuer waits for an RSA key of 3,072 bits. */
const issuer = await makeIssuer();

interface Plan {
  readonly mailbox: string;
  readonly service: string;
  readonly client: { readonly id: string; readonly name: string };
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly url: string;
}
type Waiting = Envelope & {
  readonly approval?: { readonly by: string; readonly plan: Plan; readonly plan_sha256: string };
};
const callbackOf = (envelope: Envelope): string | undefined =>
  (envelope.reply?.data as unknown as { callback_url?: string } | undefined)?.callback_url;

const ask = async (agent: Agent, { auth }: Issuer, url: string, more: Record<string, unknown> = {}) =>
  (
    await send(agent.key, {
      to: auth.address,
      from: agent.mailbox.address,
      body: `sign in ${url}`,
      sync: true,
      ...more,
    })
  ).body as Waiting;

async function allow({ mailbox }: Agent, { auth }: Issuer, { id }: Registered): Promise<void> {
  const [agent, issuer] = [await store.mailboxes.byId(mailbox.id), await store.mailboxes.byId(auth.id)];
  await store.allowances.allow({
    mailbox_id: agent?.id ?? '',
    issuer_id: issuer?.namespace_id ?? '',
    client_id: id,
    name: 'Example',
    created_at: Date.now(),
  });
}

/** Redeems the callback like a service. */
async function redeem(issuer: Issuer, service: Registered, callback: string, verifier: string) {
  const answer = await fetch(`${issuer.url}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${service.id}:${service.secret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(callback).searchParams.get('code') ?? '',
      redirect_uri: service.redirect_uri,
      code_verifier: verifier,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as { id_token?: string } };
}

test('an agent signs in to a service that its owner allowed, and the service knows who it is', async () => {
  const agent = await newAgent(threads);
  const service = await newService(threads, issuer.auth);
  await allow(agent, issuer, service);
  const { url, verifier, state, nonce } = authorizationUrl(issuer.url, service);
  const answer = await ask(agent, issuer, url);
  assert.equal(answer.status, 'completed', JSON.stringify(answer.error));
  const callback = callbackOf(answer) ?? '';
  assert.ok(callback.startsWith(`${service.redirect_uri}?`), callback);
  assert.equal(new URL(callback).searchParams.get('state'), state);
  const tokens = await redeem(issuer, service, callback, verifier);
  assert.equal(tokens.status, 200);
  const jwks = createRemoteJWKSet(new URL(`${issuer.url}/jwks`));
  const { payload } = await jwtVerify(tokens.body.id_token ?? '', jwks, { issuer: issuer.url, audience: service.id });
  assert.deepEqual([payload.email, payload.nonce], [agent.mailbox.address, nonce]);
  const later = await read(agent.key, answer.id);
  assert.equal(callbackOf(later.body), undefined);
  assert.equal(later.text.includes(new URL(callback).searchParams.get('code') ?? '?'), false);
});

test('another service waits until the agent’s owner says yes to exactly what is shown; then the key that asked is told', async () => {
  const agent = await newAgent(threads);
  const service = await newService(threads, issuer.auth);
  const { url, verifier } = authorizationUrl(issuer.url, service);
  const waits = await ask(agent, issuer, url);
  assert.deepEqual([waits.status, waits.waiting_for, waits.approval?.by], ['working', 'approval', 'sender']);
  assert.deepEqual(waits.approval?.plan, {
    op: 'sign_in',
    mailbox: agent.mailbox.address,
    service: service.origin,
    client: { id: service.id, name: 'Example' },
    redirect_uri: service.redirect_uri,
    scopes: ['openid', 'email'],
    issuer: issuer.url,
    url,
  });
  const { plan_sha256 } = waits.approval;
  const approve = (key: string, body = {}) => api('POST', `/mail/messages/${waits.id}/approve`, { key, body });
  const recipient = (await store.mailboxes.byId(issuer.auth.id))?.namespace;
  assert.ok(recipient !== undefined);
  for (const key of [agent.key, (await newNamespace()).key]) {
    assert.ok([403, 404].includes((await approve(key)).status));
  }
  const { secret: reader } = await newKey(agent.home, { scopes: ['messages:read', 'mail:send', 'auth:assert'] });
  assert.equal((await approve(reader)).status, 403);
  assert.equal((await approve(agent.home.key, { plan_sha256: '0'.repeat(64) })).status, 422);
  const { secret: writer } = await newKey(agent.home, { scopes: ['mailboxes:write'] });
  assert.equal((await approve(writer, { plan_sha256 })).status, 200);
  for (const key of [agent.home.key, reader]) {
    const other = await read(key, waits.id, '?wait=60');
    assert.deepEqual([other.body.status, callbackOf(other.body)], ['completed', undefined]);
  }
  const answered = await read(agent.key, waits.id);
  const callback = callbackOf(answered.body) ?? '';
  assert.ok(callback.startsWith(service.redirect_uri));
  assert.equal((await redeem(issuer, service, callback, verifier)).status, 200);
});

test('the recipient’s owner does not decide for the agent’s', async () => {
  const agent = await newAgent(threads);
  const home = await newNamespace();
  const auth = await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
  const issuer = { auth, url: `${origin}/oidc/${home.name}` };
  const service = await newService(threads, auth);
  const waits = await ask(agent, issuer, authorizationUrl(issuer.url, service).url);
  for (const decision of ['approve', 'refuse']) {
    const answer = await api('POST', `/mail/messages/${waits.id}/${decision}`, { key: home.key });
    assert.equal(answer.status, 403, answer.text);
  }
  const refused = await api<Envelope>('POST', `/mail/messages/${waits.id}/refuse`, {
    key: agent.home.key,
    body: { reason: 'Never heard of it.' },
  });
  assert.deepEqual([refused.body.status, refused.body.error?.message], ['rejected', 'Never heard of it.']);
});

test('the console of the agent’s namespace shows where it wants to sign in, and decides', async () => {
  const agent = await newAgent(threads);
  const service = await newService(threads, issuer.auth, 'https://shop.example');
  const { url, verifier } = authorizationUrl(issuer.url, service);
  const waits = await ask(agent, issuer, url);
  const who = visitor();
  assert.equal((await who.signIn(agent.home.key)).status, 303);
  const list = await who.get('/console?status=approve');
  assert.ok(list.html.includes(`data-row="${waits.id}"`));
  assert.match(list.html, /data-waiting="approve">1</);
  const path = `/console/messages/${waits.id}`;
  const { html } = await who.get(path);
  for (const text of [
    '<strong>https://shop.example</strong>',
    service.redirect_uri,
    service.id,
    agent.mailbox.address,
    'its address',
  ]) {
    assert.ok(html.includes(text), text);
  }
  const stranger = visitor();
  await stranger.signIn((await newNamespace()).key);
  assert.equal((await stranger.get(path)).status, 404);
  const yes = await who.send(path, {}, ['do', 'approve']);
  assert.equal(yes.status, 303);
  const settled = await read(agent.home.key, waits.id, '?wait=60');
  assert.equal(settled.body.status, 'completed');
  assert.equal(callbackOf(settled.body), undefined);
  assert.match((await who.get(path)).html, /shown once, to the key that asked/);
  const callback = callbackOf((await read(agent.key, waits.id)).body) ?? '';
  assert.equal((await redeem(issuer, service, callback, verifier)).status, 200);
  assert.equal((await who.get('/console?status=approve')).html.includes(`data-row="${waits.id}"`), false);
});

test('the console of the issuer’s namespace shows that it waits, and leaves the decision', async () => {
  const agent = await newAgent(threads);
  const home = await newNamespace();
  const auth = await newMailbox(home, { local_part: 'auth', behavior: { name: 'auth' } });
  const issuer = { auth, url: `${origin}/oidc/${home.name}` };
  const service = await newService(threads, auth);
  const waits = await ask(agent, issuer, authorizationUrl(issuer.url, service).url);
  const who = visitor();
  await who.signIn(home.key);
  assert.equal((await who.get('/console?status=approve')).html.includes(`data-row="${waits.id}"`), false);
  const { html } = await who.get(`/console/messages/${waits.id}`);
  assert.match(html, /Waiting for the owner of the address it was sent from to decide/);
  assert.equal(html.includes('name="plan_sha256"'), false);
  const csrf = await who.token();
  const { plan_sha256 = '' } = waits.approval ?? {};
  const forced = await who.post(`/console/messages/${waits.id}`, { csrf, plan_sha256, do: 'approve' });
  assert.equal(forced.status, 403);
  assert.equal((await read(agent.key, waits.id)).body.waiting_for, 'approval');
});

test('an agent is not tricked: another service, another issuer, another name than it was told', async () => {
  const [agent, other] = [await newAgent(threads), await makeIssuer()];
  const service = await newService(threads, issuer.auth, 'https://evil.example');
  await allow(agent, issuer, service);
  const { url } = authorizationUrl(issuer.url, service);
  const data = (fields: object) => ({ body: 'Sign in.', data: { op: 'sign_in', url, ...fields } });
  for (const [answer, wanted] of [
    [
      await ask(agent, issuer, url, data({ service: 'https://bank.example' })),
      /signs in to https:\/\/evil\.example, not/,
    ],
    [await ask(agent, issuer, url, data({ service: 'nonsense' })), /not to nonsense/],
    [await ask(agent, other, url), /and this is not one/],
    [await ask(agent, issuer, url.replace(origin, 'https://elsewhere.example')), /and this is not one/],
    [await ask(agent, issuer, url.replace('//localhost', '//ada:pw@localhost')), /and this is not one/],
    [
      await ask(agent, issuer, `${issuer.url}/../${issuer.url.split('/').at(-1)}x/auth?client_id=1`),
      /not one|no sign-in/,
    ],
    [
      await ask(agent, issuer, authorizationUrl(issuer.url, service, { redirect_uri: 'https://bank.example/' }).url),
      /redirect_uri/,
    ],
    [
      await ask(agent, issuer, authorizationUrl(issuer.url, service, { code_challenge_method: 'plain' }).url),
      /code_challenge/,
    ],
    [await ask(agent, issuer, authorizationUrl(issuer.url, { ...service, id: 'cli_none' }).url), /client/],
  ] as const) {
    assert.deepEqual([answer.status, answer.reply], ['rejected', null], JSON.stringify(answer));
    assert.match(answer.error?.message ?? '', wanted);
  }
  const right = await ask(agent, issuer, url, data({ service: 'https://evil.example/' }));
  assert.ok(callbackOf(right)?.startsWith(service.redirect_uri));
});

test('an allowance is for one mailbox, one issuer and one service', async () => {
  const agent = await newAgent(threads);
  const [service, second] = [await newService(threads, issuer.auth), await newService(threads, issuer.auth)];
  await allow(agent, issuer, service);
  const neighbor = await newMailbox(agent.home);
  const { secret } = await newKey(agent.home, { scopes: ['mail:send', 'auth:assert'], mailbox: neighbor.address });
  const asNeighbor = { ...agent, mailbox: neighbor, key: secret };
  const waiting = async (one: Agent, of: Registered) =>
    (await ask(one, issuer, authorizationUrl(issuer.url, of).url)).waiting_for;
  assert.equal(await waiting(agent, service), null);
  assert.equal(await waiting(agent, second), 'approval');
  assert.equal(await waiting(asNeighbor, service), 'approval');
});

test('nobody without key, scope and address signs in, and nothing is asked of an owner for them', async () => {
  const agent = await newAgent(threads);
  const mute = await newAgent(threads, ['mail:send']);
  const service = await newService(threads, issuer.auth);
  const { url } = authorizationUrl(issuer.url, service);
  assert.equal((await ask(mute, issuer, url)).error?.code, 'rejected');
  const plain = await send(agent.home.key, { to: issuer.auth.address, body: `sign in ${url}`, sync: true });
  assert.equal(plain.body.error?.code, 'rejected');
  const guest = await tryOut({ to: issuer.auth.address, body: `sign in ${url}` });
  assert.deepEqual([guest.body.status, guest.body.waiting_for], ['completed', null]);
  assert.equal(callbackOf(guest.body), undefined);
});

test('what was approved and means something else by then is not done', async () => {
  const agent = await newAgent(threads);
  const service = await newService(threads, issuer.auth);
  const waits = await ask(agent, issuer, authorizationUrl(issuer.url, service).url);
  assert.equal(waits.waiting_for, 'approval');
  await store.clients.change(service.id, { name: 'Your bank' }, Date.now());
  await api('POST', `/mail/messages/${waits.id}/approve`, { key: agent.home.key });
  const settled = await read(agent.key, waits.id, '?wait=60');
  assert.equal(settled.body.status, 'rejected');
  assert.match(settled.body.error?.message ?? '', /has changed since it was approved/);
});

test('a callback that is not fetched within a minute is gone', async () => {
  const agent = await newAgent(threads);
  const service = await newService(threads, issuer.auth);
  await allow(agent, issuer, service);
  const { url } = authorizationUrl(issuer.url, service);
  const { body } = await send(agent.key, {
    to: issuer.auth.address,
    from: agent.mailbox.address,
    body: `sign in ${url}`,
  });
  await read(agent.home.key, body.id, '?wait=60');
  threads.pass(61_000);
  const late = await read(agent.key, body.id);
  assert.deepEqual([late.body.status, callbackOf(late.body)], ['completed', undefined]);
});

test('a task that was told to sign in, at once or later, signs nobody in, though its address may', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings: {} } });
  const service = await newService(threads, issuer.auth);
  const { secret, id } = await newKey(home, { scopes: ['owner'] });
  await allow({ home, mailbox, key: secret, keyId: id }, issuer, service);
  for (const when of everyNth(['', 'in 1 second '], 2)) {
    const { url } = authorizationUrl(issuer.url, service);
    const task = `${when}send "sign in ${url}" to ${issuer.auth.address}`;
    const answered = await send(secret, { to: mailbox.address, body: task, sync: true });
    threads.pass(2_000);
    const { seen } = await until(
      15_000,
      async () => (await api<{ items: Envelope[] }>('GET', '/mail/messages', { key: home.key })).body.items,
      (items) =>
        items.some(
          ({ to, body, status }) => to === issuer.auth.address && body?.includes(url) && status === 'rejected',
        ),
    );
    const asked = seen.find(({ to, body }) => to === issuer.auth.address && body?.includes(url));
    assert.equal(asked?.reply, null, JSON.stringify(answered.body));
    assert.match(asked?.error?.message ?? '', /program that writes to this address itself/);
  }
});
