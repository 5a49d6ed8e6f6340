import type { Domain } from '../../language/grammar.ts';
import { TAXES } from '../words/currency.ts';
import { unitOf } from '../words/units.ts';
import { calculation, LEVEL, type Num, numeral, operation, phrase, product, sum } from './number.ts';
import { change, fallen, hundredth, inPercent, margin, original, part, percent } from './percentages.ts';
import { rulesOf } from './rules.ts';
import type { Request } from './setting.ts';
import { isThing } from './times.ts';

/** An amount that contains a share: "120 including 20% VAT". */
interface Gross {
  readonly of: Num;
  readonly share: Num;
}

type Sign = '+' | '-';
const rule = rulesOf<
  Record<'added' | 'bills' | 'bought' | 'changed' | 'original' | 'paid' | 'taken' | 'taxed', Num> &
    Record<'changing' | 'more-or-less', Sign> & {
      gross: Gross;
      resold: { readonly from: Num; readonly to: Num };
      repeats: number;
      growth: { readonly of: Num; readonly rate: Num };
    }
>();

/** Percentages: shares of amounts, amounts with and without them, and back again. */
export const SHARES: Domain = {
  lexicon: {
    OFF: 'off|off of|discount on|off the price of|off a price of|discount off|reduction on',
    PERCENT: '%|percent|per cent|pct',
    PERCENTAGE: 'percent|percentage|per cent|%',
    ADDED: `tip|gratuity|${TAXES}|service charge|service|surcharge|markup|interest|fee|commission|increase|raise|rise|growth|premium|deposit|down payment|duty|levy|bonus|pay rise|pay raise|service fee`,
    TAKEN: 'discount|rebate|reduction|decrease|cut|drop|loss|off',
    'more-or-less': {
      'more|higher|greater|larger|bigger|above|over': '+',
      'less|lower|cheaper|smaller|fewer|below|under': '-',
    },
    changing: { 'increase|raise|grow|up': '+', 'decrease|reduce|lower|cut|shrink|discount|drop': '-' },
    PROFITS:
      'profit margin|gross profit margin|gross margin|margin|net margin|net profit margin|what is the profit margin|what is the margin|what is the gross margin|calculate the profit margin|calculate the margin|the profit margin',
    REVENUE:
      'selling|sell|sell it|sell them|sells|retail price|revenue|sales|selling price|price|turnover|income|sale price',
    COSTING: 'cost|costs|cost price|expenses|cogs|purchase price|buying price',
    BILL: 'invoice total|order total|bill total|total amount|grand total|balance|budget|turnover|visitors|rent|wage|wages|weight|subscription|ticket|stock|share price|stock price|population|sales|revenue|profit|score|temperature|fee|pay|income|bill|price|amount|cost|total|invoice|check|salary|order|purchase|meal|dinner|dinner bill|lunch bill|restaurant bill|taxi fare|fare|net price|gross price|total price|item|value|number',
    NET: 'net price|net amount|net|net value|price without tax|price without vat|price before tax|price before vat|price excluding vat|price excluding tax|original price|amount before tax|amount before vat|net cost',
    ORIGINAL:
      'original price|price|original|full price|list price|regular price|price before|original cost|original amount|net price|net|price originally|initial price|starting price',
    TAX: `${TAXES}|vat amount|tax amount|amount of vat|amount of tax`,
    HAVE: 'bought|buy|have|ordered|order|need|got|get|sold|sell',
    INALL: 'sum|in total|altogether|all together|all in|in sum|in all|together|total|all in all',
    ASK: "what is|what's|whats|how much is|how much of that is|what was|calculate",
    SHIPPING:
      'shipping|delivery|postage|handling|shipping costs|delivery fee|service fee|booking fee|for shipping|for delivery|deposit|packaging|a tip|tip',
    TRADER: 'i|we|he|she|they|you|and i',
    EACH: 'each|each one|everyone|everybody|each person|each of us|each of them',
    PEOPLE:
      'people|persons|friends|of us|ways|parts|equal parts|bits|equal bits|pieces|equal pieces|lengths|equal lengths|sections|slices|bottles|glasses|jars|bags|boxes|colleagues|students|children|kids|siblings|brothers|sisters|flatmates|roommates|guests|equal ways|piles|groups|portions|instalments|installments|equal instalments|equal installments|monthly instalments|monthly installments|payments|equal payments|monthly payments',
  },
  tests: {
    extra: ({ extended }: Num) => extended !== undefined,
    shared: ({ level, extended }: Num) => extended === undefined && level <= LEVEL.sum,
  },
  rules: [
    rule('number = <number:plain> PERCENT', ([n]) => percent(n)),
    rule('added = (a|an|the)? <number:share> ADDED', '(a|an|the)? ADDED (of|at|is|:)? <number:share>'),
    rule(
      'taken = (a|an|the)? <number:share> TAKEN',
      '(a|an|the)? TAKEN (of|:)? <number:share>',
      '-0.1 = (a|an|the)? <number:share> <literal> TAKEN',
    ),
    rule(
      'number = <number:share> of the? <number:factor>',
      '<number:share> on the? <number:factor>',
      'how much (do|would|will|can) (i|we|you) save (with|at|on|from|if i get|by) <number:share> (off|discount on|off of) <number:terms>',
      ([share, n]) => part(share, n),
    ),
    rule(
      'number = <added> (on|of|for|from) (a|an|the|my)? <number:terms> BILL?',
      '(what|how much) (would|will|is) (a|an|the)? <added> be? (on|for) (a|an|the|my)? <number:terms> BILL?',
      '(what|how much)? ADDED (is|would be|do i pay|do i leave|of)? <number:share> (on|of|for) the? <number:terms> BILL?',
      '#21 (a|an|the)? ADDED (for|on|of) (a|an|the|my)? <number:terms> (at|with|of) <number:share>',
      ([share, n]) => ({ ...part(share, n), extended: sum(n, '+', share) }),
    ),
    rule('request 0.1 = LEAD? <number:extra> ,? (what is|what is it|and)? the? INALL ENDSIGN?', ([{ extended }]) =>
      extended === undefined ? undefined : { steps: [calculation(extended)] },
    ),
    // What is shared is the addition, or all with it: both are told.
    rule(
      'request = LEAD? <number:extra> ,? (and|all)? (divided|split|shared) (evenly|equally|fairly)? (by|among|amongst|between|into|for|with) <number:whole> TAIL?',
      ([n, by]): Request => ({
        steps: [n, n.extended as Num].map((all) => calculation(product(all, '/', by))),
      }),
    ),
    rule('number -0.1 = (a|an|the) BILL (of|is|was) <number:atom>', '(a|an|the) <number:atom> BILL'),
    // Added and taken off.
    rule(
      'number -0.05 = <number:terms> ,? (plus|with|and|+|and add|after adding|then add|then) <added>',
      '0 = <number:terms> after <added>',
      '-0.2 = BILL (of|is|was|:)? <number:atom> ,? <added>',
      ([n, share]) => sum(n, '+', share),
    ),
    rule(
      'number = <number:terms> (minus|less|with|after|-) <taken>',
      '<number:terms> after <taxed>',
      '<number:terms> with <number:share> off',
      '#21 (the|my|what is the|what is my)? (net pay|net salary|net income|take home pay|take-home pay|pay|net|what is left|income) after <taxed> (on|of|from) <number:terms>',
      '#21 (subtract|take|deduct|apply) <taken> (from|to|on|off)? <number:terms>',
      '#21 (subtract|take|deduct) <added> (from|off) <number:terms>',
      '#21 (take|get|knock|shave)? <number:share> OFF <number:term>',
      '-0.1 = #21 (take|get)? <number:share> OFF <number:sum>',
      '#21 <number:plain> less than <number:terms>',
      ([n, share]) => sum(n, '-', share),
    ),
    // A price after tax is more, an income less, which is asked.
    rule('taxed = (a|an|the)? <number:share> (tax|taxes|income tax)'),
    // The amount is the earlier result.
    rule(
      'number = (and|plus|minus|take|with)? (another|a further|an additional|an extra|a)? <number:share> (off|off it|off that|off the rest|off the remainder|off what is left|off the new price|discount)',
      "(and|then)? <number:share> off what's left",
      ([share], { it }) =>
        it === undefined ? undefined : sum({ ...numeral(`({{${it}}})`, 'any'), plain: undefined }, '-', share),
    ),
    rule('number = add <added> (to|on|onto|on top of) <number:terms>', ([share, n]) => sum(n, '+', share)),
    rule('number = <number:share> <more-or-less> than <number:terms>', ([share, sign, n]) => sum(n, sign, share)),
    rule(
      'number -0.3 = (the price of|price of|the cost of|cost of)? (a|an|the|my|this|one) <number:money> … (at|with|after|for|costs at|cost at|cost with|cost after|minus|less|is) <taken>',
      ([n, thing, share]) =>
        /^[\p{L}-]{2,20}(?: [\p{L}-]{2,20})?$/u.test(thing.text) ? sum(n, '-', share) : undefined,
    ),
    rule(
      'number = <number:terms> (without|excluding|excl|before|net of|not including) (the|its)? <added>',
      ([n, share]) => (n.kind === 'number' && n.ops > 0 ? undefined : original(n, share, 1)),
    ),
    rule(
      'number = <number:terms> (without|before|excluding|net of) <added> (if|when|where) (the|that)? (tax|vat|it) (is|was)? (included|inclusive|in it)',
      ([n, share]) => original(n, share, 1),
    ),
    rule('number = <changing> <number:terms> by <number:terms>', ([sign, n, by]) => sum(n, sign, by)),
    rule('number = <changing> <number:terms> by (a|one) <fraction>', ([sign, n, by]) =>
      product(n, '*', operation(LEVEL.sum, 'number', `1 ${sign} 1/${by}`)),
    ),
    rule('number = <number:plain> more than <number:terms>', ([a, n]) => sum(n, '+', a)),
    rule(
      'number = from? <number:terms> to <number:terms> ,? (is|=|how much is that|what is that)? (in|as)? (a)? (what|how many|how much|which)? PERCENTAGE (increase|decrease|change|growth|rise|drop|difference|more|less|up|down)',
      'the? PERCENTAGE (change|increase|difference|decrease|growth|drop) (from|between|of|:)? <number:terms> (to|and|->|→|=>) <number:terms>',
      '0.1 = the? (difference|change) (between|of) <number:terms> and <number:terms> (as|in) a? PERCENTAGE',
      ([a, b]) => change(a, b),
    ),
    rule(
      'number = (by how much|how much|how many) <more-or-less> (is|are) <number:terms> than <number:terms>',
      '#213 (by how much|how much) (is|are) <number:terms> <more-or-less> than <number:terms>',
      ([sign, a, b]) => (sign === '+' ? sum(a, '-', b) : sum(b, '-', a)),
    ),
    rule(
      'number -0.3 = how much (do|would|will|can) (i|we|you) save on (a|an|the|my|this)? <number:terms> …:thing (with|at|if it is|after|when it is) <taken>',
      ([n, , share]) => part(share, n),
    ),
    // What percentage.
    rule(
      'number = <number:terms> (as|in) (a|the)? PERCENTAGE of <number:terms>',
      '<number:whole> in <number:whole> (as|in|to) a? PERCENTAGE',
      '<number:terms> (is|are) (what|how many|which) PERCENTAGE of <number:terms>',
      '(what|how many|which|how much) PERCENTAGE (is|are) <number:terms> (of|from) <number:terms>',
      '#21 (what|which|how many)? PERCENTAGE of <number:terms> (is|are) <number:terms>',
      ([a, b]) => inPercent(a, b),
    ),
    rule('number = (convert|turn|express|write|change|give me)? <number:terms> (as|in|to|into) a? PERCENTAGE', ([n]) =>
      // Only a ratio is so many of a hundred.
      n.kind === 'number' && n.hundred !== true && (/^0?\.\d+$/.test(n.expr) || n.expr.includes('/'))
        ? hundredth(n)
        : undefined,
    ),
    // Bought and sold again.
    rule(
      'resold = #23 TRADER? (bought|buy|got) (it|them|this|that|a|an|the)? <topic>? (for|at) <number:terms> SEP? TRADER? (sold|sell|resold|sells) (it|them|this|that)? (again|on)? (for|at) <number:terms>',
      '(the|my|a|our)? COSTING (is|was|of|:)? <number:terms> SEP? (and|and i|i|we)? (the|my|a|our)? REVENUE (is|was|at|for|of|:)? <number:terms>',
      ([from, to]) => ({ from, to }),
    ),
    rule('number -0.1 = <resold> SEP? WHATIS? (my|the|his|her)? (profit|gain) ENDSIGN?', ([{ from, to }]) =>
      sum(to, '-', from),
    ),
    rule(
      'number = <resold> SEP? WHATIS? (my|the|his|her)? (profit|gain|markup) (as a|in|as)? PERCENTAGE (of|on)? (the|my)? COSTING? ENDSIGN?',
      ([{ from, to }]) => change(from, to),
    ),
    rule(
      'number = <resold> SEP? WHATIS? (my|the|his|her)? (profit|gain|margin) (as a|in|as)? PERCENTAGE? of (the|my)? REVENUE ENDSIGN?',
      '<resold> SEP? PROFITS (as a|in|as)? PERCENTAGE? ENDSIGN?',
      ([{ from, to }]) => margin(to, from),
    ),
    // What is left of the price, and what was added to the cost.
    rule(
      'number = PROFITS (if|when|for|with|on|of|:|,)? (the|a|my)? REVENUE (is|of|was|are|were)? <number:terms> (and|,|, and) (the|a|my)? COSTING (is|are|of|was|were)? <number:terms>',
      '#21 PROFITS (if|when|for|with|on|of|:|,)? (the|a|my)? COSTING (is|are|of|was|were)? <number:terms> (and|,|, and) (the|a|my)? REVENUE (is|of|was|are|were)? <number:terms>',
      ([a, b]) => margin(a, b),
    ),
    rule(
      'number = <number:terms> as (a|the)? fraction of <number:terms>',
      '<number:terms> (is|are) <number:share> of (what|which) (number|amount|value|total)?',
      '#21 <number:share> of (what|which) (number|amount|value)? (is|are) <number:terms>',
      '#21 if? <number:share> of (a|some|the|my) (number|amount|value|total|sum) (is|are|equals) <number:terms> ,? (what is|whats|what was|find) (it|the number|that number|the amount|the value|the whole|the total)',
      ([a, b]) => product(a, '/', b),
    ),
    rule('number = the? PERCENTAGE (of|for) <number:term>', ([n]) =>
      /^[\d.]+ \/ [\d.]+$/.test(n.expr) ? hundredth(n) : undefined,
    ),
    rule(
      'number = (by how many|by what|how many|by how much) PERCENTAGE (is|are) <number:terms> <more-or-less> than <number:terms>',
      '<number:terms> (is|are) (what|how many|which) PERCENTAGE <more-or-less> than <number:terms>',
      ([a, sign, b]) => (sign === '+' ? change(b, a) : fallen(b, a)),
    ),
    // Back from the whole.
    rule(
      'number = <number:terms> (is|are) <number:share> <more-or-less> than (what|which) (number|amount|value)?',
      ([a, share, sign]) => original(a, share, sign === '+' ? 1 : -1),
    ),
    rule(
      'number = (remove|take out|strip|exclude|take off|back out) the? <added> (from|out of) <number:terms>',
      '(price|amount|net|cost|total|value|bill|it|what is it) (before|without|excluding) <added> ,? (if|when|given|where) (the|my|a)? BILL? (is|was|of|comes to)? <number:terms>',
      '#21 BILL (before|without|excluding) TAX ,? (if|when) <number:terms> (includes|including|with|contains) <number:share>',
      ([share, n]) => original(n, share, 1),
    ),
    // What was paid after a share was taken off or added.
    rule(
      'paid = (i|we|he|she|they|you)? (paid|pay|payed|spent|got charged|was charged) <number:terms>',
      '<number:terms>',
    ),
    // What is said to grow or shrink, and what it is then.
    rule(
      'changed = (my|the|a|our|his|her) BILL (is|was|of) <number:terms> (and|,|, and|but) (i|it|we|he|she|they|there)? (get|gets|got|is|was|with|goes up by|add|adds|after)? <added>',
      '(my|the|a|our|his|her) BILL (is|was|of) <number:terms> (and|,|, and|but) (i|it|we|he|she|they|there)? (get|gets|got|is|will be)? <number:share> (more|extra|higher)',
      ([n, share]) => sum(n, '+', share),
    ),
    rule(
      'changed = (my|the|a|our|his|her) BILL (is|was|of) <number:terms> (and|,|, and|but) (i|it|we|he|she|they|there)? (get|gets|got|is|was|with|after|has|have)? <taken>',
      ([n, share]) => sum(n, '-', share),
    ),
    rule(
      'number = <changed>',
      '(i|we|he|she|they)? HAVE? <bills> SEP? <sum-asked>?',
      '(i|we|he|she|they)? HAVE? <bought> SEP? <sum-asked>',
      '<original> SEP? (what is|what was|how much is|how much was|what would be|whats|find|calculate)? the? ORIGINAL (before|without)? (the|that)? (discount|tax|tip|vat)?',
      '(what is|what was|how much is|how much was|whats|find|calculate)? the? ORIGINAL (if|when|given|given that)? <original>',
    ),
    // Several things at their prices.
    rule(
      'sum-asked = HOWMUCH (for)? (everything|all|all of it|all of them|the lot|the new price|the new salary|my new salary|the result|my salary|the price)? INALL? (now|then|in the end|after that)?',
      'SEP? INALL',
    ),
    rule('bought = (one|another one|one more|a single one) (for|at|costing) <number:terms>', ([n]) =>
      n.kind === 'percent' ? undefined : n,
    ),
    rule(
      'bought -0.2 = <number:whole> …:thing (at|for|costing) <number:terms> (each|apiece|a piece|per piece)?',
      ([n, , price]) => (price.kind !== 'percent' ? product(n, '*', price) : undefined),
    ),
    rule(
      'number = (how much|what) (would|do|will|did|must|should) (i|we) (pay|spend|owe|have to pay) for <bought> (plus|and|with|,|+) (a|an|the)? <number:atom> (fee|in fees|shipping|for shipping|delivery|for delivery|tip|booking fee|service fee|deposit|tax)?',
      ([all, more]) => (more.kind === 'percent' ? undefined : sum(all, '+', more)),
    ),
    rule(
      'number -0.3 = (total|cost|price|total cost|total price|the total|the cost)? (for|of)? <number:whole> …:thing (at|for|x) <number:terms> (per|a|an|each|/|for each) <topic>',
      ([n, , price, per]) =>
        price.kind === 'percent' || (price.unit && unitOf(per.split(' ')[0] ?? ''))
          ? undefined
          : product(n, '*', price),
    ),
    rule('bills = <bought> (and|plus|, and|,|+) <bought>', '<bills> (and|plus|, and|,|+) <bought>', ([a, b]) =>
      sum(a, '+', b),
    ),
    rule(
      'number -0.3 = (i have|we have|there are|i bought|i buy|i got|i ordered|we ordered|we bought)? <number:whole> … (with|of|containing|holding|at) <number:whole> … (each|apiece|per box|in each) SEP? (how many|what) (is that|are that|in total|total|altogether)?',
      ([n, thing, each]) => (isThing(thing.text) ? product(n, '*', each) : undefined),
    ),
    rule(
      'original = <paid> (is|was)? (the price|what it costs|left)? (after|with|including|at) <taken>',
      '#21 after <taken> ,? <paid>',
      '#21 (the|a|my)? BILL (after|with|including) (a|the)? <taken> (is|was|of|:|comes to) <number:terms>',
      ([of, share]) => original(of, share, -1),
    ),
    rule('original = <paid> (after|including|with) <added>', ([of, share]) => original(of, share, 1)),
    rule(
      'gross = #21 (the|a|my|our) BILL (including|incl|incl.|with|includes|inclusive of) <added> (is|was|of|comes to|:)? <number:terms>',
      '(the|a|my)? BILL? (with|including|incl|inc|incl.|inc.|inclusive of) TAX (is|was|of|:)? <number:terms> SEP? (at|with)? <added>',
      ([of, share]) => ({ of, share }),
    ),
    rule(
      'number = ASK? the? TAX (in|included in|contained in|inside) (a|the)? BILL? of? <number:terms> SEP? (if|when|at|with)? (the)? <added>',
      ([of, share]) => sum(of, '-', original(of, share, 1)),
    ),
    rule('number = NET (of|for) <number:terms> (at|with|including|incl) <added>', ([of, share]) =>
      original(of, share, 1),
    ),
    rule('number = the? NET (of|for|if|when) <gross>', '<gross> SEP? ASK? the? NET', ([{ of, share }]) =>
      original(of, share, 1),
    ),
    rule('number = <gross> SEP? ASK the? TAX', ([{ of, share }]) => {
      return sum(of, '-', original(of, share, 1));
    }),
    rule(
      'number -0.1 = <number:terms> (plus|and|+|with) <number:atom> SHIPPING',
      '<number:terms> ,? (plus|and|+|with) SHIPPING of? <number:atom>',
      ([a, b]) => (b.kind === 'percent' ? undefined : sum(a, '+', b)),
    ),
    rule('number -0.2 = BILL (of|is|:)? <number:atom>', ([n]) => n),
    rule(
      'number = (pay|paying|pay back|paid|paid in)? <number:money> in <number:whole> PEOPLE',
      '(divide|split|share) the? <number:shared> (evenly|equally|fairly)? (by|among|amongst|between|into|over|across) <number:whole> equal? PEOPLE?',
      '(divide|split|share) the? <number:shared> <number:whole> PEOPLE',
      '<number:shared> ,? (and|all)? (divided|split|shared) (evenly|equally|fairly)? (by|among|amongst|between|into)? <number:whole> PEOPLE',
      '#21 <number:whole> PEOPLE (share|split|divide) (a|the)? BILL? of? <number:shared> BILL? (equally|evenly)?',
      '#21 <number:whole> PEOPLE (share|split|divide) (a|the)? BILL? of? <number:shared> SEP? EACH',
      ([n, by]) => phrase(product(n, '/', by)),
    ),
    // Shared among people.
    rule(
      'number -0.3 = (a|the|my)? (recipe|batch|dish|meal|cake|dough) (for|that serves|serving|serves) <number:whole> PEOPLE? and? (uses|needs|takes|calls for|has|requires) <number:terms> (of)? …? SEP how much (do i need|is that|is needed|would i need|is it)? for <number:whole> PEOPLE?',
      ([a, n, thing, b]) =>
        unitOf(thing.text.split(' ')[0] ?? '') === undefined ? product(product(n, '/', a), '*', b) : undefined,
    ),
    rule('number = <number:shared> divided (among|amongst|between|into) <number:whole>', ([n, by]) =>
      n.level === LEVEL.sum && n.kind !== 'money' ? undefined : phrase(product(n, '/', by)),
    ),
    rule(
      'number = (divide|split|share) the? <number:terms> (evenly|equally|fairly)? (by|among|amongst|between|into)? <number:whole> PEOPLE? ,? (with|plus|and|and add|after adding|including|after) <added> (first|before that|beforehand)?',
      '#132 BILL? (is|of)? <number:terms> ,? <added> ,? (by|among|between|for)? <number:whole> PEOPLE',
      ([n, by, share]) => {
        const all = sum(n, '+', share);
        return all && phrase(product(all, '/', by));
      },
    ),
  ],
};
