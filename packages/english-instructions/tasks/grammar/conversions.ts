import type { Json } from '@mailroom/behavior/values/json';
import type { Domain, Recognizer } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import { placeholder } from '../clause.ts';
import { baseOf, wholeNumber } from '../convert/bases.ts';
import { colorFormat, isColor } from '../convert/colors.ts';
import { convertible } from '../convert/quantities.ts';
import { parseWhen } from '../words/dates.ts';
import { type Unit, unitOf } from '../words/units.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Free, question, type Request, type Setting } from './setting.ts';

interface Money {
  readonly amount: string;
  readonly code: string;
}
/** What an amount of one currency costs in another; or the price alone. */
type Price = { readonly one: Money; readonly other: Money } | { readonly price: string };
interface Named {
  readonly unit: Unit;
  readonly text: string;
}
interface When {
  readonly text: string;
  readonly length?: string;
}

const MAX_NAME = 3;
const MAX_COLOR = 14;
const MAX_FIGURES = 10;

const ARTICLE = new Set(['a', 'an', 'the']);

/** Names of bases and colors, colors, and whole numbers with letters in them: "0xff", "XIV". */
const recognize: Recognizer = (tokens, add) => {
  for (const [start, { kind, lower }] of tokens.entries()) {
    if (kind !== 'word' && kind !== 'number' && lower !== '#') continue;
    const apart =
      lower === '#' || ['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch'].includes(lower);
    let text = '';
    let joined = true;
    const max = apart ? MAX_COLOR : kind === 'number' ? MAX_FIGURES : MAX_NAME;
    for (let to = start; to < Math.min(start + max, tokens.length); to++) {
      const { kind: own, text: part, spaced } = tokens[to] as Token;
      if (own !== 'word' && own !== 'number' && own !== 'sign') break;
      joined &&= to === start || !spaced;
      if (!joined && kind === 'number') break;
      text += `${spaced && to > start ? ' ' : ''}${part}`;
      if (to - start < MAX_NAME && kind === 'word' && !ARTICLE.has(lower)) {
        if (baseOf(text) !== undefined) add('base', start, to + 1, text);
        if (colorFormat(text) !== undefined) add('color-format', start, to + 1, text);
      }
      if (isColor(text)) add('color', start, to + 1, text);
      if (joined && /^[\da-z]+$/i.test(text) && tokens[to + 1]?.spaced !== false) add('figures', start, to + 1, text);
    }
  }
};

/** Tasks whose result is usually a number, so that "it in hex" means a number base. */
const NUMERIC = new Set(['calculate', 'convert', 'run', 'random', 'time', undefined]);
const earlierTask = ({ after, previous }: Setting): string | undefined => after ?? previous?.task;

const convert = (from: string, to: string): Request => asks('convert', { from, to });
const clockUnits = (seconds: number): string =>
  seconds >= 172_800 ? 'days and hours' : seconds >= 3_600 ? 'hours and minutes' : 'minutes and seconds';
const asksInto = (from: string): Request => question('convert', 'Into what?', `convert ${from} to {}`);

const based = (from: string | undefined, to: string): Request | undefined => {
  const base = baseOf(to);
  return from !== undefined && base !== undefined && wholeNumber(from, base) !== undefined
    ? convert(from, to)
    : undefined;
};
function calculated({ expr, ops, kind }: Num, to: string): Request | undefined {
  if (ops === 0 || kind !== 'number' || baseOf(to) === 10) return undefined;
  return {
    steps: [
      { task: 'calculate', input: { expression: expr } },
      { task: 'convert', input: { from: '{{+1}}', to } },
    ],
  };
}

/** The result before in a base; that of a task which gives text is encoded. */
const earlierBased = (base: string, setting: Setting): Request | undefined =>
  setting.it === undefined || !NUMERIC.has(earlierTask(setting)) ? undefined : convert(placeholder(setting.it), base);
/** A step about time may have given a date; its length is in another property. */
const COUNTED: readonly Json[] = ['until', 'since', 'between', 'age'];
const earlierIn = ({ text, unit }: Named, setting: Setting): Request | undefined => {
  const { it, previous } = setting;
  if (it === undefined) return undefined;
  // Time between two dates is counted again, because the result is rounded.
  const counted = it === 0 && previous?.task === 'time' && COUNTED.includes(previous.input.what ?? '');
  return counted && unit.kind === 'time'
    ? asks('time', { ...previous.input, ...(previous.input.what === 'age' && SINCE), unit: `${unit.math}s` })
    : convert(placeholder(it, earlierTask(setting) === 'time' ? '.length' : ''), text);
};
const SINCE = { what: 'since' };
/** A result that a step named gave: "step 1 in hex". */
const namedBased = ({ expr, ops, kind }: Num, base: string): Request | undefined =>
  kind === 'any' && ops === 0 ? convert(expr.replace(/^\(|\)$/g, ''), base) : undefined;

