import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { openConsole } from '../../../../tests/harness/console.ts';
import { newAgent } from '../../../../tests/harness/services.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const threads = await openConsole();
const { client, url } = threads;
const { send, read, newNamespace, newMailbox, newKey, tryOut, api } = client;
const HOUSE = 'auth@agents.mailroom.localhost';
const ORIGIN = 'https://service.example';
const ISSUER = `${url.replace('127.0.0.1', 'localhost')}/oidc/agents`;

interface TokenReply {
  readonly token: string;
  readonly token_type: string;
  readonly expires_at: string;
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly audience: string;
  readonly sealed?: boolean;
}
const tokenReply = (envelope: Envelope): TokenReply => envelope.reply?.data as unknown as TokenReply;
const jwksOf = ({ jwks_uri }: TokenReply) => createRemoteJWKSet(new URL(jwks_uri));

test('an agent is given a token by one sync send, and a service checks it against the JWKS', async () => {
  const agent = await newAgent(threads);
  for (const requested of [
    { body: `token for ${ORIGIN}` },
    { body: 'Please.', data: { op: 'token', audience: `${ORIGIN}/` } },
  ]) {
    const began = Date.now();
    const answer = await send(agent.key, { to: HOUSE, from: agent.mailbox.address, sync: true, ...requested });
    assert.deepEqual([answer.status, answer.body.status], [200, 'completed'], answer.text);
    const token = tokenReply(answer.body);
    assert.deepEqual([token.issuer, token.audience, token.token_type], [ISSUER, ORIGIN, 'Bearer']);
    assert.ok(answer.body.reply?.body.includes(token.token));
    const { payload, protectedHeader } = await jwtVerify(token.token, jwksOf(token), {
      issuer: ISSUER,
      audience: ORIGIN,
      typ: 'agent-token+jwt',
      algorithms: ['ES256'],
    });
    assert.equal(typeof protectedHeader.kid, 'string');
    assert.equal(payload.email, agent.mailbox.address);
    assert.equal(payload.email_verified, true);
    assert.equal(payload.name, 'Ada’s agent');
    assert.equal(Number(payload.exp) - Number(payload.iat), 300);
    assert.ok(Math.abs(Number(payload.iat) * 1000 - began) < 30_000);
    assert.equal(Date.parse(token.expires_at), Number(payload.exp) * 1000);
    assert.match(String(payload.jti), /^[\w-]{22}$/);
    assert.match(String(payload.sub), /^[\w-]{27}$/);
  }
});

test('an agent is the same subject with one issuer each time, and another with each issuer and for each agent', async () => {
  const [one, two] = [await newAgent(threads), await newAgent(threads)];
  const other = await newMailbox(await newNamespace(), { local_part: 'auth', behavior: { name: 'auth' } });
  const subject = async (agent: typeof one, to: string): Promise<string> => {
    const { body } = await send(agent.key, {
      to,
      from: agent.mailbox.address,
      body: `token for ${ORIGIN}`,
      sync: true,
    });
    const made = tokenReply(body);
    return String((await jwtVerify(made.token, jwksOf(made), { audience: ORIGIN, issuer: made.issuer })).payload.sub);
  };
  const first = await subject(one, HOUSE);
  assert.equal(await subject(one, HOUSE), first);
  const all = [first, await subject(two, HOUSE), await subject(one, other.address), await subject(two, other.address)];
  assert.equal(new Set(all).size, 4);
});

test('a token of one issuer is not one of another', async () => {
  const agent = await newAgent(threads);
  const other = await newMailbox(await newNamespace(), { local_part: 'auth', behavior: { name: 'auth' } });
  const ask = { from: agent.mailbox.address, body: `token for ${ORIGIN}`, sync: true };
  const here = tokenReply((await send(agent.key, { to: HOUSE, ...ask })).body);
  const there = tokenReply((await send(agent.key, { to: other.address, ...ask })).body);
  await assert.rejects(jwtVerify(here.token, jwksOf(there)));
  await assert.rejects(jwtVerify(there.token, jwksOf(here)));
  assert.notEqual(decodeProtectedHeader(here.token).kid, decodeProtectedHeader(there.token).kid);
});

test('the token is told once: lists, threads, later reads and a retry have the note', async () => {
  const agent = await newAgent(threads);
  const headers = { 'idempotency-key': 'once-and-no-more' };
  const ask = { to: HOUSE, from: agent.mailbox.address, body: `token for ${ORIGIN}`, sync: true };
  const first = await send(agent.key, ask, headers);
  const { token } = tokenReply(first.body);
  const again = await send(agent.key, ask, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.body.id, first.body.id);
  const { secret: reader } = await newKey(agent.home, { scopes: ['messages:read'] });
  const { id, thread_id } = first.body;
  for (const answer of [
    again,
    await read(agent.key, id),
    await read(reader, id),
    await api('GET', '/mail/messages', { key: reader }),
    await api('GET', `/mail/threads/${thread_id}`, { key: agent.key }),
    await api('GET', `/mailboxes/${agent.mailbox.address}/messages`, { key: reader }),
  ]) {
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.text.includes(token), false);
    assert.ok(answer.text.includes('"sealed":true'), answer.text);
  }
});

