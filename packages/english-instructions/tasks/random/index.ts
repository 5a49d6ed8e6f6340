import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Millis } from '@mailroom/behavior/values/clock';
import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { readBy } from '../grammar/index.ts';
import { TaskError, task } from '../task.ts';
import { unmarked } from '../text/input.ts';
import { WORDS } from './words.ts';

const MAX_TIMES = 100;
const MAX_ITEMS = 5_000;
const MAX_DICE = 100;
const MAX_SIDES = 1_000_000;
/** `randomInt` needs a range below 2 ** 48. */
const MAX_SPAN = 2 ** 48 - 1;

const CHARACTERS = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  symbols: '!#$%&*+-=?@^_~.:',
} as const;
type Kinds = keyof typeof CHARACTERS;
const Kind = Type.Enum(Object.keys(CHARACTERS) as Kinds[]);
const ALIKE = /[0Oo1lI|]/g;

const Input = closed({
  kind: Type.Union(
    ['uuid', 'password', 'passphrase', 'words', 'dice', 'coin', 'pick', 'shuffle', 'teams', 'number'].map((one) =>
      Type.Literal(one),
    ),
    { description: 'What is to come from chance.' },
  ),
  'times?': Type.Integer({
    minimum: 1,
    maximum: MAX_TIMES,
    description: 'How many; of `pick`: how many different items; of `teams`: into how many. 1 when it lacks.',
  }),
  'version?': Type.Union([Type.Literal(4), Type.Literal(7)], { description: 'Of a uuid; 7 begins with the time.' }),
  'length?': Type.Integer({
    minimum: 3,
    maximum: 256,
    description: 'Of a password in characters, 20 when it lacks; of a passphrase in words, 5 when it lacks.',
  }),
  'symbols?': Type.Boolean({ description: 'Whether a password has more than letters and digits.' }),
  'omits?': Type.Array(Kind, { maxItems: 3, description: 'Kinds of characters that a password does not have.' }),
  'least?': Type.Partial(Type.Record(Kind, Type.Integer({ minimum: 1, maximum: 64 })), {
    description: 'At least so many characters of a kind in a password.',
  }),
  'readable?': Type.Boolean({ description: 'Whether a password has none of 0, O, o, 1, l, I and | that look alike.' }),
  'dice?': Type.String({ description: 'Such as "2d6+1": count, sides, and what is added.' }),
  'items?': Type.Union([Type.String(), Type.Array(Type.Unknown())], {
    description: 'What to pick from or to shuffle: a list, or text with one a line or with commas. Up to 5,000.',
  }),
  'from?': Type.Integer({ description: 'The lowest number.' }),
  'to?': Type.Integer({ description: 'The highest number.' }),
  'step?': Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Only each so-manieth number from `from` on.',
  }),
});

const One = Type.Union([Type.String(), Type.Number()]);
const Output = closed({
  result: Type.Union([One, Type.Array(One)], {
    description: 'What came; a list when several were wanted, and of `shuffle`.',
  }),
  'rolls?': Type.Array(Type.Array(Type.Integer()), { description: 'Each die of each roll.' }),
  'entropy_bits?': Type.Number({ description: 'Of a password.' }),
});

/** UUID version 7 (RFC 9562, section 5.7). */
function uuid7(now: Millis): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The characters of a password by their kinds. Throws TaskError when none are left. */
function alphabetsOf({ omits = [], symbols = true, readable = false }: Wishes): ReadonlyMap<Kinds, string> {
  const kinds = (Object.keys(CHARACTERS) as Kinds[]).filter(
    (kind) => !omits.includes(kind) && (symbols || kind !== 'symbols'),
  );
  if (kinds.length === 0) throw new TaskError('A password needs at least one kind of characters.');
  return new Map(kinds.map((kind) => [kind, readable ? CHARACTERS[kind].replace(ALIKE, '') : CHARACTERS[kind]]));
}

