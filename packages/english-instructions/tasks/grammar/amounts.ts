import type { Domain } from '../../language/grammar.ts';
import { singular } from './deals.ts';
import { call, type Num, numeral, product, sum } from './number.ts';
import { change, hundredth, original } from './percentages.ts';
import { rulesOf } from './rules.ts';
import type { Free } from './setting.ts';

/** What is asked of full groups, or of what is left. */
const FULL = /\b(?:full|whole|complete|filled|left|remaining|over)\b/i;
const rule = rulesOf<Record<'added' | 'taken' | 'used' | 'distance' | 'people' | 'due', Num>>();

/** Amounts of things, and what a thing uses, costs or is shared by, told in one clause and asked in another. */
export const AMOUNTS: Domain = {
  lexicon: {
    CONSUMES:
      'uses|use|used|needs|need|needed|takes|took|consumes|consumed|burns|burned|and used|and needed|and burned',
    TRAVELED: 'drove|drive|drives|travelled|traveled|rode|went|cover|covered|drives for|goes|ran',
    SHARES: 'share|shares|split|splits|divide|divides|shared|divided',
    GROUP: 'team|group|family|class|party|household|club|crew|office',
  },
  rules: [
    rule('number -0.4 = (a|an|the|my|this|that|our) <number:money> …:thing', ([n]) => (n.ops === 0 ? n : undefined)),
    rule(
      'number = <number:terms> (without|before|excluding|net of) <added> (if|when|where) (the|that)? (tax|vat|it) (is|was)? (included|inclusive|in it)',
      ([n, share]) => original(n, share, 1),
    ),
    rule(
      'number = (the|my|our|a)? BILL? (is|was|of)? <number:terms> (plus|with|and|,|+)? (add|plus|and)? <added> (,|and|, and|and then|then|, then)? (divided|split|shared|divide|share) (it|that)? (evenly|equally)? (by|among|between|into|for|with) <number:whole> PEOPLE?',
      ([n, share, by]) => {
        const all = sum(n, '+', share);
        return all && product(all, '/', by);
      },
    ),
    rule(
      'bought -0.4 = (a|an|one) …:thing (at|for|costing) <number:money>',
      '(a|an|one) …:thing (at|for|costing) <number:plain>',
      ([, n]) => n,
    ),
    rule(
      'number = (increase|decrease|change|growth|rise|drop|difference|grew|rose|fell) from <number:terms> to <number:terms> (in|as|by what|by how many)? (a)? PERCENTAGE',
      ([from, to]) => change(from, to),
    ),
    rule(
      'number -0.1 = SCORED? <number:whole> (of|out of|from) <number:whole> (points|questions|marks|answers|people|votes|points total)? <asked-percent>',
      ([n, all]) => hundredth(product(n, '/', all)),
    ),
    rule(
      'number = (how much|what is the|what is my|the|my)? (change|change back) (from|out of|for) <number:terms> (if|when|after|for) (i|we)? (spend|spending|spent|pay|paying|paid|buy|a bill of)? <number:terms>',
      ([a, b]) => sum(a, '-', b),
    ),
    // How many groups of one size there are, the last of them perhaps not full.
    rule(
      'number -0.3 = (pack|put|divide|seat|split|sort|group|we have|i have|there are|for)? <number:whole> …:thing (,|and|with|.)? <number:whole> (per|to a|in each|on each|at each|fit in a|fit on a|in a|on a|each) …:thing? SEP? how many …:thing',
      '(pack|put|divide|seat|split|sort|group)? <number:whole> …:thing (in|into|at|on) …:thing (of|for|with|holding) <number:whole> SEP? how many …:thing',
      (values) => {
        const amount = values.at(-1) as unknown as Free;
        if (FULL.test(amount.text)) return undefined;
        const [n, size] = values.filter((one): one is Num => typeof one === 'object' && 'expr' in one);
        return n && size && (size.plain as number) > 1 ? call('ceil', product(n, '/', size)) : undefined;
      },
    ),
    rule(
      'number -0.2 = (a|an|one|each|every|the) <topic> (holds|fits|takes|carries|seats|has space for|can hold|can carry) <number:whole> <topic> SEP? how many <topic> (for|do i need for|do we need for|are needed for|to hold|to carry|are there for|for the) <number:whole> <topic>? ENDSIGN?',
      ([thing, size, filling, groups, n, same = filling]) =>
        singular(thing) === singular(groups) && singular(filling) === singular(same) && (size.plain as number) > 1
          ? call('ceil', product(n, '/', size))
          : undefined,
    ),
    // Shared by a group of people.
    rule('people = (a|an|the|my|our|for a) GROUP of <number:whole> (people|persons|friends)?'),
    rule('due -0.1 = (a|an|the|our|my) …:thing of <number:terms>', ([, n]) => n),
    rule(
      'number = <people> SHARES <due> SEP? (what|how much|how many) APIECE',
      '-0.3 = if? <number:whole> PEOPLE (eat|drink|use|share|have|need|get|buy|ate|drank|used|shared) <number:whole> …:thing ,? how (many|much) …:thing (per person|each|a head|per head)',
      ([n, all]) => product(all, '/', n),
    ),
    // So much on so long a way, and on another.
    rule(
      'distance = (we|i|he|she|they|you|it)? TRAVELED <number:unit>',
      '(for|on|over|per|every|in) <number:unit>',
      '<number:unit>',
      ([n]) => (n.kind === 'length' ? n : undefined),
    ),
    rule('used = (we|i|he|she|they|you|it)? CONSUMES <number:unit> (of)? (fuel|petrol|gas|diesel)?', ([n]) =>
      n.kind === 'volume' ? n : undefined,
    ),
    rule(
      'number = <distance> (and|,|, and|.)? <used> SEP? (how much|what|how many liters|how many litres) (is|was|does|do|did)? (that|it|this)? (use|need|take|consume|in liters|in litres)? <distance> ENDSIGN?',
      '#213 (the|a|my|our)? (car|van|bus|truck|bike|motorbike|it) <used> <distance> SEP? (how much|what|how many liters|how many litres) (is|was|does|do|did|will)? (that|it|this|i)? (use|need|take|consume|in liters|in litres)? <distance> ENDSIGN?',
      ([way, n, other]) =>
        way.said === undefined || other.said === undefined || way.unit !== other.unit || way.plain === undefined
          ? undefined
          : product(product(n, '/', numeral(way.plain)), '*', numeral(other.plain as number)),
    ),
    rule(
      'number = at <number:measured> SEP? (how long|how much time) (does it take|will it take|would it take|do i need|is that|will that take)? to? (drive|go|run|walk|travel|cycle|ride|fly|cover)? (for)? <number:unit>',
      ([speed, way]) => (speed.kind === 'speed' ? duration(product(way, '/', speed)) : undefined),
    ),
  ],
};
const duration = (n: Num): Num => ({ ...n, expr: `${n.expr} to h`, kind: 'compound' });
