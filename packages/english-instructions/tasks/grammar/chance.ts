import type { Json } from '@mailroom/behavior/values/json';
import type { Domain } from '../../language/grammar.ts';
import { placeholder } from '../clause.ts';
import { bounded, chance, MANY, type Range } from './bounded.ts';
import { itemsIn } from './listed.ts';
import type { Num } from './number.ts';
import { numberList } from './number-list.ts';
import { rulesOf } from './rules.ts';
import { asks, type Free, question, type Request } from './setting.ts';

const whole = ({ plain }: Num): number => plain as number;
/** The numbers of a range by a step, which begin at a multiple of it or beside one. */
function numbers(count: number, [from, to]: Range, step: number, rest: number, differ: boolean): Request | undefined {
  const first = from + ((((rest - from) % step) + step) % step);
  const last = to - ((((to - rest) % step) + step) % step);
  if (first > last || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined;
  if (differ && count > 1) {
    const items = Array.from({ length: Math.min(1_001, (last - first) / step + 1) }, (_, at) => first + at * step);
    if (items.length > 1_000) return undefined;
    const again = `pick {} different numbers between ${from} and ${to}`;
    const input = { kind: 'pick', items, times: count };
    return bounded(count, [1, Math.min(items.length, MANY[1])], 'different numbers', again, input);
  }
  const input = { kind: 'number', from: first, to: last, ...(step > 1 && { step }), times: count };
  return bounded(count, MANY, 'numbers', `pick {} random numbers between ${from} and ${to}`, input);
}

const picked = (items: Json, count: number): Request =>
  bounded(count, MANY, 'items', `pick {} of: ${typeof items === 'string' ? items : JSON.stringify(items)}`, {
    kind: 'pick',
    items,
    times: count,
  });
const shuffled = (items: string): Request => chance({ kind: 'shuffle', items });
const teams = (items: string, times: number): Request =>
  bounded(times, MANY, 'teams', `make {} teams of: ${items}`, { kind: 'teams', items, times });
const rolled = (dice: string, count: number): Request =>
  bounded(count, MANY, 'rolls', `roll ${dice} {} times`, { kind: 'dice', dice, times: count });

const A_TO_Z = 'abcdefghijklmnopqrstuvwxyz'.split('');
const SUITS = ['clubs', 'diamonds', 'hearts', 'spades'];
const RANKS = 'ace 2 3 4 5 6 7 8 9 10 jack queen king'.split(' ');
const SETS: Readonly<Record<string, readonly string[]>> = {
  letter: A_TO_Z,
  vowel: ['a', 'e', 'i', 'o', 'u'],
  card: SUITS.flatMap((suit) => RANKS.map((rank) => `${rank} of ${suit}`)),
  weekday: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
  month: 'January February March April May June July August September October November December'.split(' '),
  color: 'red orange yellow green blue purple pink brown black white gray turquoise'.split(' '),
  direction: ['north', 'east', 'south', 'west'],
};

/** Words without signs between them, as "a b c": none of them in capitals, as the parts of names are. */
const wordsIn = (text: string): string | undefined => {
  const words = text.trim().split(' ');
  return words.length > 2 && words.every((word) => /^(?:\p{Ll}{1,12}|\p{Lu}|\d+)$/u.test(word) && !LINKING.has(word))
    ? words.join(', ')
    : undefined;
};
const LINKING = new Set(
  'the an of to for from in on at by with and or not but is are was it them this that these those my your our me us then if new old'.split(
    ' ',
  ),
);
const itemsOf = ({ text, lined }: Free): string | undefined => (lined === true ? undefined : several(text));
/** Items with signs between them, or several numbers. */
const several = (text: string): string | undefined => {
  const numbers = numberList(text);
  return numbers?.includes(',') ? numbers : (itemsIn(text) ?? wordsIn(text));
};

const rule = rulesOf<
  Record<'choice' | 'repeat' | 'repeats' | 'sided', number> & Record<'range' | 'numbered', Range> & { drawn: Request }
>();

const TO_100: Range = [1, 100];

/** Dice, coins, numbers, and choices from lists by chance. */
export const CHANCE: Domain = {
  lexicon: {
    TEAMS: 'teams|random teams|random groups|team|teams at random|groups randomly|groups at random',
    MAKE: 'generate|make|make me|create|give|give me|give us|get|get me|produce|suggest|show|show me|need|i need|i want|think of|come up with|make up|new|create me|generate me|i would like|get us',
    DRAW: 'pick|choose|select|draw|pick me|choose me|decide|pick out|randomly pick|randomly choose|randomly select|pick randomly|choose randomly|select randomly|draw randomly|pick for me|choose for me|decide for me|draw me|decide between',
    FRESH: 'new|fresh|random|strong|secure|good|safe|unique|different|distinct|more|randomly generated|long',
    RANDOM: 'random',
    DIFFERENT:
      'different|unique|distinct|different random|unique random|distinct random|random different|random unique',
    RANDOMLY: 'at random|randomly|for me|random|random ones',
    ROLL: 'roll|throw|toss|cast',
    SHUFFLE: 'shuffle|randomize|randomise|scramble|mix|mix up|shuffle up',
    DICE: 'dice|die|dices|dice roll',
    COIN: 'coin|coins|coin toss|coin flip|coin flips',
    ITEM: 'item|items|name|names|entry|entries|winner|winners|option|options|thing|things|element|elements|line|lines|person|people|someone|somebody|anyone',
    set: {
      'letter|letters|letter of the alphabet|letters of the alphabet': 'letter',
      'vowel|vowels': 'vowel',
      'card|cards|playing card|playing cards|card from a deck|cards from a deck': 'card',
      'weekday|weekdays|day of the week|day': 'weekday',
      'month|months|month of the year': 'month',
      'color|colour|colors|colours': 'color',
      'direction|compass direction': 'direction',
    },
    face: { 'heads|head': 'heads', 'tails|tail': 'tails' },
    sided: {
      'four-sided': 4,
      'six-sided': 6,
      'eight-sided': 8,
      'ten-sided': 10,
      'twelve-sided': 12,
      'twenty-sided': 20,
    },
    THESE: 'the following|this|these|this list|the list|this list of|these|the|my|those|all',
    CANNOT: "i can't|we can't|i cannot|we cannot|i can not|we can not|can't",
    CHOOSE:
      'you choose|you decide|you pick|choose at random|pick at random|decide at random|draw at random|choose randomly|pick randomly|draw one|choose|decide|pick|pick one|choose one|choose for me|decide for me|please choose|please decide',
  },
  recognize: (tokens, add) => {
    for (const from of tokens.keys()) {
      let text = '';
      for (let to = from; to < Math.min(from + 5, tokens.length) && tokens[to]?.kind !== 'quoted'; to++) {
        text += tokens[to]?.lower ?? '';
        if (/^\d{0,9}d(?:\d{1,9}|%)(?:[+-]\d{1,9})?$/.test(text)) add('dice', from, to + 1, text);
      }
      const pasted = tokens[from]?.kind === 'data' ? tokens[from].text : undefined;
      const items = pasted?.includes('\n') ? pasted : several(pasted ?? '');
      if (items !== undefined) add('pasted', from, from + 1, items);
    }
  },
  rules: [
    rule('many = <some>', '<many> FRESH'),
    rule('many = <number:whole>', ([n]) => whole(n)),
    rule('many -0.05 = FRESH', () => 1),
    rule('repeats = <number:whole> times', ([n]) => whole(n)),
    rule('repeats = <repeat>'),
    // Dice and coins.
    rule('request = ROLL? (a|an|the)? <dice> <repeats>?', ([dice, n = 1]) => rolled(dice, n)),
    rule('request = MAKE? ROLL? <many>? DICE <repeats>?', ([each = 1, n = 1]) => dice(each, 6, n)),
    rule('request = MAKE? ROLL? <many>? <sided> DICE <repeats>?', ([each = 1, sides, n = 1]) => dice(each, sides, n)),
    rule('request = MAKE? ROLL? <many>? <number:whole> -? (sided|faced) DICE <repeats>?', ([each = 1, sides, n = 1]) =>
      dice(each, whole(sides), n),
    ),
    rule('request = (flip|toss|throw) <many>? COIN <repeats>? (for me)?', ([each, n]) => flipped(n ?? each ?? 1)),
    rule('request = MAKE? <some>? (coin flip|coin toss|heads or tails) <repeats>?', ([, n = 1]) => flipped(n)),
    rule('request -0.5 = flip <repeats>?', ([n = 1]) => flipped(n)),
    // Numbers.
    rule(
      'range = (between|from|in the range|in the range of|in range|in|within)? <number:whole> (and|to|-|–|..|through) <number:whole> inclusive?',
      ([a, b]) => [whole(a), whole(b)],
    ),
    rule('range = ,? (up to|to|not above|at most) <number:whole>', ([n]) => [1, whole(n)]),
    rule('range = ,? (below|under|less than|smaller than) <number:whole>', ([n]) => [1, whole(n) - 1]),
    rule('range = ,? <range>'),
    rule('drawn -0.05 = <many>? RANDOM <numbered> <range>?', ([n = 1, [step, rest], range = TO_100]) =>
      numbers(n, range, step, rest, false),
    ),
    rule('drawn = <number:whole>? DIFFERENT <numbered> <range>?', ([n, [step, rest], range = TO_100]) =>
      numbers(n === undefined ? 1 : whole(n), range, step, rest, true),
    ),
    rule(
      'drawn = (a|an|one)? RANDOM multiple of <number:whole> <range>?',
      '#23 (a|an|one)? RANDOM <numbered> divisible by <number:whole> <range>?',
      '#32 (a|an|one)? RANDOM <numbered> <range> divisible by <number:whole>',
      ([by, range = TO_100]) => numbers(1, range, whole(by), 0, false),
    ),
    rule('drawn -0.1 = <many>? RANDOM? (digit|digits)', ([n = 1]) => numbers(n, [0, 9], 1, 0, false)),
    rule('drawn -0.05 = RANDOM <range>', ([range]) => numbers(1, range, 1, 0, false)),
    rule('request = MAKE? <drawn>', 'DRAW <drawn>'),
    rule(
      'request -0.1 = DRAW <many>? <numbered> <range>?',
      '-0.2 = MAKE <many>? <numbered> <range>',
      ([n = 1, [step, rest], range = TO_100]) => numbers(n, range, step, rest, false),
    ),
    // Known sets.
    rule('request = MAKE? <many>? RANDOM <set>', '-0.1 = DRAW <many> <set> RANDOMLY?', ([n = 1, set]) =>
      picked([...(SETS[set] ?? [])], n),
    ),
    rule('request = yes or no', () => picked('yes, no', 1)),
    // Choices.
    rule('choice = DRAW RANDOMLY? <many>? ITEM? RANDOMLY?', ([n]) => n ?? 1),
    rule('given = (out of|of|from|between|among|amongst) THESE? ITEM? :? …', ([all]) => itemsOf(all)),
    rule('given = THESE? :? <pasted>', ([all]) => all.replace(/^([^\n]*\w)[?!]+$/, '$1')),
    rule('given = (out of|of|from|between|among|amongst) THESE? ITEM? :? <pasted>'),
    rule(
      'given = (out of|of|from|between|among|amongst) (it|them|these|those|that|this|this list|the list)',
      (_, { it }) => (it === undefined ? undefined : placeholder(it)),
    ),
    rule('request = DRAW RANDOMLY? <many>? <set> <given>', ([n = 1, , items]) => picked(items, n)),
    rule('request -0.15 = DRAW <many> <topic> RANDOMLY <given>', ([n, , items]) => picked(items, n)),
    rule('request = <choice> <given>', ([n, items]) => picked(items, n)),
    rule('request -0.2 = DRAW RANDOMLY? <many>? ITEM? RANDOMLY? :? …', ([n = 1, all]) => {
      const items = itemsOf(all);
      return items === undefined || / (?:and|from|of|in|between|among) /i.test(items.split(',')[0] as string)
        ? undefined
        : picked(items, n);
    }),
    rule('request -0.1 = DRAW <many> ITEM? RANDOMLY?', ([n], { it }) =>
      it === undefined ? question('random', 'Of what?', `pick ${n} of: {}`) : picked(placeholder(it), n),
    ),
    rule(
      'request -0.1 = (should|shall) (i|we) (choose|pick|have|eat|take|get|go for|go with|do|watch|play|order|buy|use|wear) …',
      'which one? (should|shall) (i|we) (choose|pick|have|eat|take|get|go for|go with|do|watch|play|order|buy|use|wear) (,|:)? …',
      'CANNOT (decide|choose|pick) (between|among|from|:) …',
      '0 = CANNOT (decide|choose|pick) (between|among|from|:) … (,|.|-|–|;) CHOOSE',
      '0 = who (goes first|starts|begins|pays|wins|goes|is first) (,|:|-) …',
      ([all]) => alternatives(all),
    ),
    // Orders.
    rule('heading = (the|these|this|those|my|our|all) … :', ([{ text }]) =>
      /^[\p{L} -]{2,40}$/u.test(text) ? text : undefined,
    ),
    rule(
      'request -0.2 = SHUFFLE (the order of)? <heading> …',
      '-0.1 = #11 SHUFFLE (the order of)? THESE? ITEM? :? …',
      '0 = #11 (put|bring|arrange) … (in|into) a? random order',
      ([, all]) => {
        const items = itemsOf(all);
        return items === undefined ? undefined : shuffled(items);
      },
    ),
    rule('request -0.2 = SHUFFLE (the order of)? (the|these|this|those|my|our|all) … <pasted>', ([{ text }, items]) =>
      /^[\p{L} -]{2,40}$/u.test(text) ? shuffled(items) : undefined,
    ),
    rule(
      'request = SHUFFLE (the order of)? THESE? ITEM? :? <pasted>',
      '(random order|a random order) (for|of)? :? <pasted>',
      ([items]) => shuffled(items),
    ),
    // Teams.
    rule(
      'request -0.1 = (split|divide|sort|put|assign|distribute|group|separate) THESE? ITEM? :? … (randomly)? (into|in|to) <number:whole> TEAMS randomly?',
      '#21 (make|form|create|build|draw) <number:whole> TEAMS (of|from|out of|with|for|:) …',
      ([all, n]) => {
        const items = itemsOf(all);
        return items === undefined ? undefined : teams(items, whole(n));
      },
    ),
    rule(
      'request = SHUFFLE (the numbers|numbers|the numbers from|numbers from)? <number:whole> (to|through|-|–) <number:whole>',
      ([a, b]) => {
        const [low, high] = [whole(a), whole(b)];
        return high - low > 0 && high - low < 1_000
          ? chance({ kind: 'shuffle', items: Array.from({ length: high - low + 1 }, (_, at) => low + at) })
          : undefined;
      },
    ),
    rule('request = SHUFFLE (it|them|these|those|that|this|the list|the items|the order|the result)?', (_, { it }) =>
      it === undefined ? question('random', 'Shuffle what?', 'shuffle: {}') : shuffled(placeholder(it)),
    ),
    rule(
      'request = (put|bring|arrange) (the|these|this|those|my)? … (in|into) a? random order :? <pasted>',
      ([thing, items]) => (thing.text.length < 40 ? shuffled(items) : undefined),
    ),
    rule('request = COUNT the? <face> (are there|were there|did i get|are|were|there are)?', ([face], { it }) =>
      it === undefined
        ? undefined
        : asks('text', {
            op: 'parts',
            text: placeholder(it),
            selection: { of: 'items', where: [{ test: 'equals', text: face }] },
            does: 'count',
          }),
    ),
  ],
};

const dice = (each: number, sides: number, count: number): Request =>
  each < 1 || each > MANY[1]
    ? question('random', `How many dice? I can do ${MANY[0]} to ${MANY[1]}.`, `roll {}d${sides}`)
    : rolled(`${each}d${sides}`, count);
const flipped = (count: number): Request =>
  bounded(count, MANY, 'flips', 'flip a coin {} times', { kind: 'coin', times: count });
function alternatives(all: Free): Request | undefined {
  const items = itemsOf(all);
  return items === undefined ? undefined : picked(items, 1);
}
