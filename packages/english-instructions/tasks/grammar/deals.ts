import type { Domain } from '../../language/grammar.ts';
import type { Unit } from '../words/units.ts';
import { alike, calculation, type Num, numeral, product } from './number.ts';
import { rulesOf } from './rules.ts';
import type { Request } from './setting.ts';
import { isThing } from './times.ts';

/** So much of a thing: "30 eggs", "500 g", "2 kg of rice". */
export interface Goods {
  readonly n: Num;
  readonly thing: string;
}
/** What so much of a thing costs, weighs or takes. */
interface Deal extends Goods {
  readonly price: Num;
}

const tidy = (value: number): number => Number(value.toPrecision(12));
export const singular = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ves$/, 'f')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=(?:x|ch|sh|ss))e$/, '');

/** How many of one amount are in another, as a factor on what the one costs; undefined for amounts of two kinds. */
function forOther({ n: amount, price, thing }: Deal, { n, thing: other }: Goods): Num | undefined {
  if (thing !== '' && other !== '' && singular(thing) !== singular(other)) return undefined;
  const [a, b] = [amount.plain, n.plain];
  if (a === undefined || b === undefined || a === 0 || amount.unit?.kind !== n.unit?.kind) return undefined;
  const by = n.unit === undefined || amount.unit === undefined ? b : tidy((b * n.unit.factor) / amount.unit.factor);
  const each = a === 1 ? price : product(price, '/', numeral(a));
  return by === 1 ? (each.ops > 0 ? each : undefined) : product(each, '*', numeral(by));
}
const single = ({ thing, n }: Deal, asked: string): Goods | undefined =>
  n.unit === undefined &&
  (thing === '' || singular(thing) === singular(asked) || /^(?:item|unit|piece)s?$/i.test(thing))
    ? { n: numeral(1), thing: '' }
    : undefined;

/** Words that do something to a number, or say who does; one letter may be an unknown. */
const NO_TOPIC = new Set(
  `i we you he she they it me us and or buy buys bought need want get got have has had take took sell sold paid spend spent
give gave eat ate order ordered make add plus minus times less subtract divide multiply total sum double twice triple halve half
square squared cube cubed root round rounded average mean median max min percent percentage factorial count convert split share
until till of in on at to for from by with per put remove delete sort reverse next last first then if appear appears occur occurs`.split(
    /\s+/,
  ),
);
const isTopic = (text: string): boolean => text.length > 1 && isThing(text) && !NO_TOPIC.has(text.toLowerCase());

const sayOf = ({ n, thing, price }: Deal): string =>
  `${n.said ?? n.expr}${thing === '' ? '' : ` ${thing}`} for ${price.currency === undefined ? '' : `${price.currency} `}${price.expr}`;
/** What each of two offers costs for one of the same, and which is less. */
function cheaper(deals: readonly Deal[], sign: '<' | '>'): Request | undefined {
  const [first, ...others] = deals as [Deal, ...Deal[]];
  const { unit } = first.n;
  const each = deals.map((deal) => {
    const same = alike(deal.price, first.price) && deal.price.kind !== 'time' && deal.price.kind !== 'percent';
    const n = numeral(1);
    return same
      ? forOther(deal, { n: unit === undefined ? n : { ...n, unit, kind: unit.kind }, thing: first.thing })
      : undefined;
  });
  const values = deals.map(({ n, price }) => (price.plain as number) / ((n.plain as number) * (n.unit?.factor ?? 1)));
  if (!each.every((one) => one !== undefined) || !values.every(Number.isFinite) || others.length === 0)
    return undefined;
  const best = Math[sign === '<' ? 'min' : 'max'](...values);
  const winners = deals.filter((_, at) => tidy(values[at] as number) === tidy(best));
  const text = winners.length > 1 ? 'Both cost the same' : sayOf(winners[0] as Deal);
  return { steps: [...each.map(calculation), { task: 'text', input: { op: 'say', text } }] };
}

/** Those of whom more need less time. */
const WORKERS =
  'painters|workers|men|people|builders|machines|taps|pumps|cooks|gardeners|cleaners|robots|volunteers|students|women|friends|printers|diggers|bricklayers|carpenters|electricians|persons|painter|worker|man|machine|tap|pump|person';
const isWorker = (thing: string): boolean => WORKERS.split('|').includes(thing.toLowerCase());

const rule = rulesOf<{
  goods: Goods;
  deal: Deal;
  offers: readonly Deal[];
  bargain: '<' | '>';
  wanted: Goods;
  'people-count': Goods;
  unit: { readonly unit: Unit };
}>();

