import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError } from '@mailroom/behavior/values/error';
import type { Caller } from '../../../core/access/caller.ts';
import type { Session, Sessions } from '../../../core/access/sessions.ts';
import type { Uploads } from '../../../core/files/uploads.ts';
import { inAuditScope } from '../../../core/ports/audit-scope.ts';
import { type Html, html } from '../../../http/html.ts';
import type { LocalRoutes } from '../../../http/local-routes.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, FormFiles, Route } from '../../../http/route.ts';
import { cookieHeader, type SessionCookie } from '../../../http/session-cookie.ts';
import { pageAnswer } from '../layout.ts';
import { Api } from './api.ts';
import { requirePage } from './page-scopes.ts';
import { signInPage } from './sign-in-page.ts';

/** What finding the session of a request needs. */
export interface ConsoleAccess {
  /** The routes of the API, and those for sessions. */
  readonly routes: LocalRoutes;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
}

/** The signed-in session, for a handler of the console. */
export interface Signed {
  readonly session: Session;
  /** The same rights as with the session's key. */
  readonly caller: Caller & { readonly kind: 'key' };
  /** The API, called as who is signed in. */
  readonly api: Api;
  /** The CSRF token of each form. */
  readonly token: string;
}

/** What most pages of the console show or need. */
export interface PageView {
  readonly errors: readonly FieldError[];
  /** The confirmation of the last action. */
  readonly done: string | undefined;
  readonly signed: Signed;
  readonly now: Millis;
}

export type SignedCall = Pick<
  Call,
  'method' | 'query' | 'form' | 'headers' | 'gone' | 'secure' | 'request_id' | 'upload' | 'upload_error'
> & {
  readonly params: Readonly<Record<string, string>>;
};
type Handle = (call: SignedCall, signed: Signed) => Promise<Answer> | Answer;

/** Pages of the console are private: no cache stores them. */
export const PRIVATE = { 'cache-control': 'no-store' } as const;

/** Redirects after a form to a relative location, so that a reload does not send the form again. */
export const seeOther = (location: string, headers: Answer['headers'] = {}): Answer => ({
  status: 303,
  headers: { location, ...PRIVATE, ...headers },
});

/** The hidden field with the CSRF token. */
export const tokenField = ({ token }: Signed): Html => html`<input type="hidden" name="csrf" value="${token}">`;

/** The session of this request, and its id. Its cookie opens the console only, not the API over HTTP. */
async function sessionOf(call: Pick<Call, 'headers' | 'secure'>, { sessions, cookie }: ConsoleAccess) {
  const id = cookie.read(cookieHeader(call), call.secure);
  const session = id === undefined ? undefined : await sessions.find(id);
  return id === undefined || session === undefined ? undefined : { id, session };
}

/** Who is signed in as this request is made; undefined for no one. */
export async function signedIn(
  call: Pick<Call, 'headers' | 'secure' | 'caller' | 'request_id' | 'gone'>,
  access: ConsoleAccess,
): Promise<Signed | undefined> {
  const found = await sessionOf(call, access);
  if (found === undefined) return undefined;
  const { id, session } = found;
  const { key, hash } = session;
  const caller = { kind: 'key', key, network: call.caller.network, session: hash.slice(0, 16) } as const;
  return { session, caller, api: new Api(access.routes, call, caller), token: access.cookie.token(id) };
}

/** A page for who is signed in and has a role for it; everyone else gets the sign-in page. */
export const signedPage = (path: string, access: ConsoleAccess, handle: Handle): Route =>
  pageRoute('GET', path, {
    async handle(call) {
      const signed = await signedIn(call, access);
      if (signed === undefined) return signedOut(call, path, access);
      requirePage(signed.session.key, path);
      return handle(call as unknown as SignedCall, signed);
    },
  });

/**
 * A form of a signed-in owner, with files where it has `uploads`. AppError `access_denied` unless it was sent from a page
 * of this session.
 */
export const signedForm = (path: string, access: ConsoleAccess, handle: Handle, uploads?: Uploads): Route =>
  pageRoute('POST', path, {
    form: true,
    ...(uploads && { form_files: filesOf(uploads, path, access) }),
    async handle(call) {
      const signed = await signedIn(call, access);
      if (signed === undefined) return signedOut(call, path, access, true);
      checkToken(call, access);
      requirePage(signed.session.key, path);
      const origin = { channel: 'web', network: call.caller.network } as const;
      return inAuditScope({ origin, key: signed.session.key }, () => handle(call as unknown as SignedCall, signed));
    },
  });

/** Files are stored for a signed-in owner's own form, whose token comes before them. */
const filesOf = (uploads: Uploads, path: string, access: ConsoleAccess): FormFiles => ({
  max: uploads.limits.max_files,
  async begin(call) {
    const found = await sessionOf(call, access);
    if (found === undefined) throw new AppError('access_denied', 'You are signed out. Sign in and send it again.');
    checkToken(call, access);
    requirePage(found.session.key, path);
    return uploads.begin(found.session.namespace.id);
  },
});

/** AppError `access_denied` unless the form was sent from a page of this session. */
function checkToken({ headers, secure, form }: Pick<Call, 'headers' | 'secure' | 'form'>, access: ConsoleAccess): void {
  const id = access.cookie.read(String(headers.cookie), secure) ?? '';
  if (access.cookie.isToken(id, form.get('csrf'))) return;
  throw new AppError(
    'access_denied',
    'This form does not belong to your session, so nothing was changed. Reload the page and send it again.',
  );
}

/** The sign-in page in place of the requested one; an ended session gets a reason. */
function signedOut(
  call: Pick<Call, 'headers' | 'secure' | 'params'>,
  path: string,
  { cookie }: ConsoleAccess,
  sent = false,
): Answer {
  const knownBrowser = cookie.isThere(cookieHeader(call), call.secure);
  const params = call.params as Readonly<Record<string, string>>;
  const next = sent
    ? ''
    : path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const note = sent ? 'unsent' : knownBrowser ? 'ended' : undefined;
  const root = (['', '../', '../../'] as const)[path.split('/').length - 2] ?? '../../';
  const status = sent || knownBrowser || root !== '' ? 403 : 200;
  const headers = { ...PRIVATE, ...(knownBrowser ? { 'set-cookie': cookie.clear(call.secure) } : {}) };
  return pageAnswer(status, signInPage({ root, next, note }), headers);
}
