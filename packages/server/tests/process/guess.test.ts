import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance } from '../../../../tests/harness/chance.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { newSecret, randomBase62 } from '../../core/entities/key.ts';

const GUESSES = amount(400, 10_000);
/** How often each way is timed. */
const TIMES = amount(100, 300);
const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, tryOut } = connect(service.url);

test(`${GUESSES} guesses never find a key`, async () => {
  const home = await newNamespace();
  const { address: to } = await newMailbox(home);
  const token = (await tryOut({ to, body: 'Hi' })).body.thread_token;
  const gone = await newKey(home, { scopes: ['owner'] });
  await api('DELETE', `/keys/${gone.id}`, { key: home.key });
  const random = chance(1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const real = [home.key, service.ownerKey];
  const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');
  const changed = (key: string): string => {
    const at = 8 + Math.floor(random() * (key.length - 8));
    const other = pick(characters.filter((one) => one !== key[at]));
    return key.slice(0, at) + other + key.slice(at + 1);
  };
  const ways: (() => string)[] = [
    // A valid checksum, and the prefix of a key that everyone knows.
    () => newSecret().secret,
    () => pick(real).slice(0, 16) + newSecret().secret.slice(16),
    () => `mr_live_${randomBase62(46)}`,
    () => changed(pick(real)),
    () => pick(real).slice(0, 8 + Math.floor(random() * 45)),
    () => pick(real) + pick(characters),
    () => pick(real).split('').reverse().join(''),
    () => gone.secret,
    () => gone.id,
    () => home.keyId,
    () => changed(token),
    () => unique(),
    () => `${pick(real).slice(0, 20)}%`,
    () => `mr_live_${'_'.repeat(46)}`,
    () => "' or '1'='1",
    () => 'null',
  ];
  let remaining = GUESSES;
  const found: string[] = [];
  const guess = async (): Promise<void> => {
    while (remaining-- > 0) {
      const key = ways[remaining % ways.length]?.() ?? '';
      const answer = await api('GET', '/me', { key });
      if (answer.status !== 401) found.push(`${key}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, guess));
  assert.deepEqual(found, []);
  isProblem(await api('GET', '/me', { key: gone.secret }), 'invalid_key');
  assert.equal((await api('GET', '/me', { key: home.key })).status, 200, 'the real one still opens');
});

test('a wrong secret takes as long whether or not its beginning is known', async () => {
  const home = await newNamespace();
  const guess = (): string => home.key.slice(0, 16) + newSecret().secret.slice(16);
  const unknown = (): string => newSecret().secret;
  const timed = async (key: string): Promise<number> => {
    const began = performance.now();
    await api('GET', '/me', { key });
    return performance.now() - began;
  };
  const median = (took: number[]): number => took.sort((a, b) => a - b)[took.length / 2] ?? 0;
  for (let i = 0; i < TIMES / 4; i++) await timed(unknown());
  // Alternates, so that other load on the machine affects both equally.
  const [of, other]: [number[], number[]] = [[], []];
  for (let i = 0; i < TIMES; i++) {
    of.push(await timed(guess()));
    other.push(await timed(unknown()));
  }
  const [a, b] = [median(of), median(other)];
  await assertSoon(Math.abs(a - b), 2, 'the one more than the other');
});
