import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import { operand, subject } from '../clause.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';

/** Maximum characters of an instruction; items to pick from may be data and longer. */
const MAX_TEXT = 2_000;
const BEGINS =
  /^(?:generate|make|create|give|get|i (?:need|want)|need|new|an?\b|the\b|another|produce|suggest|show|roll|throw|toss|flip|cast|pick|choose|select|draw|decide|i can|we can|shuffle|randomi[sz]e|random|randomly|heads|coin|dice|die|uuid|guid|password|pass ?phrase|strong|secure|should|which|one|two|three|four|five|six|seven|eight|nine|ten|\d|d\d|mix|scramble|put)/i;
const LEAD =
  /^(?:(?:generate|make|create|give|get|produce|suggest|show|need|i need|i want)(?: (?:me|us|up))? |think of |come up with )/i;
/** A purpose: "3 UUIDs for a test fixture". */
const PURPOSE = / (?:for|to use in|to test) (?:an?|the|my|our|this|some|testing|tests?|new) ?[^:]{0,60}$/i;
const COUNT =
  '(?:(an?|one|\\d{1,9}|some|another|the) )?(?:(?:new|fresh|random|strong|secure|good|safe|unique|different|more) )*';

const UUID = new RegExp(
  `^${COUNT}(?:(?:v(?:ersion)? ?)?([47]) )?(?:uu?id|guid|unique id|universally unique identifier)s?(?: ?\\(?(?:v|version)? ?([47])\\)?)?(?: (?:x|times) ?(\\d{1,9}))?$`,
  'i',
);
const PASSWORD = new RegExp(
  `^${COUNT}(?:(\\d{1,9})[ -](?:characters?|chars?|letters?|digits?|symbols?)(?: long)?,? )?(?:(?:new|random|strong|secure) )*passwords?\\b(?: (?:of|with|that is|that has|having|using))?(?:,? ?(?:length )?(\\d{1,9})(?: (?:characters?|chars?|letters?|long|symbols))?(?: long)?(?: each)?)?(?:,? (?:(?:and|but) )?((?:without|no|with|with no|including) (?:any )?(?:symbols?|special characters?|punctuation)))?$`,
  'i',
);
const DICE =
  /^(?:(?:roll|throw|toss|cast) )?(?:(an?|one|the|some|\d{1,9}) )?(?:(?:random )?(?:(\d{1,7})[ -]?(?:sided|faced) )?(?:dice|die|dices))(?: roll)?(?: (\d{1,9}) times| (once|twice|thrice))?$/i;
const NOTATION =
  /^(?:(?:roll|throw|toss|cast) )?(?:an? )?(\d{0,9}d(?:\d{1,9}|%) ?(?:[+-] ?\d{1,9})?)(?: (\d{1,9}) times| (once|twice|thrice))?$/i;
const COIN =
  /^(?:(?:flip|toss|throw)(?: (an?|the|\d{1,9}))? coins?(?: toss| flip)?|coin (?:flip|toss)|heads or tails|flip)(?: (\d{1,9}) times| (once|twice|thrice))?(?: for me)?$/i;
const NUMBER =
  /^(?:(?:pick|choose|select|draw|think of) )?(?:(an?|any|the|\d{1,9}|some) )?(?:(?:random|different|unique|distinct) )*(?:whole )?(?:number|integer|digit|int)s?(?:,? (?:(?:between|from|in(?: the range)?(?: of)?|within) )?(-?\d{1,16}) ?(?:and|to|-|–|\.\.|through) ?(-?\d{1,16})|,? (up to|below|under|less than|smaller than) (\d{1,16}))?$/i;
const PICK =
  /^(?:randomly )?(?:pick|choose|select|draw|decide)(?: me| for me)?(?: randomly)?(?: (?:an?|any))?(?: (one|an?|\d{1,9}))?(?: (?:random|different))?(?: (?:items?|names?|entry|entries|winners?|options?|things?|elements?|lines?|people|words?|cards?))?(?: at random| randomly)?(?: (?:out of|of|from|between|among|amongst)(?: the following| this list| the list| these(?: \w+)?)?)?(?: (.+))?$/i;
const SHOULD =
  /^(?:(?:should|shall) (?:i|we) (?:choose|pick|have|eat|take|get|go for|go with|do|watch|play|order|buy|use|wear) |which(?: one)?(?: should (?:i|we) \w+)?[,:]? (?!(?:is|are|was|were|has|have|do|does|comes?|goes|of)\b))(.+ or .+)$/i;