/** Words behind a unit that say which one it is. */
const MEASURING =
  /\b(?:us|uk|imperial|american|british|metric|dry|liquid|fluid|nautical|troy|squared?|cubed|cubic|long|short|more|less|old|in|to|as|at|plus|minus|times|by|for|over|from)\b/i;
/** A run of so many kilometers: "a 10k". */
const RUN = /^\d{1,3}(?:\.\d+)? ?k$/i;

const ofThing = (n: Num, { text }: Free, to: Named): Request | undefined =>
  MEASURING.test(text) || unitOf(text.split(' ')[0] as string) !== undefined || n.said === undefined
    ? undefined
    : n.kind === to.unit.kind
      ? convert(n.said, to.text)
      : unlike(n, to);

/** Sides in the unit of the last, each in another unit of length. */
function inEach(sides: readonly Num[], to: Named): Request | undefined {
  const unit = sides.at(-1)?.unit;
  return unit?.kind === 'length' &&
    to.unit.kind === 'length' &&
    sides.every(({ ops, unit: own }, at) => ops === 0 && (own === undefined || at === sides.length - 1))
    ? { steps: sides.flatMap(({ plain }) => convert(`${plain} ${unit.math}`, to.text).steps) }
    : undefined;
}

/** The question about units of two kinds. */
function unlike(n: Num, { unit, text }: Named): Request | undefined {
  if (n.unit === undefined || n.said === undefined || n.unit.kind !== n.kind || convertible(n.unit, unit))
    return undefined;
  if (RUN.test(n.said) && unit.kind === 'length') return convert(`${n.said.replace(/ ?k$/i, '')} km`, text);
  const ask = `${n.unit.symbol} is a unit of ${n.kind}, and ${unit.symbol} of ${unit.kind}. Into which unit of ${n.kind}?`;
  return question('convert', ask, `convert ${n.said} to {}`);
}

const money = (n: Num, code: string): Money | undefined =>
  n.said === undefined ? undefined : { amount: n.said, code };
function exchange({ amount, code }: Money, to: string, price?: Price): Request | undefined {
  const from = `${amount} ${code}`;
  if (price === undefined)
    return question(
      'convert',
      `What is the rate? I know none: what is one ${code} in ${to}?`,
      `convert ${from} to ${to} at {}`,
    );
  const rate = rateOf(price, code, to);
  return rate === undefined || rate <= 0 ? undefined : asks('convert', { from, to, rate });
}
function rateOf(price: Price, from: string, to: string): number | undefined {
  if ('price' in price) return Number(price.price);
  const { one, other } = price;
  const [a, b] =
    one.code === from && other.code === to ? [other, one] : one.code === to && other.code === from ? [one, other] : [];
  return a && b && Number((Number(a.amount) / Number(b.amount)).toPrecision(15));
}

function elsewhere({ text, length }: When, to: string, setting: Setting): Request | undefined {
  if (length !== undefined || parseWhen(text, setting.now, setting.time_zone) === undefined) return undefined;
  return convert(text, to);
}

const rule = rulesOf<{ money: Money; price: Price; unit: Named }>();

