import type { Json } from '@mailroom/behavior/values/json';
import type { Action, Part, Selection } from '../text/parts.ts';
import type { Num } from './number.ts';
import { asks, type Request } from './setting.ts';

export type Order = NonNullable<Selection['by']>;
export type Test = NonNullable<Selection['where']>[number];
/** Parts in words: "the last two words that start with a". `plain`: all of them, which other readers know. */
export interface Parts {
  readonly selection: Selection;
  readonly plain: boolean;
}
/** The text that is worked on. */
export interface Source {
  readonly text: string;
}

export const parts = (of: Part, more: Partial<Selection> = {}): Parts => ({ selection: { of, ...more }, plain: false });
/** All parts of a kind, where other rules leave them. */
export const allOf = (of: Part): Parts => ({ selection: { of }, plain: false });
export const where = ({ selection }: Parts, ...tests: readonly Test[]): Parts | undefined =>
  selection.at !== undefined || selection.every !== undefined || selection.except !== undefined
    ? undefined
    : { selection: { ...selection, where: [...(selection.where ?? []), ...tests] }, plain: false };
export const not = (test: Test): Test => ({ ...test, not: test.not !== true });
export const whole = ({ plain }: Num): number => plain as number;

/** Work on parts that no other reader does as well. */
export function done(
  source: Source,
  { selection, plain }: Parts,
  does: Action,
  more: Readonly<Record<string, string>> = {},
): Request | undefined {
  const { of: part, at: place = 1, by, count = 1, where: tests, within } = selection;
  const plainly = plain
    ? !VALUED.includes(part as string)
    : count > 1 && Math.abs(place) === 1 && by === undefined && tests === undefined && within === undefined;
  if (selection.except === 'rest' && UNCHANGED.includes(does)) return undefined;
  // Several letters of a word and digits of a number are one text.
  const joined =
    (part === 'digits' ||
      (['letters', 'characters'].includes(part as string) && (place > 1 || within !== undefined))) &&
    does === 'list' &&
    count > 1
      ? { with: '' }
      : {};
  if (LISTED.includes(does) && plainly && !('with' in joined || 'with' in more)) return undefined;
  return asks('text', { op: 'parts', text: source.text, selection: selection as Json, does, ...joined, ...more });
}

/** The parts of a text, or those of them that pass a test, each once. */
export const distinct = (part: Part, { text }: Source, test?: Test): Request => ({
  steps: [
    {
      task: 'text',
      input: { op: 'parts', text, selection: { of: part, ...(test && { where: [test as Json] }) }, does: 'list' },
    },
    { task: 'text', input: { op: 'unique', text: '{{+1}}', ignore_case: true } },
  ],
});

const LISTED: readonly string[] = ['list', 'count'];
/** What is told of parts, and not of the text around them. */
const UNCHANGED: readonly string[] = ['count', 'any', 'sum', 'average', 'initial', 'final'];
/** The parts that only this reader knows. */
export const VALUED: readonly string[] = ['vowels', 'consonants', 'capitals', 'digits', 'punctuation', 'tags'];
/** The parts of one sign, of which none is longer than another. */
export const SINGLE: readonly string[] = 'letters characters vowels consonants capitals digits punctuation'.split(' ');
export const NUMERIC: readonly string[] = ['numbers', 'items'];
export const countable = ({ selection }: Parts): Action =>
  selection.at === undefined || selection.except === 'others' ? 'count' : 'list';
