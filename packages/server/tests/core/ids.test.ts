import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firstIdAt,
  firstOf,
  type IdPrefix,
  isId,
  isReplyId,
  messageIdOf,
  newId,
  replyIdOf,
  threadOf,
} from '@mailroom/behavior/values/ids';
import fc from 'fast-check';
import { amount } from '../../../../tests/soak/length.ts';
import { T } from '../store/made.ts';

const MANY = amount(200_000, 1_000_000);
const PREFIXES: readonly IdPrefix[] = ['msg', 'thr', 'ns', 'mbx', 'key', 'evt'];

test('an id is its prefix, _ and 20 characters without i, l, o and u', () => {
  for (const prefix of PREFIXES) {
    for (const now of [0, 1, T, T + 1, 2 ** 45 - 1]) {
      const id = newId(prefix, now);
      assert.match(id, new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{20}$`));
      assert.ok(isId(prefix, id));
    }
  }
});

test('of two ids the one made at the later millisecond sorts behind', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 44), fc.integer({ min: 1, max: 2 ** 43 }), (at, later) => {
      assert.ok(newId('msg', at) < newId('msg', at + later));
    }),
  );
});

test(`${MANY} ids made in one millisecond are as many, in the order they were made`, () => {
  const seen = new Set<string>();
  let last = '';
  for (let i = 0; i < MANY; i++) {
    const id = newId('msg', T);
    if (id <= last) assert.fail(`${id} after ${last}`);
    last = id;
    seen.add(id);
  }
  assert.equal(seen.size, MANY);
  assert.ok(last < newId('msg', T + 1));
});

test('ids of one millisecond that were not made one after the other differ', () => {
  const ids = new Set<string>();
  for (let i = 0; i < 100_000; i++) ids.add(newId('key', T + (i % 2)));
  assert.equal(ids.size, 100_000);
});

test('a message, its thread and its reply find one another without a look-up', () => {
  const id = newId('msg', T);
  assert.equal(firstOf(threadOf(id)), id);
  assert.equal(messageIdOf(replyIdOf(id)), id);
  assert.equal(messageIdOf(id), id);
  assert.ok(isId('thr', threadOf(id)));
  assert.ok(isId('msg', replyIdOf(id)));
  assert.ok(isReplyId(replyIdOf(id)));
  assert.ok(!isReplyId(id));
  assert.ok(replyIdOf(id) > id);
  assert.ok(replyIdOf(id) < newId('msg', T));
});

test('the first id of a millisecond is before every id made in it and behind all made before', () => {
  const before = newId('msg', T - 1);
  const made = newId('msg', T);
  assert.ok(firstIdAt('msg', T) <= made);
  assert.ok(firstIdAt('msg', T) > before);
  assert.ok(firstIdAt('msg', -5) <= newId('msg', 0));
});

test('nothing but an id of that kind is taken for one', () => {
  const id = newId('msg', T);
  const others = [
    '',
    'msg_',
    id.slice(0, -1),
    `${id}0`,
    `${id}\n`,
    ` ${id}`,
    id.toUpperCase(),
    `${id.slice(0, -2)}u0`,
    `${id.slice(0, -1)}2`,
    threadOf(id),
    id.replace('msg', 'key'),
  ];
  for (const text of others) assert.ok(!isId('msg', text), text);
  assert.ok(!isId('thr', threadOf(replyIdOf(id))));
  fc.assert(fc.property(fc.string({ maxLength: 30 }), (text) => !isId('msg', text)));
});
