import { TAXES } from '../tasks/words/currency.ts';
import type { Quantity, Segment } from './quantities.ts';

/** What is asked of a share, beside what was told. */
interface Share {
  readonly text: string;
  readonly told: readonly Segment[];
  readonly all: readonly Quantity[];
  /** What the amounts that are no percentages come to; undefined where that is not one value. */
  readonly amount: string | undefined;
}

/** What comes again changes more than once. */
const AGAIN = /\b(?:every|each|per|an?) (?:year|month|week|day|quarter)\b|\b(?:yearly|monthly|annually|daily|weekly)\b/;
const INCLUDED = /\b(?:incl\w*|contains?|inside)\b/;
const WITHOUT = /\b(?:net|excl\w*|before|plus)\b/;
const DOWN =
  /\b(?:off|discount\w*|reduc\w*|cheaper|less|fewer|down|cut|cuts|drop\w*|fell|falls?|takes?|keeps?|commission|deduct\w*|minus|lower\w*|los[et]\w*|rebate|withheld|decreas\w*|shrinks?|shrank)\b/;
const NAMED_TAX = TAXES.replace('|tax|', '|');
const UP = new RegExp(
  `\\b(?:up|increas\\w*|rais\\w*|rise|rises|rising|on top|plus|add|adds|adding|added|tip|leave|leaving|gratuity|service|grow\\w*|grew|higher|dearer|more|surcharge|mark-?up|${NAMED_TAX})\\b`,
);
const EARNED = /\b(?:salary|wages?|income|earn\w*|pension|bonus|pay)\b/;
const PART = new RegExp(
  `\\b(?:tip|commission|${TAXES}|discount|fee|saving|savings|save|saved|increase|raise|rise|interest|deposit|gratuity|surcharge|deduction)\\b`,
);
const REST = /\b(?:keep|net|excluding|before|left|remains?|take home|without)\b/;
const WHOLE =
  /\b(?:total|today|altogether|new|final|now|in all|pay|cost|costs|make it|gross|come to|comes to|with it|including it)\b/;
