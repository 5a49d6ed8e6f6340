import type { Domain } from '../../language/grammar.ts';
import type { Unit } from '../words/units.ts';
import { singular } from './deals.ts';
import { type Num, numeral, phrase, product, sum } from './number.ts';
import { change, fallen, part } from './percentages.ts';
import { rulesOf } from './rules.ts';

type Sign = '+' | '-';
const isMore = (a: Num, b: Num): boolean => a.plain !== undefined && b.plain !== undefined && a.plain > b.plain;
const rule = rulesOf<
  Record<'added' | 'altered' | 'changed' | 'taken' | 'told-price', Num> &
    Record<'rising' | 'more-or-less' | 'asked-move' | 'move' | 'discounted' | 'added-or-not', Sign> & {
      moved: { readonly from: Num; readonly to: Num };
      per: { readonly unit: Unit };
    }
>();

/** Prices and other amounts that are told, how they changed, and what is asked of that. */
export const CHANGES: Domain = {
  lexicon: {
    'added-or-not': { 'less|minus|-': '-', 'plus|+|with': '+' },
    rising: {
      'increased|raised|grown|up|goes up|went up|is going up|rises|rose|increases|will go up|will rise|grows|grew|gets|got|growing|increasing|rising|gaining|gains|gained|appreciating|is increased|is raised|was raised|was increased|has gone up|put up|marked up|will increase':
        '+',
      'decreased|reduced|lowered|down|goes down|went down|is going down|falls|fell|decreases|drops|dropped|will go down|cut|is cut|is reduced|was reduced|was cut|discounted|marked down|knocked down|has gone down|will drop|will fall|shrinks|shrank|loses|lost|is discounted|falling|losing|dropping|shrinking|decreasing|declining|declines|declined|depreciating|depreciates':
        '-',
    },
    ASKEDFOR:
      "what|whats|what's|how much|how many|which|what is|how much is|what was|what is the|what's the|whats the|what was the|the|calculate the|find the|give me the|what does it|what is that|how much is that|what is that as a|what's that in|whats that in|how much is that in|in|as a|what is that in",
    OFTHAT:
      'is that|is it|was that|is this|was it|did i get|do i get|did it go|has it gone|did i save|do i save|then|did it|has it|is the new price',
    MOVED:
      'went|goes|rose|fell|dropped|increased|decreased|changed|grew|has gone|jumped|shrank|rises|falls|drops|increases|decreases|grows|is going|has risen|has fallen|has dropped|has increased|moved|climbed|was reduced|was cut|was marked|was raised|got reduced|reduced|is reduced|marked down|is marked down|discounted|cut|up|down|has been reduced|got cut|has been cut|got marked down|came down',
    TURNED:
      "now|down to|up to|is now|it is now|now it is|now it's|now its|reduced to|cut to|marked down to|dropped to|fell to|rose to|went up to|went down to|goes up to|goes down to|and now|to|raised to|increased to|on sale for|now on sale for|now only|is|it is|it's|its|i paid|i pay|we paid|paid|you pay|got it for|i got it for|and is now|and is|are now|now at|came down to|will be",
    move: {
      'off|discount|reduction|less|cheaper|lower|down|saving|decrease|drop|fall|loss|saved|did i save|reduced|decline':
        '-',
      'change|increase|rise|growth|difference|more|up|raise|hike|higher|dearer|gain|jump': '+',
    },
    discounted: { 'discount|reduction': '-' },
  },
  rules: [
    rule('number = <number:terms> <rising> by? <number:terms>', ([n, sign, by]) =>
      by.kind === 'percent' ? sum(n, sign, by) : undefined,
    ),
    // A price that is told, and how it changed.
    rule(
      'told-price = (my|the|a|an|this|that|our|his|her|their)? <topic> (was|is|cost|costs|were|are|used to be|used to cost|normally costs|usually costs|is normally|of|at|for|with|has|had|have|comes to|came to|worth|is worth)? (now|currently)? <number:terms>',
      '-0.1 = (my|the|a|an|this|that|our|his|her|their)? <topic> (of|with|has|had|have) <number:whole> <topic>',
      ([, n, thing]) => (n.kind === 'percent' ? undefined : thing === undefined ? n : { ...n, thing }),
    ),
    rule('changed -0.2 = <told-price> SEP? NOWIS? <taken>', ([n, share]) => sum(n, '-', share)),
    rule(
      'altered -0.2 = <told-price> SEP? (it|they|which|it has|and it)? <rising> by? <number:share>',
      '#132 <told-price> SEP? (now|then|and)? <number:share> <more-or-less> ATTIME?',
      ([n, sign, share]) => {
        const all = sum(n, sign, share);
        return all && { ...all, thing: n.thing };
      },
    ),
    rule('number -0.1 = <altered> <left-asked>', ([n, asked]) =>
      asked === '' || (n.thing !== undefined && singular(n.thing) === singular(asked)) ? phrase(n) : undefined,
    ),
    rule(
      'moved = <told-price> ATTIME? SEP? TURNED <number:terms> ATTIME?',
      '<told-price> ATTIME SEP? <number:terms> ATTIME',
      '(was|discounted|reduced|marked down|down|cut|lowered|on sale) from? <number:plain> SEP? TURNED <number:plain>',
      '(my|the|a|an|our|his|her)? <topic>? MOVED (up|down)? from <number:terms> <per>? to <number:terms> <per>?',
      '#31 (i|we)? (paid|got it for|got them for|pay|bought it for) <number:terms> (for)? <topic>? (that|which)? (was|were|is|are|cost|usually cost|normally cost|before|instead of|reduced from) <number:terms>',
      (values) => {
        const [from, to] = values.filter((one) => typeof one === 'object' && 'expr' in one) as unknown as [Num, Num];
        return { from, to };
      },
    ),
    rule(
      'asked-move = SEP? by? ASKEDFOR? PERCENTAGE (was|is|has|did)? (the|a|an|that|it|they)? <move> OFTHAT? ENDSIGN?',
      'SEP? by? ASKEDFOR? <move> (in|as a|as|is that in|was that in|is it in|by)? PERCENTAGE OFTHAT? ENDSIGN?',
      'SEP? ASKEDFOR? <discounted> OFTHAT? ENDSIGN?',
      'SEP? by? ASKEDFOR? PERCENTAGE (is that|is it|was that|is this|was it|change is that|was the change)? ENDSIGN?',
      ([sign = '+']) => sign,
    ),
    rule('number -0.1 = <moved> <asked-move>', ([{ from, to }, sign]) =>
      sign === '+' ? change(from, to) : isMore(from, to) ? fallen(from, to) : undefined,
    ),
    rule(
      'number = if? <number:share> (of it|of the total|of the whole|of a number|of an amount|of something)? (is|are|=|equals|costs|comes to) <number:amount> SEP? (what is|whats|how much is|what would|what|and)? <number:share> (be)? ENDSIGN?',
      ([a, n, b]) => product(product(n, '/', numeral(a.plain as number)), '*', numeral(b.plain as number)),
    ),
    rule(
      'number = <told-price> SEP? (i get|with|there is|and get|it has|now|and i get|you get|we get|get|and)? <taken> SEP? (how much|what) (do|will|would|did|can) (i|we|you) save ENDSIGN?',
      ([n, share]) => part(share, n),
    ),
    rule(
      'number -0.2 = #1345 <number:whole> <topic> (at|@|for) <number:atom> each? <added-or-not> <number:share> (discount|off|tax|vat|tip|service)? <sum-asked>?',
      ([n, price, sign, share]) => sum(product(n, '*', price), sign, share),
    ),
  ],
};
