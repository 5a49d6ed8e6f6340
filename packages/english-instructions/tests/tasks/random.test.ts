import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { random } from '../../tasks/random/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { FOREIGN } from './examples/foreign.ts';
import { RANDOM } from './examples/random.ts';
import { clause, context, examplesOf, NOW } from './harness.ts';

examplesOf(random, RANDOM);

test('random leaves what is for other tasks', () => {
  for (const says of FOREIGN) assert.equal(random.read(clause(says)), undefined, says);
});

const run = (input: object): { readonly result: unknown; readonly entropy_bits?: number } =>
  random.run(input, context()) as { readonly result: unknown };

test('every face comes, and none beyond', () => {
  const seen = new Set<unknown>();
  for (let n = 0; n < 500; n++) seen.add(run({ kind: 'dice', dice: '1d6' }).result);
  assert.deepEqual(seen, new Set([1, 2, 3, 4, 5, 6]));
});

test('a UUID of version 7 begins with the time', () => {
  const { result } = run({ kind: 'uuid', version: 7 });
  assert.equal(Number.parseInt(String(result).replaceAll('-', '').slice(0, 12), 16), NOW);
});

test('a password has the length and the kinds of characters it should, and says its entropy', () => {
  const { result, entropy_bits } = run({ kind: 'password', length: 24 });
  assert.match(String(result), /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^A-Za-z0-9]).{24}$/);
  assert.equal(entropy_bits, 150);
});

test('a password keeps what is asked of its characters, and one that cannot is refused', () => {
  for (let n = 0; n < 50; n++) {
    const { result } = run({ kind: 'password', length: 12, omits: ['symbols'], least: { digits: 4 }, readable: true });
    assert.match(String(result), /^(?=(?:.*\d){4})[2-9A-HJ-NP-Za-km-np-z]{12}$/);
  }
  assert.match(String(run({ kind: 'password', length: 4, omits: ['symbols', 'lower', 'upper'] }).result), /^\d{4}$/);
  for (const input of [
    { kind: 'password', length: 6, least: { digits: 9 } },
    { kind: 'password', omits: ['digits'], least: { digits: 1 } },
    { kind: 'password', omits: ['symbols', 'lower', 'upper', 'digits'] },
  ])
    assert.throws(() => run(input), TaskError);
});

test('numbers by a step are all multiples of it, the last one too', () => {
  const seen = new Set<unknown>();
  for (let n = 0; n < 200; n++) seen.add(run({ kind: 'number', from: 2, to: 10, step: 2 }).result);
  assert.deepEqual(seen, new Set([2, 4, 6, 8, 10]));
});

test('a passphrase has as many words as it should, and says its entropy', () => {
  const { result, entropy_bits } = run({ kind: 'passphrase', length: 6 });
  assert.match(String(result), /^[a-z]+(?:-[a-z]+){5}$/);
  assert.equal(entropy_bits, 54);
  assert.equal(new Set(run({ kind: 'words', times: 20 }).result as string[]).size, 20);
});

test('picked items differ, and a list in any form is one', () => {
  for (const items of [
    'a, b, c',
    'a, b or c',
    'a\nb\nc',
    '- a\n- b\n- c',
    '["a","b","c"]',
    ['a', 'b', 'c'],
    'a; b; and c',
  ]) {
    assert.deepEqual(
      [...(run({ kind: 'pick', items, times: 3 }).result as string[])].sort(),
      ['a', 'b', 'c'],
      String(items),
    );
  }
});

test('random refuses what is beyond its bounds, with a sentence', () => {
  for (const input of [
    { kind: 'dice', dice: '999d6' },
    { kind: 'dice', dice: '1d1' },
    { kind: 'dice', dice: '1d99999999' },
    { kind: 'dice', dice: 'x'.repeat(100_000) },
    { kind: 'pick', items: '' },
    { kind: 'pick', items: 'a, b', times: 3 },
    { kind: 'shuffle', items: '1,'.repeat(10_000) },
    { kind: 'number', from: -9e15, to: 9e15 },
  ]) {
    assert.throws(() => run(input), TaskError, JSON.stringify(input).slice(0, 80));
  }
  assert.ok(!Check(random.input, { kind: 'uuid', times: 101 }));
});

test('random asks again for a count beyond its bounds', () => {
  for (const says of [
    'generate 1000 uuids',
    'roll a die 9999 times',
    'a password of 100000 characters',
    'flip 500 coins',
  ]) {
    const reading = random.read(clause(says));
    assert.ok(reading !== undefined && 'ask' in reading, says);
    const again = random.read(clause(reading.answered('10')));
    assert.ok(again !== undefined && 'input' in again, reading.answered('10'));
  }
});
