import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { DAY, MINUTE } from '@mailroom/behavior/values/clock';
import fc from 'fast-check';
import type { Caller } from '../../core/access/caller.ts';
import { randomBase62 } from '../../core/entities/key.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import type { Call } from '../../http/route.ts';
import { keyOf, namespaceOf, T } from '../store/made.ts';

const guest: Caller = { kind: 'guest', network: '192.0.2.1' };
const key = keyOf(namespaceOf('once'));
const withKey: Caller = { kind: 'key', key, network: '192.0.2.1' };

const call = (header: string | string[] | undefined, body: unknown = {}, caller: Caller = withKey) =>
  ({ caller, body, headers: { 'idempotency-key': header } }) as unknown as Call;
const idempotency = (header: string | string[] | undefined, body?: unknown, caller?: Caller, what = 'POST /x') =>
  idempotencyOf(call(header, body, caller), what, () => T);

test('without the header there is none; with it, it is kept for a day', () => {
  assert.equal(idempotency(undefined), undefined);
  assert.equal(idempotency('a')?.expires_at, T + DAY);
});

test('the outer quotes and the space around are not part of a key', () => {
  const same = { a: ['a', '"a"', ' a ', ' "a" '], '""a""': ['"""a"""'], 'a"b': ['a"b', '"a"b"'], '"': ['"', '"""'] };
  for (const [wanted, headers] of Object.entries(same)) {
    for (const header of headers) assert.equal(idempotency(header)?.key, wanted, header);
  }
});

test('a key has 1 to 255 characters', () => {
  for (const header of ['x', 'x'.repeat(255), `"${'x'.repeat(255)}"`, 'é', 'a b']) assert.ok(idempotency(header));
  for (const header of ['', ' ', '""', 'x'.repeat(256), `"${'x'.repeat(256)}"`]) {
    assert.throws(() => idempotency(header), { code: 'validation_error' }, header);
  }
});

test('the same JSON is the same request, in whatever order its names stand', () => {
  const shuffled = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shuffled);
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, shuffled(inner)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const read = JSON.parse(JSON.stringify(value)) as unknown;
      assert.equal(idempotency('k', shuffled(read))?.hash, idempotency('k', read)?.hash);
    }),
  );
});

test('other JSON is another request', () => {
  const bodies = [
    {},
    [],
    '',
    0,
    { a: 1 },
    { a: '1' },
    { a: null },
    { a: [1, 2] },
    { a: [2, 1] },
    { a: { b: 1 } },
    { a: {}, b: 1 },
    { 'a":1,"b': 1 },
    { a: 1, b: 1 },
    [{}],
    [[]],
    ['a', 'b'],
    ['a,b'],
    JSON.parse('{"__proto__":{"a":1}}'),
    JSON.parse('{"__proto__":{"a":2}}'),
  ];
  assert.equal(new Set(bodies.map((body) => idempotency('k', body)?.hash)).size, bodies.length);
});

test('one key at two endpoints is two requests', () => {
  assert.notEqual(idempotency('k', {}, withKey, 'POST /a')?.hash, idempotency('k', {}, withKey, 'POST /b')?.hash);
});

test('a key belongs to the API key, the thread, or the guest’s network; what nobody guesses to whoever has it', () => {
  assert.equal(idempotency('k')?.scope, key.id);
  assert.equal(
    idempotency('k', {}, { kind: 'thread', thread_id: 'thr_1', network: '192.0.2.1' })?.scope,
    'thread:thr_1',
  );
  assert.equal(idempotency('signup-2026-1', {}, guest)?.scope, 'guest:192.0.2.1');
  for (const drawn of [randomUUID(), randomBytes(16).toString('hex'), 'V1StGXR8_Z5jdHi6B-myT']) {
    assert.equal(idempotency(drawn, {}, guest)?.scope, 'guest', drawn);
  }
  assert.equal(idempotency('00000000-0000-4000-8000-000000000001', {}, guest)?.scope, 'guest:192.0.2.1');
});

test('a guest’s key that others could guess counts for ten minutes, in its network', () => {
  for (const header of [
    '1',
    'k',
    'try-1',
    '12345678901',
    'my-idempotency-key',
    '1111111111111111',
    'IDEMPOTENCY_KEY',
  ]) {
    assert.equal(idempotency(header)?.expires_at, T + DAY, header);
    const guessed = idempotency(header, {}, guest);
    assert.deepEqual([guessed?.scope, guessed?.expires_at], ['guest:192.0.2.1', T + 10 * MINUTE], header);
  }
});

test('every key that is drawn is kept for a day', () => {
  for (let n = 0; n < 2_000; n++) {
    for (const drawn of [randomUUID(), randomBytes(16).toString('base64url'), randomBase62(16)]) {
      assert.equal(idempotency(drawn, {}, guest)?.expires_at, T + DAY, drawn);
    }
    const drawn = idempotency(randomUUID(), {}, guest);
    assert.deepEqual([drawn?.scope, drawn?.expires_at], ['guest', T + DAY]);
  }
});
