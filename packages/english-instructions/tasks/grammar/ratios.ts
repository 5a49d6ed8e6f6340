import type { Domain } from '../../language/grammar.ts';
import { calculation, LEVEL, type Num, numeral, operation, product } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';

const tidy = (value: number): number => Number(value.toPrecision(12));

/** The parts of an amount by a ratio; `people`: how many share it. */
function shared(n: Num, all: readonly Num[], people = all.length): Request | undefined {
  const whole = all.reduce((sum, { plain = 0 }) => sum + plain, 0);
  return whole > 0 && people === all.length
    ? { steps: all.map((one) => calculation(product(product(n, '*', one), '/', numeral(tidy(whole))))) }
    : undefined;
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
/** A ratio in the smallest whole numbers. */
function simplest(all: readonly Num[]): Request | undefined {
  const numbers = all.map(({ plain }) => plain as number);
  if (!numbers.every((one) => Number.isSafeInteger(one) && one > 0)) return undefined;
  const by = numbers.reduce(divisor);
  return asks('text', { op: 'say', text: numbers.map((one) => one / by).join(':') });
}

const rule = rulesOf<{ ratio: readonly Num[] }>();

/** Ratios, proportions and the scales of maps. */
export const RATIOS: Domain = {
  lexicon: {
    RATIO: 'ratio|proportion|proportions|shares|ratios',
    APPORTION: 'split|divide|share|distribute|divide up|share out|divided|shared',
    ISTO: 'is to|to|:',
    ASISTO: 'as|=|::|is the same as|is like|equals',
    SCALE:
      'scale|the scale is|scale is|map scale|map scale is|a map scale of|at a scale of|on a map with scale|on a map with a scale of|map|a map at|on a map at|on a map of|the map scale is|a map has a scale of|scale of',
    ONMAP: 'on the map|on a map|on paper|on the plan',
    REALLY: 'in real life|in reality|on the ground|really|is that|is that in reality',
  },
  rules: [
    rule('ratio = <number:plain> (:|to) <number:plain>', ([a, b]) => [a, b]),
    rule('ratio = <ratio> (:|to) <number:plain>', ([all, n]) => [...all, n]),
    rule(
      'request = APPORTION the? <number:terms> SEP? (in|into|by|with|at|,|using)? (the|a)? RATIO? of? :? <ratio> RATIO?',
      '#21 (in|with|for)? (the|a)? RATIO (of|is|:)? <ratio> SEP? (the|a)? (total|whole|sum|total is|total of|whole is|sum is|amount is|total amount|in total|altogether) (is|of|=|:)? <number:terms> SEP? ASKS? (is|are)? (the|each|of them)? (shares|parts|share|part|amounts|each|each part|each share)? ENDSIGN?',
      '#21 APPORTION (in|into|by) (the|a)? RATIO of? <ratio> : <number:terms>',
      '<number:terms> APPORTION (in|by) (the|a)? RATIO of? :? <ratio>',
      ([n, all]) => shared(n, all),
    ),
    rule(
      'request = APPORTION the? <number:terms> (between|among|amongst|by|for|with) <number:whole> PEOPLE? SEP? (in|into|by|with|at|using) (the|a)? RATIO? of? :? <ratio> RATIO?',
      ([n, people, all]) => shared(n, all, people.plain),
    ),
    rule(
      'request = #14 APPORTION the? <number:terms> (between|among|amongst|for|with) <literal> (and|&) <literal> SEP? (in|into|by|with|at|using)? (the|a)? RATIO? of? :? <ratio> RATIO?',
      ([n, all]) => shared(n, all, 2),
    ),
    rule(
      'request = (simplify|reduce|cancel down) (the)? RATIO? :? <ratio> (to its simplest form|fully|to lowest terms)?',
      'RATIO :? <ratio> (in|to|as) (simplest|its simplest|the simplest|lowest) (form|terms)',
      ([all]) => simplest(all),
    ),
    rule(
      'number = if? <number:plain> ISTO <number:plain> ASISTO <number:plain> ISTO (what|which number|x|?|what number|_)? ENDSIGN?',
      '#321 if? <number:plain> ISTO <number:plain> ASISTO (what|x|what number|_) ISTO <number:plain> ENDSIGN?',
      ([a, b, c]) => ((a.plain as number) === 0 ? undefined : product(product(b, '*', c), '/', a)),
    ),
    rule(
      'number = SCALE (of|is|:)? 1 : <number:plain> SEP? (how many|what|how much|how far|how long)? (is|are)? <number:unit> ONMAP? (is|are|=|:|in)? (how many|how much)? <unit> REALLY? ENDSIGN?',
      '#123 SCALE (of|is|:)? 1 : <number:plain> SEP? how many <unit> (is|are) <number:unit> ONMAP? REALLY? ENDSIGN?',
      (values) => {
        const [by, ...others] = values as unknown as [Num, Num | { unit: Num['unit'] }, Num | { unit: Num['unit'] }];
        const n = others.find((one): one is Num => 'expr' in one);
        const to = others.find((one) => !('expr' in one))?.unit;
        return n?.kind !== 'length' || to?.kind !== 'length'
          ? undefined
          : operation(LEVEL.product, 'length', `${product(n, '*', by).expr} to ${to.math}`, n, by);
      },
    ),
  ],
};