/** What so much of a thing costs, what another amount of it costs, and which of two offers is cheaper. */
export const DEALS: Domain = {
  lexicon: {
    COSTS:
      'cost|costs|weigh|weighs|is|are|take|takes|need|needs|make|makes|use|uses|was|were|come to|comes to|sell for|sells for|go for|goes for',
    PRICEOF: 'price|cost|the price|the cost|price is|unit price|the unit price|price each',
    PACK: 'pack|box|bag|packet|carton|case|crate|tray|bunch|dozen|set|bundle|roll|jar|tin|can|tub|bottle|sack|multipack|punnet',
    bargain: {
      'cheaper|cheapest|better value|better deal|better buy|better|best|best value|best deal|best buy|less|a better deal|better value for money|best value for money|better offer|lower price':
        '<',
      'more expensive|dearer|pricier|most expensive|worse value|worse deal': '>',
    },
    WORKERS,
    WORKING:
      'take|takes|took|need|needs|needed|can paint|paint|build|dig|clean|finish|can do it in|do it in|do a job in|finish in',
    MANYDAYS: 'how long|how many days|how many hours|how much time|how many minutes|how many weeks',
  },
  rules: [
    rule('goods = <number:whole>', '<number:unit>', ([n]) => ({ n, thing: '' })),
    rule(
      'goods -0.05 = <number:whole> <topic>',
      '<number:whole> <topic> of <literal>',
      '<number:unit> of? <topic>',
      ([n, thing]) => ({ n, thing }),
    ),
    rule('topic = <literal>', ([text]) => (isTopic(text) ? text : undefined)),
    rule('topic = <literal> <literal>', ([one, other]) =>
      isTopic(one) && isTopic(other) ? `${one} ${other}` : undefined,
    ),
    rule(
      'deal -0.1 = if? (the|a|an|every|my)? <goods> COSTS <number:terms>',
      'if? <goods> (for|at|@|=) <number:terms>',
      '#21 <number:money> (for|per|a|an) <goods>',
      '#21 <number:plain> for <goods>',
      'if? (a|an|the|one|my|each)? PACK (of|with) <goods> (of them)? COSTS <number:terms>',
      '(a|an|the|one|each)? PACK (of|with) <goods> (for|at) <number:terms>',
      '#21 if? (i|we|he|she|they|you) (pay|paid|spent|spend) <number:terms> (for|on) <goods>',
      'if? (i|we|he|she|they|you) (buy|bought|get|got|sell|sold) <goods> for <number:terms>',
      ([{ n, thing }, price]) =>
        price.kind === 'percent' || price.kind === 'any' || n.ops > 0 || (price.kind === 'time' && isWorker(thing))
          ? undefined
          : { n, thing, price },
    ),
    rule(
      'wanted = HOWMUCH (for|about)? <goods> COSTS? ENDSIGN?',
      'SEP? (what about|how about|and|for|price of|price for|cost of|cost for|the price of|the cost of) <goods> ENDSIGN?',
      'SEP? WHATIS? PRICEOF (for|of|per) <goods> ENDSIGN?',
    ),
    rule('number -0.2 = <deal> <wanted>', ([deal, goods]) => forOther(deal, goods)),
    rule(
      'number -0.2 = <deal> HOWMUCH (for|about)? (one|each|a single one|each one|one of them|a piece|per piece|apiece|per unit|a unit) COSTS? ENDSIGN?',
      '<deal> SEP? WHATIS? PRICEOF? (each|per piece|apiece|for one|of one|per unit|per item|a piece) ENDSIGN?',
      ([deal]) => forOther(deal, { n: numeral(1), thing: '' }),
    ),
    rule(
      'number -0.25 = <deal> HOWMUCH (for|about)? (one|a|an|each|per|a single) …:thing COSTS? ENDSIGN?',
      '<deal> SEP? WHATIS? PRICEOF? (per|for one|of one|for each|of each|of a) …:thing ENDSIGN?',
      ([deal, { text }]) => {
        const one = single(deal, text.replace(/ (?:costs?|weighs?|take|takes|is)$/i, ''));
        return one && forOther(deal, one);
      },
    ),
    rule(
      'number -0.2 = <deal> SEP? WHATIS? PRICEOF? (per|for a|of a|a) <unit> ENDSIGN?',
      '#21 PRICEOF per <unit> (if|when|for|of|at) <deal>',
      ([deal, { unit }]) => forOther(deal, { n: { ...numeral(1), unit, kind: unit.kind }, thing: '' }),
    ),
    rule('people-count = <number:whole> PEOPLE', ([n]) => ({ n, thing: '' })),
    rule(
      'deal -0.1 = #13 <number:unit> of? <topic> (for|feeds|serves|is enough for|feed|serve) <people-count>',
      ([price, { n }]) => ({ n, thing: '', price }),
    ),
    // More of them need less time.
    rule(
      'number -0.2 = if? (it takes)? <number:whole> WORKERS WORKING? <number:time> SEP? MANYDAYS (would|will|do|does|for|is it for)? (it take)? <number:whole> WORKERS? (take|need)? ENDSIGN?',
      '#124 if? (it takes)? <number:whole> WORKERS WORKING? <number:time> (to|for) … SEP? MANYDAYS (would|will|do|does|for|is it for)? (it take)? <number:whole> WORKERS? (take|need)? ENDSIGN?',
      ([a, time, b]) => (time.plain === undefined ? undefined : product(product(time, '*', a), '/', b)),
    ),
    rule('request -0.05 = <deal> (vs|vs.|versus) <deal> ENDSIGN?', (both) => cheaper(both, '<')),
    rule('offers = <deal> (or|vs|vs.|versus|,|, or|and|against) <deal>', (both) => both),
    rule('offers = <offers> (or|vs|vs.|versus|,|, or|and|against) <deal>', ([all, one]) => [...all, one]),
    rule(
      'request = WHICH? (is|of these is|one is|deal is|offer is|has|costs|is the|works out)? (the|a)? <bargain> (one|deal|buy|value|offer|price)? per? <unit>? SEP? <offers> ENDSIGN?',
      '#21 (is|are)? <offers> SEP? WHICH? (is|has|one is|deal is|offer is)? (the|a)? <bargain> (one|deal|buy|value|offer|price)? per? <unit>? ENDSIGN?',
      ([sign, ...others]) => cheaper(others.at(-1) as readonly Deal[], sign),
    ),
  ],
};
