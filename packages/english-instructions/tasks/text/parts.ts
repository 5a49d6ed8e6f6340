import { closed } from '@mailroom/behavior/values/closed';
import { words } from '@mailroom/behavior/values/words';
import { type Static, Type } from 'typebox';
import { TaskError } from '../task.ts';
import { enclosedIn, type Span } from './build.ts';
import { graphemes, sentencesOf } from './count.ts';
import { EXTRACTED, extract, PATTERNS as KINDS } from './extract.ts';
import { asText, fits, itemsOf } from './input.ts';

/** What a text is divided into; `matches` are the occurrences of `find`, `enclosed` what stands from `find` up to `close`. */
const PARTS = words(
  'words characters letters vowels consonants capitals digits punctuation numbers lines sentences items matches enclosed tags',
);
export type Part = (typeof PARTS)[number];

const TESTS = words('begins opens ends contains has equals among number length value times even odd');
const ACTIONS = words(
  'list count any sum average upper lower capital reverse double remove replace surround initial final swap place index',
);
export type Action = (typeof ACTIONS)[number];

/** Some parts of a text, and what is done with them. */
export const Selection = closed({
  of: Type.Enum([...PARTS], { description: 'What the text is divided into.' }),
  'find?': Type.String({ description: 'matches: the literal text. enclosed: the mark before.' }),
  'close?': Type.String({ description: 'enclosed: the mark behind.' }),
  'within?': Type.Enum(['words', 'lines', 'sentences', 'items'], {
    description: 'Chosen in each of these, by itself.',
  }),
  'where?': Type.Array(
    closed({
      test: Type.Enum([...TESTS], {
        description:
          'begins, ends, contains, equals: `text`, in any case. opens: with a `capital`, `vowel`, `consonant` or `digit`, by `text`. has: one of the kind `text`, such as `dates` or `links`. among: it is an item of the list `text`. number, even, odd: it is one. length (characters), value, times (how often it occurs): from `min` to `max`, above `over`, below `under`.',
      }),
      'text?': Type.String(),
      'or?': Type.Array(Type.String(), {
        maxItems: 8,
        description: 'begins, ends, contains, equals: or one of these.',
      }),
      'min?': Type.Number(),
      'max?': Type.Number(),
      'over?': Type.Number(),
      'under?': Type.Number(),
      'not?': Type.Boolean({ description: 'The test must fail.' }),
    }),
    { maxItems: 8, description: 'All of these must hold.' },
  ),
  'by?': Type.Enum(['place', 'length', 'value', 'times'], { description: 'The order for `at`. Default place.' }),
  'at?': Type.Integer({
    minimum: -1_000_000,
    maximum: 1_000_000,
    description: 'Only this one, from 1; from the end, -1.',
  }),
  'count?': Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'So many from `at` on.' }),
  'every?': Type.Integer({
    minimum: 2,
    maximum: 1_000,
    description: 'Every second, third … from `at` on, or from that one.',
  }),
  'except?': Type.Enum(['others', 'rest'], {
    description: 'Instead: the other parts, or all text that is not selected.',
  }),
});
export type Selection = Static<typeof Selection>;

export const Doing = Type.Enum([...ACTIONS], {
  description:
    'parts: list, count, any (yes or no), sum and average of numbers, initial and final (the first or last letter of each), as a list or, by `with`, joined to a text; place, index (where each begins, from 1 or from 0; of items which they are); or change them in place: upper, lower, capital, reverse, double, remove, replace (`with`), surround (`before`, `after`), swap (the first of them with the last). Default list.',
});

const PATTERNS: Partial<Record<Part, RegExp>> = {
  words: /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu,
  letters: /\p{L}\p{M}*/gu,
  capitals: /\p{Lu}\p{M}*/gu,
  digits: /\p{Nd}/gu,
  punctuation: /\p{P}/gu,
  lines: /[^\r\n]+/g,
  tags: /<(?:[/?!]?[A-Za-z][^<>]{0,2000}|!--[^<>]{0,2000})>/g,
};
const NUMBERS = KINDS.numbers;
const isVowel = (letter: string): boolean => /^[aeiou]/i.test(letter.normalize('NFD'));

