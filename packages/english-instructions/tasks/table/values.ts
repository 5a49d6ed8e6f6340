import { currencyOf } from '../words/currency.ts';
import { unitOf } from '../words/units.ts';
import { compareDecimals, type Decimal, decimalOf } from './decimal.ts';

/** What a text may be a value of. */
export type Kind = 'number' | 'money' | 'percent' | 'measure' | 'time' | 'lap' | 'clock' | 'date';
/** How signs are meant that mean two things: the comma in 1,204, the order in 03/04/2026, the parts of 7:45. */
export type Style =
  | 'comma'
  | 'point'
  | 'day'
  | 'month'
  | 'hours'
  | 'minutes'
  | 'afternoon'
  | 'overnight'
  | 'same year'
  | 'ahead';

/** A text as a value. `unit`: a currency, the symbol of a unit, a noun; ''. `styles`: what it needs to mean that. */
export interface Value {
  readonly kind: Kind;
  readonly unit: string;
  readonly amount: Decimal;
  readonly styles: readonly Style[];
}

const GROUPED = String.raw`[1-9]\d{0,2}`;
/** Figures with a sign for decimals, and those for thousands that go with it. */
const FIGURES: readonly (readonly [style: Style, form: RegExp])[] = [
  ['comma', new RegExp(String.raw`^(?:${GROUPED}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|\d*)(?:\.\d{1,15})?$`)],
  ['comma', new RegExp(String.raw`^${GROUPED}(?:([ '])\d{3})(?:\1\d{3})*(?:\.\d{1,15})?$`)],
  ['point', new RegExp(String.raw`^(?:${GROUPED}(?:\.\d{3})+|\d+)(?:,\d{1,15})?$`)],
  ['point', new RegExp(String.raw`^${GROUPED}(?:([ '])\d{3})(?:\1\d{3})*(?:,\d{1,15})?$`)],
];

/** The plain number of figures, by how their signs are meant; of those without a sign it is the same. */
function plainNumbers(text: string): ReadonlyMap<Style, string> {
  const found = new Map<Style, string>();
  if (!/\d/.test(text)) return found;
  for (const [style, form] of FIGURES) {
    if (!form.test(text)) continue;
    const bare = text.replace(style === 'comma' ? /[, ']/g : /[. ']/g, '').replace(',', '.');
    found.set(style, bare.startsWith('.') ? `0${bare}` : bare);
  }
  return found;
}

const times = ({ digits, scale }: Decimal, by: number): Decimal => ({ digits: digits * BigInt(by), scale });
const whole = (n: number): Decimal => ({ digits: BigInt(n), scale: 0 });
const negative = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });

const TIMES = new Map(
  Object.entries({ d: 86_400, h: 3_600, m: 60, s: 1 }).flatMap(([short, seconds]) =>
    ({ d: 'd|day|days', h: 'h|hr|hrs|hour|hours', m: 'm|min|mins|minute|minutes', s: 's|sec|secs|second|seconds' })[
      short as 'd'
    ]
      .split('|')
      .map((name) => [name, seconds] as const),
  ),
);
const LENGTH = /^(?:\d{1,6}(?:[.,]\d{1,6})? ?[a-z]{1,7}(?:,? and |,? ?|$)){1,4}(?:\d{1,2})?$/i;
const LENGTH_PART = /(\d{1,6}(?:[.,]\d{1,6})?) ?([a-z]{1,7})?/gi;
/** "1 h 30 min", "2m 15s", "90 minutes" in seconds. */
function lengthOf(text: string): Value | undefined {
  if (!LENGTH.test(text)) return undefined;
  let seconds: Decimal = whole(0);
  let last = Number.POSITIVE_INFINITY;
  const parts = [...text.matchAll(LENGTH_PART)];
  for (const [, figures = '', name] of parts) {
    // In "1h30" the last figures are minutes.
    const unit = name === undefined ? (last === 3_600 ? 60 : undefined) : TIMES.get(name.toLowerCase());
    const amount = decimalOf(figures.replace(',', '.'));
    if (unit === undefined || amount === undefined || unit >= last) return undefined;
    if (last < Number.POSITIVE_INFINITY && compareDecimals(amount, whole(last / unit)) >= 0) return undefined;
    last = unit;
    const more = times(amount, unit);
    const scale = Math.max(seconds.scale, more.scale);
    const at = (one: Decimal): bigint => one.digits * 10n ** BigInt(scale - one.scale);
    seconds = { digits: at(seconds) + at(more), scale };
  }
  // "10m" alone may be metres.
  return parts.length === 1 && parts[0]?.[2]?.toLowerCase() === 'm'
    ? undefined
    : { kind: 'time', unit: 's', amount: seconds, styles: [] };
}