/** Conversions of whole numbers, colors, money and times, of the result before, and what is missing in one. */
export const CONVERSIONS: Domain = {
  lexicon: {
    TURN: 'convert|change|turn|transform|express|translate',
    INTOBASE: 'to|in|into|as|in to|using|in the|->|→|=>',
    COLOR: 'color|colour|the color|the colour',
    RATE: 'at|with|using|by|@|if|when|given|where|assuming|given that|assuming that|at a rate of|at the rate of|with a rate of|at an exchange rate of|with an exchange rate of|at a rate|the rate is|if the rate is|when the rate is|at rate|at an exchange rate|using a rate of|at the exchange rate of|at a conversion rate of|rate|rate:|exchange rate',
    WORTH: '=|is worth|is|are|equals|costs|cost|buys|makes|gives',
    DECIMALLY:
      'as decimal|, as decimal|as a decimal|in decimal|, in decimal|, as a decimal number|as a decimal number|as decimal number',
    ITSTIME: "it is|it's|its|the time is|it will be",
    WHATTIME:
      "what time|what time is it|what is the time|what's the time|whats the time|what time will it be|what time would it be|which time is it|time|the time|what time it is|tell me the time|what time is that",
    ATPLACE: 'in|at|for',
    ACROSS: 'x|by|×',
  },
  recognize,
  rules: [
    // Whole numbers.
    rule('in-figures = <figures>', ([text]) => (wholeNumber(text, 10) === undefined ? undefined : text)),
    rule('in-figures = <base> number? <figures>', ([base, text]) => known(`${base} ${text}`)),
    rule('in-figures = <figures> (in|from|as)? <base>', ([text, base]) => known(`${text} ${base}`)),
    rule('in-figures = the? number <in-figures>'),
    rule(
      'request = (how do you|how do i|how to)? (spell out|write out|spell|say|write) (the number)? <number:whole> (in words|as words|out)?',
      ([{ expr }]) => (/^-?\d{1,15}$/.test(expr) ? convert(expr, 'words') : undefined),
    ),
    rule('in-figures -0.01 = <number:whole>', ([n]) => n.said),
    rule(
      'request = TURN? LEAD? <in-figures> INTOBASE (a|an|the)? <base> TAIL?',
      '(write|show|give|put|spell) <in-figures> INTOBASE <base>',
      ([from, to]) => based(from, to),
    ),
    rule('request = TURN? LEAD? <number> INTOBASE <base> TAIL?', ([n, to]) => calculated(n, to)),
    rule('request = TURN? LEAD? <figures> INTOBASE <base> from <base>', ([from, to, base]) =>
      based(`${from} ${base}`, to),
    ),
    // "1010 in decimal" is binary, because decimal figures are no question.
    rule('request 0.1 = TURN? LEAD? <number:whole> INTOBASE <base> TAIL?', ([{ expr }, to]) =>
      /^1[01]{2,}$/.test(expr) && baseOf(to) === 10 ? based(`binary ${expr}`, to) : undefined,
    ),
    rule(
      'request = LEAD? the? <base> (of|for|value of|form of|value for|representation of|number of|number for) <in-figures>',
      ([to, from]) => (/\d/.test(from) ? based(from, to) : undefined),
    ),
    rule('request = (what number is|which number is|what decimal number is) <in-figures> DECIMALLY?', ([from]) =>
      based(from, 'decimal'),
    ),
    rule(
      'request = TURN? LEAD? IT INTOBASE (a|an|the)? <base>',
      '(write|show|give|put|print|tell me) IT INTOBASE <base>',
      '-0.1 = <base> IT',
      '-0.1 = (to|in|into|as|and in|and to) <base>',
      ([to], s) => earlierBased(to, s),
    ),
    rule('request -0.05 = TURN? LEAD? <number:any> INTOBASE <base>', ([n, to]) => namedBased(n, to)),
    // Amounts of the result before, and what is missing.
    rule(
      'request = CONVERT? LEAD? IT INTO <unit>',
      'so? (how many|how much) <unit> (is|are|would) IT be?',
      '-0.1 = (in|to|into|as|what about in|how about in|and in|what about|how about) <unit> (then|instead|please)?',
      ([to], s) => earlierIn(to, s),
    ),
    rule('request -0.1 = CONVERT? LEAD? IT INTO <currency>', ([to]) =>
      question('convert', 'Which amount of which currency do you mean?', `convert {} to ${to}`),
    ),
    rule('request = TURN (this|it|that|these)? INTO <unit> : <number:unit>', ([{ text }, { said }]) =>
      said === undefined ? undefined : convert(said, text),
    ),
    // Sides of one thing, each by itself: "8 x 10 inches".
    rule(
      'request 0.3 = CONVERT? LEAD? (a|an|my|the)? <number:atom> ACROSS <number:unit> INTO <unit>',
      '0.3 = CONVERT? LEAD? (a|an|my|the)? <number:atom> ACROSS <number:atom> ACROSS <number:unit> INTO <unit>',
      (all) => inEach(all.slice(0, -1) as unknown as readonly Num[], all.at(-1) as unknown as Named),
    ),
    rule(
      'request 0.1 = CONVERT? LEAD? (a|an|my|the)? <number:atom> ACROSS <number:unit> …:thing INTO <unit>',
      ([a, b, { text }, to]) => (MEASURING.test(text) ? undefined : inEach([a, b], to)),
    ),
    // "500 g flour", as recipes say it.
    rule('request -0.3 = CONVERT? LEAD? (a|an|my|the)? <number:unit> …:thing INTO <unit>', ([n, thing, to]) =>
      n.kind === 'mass' || n.kind === 'volume' || n.kind === 'temperature' ? ofThing(n, thing, to) : undefined,
    ),
    rule('request -0.3 = CONVERT? LEAD? (a|an|my|the)? <number:unit> (run|race|walk|swim)? INTO <unit>', ([n, to]) =>
      unlike(n, to),
    ),
    rule('request -0.3 = (how many|how much) <unit> (is|are|in|are in|are there in|is in) <number:unit>', ([to, n]) =>
      unlike(n, to),
    ),
    rule('request -0.1 = TURN <number:plain> INTO <unit>', ([{ said }, { text }]) =>
      said === undefined ? undefined : question('convert', `${said} of what?`, `convert ${said} {} to ${text}`),
    ),
    rule('request -0.1 = TURN <number:unit> (to|into|in)?', ([{ said }]) => said && asksInto(said)),
    rule('request -0.1 = TURN <money> (to|into|in)?', ([{ amount, code }]) => asksInto(`${amount} ${code}`)),
    rule('request -0.1 = TURN <color> (to|into|in)?', ([color]) => asksInto(color)),
    rule(
      'request = (convert|turn|change) (it|that|this|them|the result) from <unit> INTO <unit>',
      ([from, to], { it }) => (it === undefined ? undefined : convert(`${placeholder(it)} ${from.text}`, to.text)),
    ),
    rule('request = (how long is|how long are|how much time is) <number:unit>', ([{ said, unit, plain }]) =>
      unit?.kind === 'time' && said !== undefined ? convert(said, clockUnits((plain ?? 0) * unit.factor)) : undefined,
    ),
    rule('request = convert', (_, { it }) =>
      it === undefined ? question('convert', 'Convert what?', 'convert {}') : undefined,
    ),
    // Colors.
    rule('request = TURN? LEAD? COLOR? <color> INTO (a|an|the)? <color-format>', ([from, to]) => convert(from, to)),
    rule('request = LEAD? the? <color-format> (of|for) COLOR? <color>', ([to, from]) => convert(from, to)),
    rule('request = TURN? <color-format> INTO <color-format> (:|,|for)? COLOR? <color>', ([, to, from]) =>
      convert(from, to),
    ),
    // Money.
    rule('money = <currency> <number:plain>', '#21 <number:plain> <currency>', ([code, n]) => money(n, code)),
    rule('money = (a|an|one) <currency>', ([code]) => ({ amount: '1', code })),
    rule('price = <number:plain>', ([{ said }]) => said && { price: said }),
    rule('price = <money> (per|/|for|to the|to) (1|one|a|an|each|every)? <currency>', ([other, code]) => ({
      one: { amount: '1', code },
      other,
    })),
    rule('price = <money> WORTH <money>', ([one, other]) => ({ one, other })),
    rule('price = OPEN <price> CLOSE'),
    rule('request = CONVERT? LEAD? <money> INTO <currency>', ([from, to]) => exchange(from, to)),
    rule(
      'request = CONVERT? LEAD? <money> INTO <currency> (,|:)? RATE? <price>',
      '#213 (how many|how much) <currency> (is|are|for|in) <money> (,|:)? RATE <price>',
      ([from, to, price]) => exchange(from, to, price),
    ),
    // Times in other places.
    rule(
      'request = TURN? LEAD? <date:timed> from? INTO <zone> time?',
      '(what time is|what is|when is) <date:timed> INTO <zone> time?',
      '(when|if) ITSTIME? <date:timed> here? ,? WHATTIME ATPLACE <zone>',
      '#21 WHATTIME ATPLACE <zone> ,? (when|if) ITSTIME? <date:timed> here?',
      ([from, to], s) => elsewhere(from, to, s),
    ),
    rule('request = TURN? LEAD? <date:timed> INTO <zone> time? ,? <date:untimed>', ([from, to, day], s) =>
      elsewhere({ text: `${from.text} ${day.text}` }, to, s),
    ),
    rule('request = TURN? LEAD? <date:timed> from <zone> time? INTO <zone> time?', ([{ text }, zone, to], s) =>
      elsewhere({ text: `${text} ${zone} time` }, to, s),
    ),
    rule('request = LEAD? IT INTO <zone> time?', ([to], s) =>
      s.it !== undefined && earlierTask(s) === 'time' ? convert(placeholder(s.it), to) : undefined,
    ),
  ],
};

const known = (text: string): string | undefined => (wholeNumber(text, 10) === undefined ? undefined : text);
