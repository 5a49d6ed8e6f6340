import { MINUTE, SECOND } from '@mailroom/behavior/values/clock';
import { parseCookie, stringifySetCookie } from 'cookie';

const NAME = 'mr_go_on';
/** Longer than a sign-in code is valid. */
const KEPT_MS = 15 * MINUTE;
/** The only pages, from the root, that a browser may return to after signing in to the account. */
const PLACES = ['console/enter', 'console/members', 'console/invitations'] as const;
export type ReturnTo = (typeof PLACES)[number];

const write = (value: string, secure: boolean, maxAge: number): string =>
  stringifySetCookie({ name: NAME, value, path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge });

/** The `Set-Cookie` value that makes the browser return to this page after its next sign-in. */
export const returnCookie = (to: ReturnTo, secure: boolean): string => write(to, secure, KEPT_MS / SECOND);

/** The page this browser returns to, if one is set, and the `Set-Cookie` value that removes the cookie. */
export function returnOf(
  cookies: string | undefined,
  secure: boolean,
): { readonly location: ReturnTo; readonly clear: string } | undefined {
  const value = cookies === undefined ? undefined : parseCookie(cookies)[NAME];
  const location = PLACES.find((place) => place === value);
  return location === undefined ? undefined : { location, clear: write('', secure, 0) };
}
