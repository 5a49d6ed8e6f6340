import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Clause, Reading } from '../tasks/clause.ts';
import { BEHIND_LIST, STYLE } from '../tasks/grammar/listed.ts';
import { GIVING } from '../tasks/grammar/text-words.ts';
import type { Task } from '../tasks/task.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { PLAIN_WORDS } from './plain-words.ts';
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
const NAMING =
  /^(?:an?|the|this|these|those|my|our|your|his|her|their|of|for|its|many|\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve)$/i;
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
const PIECE = /(?<![\p{L}\p{N}@.:/-])(?:\p{L}[\p{L}'’]*|\d+(?:[.,]\d+)*)(?![\p{L}\p{N}@/-]|[.:]\p{L})/gu;
const isPlain = (word: string): boolean => FILLER.has(word) || PLAIN_WORDS.has(word) || REDUNDANT.has(word);
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
    if (!limits && (lower.length < 3 || FILLER.has(lower) || lowerInput.includes(lower))) continue;
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
const REDUNDANT = new Set('if when only each every but another after first last later including least less'.split(' '));

const QUOTED = /"[^"]+"|“[^“”]+”|(?<!\S)'[^']+'(?!\S)/;

/** Words between two quotations that do more than join them. */
const BETWEEN = /^[,.;]? ?(?:(?!(?:and|or|to|with|vs|versus|then)\b)\p{L}+ ){2}/u;

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
    if (/\p{L}/u.test(around) && (!QUOTED.test(around) || BETWEEN.test(around))) return { words: around, taken: true };
  }
  return undefined;
}

