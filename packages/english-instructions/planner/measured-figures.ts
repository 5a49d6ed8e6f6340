import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import type { Planned } from '../tasks/clause.ts';
import { type Column, columnsOf } from '../tasks/table/columns.ts';
import { compareDecimals, type Decimal, decimalText, dividedBy, sumOf } from '../tasks/table/decimal.ts';
import type { Rows } from '../tasks/table/rows.ts';
import { valuesOf } from '../tasks/table/values.ts';
import { unitOf } from '../tasks/words/units.ts';
import type { Measure } from './measure-words.ts';

/** A result before it is a step. */
export type Result = { readonly steps: readonly Planned[] } | { readonly ask: string };

const step = (task: string, input: Planned['input']): Planned => ({ task, input });
const says = (text: string): readonly Planned[] => [step('text', { op: 'say', text })];
const linesOf = (lines: readonly string[], does: 'list' | 'count'): readonly Planned[] =>
  lines.length === 0
    ? does === 'count'
      ? [step('calculate', { expression: '0' })]
      : says('None of them.')
    : does === 'list' && lines.length === 1
      ? says(lines[0] as string)
      : [step('text', { op: 'parts', text: lines.join('\n'), selection: { of: 'lines' }, does })];
/** A limit in the unit of a column. */
export function limitOf(value: string, { kind, unit, style }: Column, now: number): Decimal | undefined {
  const values = valuesOf(value, now);
  const fitting = values.filter((one) => one.kind === kind || (kind === 'lap' && one.kind === 'clock'));
  const fits = fitting.find(
    ({ styles, unit: of }) =>
      (of === unit || kind === 'lap') && (style === undefined || styles.length === 0 || styles.includes(style)),
  );
  if (fits !== undefined)
    return fits.kind === 'clock' ? { ...fits.amount, digits: fits.amount.digits * 60n } : fits.amount;
  if (kind === 'measure' && fitting.length > 0) {
    const column = columnsOf([value, `1 ${unit}`], now).find((one) => one.unit === unit);
    if (column !== undefined) return column.amounts[0];
  }
  return ['money', 'percent', 'measure'].includes(kind)
    ? values.find((one) => one.kind === 'number')?.amount
    : undefined;
}

export const NO_SUM = 'Dates and times of the day have no sum and no average. What is to be found out?';

/** The rows that a figure is of. */
export interface Chosen {
  /** The places of those in `rows`, of which `only` are named in the question. */
  readonly places: readonly number[];
  readonly rows: Rows;
  readonly column: Column;
  readonly only: readonly string[];
  readonly sure: boolean;
  readonly now: number;
}

export function measuredIn(measure: Measure, chosen: Chosen): Result {
  const { places, rows, column } = chosen;
  const amountAt = (one: number): Decimal => column.amounts[one] as Decimal;
  const amounts = places.map(amountAt);
  const lines = places.map((one) => rows.lines[one] as string);
  const { does } = measure;
  if (does === 'which end')
    return { ask: 'Which ones do you mean: the longest or the shortest, the first or the last?' };
  if (does === 'count' || does === 'list') return { steps: linesOf(lines, does) };
  if (amounts.length === 0) return { ask: 'There is no such line.' };
  const sorted = (sign: number): readonly number[] =>
    places.toSorted((a, b) => compareDecimals(amountAt(a), amountAt(b)) * sign);
  if (does === 'sort')
    return {
      steps: linesOf(
        sorted(measure.sign).map((one) => rows.lines[one] as string),
        'list',
      ),
    };
  if (does === 'end') {
    const order = sorted(measure.sign);
    const from = order[measure.at - 1];
    const last = order[measure.at + measure.count - 2];
    if (from === undefined || last === undefined) return { ask: `There are only ${order.length} lines.` };
    const isIn = (one: number): boolean =>
      compareDecimals(amountAt(one), amountAt(from)) * measure.sign >= 0 &&
      compareDecimals(amountAt(one), amountAt(last)) * measure.sign <= 0;
    return {
      steps: linesOf(
        order.filter(isIn).map((one) => rows.lines[one] as string),
        'list',
      ),
    };
  }
  if (column.kind === 'date' || column.kind === 'clock') return { ask: NO_SUM };
  return figureOf(measure, amounts, chosen);
}

