import type { Clause, Reading } from '../tasks/clause.ts';
import { BEHIND_LIST, STYLE } from '../tasks/grammar/listed.ts';
import type { Task } from '../tasks/task.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { masked } from './split.ts';

/** Words without meaning of their own: pointers, politeness, and the usual words between a task's terms. */
const FILLER = new Set(
  `a an the this that these those it its them they their there here my our your his her me us we you i all any some both
of in on at to for from by with as into onto about up out over and or so is are was were be been do does did has have had will
would can could should may might must shall what which who how many much please pls plz kindly thanks thank hi hello hey ok okay
now also then just too again simply quickly really actually maybe exactly following given below above attached pasted provided
text texts string strings sentence sentences paragraph paragraphs word words line lines list lists item items value values
name names number numbers letter letters message messages document file content contents passage snippet block data input output
result results answer answers thing things let get got give show tell make want need like know see find take use using where
there's inside within one order random randomly print checksum digest addresses address i'm i've i'd i'll what's whats it's that's
today own whole entire together yourself myself complete full long wrote written said say`.split(/\s+/),
);
/** Parts that some tasks leave unchanged when they are selected from a text. */
const PICKED = /^(?:vowels?|consonants?|digits?|punctuation|nouns?|verbs?|adjectives?|initials?)$/;
/**
 * Words before the name of a given thing, as in "these speakers", "3 eggs" or "lbs of flour", with one word between at
 * most.
 */
const NAMING = /^(?:an?|the|this|these|those|my|our|your|his|her|their|of|for|\d[\d.,]*)$/i;
/** Words after a thing that select some of it. */
const PICKING = /^(?:with|without|having|containing|contains?|whose|where|by|like|as|that|who|which)$/i;

