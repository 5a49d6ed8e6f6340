import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import { compactVerify, createLocalJWKSet } from 'jose';
import { amount } from '../../../../tests/soak/length.ts';
import type { IssuerKeys } from '../../core/sign-in/issuer-keys.ts';
import { Keyring } from '../../keyring/keyring.ts';
import { newFile, openFile, T, TestClock, until } from '../core/house.ts';

const open = (store: Awaited<ReturnType<typeof openFile>>, clock: TestClock) =>
  Keyring.open(store.signingKeys, clock.read, ['receipt']);
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

test('it takes for its own what a key of receipts signed on any node or in an earlier quarter, and nothing else', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const [one, two] = [await open(store, clock), await open(store, clock)];
  const jws = await one.sign('receipt', '{"a":1}');
  assert.equal(await two.verified('receipt', jws), '{"a":1}');
  clock.pass(100 * DAY);
  const later = await open(store, clock);
  assert.equal(await later.verified('receipt', jws), '{"a":1}');
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const code = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string; typ: string };
  const issued = await (await one.issuer('ns_one')).sign(typ, { a: 1 });
  await using elsewhere = await openFile(newFile(), clock);
  const foreign = await (await open(elsewhere, clock)).sign('receipt', '{"a":1}');
  for (const forged of [
    '',
    'a.b',
    `${header}.${code({ a: 2 })}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}.${signature.slice(0, -4)}`,
    `${header}.${payload}.${signature}.${signature}`,
    `${code({ alg: 'none', kid, typ })}.${payload}.`,
    `${code({ alg: 'HS256', kid, typ })}.${payload}.${signature}`,
    `${code({ alg: 'ES256', kid: 'other', typ })}.${payload}.${signature}`,
    `${code({ alg: 'ES256', kid, typ: 'JWT' })}.${payload}.${signature}`,
    issued,
    foreign,
  ])
    assert.equal(await later.verified('receipt', forged), undefined, forged);
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
  const after = await open(store, clock);
  const fresh = await after.sign('receipt', 'fresh');
  assert.notEqual(kidOf(fresh), kidOf(old));
  assert.equal(await verified(old, after), 'old');
  const published = JSON.stringify(await after.jwks());
  assert.ok(!published.includes('"d"'), 'no private half is published');
  const issuers = await Promise.all(
    Array.from({ length: 4 }, (_, at) =>
      store.signingKeys.get(`receipt:${Math.floor((clock.now - at * 90 * DAY) / (90 * DAY))}`, T),
    ),
  );
  assert.equal(issuers.filter((one) => one !== undefined).length, 2, 'the public half of both is there');
  assert.equal(issuers.filter((one) => typeof one?.private_jwk === 'string').length, 1);
});

test('the file holds a private half while it signs, and soon after no byte of it', async () => {
  const clock = new TestClock();
  const file = newFile();
  await using store = await openFile(file, clock);
  await open(store, clock);
  const holds = (d: string): boolean =>
    ['', '-wal'].some((end) => existsSync(file + end) && readFileSync(file + end).includes(d));
  const row = await store.signingKeys.get(`receipt:${Math.floor(clock.now / (90 * DAY))}`, clock.now);
  const { d } = JSON.parse(row?.private_jwk ?? '{}') as { readonly d: string };
  assert.ok(holds(d));
  clock.pass(100 * DAY);
  await open(store, clock);
  await until(() => !holds(d));
});

const kids = (keys: IssuerKeys): readonly string[] => keys.jwks.keys.map(({ kid }) => kid);

test('what an issuer signs can be checked with what it publishes, by ES256 and by RS256; its keys are its own', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const keyring = await open(store, clock);
  const keys = await keyring.issuer('ns_one', 'RS256');
  const other = await keyring.issuer('ns_two');
  assert.equal(kids(keys).filter((kid) => kids(other).includes(kid)).length, 0);
  assert.equal((await keyring.jwks()).keys.length, 1, 'receipts are signed by another');
  const jwt = await keys.sign('test+jwt', { sub: 'ada' });
  const jwks = createLocalJWKSet(keys.jwks as Parameters<typeof createLocalJWKSet>[0]);
  const { payload, protectedHeader } = await compactVerify(jwt, jwks);
  assert.equal(protectedHeader.typ, 'test+jwt');
  assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), { sub: 'ada' });
  assert.deepEqual(new Set(keys.signing.map(({ jwk }) => jwk.alg)), new Set(['ES256', 'RS256']));
  for (const { jwk, sign } of keys.signing) {
    const signed = `${Buffer.from(JSON.stringify({ alg: jwk.alg, kid: jwk.kid })).toString('base64url')}.eyJ9`;
    const signature = (await sign(Buffer.from(signed))).toString('base64url');
    await compactVerify(`${signed}.${signature}`, jwks);
  }
  assert.ok(!JSON.stringify(keys.jwks).includes('"d"'), 'no private half is published');
});

test("an issuer's next keys are published a day before they sign, and the old ones for 30 days after", async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const keyring = await open(store, clock);
  const old = await keyring.issuer('ns_one');
  const period = 90 * DAY;
  clock.now = (Math.floor(clock.now / period) + 1) * period - DAY;
  const near = await keyring.issuer('ns_one');
  assert.equal(near.jwks.keys.length, 2);
  assert.notEqual(near.version, old.version);
  assert.equal(near.signing[0].jwk.kid, old.signing[0].jwk.kid);
  clock.pass(DAY);
  const fresh = await keyring.issuer('ns_one');
  assert.deepEqual([...kids(fresh)].sort(), [...kids(near)].sort());
  assert.notEqual(fresh.version, near.version);
  assert.equal(kids(old).includes(fresh.signing[0].jwk.kid), false);
  clock.pass(31 * DAY);
  assert.equal((await keyring.issuer('ns_one')).jwks.keys.length, 1);
});

test('nodes that first need an issuer’s keys at the same moment have the same', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const rings = await Promise.all(Array.from({ length: amount(2, 4) }, () => open(store, clock)));
  const versions = await Promise.all(rings.map(async (ring) => (await ring.issuer('ns_one', 'RS256')).version));
  assert.equal(new Set(versions).size, 1);
});

test('the key of RS256 has 3072 bits, is made when it is needed, and is there for every node from then on', async () => {
  const clock = new TestClock();
  await using store = await openFile(newFile(), clock);
  const [keyring, other] = [await open(store, clock), await open(store, clock)];
  const issuerBefore = await keyring.issuer('ns_one');
  assert.deepEqual(
    issuerBefore.jwks.keys.map(({ alg }) => alg),
    ['ES256'],
  );
  const [, rsa] = (await keyring.issuer('ns_one', 'RS256')).signing;
  assert.equal(rsa?.jwk.kty, 'RSA');
  assert.equal(Buffer.from(rsa?.jwk.kty === 'RSA' ? rsa.jwk.n : '', 'base64url').length * 8, 3072);
  for (const ring of [keyring, other]) {
    assert.deepEqual(
      (await ring.issuer('ns_one')).signing.map(({ jwk }) => jwk.kid),
      [issuerBefore.signing[0].jwk.kid, rsa?.jwk.kid],
    );
  }
});
