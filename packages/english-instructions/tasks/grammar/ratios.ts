import type { Domain } from '../../language/grammar.ts';
import { calculation, LEVEL, type Num, numeral, operation, product, sum } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Request } from './setting.ts';
import { singular } from './topics.ts';

const isSame = (one: string, other: string): boolean => singular(one) === singular(other);
const tidy = (value: number): number => Number(value.toPrecision(12));

/** The parts of an amount by a ratio; `people`: how many share it. */
function shared(n: Num, all: readonly Num[], people = all.length): Request | undefined {
  const whole = all.reduce((sum, { plain = 0 }) => sum + plain, 0);
  return whole > 0 && people === all.length && n.unit?.symbol !== 'in'
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

const rule = rulesOf<Record<'ratio' | 'by-ratio', readonly Num[]>>();

/** Ratios, proportions and the scales of maps. */
export const RATIOS: Domain = {
  lexicon: {
    HASAS:
      'pays|pay|has|have|earns|earn|is|weighs|weigh|gets|get|costs|owns|spends|are|paid|got|own|spend|earned|cost|eats|eat',
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
    // Two who have an amount together.
    rule(
      'number = <literal> HASAS <fold> as (much|many|old|heavy) as <literal> SEP (together|in total|both|altogether) (they|both)? HASAS? <number:terms> SEP (how much|how many|how old|what) (does|do|is|must|will|did|should) <literal> HASAS? ENDSIGN?',
      '-0.05 = #12456 <literal> HASAS <fold> as (much|many) …:thing as <literal> SEP (together|in total|both|altogether) (they|both)? HASAS? <number:terms> SEP (how much|how many|how old|what) (does|do|is|must|will|did|should) <literal> HASAS? ENDSIGN?',
      ([one, by, other, all, asked]) => {
        const parts = sum(numeral(by), '+', numeral(1)) as Num;
        const share = product(all, '/', parts);
        return isSame(asked, other)
          ? share
          : isSame(asked, one) && !isSame(one, other)
            ? product(share, '*', numeral(by))
            : undefined;
      },
    ),
    rule('ratio = <number:plain> (:|to) <number:plain>', ([a, b]) => [a, b]),
    rule('ratio = <ratio> (:|to) <number:plain>', ([all, n]) => [...all, n]),
    rule(
      'by-ratio = (in|into|by|with|at|using)? (the|a)? RATIO (of|:)? <ratio>',
      '(in|into|by|with|at|using)? (the|a) <ratio> RATIO',
      '<ratio>',
    ),
    rule('request = APPORTION the? <number:terms> SEP? <by-ratio>', ([n, all]) => shared(n, all)),
    rule(
      'request = APPORTION the? <number:terms> (between|among|amongst|by|for|with) <number:whole> PEOPLE? SEP? <by-ratio>',
      ([n, people, all]) => shared(n, all, people.plain),
    ),
    rule(
      'request = APPORTION the? <number:terms> (between|among|amongst|for|with) <literal> (and|&) <literal> SEP? <by-ratio>',
      ([n, one, other, all]) => {
        const { steps } = shared(n, all, 2) ?? {};
        const text = `${one}: {{+1}}, ${other}: {{+2}}`;
        return steps && { steps: [...steps, { task: 'text', input: { op: 'say', text } }] };
      },
    ),
    rule(
      'request = (simplify|reduce|cancel down) (the)? RATIO? :? <ratio> (to its simplest form|fully|to lowest terms)?',
      'RATIO (of|:)? <ratio> (in|to|as) (simplest|its simplest|the simplest|lowest) (form|terms)',
      ([all]) => simplest(all),
    ),
    rule(
      'number 0.7 = (mix|mixing|a mix of|a mixture of)? <literal> (and|:|to|&) <literal> (in|are mixed|are in|is)? <by-ratio> SEP? <number:terms> (in total|altogether|total|of it|of mix|of the mix|of mixture|in all) SEP? how much <literal> (is that|do i need|is needed|is there)? ENDSIGN?',
      ([one, other, [a, b, more], n, asked]) => {
        const share =
          asked.toLowerCase() === one.toLowerCase() ? a : asked.toLowerCase() === other.toLowerCase() ? b : undefined;
        const whole = (a?.plain ?? 0) + (b?.plain ?? 0);
        return share === undefined || more !== undefined || whole <= 0
          ? undefined
          : product(product(n, '*', share), '/', numeral(tidy(whole)));
      },
    ),
    rule(
      'number = if? <number:plain> ISTO <number:plain> ASISTO <number:plain> ISTO (what|which number|x|?|what number|_)? ENDSIGN?',
      '#213 if? <number:plain> ISTO <number:plain> ASISTO (what|x|what number|_) ISTO <number:plain> SEP? WHATIS? x? ENDSIGN?',
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
