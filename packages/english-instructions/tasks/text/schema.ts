import { closed } from '@mailroom/behavior/values/closed';
import { words } from '@mailroom/behavior/values/words';
import { type Static, Type } from 'typebox';
import { UNITS } from './build.ts';
import { CASES } from './case.ts';
import { COUNTED } from './count.ts';
import { EXTRACTED } from './extract.ts';
import { ORDERS } from './items.ts';
import { Doing, Selection } from './parts.ts';

const OPS = words(
  'count case sort unique reverse extract replace split join diff slug template trim first last pad number wrap parts repeat say palindrome anagram between',
);
export type Op = (typeof OPS)[number];

export const Input = closed({
  op: Type.Enum([...OPS], {
    description:
      'count; case (`to`); sort, unique, reverse (items of a list); extract (`what`, of that `selection`); replace (`find`, `with`); split, join (`separator`); diff (`other`); slug; template (`values`); trim; first, last (`count`, `unit`); pad (`length`); number (lines); wrap (`length`); parts (`selection`, `does`); repeat (`count`, `separator`); say: answers with the text; between: what stands after the text `after` and before the text `before`, one of which may be left out; palindrome: whether it reads the same backwards; anagram: whether `other` has the same letters.',
  }),
  text: Type.Unknown({ description: 'What to work on: a text of up to 256 KB, or a list.' }),
  'what?': Type.Enum([...COUNTED, ...EXTRACTED], { description: 'count: what to count. extract: what to find.' }),
  'to?': Type.Enum([...CASES], { description: 'case: how to write it. Default upper.' }),
  'by?': Type.Enum([...ORDERS, 'words', 'lines', 'characters', 'items', 'spaces', 'marks'], {
    description:
      'sort: natural (any case, numbers by value), number, length, code, last_word (names by the family name). unique: words of a text, which stays one. diff: words or lines. reverse: items, words, lines or characters; default items of a list, else characters. trim: spaces, lines (empty ones), or marks (numbers and bullets before lines). between: lines, each of which must have the marks.',
  }),
  'descending?': Type.Boolean({ description: 'sort: from the end.' }),
  'ignore_case?': Type.Boolean({ description: 'unique: "A" and "a" are the same.' }),
  'find?': Type.String({ description: 'replace: the literal text to replace. count: the literal text to count.' }),
  'with?': Type.String({ description: 'replace: what comes instead. pad: what to pad with.' }),
  'only_first?': Type.Boolean({ description: 'replace: the first occurrence only.' }),
  'separator?': Type.String({ description: 'split, join: the literal text between items.' }),
  'other?': Type.Unknown({ description: 'diff, anagram: the second text.' }),
  'values?': Type.Record(Type.String(), Type.Unknown(), {
    description: 'template: what to write for {name} or <name>.',
  }),
  'count?': Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'first, last: how many.' }),
  'from?': Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'number: the first number. Default 1.' }),
  'unit?': Type.Enum([...UNITS], { description: 'first, last: of what. Default characters.' }),
  'length?': Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'pad, wrap: characters in a line.' }),
  'selection?': Selection,
  'does?': Doing,
  'before?': Type.String({ description: 'surround: the text before. between: up to where.' }),
  'after?': Type.String({ description: 'surround: the text after. between: from where on.' }),
  'side?': Type.Enum(['left', 'right'], {
    description: 'pad: where. between: whether the first (left) or the last place counts. Default left.',
  }),
});
export type Input = Static<typeof Input>;

const Count = Type.Optional(Type.Integer({ minimum: 0 }));
export const Output = closed({
  result: Type.Union([Type.String(), Type.Number(), Type.Array(Type.String())], {
    description: 'A text; for count a number; for sort, unique, reverse, extract and split a list of texts.',
  }),
  words: Count,
  characters: Count,
  letters: Count,
  lines: Count,
  sentences: Count,
  paragraphs: Count,
  bytes: Count,
  'removed?': Type.Integer({ description: 'unique: how many; diff: words or lines of the first only.' }),
  'added?': Type.Integer({ description: 'diff: words or lines of the second only.' }),
  'equal?': Type.Boolean({ description: 'diff: nothing differs.' }),
  'by?': Type.Enum(['words', 'lines'], { description: 'diff: what was compared.' }),
  'replaced?': Type.Integer({ description: 'replace: how many times.' }),
  'missing?': Type.Array(Type.String(), { description: 'template: names without a value.' }),
});
export type Output = Static<typeof Output>;
