import assert from 'node:assert/strict';
import { test } from 'node:test';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { type Answer, connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';
import type { State, States } from '../../core/ports/states.ts';
import { Challenges } from '../../http/challenges.ts';

const env = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  LIMIT_TRIES_PER_MINUTE: '1',
  LIMIT_NAMESPACES_PER_HOUR: '1',
  LIMIT_SOLVED_PER_DAY: '3',
  LIMIT_CHALLENGES_PER_MINUTE: '6',
  CHALLENGE_COST: '2',
};
const service = await serveInside({ env });
const { api, tryOut } = connect(service.url);
const hello = `hello@agents.${MAIL_DOMAIN}`;

let hosts = 0;
const fresh = (): string => `203.0.113.${++hosts}`;
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const write = (ip: string, solution?: string) =>
  tryOut({ to: hello, body: 'Hi' }, { ...from(ip), ...(solution === undefined ? {} : { altcha: solution }) });
const ask = (ip: string) => api<Challenge>('POST', '/challenges', { headers: from(ip) });

const written = (payload: unknown): string => Buffer.from(JSON.stringify(payload)).toString('base64');
async function solved(challenge: Challenge): Promise<string> {
  return written({ challenge, solution: await solveChallenge({ challenge, deriveKey }) });
}
async function solution(ip: string): Promise<string> {
  const answer = await ask(ip);
  assert.equal(answer.status, 201, answer.text);
  return solved(answer.body);
}
/** A network with no try-out left this minute. */
async function limited(): Promise<string> {
  const ip = fresh();
  assert.equal((await write(ip)).status, 200);
  return ip;
}
const isWrong = (answer: Answer<unknown>, says: RegExp): void => {
  isProblem(answer, 'validation_error');
  assert.match(answer.text, says);
};

test('beyond the limit one is told of challenges, and a solved one lets one more through', async () => {
  const ip = await limited();
  const refused = await write(ip);
  isProblem(refused, 'rate_limited');
  assert.match(refused.headers.get('link') ?? '', /^<\/api\/v1\/challenges>; rel="[^"]+"$/);
  assert.match((refused.body as unknown as { detail: string }).detail, /POST \/api\/v1\/challenges.*Altcha/);
  const paid = await write(ip, await solution(ip));
  assert.equal(paid.status, 200, paid.text);
  assert.equal(paid.body.status, 'completed');
  isProblem(await write(ip), 'rate_limited');
});

test('below the limit nothing is asked, and what is sent is not spent or looked at', async () => {
  const ip = fresh();
  const one = await solution(ip);
  assert.equal((await write(ip, one)).status, 200);
  assert.equal((await write(ip, one)).status, 200, 'it was still there');
  isWrong(await write(ip, one), /used before/);
  assert.equal((await write(fresh(), 'nonsense')).status, 200);
});

test('a new namespace is bought in the same way', async () => {
  const ip = fresh();
  const make = (headers: Record<string, string> = {}) =>
    api('POST', '/namespaces', { body: { name: unique() }, headers: { ...from(ip), ...headers } });
  assert.equal((await make()).status, 201);
  isProblem(await make(), 'rate_limited');
  assert.equal((await make({ altcha: await solution(ip) })).status, 201);
  // A request that created nothing took nothing, so nothing is returned.
  const taken = { body: { name: 'agents' }, headers: { ...from(ip), altcha: await solution(ip) } };
  isProblem(await api('POST', '/namespaces', taken), 'namespace_taken');
  isProblem(await make(), 'rate_limited');
});

test('of many who send one solution at once, one passes', async () => {
  const ip = await limited();
  const one = await solution(ip);
  const answers = await Promise.all(Array.from({ length: 8 }, () => write(ip, one)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 422).length, 7);
});

test("another network's solution is refused, and one that was changed", async () => {
  const [ip, other] = [await limited(), await limited()];
  isWrong(await write(ip, await solution(other)), /another network/);
  const { challenge, solution: right } = JSON.parse(Buffer.from(await solution(ip), 'base64').toString());
  const changed = [
    { challenge: { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4e9 } }, solution: right },
    { challenge: { ...challenge, parameters: { ...challenge.parameters, nonce: '00'.repeat(16) } }, solution: right },
    { challenge: { ...challenge, signature: '00'.repeat(32) }, solution: right },
    { challenge, solution: { ...right, derivedKey: '00'.repeat(32) } },
    { challenge, solution: { counter: 'x' } },
    { challenge, solution: [] },
    { challenge: { ...challenge, parameters: null }, solution: right },
    { challenge: { ...challenge, parameters: { ...challenge.parameters, keySignature: 5 } }, solution: right },
    null,
    7,
    'x',
    {},
  ];
  for (const payload of changed) isWrong(await write(ip, written(payload)), /\/api\/v1\/challenges/);
  for (const text of ['nonsense', '{', 'A'.repeat(5_000)]) isWrong(await write(ip, text), /challenges/);
  assert.equal((await write(ip, written({ challenge, solution: right }))).status, 200, 'as it was it counts');
});