const UNDECIDED =
  /^(?:i|we) (?:can['’]?t|can ?not) (?:decide|choose|pick) (?:between|among|from) (.+?)(?:(?:[.,;!]| [-–])? ?(?:please )?(?:you )?(?:choose|pick|decide)(?: one)?)?$/i;
const CANNOT = /^(?:i|we) (?:can['’]?t|can ?not) (?:decide|choose|pick)$/i;
const SHUFFLE =
  /^(?:shuffle|randomi[sz]e|scramble|mix(?: up)?)(?: up)?(?: the order of)?(?: (?:the |this |these |my |following |list|items?|names?|lines?|deck|of)+)?(?:,? (.+))?$/i;
const PUT = /^put (.+?) in(?:to)? (?:a )?random order$/i;

const times = (count: string | undefined, word?: string): number => {
  if (word !== undefined) return { once: 1, twice: 2, thrice: 3 }[word.toLowerCase()] ?? 1;
  return count !== undefined && /^\d+$/.test(count) ? Number(count) : 1;
};

type Values = Exclude<Reading, { readonly ask: string }>['input'];
/** "Of 10 characters each" is satisfied, because all values have the same length. */
const given = (sure: number, input: Values): Reading => ({ sure, input, accounts: ['each'] });

/** Asks again for a number beyond the schema's limits. */
function within(
  count: number,
  low: number,
  high: number,
  what: string,
  again: (n: string) => string,
): Reading | undefined {
  if (count >= low && count <= high) return undefined;
  return { sure: 0.95, ask: `How many ${what}? I can do ${low} to ${high}.`, answered: again };
}

/** How the task understands an instruction. */
export function readRandom(clause: Clause): Reading | undefined {
  if (clause.text.length > MAX_TEXT || !BEGINS.test(clause.text)) return undefined;
  const whole = withoutTrailing(clause.text, `${BLANKS}?!.`).replace(/,? (?:please|for me)$/i, '');
  const led = LEAD.test(whole);
  const text = spelledToDigits(whole.replace(LEAD, ''));
  return (
    made(text, led) ??
    (led && !/^(?:the|my) /i.test(text) ? made(text.replace(PURPOSE, ''), led) : undefined) ??
    fromList(whole, clause)
  );
}

function made(text: string, led: boolean): Reading | undefined {
  const uuid = UUID.exec(text);
  if (uuid !== null) {
    const [, count, before, after, more] = uuid;
    const many = times(more ?? count);
    const version = (before ?? after) === '7' ? 7 : 4;
    const again = (n: string): string => `generate ${n} uuids v${version}`;
    return within(many, 1, 100, 'UUIDs', again) ?? given(led ? 1 : 0.9, { kind: 'uuid', version, times: many });
  }
  const secret = PASSWORD.exec(text);
  if (secret !== null) {
    const [, count, before, after, extra] = secret;
    const many = times(count);
    const length = Number(before ?? after ?? 20);
    return (
      within(many, 1, 100, 'passwords', (n) => `generate ${n} passwords of ${length} characters`) ??
      within(length, 4, 256, 'characters', (n) => `generate a password of ${n} characters`) ??
      given(led ? 1 : 0.85, {
        kind: 'password',
        length,
        times: many,
        ...(/^(?:without|no|with no)/i.test(extra ?? '') ? { symbols: false } : {}),
      })
    );
  }
  const notation = NOTATION.exec(text);
  if (notation !== null) {
    const [all, dice, count, word] = notation as unknown as [string, string, string | undefined, string | undefined];
    const many = times(count, word);
    const plain = dice.replaceAll(' ', '');
    return (
      within(many, 1, 100, 'rolls', (n) => `roll ${plain} ${n} times`) ??
      given(/^[rtc]/i.test(all) ? 1 : 0.85, { kind: 'dice', dice: plain, times: many })
    );
  }
  const dice = DICE.exec(text);
  if (dice !== null) {
    const [all, count, sides = '6', repeated, word] = dice;
    const many = times(repeated, word);
    const each = times(count);
    return (
      within(many, 1, 100, 'rolls', (n) => `roll ${each}d${sides} ${n} times`) ??
      within(each, 1, 100, 'dice', (n) => `roll ${n}d${sides}`) ??
      given(/^[rtc]/i.test(all) ? 1 : 0.7, { kind: 'dice', dice: `${each}d${sides}`, times: many })
    );
  }
  const coin = COIN.exec(text);
  if (coin !== null) {
    const many = coin[2] === undefined && coin[3] === undefined ? times(coin[1]) : times(coin[2], coin[3]);
    return (
      within(many, 1, 100, 'flips', (n) => `flip a coin ${n} times`) ??
      given(/coin|heads/i.test(text) ? 1 : 0.6, { kind: 'coin', times: many })
    );
  }
  const number = NUMBER.exec(text);
  if (number !== null && (led || /random|^(?:pick|choose|select|draw|think)/i.test(text))) {
    const [all, count, low, high, limit = '', max] = number;
    const below = max === undefined ? undefined : Number(max) - (/^up/i.test(limit) ? 0 : 1);
    const [from, to] = [
      Number(low ?? (/digit/i.test(all) ? 0 : 1)),
      Number(high ?? below ?? (/digit/i.test(all) ? 9 : 100)),
    ];
    const many = times(count);
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return undefined;
    if (/different|unique|distinct/i.test(all) && many > 1) return differing(from, to, many);
    return (
      within(many, 1, 100, 'numbers', (n) => `pick ${n} random numbers between ${from} and ${to}`) ??
      given(/random/i.test(all) || low !== undefined ? 0.97 : 0.7, { kind: 'number', from, to, times: many })
    );
  }
  return undefined;
}

/** Different numbers are picked from a small range without replacement. */
function differing(from: number, to: number, many: number): Reading | undefined {
  const all = to - from + 1;
  if (all < 1 || all > 1_000) return undefined;
  const items = Array.from({ length: all }, (_, at) => from + at);
  const again = (n: string): string => `pick ${n} different numbers between ${from} and ${to}`;
  return (
    within(many, 1, Math.min(all, 100), 'different numbers', again) ?? given(0.97, { kind: 'pick', items, times: many })
  );
}

/** Picks or shuffles the items in the data, in the text, or in the result before. */
function fromList(text: string, clause: Clause): Reading | undefined {
  const should = clause.data === undefined ? SHOULD.exec(text)?.[1] : undefined;
  if (should !== undefined) return given(0.75, { kind: 'pick', items: should, times: 1 });
  const undecided = clause.data === undefined ? UNDECIDED.exec(text)?.[1] : undefined;
  if (undecided !== undefined && /,| and | or /.test(undecided))
    return given(0.9, { kind: 'pick', items: undecided, times: 1 });
  // "I can't decide: pizza or tacos" can only mean a choice.
  if (CANNOT.test(text) && clause.data !== undefined && /,| or /.test(clause.data) && !clause.data.includes('\n'))
    return given(0.9, { kind: 'pick', items: withoutTrailing(clause.data, '?!.'), times: 1 });
  const put = PUT.exec(text)?.[1];
  if (put !== undefined) {
    const items = clause.data ?? operand(put, clause);
    return /[,;\n]|^\{\{| and /.test(items) ? given(0.95, { kind: 'shuffle', items }) : undefined;
  }
  const shuffle = SHUFFLE.exec(text);
  if (shuffle !== null) {
    const own = /^(?:it|them|this|that|these|those)$/i.test(shuffle[1] ?? '') ? '' : shuffle[1];
    const items = subject(own, clause);
    if (items === undefined) return { sure: 0.85, ask: 'Shuffle what?', answered: (answer) => `shuffle: ${answer}` };
    if (own !== undefined && own !== '' && clause.data === undefined && !/[,;]| and |\{\{/.test(items))
      return undefined;
    return given(0.95, { kind: 'shuffle', items });
  }
  const pick = PICK.exec(spelledCount(text));
  if (pick === null) return undefined;
  const [, count, rest] = pick;
  const chance = /random/i.test(text);
  const from = /\b(?:of|from|between|among|amongst)\b/i.test(text);
  const own = /^(?:it|them|this|that|these|those)$/i.test(rest ?? '') ? '' : (rest ?? '').replace(/^(?:of|from) /i, '');
  if (own === '' && clause.data === undefined && clause.it === undefined) {
    const again = (answer: string): string => `pick ${times(count)} of: ${answer}`;
    return count !== undefined || chance ? { sure: 0.9, ask: 'Of what?', answered: again } : undefined;
  }
  const items = clause.data === undefined ? subject(own, clause) : clause.data.replace(/^([^\n]*\w)[?!]+$/, '$1');
  if (items === undefined) return undefined;
  // A range of numbers followed by more words is no list.
  if (clause.data === undefined && /^(?:different |random )?(?:numbers?|integers?|digits?) /i.test(items))
    return undefined;
  // "Pick up the parcel" and "choose wisely" have no lists.
  if (own !== '' && clause.data === undefined && !/[,;]| or |^\{\{/.test(items) && !(from && / and /.test(items)))
    return undefined;
  const many = times(count);
  const again = (n: string): string => `pick ${n} of: ${items}`;
  return (
    within(many, 1, 100, 'items', again) ??
    given(from || count !== undefined || chance ? 0.93 : 0.7, { kind: 'pick', items, times: many })
  );
}

/** Converts only the count, because items may be spelled numbers. */
const spelledCount = (text: string): string =>
  text.replace(
    /^((?:randomly )?\w+ )((?:two|three|four|five|six|seven|eight|nine|ten)\b)/i,
    (_, verb: string, word: string) => verb + spelledToDigits(word),
  );
