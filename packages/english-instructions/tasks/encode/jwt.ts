import type * as Jose from 'jose';
import { lazyPackage } from '../lazy-package.ts';
import { TaskError } from '../task.ts';
import type { Output } from './schema.ts';

const jose = lazyPackage<typeof Jose>('jose');
/** A JSON Web Token with three parts, the first of which begins with `{"`. */
export const TOKEN = /^(?:bearer )?(eyJ[\w-]{5,}\.[\w-]{2,}\.[\w-]*)$/i;

const NOTE = 'The signature was NOT checked: anyone could have written this token.';

/** The contents of a token, with times relative to `now`, in ms. Throws TaskError. */
export function readJwt(text: string, now: number): Output {
  const token = text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  const parts = token.split('.');
  if (parts.length === 5) throw new TaskError('This token is encrypted (JWE): it cannot be read without its key.');
  if (parts.length !== 3) {
    throw new TaskError(`A JWT has three parts with a dot between them; this has ${parts.length}.`);
  }
  const header = readPart('header', () => jose().decodeProtectedHeader(token));
  const payload = readPart('payload', () => jose().decodeJwt(token));
  const times: [string, string][] = [];
  for (const [claim, label] of TIMES) {
    const value = payload[claim];
    if (typeof value === 'number') times.push([claim, `${label(value * 1_000 <= now)} ${inWords(value, now)}`]);
  }
  return {
    result: payload,
    as: 'jwt',
    header,
    payload,
    times: Object.fromEntries(times),
    signature_checked: false,
    note: NOTE,
  };
}

const TIMES: readonly (readonly [string, (past: boolean) => string])[] = [
  ['iat', () => 'issued'],
  ['nbf', (past) => (past ? 'valid since' : 'not valid before')],
  ['exp', (past) => (past ? 'expired' : 'expires')],
];

function readPart<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new TaskError(`The ${name} of this token is not JSON in base64url.`);
  }
}

let formats: { readonly dates: Intl.DateTimeFormat; readonly ago: Intl.RelativeTimeFormat } | undefined;
/** Created with the first token, because that takes longer than reading one. */
const makeFormats = (): NonNullable<typeof formats> => ({
  dates: new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
    hourCycle: 'h23',
  }),
  ago: new Intl.RelativeTimeFormat('en', { numeric: 'always' }),
});
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

function inWords(seconds: number, now: number): string {
  if (Math.abs(seconds) > 8.64e12) return `at ${seconds}, which is no date`;
  const away = seconds - now / 1_000;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? (['second', 1] as const);
  formats ??= makeFormats();
  return `${formats.dates.format(seconds * 1_000)} UTC (${formats.ago.format(Math.trunc(away / length), unit)})`;
}