test('a network spends so many a day', async () => {
  const ip = await limited();
  const four = [];
  for (let i = 0; i < 4; i++) four.push(await solution(ip));
  for (const one of four.slice(0, 3)) assert.equal((await write(ip, one)).status, 200);
  for (const answer of [await write(ip, four[3]), await ask(ip)]) {
    isProblem(answer, 'rate_limited');
    assert.match(answer.text, /00:00 UTC/);
    assert.ok(Number(answer.headers.get('retry-after')) <= 86_400);
  }
  const other = await limited();
  assert.equal((await write(other, await solution(other))).status, 200, 'another network is not concerned');
});

test('challenges are counted per network', async () => {
  const ip = fresh();
  for (let i = 0; i < 6; i++) assert.equal((await ask(ip)).status, 201);
  isProblem(await ask(ip), 'rate_limited');
});

test('what was spent stays spent when the service starts anew', async () => {
  const folder = newFolder();
  try {
    const ip = fresh();
    let challenge = '';
    {
      await using first = await serveInside({ env, folder });
      const there = connect(first.url);
      const send = () => there.tryOut({ to: hello, body: 'Hi' }, { ...from(ip), altcha: challenge });
      await send();
      challenge = await solved((await there.api<Challenge>('POST', '/challenges', { headers: from(ip) })).body);
      assert.equal((await send()).status, 200);
    }
    await using second = await serveInside({ env, folder });
    const there = connect(second.url);
    assert.equal((await there.tryOut({ to: hello, body: 'Hi' }, from(ip))).status, 200);
    isWrong(await there.tryOut({ to: hello, body: 'Hi' }, { ...from(ip), altcha: challenge }), /used before/);
  } finally {
    removeFolder(folder);
  }
});

const inMemory = (): States => {
  const rows = new Map<string, State>();
  return {
    put: async (state, at) => {
      if ((rows.get(state.id)?.expires_at ?? 0) > at) return false;
      rows.set(state.id, state);
      return true;
    },
    of: async (_kind, subject, at) =>
      [...rows.values()].filter((row) => row.subject === subject && row.expires_at > at),
    remove: async (_kind, id) => rows.delete(id),
  } as Partial<States> as States;
};

test('of many solutions that are spent at once no more count than a day allows', async () => {
  const challenges = new Challenges({ states: inMemory(), clock: Date.now, secret: 's', cost: 1, max: 3 });
  const payloads = await Promise.all(
    Array.from({ length: 8 }, async () => solved((await challenges.create('n')) as Challenge)),
  );
  const spent = await Promise.allSettled(payloads.map((payload) => challenges.redeem(payload, 'n')));
  assert.ok(spent.filter(({ status }) => status === 'fulfilled').length <= 3);
  await assert.rejects(challenges.redeem(payloads[0] as string, 'm'), /another network/);
});

test('a challenge expires, and costs more the more were spent that day', async () => {
  let now = Date.now();
  const challenges = new Challenges({ states: inMemory(), clock: () => now, secret: 's', cost: 1, max: 40 });
  const late = await challenges.create('n');
  const payload = await solved(late as Challenge);
  now += 11 * 60_000;
  await assert.rejects(challenges.redeem(payload, 'n'), /expired/);
  now -= 11 * 60_000;
  const cheap = await solved((await challenges.create('n')) as Challenge);
  for (let i = 0; i < 10; i++) await challenges.redeem(await solved((await challenges.create('n')) as Challenge), 'n');
  assert.equal((await challenges.create('n')).parameters.data.step, 1);
  assert.equal((await challenges.create('m')).parameters.data.step, 0);
  await assert.rejects(challenges.redeem(cheap, 'n'), /more work/);
  now += 86_400_000;
  assert.equal((await challenges.create('n')).parameters.data.step, 0);
});
