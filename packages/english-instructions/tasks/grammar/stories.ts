import type { Domain } from '../../language/grammar.ts';
import { LEVEL, type Num, numeral, product, sum } from './number.ts';
import { rulesOf } from './rules.ts';
import { isThing } from './times.ts';

/** A change of what someone has: of so much, or of a part of what is left by then. */
interface Event {
  readonly sign: '+' | '-';
  readonly by: Num;
  readonly ofRest?: boolean;
}
const after = (n: Num, { sign, by, ofRest }: Event): Num | undefined =>
  sum(n, sign, ofRest === true && by.kind !== 'percent' ? product(n, '*', by) : by);

const rule = rulesOf<
  Record<'owning' | 'people' | 'each-price' | 'due' | 'boxed' | 'priced' | 'receipt', Num> & {
    event: Event;
    portion: Num;
    'one-of-two': number;
  }
>();

/** What someone has, gets, gives and shares, and what is asked about that: "i have 20 apples and eat 3, how many are left". */
export const STORIES: Domain = {
  lexicon: {
    WHOSE: 'i|we|he|she|they|you|i have|we have|i had|we had|and i|then i|but i|but we|and then i',
    GAINING:
      'get|got|gets|receive|received|found|find|earn|earned|bought|buy|won|win|was given|am given|were given|add|added|buys|finds|wins|adds|receives|makes|made|picks|collects|baked|bake|gained|gains|gets|picks up|picked up|came|come|arrive|arrived|join|joined|get on|got on|deposit|deposited|collected|picked|gained',
    LOSING:
      'spend|spent|spends|give away|gave away|gave|give|lose|lost|eat|ate|eats|use|used|sell|sold|pay|paid|withdraw|withdrew|donate|donated|drank|drink|drop|dropped|throw away|threw away|broke|break|owe|gives|gives away|loses|sells|uses|breaks|drops|pays|donates|throws away|take|took|takes|takes away|take out|took out|left|leave|leaves|get off|got off|die|died|burst|break down|went|lend|lent|put aside|set aside|sent|send|read|gone|are sold|were sold|is used|are used|was used|were used|were eaten|are eaten|got lost|are gone|were given away',
    HOLDING:
      'have|had|has|got|start with|started with|starts with|earn|there were|there are|there was|there is|bought|baked|buys|collected|begins with|begin with|saved|started off with|got given',
    ONWARD: 'and|but|,|.|then|, and|and then|, then|, but|. then',
    LEFTOVER:
      'today|this year|this week|this month|left|left over|remaining|do i have left|do we have left|are left|is left|remains|remain|do i still have|do i have now|do we have now|do i have|does he have|does she have|does he have left|does she have left|will be left|will i have|will i have left|are there now|now|change|change do i get|change will i get|change did i get|change back|money do i have left|do i have to spend|does she have now|does he have now|do they have left|do they have now|have left|still have|are there|are still there|stay|are on it now|is there now|do i end up with|remained|were left|was left|is there left|is still there|have i left|have i got left|have i got|still there',
    APIECE:
      'each|pp|p.p.|for each of us|each one|per person|a person|per head|a head|for each|for each person|per friend|apiece|does each pay|does each person pay|does everyone pay|does everybody pay|does each of us pay|does everyone owe|does each owe|does each person owe|does each one pay|must each pay|should each pay|do we each pay|do they each pay|does one pay|is it each|is that each|does everyone get|does each get|does each person get|is it per person|is that per person',
    'one-of-two': {
      'boys|male|males|men': 1,
      'girls|female|females|women': -1,
      'adults|grown-ups': 2,
      'children|kids': -2,
      'left-handed': 3,
      'right-handed': -3,
    },
    MEAL: 'the bill|bill|dinner|lunch|breakfast|the meal|the taxi|a taxi|the trip|the rent|rent|it|that|the total|the hotel|the tickets|the gift|the present|everything|the check|taxi|hotel|food|drinks|tickets|gift|present|cab|trip|petrol|gas|uber|total|pizza|a pizza|the pizza',
    CAME: 'is|was|costs|cost|came to|comes to|were|are|will be',
  },
  tests: {
    // "2/5" is a part of what there is.
    amounts: ({ level, expr }: Num) => level <= LEVEL.sum && !/^\(?[\d.]+ ?\/ ?[\d.]+\)?$/.test(expr),
  },
  rules: [
    rule(
      'owning = WHOSE HOLDING? <number:terms>',
      'HOLDING <number:terms>',
      '-0.1 = #2 <literal> HOLDING <number:terms>',
      '#2 (my|our|the|his|her) …:thing (is|was|has) <number:terms>',
      '(there were|there was|there are|there is) <number:terms>',
      '<boxed>',
      ([n]) => (n.kind === 'percent' ? undefined : n),
    ),
    rule('event = ONWARD? WHOSE? GAINING (another|an extra)? <number:terms> more?', ([by]) => ({ sign: '+', by })),
    rule(
      'event -0.1 = ONWARD? <number:whole> (of them)? (are|were|got|have|had)? LOSING',
      '0 = ONWARD? WHOSE? LOSING <number:amounts> (away|back|of them away)?',
      '-0.1 = ONWARD? WHOSE? LOSING <number:amounts> (of them)? (to|for|with|on) (my|a|the|his|her|our|some)? <topic> SEP?',
      '-0.1 = ONWARD? WHOSE? LOSING <number:amounts> <topic> SEP?',
      ([by]) => ({ sign: '-', by }),
    ),
    rule('event = ONWARD? WHOSE? LOSING <list:several>', ([{ items }]) => {
      const [first, ...more] = items as [Num, ...Num[]];
      const by = more.reduce<Num | undefined>((all, one) => all && sum(all, '+', one), first);
      return by && { sign: '-', by };
    }),
    // Of what there is by then.
    rule('event = ONWARD? WHOSE? LOSING <portion> (of them|of it|of that|of these)?', ([by]) => ({
      sign: '-',
      by,
      ofRest: true,
    })),
    rule(
      'event = ONWARD? WHOSE? (bought|buy|buys|pay for|paid for|got|had|ate) (a|an|the|some|my)? <topic> (for|at|costing) <number:terms>',
      ([, by]) => (by.kind === 'percent' ? undefined : { sign: '-', by }),
    ),
    rule('portion = (a|one)? <fraction>', ([by]) => product(numeral(1), '/', numeral(by))),
    rule('portion = <share-of-one>'),
    rule('portion = <number:share>'),
    // A part of the rest is a part of what is left by then.
    rule(
      'event = ONWARD? WHOSE? LOSING? <portion> of (the rest|what was left|what is left|the remainder|the remaining ones|what remained) ',
      '-0.1 = ONWARD? WHOSE? LOSING? <portion> of (the rest|what was left|what is left|the remainder|the remaining ones|what remained) (to|for|with) (my|a|the|his|her|our|some)? …:thing (and|,|.|, and)',
      ([by]) => ({ sign: '-', by, ofRest: true }),
    ),
    rule(
      'owning = <owning> <event>',
      '-0.1 = #13 <owning> …:thing <event>',
      '-0.1 = #14 <owning> …:thing (in|on|at|from) (the|a|my|our|his|her|this) …:thing <event>',
      ([n, event]) => after(n, event),
    ),
    rule(
      "left-asked = SEP? (how much|how many|what|what's|whats|what is)? (money|of it|of them|is|people|are)? LEFTOVER ENDSIGN?",
      '-0.05 = SEP? (how much|how many) <topic> LEFTOVER ENDSIGN?',
      '-0.1 = SEP? (how much|how many) <topic>? (does|do|did|has|have|is|are) (my|the|a)? <literal> (have left|have now|have|got|left|got left|own now) ENDSIGN?',
      ([topic]) => topic ?? '',
    ),
    rule('number -0.3 = <owning> <left-asked>', '-0.35 = <owning> …:thing <left-asked>', ([n]) =>
      n.ops > 0 ? n : undefined,
    ),
    // Those of one kind, and the others.
    rule(
      'number -0.2 = <number:share> of (the|my|our)? <number:whole> <topic>? (are|is|were) <one-of-two> SEP? how many <one-of-two> (are there|are|were there)? ENDSIGN?',
      ([share, all, , one, other]) =>
        one + other === 0 ? sum(all, '-', share) : one === other ? product(share, '*', all) : undefined,
    ),
    // What several share.
    rule(
      "people = (we are|we're|there are|there is|we r|theres|there's|we were|there were|for|among|us|it is for|there's|between)? <number:whole> (people|friends|persons|of us|kids|guests|adults|colleagues|roommates|ppl)?",
    ),
    rule(
      'due = MEAL CAME? <number:terms>',
      '#2 (a|an|the|my|our) …:thing CAME <number:terms>',
      '-0.1 = (ate|eat|dined|ordered|spent|paid|pay|had dinner|ate out|went out) for? <number:terms>',
      '-0.1 = <receipt>',
    ),
    // Things at their prices: "pizza 18, drinks 12".
    rule(
      'priced = (a|an|the|my|some|our)? <topic> (is|was|for|at|:|costs|cost|were|are)? <number:plain>',
      '(a|an|the|my|some|our)? <topic> (is|was|for|at|:|costs|cost|were|are)? <number:money>',
      ([, n]) => n,
    ),
    rule(
      'receipt = <priced> (,|and|, and|plus|+|&|;) <priced>',
      '<receipt> (,|and|, and|plus|+|&|;) <priced>',
      ([a, b]) => sum(a, '+', b),
    ),
    rule(
      'number -0.2 = <receipt> SEP? (split|shared|divided) (evenly|equally)? (by|between|among|into|for|with)? <number:whole> PEOPLE? (how much each|each|what does each pay)? ENDSIGN?',
      ([n, by]) => product(n, '/', by),
    ),
    rule(
      'number -0.3 = <people> (and|,|, and)? <due> SEP? (what|how much|how much is that|how much is it|how much money)? APIECE',
      '#21 <due> (and|,|, and)? <people> SEP? (what|how much|how much is that|how much is it|how much money)? APIECE',
      ([n, all]) => ((n.plain as number) > 1 ? product(all, '/', n) : undefined),
    ),
    // So many of one price.
    rule(
      'each-price = (a|an|one|each|the) …:thing (costs|cost|is|sells for|goes for) <number:terms>',
      ([{ text }, n]) => (isThing(text) && n.kind !== 'percent' ? n : undefined),
    ),
    rule(
      'number -0.3 = <each-price> (and|,|, and) (i|we|he|she) (buy|bought|need|want|order|ordered|take|get|have) <number:whole> (of them)? (,|so|and)? (how much|what)? (is|do i pay|do we pay|is it|is that|does it cost|would that be)? (the total|total|in total|altogether|do i pay|is the total)',
      ([price, n]) => product(n, '*', price),
    ),
  ],
};
