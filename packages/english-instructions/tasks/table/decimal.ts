/** A decimal number, exactly: `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const PLAIN = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** The number of a text such as `-12.50` or `1e3`; undefined for anything else, such as `1,234.50`, `€12` or ``. */
export function decimalOf(text: string): Decimal | undefined {
  const match = PLAIN.exec(text.trim());
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

const atScale = ({ digits, scale }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - scale);

export function sumOf(numbers: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...new Set(numbers.map((one) => one.scale)));
  return { digits: numbers.reduce((sum, one) => sum + atScale(one, scale), 0n), scale };
}

/** Negative when `a` is less than `b`, positive when it is more. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = atScale(a, scale) - atScale(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Digits after the point of a quotient that has no end. */
const QUOTIENT_DIGITS = 12;

/** A number divided by a whole one; rounded half away from zero when the quotient has no end within 12 more digits. */
export function dividedBy(
  { digits, scale }: Decimal,
  by: number,
): { readonly value: Decimal; readonly rounded: boolean } {
  const divisor = BigInt(by);
  const dividend = digits * 10n ** BigInt(QUOTIENT_DIGITS);
  const remainder = dividend % divisor;
  const quotient = dividend / divisor;
  const size = remainder < 0n ? -remainder : remainder;
  const away = size * 2n >= divisor ? (digits < 0n ? -1n : 1n) : 0n;
  return { value: { digits: quotient + away, scale: scale + QUOTIENT_DIGITS }, rounded: remainder !== 0n };
}

/** The number in digits, without zeros at the end of its fraction. */
export function decimalText({ digits, scale }: Decimal): string {
  const negative = digits < 0n;
  const all = String(negative ? -digits : digits).padStart(scale + 1, '0');
  const fraction = all.slice(all.length - scale);
  let end = scale === 0 ? 0 : fraction.length;
  while (end > 0 && fraction[end - 1] === '0') end--;
  const text = all.slice(0, all.length - scale) + (end === 0 ? '' : `.${fraction.slice(0, end)}`);
  return negative ? `-${text}` : text;
}

/** The number where JSON holds it exactly, else its text. */
export function numberOrText(text: string): number | string {
  const number = Number(text);
  return String(number) === text ? number : text;
}