function placesOf(texts: readonly string[], text: string): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const part of texts) {
    const from = text.indexOf(part, end);
    if (from < 0 || part === '') continue;
    end = from + part.length;
    found.push({ from, to: end, text: part });
  }
  return found;
}

function spansOf(text: string, value: unknown, { of: part, find, close }: Selection): readonly Span[] {
  if (part === 'vowels' || part === 'consonants')
    return spansOf(text, value, { of: 'letters' }).filter((one) => isVowel(one.text) === (part === 'vowels'));
  if (part === 'characters') return placesOf(graphemes(text), text);
  if (part === 'sentences') return placesOf(sentencesOf(text), text);
  if (part === 'items') return placesOf(itemsOf(value), text);
  if (part === 'matches' || part === 'enclosed') {
    if (find === undefined || find === '') throw new TaskError('What to look for is empty.');
    if (part === 'enclosed') return enclosedIn(text, find, close || find);
    return placesOf(Array(text.split(find).length - 1).fill(find), text);
  }
  const pattern = part === 'numbers' ? NUMBERS : (PATTERNS[part as Part] as RegExp);
  return Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({
    from: index,
    to: index + match.length,
    text: match,
  }));
}

const numberOf = (text: string): number =>
  Number(text.match(NUMBERS)?.[0].replaceAll(',', '').replace('−', '-') ?? Number.NaN);
const keyOf = (text: string): string => text.trim().toLowerCase();

const isOf = (test: 'even' | 'odd', text: string): boolean => Math.abs(numberOf(text) % 2) === (test === 'odd' ? 1 : 0);

/** The name in a tag of HTML. */
const nameOfTag = (text: string): string | undefined => /^<\/?([a-z][a-z0-9-]*)/.exec(text)?.[1];

type Test = NonNullable<Selection['where']>[number];

const OPENS: Readonly<Record<string, RegExp>> = {
  capital: /^\p{Lu}/u,
  vowel: /^[aeiouAEIOU]/,
  consonant: /^(?![aeiouAEIOU])\p{L}/u,
  digit: /^\p{Nd}/u,
};

const isWithin = (
  size: number,
  { min = -Infinity, max = Infinity, over = -Infinity, under = Infinity }: Test,
): boolean => size >= min && size <= max && (size > over || over === -Infinity) && (size < under || under === Infinity);

function holds({ text }: Pick<Span, 'text'>, given: Test, times: ReadonlyMap<string, number>): boolean {
  const { test, text: criterion = '', not, or } = given;
  if (or !== undefined) {
    const { or: _, ...one } = { ...given, not: false };
    return [criterion, ...or].some((part) => holds({ text }, { ...one, text: part }, times)) !== (not === true);
  }
  const [whole, part] = [keyOf(text), criterion.toLowerCase()];
  const size = test === 'length' ? graphemes(text.trim()).length : test === 'times' ? times.get(whole) : numberOf(text);
  const found =
    test === 'opens'
      ? (OPENS[criterion]?.test(text.trim()) ?? false)
      : test === 'begins'
        ? whole.startsWith(part)
        : test === 'ends'
          ? whole.endsWith(part)
          : test === 'has'
            ? EXTRACTED.some((kind) => kind === criterion && extract(text, kind).length > 0)
            : test === 'contains'
              ? whole.includes(part)
              : test === 'equals'
                ? whole === part || nameOfTag(whole) === part
                : test === 'among'
                  ? itemsOf(criterion).some((one) => keyOf(one) === whole)
                  : test === 'even' || test === 'odd'
                    ? isOf(test, text)
                    : test === 'number'
                      ? /^[-+]?\p{Nd}[\p{Nd}.,]*$/u.test(whole)
                      : size !== undefined && isWithin(size, given);
  return found !== (not === true);
}

