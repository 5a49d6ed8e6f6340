import { type Unit, unitOf } from '../tasks/words/units.ts';
import { type Quantity, type Segment, thingOf } from './quantities.ts';

/** Amounts that were multiplied or added, and what they are of. */
export interface Term {
  readonly expr: string;
  readonly thing: string;
  readonly unit: Unit | undefined;
  readonly of: readonly Quantity[];
}
/** A question with all that was told. */
export interface Asked {
  readonly text: string;
  readonly words: readonly string[];
  /** What is told with it, and all amounts. */
  readonly told: readonly Segment[];
  /** Whether one of the questions of the message is how many are left. */
  readonly leaves: boolean;
  readonly all: readonly Quantity[];
  /** Those in the question itself. */
  readonly own: readonly Quantity[];
}
/** The instructions that calculate what is asked; undefined where it says nothing about that. */
export type Law = (asked: Asked) => readonly string[] | undefined;

export const LEFT =
  /\b(?:left|remain(?:s|ing)?|leftover|still (?:open|owed?|owe|outstanding|missing|due|have|need|to pay)|is (?:open|outstanding|missing))\b/;
export const EACH =
  /\b(?:each|apiece|per (?:person|head|child|kid)|everyone|everybody|one of (?:us|them)|the others)\b/;
export const SUM = /\b(?:total|altogether|all together|together|in all|sum|all of (?:it|them|that))\b/;
export const LOSING =
  /\b(?:spen[dt]\w*|pa(?:y|id|ys|ying)|g[ai]ve\w*|sold|sell\w*|los[et]\w*|lost|eat\w*|ate|used|drank|drink\w*|took|take[ns]?|taking|withdr[ae]w\w*|donated?|drop\w*|broke\w*|left|lent|threw|cuts?|saw(?:ed|n|s)? off|voucher|coupon|credit|refund|deposit|rebate|discount)\b/;
export const GAINING =
  /\b(?:earn\w*|receiv\w*|got back|g[eo]ts?|refund\w*|found|finds?|won|wins?|gain\w*|deposit\w*|add(?:ed|ing|s)?|bonus|topped up|buys?|bought|picks?|picked|join\w*|came|arrived?)\b/;
export const PEOPLE = new Set(
  'person friend child kid adult colleague partner contractor roommate guest pupil student player member neighbour neighbor grandkid grandchild cousin brother sister employee worker volunteer flatmate housemate team girl boy man woman user owner tenant ppl'.split(
    ' ',
  ),
);

/** Whether a text is about a value that has no name of its own, as an amount of money. */
const namedOf = (q: Quantity): string => (q.money ? '' : q.thing);
export const figured = (q: Quantity): string => (q.unit === undefined ? q.said : String(q.value));
export const summed = (terms: readonly Term[], sign = ' + '): string => terms.map(({ expr }) => expr).join(sign);
const termOf = (q: Quantity): Term => ({ expr: q.said, thing: namedOf(q), unit: q.unit, of: [q] });

const PLACED = /^(?:on|in|from|during|for|by|at) (?:the |my |our )?(?:\p{L}+ )?\p{L}+(?: and|$)/u;
/** Whether an amount is said to be somewhere or of some time: "30 on Tuesday". */
export const isPlaced = (q?: Quantity): boolean => PLACED.test(q?.behind.join(' ') ?? '');

