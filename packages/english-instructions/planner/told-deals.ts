import { type Unit, unitOf } from '../tasks/words/units.ts';
import { type Quantity, thingOf } from './quantities.ts';
import { askedUnit, figured, type Law, PEOPLE, SUM, termsOf } from './told-laws.ts';

const FOR =
  /\b(?:for|serves?|says|needs?|takes?|costs?|feeds?|makes?|uses?|used|is|are|weighs?|pa(?:y|id)|(?:of|in) \d)\b/;
const tidy = (value: number): string => String(Number(value.toPrecision(12)));
/** One of something, as in "how much is one bottle" and "price per kg". */
const ONE = /\b(?:per|one|each|a single|an?|for an?) (\d+ )?(\p{L}+)?/u;

/** An amount of what was told, asked about: as a number in the question, or as one of it. */
function wantedIn(text: string, own: readonly Quantity[], told: readonly Quantity[]): Partial<Quantity> | undefined {
  const [wanted, more] = own;
  if (more !== undefined) return undefined;
  if (wanted !== undefined) return wanted;
  const [found, , name = ''] = ONE.exec(text.replace(/\b(?:does|do|would|will|is|are) one\b/, 'one')) ?? [];
  if (found === undefined) return /\beach\b/.test(text) ? { value: 1, thing: '' } : undefined;
  const unit = unitOf(name);
  const thing = thingOf(name);
  if (unit !== undefined) return { value: 1, unit, thing };
  return told.some((one) => one.thing === thing) ? { value: 1, thing } : { value: 1, thing: '' };
}