function chosen(all: readonly Span[], selection: Selection, times: ReadonlyMap<string, number>): readonly Span[] {
  const { where = [], by = 'place', at: place, count = 1, every } = selection;
  const kept = all.filter((one) => where.every((test) => holds(one, test, times)));
  if (every !== undefined) {
    const from = (place ?? every) - 1;
    return kept.filter((_, index) => index >= from && (index - from) % every === 0);
  }
  if (place === undefined) return kept;
  const size = (span: Span): number =>
    by === 'length'
      ? graphemes(span.text).length
      : by === 'times'
        ? (times.get(keyOf(span.text)) ?? 0)
        : numberOf(span.text);
  const order =
    by === 'place' ? kept : kept.filter((one) => !Number.isNaN(size(one))).toSorted((a, b) => size(a) - size(b));
  if (place === 0) return [];
  const from = place > 0 ? place - 1 : order.length + place - (count - 1);
  const found = order.slice(Math.max(0, from), Math.max(0, from + count));
  // "The longest" is each of those that are equally long.
  if (by === 'place' || count > 1 || Math.abs(place) > 1 || found[0] === undefined)
    return found.toSorted((a, b) => a.from - b.from);
  const best = size(found[0]);
  const seen = new Set<string>();
  return kept.filter((one) => size(one) === best && !seen.has(keyOf(one.text)) && seen.add(keyOf(one.text)));
}

function between(spans: readonly Span[], text: string): readonly Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const { from, to } of [...spans, { from: text.length, to: text.length }]) {
    if (from > end) found.push({ from: end, to: from, text: text.slice(end, from) });
    end = to;
  }
  return found;
}

const CHANGES: Partial<Record<Action, (text: string) => string>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  capital: (text) => text.replace(/\p{L}/u, (first) => first.toUpperCase()),
  reverse: (text) => graphemes(text).reverse().join(''),
  double: (text) => text + text,
  remove: () => '',
};

