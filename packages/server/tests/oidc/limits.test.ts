import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { Person } from '../../../../tests/harness/person.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { request, wire } from '../../../../tests/harness/raw.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_PAGES_PER_MINUTE: '20' } });
const { newNamespace, newMailbox, newKey, api } = connect(service.url);
const ISSUER = `${service.url}/oidc/agents`;

test('a code in an inbox here is told to no key that may only read: whoever has it is that address', async () => {
  const home = await newNamespace();
  const mailbox = await newMailbox(home);
  const { secret: reader } = await newKey(home, { scopes: ['messages:read'] });
  const { secret: agent } = await newKey(home, { scopes: ['messages:read', 'auth:assert'], mailbox: mailbox.address });
  const person = new Person(service.url);
  await person.send(await person.get('/account'), ['do', 'code'], { address: mailbox.address });
  const path = `/mailboxes/${mailbox.address}/messages`;
  let id: string | undefined;
  while (id === undefined) {
    id = (await api<{ items: { id: string }[] }>('GET', path, { key: home.key })).body.items[0]?.id;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const bodyFor = async (key: string): Promise<string> =>
    (await api<{ body: string }>('GET', `/mail/messages/${id}`, { key })).body.body ?? '';
  assert.match(await bodyFor(reader), /was here/);
  assert.doesNotMatch(await bodyFor(reader), /^[A-Z0-9]{4}-[A-Z0-9]{4}$/m);
  for (const key of [agent, home.key]) assert.match(await bodyFor(key), /^[A-Z0-9]{4}-[A-Z0-9]{4}$/m);
});

test('documents of services are read at most so often a minute for whoever asks', async () => {
  const ask = async (at: number): Promise<string> => {
    const answer = await fetch(`${ISSUER}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', client_id: `https://nobody.invalid/${at}.json` }),
    });
    assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status));
    return answer.text();
  };
  const said = await Promise.all(Array.from({ length: 150 }, (_, at) => ask(at)));
  const refused = said.filter((text) => text.includes('not allowed')).length;
  assert.ok(refused > 0 && refused <= 90, String(refused));
});

test('agents whose sign-ins have many documents read take none of what other agents may', async () => {
  const newAgent = async () => {
    const home = await newNamespace();
    const from = (await newMailbox(home)).address;
    return async (at: number): Promise<string> => {
      const id = encodeURIComponent(`https://nobody.invalid/${from}/${at}.json`);
      const to = 'auth@agents.mailroom.localhost';
      const body = `sign in ${ISSUER.replace('127.0.0.1', 'localhost')}/auth?client_id=${id}&response_type=code`;
      const sent = await api<Envelope>('POST', '/mail/send', { key: home.key, body: { to, from, body, sync: true } });
      return sent.body.error?.message ?? '';
    };
  };
  const greedy = await newAgent();
  const said = await Promise.all(Array.from({ length: 70 }, (_, at) => greedy(at)));
  assert.ok(said.some((text) => text.includes('not allowed')));
  const other = await newAgent();
  const reply = await other(0);
  assert.match(reply, /The service's request was refused/);
  assert.doesNotMatch(reply, /not allowed/);
});

test('sign-ins that nobody goes on with are as many a minute as pages are', async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 22; at++) {
    const { status } = await fetch(`${ISSUER}/auth?client_id=nobody&at=${at}`, { redirect: 'manual' });
    statuses.push(status);
  }
  assert.equal(statuses.at(-1), 429, statuses.join());
  assert.equal((await fetch(`${ISSUER}/.well-known/openid-configuration`)).status, 200);
});

test('no spelling of the path escapes the limit, and what is longer than a sign-in is not kept', async () => {
  const spelled = [
    'AUTH',
    'auth/',
    'aUth',
    'auth%23',
    '%61uth',
    'auth;x=1',
    '/auth',
    'SESSION/END',
    'Request',
    'auth#x',
  ];
  const statusOf = async (path: string): Promise<number> =>
    (await wire(service.port, { chunks: [request('GET', `/oidc/agents/${path}`)] })).status;
  for (const path of spelled) {
    // What the time has allowed since then is used up.
    while ((await statusOf('auth')) !== 429);
    assert.equal(await statusOf(path), 429, path);
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const text = request('POST', '/oidc/agents/request', form, `client_id=nobody&state=${'x'.repeat(20_000)}`);
  isProblem(await wire(service.port, { chunks: [text] }), 'body_too_large');
});
