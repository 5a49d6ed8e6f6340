import type { Domain } from '../../language/grammar.ts';
import { LIMITS } from '../words/limits.ts';
import { type Goods, singular } from './deals.ts';
import { type List, list, type Num, numeral, product, sum } from './number.ts';
import { inPercent, original } from './percentages.ts';
import { rulesOf } from './rules.ts';
import { whole } from './selecting.ts';
import { asks, type Request } from './setting.ts';
import { isThing } from './times.ts';

/** What each of a thing has. */
interface Each extends Goods {
  readonly of: string;
}

const isSame = (one: string, other: string): boolean => singular(one) === singular(other);
const PORTION = /^(?:half|third|quarter|double|some|most|few|nearly|almost|about)s?$/;
/** Whether a text has no number and no word that limits what it says, beside one that its rule has read. */
const isWhole = (text: string): boolean =>
  !/\d/.test(text) &&
  !(text.toLowerCase().match(/[\p{L}'’]+/gu) ?? []).some((word) => LIMITS.has(word) || PORTION.test(word));

/** A count of each, where the question asks for what each has and the thing is the same. */
const inAll = ({ n, thing }: Goods, { n: size, thing: owner, of }: Each, asked: string): Num | undefined =>
  isSame(thing, owner) && isWhole(asked) && (of === '' || isSame(of, asked.split(' ')[0] as string))
    ? product(n, '*', size)
    : undefined;

/** Whether a question asks about what was told: without words of its own, or with one that was told. */
const isAbout = (told: string, asked: string): boolean => {
  if (!isWhole(told) || !isWhole(asked)) return false;
  const words = asked.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  return asked.trim() === '' || words.some((word) => told.toLowerCase().includes(word.slice(0, 4)));
};

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

const rule = rulesOf<{
  amount: Goods;
  each: Each;
  gross: { readonly of: Num; readonly share: Num };
  trip: Num;
  due: Num;
  people: Num;
  distance: Num;
  used: Num;
  taken: Num;
  added: Num;
}>();

/** What is told of things in one clause, and what is asked of them in another. */
export const TOLD: Domain = {
  lexicon: {
    DOES: 'sold|sell|bought|buy|have|has|had|got|get|ordered|order|packed|pack|made|make|baked|picked|collected|delivered|found|planted|printed|filled|need|used|ate|read|received|there are|there were|own',
    WHENSAID:
      ',|.|in the morning|in the afternoon|in the evening|after lunch|before lunch|before noon|after noon|at noon|at night|yesterday|today|later|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on sunday|last week|this week|last month|this month|more|in the first week|in the second week|after that',
    EVERYONE: 'every|each|each of the|one|a|per|in each|in every|and each|and every',
    HOLDS:
      'holds|hold|has|have|contains|contain|costs|cost|weighs|weigh|takes|take|needs|need|uses|use|makes|make|gives|is worth|fits|carries',
    ETCETERA: ',|, …|…|, ...|...|, ..|and so on|, and so on|etc|, etc|, ?|, _|?',
    NOWIS:
      "now it is|now it's|now its|it is now|it is|it's|its|now|is now|now is|they are|now they are|they're|now on sale for|now with|today it is|today|with|at|there is|there's|now there is|now at|reduced by|now reduced by|and now|but now|less",
    HASAS:
      'pays|pay|has|have|earns|earn|is|weighs|weigh|gets|get|costs|owns|spends|are|paid|got|own|spend|earned|cost|eats|eat',
    LESSIT: 'without|before|excluding|net of|minus|not including|less',
  },
  rules: [
    // So many of a thing, and so much in each.
    rule(
      'amount -0.1 = (i|we|he|she|they|you|a shop|the shop)? DOES <number:whole> …:thing WHENSAID',
      ([n, { text }]) => (isThing(text) ? { n, thing: text } : undefined),
    ),
    rule('amount = <amount> (and|,|, and) (another)? <number:whole> WHENSAID', ([{ n, thing }, more]) => {
      const all = sum(n, '+', more);
      return all && { n: all, thing };
    }),
    rule('each -0.1 = EVERYONE …:thing HOLDS <number:plain> …:thing SEP', ([{ text }, n, { text: of }]) => ({
      thing: text,
      n,
      of,
    })),
    rule(
      'number -0.3 = <amount> SEP? <each> (so|and)? how (many|much) … ENDSIGN?',
      '#213 <each> <amount> SEP? how (many|much) … ENDSIGN?',
      ([all, one, { text }]) => inAll(all, one, text),
    ),
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
    // Prices that were changed.
    rule(
      'gross = (the|an|a|my|our|this) BILL (says|shows|comes to|reads|is for|states|amounts to) <number:terms> (including|incl|incl.|with|inclusive of) <added>',
      ([of, share]) => ({ of, share }),
    ),
    rule(
      'number = <gross> SEP? (how much|what) (is|was|would|will) (it|that|this|the price|the amount|the bill|the total|the invoice)? be? LESSIT (the|that)? TAX ENDSIGN?',
      ([{ of, share }]) => original(of, share, 1),
    ),
    // Those that did something, and those that did not.
    rule(
      "number -0.2 = <number:whole> (out of|of|from|in) (the|my|our|all)? <number:whole> … SEP (what|which|how many) PERCENTAGE (of them)? (did|do|have|has|were|are|was|is) (not|n't) … ENDSIGN?",
      ([a, b, { text: told }, { text: asked }]) => {
        const rest = isAbout(told, asked) ? sum(b, '-', a) : undefined;
        return rest && inPercent(rest, b);
      },
    ),
    // So much on one way, and another way.
    rule(
      'trip = (and|then)? (i|we|he|she|they|you|it)? (will|want to|have to|must|would|plan to|are going to|am going to|need to|want)? TRAVELED <number:unit>',
      ([n]) => (n.kind === 'length' ? n : undefined),
    ),
    rule(
      'number = (the|a|my|our|his|her)? (car|van|bus|truck|bike|motorbike|it|scooter) <used> <distance> SEP <trip> SEP (how much|how many liters|how many litres|what) (petrol|fuel|gas|diesel|of it|petrol|gasoline)? (does|do|will|would|is)? (it|we|i|that|the car)? (need|needs|use|uses|take|takes|needed|consume)? ENDSIGN?',
      ([n, way, other]) =>
        way.unit !== other.unit || way.plain === undefined || other.plain === undefined
          ? undefined
          : product(product(n, '/', numeral(way.plain)), '*', numeral(other.plain)),
    ),
    // Shared, but not by all.
    rule(
      "number -0.3 = <people> SEP? <due> SEP? <literal> (does not|doesn't|will not|won't|did not|didn't|is not going to|need not) pay … SEP? (what|how much) (for|do|does|must|should|is it for)? (each of the others|each of the rest|the others pay each|each of the others pay|every other person|each other person|the rest pay each) ENDSIGN?",
      ([n, all, , { text: reason }]) =>
        whole(n) > 2 && isWhole(reason) ? product(all, '/', sum(n, '-', numeral(1)) as Num) : undefined,
    ),
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
