import type { Json } from '@mailroom/behavior/values/json';
import { asks, question, type Request } from './setting.ts';

export type Values = Readonly<Record<string, Json>>;
/** From the lowest to the highest of a range of whole numbers. */
export type Range = readonly [low: number, high: number];

/** A step of `random`. */
export const chance = (input: Values): Request => asks('random', input);
/** The same, or the question for a number that is out of bounds; `again` has `{}` in place of the answer. */
export const bounded = (count: number, [low, high]: Range, what: string, again: string, input: Values): Request =>
  count >= low && count <= high
    ? chance(input)
    : question('random', `How many ${what}? I can do ${low} to ${high}.`, again);

/** How often, by a word or a number. */
export const MANY: Range = [1, 100];
