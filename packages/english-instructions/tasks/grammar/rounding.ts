import type { Domain } from '../../language/grammar.ts';
import { call, type Num, numeral, phrase, product } from './number.ts';
import { rulesOf } from './rules.ts';
import type { Request } from './setting.ts';
import { each } from './text-words.ts';
import type { Goods } from './topics.ts';

export const rounded = (name: string, n: Num, places: number | undefined): Num =>
  places === undefined || places === 0 ? call(name, n) : call(name, n, numeral(places));
export const nearest = (n: Num, to: number, way = 'round'): Num =>
  to === 1 ? call(way, n) : product(call(way, product(n, '/', numeral(to))), '*', numeral(to));

/** Rounded so that so many digits matter. */
function significant(n: Num, digits: number): Num | undefined {
  const value = n.plain as number;
  const places = digits - 1 - Math.floor(Math.log10(Math.abs(value)));
  if (value === 0 || digits < 1 || Math.abs(places) > 20) return undefined;
  return phrase(places >= 0 ? rounded('round', n, places) : nearest(n, 10 ** -places));
}

const rule = rulesOf<{ goods: Goods; decimals: number; nearest: number; step: number }>();

/** Rounding, and what is left over. */
export const ROUNDING: Domain = {
  lexicon: {
    ROUNDED: 'rounded|rounded off|and round it|and round that|and rounded',
    way: { 'up|upwards': 'ceil', 'down|downwards': 'floor' },
    step: {
      'ten|10s|tens': 10,
      'hundred|hundreds': 100,
      'thousand|thousands': 1000,
      million: 1e6,
      'tenth|dime': 0.1,
      'hundredth|cent|penny': 0.01,
      half: 0.5,
      quarter: 0.25,
      'dollar|euro|pound': 1,
    },
    SIGNIFICANT: each('significant|sig|sig.|significant decimal', 'figures|figure|figs|fig|digits|digit').concat(
      '|sf|s.f.',
    ),
    LEAVING: 'remainder|the rest|rest|left over|left|remaining|leftover|remain|remains|over',
    SHARED: 'divide|dividing|split|share|sharing|splitting|divided|shared',
    AMONG: 'by|into|among|between|amongst|with|over',
  },
  rules: [
    rule(
      'request = divide? <number:whole> (by|divided by|/|÷|over) <number:whole> (with|and) (a|the)? (remainder|rest)',
      ([a, b]): Request => ({
        steps: [
          { task: 'calculate', input: { expression: `floor(${product(a, '/', b).expr})` } },
          { task: 'calculate', input: { expression: product(a, 'mod', b).expr } },
        ],
      }),
    ),
    rule(
      'number = the? (remainder|rest) (of|when) <number:terms> is? divided by <number:terms>',
      '<number:whole> (divided by|over|/) <number:whole> SEP? WHATIS? (the|is)? LEAVING',
      ([a, b]) => phrase(product(a, 'mod', b)),
    ),
    rule(
      'number -0.2 = (what is|whats|how many are|how many)? the? LEAVING (when|if|after|of) (i|you|we)? SHARED <goods> AMONG <goods> ENDSIGN?',
      '(what is|whats|how many are|how many)? the? LEAVING (when|if|after) <goods> (is|are) SHARED AMONG <goods> ENDSIGN?',
      ([{ n: a }, { n: b }]) =>
        a.unit === undefined && b.unit === undefined ? phrase(product(a, 'mod', b)) : undefined,
    ),
    rule(
      'decimals = to <number:whole> (decimals|decimal|decimal places|decimal place|places|place|digits|decimal digits|dp|d.p.|decimal points|decimal point)',
      '(,|.|;|?)? (with)? <number:whole> (decimals|decimal|decimal places|decimal place) (is|are|will be|would be)? (enough|fine|ok|okay|sufficient|plenty)',
      ([n]) => n.plain,
    ),
    rule('number = round? off? <number:plain> ,? ROUNDED? (to|with|in) <number:whole> SIGNIFICANT', ([n, count]) =>
      significant(n, count.plain as number),
    ),
    rule('decimals = (to the nearest|to a|to the|to an) (whole number|integer|whole)', () => 0),
    rule('nearest = to the? nearest <number:plain>', ([n]) => n.plain),
    rule('nearest = to the nearest <step>'),
    rule(
      'number = round off? <number:terms> <decimals>?',
      '<number:terms> ,? ROUNDED? <decimals>',
      '(write|express|show|display|print|give me) <number:terms> ROUNDED <decimals>',
      ([n, places]) => phrase(rounded('round', n, places)),
    ),
    rule('number = round off? <way> <number:terms>', ([way, n]) => phrase(call(way, n))),
    rule('number = round <number:terms> <way>', '<number:terms> ,? ROUNDED <way>', ([n, way]) => phrase(call(way, n))),
    rule(
      'number = round off? <number:terms> <way> <nearest>',
      '#213 round off? <way> <number:terms> <nearest>',
      ([n, way, to]) => phrase(nearest(n, to, way)),
    ),
    rule('number = round off? <number:terms> <nearest>', '<number:terms> ,? ROUNDED? <nearest>', ([n, to]) =>
      phrase(nearest(n, to)),
    ),
    rule('number = <number> (,|with|using) <number:whole> (decimals|decimal|decimal places)', ([n, places]) =>
      n.ops > 0 ? phrase(rounded('round', n, places.plain)) : undefined,
    ),
    rule('number = <number:terms> ,? ROUNDED', ([n]) => phrase(call('round', n))),
  ],
};