const LAP = /^(\d{1,4}):([0-5]\d)(?::([0-5]\d))?(\.\d{1,3})?$/;
const CLOCK = /^(\d{1,2})(?::([0-5]\d)|\.([0-5]\d))? ?([ap])\.?m\.?$/i;
/** 7:45 and 1:02:30 as lengths, and 9:30 am as a time of the day, in minutes. */
function clocksOf(text: string): readonly Value[] {
  const [, hour, minutes = '0', dotted, half] = CLOCK.exec(text) ?? [];
  if (hour !== undefined) {
    const h = Number(hour);
    if (h < 1 || h > 12) return [];
    const at = ((h % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)) * 60 + Number(dotted ?? minutes);
    return [{ kind: 'clock', unit: '', amount: whole(at), styles: [] }];
  }
  const [, first, second, third, fraction = ''] = LAP.exec(text) ?? [];
  if (first === undefined) return [];
  const [a, b] = [Number(first), Number(second)];
  const lap = (seconds: number, styles: readonly Style[]): Value => ({
    kind: 'lap',
    unit: 's',
    amount: decimalOf(`${seconds}${fraction}`) as Decimal,
    styles,
  });
  if (third !== undefined) return [lap(a * 3_600 + b * 60 + Number(third), [])];
  return [lap(a * 60 + b, ['minutes']), ...(fraction === '' ? [lap((a * 60 + b) * 60, ['hours'])] : [])];
}

