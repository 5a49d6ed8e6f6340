import { parseCookie, stringifySetCookie } from 'cookie';
import { MINUTE, SECOND } from '../core/values/clock.ts';

const NAME = 'mr_go_on';
/** Longer than a code is good. */
const KEPT_MS = 15 * MINUTE;
/** Pages, from the root, that somebody goes on to once they signed in to their account; nothing else is gone on to. */
const PLACES = ['console/enter', 'console/owners'] as const;
export type ReturnTo = (typeof PLACES)[number];

const write = (value: string, secure: boolean, maxAge: number): string =>
  stringifySetCookie({ name: NAME, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });

/** Has the browser go on to this page after its next sign-in: as `Set-Cookie` has it. */
export const returnCookie = (to: ReturnTo, secure: boolean): string => write(to, secure, KEPT_MS / SECOND);

/** Where this browser goes on to, if it set out from there, and what takes the cookie away. */
export function returnOf(
  cookies: string | undefined,
  secure: boolean,
): { readonly location: ReturnTo; readonly clear: string } | undefined {
  const value = cookies === undefined ? undefined : parseCookie(cookies)[NAME];
  const location = PLACES.find((place) => place === value);
  return location === undefined ? undefined : { location, clear: write('', secure, 0) };
}
