import { TAXES } from '../tasks/words/currency.ts';
import type { Unit } from '../tasks/words/units.ts';
import type { Quantity, Segment } from './quantities.ts';
import {
  askedThing,
  askedUnit,
  EACH,
  figured,
  GAINING,
  isOf,
  isPlaced,
  type Law,
  LEFT,
  LOSING,
  PEOPLE,
  SUM,
  summed,
  type Term,
  termsOf,
} from './told-laws.ts';

const TOTAL =
  /^what(?:'s| is) \d|\b(?:total|altogether|all together|together|in all|sum|come to|comes? to|(?:how much|what) (?:is|was|does|do|did|will|would|are) .*(?:that|it|cost|pay|make|earn|owe|get|bring|charge|need)|how much)\b/;
const SIZE =
  /^(?:seats?|holds?|fits?|has|have|weighs?|sleeps?|carries|lasts?|takes?|serves?|feeds?|aged?|room|number|table|page|each|[\d.,]+)$/;
/** What is asked of things in containers that were not named: "48 cartons of 24, how many bottles is that". */
export const CONTENTS =
  /\bhow many \p{L}+(?= (?:is (?:that|it)|are there|do (?:i|we) have|in total|altogether|in all)$)/u;
export const isContent = ({ times, thing, before }: Quantity): boolean =>
  times !== undefined && thing === '' && before.at(-1) === 'of';
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

/** An amount in another unit, or the sides of something. */
export const converted: Law = (asked) => {
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
  // An amount in its own unit answers nothing: "how many rupees for 250 pounds".
  if (term?.of.length === 1 && term.unit?.symbol === unit.symbol) return undefined;
  return term?.unit?.kind === unit.kind && another === undefined && rates.length === 0
    ? [
        term.of.length === 1
          ? `${term.expr} in ${unit.kind === 'temperature' ? unit.math : unit.symbol}`
          : `calculate (${term.expr}) in ${unit.symbol}`,
      ]
    : undefined;
};

/** An amount in a unit; hours are a number, which is not shown in hours and minutes. */
const inUnit = (expr: string, unit: Unit | undefined): string =>
  unit === undefined ? expr : unit.kind === 'time' ? `(${expr}) / 1 ${unit.symbol}` : `(${expr}) in ${unit.symbol}`;
const PAYS_NOTHING = /^(?:but )?\p{L}+ (?:does not|doesn't|will not|won't|did not|didn't|need not) pay\b[^\d]*$/u;
/** What says that one of those who share does not. */
export const isExempt = ({ text, quantities }: Segment): boolean => quantities.length === 0 && PAYS_NOTHING.test(text);
const ADDITION = new RegExp(`\\b(?:(off|discount)|tip|service|gratuity|${TAXES})\\b`);
const COUNT_OF = /^(?:we're|we are|we r|we were|there are|there were|us|for|between|among|amongst|by|into)$/;

/** What each of several gets or pays. */
export const shared: Law = ({ text, all, told, leaves }) => {
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  if (terms.length < 2 || rates.length > 0) return undefined;
  const sharers = terms.filter(({ of: [q, times], thing }) => {
    if (q === undefined || times !== undefined || q.unit !== undefined || q.money || q.percent) return false;
    const lead = [q.before.at(-1) ?? '', q.before.slice(-2).join(' ')];
    return (
      PEOPLE.has(thing) || /^(?:instalment|installment|payment)$/.test(thing) || lead.some((one) => COUNT_OF.test(one))
    );
  });
  const [by] = sharers;
  if (by === undefined || sharers.length > 1) return undefined;
  const values = terms.filter((one) => one !== by);
  const [total, other] = values as unknown as readonly [Term, Term?];
  const share = values.length === 2 && other?.of[0]?.percent === true ? other.of[0] : undefined;
  const sign = share && ADDITION.exec(`${share.before.at(-1)} ${share.behind.slice(0, 3).join(' ')}`);
  if (share === undefined ? values.some(({ of: [q] }) => q?.percent) : !sign) return undefined;
  if (share === undefined && other !== undefined && values.some(({ thing }) => thing !== '')) return undefined;
  // Where it is asked what is left, the shares are whole.
  const whole = leaves || told.some((segment) => /\bwhole (?:pounds|euros|dollars|numbers?|ones)\b/.test(segment.text));
  const exempt = told.filter(isExempt).length;
  if (exempt > 0 !== /\bothers\b/.test(text)) return undefined;
  const count = String((by.of[0]?.value ?? 0) - exempt);
  const expr =
    share === undefined ? summed(values) : `${total.expr} ${sign?.[1] === undefined ? '+' : '-'} ${share.said}`;
  if (LEFT.test(text))
    return other === undefined && (whole || total.thing !== '') ? [`calculate ${expr} mod ${count}`] : undefined;
  if (!EACH.test(text)) return undefined;
  const amount = values.length > 1 || total.of.length > 1 ? `(${expr})` : expr;
  return [whole ? `calculate floor(${amount} / ${count})` : `calculate ${amount} / ${count}`];
};

const OF_REST =
  /^(?:of|from) (?:the (?:rest|remainder|remaining\b.*)|what (?:was|is|remained)|it|them|that|those|these)\b/;
const NOW = /\bnow\b|\bchange\b|\b(?:do|does) (?:i|we|he|she|they|\p{L}+) have\b/u;
const ACTOR = /^(?:i|we|he|she|they|it|then|and|but|in|from|yesterday|today|later)$/;
/** Whether what changes an amount is done by the one who has it: "Ann gives 5" may be to others. */
function isSameActor(q: Quantity, told: readonly Segment[]): boolean {
  const [first = ''] = q.before;
  const [had = ''] = told[0]?.words ?? [];
  return (
    first === '' ||
    ACTOR.test(first) ||
    first === had ||
    /\d/.test(first) ||
    LOSING.test(first) ||
    GAINING.test(first) ||
    q.percent
  );
}
/** What someone had, and what was taken away and added one after another. */
export const events: Law = ({ text, all, told }) => {
  const [first, ...changes] = all;
  if (first === undefined || changes.length === 0 || EACH.test(text) || !(LEFT.test(text) || NOW.test(text)))
    return undefined;
  if (
    all.some(
      ({ per, unit, percent }) =>
        per !== undefined || (percent && first.percent) || (unit?.kind !== first.unit?.kind && !percent),
    )
  )
    return undefined;
  const words = told.map((one) => one.text).join(' ');
  if (LOSING.test(text.replace(/\b(?:left|pay)\b/g, ''))) return undefined;
  let expr = first.said;
  let sign: '+' | '-' | undefined;
  for (const [at, q] of changes.entries()) {
    if (q.thing !== '' && q.thing !== first.thing && !q.percent) return undefined;
    if (!isSameActor(q, told)) return undefined;
    const from = q.before.findLastIndex((one) => /\d/.test(one));
    const lead = q.before.slice(from + 1).join(' ');
    // "12 broke", "7 got off"
    const does = lead === '' || lead === 'and' ? q.behind.slice(0, 2).join(' ') : '';
    const bought = /\b(?:buys?|bought|got|pa(?:y|id|ys))\b.* (?:for|at)$/.test(lead);
    const away = /\b(?:off|out|away)\b/.test(does);
    // Behind "12 broke and we bought" only the last verb is of the next amount.
    const latest =
      /\band (?:i|we|he|she|they|then|my|our|the|a|an) /.test(lead) || (LOSING.test(lead) && GAINING.test(lead))
        ? lead.replace(/^.*\band /, '')
        : lead;
    const verb = does === '' ? latest.replace(/\bleft\b/g, '') : does;
    const [down, up] = [bought || away || LOSING.test(verb), !bought && !away && GAINING.test(verb)];
    if (down && up) return undefined;
    // In "spent 12 and 8" the second is spent too.
    sign = down ? '-' : up ? '+' : from >= 0 && latest === lead ? sign : undefined;
    if (sign === undefined) return undefined;
    if (!q.percent) expr += ` ${sign} ${q.said}`;
    else {
      if (at > 0 && !OF_REST.test(q.behind.join(' '))) return undefined;
      const whole = at === 0 ? expr : `(${expr})`;
      expr = `${whole} ${sign === '-' ? `* (1 - ${q.said})` : `* (1 + ${q.said})`}`;
    }
  }
  return /\brest\b/.test(words) && !changes.some((q) => OF_REST.test(q.behind.join(' ')))
    ? undefined
    : [`calculate ${expr}`];
};

/** "£500 budget less 120 for food". */
export const LESS = /^[^\d]*\d[\d.,]*(?: \p{L}+){0,3} (?:less|minus) [$€£]?\d/u;
/** What is left of an amount of which parts are said to be gone. */
export const leftOver: Law = ({ text, all, told }) => {
  const words = [...told.map((one) => one.text), text].join(' ');
  const isLost = LOSING.test(words.replace(/\bleft\b/g, '')) || (LESS.test(words) && !/\bplus\b/.test(words));
  if (!LEFT.test(text) || EACH.test(text) || !isLost || GAINING.test(words)) return undefined;
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [first, ...others] = terms;
  // "I took 35 off 120" has the whole behind the part, and "I cut off 35" does not.
  if (all.some(({ before }) => /(?<!\b(?:cut|cuts|saw|sawed|saws|take|took) )\b(?:off|from)$/.test(before.join(' '))))
    return undefined;
  // What was sold first is no whole of which more was sold.
  if (LOSING.test((all[0]?.before.join(' ') ?? '').replace(/\bleft\b/, ''))) return undefined;
  if (first === undefined || others.length === 0 || rates.length > 0 || all.some(({ percent }) => percent))
    return undefined;
  // What others spend is not the money of the one who has it.
  if (all[0]?.money === true && !all.every((q) => isSameActor(q, told))) return undefined;
  return others.every(({ thing }) => thing === first.thing || thing === '')
    ? [`calculate ${summed([first, ...others], ' - ')}`]
    : undefined;
};

export const speed: Law = ({ text, all }) => {
  const [one, other, more] = all;
  const pace = [one, other].find((q) => q?.unit?.kind === 'speed' || q?.perUnit?.kind === 'time');
  const covered = [one, other].find((q) => q !== pace && q?.unit?.kind === 'length');
  if (pace && covered && more === undefined && /\bhow long\b/.test(text))
    return [`calculate ${covered.said} / ${pace.said}${pace.perUnit ? `/${pace.perUnit.symbol}` : ''} in h`];
  if (!/\b(?:speed|how fast)\b/.test(text) || more !== undefined) return undefined;
  const [way, time] = one?.unit?.kind === 'time' ? [other, one] : [one, other];
  if (way?.unit?.kind !== 'length' || time?.unit?.kind !== 'time') return undefined;
  const unit = { mi: 'mph', km: 'km/h', m: 'm/s' }[way.unit.symbol];
  return unit === undefined ? undefined : [`calculate ${way.said} / ${time.said} in ${unit}`];
};

const WORKS = /^\d+ \p{L}+ work(?:s|ed)?\b/u;
/** What several do in all, who each do so much in a time: "3 developers work 6.5 hours per day during 9 days". */
export const work: Law = ({ text, all, told }) => {
  if (!(SUM.test(text) || /\bperson[- ](?:hours|days)\b/.test(text)) || EACH.test(text)) return undefined;
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [one, other, more] = terms;
  if (one === undefined || other === undefined || more !== undefined || rates.length > 0) return undefined;
  const [who, done] = one.of.length === 1 ? [one, other] : [other, one];
  const [, rate] = done.of;
  return who.of.length === 1 &&
    (PEOPLE.has(who.thing) || WORKS.test(told[0]?.text ?? '')) &&
    done.of.length === 2 &&
    rate?.perUnit?.kind === 'time'
    ? [
        `calculate ${who.expr} * ${askedUnit({ text })?.unit === rate.unit ? done.of.map(figured).join(' * ') : done.expr}`,
      ]
    : undefined;
};

export const total: Law = (asked) => {
  const { text, all, told, own } = asked;
  const words = told.map((one) => one.text).join(' ');
  // What is saved for some time may bear interest, and what is one amount now and was another is no sum.
  if (/\bafter\b/.test(text) && own.some(({ unit }) => unit?.kind === 'time')) return undefined;
  if (all.some(({ percent }) => percent) || /\b(?:average|mean|median)\b/.test(`${words} ${text}`)) return undefined;
  if (all.length < 2 || EACH.test(text) || OTHERWISE.test(text) || /\bnow\b|\bfrom [^,]*\d/.test(words))
    return undefined;
  const { terms = [], rates = [] } = termsOf(all) ?? {};
  const [first, more] = terms;
  if (first === undefined || rates.length > 0 || (more === undefined && first.of.length === 1)) return undefined;
  // In "12 apples, 3 in the bowl" those may be among the 12.
  if (first.thing !== '' && terms.some(({ thing, of: [q, by] }) => thing === '' && by === undefined && isPlaced(q)))
    return undefined;
  const products = terms.every(({ of }) => of.length > 1);
  const rated = terms.some(({ of }) => of.length > 1);
  const alike = LOSING.test(first.of[0]?.before.join(' ') ?? '') && !GAINING.test(words);
  const lost = LOSING.test(
    products || alike ? words.replace(/\b(?:pa(?:y|id|ys)|t(?:ook|akes?)|s(?:old|ells?))\b/g, '') : words,
  );
  const atFirst = AT_FIRST.test(text);
  if ((LEFT.test(text) || lost) && !atFirst) return undefined;
  // What a table seats is no price.
  if (
    terms.some(({ of: [q, by] }) => by === undefined && q?.thing === '' && !q.money && SIZE.test(q.before.at(-1) ?? ''))
  )
    return undefined;
  if (/\bhow (?:many|long)\b/.test(text)) {
    const thing = /\bhow long\b/.test(text) ? 'time' : askedThing(asked);
    if (
      thing === undefined &&
      CONTENTS.test(text) &&
      all.length % 2 === 0 &&
      all.every((q, at) => (at % 2 > 0 ? isContent(q) : q.per === undefined))
    )
      return [`calculate ${summed(terms)}`];
    const isNamed = thing === undefined ? rated && terms.every((one) => one.thing === '') : isOf(terms, thing);
    return (products || atFirst || SUM.test(text)) && isNamed
      ? [`calculate ${/\bhow long\b/.test(text) ? summed(terms) : inUnit(summed(terms), askedUnit(asked)?.unit)}`]
      : undefined;
  }
  // Amounts beside each other are a sum only where that is what is asked.
  const isAmount = more === undefined && first.unit !== undefined;
  return (products ? TOTAL : SUM).test(text) &&
    (isAmount || terms.every(({ thing }) => thing === (products ? '' : first.thing)))
    ? [`calculate ${summed(terms)}`]
    : undefined;
};

/** "80 with weight 3 and 65 with weight 1" */
export const weighted: Law = ({ text, all }) => {
  if (!/\bweighted (?:average|mean)\b/.test(text) || all.length < 4 || all.length % 2 > 0) return undefined;
  const isWeight = (q: Quantity): boolean =>
    /\b(?:weight|weighted|weighing|times|x)(?: of| by)?$/.test(q.before.join(' '));
  if (!all.every((q, at) => !q.percent && q.per === undefined && isWeight(q) === at % 2 > 0)) return undefined;
  const weights = all.filter((_, at) => at % 2 > 0).map(figured);
  const values = all.filter((_, at) => at % 2 === 0).map(({ said }, at) => `${said} * ${weights[at]}`);
  return [`calculate (${values.join(' + ')}) / (${weights.join(' + ')})`];
};

/** What is said of a figure itself. */
const SAID_OF = /^(?:is|are|was|were|should|must|has|have|does|do|counts?|of (?:them|these|those|it))\b/;
export const figures: Law = ({ text, all, told, own }) => {
  // What is said of figures that the question lists itself is no more of them.
  const lists = told.filter(({ quantities }) => quantities.length > 0);
  if (own.length > 0 && lists.some(({ words }) => words.length > 1)) return undefined;
  if (
    all.some(({ behind }) =>
      SAID_OF.test(behind.slice(0, behind.findIndex((word) => /\d/.test(word)) + 1 || undefined).join(' ')),
    )
  )
    return undefined;
  if (/\bweight/.test([text, ...told.map((one) => one.text)].join(' '))) return undefined;
  if ([text, ...told.map((one) => one.text)].some((one) => /\bplus\b/.test(one) || LOSING.test(one))) return undefined;
  const isPlain = ({ per, percent, unit, thing }: Quantity): boolean =>
    per === undefined && !percent && unit === undefined && thing === '';
  // In "3 of 5 came" the second is no figure beside the first.
  if (all.length < 3 || !all.every(isPlain) || all.some(({ before }) => /\d of$/.test(before.slice(-2).join(' '))))
    return undefined;
  const [name, more] = Object.keys(FIGURES).filter((one) => FIGURES[one]?.test(text));
  return name === undefined || more !== undefined
    ? undefined
    : [`${name} of ${all.map(({ said }) => said).join(', ')}`];
};