const SPAN = /^([\d:.]{1,5} ?(?:[ap]\.?m\.?)?) ?(?:-|–|—|to|until) ?([\d:.]{1,5} ?(?:[ap]\.?m\.?)?)$/i;
/** The lengths of "9:00-17:30", of which the end may be in the other half of the day, or on the next one. */
function spansOf(text: string): readonly Value[] {
  const [, from = '', to = ''] = SPAN.exec(text) ?? [];
  const minutesOf = (clock: string): number | undefined => {
    const [one] = clocksOf(clock.trim());
    return one?.kind === 'clock' || /^\s*(?:1?\d|2[0-3]):\d\d\s*$/.test(clock) ? Number(one?.amount.digits) : undefined;
  };
  const [start, end] = [minutesOf(from), minutesOf(to)];
  if (start === undefined || end === undefined || start === end) return [];
  const length = (minutes: number, ...styles: readonly Style[]): Value => ({
    kind: 'time',
    unit: 's',
    amount: whole(minutes * 60),
    styles,
  });
  const said = /m/i.test(to) || start >= 720;
  if (end > start) return [length(end - start)];
  return said || end + 720 <= start
    ? [length(end + 1_440 - start)]
    : [length(end + 720 - start, 'afternoon'), length(end + 1_440 - start, 'overnight')];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\\.?,? )?';
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::\d{2})?)?$/;
const DAY_FIRST = new RegExp(`^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? (\\d{4}))?$`, 'i');
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?$`, 'i');
const SLASHED = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
const NAMED_MONTH = new RegExp(`^${MONTH} (\\d{4})$`, 'i');

/** Days as minutes from an epoch. `now`: for days without a year. */
function datesOf(text: string, now: number): readonly Value[] {
  const dated = (y: number, m: number, d: number, styles: readonly Style[], minutes = 0): readonly Value[] => {
    const at = Date.UTC(y, m - 1, d);
    const is = new Date(at);
    return m < 1 || m > 12 || is.getUTCDate() !== d || is.getUTCMonth() !== m - 1
      ? []
      : [{ kind: 'date', unit: '', amount: whole(at / 60_000 + minutes), styles }];
  };
  const iso = ISO.exec(text);
  if (iso !== null)
    return dated(Number(iso[1]), Number(iso[2]), Number(iso[3]), [], Number(iso[4] ?? 0) * 60 + Number(iso[5] ?? 0));
  const [, a = '', sign, b = '', year = ''] = SLASHED.exec(text) ?? [];
  if (sign !== undefined) {
    const y = Number(year) + (year.length === 2 ? 2_000 : 0);
    const first = dated(y, Number(b), Number(a), ['day']);
    return sign === '.'
      ? first.map((one) => ({ ...one, styles: [] }))
      : [...first, ...dated(y, Number(a), Number(b), ['month'])];
  }
  const monthAt = (name: string | undefined): number => MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
  const named = NAMED_MONTH.exec(text);
  if (named !== null) return dated(Number(named[2]), monthAt(named[1]), 1, []);
  const [, day, name, y] = DAY_FIRST.exec(text) ?? [];
  const [, otherName, otherDay, otherYear] = MONTH_FIRST.exec(text) ?? [];
  const month = monthAt(name ?? otherName);
  if (month === 0) return [];
  const [d, own] = [Number(day ?? otherDay), y ?? otherYear];
  if (own !== undefined) return dated(Number(own), month, d, []);
  const today = new Date(now);
  const thisYear = today.getUTCFullYear();
  const isOver = Date.UTC(thisYear, month - 1, d) < Date.UTC(thisYear, today.getUTCMonth(), today.getUTCDate());
  return [...dated(thisYear, month, d, ['same year']), ...dated(thisYear + (isOver ? 1 : 0), month, d, ['ahead'])];
}

const BEFORE = /^(?:US\$|A\$|C\$|CA\$|AU\$|NZ\$|HK\$|S\$|R\$|Rs\.?|\p{Sc}|[A-Z]{3}\b)/u;
const FIGURE = /^(?:\d(?:[\d.,']|[ ](?=\d{3}(?!\d)))*|\.\d+)/;
const POWERS: Readonly<Record<string, number>> = {
  k: 1_000,
  thousand: 1_000,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};
/** Money is told from what weighs as much. */
const TWO_MEANINGS = /^pounds?$/i;
const NOUN = /^(?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$)\p{L}{2,20}$/iu;
const moneyOf = (sign: string): string | undefined => (/^Rs\.?$/i.test(sign) ? 'INR' : currencyOf(sign.trim()));

/** Figures with a sign, a currency or a unit. */
function amountsOf(text: string): readonly Value[] {
  let rest = text;
  let minus = 0;
  const signed = (): void => {
    const [sign = ''] = /^[-+] ?/.exec(rest) ?? [];
    if (sign.startsWith('-')) minus++;
    rest = rest.slice(sign.length);
  };
  const bracketed = (): void => {
    const [, inner] = /^\(([^()]+)\)( ?%)?$/.exec(rest) ?? [];
    if (inner === undefined) return;
    minus++;
    rest = inner + rest.slice(inner.length + 2).trim();
  };
  bracketed();
  signed();
  const before = BEFORE.exec(rest)?.[0] ?? '';
  const code = before === '' ? undefined : moneyOf(before);
  if (before !== '' && code === undefined) return [];
  rest = rest.slice(before.length).trimStart();
  bracketed();
  signed();
  const figures = FIGURE.exec(rest)?.[0].replace(/[.,' ]+$/, '') ?? '';
  if (figures === '' || minus > 1) return [];
  let behind = rest.slice(figures.length).trim();
  if (behind === '-' || behind === '.-' || behind === ',-') {
    if (behind === '-') minus++;
    behind = '';
  }
  if (minus > 1) return [];
  // "12k" and "$1.5 m".
  const [, short, more = ''] = /^(k|thousand|m|mn|million|bn|billion)\b ?(.*)$/i.exec(behind) ?? [];
  const after = short === undefined ? undefined : moneyOf(more);
  const power =
    short !== undefined &&
    (more === '' || after !== undefined) &&
    (/^(?:k|thousand|million|bn|billion)$/i.test(short) || code !== undefined || after !== undefined)
      ? POWERS[short.toLowerCase()]
      : undefined;
  const unit = (power === undefined ? behind : more).trim();
  const meant = unitMeant(unit, code);
  if (meant === undefined) return [];
  const found = plainNumbers(figures);
  const values = [...found].map(([style, plain]): Value => {
    const amount = times(decimalOf(plain) as Decimal, power ?? 1);
    return { ...meant, amount: minus === 1 ? negative(amount) : amount, styles: [style] };
  });
  const [one, other] = values;
  return one !== undefined && other !== undefined && compareDecimals(one.amount, other.amount) === 0
    ? [{ ...one, styles: [] }]
    : values;
}

/** What figures are of, by what stands behind them and the currency before them. */
function unitMeant(behind: string, code: string | undefined): Pick<Value, 'kind' | 'unit'> | undefined {
  if (behind === '') return code === undefined ? { kind: 'number', unit: '' } : { kind: 'money', unit: code };
  if (behind === '%' || /^per ?cent$/i.test(behind))
    return code === undefined ? { kind: 'percent', unit: '%' } : undefined;
  const noun = { kind: 'measure', unit: behind.toLowerCase().replace(/s$/, '') } as const;
  if (code === undefined && TWO_MEANINGS.test(behind)) return noun;
  const money = currencyOf(behind);
  if (money !== undefined && (code === undefined || code === money || /^dollars?$/i.test(behind)))
    return { kind: 'money', unit: code ?? money };
  if (code !== undefined) return undefined;
  const unit = unitOf(behind);
  if (unit !== undefined) return { kind: 'measure', unit: unit.symbol };
  return NOUN.test(behind) ? noun : undefined;
}

const MAX_VALUE = 40;
/** All values that a text may be. `now`: for days without a year. */
export function valuesOf(given: string, now: number): readonly Value[] {
  const text = given
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/−/g, '-')
    .replace(/(?<=\d)’(?=\d)/g, "'")
    .replace(/^[~≈]/, '?');
  if (text.length === 0 || text.length > MAX_VALUE || !/\d/.test(text)) return [];
  const length = lengthOf(text);
  return [
    ...(length === undefined ? [] : [length]),
    ...spansOf(text),
    ...clocksOf(text),
    ...datesOf(text, now),
    ...amountsOf(text),
  ];
}
