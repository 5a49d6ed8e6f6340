import { unitOf } from '../words/units.ts';
import { compareDecimals, type Decimal } from './decimal.ts';
import { type Kind, type Style, type Value, valuesOf } from './values.ts';

/** Values of one kind in one unit. */
export interface Column {
  readonly kind: Kind;
  readonly unit: string;
  readonly amounts: readonly Decimal[];
  /** How signs are meant, where they could mean something else. */
  readonly style: Style | undefined;
}

/** Signs that mean one of two things in a whole column. */
const CHOICES: readonly (readonly [Style, Style])[] = [
  ['comma', 'point'],
  ['day', 'month'],
  ['hours', 'minutes'],
  ['afternoon', 'overnight'],
  ['same year', 'ahead'],
];
const KINDS: readonly Kind[] = ['date', 'clock', 'lap', 'time', 'percent', 'money', 'measure', 'number'];
const OF_POINT = /\d\.\d{3}(?!\d)/;
const OF_COMMA = /\d,\d{3}(?!\d)/;

/** Every way to read texts as values of one kind and unit; none where a text is no value, or they do not go together. */
export function columnsOf(texts: readonly string[], now: number): readonly Column[] {
  const all = texts.map((text) => valuesOf(text, now));
  for (const kind of KINDS) {
    const fitting = all.map((values) => values.filter((one) => one.kind === kind));
    if (fitting.some((values) => values.length === 0)) continue;
    const found = CHOICES.flatMap((choice) => choice.flatMap((style) => columnIn(fitting, kind, style, choice) ?? []));
    const different = found.filter(
      (one, at) => found.findIndex((other) => sameAmounts(one.amounts, other.amounts)) === at,
    );
    if (different.length === 0) {
      // "12.5" and "9,8" have one meaning each.
      const only = fitting.every((values) => values.length === 1)
        ? columnOfValues(
            fitting.map(([one]) => one as Value),
            kind,
          )
        : undefined;
      if (only !== undefined) return [only];
      continue;
    }
    // Beside 1:02:30 the parts of 52:10 are minutes and seconds.
    if (kind === 'lap' && texts.some((one) => /:\d\d:/.test(one)))
      return different.filter(({ style }) => style !== 'hours');
    return different.length === 2 && different[0]?.style === 'comma' ? inEnglish(different, texts) : different;
  }
  return [];
}

const sameAmounts = (one: readonly Decimal[], other: readonly Decimal[]): boolean =>
  one.every((amount, at) => compareDecimals(amount, other[at] as Decimal) === 0);

/** In English a comma groups and a point divides, unless prices have three decimals or both signs stand alike. */
function inEnglish(two: readonly Column[], texts: readonly string[]): readonly Column[] {
  const [points, commas] = [texts.some((one) => OF_POINT.test(one)), texts.some((one) => OF_COMMA.test(one))];
  return points && (commas || two[0]?.kind === 'money') ? two : two.slice(0, 1);
}

function columnIn(
  all: readonly (readonly Value[])[],
  kind: Kind,
  style: Style,
  choice: readonly Style[],
): Column | undefined {
  const chosen = all.map((values) =>
    values.find(({ styles }) => !styles.some((one) => choice.includes(one) && one !== style)),
  );
  if (chosen.some((one) => one === undefined)) return undefined;
  const needs = chosen.some((one) => one?.styles.includes(style));
  const other = all.some((values) => values.some(({ styles }) => styles.some((one) => !choice.includes(one))));
  // What has another choice is read by that.
  if (!needs && other) return undefined;
  const column = columnOfValues(chosen as readonly Value[], kind);
  return column && { ...column, style: needs ? style : undefined };
}

function columnOfValues(values: readonly Value[], kind: Kind): Column | undefined {
  const units = [...new Set(values.map(({ unit }) => unit))];
  const [unit = '', more] = units;
  if (more === undefined) return { kind, unit, amounts: values.map(({ amount }) => amount), style: undefined };
  const known = units.map((one) => unitOf(one));
  const [first] = known;
  const largest = Math.max(...known.map((one) => one?.factor ?? Number.NaN));
  const digits = known.map((one) => Math.log10(largest / (one?.factor ?? Number.NaN)));
  if (first?.kind === 'temperature' || known.some((one) => one?.kind !== first?.kind)) return undefined;
  if (!digits.every((one) => Math.abs(one - Math.round(one)) < 1e-9)) return undefined;
  const places = new Map(units.map((one, at) => [one, Math.round(digits[at] as number)]));
  return {
    kind,
    unit: known.find((one) => one?.factor === largest)?.symbol ?? unit,
    amounts: values.map(({ amount, unit: fitting }) => ({
      ...amount,
      scale: amount.scale + (places.get(fitting) as number),
    })),
    style: undefined,
  };
}
