import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactVerify, createLocalJWKSet } from 'jose';
import { DAY } from '../../src/core/clock.ts';
import { Keyring } from '../../src/keyring/keyring.ts';
import { newFile, openFile, TestClock } from '../core/house.ts';

const open = (store: Awaited<ReturnType<typeof openFile>>, clock: TestClock) =>
  Keyring.open(store.states, clock.read, ['receipt']);
const kidOf = (jws: string): string =>
  (JSON.parse(Buffer.from(jws.split('.')[0] as string, 'base64url').toString()) as { kid: string }).kid;
const verified = async (jws: string, keyring: Keyring): Promise<string> => {
  const jwks = createLocalJWKSet((await keyring.jwks()) as Parameters<typeof createLocalJWKSet>[0]);
  return new TextDecoder().decode((await compactVerify(jws, jwks)).payload);
};

test('what it signs can be checked with the keys it publishes, by an independent library', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const keyring = await open(store, clock);
  const text = '{"said":"„Grüße“ 👋"}';
  const jws = await keyring.sign('receipt', text);
  assert.equal(await verified(jws, keyring), text);
  const [header, payload, signature] = jws.split('.');
  const other = Buffer.from('{"said":"no"}').toString('base64url');
  await assert.rejects(verified(`${header}.${other}.${signature}`, keyring), /signature verification failed/);
  assert.ok(payload);
});

test('a restart and every other node sign with the same key; of many that make it at once one does', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const rings = await Promise.all(Array.from({ length: 8 }, () => open(store, clock)));
  const kids = new Set(await Promise.all(rings.map(async (ring) => kidOf(await ring.sign('receipt', 'x')))));
  assert.equal(kids.size, 1);
  assert.equal((await (rings[0] as Keyring).jwks()).keys.length, 1);
});

test('after its quarter another key signs, what the old one signed can be checked on, and its private half is gone', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const before = await open(store, clock);
  const old = await before.sign('receipt', 'old');
  clock.pass(100 * DAY);
  await store.states.sweep(clock.now);
  const after = await open(store, clock);
  const fresh = await after.sign('receipt', 'fresh');
  assert.notEqual(kidOf(fresh), kidOf(old));
  assert.equal(await verified(old, after), 'old');
  const published = JSON.stringify(await after.jwks());
  assert.ok(!published.includes('"d"'), 'no private half is published');
  const left = await Promise.all(
    Array.from({ length: 4 }, (_, at) =>
      store.states.get('signing_key', `receipt:${Math.floor((clock.now - at * 90 * DAY) / (90 * DAY))}`, clock.now),
    ),
  );
  assert.equal(left.filter((one) => one !== undefined).length, 1);
});
