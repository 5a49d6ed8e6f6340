import type { AccountSessions } from '../../core/sign-in/account-sessions.ts';
import type { SessionCookie } from '../../http/session-cookie.ts';
import type { SignedIn } from './issuers-parts.ts';

interface People {
  readonly sessions: AccountSessions;
  /** Holds a session's id. */
  readonly cookie: SessionCookie;
}

/** The account of a browser, by its cookie. */
export function signedIn({ sessions, cookie }: People): SignedIn {
  const find = async (cookies: string) => {
    const id = cookie.read(cookies, true) ?? cookie.read(cookies, false);
    return id === undefined ? undefined : sessions.find(id);
  };
  return {
    account: async (cookies) => (await find(cookies))?.account_id,
    async end(cookies) {
      const found = await find(cookies);
      if (found !== undefined) await sessions.end(found.account_id, found.hash);
    },
  };
}
