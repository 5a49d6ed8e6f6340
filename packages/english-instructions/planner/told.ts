import { currencyOf, TAXES } from '../tasks/words/currency.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { mayChange } from './context.ts';
import { namesNothing, type Quantity, type Segment, segmentsOf, thingOf } from './quantities.ts';
import { DEALS, filled } from './told-deals.ts';
import { askedUnit, figured, isPlaced, type Law, LEFT, termsOf } from './told-laws.ts';
import { AFTER, askedOfShares, COMES_BACK, MOVING, NET } from './told-shares.ts';
import {
  CONTENTS,
  converted,
  events,
  figures,
  isContent,
  isExempt,
  LESS,
  leftOver,
  shared,
  speed,
  total,
  weighted,
  work,
} from './told-sums.ts';

const MAX_SAID = 400;
const MAX_SEGMENTS = 10;
const NOTHING = { asks: true, words: [], quantities: [] } as const;
/** What is to be done with amounts, without a question. */
const ORDERED = /^(?:.*, )?(?:(split|share|divide)|take|knock|deduct) /;
const ROUNDED =
  /,? (?:and )?round(?:ed)?(?: it)? to (?:(?:a|the nearest) (?:whole|full)? ?(?:degree|number|unit|one|\p{L}{1,6})|(\d decimals?(?: places?)?))$/iu;