/** What is done with the selected parts, beside the selection. */
export interface Change {
  readonly does?: string | undefined;
  readonly with?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Selects parts of a text, and lists, counts or changes them. Throws TaskError above `most` bytes. */
export function runParts(
  value: unknown,
  selection: Selection,
  change: Change,
  most: number,
): { readonly result: string | number | string[] } {
  if (selection.within !== undefined) return runWithin(value, selection, change, most);
  const text = asText(value);
  const all = spansOf(text, value, selection);
  const times = new Map<string, number>();
  for (const one of all) times.set(keyOf(one.text), (times.get(keyOf(one.text)) ?? 0) + 1);
  const selectedSpans = chosen(all, selection, times);
  const found = selection.except === 'others' ? all.filter((one) => !selectedSpans.includes(one)) : selectedSpans;
  const does = (change.does ?? 'list') as Action;
  // To list all but some is to remove these.
  const without = selection.except === 'rest' && does === 'list';
  const action = without ? 'remove' : does;
  const changes = CHANGES[action] ?? changing(action, change);
  if (changes !== undefined) {
    const spans = selection.except === 'rest' && !without ? between(selectedSpans, text) : found;
    const whole = action === 'remove' ? spans.map((one) => withSeparator(one, selection.of as Part, text)) : spans;
    return { result: changed(text, whole, changes, most) };
  }
  if (action === 'swap') return { result: swapped(text, found) };
  if (action === 'initial' || action === 'final')
    return listed(
      found.map((one) => graphemes(one.text).at(action === 'initial' ? 0 : -1) ?? ''),
      change.with,
    );
  if (action === 'count') return { result: found.length };
  if (action === 'place' || action === 'index') {
    const first = action === 'place' ? 1 : 0;
    const places =
      selection.of === 'items' ? found.map((one) => String(all.indexOf(one) + first)) : placesIn(text, found, first);
    return listed(places, change.with);
  }
  if (action === 'any') return { result: found.length > 0 ? 'yes' : 'no' };
  if (action === 'list') {
    fits(
      found.reduce((sum, one) => sum + one.text.length + 3, 2),
      most,
    );
    const { by, at: place = 1, count = 1 } = selection;
    // "The three largest" begin with the largest.
    const ranked = (by === 'value' || by === 'length') && count > 1;
    const size = ({ text: own }: Span): number => (by === 'length' ? graphemes(own).length : numberOf(own));
    const shown = ranked ? found.toSorted((a, b) => Math.sign(place) * (size(a) - size(b))) : found;
    const texts = shown.map((one) => one.text.trim());
    return texts.length === 1 && selection.at !== undefined
      ? { result: texts[0] as string }
      : listed(texts, change.with);
  }
  const numbers = found.map((one) => numberOf(one.text)).filter((one) => !Number.isNaN(one));
  if (numbers.length === 0) throw new TaskError('There are no numbers in it.');
  const sum = Number(numbers.reduce((a, b) => a + b, 0).toPrecision(15));
  return { result: action === 'sum' ? sum : Number((sum / numbers.length).toPrecision(15)) };
}

/** The places of parts in a text, counted in characters as people see them. */
function placesIn(text: string, spans: readonly Span[], first: number): string[] {
  let [start, place] = [0, first];
  return spans.map(({ from }) => {
    place += graphemes(text.slice(start, from)).length;
    start = from;
    return String(place);
  });
}

/** The same in each part of a kind: a list of what is found in each, or the text with all of them changed. */
function runWithin(
  value: unknown,
  { within, ...selection }: Selection,
  change: Change,
  most: number,
): { readonly result: string | string[] } {
  const text = asText(value);
  const changes = selection.except === 'rest' || !LISTS.has((change.does ?? 'list') as Action);
  const found: string[] = [];
  const result = changed(
    text,
    spansOf(text, value, { of: within as Part }),
    (own) => {
      const { result: made } = runParts(own, selection, change, most);
      found.push(Array.isArray(made) ? made.join(' ') : String(made));
      return changes ? (found.at(-1) as string) : '';
    },
    most,
  );
  return { result: changes ? result : found };
}
const LISTS: ReadonlySet<Action> = new Set([
  'list',
  'count',
  'any',
  'sum',
  'average',
  'initial',
  'final',
  'place',
  'index',
]);

const listed = (texts: string[], separator: string | undefined): { readonly result: string | string[] } => ({
  result: separator === undefined ? texts : texts.join(separator),
});

function swapped(text: string, spans: readonly Span[]): string {
  const [one, other] = [spans[0], spans.at(-1)];
  if (one === undefined || other === undefined || one === other) return text;
  return text.slice(0, one.from) + other.text + text.slice(one.to, other.from) + one.text + text.slice(other.to);
}

function changing(action: Action, change: Change): ((text: string) => string) | undefined {
  if (action === 'replace') return () => change.with ?? '';
  if (action === 'surround') return (text) => `${change.before ?? ''}${text}${change.after ?? ''}`;
  return undefined;
}

/** A removed part takes along what separated it from the others. */
function withSeparator({ from, to, text }: Span, part: Part, whole: string): Span {
  const sides = SEPARATORS[part];
  if (sides === undefined) return { from, to, text };
  const [after] = sides.exec(whole.slice(to, to + 3)) ?? [''];
  if (after !== '' && (from === 0 || !SPACED.includes(part))) return { from, to: to + after.length, text };
  const before =
    (SPACED.includes(part) ? /[ \t]$/ : /[,;]?[ \t\r\n]$/).exec(whole.slice(Math.max(0, from - 2), from))?.[0] ?? '';
  return { from: from - before.length, to, text };
}
/** The space before these goes with them. */
const SPACED: readonly Part[] = ['words', 'numbers', 'matches', 'enclosed'];
const SEPARATORS: Partial<Record<Part, RegExp>> = {
  words: /^[ \t]/,
  numbers: /^[ \t]/,
  matches: /^[ \t]/,
  enclosed: /^[ \t]/,
  sentences: /^\s/,
  lines: /^\r?\n/,
  items: /^[,;]?\s?/,
};

function changed(text: string, spans: readonly Span[], make: (text: string) => string, most: number): string {
  const parts: string[] = [];
  let end = 0;
  let size = Buffer.byteLength(text);
  for (const span of spans) {
    const replacement = make(span.text);
    size += replacement.length - span.text.length;
    fits(size, most);
    parts.push(text.slice(end, span.from), replacement);
    end = Math.max(end, span.to);
  }
  return parts.join('') + text.slice(end);
}