/** What the amounts come to where each that is for one of a thing is multiplied by how many there are; those without a number of it apart. */
export function termsOf(
  all: readonly Quantity[],
): { readonly terms: readonly Term[]; readonly rates: readonly Quantity[] } | undefined {
  const rates = all.filter(({ per }) => per !== undefined);
  const counts = all.filter(({ per }) => per === undefined);
  const used = new Set<Quantity>();
  const loose: Quantity[] = [];
  const products = new Map<Quantity, Term>();
  const priced = new Map<Quantity, Quantity>();
  for (const rate of rates) {
    const counted =
      rate.times === undefined
        ? counts.filter(({ thing }) => thing === rate.per)
        : counts.filter((one) => one === rate.times);
    if (counted.length === 0) {
      loose.push(rate);
      continue;
    }
    const [count] = counted as [Quantity];
    // "An hour costs 60" says of no unit how much of it that is for.
    if (rate.times === undefined && rate.perUnit === undefined && counted.some(({ unit }) => unit !== undefined))
      return undefined;
    // "45 days at 5 days a week" is no number of days.
    if (rate.unit !== undefined && counted.some(({ unit }) => unit === rate.unit)) return undefined;
    const earlier = priced.get(count);
    if (earlier !== undefined && counted.length === 1 && earlier.thing === '' && rate.thing === '') {
      products.set(count, {
        ...(products.get(count) as Term),
        expr: `${figured(count)} * (${earlier.said} + ${rate.said})`,
      });
      priced.delete(count);
      continue;
    }
    if (counted.some((one) => used.has(one))) return undefined;
    priced.set(count, rate);
    for (const one of counted) used.add(one);
    const factors = counted.map((one) => {
      const by = one.unit === undefined || rate.perUnit === undefined ? 1 : one.unit.factor / rate.perUnit.factor;
      return by === 1 ? figured(one) : `${figured(one)} * ${Number(by.toPrecision(12))}`;
    });
    const by = factors.length > 1 ? `(${factors.join(' + ')})` : (factors[0] as string);
    products.set(count, {
      expr: `${by} * ${rate.said}`,
      thing: namedOf(rate),
      unit: rate.unit,
      of: [...counted, rate],
    });
  }
  // "3 staff, 8 hours each, at 20 an hour": the second is for each of the first, and the third for each of the second.
  const rest = loose.filter((rate) => {
    const [inner, more] = [...products].filter(([, { thing, of }]) => thing === rate.per && of.length === 2);
    if (inner === undefined || more !== undefined || rate.times !== undefined) return true;
    const [count, { of, unit }] = inner;
    // Pay for a day is not for each 24 hours.
    if (unit !== rate.perUnit) return true;
    products.set(count, {
      expr: [...of.map(figured), rate.said].join(' * '),
      thing: namedOf(rate),
      unit: rate.unit,
      of: [...of, rate],
    });
    return false;
  });
  const terms = counts.flatMap((one) => products.get(one) ?? (used.has(one) ? [] : [termOf(one)]));
  return { terms, rates: rest };
}

export const isOf = (terms: readonly Term[], thing: string): boolean =>
  terms.every((one) => one.thing === thing || one.thing === '') && terms.some((one) => one.thing === thing);

/** What "how many" is asked of. */
export function askedThing({ text, all }: Asked): string | undefined {
  const words = (/\bhow many ((?:[\p{L}'-]+ ?){1,4})/u.exec(text)?.[1] ?? '').trim().split(' ');
  const things = words.map(thingOf);
  return things.find((one) => all.some(({ thing, per }) => thing === one || per === one));
}

/** The unit that an answer is wanted in, and the words that name it. */
export function askedUnit({ text }: Pick<Asked, 'text'>): { readonly unit: Unit; readonly named: string } | undefined {
  const words = text.match(/[\p{L}²°'-]+/gu) ?? [];
  for (const [at, one] of words.entries()) {
    const link = words[at - 1] ?? '';
    const isNamed = link === 'the' && /^(?:tell|give) (?:me|us) the /.test(text);
    if (!(isNamed || /^(?:many|in|to|for|into|of)$/.test(link)) || /^(?:in|an?|as|[^cfgml])$/.test(one)) continue;
    const double = `${one} ${words[at + 1] ?? ''}`.trim();
    const named = unitOf(double) === undefined ? one : double;
    const unit = unitOf(named);
    if (unit !== undefined) return { unit, named };
  }
  return undefined;
}
