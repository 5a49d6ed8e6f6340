import { withoutTrailing } from '@mailroom/behavior/values/trailing';

const EXACT_DIGITS = 10;
const SHOWN_DIGITS = 6;
const MIN_DECIMALS = 2;

/** A number for people. */
export interface Figure {
  /** With thousands separators. */
  readonly text: string;
  /** Whether digits were left out. */
  readonly rounded: boolean;
}

const inThousands = (digits: string): string => {
  const lead = digits.length % 3;
  return [digits.slice(0, lead), ...(digits.slice(lead).match(/\d{3}/g) ?? [])].filter((one) => one !== '').join(',');
};

/** A number as written in digits; what has more than ten significant ones and decimals is rounded to six, or to hundredths. */
export function figureOf(value: number | string): Figure {
  const written = String(value);
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(written) ?? [];
  if (whole === '') return { text: written, rounded: false };
  const significant = `${whole}${decimals}`.replace(/^0+/, '').length;
  if (decimals === '' || significant <= EXACT_DIGITS)
    return { text: `${sign}${inThousands(whole)}${decimals === '' ? '' : `.${decimals}`}`, rounded: false };
  const places = Math.max(MIN_DECIMALS, decimals.length - (significant - SHOWN_DIGITS));
  const [near = '', rest = ''] = Math.abs(Number(written)).toFixed(Math.min(places, 100)).split('.');
  const shown = withoutTrailing(rest, '0');
  return { text: `${sign}${inThousands(near)}${shown === '' ? '' : `.${shown}`}`, rounded: true };
}

/** "1st", "12th", "23rd". */
export const ordinal = (n: number): string => {
  const end = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${end}`;
};
