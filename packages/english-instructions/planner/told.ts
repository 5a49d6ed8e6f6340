import { LIMITS } from '../tasks/words/limits.ts';
import { type Unit, unitOf } from '../tasks/words/units.ts';
import { namesNothing, type Quantity, type Segment, segmentsOf, thingOf } from './quantities.ts';
import { askedOfShares, MOVING } from './told-shares.ts';

/** Amounts that were multiplied or added, and what they are of. */
interface Term {
  readonly expr: string;
  readonly thing: string;
  readonly unit: Unit | undefined;
  readonly of: readonly Quantity[];
}
/** A question with all that was told. */
interface Asked {
  readonly text: string;
  readonly words: readonly string[];
  /** What is told with it, and all amounts. */
  readonly told: readonly Segment[];
  readonly all: readonly Quantity[];
  /** Those in the question itself. */
  readonly own: readonly Quantity[];
}
type Law = (asked: Asked) => readonly string[] | undefined;

const MAX_SAID = 400;
const MAX_SEGMENTS = 10;
const NOTHING = { asks: true, words: [], quantities: [] } as const;
/** What is to be done with amounts, without a question. */
const ORDERED = /^(?:.*, )?(?:(split|share|divide)|take|knock|deduct) /;
const ROUNDED =
  /,? (?:and )?round(?:ed)?(?: it)? to (?:(?:a|the nearest) (?:whole|full)? ?(?:degree|number|unit|one|\p{L}{1,6})|(\d decimals?(?: places?)?))$/iu;