/** An amount that contains a tax, asked for without it. */
const TAXED = `(?:the |that )?(?:\\d[\\d.]*% )?(?:taxes|${TAXES}|tip)\\b`;
export const NET = new RegExp(`\\b(?:without|excluding|excl|before) ${TAXED}`);
/** The tax that an amount has in it. */
const CONTAINED = new RegExp(`\\b(?:${TAXES}) (?:in|inside|within|(?:included|contained) in) `);
/** The same with it. */
const GROSS = new RegExp(`\\b(?:with|including|incl|after) ${TAXED}`);
/** "If 35% is 70, what is 100%?" */
const OF_WHOLE = /^what(?:'s| is| would be)? [\d.]+%$/;
/** "What is the total?" */
const OF_NAMED =
  /^(?:what|how much|how many)(?:'s| is| was| are| were)? (?:the|my|our|his|her|their) (\p{L}[\p{L} ]*)$/u;
const PERCENT = /%|\bdiscount\b|\bper ?cent(?:age)?\b/;
/** A share and what it is of, in one question. */
const OF_AMOUNT = /\d%[^\d%]{0,40}? (?:of|on) [^\d%]{0,20}\d/;
const PARTS = /\b(?:each|split|share|divide|how much (?:do|does|will|would|should))\b/;

/** What an amount is without what was said to go off it. */
export const AFTER =
  /\b(?:after|without|minus|less) (?:(?:the|that|this|my|our) )?(?:deposit|down ?payment|discount|rebate)\b/;
const OWED = /\b(?:left|remain\w*|balance|owe|owed|due|pay|rest)\b/;
/** A share of one amount, told, of which the question asks what it comes to. */
const ON_AMOUNT = /\d% (?:on|of) (?:(?:the|our|my|all|its) )?(?:\p{L}+ ){0,2}(?:of )?[$€£]?\d/u;
export const COMES_BACK = /\b(?:(?:get|claim|have|receive) (?:it )?back|reclaim|is that|does that (?:come to|make))\b/;

/** The words around a percentage, up to the amounts beside it. */
function around({ before, behind }: Quantity): string {
  const isFigure = (one: string): boolean => /\d/.test(one);
  const from = before.findLastIndex(isFigure);
  const to = behind.findIndex(isFigure);
  return `${before.slice(from + 1).join(' ')} % ${behind.slice(0, to < 0 ? undefined : to).join(' ')}`;
}

function directionOf(share: Quantity, told: readonly Segment[]): 'incl' | '+' | '-' | undefined {
  const words = around(share);
  if (AGAIN.test(words)) return undefined;
  if (INCLUDED.test(words)) return 'incl';
  const taxed = /\btax(?:es)?\b/.test(words) && !/\bsales tax\b/.test(words);
  const earned = told.some(({ text }) => EARNED.test(text));
  const down = DOWN.test(words) || (taxed && earned);
  const up = UP.test(words) || (taxed && !earned && !DOWN.test(words));
  return down === up ? undefined : up ? '+' : '-';
}

/** Words that ask how an amount changed. */
export const MOVING =
  /\b(?:increased?|decreased?|grow|grew|grown|shrink|shrank|shrunk|reduction|percent|drop(?:ped)?|rise|rose|raised?|fall|fell|discount|reduction|cheaper|dearer|saved?|saving|off|change|more|gain(?:ed)?|go(?:ne)? up)\b/g;
const FALLING =
  /\b(?:off|down|shr[aiu]nk|less|cheaper|reduction|discount|reduction|cheaper|saved?|saving|drop(?:ped)?|fall|fell|decreased?|reduced)\b/;
const RISING = /\b(?:more|up|gain(?:ed)?|gr[oe]wn?|growth|increased?|rise|rose|raised?|dearer)\b/;
const FROM_TO =
  /\b(?:from|was|were|costs?|used to be|at)\b[^\d]{0,20}\d[\d.,]*[^\d]{0,40}\b(?:to|now|today|paid|pay|this (?:month|year|week))\b[^\d]{0,20}\d|\d[^\d]{0,12}\blast (?:month|year|week|quarter)\b[^\d]{0,12}\d/;
const THEN_NOW =
  /\b(?:was|were|weighed|had|held|measured|scored|counted|earned|made|paid)\b[^\d]{0,20}\d[\d.,]*[^\d]{0,40}\b(?:and|but|to)\b[^\d]{0,15}\d[\d.,]*[^\d]{0,12}\b(?:now|today|this (?:month|year|week))\b/;
const TO_FROM =
  /\b(?:paid|pay|now)\b[^\d]{0,20}\d[\d.,]*[^\d]{0,40}\b(?:was|were|cost|instead of|reduced from)\b[^\d]{0,20}\d/;

/** How an amount changed, or a part of a whole in percent. */
function inPercent({ text, told, all: [one, other, more] }: Share): string | undefined {
  if (one === undefined || other === undefined || more !== undefined) return undefined;
  const pers = new Set([one.per, other.per].filter((per) => per !== undefined));
  if (one.percent || other.percent || pers.size > 1 || one.unit !== other.unit) return undefined;
  const words = told
    .map((segment) => segment.text)
    .join(', ')
    .replace(/ an? (?:year|month|week|day|hour)\b/g, '');
  const backwards = TO_FROM.test(words);
  if (backwards || FROM_TO.test(words) || THEN_NOW.test(words)) {
    const [from, to] = backwards ? [other, one] : [one, other];
    const [down, up] = [FALLING.test(text), RISING.test(text)];
    if (from.value === to.value || (down && (up || to.value > from.value)) || (up && to.value < from.value))
      return undefined;
    if (!PERCENT.test(text))
      return down ? `calculate ${from.said} - ${to.said}` : up ? `calculate ${to.said} - ${from.said}` : undefined;
    if (down) return `calculate (${from.said} - ${to.said}) / ${from.said} in percent`;
    return `percentage ${up ? 'increase' : 'change'} from ${from.value} to ${to.value}`;
  }
  // "We invited 120 people and 84 of them came."
  const ofThem = /^of (?:them|these|those|which|whom)\b/.test(other.behind.join(' ')) && other.value <= one.value;
  if (PERCENT.test(text) && ofThem && !/\bnot\b/.test(text)) return `${other.value} / ${one.value} in percent`;
  const isPart = /(?:^| )(?:out )?of(?: (?:the|our|my|all))*$/.test(other.before.join(' ')) && one.value <= other.value;
  if (!PERCENT.test(text) || !isPart || (one.thing !== '' && other.thing !== '' && one.thing !== other.thing))
    return undefined;
  const rest = /\bnot\b/.test(text);
  return rest
    ? `calculate (${other.value} - ${one.value}) / ${other.value} in percent`
    : `${one.value} / ${other.value} in percent`;
}

/** The parts of an amount, each so many percent of it, which are the whole with what is left. */
function inParts({ text, told, all, amount }: Share, shares: readonly Quantity[]): readonly string[] | undefined {
  const words = [...told.map((one) => one.text), text].join(' ');
  const sum = shares.reduce((all, { value }) => all + value, 0);
  const rest = /\b(?:the|gets) (?:rest|remainder)\b/.test(words) ? [100 - sum] : [];
  if (amount === undefined || !PARTS.test(words) || (rest.length === 0 ? sum !== 100 : sum >= 100)) return undefined;
  const count = all.find(({ thing, percent }) => !percent && thing !== '');
  if (count !== undefined && count.value !== shares.length + rest.length) return undefined;
  return [...shares.map(({ value }) => value), ...rest].map((value) => `calculate ${amount} * ${value}%`);
}

/** What is asked of percentages that were told. */
export function askedOfShares(asked: Share): readonly string[] | undefined {
  const { text, told, all, amount } = asked;
  const shares = all.filter(({ percent }) => percent);
  const [share, then, more] = shares;
  const words = [...told.map((one) => one.text), text].join(' ');
  if (share === undefined) {
    const found = inPercent(asked);
    return found === undefined ? undefined : [found];
  }
  if (shares.length > 1 && PARTS.test(words)) return inParts(asked, shares);
  if (amount === undefined || more !== undefined || /\brest\b/.test(words)) return undefined;
  const ofWhole = /\b(?:is|are|=|equals) /.test(words) && OF_WHOLE.exec(text);
  if (ofWhole && then !== undefined) return [`calculate ${amount} / ${share.value} * ${then.value}`];
  const [, named = ''] =
    /\b(?:is|are|was|makes?|equals) [\d.]+% of ((?:the|my|our|his|her|their) \p{L}[\p{L} ]*)$/u.exec(
      told[0]?.text ?? '',
    ) ?? [];
  if (then === undefined && named !== '' && told.length === 1)
    return OF_NAMED.exec(text)?.[1] === named.replace(/^\S+ /, '')
      ? [`calculate ${amount} / ${share.said}`]
      : undefined;
  const isOwn = (form: RegExp): boolean => /\d/.test(form.exec(text)?.[0] ?? '');
  const isTold = (form: RegExp): boolean => told.some((one) => form.test(one.text));
  // The price that is told contains the tax without which it is asked for.
  const wanted =
    isOwn(GROSS) && !isTold(INCLUDED)
      ? '+'
      : (isOwn(NET) && !isTold(WITHOUT)) || CONTAINED.test(text)
        ? 'incl'
        : undefined;
  const direction = wanted ?? directionOf(share, told) ?? (isTold(INCLUDED) ? 'incl' : undefined);
  if (then !== undefined) {
    const again = directionOf(then, told);
    const linked = /\b(?:another|then|on top|that|what's left|whats left)\b/.test(words);
    const isKnown = [direction, again].every((one) => one === '+' || one === '-');
    return isKnown && linked && WHOLE.test(text)
      ? [`calculate (${amount} ${direction} ${share.said}) ${again} ${then.said}`]
      : undefined;
  }
  if (AFTER.test(text))
    return OWED.test(text.replace(AFTER, '')) && direction !== '+' && direction !== 'incl'
      ? [`calculate ${amount} - ${share.said}`]
      : undefined;
  if (COMES_BACK.test(text) && told.some((one) => ON_AMOUNT.test(one.text)))
    return [`calculate ${amount} * ${share.said}`];
  const isOfAmount = OF_AMOUNT.test(text);
  const [part, rest, whole] = [
    isOfAmount || PART.test(text.replace(NET, '').replace(GROSS, '')),
    REST.test(text),
    WHOLE.test(text) || GROSS.test(text),
  ];
  if (direction === 'incl') {
    if (rest && !part) return [`calculate ${amount} / (1 + ${share.said})`];
    return part && !whole && !rest ? [`calculate ${amount} - ${amount} / (1 + ${share.said})`] : undefined;
  }
  if (part && !rest && (isOfAmount || !whole)) return [`calculate ${amount} * ${share.said}`];
  if (part || direction === undefined) return undefined;
  if (rest) return direction === '-' ? [`calculate ${amount} - ${share.said}`] : undefined;
  return whole ? [`calculate ${amount} ${direction} ${share.said}`] : undefined;
}