const OF_LIST = new Set(['sort', 'unique', 'reverse', 'join', 'first', 'last', 'pick', 'shuffle']);
/** The words that follow only the last item of an unquoted list; undefined when there are none. */
export function behindList(clause: Clause, input: { readonly [name: string]: unknown }): string | undefined {
  const { op, kind, text, items } = input;
  const does = op ?? kind;
  if (typeof does !== 'string' || !OF_LIST.has(does)) return undefined;
  const given = typeof text === 'string' ? text : items;
  const list = typeof given === 'string' ? given.split(/[,;]/) : Array.isArray(given) ? given.map(String) : [];
  const last = String(list.at(-1) ?? '').trim();
  if (list.length < 2 || last.length > 200 || /[\n"“]/.test(last) || clause.language !== undefined) return undefined;
  if (typeof given === 'string' && given.includes('\n')) return undefined;
  const behind = BEHIND_LIST.exec(last.replace(/^(?:and|or) /i, ''))?.[0]?.trim();
  return behind === undefined || list.slice(0, -1).some((one) => BEHIND_LIST.test(one.trim())) ? undefined : behind;
}

const WORD = /\p{L}[\p{L}'’]*/gu;
/** Replaces a word to see whether the reading changes; no task knows it. */
const PROBE = 'zqxjv';
const MAX_PROBES = 48;

/** Whether a lower-case word has a meaning of its own. */
export const isTelling = (word: string): boolean => !FILLER.has(word) && !LIMITS.has(word);

/** A part of an instruction that a reading ignores. */
export interface Left {
  /** The words as written in the instruction. */
  readonly words: string;
  /** Whether the words were taken as part of a text; otherwise nothing was done with them. */
  readonly taken: boolean;
}

/**
 * The first words of an instruction that its reading does not account for; undefined when all are accounted for. Each word
 * with a meaning is tested: a reading that stays the same with the word replaced or removed ignored it, and a limiting word
 * in an unquoted text is ambiguous.
 */
export function leftOut(clause: Clause, task: Task, reading: Reading): Left | undefined {
  if ('ask' in reading) return undefined;
  const input = JSON.stringify(reading.input);
  const behind = behindList(clause, reading.input);
  if (behind !== undefined) return { words: behind, taken: true };
  const { text } = clause;
  const plain = masked(text).replace(/\S*(?:@|:\/\/)\S*/g, (address) => ' '.repeat(address.length));
  const style = STYLE.exec(plain)?.[0];
  if (style !== undefined) return { words: style, taken: input.includes(style) };
  const spans = spansOf(text, reading.accounts);
  const lowerInput = input.toLowerCase();
  let probes = MAX_PROBES;
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    const end = index + word.length;
    if (spans.some(([from, to]) => index >= from && end <= to)) continue;
    const lower = word.toLowerCase().replaceAll('’', "'");
    const limits = LIMITS.has(lower);
    // The first words name the task.
    if (!limits && (index === 0 || lower.length < 3 || FILLER.has(lower) || lowerInput.includes(lower))) continue;
    if (probes-- === 0) return undefined;
    const [head, tail] = [text.slice(0, index), text.slice(end)];
    const other = readAs(clause, task, head + PROBE + tail);
    if (other === input && (limits || !isLabel(text.slice(0, index)) || PICKED.test(lower)))
      return { words: phraseAt(text, index, end), taken: false };
    if (!limits) continue;
    if (other?.replaceAll(PROBE, word) === input) return { words: phraseAt(text, index, end), taken: true };
    const without = `${head.trimEnd()} ${tail.trimStart()}`.trim();
    if (readAs(clause, task, without) === input) return { words: phraseAt(text, index, end), taken: false };
  }
  return undefined;
}

/** Limiting words that may say what is clear without them: "3 shirts at 20 each", "if 3 pens cost 6". */
const REDUNDANT = new Set([
  'if',
  'when',
  'only',
  'each',
  'every',
  'but',
  'another',
  'after',
  'first',
  'last',
  'including',
  'least',
  'less',
]);

const QUOTED = /"[^"]+"|“[^“”]+”|(?<!\S)'[^']+'(?!\S)/;

/**
 * A quotation with the words around it that were taken as one text, so that its marks may have ended the text: "encode 'hi'
 * twice".
 */
export function quotedWithin({ text, data }: Clause, { input }: Covered): Left | undefined {
  if (data !== undefined || !QUOTED.test(text)) return undefined;
  for (const content of [input.text, input.body]) {
    if (typeof content !== 'string' || content.length > 500 || !text.includes(content)) continue;
    const quoted = QUOTED.exec(content)?.[0];
    const around = quoted === undefined ? '' : content.replace(quoted, ' ').trim();
    if (/\p{L}/u.test(around) && !QUOTED.test(around)) return { words: around, taken: true };
  }
  return undefined;
}

/** A limiting word without which the grammar reads the same, so that it took it as a part of a name. */
export function limitIgnored(clause: Clause, task: Task, { input, steps }: Covered): Left | undefined {
  const { text } = clause;
  const written = JSON.stringify(input).toLowerCase();
  for (const { 0: word, index } of masked(text).matchAll(WORD)) {
    const lower = word.toLowerCase().replaceAll('’', "'");
    if (!LIMITS.has(lower) || REDUNDANT.has(lower) || written.includes(lower)) continue;
    const end = index + word.length;
    const without = task.read({
      ...clause,
      text: `${text.slice(0, index)}${text.slice(end).trimStart()}`.trim() || ' ',
    });
    if (without !== undefined && 'steps' in without && JSON.stringify(without.steps) === JSON.stringify(steps))
      return { words: phraseAt(text, index, end), taken: false };
  }
  return undefined;
}
type Covered = Pick<Extract<Reading, { readonly input: unknown }>, 'input' | 'steps'>;

function isLabel(before: string): boolean {
  const words = before.slice(-80).trim().split(' ');
  const last = words.at(-1) ?? '';
  const at = NAMING.test(last) ? -1 : FILLER.has(last.toLowerCase()) && last !== 'random' ? 0 : -2;
  return at < 0 && NAMING.test(words.at(at) ?? '') && !PICKING.test(words.at(at - 1) ?? '');
}

function readAs(clause: Clause, task: Task, text: string): string | undefined {
  const reading = text === '' ? undefined : task.read({ ...clause, text });
  return reading === undefined || 'ask' in reading ? undefined : JSON.stringify(reading.input);
}

function spansOf(text: string, pieces: readonly string[] = []): readonly (readonly [number, number])[] {
  const spans: [number, number][] = [];
  for (const piece of pieces) {
    if (piece === '') continue;
    for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length))
      spans.push([at, at + piece.length]);
  }
  return spans;
}

function phraseAt(text: string, from: number, end: number): string {
  const behind = /^(?: [^\s,;:]+){0,3}/.exec(text.slice(end))?.[0] ?? '';
  return text.slice(from, end + behind.length);
}