/** What is told with these words is more, or less, than its amounts say. */
const UNTOLD = new Set(
  `only except excepting excluding excluded including without unless if whether until till than instead never not cannot never nor neither
other others half twice double triple thrice third quarter quarters both again free extra send sent remind email mail note remember round rounded convert nothing none nobody zero imperial metric uk british american canceled cancelled returned unequal uneven minus times interest compound fewer less least most maybe perhaps
doesn't don't isn't aren't can't won't didn't wasn't weren't alternate squared cubed dozen couple pair several some few rest`.split(
    /\s+/,
  ),
);
/** "Median of these response times in minutes": what the figures are of. */
const OF_THESE =
  /^((?:the |what's the |what is the )?(?:median|average|mean|total|sum)) of (?:these|those|the following|my|our)(?: [\p{L}-]+){1,4}$/u;
/** In what an answer is written down. */
const ADJUNCT = / (?:in|on|into|for|onto) (?:my|our|the|his|her|their)(?: [\p{L}-]+){1,3}$/u;
/** Words that limit elsewhere, and only link or name here. */
const PLAIN = new Set('each every after first last but if when'.split(' '));
const LOSING =
  /\b(?:spen[dt]\w*|pa(?:y|id|ys|ying)|g[ai]ve\w*|sold|sell\w*|los[et]\w*|lost|eat\w*|ate|used|drank|drink\w*|took|take[ns]?|taking|withdr[ae]w\w*|donated|dropped|broke\w*|left|voucher|coupon|credit|refund|deposit|rebate|discount)\b/;
const GAINING =
  /\b(?:earn\w*|receiv\w*|got back|refund\w*|found|won|gain\w*|deposit\w*|add(?:ed|ing)?|bonus|topped up)\b/;
const LEFT =
  /\b(?:left|remain(?:s|ing)?|leftover|still (?:open|owed?|owe|outstanding|missing|due|have|need|to pay)|is (?:open|outstanding|missing))\b/;
const EACH = /\b(?:each|apiece|per (?:person|head|child|kid)|everyone|everybody|one of (?:us|them))\b/;
const TOTAL =
  /\b(?:total|altogether|all together|in all|sum|come to|comes? to|(?:how much|what) (?:is|was|does|do|did|will|would|are) .*(?:that|it|cost|pay|make|earn|owe|get|bring|charge|need)|how much)\b/;
const SUM = /\b(?:total|altogether|all together|in all|sum|all of (?:it|them|that))\b/;
const SIZE =
  /^(?:seats?|holds?|fits?|has|have|weighs?|sleeps?|carries|lasts?|takes?|serves?|feeds?|aged?|room|number|table|page|each|[\d.,]+)$/;
/** What is asked for of amounts that is no sum of them. */
const OTHERWISE =
  /\b(?:percent|percentage|change|tip|net|gross|new|average|median|mean|budget|speed|back|off|more|difference|save)\b|%/;
const AT_FIRST = /\b(?:to (?:start|begin) with|at (?:the start|first|the beginning)|originally|in the beginning)\b/;
const FIGURES: Readonly<Record<string, RegExp>> = {
  sum: /\b(?:total|altogether|in all|sum|all together)\b/,
  average: /\b(?:average|mean)\b/,
  median: /\bmedian\b/,
  largest: /\b(?:highest|biggest|largest|best|maximum)\b/,
  smallest: /\b(?:lowest|smallest|worst|minimum)\b/,
};
const PEOPLE = new Set(
  'person friend child kid adult colleague partner contractor roommate guest pupil student player member neighbour neighbor grandkid grandchild cousin brother sister employee worker volunteer flatmate housemate team girl boy man woman user owner tenant'.split(
    ' ',
  ),
);

const isValue = (thing: string, money: boolean): boolean => money || thing === '';
const namedOf = (q: Quantity): string => (isValue(q.thing, q.money) ? '' : q.thing);
const termOf = (q: Quantity): Term => ({ expr: q.said, thing: namedOf(q), unit: q.unit, of: [q] });
const summed = (terms: readonly Term[], sign = ' + '): string => terms.map(({ expr }) => expr).join(sign);
const figured = (q: Quantity): string => (q.unit === undefined ? q.said : String(q.value));

/** What the amounts come to where each that is for one of a thing is multiplied by how many there are; those without a number of it apart. */
function termsOf(
  all: readonly Quantity[],
): { readonly terms: readonly Term[]; readonly rates: readonly Quantity[] } | undefined {
  const rates = all.filter(({ per }) => per !== undefined);
  const counts = all.filter(({ per }) => per === undefined);
  const used = new Set<Quantity>();
  const loose: Quantity[] = [];
  const products = new Map<Quantity, Term>();
  for (const rate of rates) {
    const counted = counts.filter(({ thing }) => thing === rate.per);
    if (counted.length === 0) {
      loose.push(rate);
      continue;
    }
    if (counted.some((one) => used.has(one))) return undefined;
    for (const one of counted) used.add(one);
    const factors = counted.map((one) => {
      const by = one.unit === undefined || rate.perUnit === undefined ? 1 : one.unit.factor / rate.perUnit.factor;
      return by === 1 ? figured(one) : `${figured(one)} * ${Number(by.toPrecision(12))}`;
    });
    const count = factors.length > 1 ? `(${factors.join(' + ')})` : (factors[0] as string);
    products.set(counted[0] as Quantity, {
      expr: `${count} * ${rate.said}`,
      thing: namedOf(rate),
      unit: rate.unit,
      of: [...counted, rate],
    });
  }
  const terms = counts.flatMap((one) => products.get(one) ?? (used.has(one) ? [] : [termOf(one)]));
  return { terms, rates: loose };
}

const isOf = (terms: readonly Term[], thing: string): boolean =>
  terms.every((one) => one.thing === thing || one.thing === '') && terms.some((one) => one.thing === thing);

/** What "how many" is asked of. */
function askedThing({ text, all }: Asked): string | undefined {
  const words = (/\bhow many ((?:[\p{L}'-]+ ?){1,4})/u.exec(text)?.[1] ?? '').trim().split(' ');
  const things = words.map(thingOf);
  return things.find((one) => all.some(({ thing, per }) => thing === one || per === one));
}

/** The unit that an answer is wanted in, and the words that name it. */
function askedUnit({ text }: Pick<Asked, 'text'>): { readonly unit: Unit; readonly named: string } | undefined {
  const words = text.match(/[\p{L}²°'-]+/gu) ?? [];
  for (const [at, one] of words.entries()) {
    const link = words[at - 1] ?? '';
    if (!/^(?:many|in|to|for|into|of)$/.test(link) || /^(?:in|an?|as|[^cfgml])$/.test(one)) continue;
    const double = `${one} ${words[at + 1] ?? ''}`.trim();
    const named = unitOf(double) === undefined ? one : double;
    const unit = unitOf(named);
    if (unit !== undefined) return { unit, named };
  }
  return undefined;
}

const converted: Law = (asked) => {
  const { unit } = askedUnit(asked) ?? {};
  if (unit === undefined || unit.kind === 'time') return undefined;
  const sided = asked.told.some(({ text }) =>
    /\blong\b.*\bwide\b|\bwide\b.*\blong\b|\d[\p{L}. ]* ?(?:x|×|by) ?\d/u.test(text),
  );
  const [one, other, more] = asked.all;
  if (one === undefined || more !== undefined) {
    // More than two are no sides.
  } else if (
    other !== undefined &&
    sided &&
    other.unit?.kind === 'length' &&
    [other.unit, undefined].includes(one.unit)
  ) {
    const first = one.unit === undefined ? `${one.said} ${other.said.replace(/^\S+ /, '')}` : one.said;
    if (unit.kind === 'area') return [`${first} * ${other.said} in ${unit.symbol}`];
    // "4 m by 5 m" in feet may be a surface as well, and "24 x 36 inches" is a size.
    return unit.kind === 'length' && one.unit === undefined
      ? [first, other.said].map((side) => `${side} in ${unit.symbol}`)
      : undefined;
  }
  const { terms = [], rates = [] } = termsOf(asked.all) ?? {};
  const [term, another] = terms;
  return term?.unit?.kind === unit.kind && another === undefined && rates.length === 0
    ? [
        term.of.length === 1
          ? `${term.expr} in ${unit.kind === 'temperature' ? unit.math : unit.symbol}`
          : `calculate (${term.expr}) in ${unit.symbol}`,
      ]
    : undefined;
};

const shared: Law = ({ text, all, told }) => {
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [one, other, more] = terms;
  if (one === undefined || other === undefined || more !== undefined || rates.length > 0) return undefined;
  const sharers = terms.filter(
    ({ of: [q], thing }) =>
      q !== undefined &&
      q.unit === undefined &&
      !q.money &&
      (PEOPLE.has(thing) ||
        /^(?:between|among|amongst|by|into)$/.test(q.before.at(-1) ?? '') ||
        /^(?:instalment|installment|payment)$/.test(thing)),
  );
  const [by] = sharers;
  if (by === undefined || sharers.length > 1 || by.of.length > 1) return undefined;
  const total = by === one ? other : one;
  const whole = told.some((segment) => /\bwhole (?:pounds|euros|dollars|numbers?|ones)\b/.test(segment.text));
  const count = String(by.of[0]?.value);
  if (LEFT.test(text)) return whole || total.thing !== '' ? [`calculate ${total.expr} mod ${count}`] : undefined;
  if (!EACH.test(text)) return undefined;
  const all_of = total.of.length > 1 ? `(${total.expr})` : total.expr;
  return [whole ? `calculate floor(${all_of} / ${count})` : `calculate ${all_of} / ${count}`];
};

const leftOver: Law = ({ text, all, told }) => {
  const words = [...told.map((one) => one.text), text].join(' ');
  if (!LEFT.test(text) || EACH.test(text) || !LOSING.test(words.replace(/\bleft\b/g, '')) || GAINING.test(words))
    return undefined;
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [first, ...others] = terms;
  if (first === undefined || others.length === 0 || rates.length > 0) return undefined;
  return others.every(({ thing }) => thing === first.thing || thing === '')
    ? [`calculate ${summed([first, ...others], ' - ')}`]
    : undefined;
};

const filled: Law = ({ text, all, words }) => {
  const { terms = [], rates: [rate, another] = [] } = termsOf(all) ?? {};
  const [amount, more] = terms;
  if (rate === undefined || amount === undefined || another !== undefined || more !== undefined) return undefined;
  if (rate.thing !== '' && rate.thing !== amount.thing) return undefined;
  const each = rate.per ?? '';
  const quotient = `${amount.of.length > 1 ? `(${amount.expr})` : figured(amount.of[0] as Quantity)} / ${figured(rate)}`;
  if (LEFT.test(text)) return [`calculate ${quotient.replace(' / ', ' mod ')}`];
  const unit = rate.perUnit;
  if (unit?.kind === 'time')
    return /\bhow long\b/.test(text) || askedUnit({ text })?.unit.kind === 'time'
      ? [`${quotient} * 1 ${unit.symbol}`]
      : undefined;
  if (!words.map(thingOf).includes(each) || !/\bhow many\b/.test(text)) return undefined;
  const exact = amount.of.length === 1 && (amount.of[0] as Quantity).value % rate.value === 0;
  if (exact) return [`calculate ${quotient}`];
  if (/\b(?:full|fill|complete|can)\b/.test(text)) return [`calculate floor(${quotient})`];
  return /\b(?:need|buy|have to|must|order|hire|book|required?)\b/.test(text)
    ? [`calculate ceil(${quotient})`]
    : undefined;
};

const speed: Law = ({ text, all }) => {
  const [one, other, more] = all;
  if (!/\b(?:speed|how fast)\b/.test(text) || more !== undefined) return undefined;
  const [way, time] = one?.unit?.kind === 'time' ? [other, one] : [one, other];
  if (way?.unit?.kind !== 'length' || time?.unit?.kind !== 'time') return undefined;
  const unit = { mi: 'mph', km: 'km/h', m: 'm/s' }[way.unit.symbol];
  return unit === undefined ? undefined : [`calculate ${way.said} / ${time.said} in ${unit}`];
};

const FOR = /\b(?:for|serves?|says|needs?|takes?|costs?|feeds?|makes?|uses?)\b/;
const proportional: Law = ({ text, all, own, told }) => {
  const [wanted] = own;
  const [one, other, more] = all.filter((q) => q !== wanted);
  if (wanted === undefined || own.length > 1 || one === undefined || other === undefined || more !== undefined)
    return undefined;
  if (!/\bhow (?:much|many)\b/.test(text) || !told.some((segment) => FOR.test(segment.text))) return undefined;
  if ([one, other, wanted].some(({ per, percent }) => percent || per !== undefined)) return undefined;
  const fits = (q: Quantity): boolean =>
    q.thing !== '' &&
    q.unit?.kind !== 'time' &&
    (wanted.thing === q.thing || (wanted.thing === '' && !wanted.money && PEOPLE.has(q.thing)));
  const [base, amount] = fits(one) ? [one, other] : [other, one];
  if (!fits(base) || fits(amount) || amount.unit?.kind === 'time' || base.unit !== wanted.unit) return undefined;
  return [`calculate ${amount.said} / ${base.value} * ${wanted.value}`];
};

const total: Law = (asked) => {
  const { text, all, told, own } = asked;
  const words = told.map((one) => one.text).join(' ');
  // What is saved for some time may bear interest, and what is one amount now and was another is no sum.
  if (/\bafter\b/.test(text) && own.some(({ unit }) => unit?.kind === 'time')) return undefined;
  if (all.some(({ percent }) => percent)) return undefined;
  if (all.length < 2 || EACH.test(text) || OTHERWISE.test(text) || /\bnow\b|\bfrom [^,]*\d/.test(words))
    return undefined;
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [first, more] = terms;
  if (first === undefined || rates.length > 0 || (more === undefined && first.of.length === 1)) return undefined;
  const products = terms.every(({ of }) => of.length > 1);
  const lost = LOSING.test(products ? words.replace(/\bpa(?:y|id|ys)\b/g, '') : words);
  const atFirst = AT_FIRST.test(text);
  if ((LEFT.test(text) || lost) && !atFirst) return undefined;
  // What a table seats is no price.
  if (
    terms.some(({ of: [q, by] }) => by === undefined && q?.thing === '' && !q.money && SIZE.test(q.before.at(-1) ?? ''))
  )
    return undefined;
  if (/\bhow many\b/.test(text)) {
    const thing = askedThing(asked);
    return (products || atFirst || SUM.test(text)) && thing !== undefined && isOf(terms, thing)
      ? [`calculate ${summed(terms)}`]
      : undefined;
  }
  // Amounts beside each other are a sum only where that is what is asked.
  return (products ? TOTAL : SUM).test(text) && terms.every(({ thing }) => thing === '')
    ? [`calculate ${summed(terms)}`]
    : undefined;
};

const figures: Law = ({ text, all, told }) => {
  if ([text, ...told.map((one) => one.text)].some((one) => /\bplus\b/.test(one) || LOSING.test(one))) return undefined;
  if (
    all.length < 3 ||
    all.some(({ per, percent, unit, thing }) => per !== undefined || percent || unit !== undefined || thing !== '')
  )
    return undefined;
  const [name, more] = Object.keys(FIGURES).filter((one) => FIGURES[one]?.test(text));
  return name === undefined || more !== undefined
    ? undefined
    : [`${name} of ${all.map(({ said }) => said).join(', ')}`];
};

const portions: Law = ({ text, all, told }) => {
  const plainAmounts = all.filter(({ percent }) => !percent);
  const { terms = [], rates = [] } = termsOf(plainAmounts) ?? {};
  const values = terms.filter(({ thing }) => thing === '');
  const [rate] = rates;
  const amount =
    rate !== undefined && rates.length === 1 && terms.length === 0
      ? rate.said
      : values.length === 1
        ? values[0]?.expr
        : undefined;
  const others = terms.length - values.length;
  const counted = terms.length === 1 && /\bhow many\b/.test(text) ? terms[0]?.expr : undefined;
  const shares = all.filter(({ percent }) => percent).length;
  return askedOfShares({ text, told, all, amount: others > 0 && shares < 2 ? counted : amount });
};

/** "200 orders came and 5% of them were returned. How many is that?" */
const ofThem: Law = ({ text, all, told }) => {
  const [share, more] = all.filter(({ percent }) => percent);
  const [whole, other] = all.filter(({ percent }) => !percent);
  const named = told.some((one) => /% of (?:them|these|those|which)\b/.test(one.text));
  if (share === undefined || whole === undefined || more !== undefined || other !== undefined || !named)
    return undefined;
  return /\bhow many\b/.test(text) && !LEFT.test(text) ? [`calculate ${share.said} of ${figured(whole)}`] : undefined;
};

const LAWS: readonly Law[] = [portions, converted, speed, figures, shared, leftOver, filled, proportional, total];

/** The instructions that calculate what is asked of amounts that were told, where each of them and each word has a meaning. */
export function askedOfTold(said: string): readonly string[] | undefined {
  if (said.length > MAX_SAID || !/\d/.test(said)) return undefined;
  const [, rounded] = ROUNDED.exec(said) ?? [];
  const segments = segmentsOf(said.replace(ROUNDED, '').replace(/\bincluding (?=[\d.]+%)/, 'incl '));
  // What stands in one part is an instruction for the grammar.
  if (
    segments === undefined ||
    segments.length > MAX_SEGMENTS ||
    (segments.length < 2 && !ORDERED.test(said.toLowerCase()))
  )
    return undefined;
  const told = segments.filter(({ asks }) => !asks);
  const questions = segments.filter(({ asks }) => asks);
  const [, sharing] = (questions.length === 0 && ORDERED.exec(segments.map(({ text }) => text).join(', '))) || [];
  if (questions.length === 0 && told.some(({ text }) => ORDERED.test(text)))
    questions.push({ ...NOTHING, text: sharing === undefined ? 'how much is it now in total' : 'how much for each' });
  const last = segments.at(-1);
  // What is added behind the question may limit it: "I use US cups".
  if (last?.asks === false && last.quantities.length === 0 && segments.some(({ asks }) => asks)) return undefined;
  if (questions.length === 0 || (rounded !== undefined && questions.length > 1)) return undefined;
  const shares = segments.flatMap(({ quantities }) => quantities).filter(({ percent }) => percent).length;
  const limits = (word: string): boolean =>
    shares > 1 && /^(?:rest|another)$/.test(word) ? false : UNTOLD.has(word) || (LIMITS.has(word) && !PLAIN.has(word));
  if (segments.some(({ words, asks }) => words.some((word) => limits(word) && !(asks && word === 'both'))))
    return undefined;
  const all = elliptic(segments);
  const toldText = segments
    .filter(({ asks, quantities }) => !asks || quantities.length > 0)
    .map(({ text }) => text)
    .join(' ');
  const answers = questions.map((question): readonly string[] | undefined => {
    const { text, words, quantities: own } = question;
    const request = { text, words, told, all, own };
    if (words.includes('both') && all.filter(({ per }) => per === undefined).length !== 2) return undefined;
    const { named: unit = '' } = askedUnit(request) ?? {};
    // What a converted amount is for changes nothing, nor does what it is of.
    const rest =
      unit === ''
        ? text
        : text
            .replace(unit, '')
            .replace(ADJUNCT, '')
            .replace(/\bof \p{L}+/u, '');
    const plainly = OF_THESE.exec(text)?.[1] ?? rest;
    const laws = shares === 0 && namesNothing(plainly, toldText) ? LAWS : [ofThem, portions];
    if (!namesNothing(plainly.replace(MOVING, ''), toldText)) return undefined;
    for (const law of laws) {
      const found = law(request);
      if (found !== undefined) return found;
    }
    return undefined;
  });
  if (!answers.every((one) => one !== undefined)) return undefined;
  const end = ROUNDED.test(said) ? ` rounded to ${rounded ?? 'a whole number'}` : '';
  return answers.flat().map((one) => one + end);
}

/** The amounts, of which a bare one behind another is one of the same: "last week 6.5 hours, this week 9". */
function elliptic(segments: readonly Segment[]): readonly Quantity[] {
  const all: Quantity[] = [];
  for (const { words, quantities, asks } of segments)
    for (const q of quantities) {
      const last = all.at(-1);
      const bare = q.thing === '' && !q.money && !q.percent && q.per === undefined && !asks;
      const same =
        bare &&
        last !== undefined &&
        last.thing !== '' &&
        last.per === undefined &&
        words.length <= 2 &&
        quantities.length === 1;
      all.push(same ? { ...q, thing: last.thing, unit: last.unit, said: q.said + last.said.replace(/^\S+/, '') } : q);
    }
  return all;
}
