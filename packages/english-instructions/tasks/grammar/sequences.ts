import type { Domain } from '../../language/grammar.ts';
import { type List, list, numeral } from './number.ts';
import { rule } from './rules.ts';
import { whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';

/** The next numbers of a series that grows by one amount or one factor, or of which each is the sum of two before it. */
function continued({ items }: List, count: number): List | undefined {
  const numbers = items.map(({ plain }) => plain as number);
  if (numbers.length < 3 || count > 100 || numbers.some((one) => one === undefined)) return undefined;
  const [a, b] = numbers as [number, number];
  const laws = [
    (last: number) => last + b - a,
    (last: number) => (last * b) / a,
    (last: number, previous: number) => last + previous,
  ];
  const ways = laws.flatMap((law) => {
    const fits = numbers.every(
      (one, at) => at < 2 || Math.abs(law(numbers[at - 1] as number, numbers[at - 2] as number) - one) < 1e-9,
    );
    const more = [...numbers];
    for (let n = 0; n < count; n++) more.push(law(more.at(-1) as number, more.at(-2) as number));
    return fits ? [more.slice(numbers.length).map((one) => Number(one.toPrecision(12)))] : [];
  });
  const [way, ...others] = ways;
  return way === undefined || others.some((one) => one.join() !== way.join()) || !way.every(Number.isFinite)
    ? undefined
    : list(
        way.map((one) => numeral(one)),
        false,
      );
}
const listed = ({ items }: List): Request =>
  items.length === 1
    ? asks('text', { op: 'say', text: items[0]?.expr ?? '' })
    : asks('text', {
        op: 'parts',
        text: items.map(({ expr }) => expr).join(', '),
        selection: { of: 'numbers' },
        does: 'list',
      });

/** What comes next in a row of numbers. */
export const SEQUENCES: Domain = {
  lexicon: {
    ETCETERA: ',|, …|…|, ...|...|, ..|and so on|, and so on|etc|, etc|, ?|, _|?',
  },
  rules: [
    rule(
      'request = (what is|what are|give me|tell me|find|whats)? the? next <number:whole>? (number|numbers|terms|term|values) (in|of|for)? (this|the|that)? (sequence|series|row|pattern)? :? <list:several> ETCETERA? ENDSIGN?',
      '(what comes|which number comes|what number comes) next <number:whole>? (in|:)? (this|the)? (sequence|series)? :? <list:several> ETCETERA? ENDSIGN?',
      ([n, all]) => {
        const more = continued(all, n === undefined ? 1 : whole(n));
        return more && listed(more);
      },
    ),
  ],
};
