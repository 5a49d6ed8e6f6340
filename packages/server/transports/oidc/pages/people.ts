import { type Clock, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { MailTarget } from '../../../core/outgoing/service-mail.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { AccountSession, AccountSessions } from '../../../core/sign-in/account-sessions.ts';
import type { SignInEvent, SignIns } from '../../../core/sign-in/sign-in.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Limiters } from '../../../http/limits.ts';
import type { Frame } from '../../../http/page.ts';
import type { Answer, Call } from '../../../http/route.ts';
import { cookieHeader, type SessionCookie } from '../../../http/session-cookie.ts';
import type { Passkeys } from '../passkeys.ts';

/** What the sign-in and account pages use. */
export interface People {
  readonly passkeys: Passkeys;
  readonly signIns: SignIns;
  readonly sessions: AccountSessions;
  /** Holds a session's id. */
  readonly cookie: SessionCookie;
  /** Identifies a browser, signed in or not. */
  readonly browserCookie: SessionCookie;
  readonly log: Readonly<Record<'info' | 'warn', (event: SignInEvent, text: string) => void>>;
  readonly store: Pick<Store, 'accounts'>;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly frame: Frame;
  /** Where outgoing mail is delivered, for pages to show. */
  readonly mail: { readonly place: MailTarget };
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'pages' | 'codes' | 'codesAsked'>;
}

export type PageCall = Pick<Call, 'headers' | 'secure' | 'caller' | 'form' | 'query' | 'request_id' | 'raw'> & {
  readonly params: Readonly<Record<string, string>>;
};

/** The browser that sent a request and its signed-in account. */
export interface Visitor {
  /** A secret that only this browser holds. */
  readonly browser: string;
  /** Cookies for a browser that had none. */
  readonly cookies: readonly string[];
  readonly session: AccountSession | undefined;
  /** The token that ties a form to this browser and these pages; `path` is where they begin. */
  readonly token: (path: string) => string;
}

/** One value of the query; empty when it is missing or repeated. */
export const queryOf = ({ query }: Pick<PageCall, 'query'>, name: string): string => {
  const value = query[name];
  return typeof value === 'string' ? value : '';
};

/** The visitor of a page; `fresh` is the id for a browser without a cookie. */
export async function visitorOf(call: PageCall, people: People, fresh: string): Promise<Visitor> {
  const { cookie, browserCookie, sessions } = people;
  const header = cookieHeader(call);
  const cookieValue = browserCookie.read(header, call.secure);
  const browser = cookieValue ?? fresh;
  const id = cookie.read(header, call.secure);
  return {
    browser,
    cookies: cookieValue === undefined ? [browserCookie.write(browser, call.secure)] : [],
    session: id === undefined ? undefined : await sessions.find(id),
    token: (path) => browserCookie.token(`${browser}:${path}`),
  };
}

/**
 * The visitor who sent a form of the pages below `path`. AppError `access_denied` when the form was not made for this
 * browser.
 */
export async function senderOf(call: PageCall, people: People, path: string): Promise<Visitor> {
  const { browserCookie } = people;
  const cookieValue = browserCookie.read(cookieHeader(call), call.secure);
  if (cookieValue === undefined || !browserCookie.isToken(`${cookieValue}:${path}`, call.form.get('csrf'))) {
    throw new AppError(
      'access_denied',
      'This form does not belong to this browser, so nothing was done. Open the page again and send it from there; cookies must be enabled.',
    );
  }
  return visitorOf(call, people, cookieValue);
}

const RECENT_MS: Millis = HOUR;

/**
 * Whether the sign-in is recent enough for sensitive changes, so that a person at an unlocked browser cannot take over
 * or delete the account (OWASP ASVS 5.0, 7.5.1).
 */
export const isRecent = ({ at }: Pick<AccountSession, 'at'>, { clock }: Pick<People, 'clock'>): boolean =>
  Math.abs(clock() - at) <= RECENT_MS;

/** The hidden field with the form's token. */
export const tokenField = (visitor: Pick<Visitor, 'token'>, path: string): Html =>
  html`<input type="hidden" name="csrf" value="${visitor.token(path)}">`;

/** The pages are personal, so no cache may keep them. */
const PRIVATE = { 'cache-control': 'no-store' } as const;

/** Redirects after a form, so that a reload does not send it again. */
export const seeOther = (location: string, cookies: readonly string[] = []): Answer => ({
  status: 303,
  headers: { location, ...PRIVATE, ...setCookies(cookies) },
});

const setCookies = (cookies: readonly string[]): Record<string, readonly string[]> =>
  cookies.length === 0 ? {} : { 'set-cookie': cookies };

export interface PeoplePage {
  readonly title: string;
  /** The relative path from the page to the root. */
  readonly root: string;
  readonly main: Html;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** With the site's header and footer; without them the page has one purpose and no links elsewhere. */
  readonly framed?: boolean;
}

/** An answer with one of these pages. */
export function peoplePage(
  status: number,
  page: PeoplePage,
  { frame, baseUrl }: Pick<People, 'frame' | 'baseUrl'>,
): Answer {
  const { title, root, main, framed = false } = page;
  const body = frame.page({
    title: `${title} · Mailroom`,
    root,
    private: true,
    styles: framed ? ['console-pages.css', 'people.css'] : ['people.css'],
    scripts: ['people.js'],
    ...(framed ? { main } : { frame: 'bare', main: alone(main, root, frame.brand(root), new URL(baseUrl()).host) }),
  });
  return {
    status,
    body,
    headers: { ...frame.headers, ...PRIVATE, ...page.headers, ...setCookies(page.cookies ?? []) },
  };
}

const alone = (main: Html, root: string, brand: Html, host: string): Html => html`<div class="alone">
<header>${brand}</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer class="meta">This page belongs to <b>${host}</b>. It never asks for a password. <a href="${root}account">Your account</a></footer>
</div>`;

/** The relative path from a page at `path` to the root. */
export const rootOf = (path: string): string => '../'.repeat(path.split('/').length - 1);