interface Wishes {
  readonly omits?: readonly Kinds[];
  readonly symbols?: boolean;
  readonly readable?: boolean;
  readonly least?: Readonly<Partial<Record<Kinds, number>>>;
}

const MAX_TRIES = 10_000;

/**
 * A password with each kind of character; whole passwords are drawn until one qualifies, so that all are equally likely.
 * Throws TaskError when it is too short for what it must have.
 */
function password(length: number, alphabets: ReadonlyMap<Kinds, string>, least: Wishes['least'] = {}): string {
  const alphabet = [...alphabets.values()].join('');
  const needs = [...alphabets].map(([kind, own]) => [own, least[kind] ?? 1] as const);
  for (const kind of Object.keys(least) as Kinds[])
    if (!alphabets.has(kind)) throw new TaskError(`A password cannot have ${kind} and be without them.`);
  if (needs.reduce((sum, [, count]) => sum + count, 0) <= length)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const made = Array.from({ length }, () => alphabet[randomInt(alphabet.length)] as string);
      if (needs.every(([own, count]) => made.filter((one) => own.includes(one)).length >= count)) return made.join('');
    }
  throw new TaskError(
    `A password of ${length} characters is too short for all that it must have. Ask for a longer one.`,
  );
}

/** Number, sides and constant of "2d6+1". Throws TaskError. */
function diceOf(text: string): { readonly count: number; readonly sides: number; readonly plus: number } {
  const [, count, sides, plus] = /^(\d{0,4})d(\d{1,8}|%)([+-]\d{1,9})?$/i.exec(text.replaceAll(' ', '')) ?? [];
  if (sides === undefined) throw new TaskError(`“${text.slice(0, 40)}” is no dice: write them like 2d6 or 1d20+3.`);
  const dice = { count: Number(count || 1), sides: sides === '%' ? 100 : Number(sides), plus: Number(plus ?? 0) };
  if (dice.count < 1 || dice.count > MAX_DICE) throw new TaskError(`I roll 1 to ${MAX_DICE} dice at once.`);
  if (dice.sides < 2 || dice.sides > MAX_SIDES) throw new TaskError('A die has 2 to 1,000,000 sides.');
  return dice;
}

type Item = string | number;

/** Items of a JSON list, of lines, or between commas, semicolons and a last "or" or "and". Throws TaskError. */
function itemsOf(given: string | readonly unknown[]): Item[] {
  if (typeof given !== 'string') return listed(given);
  const plain = given.trim().replace(/[?.]$/, '');
  if (plain.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(plain);
      if (Array.isArray(list)) return listed(list);
    } catch {
      // A text that begins with a bracket.
    }
  }
  if (plain.includes('\n')) {
    const lines = plain.split('\n').map((line) => line.trim());
    return bounded(unmarked(lines.filter((line) => line !== '')));
  }
  const parts = /[,;]/.test(plain) ? plain.split(/[,;](?:\s*(?:or|and)\s)?/) : plain.split(/\s(?:or|and|vs\.?)\s+/i);
  const all = parts.flatMap((part, at) => (at === parts.length - 1 && at > 0 ? part.split(/ (?:or|and) /i) : [part]));
  return bounded(all.map((part) => part.trim()).filter((part) => part !== ''));
}

/** Values that are neither text nor numbers become JSON. */
const listed = (list: readonly unknown[]): Item[] =>
  bounded(list.map((one) => (typeof one === 'string' || typeof one === 'number' ? one : JSON.stringify(one ?? null))));

function bounded(items: readonly Item[]): Item[] {
  if (items.length === 0) throw new TaskError('There is nothing to choose from.');
  if (items.length > MAX_ITEMS) throw new TaskError(`I take up to ${MAX_ITEMS.toLocaleString('en')} items.`);
  return [...items];
}

/** The first `count` items of a fair shuffle (Fisher and Yates). */
function shuffled(items: Item[], count: number): Item[] {
  for (let index = 0; index < count; index++) {
    const other = randomInt(index, items.length);
    const kept = items[index] as Item;
    items[index] = items[other] as Item;
    items[other] = kept;
  }
  return items.slice(0, count);
}