test('a token that nobody waited for is told to the key that asked, the first time it reads the message, and to no other', async () => {
  const agent = await newAgent(threads);
  const { body } = await send(agent.key, { to: HOUSE, from: agent.mailbox.address, body: `token for ${ORIGIN}` });
  const { secret: reader } = await newKey(agent.home, { scopes: ['messages:read', 'mail:send', 'auth:assert'] });
  for (const key of [reader, agent.home.key]) {
    const other = await read(key, body.id, '?wait=20');
    assert.deepEqual(
      [other.body.status, tokenReply(other.body).sealed, tokenReply(other.body).token],
      ['completed', true, undefined],
    );
  }
  const head = await fetch(`${url}/api/v1/mail/messages/${body.id}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${agent.key}` },
  });
  assert.equal(head.status, 200);
  const stream = await api('GET', `/mail/messages/${body.id}`, {
    key: agent.key,
    headers: { accept: 'text/event-stream' },
  });
  assert.ok(stream.text.includes('"sealed":true'), stream.text);
  const reads = await Promise.all(Array.from({ length: 10 }, () => read(agent.key, body.id)));
  const tokens = reads.map((one) => tokenReply(one.body).token).filter((one) => one !== undefined);
  assert.equal(tokens.length, 1);
  const [token = ''] = tokens;
  await jwtVerify(token, createRemoteJWKSet(new URL(`${ISSUER}/jwks`)), { audience: ORIGIN });
});

test('what is missing is said with how to mend it', async () => {
  const agent = await newAgent(threads);
  const mute = await newAgent(threads, ['mail:send']);
  const { secret: free } = await newKey(agent.home, { scopes: ['mail:send', 'auth:assert'] });
  const ask = { to: HOUSE, body: `token for ${ORIGIN}`, sync: true };
  for (const [answer, wanted] of [
    [await send(mute.key, { ...ask, from: mute.mailbox.address }), /scope auth:assert/],
    [await send(free, ask), /`from`/],
    [await send(agent.home.key, ask), /`from`/],
    [await send(agent.key, { ...ask, from: agent.mailbox.address, body: 'token for service.example' }), /origin/],
    [await send(agent.key, { ...ask, from: agent.mailbox.address, body: 'One.', data: { op: 'token' } }), /"audience"/],
  ] as const) {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual([answer.body.status, answer.body.error?.code], ['rejected', 'rejected'], answer.text);
    assert.match(answer.body.error?.message ?? '', wanted);
  }
  const owner = await send(agent.home.key, { ...ask, from: agent.mailbox.address });
  assert.equal(typeof tokenReply(owner.body).token, 'string');
});

test('what another message caused gets no token: a task that sends', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, { local_part: 'do', behavior: { name: 'do', settings: {} } });
  const { secret } = await newKey(home, { scopes: ['owner'] });
  const { body } = await send(secret, { to: address, body: `send "token for ${ORIGIN}" to ${HOUSE}`, sync: true });
  const sent = await api<{ items: Envelope[] }>('GET', '/mail/messages', { key: home.key });
  const asked = [...sent.body.items].find(({ to }) => to === HOUSE);
  assert.ok(asked !== undefined, JSON.stringify(body));
  assert.deepEqual([asked.status, asked.reply], ['rejected', null]);
  assert.match(asked.error?.message ?? '', /program that writes to this address itself/);
});

test('a guest is told what there is, whatever it asks for, and so is everybody who asks nothing', async () => {
  for (const body of ['Hello?', `token for ${ORIGIN}`, `sign in ${ISSUER}/auth?client_id=x`]) {
    const answer = await tryOut({ to: HOUSE, body });
    assert.deepEqual([answer.status, answer.body.status], [200, 'completed'], answer.text);
    const data = answer.body.reply?.data as unknown as { issuer: string; discovery: string; can: { op: string }[] };
    assert.equal(data.issuer, ISSUER);
    assert.deepEqual(
      data.can.map(({ op }) => op),
      ['token', 'sign_in'],
    );
    assert.ok(answer.body.reply?.body.includes(ISSUER));
    const discovery = (await (await fetch(data.discovery)).json()) as { issuer: string };
    assert.equal(discovery.issuer, ISSUER);
  }
  const keyed = await send((await newNamespace()).key, { to: HOUSE, body: 'What can you do?', sync: true });
  assert.equal(keyed.body.status, 'completed');
});

test('a key that was revoked gets nothing more', async () => {
  const agent = await newAgent(threads);
  const ask = { to: HOUSE, from: agent.mailbox.address, body: `token for ${ORIGIN}` };
  const waits = await send(agent.key, ask);
  assert.equal((await api('DELETE', `/keys/${agent.keyId}`, { key: agent.home.key })).status, 204);
  assert.equal((await send(agent.key, { ...ask, sync: true })).status, 401);
  assert.equal((await read(agent.key, waits.body.id)).status, 401);
  const owner = await read(agent.home.key, waits.body.id, '?wait=60');
  assert.equal(tokenReply(owner.body)?.token, undefined);
});
