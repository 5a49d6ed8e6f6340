import type { Domain } from '../../language/grammar.ts';
import { type List, list, numeral } from './number.ts';
import { rulesOf } from './rules.ts';
import { whole } from './selecting.ts';
import { answering, asks } from './setting.ts';

const spelled = (words: string): readonly string[] => words.split(' ');
const DAYS = spelled('Monday Tuesday Wednesday Thursday Friday Saturday Sunday');
const MONTHS = spelled('January February March April May June July August September October November December');
const ALPHABET = spelled('a b c d e f g h i j k l m n o p q r s t u v w x y z');

const MAX_NUMBERS = 1_000;
const numbers = (count: number, at: (index: number) => number): List | undefined =>
  count < 1 || count > MAX_NUMBERS
    ? undefined
    : list(
        Array.from({ length: count }, (_, index) => numeral(at(index))),
        false,
      );

/** The Fibonacci numbers from 0 on, as many as are exact. */
const FIBONACCI: readonly number[] = (() => {
  const found = [0, 1];
  for (let next = 1; Number.isSafeInteger(next); next = (found.at(-1) as number) + (found.at(-2) as number))
    found.push(next);
  return found;
})();
const fibonacci = (count: number): List | undefined =>
  count > FIBONACCI.length ? undefined : numbers(count, (index) => FIBONACCI[index] as number);

/** What stands beside one of a list, which begins again at its end when it goes round. */
function next(name: string, step: number): string | undefined {
  for (const all of [DAYS, MONTHS, ALPHABET]) {
    const at = all.findIndex((one) => one.toLowerCase() === name.toLowerCase());
    if (at >= 0) return all === ALPHABET ? all[at + step] : all.at((at + step) % all.length);
  }
  return undefined;
}

const rule = rulesOf<{ series: List; 'known-list': readonly string[]; beside: number }>();

/** Lists that need not be written: days, months, letters and rows of numbers. */
export const KNOWN_LISTS: Domain = {
  lexicon: {
    'known-list': {
      'days of the week|weekdays and weekend days|names of the days|week days in order': DAYS,
      'months|months of the year|names of the months|twelve months|12 months': MONTHS,
      'letters of the alphabet|alphabet': ALPHABET,
      vowels: spelled('a e i o u'),
    },
    beside: { 'after|behind|next after': 1, before: -1 },
    RECITE: 'list|name|say|write|write down|tell me|show me|give me|recite|print|what are|spell out',
  },
  rules: [
    rule('request = RECITE (the|all|all the|all of the)? <known-list> (in order)? ENDSIGN?', ([all]) =>
      asks('text', { op: 'parts', text: all.join(', '), selection: { of: 'items' }, does: 'list' }),
    ),
    rule(
      'request = (what|which) (day|month|letter|weekday)? (comes|is|goes|follows|stands)? (right|directly|just)? <beside> (the letter)? <literal> (in the alphabet|in the week|in the year)? ENDSIGN?',
      ([step, name]) => {
        const neighbor = next(name, step);
        return neighbor === undefined ? undefined : answering(neighbor);
      },
    ),
    rule(
      'request = (which|what) (position|number|place|letter number|letter) (is|has) (the letter)? <literal> (have)? (in|of) the alphabet ENDSIGN?',
      ([letter]) => {
        const at = ALPHABET.indexOf(letter.toLowerCase());
        return at < 0 ? undefined : answering(String(at + 1));
      },
    ),
    rule('series = (the|all the)? (numbers|integers) <number:whole> (to|through|-|–) <number:whole>', ([a, b]) =>
      numbers(whole(b) - whole(a) + 1, (index) => whole(a) + index),
    ),
    rule('series = (count down|countdown|count backwards|counting down) from <number:whole>', ([from]) =>
      numbers(whole(from), (index) => whole(from) - index),
    ),
    rule(
      'series = (the)? (times table|multiplication table) (of|for) <number:whole>',
      '(the)? <number:whole> (times table|multiplication table)',
      ([n]) => numbers(10, (index) => whole(n) * (index + 1)),
    ),
    rule('series = (the)? first <number:whole> fibonacci (numbers|terms)', ([n]) => fibonacci(whole(n))),
    rule('series = (the)? fibonacci (numbers|sequence|series)? (up to|until|to|through) <number:whole>', ([n]) =>
      fibonacci(FIBONACCI.filter((one) => one <= whole(n)).length),
    ),
  ],
};