/** Words that select by rank, kind or share, which are no names of things. */
export const SELECTING = new Set(
  `second third fourth fifth sixth seventh eighth ninth tenth largest biggest highest greatest smallest lowest longest shortest
cheapest dearest oldest newest latest earliest youngest closest farthest fastest slowest fewest best worst bottom middle half
double twice thrice triple quarter even odd prime negative positive common whole distinct unique same opposite next
previous empty blank nonempty duplicate repeated both either separately descending backwards reverse reversed capital
uppercase lowercase leading trailing consecutive remaining rest exclusive`.split(/\s+/),
);
/** Asks for a number. */
const COUNTED = /^(?:how many|count(?! (?:to|from|down|up|backwards?|in)\b)|(?:the )?number of)\b/i;
/** Two words with one meaning, which the grammar reads as one or has no need of. */
const STANDING =
  /\b(?:(?:past|after|before) (?:noon|midnight)|com(?:e|es|ing) from|(?:liv|work|stay)(?:e?s|e|ing)? in|both (?:of (?:the|these) )?lists|double[ -]quotes?|double[ -]quoted|most expensive|right now|whole numbers?|leading zero\w*|own lines?|both(?= ["“])|while (?:preserving|keeping) (?:the|their|its) (?:original )?order|(?:every|each) (?:piece|part|one|bit)|(?:separate|single|individual|own) (?:words?|lines?|letters|sentences|parts|pieces|items|space)|half[ -]marathons?|years?,? (?:and )?months?(?:,? (?:and )?days?)?|(?:years?|months?) and days?|iso (?:calendar )?week|ignor(?:e|ing) (?:the )?(?:case|capitals)|case[ -]insensitive(?:ly)?)\b/gi;
const QUESTION =
  /^(?:and |so |then )?(?:(?:at|by|until) (?=wh)|(?:how (?:many|much|old|long|far|late)|whats?|what's|which|when)\b)/i;
/** What stands between facts and a question about them. */
const SEPARATORS: readonly string[] = [', ', '. ', '; ', '? ', ' - ', ' – ', ' — '];
/** What is asked in a few words, as behind a dash: "new rent". */
const FRAGMENT = /^[^\d"“”:,;]{2,40}$/;
const NUMERIC: readonly unknown[] = ['calculate', 'convert'];
/** Whether a text is facts with a number, and then a question about them: names of what is told of change nothing. */
function isStory(text: string, steps: Covered['steps'] = []): boolean {
  const [end, after] = SEPARATORS.map((sign) => [text.lastIndexOf(sign), sign.length] as const).reduce((last, one) =>
    one[0] > last[0] ? one : last,
  );
  if (end < 0) return false;
  const asked = text.slice(end + after);
  const isFragment = FRAGMENT.test(asked) && NUMERIC.includes(steps[0]?.task);
  return /\d/.test(text.slice(0, end)) && (QUESTION.test(asked) || isFragment);
}
/** The most words that are taken away to see whether anything changes. */
const MAX_TAKEN_AWAY = 12;

/**
 * The first word that the grammar does nothing with: without it the instruction reads the same. Names of things and words
 * that say what is plain without them may be ignored, limits and ranks not.
 */
export function ignoredIn(clause: Clause, task: Task, { steps, accounts }: Covered): Left | undefined {
  const taken = swallowedIn(clause, steps);
  if (taken !== undefined) return { words: taken, taken: true };
  const { text } = clause;
  const { does, op, by } = steps?.at(-1)?.input ?? {};
  if (COUNTED.test(text) && (does === 'list' || op === 'extract'))
    return { words: text.split(' ').slice(0, 2).join(' '), taken: false };
  const whole = JSON.stringify(steps);
  const written = whole.toLowerCase();
  const spans = spansOf(text, [...(accounts ?? []), ...(text.match(STANDING) ?? []), GIVEN.exec(text)?.[0] ?? '']);
  const story = isStory(text, steps);
  let remaining = MAX_TAKEN_AWAY;
  for (const { 0: word, index } of masked(text).matchAll(PIECE)) {
    const lower = word.toLowerCase().replaceAll('’', "'");
    const limits = (LIMITS.has(lower) || SELECTING.has(lower)) && !REDUNDANT.has(lower);
    const end = index + word.length;
    if (written.includes(lower) || spans.some(([from, to]) => index >= from && end <= to)) continue;
    // What is priced stands before its price: "jacket 40 with 20% off".
    const priced = index === 0 && /^ [$€£]?\d/.test(text.slice(end));
    // Each of what is tallied is named: "how often each color appears".
    if (!limits && op === 'count' && by === 'part' && /\b(?:each|every|different) $/i.test(text.slice(0, index)))
      continue;
    if (!limits && (story || priced || lower.length < 3 || isPlain(lower) || isLabel(text.slice(0, index)))) continue;
    // What the rows are called chooses none of them.
    if (
      !limits &&
      (steps?.[0]?.task === 'table' || whole.includes('"test":"among"')) &&
      /\b(?:which|what|the|all|any|every|of) $/i.test(text.slice(0, index))
    )
      continue;
    // The "pain score" is the column "score".
    const head = steps?.[0]?.task === 'table' ? /^ ([\p{L}\d_]+)/u.exec(text.slice(end))?.[1] : undefined;
    if (!limits && head !== undefined && written.includes(`"column":"${head.toLowerCase().replace(/s$/, '')}`))
      continue;
    if (remaining-- === 0) return undefined;
    const without = `${text.slice(0, index)}${text.slice(end).trimStart()}`.trim() || ' ';
    const other = task.read({ ...clause, text: without });
    if (other !== undefined && 'steps' in other && JSON.stringify(other.steps) === whole)
      return { words: phraseAt(text, index, end), taken: false };
  }
  return undefined;
}
/** The verb of a request for something that is named behind it, which may be left away. */
const GIVEN = new RegExp(
  `^(?:${GIVING.split('|')
    .toSorted((a, b) => b.length - a.length)
    .join('|')}) (?=\\S)`,
  'i',
);
/** Words that no text contains without quotation marks where an instruction may mean them. */
const TAKEN =
  /(?<![\p{L}'’-])(?:except|excepting|excluding|without|unless|ignoring|skipping|omitting|not counting|not including|leaving out)(?![\p{L}'’-])/iu;

/** A request behind the end of a sentence, which no text without quotation marks contains. */
const REQUEST_BEHIND =
  /[.!?] (?:how (?:many|much|do|can|would|is|long|old)|what(?:[’']?s| is| are| was)|which|(?:can|could|would|will) (?:you|i|we)|please|when is|calculate|convert|count|write|sort|add)\b/i;

const worded = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ');

/** Words of the instruction that became a part of the text that it is about. */
function swallowedIn({ text, data }: Clause, steps: Covered['steps'] = []): string | undefined {
  for (const { task, input } of steps) {
    const last = text.split(' ').slice(-2).join(' ');
    if (
      task === 'json' &&
      data !== undefined &&
      last.includes(' ') &&
      input.json !== undefined &&
      JSON.stringify(input.json).includes(last) &&
      !data.includes(last)
    )
      return last;
    if (task !== 'text' && task !== 'encode') continue;
    for (const content of [input.text, ...(Array.isArray(input.items) ? input.items : [])]) {
      if (typeof content !== 'string' || content.length > 1_000) continue;
      if (data !== undefined) {
        const rest = data.trim();
        const start = content === rest ? 0 : content.indexOf(rest);
        const lead = start > 0 ? withoutTrailing(content.slice(0, start), ' \n:,') : '';
        if (/\p{L}/u.test(lead) && worded(text).includes(worded(lead))) return lead;
      } else {
        if (/^(?:below|above)[, ]/i.test(content)) return content;
        const behind = REQUEST_BEHIND.test(masked(text)) ? REQUEST_BEHIND.exec(content) : null;
        if (behind !== null) return content;
        const word = TAKEN.test(masked(text)) ? TAKEN.exec(content) : null;
        if (word !== null) return content.slice(word.index);
      }
    }
  }
  return undefined;
}
type Covered = Pick<Extract<Reading, { readonly input: unknown }>, 'input' | 'steps' | 'accounts'>;

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