/** Random values without bias, from the cryptographic generator. Synchronous. */
export const random = task({
  name: 'random',
  description:
    'Chance: UUIDs, passwords, dice, coins, a number between two, picking from a list and shuffling one. Of the quality that cryptography needs.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  examples: ['generate a uuid', 'generate a password of 16 characters', 'roll 2d6+1', 'pick one of: tea, coffee'],
  read: readBy('random'),
  run(
    { kind, times = 1, version = 4, length, dice = '1d6', items = '', from = 1, to = 100, step = 1, ...wishes },
    { clock },
  ) {
    const several = (make: () => Item): Item | Item[] => (times === 1 ? make() : Array.from({ length: times }, make));
    switch (kind) {
      case 'uuid':
        return { result: several(() => (version === 7 ? uuid7(clock()) : randomUUID())) };
      case 'password': {
        const alphabets = alphabetsOf(wishes);
        const size = [...alphabets.values()].join('').length;
        return {
          result: several(() => password(length ?? 20, alphabets, wishes.least)),
          entropy_bits: Math.floor((length ?? 20) * Math.log2(size)),
        };
      }
      case 'passphrase': {
        const words = length ?? 5;
        const made = (): string => Array.from({ length: words }, () => WORDS[randomInt(WORDS.length)]).join('-');
        return { result: several(made), entropy_bits: Math.floor(words * Math.log2(WORDS.length)) };
      }
      case 'words': {
        const drawn = shuffled([...WORDS], times);
        return { result: times === 1 ? (drawn[0] as Item) : drawn };
      }
      case 'coin':
        return { result: several(() => (randomInt(2) === 0 ? 'heads' : 'tails')) };
      case 'dice': {
        const { count, sides, plus } = diceOf(dice);
        const rolls: number[][] = [];
        const result = several(() => {
          const roll = Array.from({ length: count }, () => randomInt(1, sides + 1));
          rolls.push(roll);
          return roll.reduce((sum, one) => sum + one, plus);
        });
        return { result, rolls };
      }
      case 'number': {
        const [low, high] = from <= to ? [from, to] : [to, from];
        if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || high - low >= MAX_SPAN) {
          throw new TaskError('The two numbers are too far apart: up to 281,474,976,710,654.');
        }
        return { result: several(() => low + step * randomInt(Math.floor((high - low) / step) + 1)) };
      }
      case 'shuffle': {
        const all = itemsOf(items);
        return { result: shuffled(all, all.length) };
      }
      case 'teams': {
        const all = itemsOf(items);
        if (times > all.length) throw new TaskError(`There are only ${all.length} for ${times} teams.`);
        const drawn = shuffled(all, all.length);
        return {
          result: Array.from({ length: times }, (_, team) => drawn.filter((_, at) => at % times === team).join(', ')),
        };
      }
      default: {
        const all = itemsOf(items);
        if (times > all.length) throw new TaskError(`There are only ${all.length} to pick ${times} from.`);
        const picked = shuffled(all, times);
        return { result: times === 1 ? (picked[0] as Item) : picked };
      }
    }
  },
  show({ result, rolls, entropy_bits }, { kind }) {
    const code = kind === 'uuid' || kind === 'password' || kind === 'passphrase';
    const itemText = (item: Item): string => (code ? `\`${item}\`` : String(item));
    const text = Array.isArray(result)
      ? result.map((item) => `- ${itemText(item)}`).join('\n')
      : code
        ? itemText(result)
        : `**${result}**`;
    if (entropy_bits !== undefined) return `${text}\n\nAbout ${entropy_bits} bits of entropy.`;
    return rolls?.length === 1 && (rolls[0]?.length ?? 0) > 1 ? `${text} (${rolls[0]?.join(' + ')})` : text;
  },
});
