import { TaskError } from '../task.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { type Unit, unitOf } from '../words/units.ts';

/** An amount of a unit. */
export interface Quantity {
  readonly amount: number;
  readonly unit: Unit;
}

const NUMBER =
  '[+\\-−]?(?:\\d[\\d,]{0,30}(?:\\.\\d{1,30})?|\\.\\d{1,30})(?:e[+-]?\\d{1,3})?(?: ?/ ?\\d{1,6}| \\d{1,3}/\\d{1,3})?';
const ONE = new RegExp(`^(${NUMBER}) ?(.+)$`, 'i');
const TWO = new RegExp(
  `^(${NUMBER}) ?([a-z.]{1,12}|')(?:,| and)? ?(\\d{1,6}(?:\\.\\d{1,12})?) ?([a-z.]{1,12}|"|''|″)?$`,
  'i',
);

/** Reads "1,250.5", "1/2", "1 1/2" and "−40"; NaN for other text. */
function numberOf(text: string): number {
  const plain = text.trim().replace('−', '-');
  const mixed = /^([+-]?[\d,.]+) (\d+)\/(\d+)$/.exec(plain);
  if (mixed !== null) return Number((mixed[1] as string).replaceAll(',', '')) + Number(mixed[2]) / Number(mixed[3]);
  const [above, below] = plain.replaceAll(',', '').split('/');
  return below === undefined ? Number(above) : Number(above) / Number(below);
}

/** Reads "5 km", "6 feet 2 inches", 5'11", "a mile", "half a pound" and "350°F"; undefined for other text. */
export function quantityOf(text: string): Quantity | undefined {
  if (text.length > 100) return undefined;
  const plain = spelledToDigits(text.trim())
    .replace(/[’′]/g, "'")
    .replace(/[”″]/g, '"')
    .replace(/^half (?:of )?an? /i, '0.5 ')
    .replace(/^(?:a )?quarter (?:of an?|an?) /i, '0.25 ')
    .replace(/(\d+) and a half /i, '$1.5 ')
    .replace(/^(?:an?|the|1 single) (?=\D)/i, '1 ');
  const double = TWO.exec(plain);
  if (double !== null) {
    const [, first, firstName, second, secondName] = double;
    const major = unitOf(firstName as string);
    const minor = unitOf((secondName === "''" ? '"' : secondName) ?? (major?.symbol === 'ft' ? 'in' : ''));
    if (major !== undefined && minor !== undefined && major.kind === minor.kind && major.factor > minor.factor) {
      const amount = numberOf(first as string) + (Number(second) * minor.factor) / major.factor;
      return { amount, unit: major };
    }
  }
  const [, number, name] = ONE.exec(plain) ?? [];
  const unit = unitOf((name ?? '').replace(/^of /, ''));
  const amount = numberOf(number ?? '');
  return unit === undefined || !Number.isFinite(amount) ? undefined : { amount, unit };
}

const kelvin = (amount: number, symbol: string): number =>
  symbol === 'K' ? amount : symbol === '°C' ? amount + 273.15 : ((amount - 32) * 5) / 9 + 273.15;
const ofKelvin = (amount: number, symbol: string): number =>
  symbol === 'K' ? amount : symbol === '°C' ? amount - 273.15 : ((amount - 273.15) * 9) / 5 + 32;

/** Twelve digits, because the thirteenth is rounding. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** Whether the units can be converted into one another. */
export const convertible = (unit: Unit, other: Unit): boolean =>
  unit.kind === other.kind ||
  (unit.symbol === 'oz' && other.kind === 'volume') ||
  (other.symbol === 'oz' && unit.kind === 'volume');

/** The amount in another unit, to 12 digits. Throws TaskError when the kinds differ. */
export function inUnit({ amount, unit }: Quantity, to: Unit): number {
  if (unit.kind !== to.kind) {
    // A recipe's ounce.
    if (unit.symbol === 'oz' && to.kind === 'volume') return inUnit({ amount, unit: unitOf('fl oz') as Unit }, to);
    if (to.symbol === 'oz' && unit.kind === 'volume') return inUnit({ amount, unit }, unitOf('fl oz') as Unit);
    throw new TaskError(
      `${unit.symbol} is a unit of ${unit.kind} and ${to.symbol} of ${to.kind}: one cannot be turned into the other.`,
    );
  }
  if (unit.symbol === to.symbol) return amount;
  if (unit.kind === 'temperature') {
    const base = kelvin(amount, unit.symbol);
    if (base < -1e-9) throw new TaskError(`${amount} ${unit.symbol} is below absolute zero.`);
    // Exactly 0 °C for 32 °F, without rounding through kelvins.
    return tidy(Number(ofKelvin(base, to.symbol).toFixed(10)));
  }
  if (unit.kind === 'fuel economy') {
    const consumes = (one: Unit): boolean => one.symbol === 'L/100km';
    if (amount <= 0) throw new TaskError('Fuel economy is above zero.');
    const per100 = consumes(unit) ? amount : unit.factor / amount;
    return tidy(consumes(to) ? per100 : to.factor / per100);
  }
  return tidy((amount * unit.factor) / to.factor);
}

/** Two or three units that are used together, the largest first: "feet and inches", "hours, minutes and seconds". */
export function mixedOf(to: string): readonly Unit[] | undefined {
  const [, first, second, third] =
    /^(\S{1,20}?)(?:(?:, ?| )(\S{1,20}?))?,? (?:and|&) (\S{1,20})$/i.exec(to.trim()) ?? [];
  const units = [first, second, third].filter((one) => one !== undefined).map((one) => unitOf(one));
  const fits = units.every((unit, at) => {
    const next = units[at + 1];
    if (unit === undefined || unit.kind === 'temperature' || unit.kind === 'fuel economy') return false;
    if (at === units.length - 1) return true;
    const ratio = unit.factor / (next?.factor ?? 0);
    return unit.kind === next?.kind && ratio > 1.5 && ratio <= 1_000 && Math.abs(ratio - Math.round(ratio)) < 1e-6;
  });
  return fits && units.length > 1 ? (units as readonly Unit[]) : undefined;
}

const TIME_NAMES: Readonly<Record<string, string>> = { d: 'day', wk: 'week', mo: 'month', yr: 'year' };

/** An amount in all these units, the larger ones whole: "5 ft 10.87 in", "−1 h 30 min". */
export function inMixed(quantity: Quantity, units: readonly Unit[]): string {
  const smallest = units.at(-1) as Unit;
  const all = inUnit(quantity, smallest);
  let rest = Math.round(Math.abs(all) * 100);
  const parts = units.map((unit, at) => {
    const size = Math.round(unit.factor / smallest.factor) * 100;
    const count = at === units.length - 1 ? rest / 100 : Math.floor(rest / size);
    rest -= count * size;
    const name = unit.kind === 'time' ? (TIME_NAMES[unit.symbol] ?? unit.symbol) : unit.symbol;
    return `${count} ${name}${name === unit.symbol || count === 1 ? '' : 's'}`;
  });
  return `${all < 0 ? '-' : ''}${parts.join(' ')}`;
}
