import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@mailroom/behavior/values/hash';
import fc from 'fast-check';
import { amount } from '../../../../tests/soak/length.ts';
import {
  hasScope,
  isLive,
  looksLikeSecret,
  newSecret,
  randomBase62,
  SCOPES,
  type Scope,
} from '../../core/entities/key.ts';
import { keyOf, namespaceOf, T } from '../store/made.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a secret is mr_live_ and 46 characters of base 62; its prefix begins it, its SHA-256 is of the whole', () => {
  const seen = new Set<string>();
  for (let i = 0; i < 1000; i++) {
    const created = newSecret();
    assert.match(created.secret, /^mr_live_[0-9A-Za-z]{46}$/);
    assert.ok(looksLikeSecret(created.secret));
    assert.equal(created.prefix, created.secret.slice(0, 16));
    assert.equal(created.sha256, sha256(created.secret));
    seen.add(created.secret).add(created.prefix);
  }
  assert.equal(seen.size, 2000);
});

test('SHA-256 is the standard one, in hexadecimal (FIPS 180-2, appendix B.1)', () => {
  assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a secret with any one character changed is refused by its checksum', () => {
  const { secret } = newSecret();
  for (let at = 0; at < secret.length; at++) {
    for (const character of `${BASE62}_-é `) {
      if (character === secret[at]) continue;
      assert.ok(!looksLikeSecret(secret.slice(0, at) + character + secret.slice(at + 1)), `${at} ${character}`);
    }
  }
});

test('a secret with characters swapped, added or cut is refused', () => {
  const { secret } = newSecret();
  for (let position = 0; position < secret.length - 1; position++) {
    const swapped = secret.slice(0, position) + secret[position + 1] + secret[position] + secret.slice(position + 2);
    if (swapped !== secret) assert.ok(!looksLikeSecret(swapped));
    assert.ok(!looksLikeSecret(secret.slice(0, position)));
    assert.ok(!looksLikeSecret(`${secret.slice(0, position)}0${secret.slice(position)}`));
  }
  for (const text of [`${secret}\n`, ` ${secret}`, secret.toLowerCase(), '']) assert.ok(!looksLikeSecret(text));
});

test('guesses of the right form do not pass the checksum', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...BASE62.split('')), minLength: 46, maxLength: 46 }), (text) => {
      return !looksLikeSecret(`mr_live_${text}`);
    }),
    { numRuns: amount(1_000, 10_000) },
  );
});

test('each character of base 62 is equally likely', () => {
  const counts = new Map<string, number>();
  const drawn = 620_000;
  for (const character of randomBase62(drawn)) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 62);
  let chi = 0;
  for (const count of counts.values()) chi += (count - 10_000) ** 2 / 10_000;
  // 61 degrees of freedom: 140 is exceeded by chance once in 40 million times, a modulo bias gives thousands.
  assert.ok(chi < 140, `chi squared ${chi}`);
});

test('as many random characters come as were asked for', () => {
  for (const length of [0, 1, 2, 7, 40, 1000]) assert.equal(randomBase62(length).length, length);
});

test('owner implies every scope, any other only itself', () => {
  const namespace = namespaceOf('scopes');
  for (const scope of SCOPES) assert.ok(hasScope(keyOf(namespace), scope));
  for (const has of SCOPES.filter((scope): scope is Exclude<Scope, 'owner'> => scope !== 'owner')) {
    for (const asked of SCOPES) assert.equal(hasScope(keyOf(namespace, { scopes: [has] }), asked), has === asked);
  }
});

test('a key works until the millisecond it expires, and not once it is revoked', () => {
  const namespace = namespaceOf('lives');
  assert.ok(isLive(keyOf(namespace), T));
  assert.ok(isLive(keyOf(namespace, { expires_at: T + 1 }), T));
  assert.ok(!isLive(keyOf(namespace, { expires_at: T }), T));
  assert.ok(!isLive(keyOf(namespace, { revoked_at: T }), T));
  assert.ok(!isLive(keyOf(namespace, { revoked_at: T, expires_at: T + 1 }), T));
});
