import { closed } from '@mailroom/behavior/values/closed';
import { Type } from 'typebox';
import { readBy } from '../grammar/index.ts';
import { type TaskContext, TaskError, task } from '../task.ts';
import { currencyOf, exchanged, moneyOf } from '../words/currency.ts';
import { local, longTime, parseWhen } from '../words/dates.ts';
import { figureOf } from '../words/figures.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { unitOf } from '../words/units.ts';
import { zoneOf } from '../words/zones.ts';
import { baseOf, inBase, wholeNumber } from './bases.ts';
import { colorFormat, colorIn, isColor, loadColors } from './colors.ts';
import { inMixed, inUnit, mixedOf, quantityOf } from './quantities.ts';

const Input = closed({
  from: Type.String({
    minLength: 1,
    description:
      'What to convert: "5 km", "255", "0xff", "XIV", "#ff8800", "3pm Berlin time", "100 USD". Up to 1,000 characters.',
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 100,
    description:
      'Into what: a unit, a base ("hex", "base 7", "roman"), "words" for a whole number, a color notation ("oklch"), a city or zone, a currency.',
  }),
  'rate?': Type.Number({
    exclusiveMinimum: 0,
    description: 'What one of the currency is in the other. There are no rates here.',
  }),
});

const Output = closed({
  result: Type.Union([Type.Number(), Type.String()], {
    description: 'With its unit; a whole decimal number as such; a time as RFC 3339 in the zone.',
  }),
  text: Type.String({ description: 'For people.' }),
  value: Type.Union([Type.Number(), Type.Null()], { description: 'The number of a unit or currency.' }),
  unit: Type.Union([Type.String(), Type.Null()]),
});

const answer = (result: number | string, text: string, value: number | null = null, unit: string | null = null) => ({
  result,
  text,
  value,
  unit,
});
/** Measures that are larger elsewhere. */
const AMERICAN = new Set(['gal', 'qt', 'pt', 'cup', 'fl oz', 'tbsp', 'tsp', 'mpg', 'ton']);
const plain = (result: string) => answer(result, result);

function units(from: string, to: string) {
  const quantity = quantityOf(from);
  const mixed = quantity === undefined ? undefined : mixedOf(to);
  if (quantity !== undefined && mixed?.[0]?.kind === quantity.unit.kind) return plain(inMixed(quantity, mixed));
  const target = unitOf(to);
  if (quantity === undefined || target === undefined) return undefined;
  const value = inUnit(quantity, target);
  // An ounce of water is a fluid ounce.
  const unit = quantity.unit.kind === 'volume' && target.symbol === 'oz' ? 'fl oz' : target.symbol;
  // A thermometer shows hundredths at most, unless more were given.
  const digits = Math.max(2, String(quantity.amount).split('.')[1]?.length ?? 0);
  const shown = target.kind === 'temperature' ? Number(value.toFixed(Math.min(digits, 12))) : value;
  const { text, rounded } = figureOf(shown);
  const american = [quantity.unit, target].some(({ symbol }) => AMERICAN.has(symbol)) ? ' (US measure)' : '';
  return answer(`${value} ${unit}`, `${rounded ? '≈ ' : ''}${text} ${unit}${american}`, value, unit);
}

function numbers(from: string, to: string) {
  const base = baseOf(to);
  const value = base === undefined ? undefined : wholeNumber(spelledToDigits(from), base);
  if (base === undefined || value === undefined) return undefined;
  const text = inBase(value, base);
  const safe = base === 10 && Number.isSafeInteger(Number(value));
  return answer(safe ? Number(value) : text, text);
}

function money(from: string, to: string, rate: number | undefined) {
  const source = moneyOf(from);
  const target = currencyOf(to);
  if (source === undefined || target === undefined) return undefined;
  if (rate === undefined) {
    throw new TaskError(
      `I know no exchange rates: give it, such as “convert ${source.amount} ${source.code} to ${target} at 0.92”.`,
    );
  }
  const decimal = String(rate);
  const amount = /^\d+(?:\.\d+)?$/.test(decimal)
    ? exchanged(source.amount, decimal)
    : String(Number(source.amount) * rate);
  return answer(`${amount} ${target}`, `${amount} ${target}`, Number(amount), target);
}

function times(from: string, to: string, { clock, time_zone }: TaskContext) {
  const zone = zoneOf(to);
  const when = zone === undefined ? undefined : parseWhen(from, clock(), time_zone, { prefer: 'near' });
  if (zone === undefined || when === undefined) return undefined;
  const at = local(when.at, zone);
  return answer(at, longTime(when.at, zone));
}

function refused(from: string, to: string): TaskError {
  const what = from.slice(0, 60);
  if (/^[-+]?\d[\d.,]*$/.test(from.trim()) && unitOf(to) !== undefined) {
    return new TaskError(`${what} of what? Say its unit, such as “convert ${what} lb to ${to}”.`);
  }
  if (quantityOf(from) !== undefined) return new TaskError(`I do not know the unit “${to}”.`);
  if (unitOf(to) !== undefined) return new TaskError(`“${what}” is no amount of a unit I know.`);
  if (baseOf(to) !== undefined) return new TaskError(`“${what}” is no whole number I can read.`);
  if (zoneOf(to) !== undefined) return new TaskError(`“${what}” is no time I can read.`);
  return new TaskError(
    `I cannot convert “${what}” to “${to}”: I know units, number bases, colors and times in places.`,
  );
}

/** Converts units, number bases, colors, times and, with a rate, currencies. Synchronous except for the first color. */
export const convert = task({
  name: 'convert',
  description:
    'Converts units (length, mass, temperature, volume, speed, data and more), number bases and Roman numerals, colors, times between zones, and currencies at a given rate.',
  input: Input,
  output: Output,
  effects: 'none',
  repeatable: true,
  examples: ['convert 5 km to miles', '255 to hex', '#ff8800 to oklch', '3pm Berlin time in New York'],
  read: readBy('convert'),
  run({ from, to, rate }, context) {
    if (from.length > 1_000) throw new TaskError('What is to be converted is longer than 1,000 characters.');
    const format = colorFormat(to);
    const source = from.trim();
    if (format !== undefined && (isColor(source) || baseOf(to) === undefined)) {
      return colorIn(source, format).then(plain);
    }
    const found = money(source, to, rate) ?? numbers(source, to) ?? units(source, to) ?? times(source, to, context);
    if (found === undefined) throw refused(source, to);
    return found;
  },
  show({ text }, { from }) {
    const [, sign, shown, measure = ''] = /^(≈ )?(.*?)( \(US measure\))?$/s.exec(text) ?? [];
    return `${from} ${sign === undefined ? '=' : '≈'} **${shown}**${measure}`;
  },
  prepare() {
    loadColors().catch(() => undefined);
  },
});