/** What is told with these words is more, or less, than its amounts say. */
const UNTOLD = new Set(
  `ex only except excepting excluding excluded including without unless if whether until till than instead never not cannot never nor neither
other others half twice double triple thrice third quarter quarters both again free extra send sent remind email mail note remember round rounded halve halved doubled doubling tripled convert nothing none nobody zero imperial metric uk british american canceled cancelled returned unequal uneven minus times interest compound fewer less least most maybe perhaps
doesn't don't isn't aren't can't won't didn't wasn't weren't alternate squared cubed dozen couple pair several some few rest`.split(
    /\s+/,
  ),
);
/** "Median of these response times in minutes": what the figures are of. */
const OF_THESE =
  /^((?:the |what's the |what is the )?(?:median|average|mean|total|sum)) of (?:these|those|the following|my|our)(?: [\p{L}-]+){1,4}$/u;
/** What is done with as many as are asked for: "how many vans must we rent". */
const OBTAINED =
  /\b(?<=\bhow many .*\b(?:must|should|shall|can|could|do|will|would|have to|need to) )(?:(?:i|we|they|he|she) )?(?:(?:have|need) to )?\p{L}+$/u;
/** In what an answer is written down. */
const ADJUNCT = / (?:in|on|into|for|onto) (?:my|our|the|his|her|their)(?: [\p{L}-]+){1,3}$/u;
/** Words that limit elsewhere, and only link or name here. */
const PLAIN = new Set('each every after first last next but if when'.split(' '));
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

const OPPOSITES = [
  ['boys', 'girls'],
  ['men', 'women'],
  ['adults', 'children'],
];
const oppositeOf = (word: string, text: string): boolean =>
  OPPOSITES.some((pair) => pair.includes(word) && pair.some((other) => text.endsWith(` are ${other}`)));
/** "200 orders came and 5% of them were returned. How many is that?" */
const ofThem: Law = ({ text, all, told }) => {
  const [share, more] = all.filter(({ percent }) => percent);
  const [whole, other] = all.filter(({ percent }) => !percent);
  const [, kind = ''] = /% of (?:the |my |our )?\d+ \p{L}+ (?:are|were) (\p{L}+)$/u.exec(told[0]?.text ?? '') ?? [];
  const [, wanted = ''] = /\bhow many (\p{L}+)/u.exec(text) ?? [];
  if (share && whole && !more && !other && OPPOSITES.some((pair) => pair.includes(kind) && pair.includes(wanted)))
    return [`calculate ${figured(whole)} ${kind === wanted ? '*' : '-'} ${share.said}`];
  const named = told.some((one) => /% of (?:them|these|those|which)\b/.test(one.text));
  if (share === undefined || whole === undefined || more !== undefined || other !== undefined || !named)
    return undefined;
  return /\bhow many\b/.test(text) && !LEFT.test(text) ? [`calculate ${share.said} of ${figured(whole)}`] : undefined;
};

const OF_SHARES: readonly Law[] = [ofThem, shared, events, portions];
const LAWS: readonly Law[] = [...OF_SHARES, converted, speed, work, weighted, figures, leftOver, ...DEALS, total];
/** Those that know what is left of something. */
const OF_REST: readonly Law[] = [...OF_SHARES, leftOver, filled];
/** Words of someone who tells something; without them and without a question amounts are to be calculated. */
const TELLS =
  /\b(?:i|i'm|we|we're|he|she|they|you|it|it's|my|our|is|are|was|were|has|have|had|(?!shared|divided)\p{L}{2,}ed|bought|paid|got|sold|gave|went|came|told|says?|said|costs?|at \d+(?::\d\d)? ?[ap]m)\b/u;
/** What is calculated without a question: words that join amounts, and names before a price or a fee. */
const JOINS =
  /^(?:at|for|with|an?|the|each|per|less|plus|minus|and|then|working|down|up|off|apiece|split|shared|divided|by|between|into|ways|people|percent|pct)$/;
const isPriceOf = (token = ''): boolean => /^[$€£]?\d[\d.,]*$/.test(token) || currencyOf(token) !== undefined;
const FEES = new RegExp(`^(?:discount|${TAXES}|fee|charge|tip|commission|deposit|surcharge)$`);
/** A share is named before its fee: "3% early payment discount". */
const NAMED_FEE = new RegExp(
  `(?<=% )(?:(?!(?:off|of|for|and|on|from|to)\\b)\\p{L}[\\p{L}-]* ){1,3}(?=${FEES.source.slice(1, -1)}\\b)`,
  'gu',
);
function isSum(segments: readonly Segment[]): boolean {
  const all = segments.flatMap(({ quantities }) => quantities);
  const text = segments
    .map((one) => one.text)
    .join(' ')
    .replace(NAMED_FEE, '');
  if (/["“{}[\]()]/.test(text) || TELLS.test(text) || segments.some(({ asks }) => asks)) return false;
  if (
    !all.some(({ percent, per }) => percent || per !== undefined) &&
    !/\b(?:split|shared|divided) (?:by|between)\b/.test(text)
  )
    return false;
  const tokens = text.match(/[$€£]?\d[\d.,]*%?|\p{L}[\p{L}'-]*/gu) ?? [];
  const things = new Set(all.flatMap(({ thing, per }) => [thing, per]));
  return tokens.every((token, at) => {
    const next = tokens[at + 1] ?? '';
    return (
      !/^\p{L}/u.test(token) ||
      JOINS.test(token) ||
      things.has(thingOf(token)) ||
      currencyOf(token) !== undefined ||
      FEES.test(token) ||
      FEES.test(next) ||
      /^[$€£\d]/.test(next) ||
      (at === tokens.length - 1 && isPriceOf(tokens[at - 1])) ||
      (isPriceOf(tokens[at - 1]) && /^(?:at|with|less)$/.test(next))
    );
  });
}

/** Whether a word of a part limits what is told in it, where no law accounts for it. */
function limits(word: string, { asks, text, quantities }: Segment, shares: number, exempt: boolean): boolean {
  if (asks && (word === 'both' || (exempt && word === 'others') || (word === 'not' && /%|percent/.test(text))))
    return false;
  if (asks && NET.test(text) && /^(?:without|excluding|before)$/.test(word)) return false;
  if (shares > 0 && /^(?:rest|another)$/.test(word)) return false;
  if (word === 'till' && /\b(?:the|a|my|our) till\b/.test(text)) return false;
  if (word === 'second' && quantities.some(({ perUnit }) => perUnit?.symbol === 's')) return false;
  if (/^(?:less|fewer|minus)$/.test(word) && quantities.some(({ percent, fraction }) => percent && !fraction))
    return false;
  if (/^(?:less|minus)$/.test(word) && LESS.test(text) && text.split(word).length === 2) return false;
  return UNTOLD.has(word) || (LIMITS.has(word) && !PLAIN.has(word));
}

/** The instructions that calculate what is asked of amounts that were told, where each of them and each word has a meaning. */
export function askedOfTold(message: string): readonly string[] | undefined {
  const said = message.replace(
    /^(?:how much|what)(?:['’]s| is| are| would be) (?=\d+ \p{L}+ (?:of|at) [$€£]\d[\d.,]*\??$)/iu,
    '',
  );
  // What is written to an address is no story.
  if (said.length > MAX_SAID || !/\d/.test(said) || said.includes('@')) return undefined;
  const [, rounded] = ROUNDED.exec(said) ?? [];
  const segments = segmentsOf(said.replace(ROUNDED, '').replace(/\bincl(?:uding|\.) (?=[\d.]+%)/, 'incl '));
  // What stands in one part is an instruction for the grammar.
  if (
    segments === undefined ||
    segments.length > MAX_SEGMENTS ||
    (segments.length < 2 &&
      segments[0]?.asks !== true &&
      !ORDERED.test(said.toLowerCase()) &&
      !/^is \d| (?:vs|versus) /i.test(said) &&
      !isSum(segments))
  )
    return undefined;
  const told = segments.filter(({ asks }) => !asks);
  const questions = segments.filter(({ asks }) => asks);
  const [, sharing] = (questions.length === 0 && ORDERED.exec(segments.map(({ text }) => text).join(', '))) || [];
  if (questions.length === 0 && told.some(({ text }) => ORDERED.test(text)))
    questions.push({ ...NOTHING, text: sharing === undefined ? 'how much is it now in total' : 'how much for each' });
  else if (questions.length === 0 && / (?:vs|versus) /.test(said))
    questions.push({ ...NOTHING, text: 'which is cheaper' });
  else if (questions.length === 0 && isSum(segments))
    questions.push({
      ...NOTHING,
      text: /\b(?:split|shared|divided)\b/.test(said) ? 'how much for each' : 'how much is it in total',
    });
  const last = segments.at(-1);
  // What is added behind the question may limit it: "I use US cups".
  if (last?.asks === false && last.quantities.length === 0 && segments.some(({ asks }) => asks)) return undefined;
  if (questions.length === 0 || (rounded !== undefined && questions.length > 1)) return undefined;
  const shares = segments.flatMap(({ quantities }) => quantities).filter(({ percent }) => percent).length;
  const exempt = told.some(isExempt);
  const isLimited = (segment: Segment): boolean =>
    !isExempt(segment) && segment.words.some((word) => limits(word, segment, shares, exempt));
  const asked = questions.map(({ text }) => text).join(', ');
  const isOther = (segment: Segment): boolean =>
    !segment.asks &&
    segment.quantities.length === 0 &&
    segment.words.length > 2 &&
    !isExempt(segment) &&
    mayChange(segment.text, asked);
  if (segments.some(isLimited) || told.some(isOther)) return undefined;
  const all = elliptic(segments);
  const toldText = segments
    .filter(({ asks, quantities }) => !asks || quantities.length > 0)
    .flatMap(({ text, quantities }) => [text, ...quantities.map(({ thing }) => thing)])
    .flatMap((text) => [text, ...OPPOSITES.flat().filter((word) => oppositeOf(word, text))])
    .join(' ');
  const rated = all.filter(({ times }) => times !== undefined);
  // In "14 tables of 8, how many guests" the question says what they are of.
  const isUnnamed = rated.length > 0 && rated.every(({ thing, money }) => thing === '' && !money);
  const answers = questions.map((question): readonly string[] | undefined => {
    const { text, words, quantities: own } = question;
    const request = { text, words, told, all, own, leaves: questions.some((one) => LEFT.test(one.text)) };
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
    const named = plainly
      .replace(NET, '')
      .replace(all.some(isContent) ? CONTENTS : /(?!)/, '')
      .replace(shares > 0 ? AFTER : /(?!)/, '')
      .replace(shares > 0 ? COMES_BACK : /(?!)/, '')
      .replace(exempt ? /\bof the others\b/ : /(?!)/, '')
      .replace(/\bnot\b/, '')
      .replace(OBTAINED, '')
      .replace(isUnnamed ? /(?<=\bhow many )\p{L}+/u : /(?!)/, (name) => (namesNothing(name, toldText) ? name : ''));
    const isLess = shares === 0 && told.some((one) => LESS.test(one.text));
    const fitting = isLess ? [leftOver] : shares === 0 && namesNothing(named, toldText) ? LAWS : OF_SHARES;
    const laws = LEFT.test(text) ? fitting.filter((law) => OF_REST.includes(law)) : fitting;
    if (!namesNothing(named.replace(MOVING, ''), toldText)) return undefined;
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

const SAYS = /^(?:i|we|they|he|she|is|are|am|was|were|has|have|had|needs?|wants?|costs?|one)$/;
/** The amounts, of which a bare one behind another is one of the same: "last week 6.5 hours, this week 9". */
function elliptic(segments: readonly Segment[]): readonly Quantity[] {
  const all: Quantity[] = [];
  for (const { words, quantities, asks } of segments)
    for (const q of quantities) {
      const last = all.at(-1);
      const bare = q.thing === '' && !q.money && !q.percent && q.per === undefined && !asks;
      const alone = words.length <= 2 && quantities.length === 1 && !words.some((word) => SAYS.test(word));
      const follows = quantities.indexOf(q) > 0 && q.before.at(-1) === 'and' && last?.unit === undefined;
      // "37 bales on the first wagon, 42 on the next and 29 on the last"
      const placed = /^(?:and|)$/.test(q.before.at(-1) ?? '') && [last, q].every(isPlaced);
      const same =
        bare && last !== undefined && last.thing !== '' && last.per === undefined && (alone || follows || placed);
      all.push(same ? { ...q, thing: last.thing, unit: last.unit, said: q.said + last.said.replace(/^\S+/, '') } : q);
    }
  return all;
}