const MEANS_PRICE = /\b(?:how much|what(?:'?s)?|price|cost|each|apiece)\b/;
/** So much of a thing for so much, and another amount of it. */
const proportional: Law = ({ text, all, own, told }) => {
  const others = all.filter((q) => !own.includes(q));
  const [one, other, more] = others;
  if (one === undefined || other === undefined || (more !== undefined && (others.length > 3 || own.length > 0)))
    return undefined;
  // "It uses 6 litres for 100 km. We drive 350 km."
  const wanted = more ?? wantedIn(text, own, others);
  const words = told.map((segment) => segment.text).join(', ');
  if (wanted === undefined || !MEANS_PRICE.test(text) || !FOR.test(words)) return undefined;
  if ([one, other].some(({ percent, per }) => percent || per !== undefined) || wanted.percent === true)
    return undefined;
  const base = baseOf(one, other, wanted, words);
  const amount = base === one ? other : one;
  if (base === undefined || amount.unit?.kind === 'time') return undefined;
  const by =
    wanted.unit === undefined || base.unit === undefined ? 1 : Number(tidy(wanted.unit.factor / base.unit.factor));
  const times = tidy((wanted.value as number) * by);
  return [`calculate ${amount.said} / ${base.value}${times === '1' ? '' : ` * ${times}`}`];
};

/** Which of two amounts the other is for. */
function baseOf(one: Quantity, other: Quantity, wanted: Partial<Quantity>, told: string): Quantity | undefined {
  const alike = (q: Quantity): boolean =>
    q.thing !== '' && q.unit?.kind !== 'time' && q.thing === wanted.thing && q.unit?.kind === wanted.unit?.kind;
  if (alike(one) !== alike(other)) return alike(one) ? one : other;
  if (wanted.thing !== '' || wanted.money === true) return undefined;
  // "3 for £5" and "I paid 45 for 3": the number that is no price.
  const counts = (q: Quantity): boolean => q.unit === undefined && !q.money;
  const priced = (q: Quantity): boolean => q.money || (q.thing === '' && q.unit === undefined);
  if (PEOPLE.has(one.thing) !== PEOPLE.has(other.thing)) return PEOPLE.has(one.thing) ? one : other;
  if (counts(one) && priced(other) && (one.thing !== '' || other.money)) return one;
  if (counts(other) && priced(one) && (other.thing !== '' || one.money)) return other;
  return /\b(?:pa(?:y|id)|spent|costs?) \d[\d.]* for \d/.test(told) ? other : undefined;
}

/** A price of each, and how many are bought. */
const priced: Law = ({ text, all }) => {
  const [count, rate] = all[0]?.per === undefined ? [all[0], all[1]] : [all[1], all[0]];
  if (all.length !== 2 || rate?.per === undefined || count === undefined || count.per !== undefined) return undefined;
  if (rate.percent || count.percent || count.money || count.unit !== undefined || ![rate.per, ''].includes(count.thing))
    return undefined;
  if (
    rate.thing !== '' ||
    !/\b(?:buys?|bought|wants?|needs?|orders?|ordered|gets?|takes?)(?: \p{L}+)?$/u.test(count.before.join(' '))
  )
    return undefined;
  return SUM.test(text) ||
    /\b(?:how much|what (?:do|does|did|will|would|must) (?:i|we|it|they|that|all of them) (?:pay|cost))\b/.test(text)
    ? [`calculate ${count.said} * ${rate.said}`]
    : undefined;
};

const WORKERS = new Set(
  'painter worker man person builder machine tap pump cook gardener cleaner robot volunteer student woman friend printer digger bricklayer carpenter electrician people'.split(
    ' ',
  ),
);
/** More of those who work need less time. */
const workers: Law = ({ text, all, own: [wanted, more] }) => {
  const [one, other, third] = all.filter((q) => q !== wanted);
  if (wanted === undefined || more !== undefined || one === undefined || other === undefined || third !== undefined)
    return undefined;
  const [who, time] = one.unit?.kind === 'time' ? [other, one] : [one, other];
  if (!/\bhow (?:long|many (?:days|hours|weeks|minutes))\b/.test(text) || time.unit?.kind !== 'time') return undefined;
  if (!WORKERS.has(who.thing) || ![who.thing, ''].includes(wanted.thing)) return undefined;
  return [`calculate ${time.said} * ${who.value} / ${wanted.value}`];
};

const CHEAPER = /\b(?:cheap\w*|best|better|less|lower)\b/;
const DEARER = /\b(?:dear\w*|expensive|pricier|worse)\b/;
/** Offers of the same thing: what one of it costs in each, and which costs less. */
const offers: Law = ({ text, all, told }) => {
  const words = [...told.map((one) => one.text), text].join(' ');
  const [cheaper, dearer] = [CHEAPER.test(words), DEARER.test(words)];
  if ((cheaper === dearer && !/\b(?:vs|versus)\b/.test(words)) || all.length < 4 || all.length % 2 > 0)
    return undefined;
  const pairs = Array.from(
    { length: all.length / 2 },
    (_, at) => [all[2 * at], all[2 * at + 1]] as [Quantity, Quantity],
  );
  const [[first]] = pairs as [[Quantity, Quantity]];
  const fits = pairs.every(
    ([n, price]) =>
      [n, price].every(({ percent }) => !percent) &&
      n.per === undefined &&
      !n.money &&
      price.thing === '' &&
      price.before.at(-1) === 'for' &&
      n.unit?.kind === first.unit?.kind &&
      (n.thing === first.thing || n.thing === '' || first.thing === ''),
  );
  if (!fits) return undefined;
  const each = pairs.map(([n, price]) => price.value / (n.value * (n.unit?.factor ?? 1)));
  const best = Math[dearer ? 'max' : 'min'](...each);
  const winners = pairs.filter((_, at) => tidy(each[at] as number) === tidy(best));
  const [[n, price]] = winners as [[Quantity, Quantity]];
  return [
    ...pairs.map(([count, { said }]) => {
      const by = tidy((count.value * (count.unit?.factor ?? 1)) / (first.unit?.factor ?? 1));
      return `calculate ${said} / ${by}`;
    }),
    winners.length > 1
      ? 'say "Both cost the same"'
      : `say "${n.said}${n.unit || n.thing === '' ? '' : ` ${n.thing}`} for ${price.said}"`,
  ];
};

/** How many of one size there are in an amount, or how long an amount lasts. */
export const filled: Law = ({ text, all, words }) => {
  const { terms = [], rates: [rate, another] = [] } = termsOf(all) ?? {};
  const [amount, more] = terms;
  if (rate === undefined || amount === undefined || another !== undefined || more !== undefined) return undefined;
  if (rate.thing !== '' && rate.thing !== amount.thing) return undefined;
  const each = rate.per ?? '';
  const alike = amount.of.length === 1 && amount.unit === rate.unit;
  const quotient = alike
    ? `${figured(amount.of[0] as Quantity)} / ${figured(rate)}`
    : `${amount.of.length > 1 ? `(${amount.expr})` : amount.expr} / ${rate.said}`;
  if (/\b(?:left|remain(?:s|ing)?|leftover)\b/.test(text)) return [`calculate ${quotient.replace(' / ', ' mod ')}`];
  const unit = rate.perUnit;
  if (unit?.kind === 'time')
    return /\bhow long\b/.test(text) || askedUnit({ text })?.unit.kind === 'time'
      ? [`${quotient} * 1 ${unit.symbol}`]
      : undefined;
  if (!words.map(thingOf).includes(each) || !/\bhow many\b/.test(text)) return undefined;
  const exact = alike && (amount.of[0] as Quantity).value % rate.value === 0;
  if (exact) return [`calculate ${quotient}`];
  if (/\b(?:full|fill|complete|can)\b/.test(text)) return [`calculate floor(${quotient})`];
  // What is seated or packed in groups needs one for the rest too.
  return PEOPLE.has(amount.thing) || /\b(?:need|buy|have to|must|order|hire|book|required?)\b/.test(text)
    ? [`calculate ceil(${quotient})`]
    : undefined;
};

const RATED =
  /\b(?:how (?:many|much)|what(?:'s| is)?(?: (?:the|my|our))?(?: average)?(?: rate)?(?: in)?) (?:(?!per\b|an?\b|each\b)(\p{L}+) )?(?:per|an?|each|every|\/) (\p{L}+)\b/u;
const OVER = /\b(?:over|in|within|during|for|on|with|using|takes?|took)$/;
/** One amount for each of another: "a 1 litre bag over 8 hours, how many ml per hour". */
const rated: Law = ({ text, all: [one, other, more] }) => {
  const [, wanted = '', per = ''] = RATED.exec(text) ?? [];
  if (per === '' || one === undefined || other === undefined || more !== undefined) return undefined;
  if ([one, other].some((q) => q.percent || q.per !== undefined) || !OVER.test(other.before.join(' ')))
    return undefined;
  const [unit, into] = [unitOf(per), unitOf(wanted)];
  const alike = (q: Quantity): boolean => (unit === undefined ? q.thing === thingOf(per) : q.unit?.kind === unit.kind);
  if (alike(one) || !alike(other)) return undefined;
  if (wanted !== '' && (into === undefined ? thingOf(wanted) !== one.thing : into.kind !== one.unit?.kind))
    return undefined;
  const by = tidy(other.value * (unit === undefined ? 1 : (other.unit as Unit).factor / unit.factor));
  return [`calculate ${one.said} / ${by}${into === undefined ? '' : ` in ${into.symbol}`}`];
};

export const DEALS: readonly Law[] = [offers, workers, priced, filled, rated, proportional];
