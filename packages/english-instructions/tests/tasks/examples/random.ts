import type { Example } from '../harness.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([47])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const within = (low: number, high: number) => (value: number) => value >= low && value <= high;
const among =
  (...all: readonly string[]) =>
  (value: string) =>
    all.includes(value);

export const RANDOM: readonly Example[] = [
  // As people write it.
  { says: 'give me a new uuid', result: (value: string) => UUID.test(value) },
  { says: 'I need a strong password', result: (value: string) => value.length === 20 },
  { says: 'heads or tails', result: among('heads', 'tails') },
  { says: 'pick a number from 1 to 10', result: within(1, 10) },
  { says: 'roll two dice', result: within(2, 12) },
  { says: 'throw a dice', result: within(1, 6) },
  { says: 'should I choose pizza or pasta', result: among('pizza', 'pasta') },
  { says: 'choose between red, green and blue', result: among('red', 'green', 'blue') },
  { says: 'draw 2 names from: Ann, Bob, Cid', result: (value: readonly string[]) => new Set(value).size === 2 },
  {
    says: 'make me a 16 character password without symbols',
    result: (value: string) => /^[A-Za-z0-9]{16}$/.test(value),
  },
  // In the intended form.
  { says: 'generate a uuid', input: { kind: 'uuid', version: 4, times: 1 } },
  { says: 'uuid v7', result: (value: string) => UUID.exec(value)?.[1] === '7' },
  { says: 'generate 3 uuids', result: (value: readonly string[]) => value.length === 3 },
  { says: 'password', result: (value: string) => value.length === 20 },
  { says: 'generate a password of 12 characters', result: (value: string) => value.length === 12 },
  { says: 'roll 2d6+1', result: within(3, 13) },
  { says: 'roll a die', result: within(1, 6) },
  { says: 'flip a coin', result: among('heads', 'tails') },
  { says: 'flip a coin 5 times', result: (value: readonly string[]) => value.length === 5 },
  { says: 'pick one of: a, b, c', result: among('a', 'b', 'c') },
  { says: 'choose 3 of a, b, c, d', result: (value: readonly string[]) => new Set(value).size === 3 },
  { says: 'shuffle: 1, 2, 3', result: (value: readonly string[]) => [...value].sort().join() === '1,2,3' },
  { says: 'random number between 5 and 7', result: within(5, 7) },
  { says: 'a random number', result: within(1, 100) },
  { says: 'pick one of them', it: ['x', 'y'], result: among('x', 'y') },
  { says: 'shuffle it', it: ['x', 'y'], result: (value: readonly string[]) => value.length === 2 },
  { says: 'pick one', asks: 'Of what?' },
  { says: 'shuffle', asks: 'Shuffle what?' },
  { says: 'generate 2 uuids for our tests', input: { kind: 'uuid', version: 4, times: 2 } },
  { says: 'create a password of 24 characters for my router', input: { kind: 'password', length: 24, times: 1 } },
];