/** A figure of amounts, as a calculation where it has numbers or a unit that is calculated with. */
function figureOf(measure: Measure, amounts: readonly Decimal[], chosen: Chosen): Result {
  const { places, rows, column, only, sure, now } = chosen;
  const { kind, unit } = column;
  const { does } = measure;
  const negated = ({ digits, scale }: Decimal): Decimal => ({ digits: -digits, scale });
  const ordered = amounts.toSorted(compareDecimals);
  const all = sumOf(amounts);
  const math = kind === 'measure' ? (unitOf(unit)?.kind === 'temperature' ? undefined : unitOf(unit)?.math || '') : '';
  const isNumeric = kind !== 'time' && kind !== 'lap' && math !== undefined;
  const written = (amount: Decimal): string =>
    `${decimalText(amount)}${math === '' || math === undefined ? '' : ` ${math}`}`;
  const calculation = (expression: string): readonly Planned[] => [
    step('calculate', {
      expression,
      ...(kind === 'money' && { currency: unit }),
      ...((kind === 'percent' || does === 'share') && { percent: true }),
    }),
  ];
  const list = amounts.map(written).join(', ');
  const shown = (amount: Decimal, rounded = false): readonly Planned[] =>
    says(`${rounded ? '≈ ' : ''}${shownAs(amount, column, sure)}`);
  const sumFor = (name: string): Decimal =>
    sumOf(places.filter((one) => rows.names[one] === name).map((one) => column.amounts[one] as Decimal));
  if (does === 'running') {
    const sums = amounts.map((_, end) => sumOf(amounts.slice(0, end + 1)));
    const text = sums.map(
      (one, line) =>
        `${rows.names[places[line] as number] === '' ? '' : `${rows.names[places[line] as number]}: `}${shownAs(one, column, sure)}`,
    );
    return { steps: linesOf(text, 'list') };
  }
  if (does === 'share')
    return { steps: calculation(`${decimalText(sumFor(only[0] as string))} / ${decimalText(all)} * 100`) };
  if (does === 'more') {
    const [one, other] = only.map(sumFor) as [Decimal, Decimal];
    const [high, low] = compareDecimals(one, other) >= 0 ? [one, other] : [other, one];
    return {
      steps: isNumeric ? calculation(`${written(high)} - ${written(low)}`) : shown(sumOf([high, negated(low)])),
    };
  }
  if (does === 'left') {
    const whole = limitOf(measure.from, column, now);
    if (whole === undefined)
      return { ask: `“${measure.from}” is in another unit than the values. In which one is it?` };
    return { steps: isNumeric ? calculation(`${written(whole)} - sum(${list})`) : shown(sumOf([whole, negated(all)])) };
  }
  if (does === 'range') {
    const [low, high] = [ordered[0] as Decimal, ordered.at(-1) as Decimal];
    return {
      steps: isNumeric ? calculation(`${written(high)} - ${written(low)}`) : shown(sumOf([high, negated(low)])),
    };
  }
  if (isNumeric && (amounts.length > 1 || does === 'sum')) return { steps: calculation(`${does}(${list})`) };
  if (does === 'sum') return { steps: shown(all) };
  const middle = Math.floor(ordered.length / 2);
  const found =
    does === 'mean'
      ? dividedBy(all, amounts.length)
      : ordered.length % 2 === 1
        ? { value: ordered[middle] as Decimal, rounded: false }
        : dividedBy(sumOf(ordered.slice(middle - 1, middle + 1)), 2);
  return kind === 'lap' && !sure && !isWhole(found.value, column)
    ? { ask: 'Are these hours and minutes, or minutes and seconds?' }
    : { steps: shown(found.value, found.rounded) };
}

/** The sum or average of each name. */
export function eachOf(isMean: boolean, at: readonly number[], rows: Rows, column: Column, sure: boolean): Result {
  if (column.kind === 'date' || column.kind === 'clock') return { ask: NO_SUM };
  const lines = [...new Set(at.map((one) => rows.names[one] as string))].map((name) => {
    const fitting = at.filter((one) => rows.names[one] === name).map((one) => column.amounts[one] as Decimal);
    const { value, rounded } = isMean
      ? dividedBy(sumOf(fitting), fitting.length)
      : { value: sumOf(fitting), rounded: false };
    return `${name}: ${rounded ? '≈ ' : ''}${shownAs(value, column, sure)}`;
  });
  return { steps: linesOf(lines, 'list') };
}

const isWhole = ({ digits, scale }: Decimal, { style }: Column): boolean =>
  digits % ((style === 'hours' ? 60n : 1n) * 10n ** BigInt(scale)) === 0n;
const TWO = (n: bigint | number): string => String(n).padStart(2, '0');

/** An amount as the values are written. `sure`: what the parts of a length are is said. */
function shownAs(amount: Decimal, { kind, unit, style }: Column, sure: boolean): string {
  if (kind === 'number') return grouped(decimalText(amount));
  if (kind === 'percent') return `${decimalText(amount)}%`;
  if (kind === 'money')
    return new Intl.NumberFormat('en', { style: 'currency', currency: unit }).format(
      decimalText(amount) as unknown as number,
    );
  if (kind !== 'time' && kind !== 'lap') return `${grouped(decimalText(amount))} ${unit}`;
  const sign = amount.digits < 0n ? '-' : '';
  const scale = 10n ** BigInt(amount.scale);
  const size = amount.digits < 0n ? -amount.digits : amount.digits;
  const [whole, rest] = [size / scale, size % scale];
  const fraction = rest === 0n ? '' : withoutTrailing(`.${String((rest * 1_000n) / scale).padStart(3, '0')}`, '0');
  const [h, min, s] = [whole / 3_600n, (whole / 60n) % 60n, whole % 60n];
  if (kind === 'lap' && !(sure && style === 'hours')) {
    if (style === 'hours')
      return `${sign}${h}:${TWO(min)}${s === 0n && fraction === '' ? '' : `:${TWO(s)}${fraction}`}`;
    // Minutes and seconds go on beyond an hour, so that they read the same as hours and minutes.
    return style === 'minutes' && !sure
      ? `${sign}${whole / 60n}:${TWO(s)}${fraction}`
      : `${sign}${h > 0n ? `${h}:${TWO(min)}` : min}:${TWO(s)}${fraction}`;
  }
  const parts = [
    [h, 'h'],
    [min, 'min'],
  ].flatMap(([n, name]) => (n === 0n ? [] : [`${n} ${name}`]));
  if (s > 0n || fraction !== '' || parts.length === 0) parts.push(`${s}${fraction} s`);
  return `${sign}${parts.join(' ')}`;
}

const grouped = (text: string): string => {
  const [whole = '', fraction] = text.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  return `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en')}${fraction === undefined ? '' : `.${fraction}`}`;
};
