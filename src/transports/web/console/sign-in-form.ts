import type { Caller } from '../../../core/access/caller.ts';
import type { Session } from '../../../core/access/sessions.ts';
import { AppError } from '../../../core/values/error.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import type { Parts } from '../../../http/parts.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import { hidden } from '../routes.ts';
import { signInPage } from './sign-in-page.ts';

/** Who is signed in, for a handler of the console. */
export interface Signed {
  readonly session: Session;
  /** As if the key had been shown: what the console does, the key's owner does. */
  readonly caller: Caller & { readonly kind: 'key' };
  /** What each form holds. */
  readonly token: string;
}

export type SignedCall = Pick<Call, 'query' | 'form' | 'headers' | 'gone' | 'secure'> & {
  readonly params: Readonly<Record<string, string>>;
};
type Handle = (call: SignedCall, signed: Signed) => Promise<Answer> | Answer;

/** A page of the console is nobody else's: no cache keeps it. */
export const PRIVATE = { 'cache-control': 'no-store' } as const;

/** Where to after a form, relative to it; a reload then sends nothing again. */
export const seeOther = (location: string, headers: Answer['headers'] = {}): Answer => ({
  status: 303,
  headers: { location, ...PRIVATE, ...headers },
});

/** What shows a form to be of this session. */
export const tokenField = ({ token }: Signed): Html => html`<input type="hidden" name="csrf" value="${token}">`;

/** Who is signed in on this request; undefined for nobody. Cookies open the console and nothing else. */
export async function signedIn(
  call: Pick<Call, 'headers' | 'secure' | 'caller'>,
  { sessions, cookie }: Parts,
): Promise<Signed | undefined> {
  const { cookie: header } = call.headers;
  const id = cookie.read(header === undefined ? undefined : String(header), call.secure);
  const session = id === undefined ? undefined : await sessions.find(id);
  if (id === undefined || session === undefined) return undefined;
  const caller = { kind: 'key', key: session.key, network: call.caller.network } as const;
  return { session, caller, token: cookie.token(id) };
}

/** A page for who is signed in; everybody else is asked for a key. */
export const signedPage = (path: string, parts: Parts, handle: Handle): Route =>
  route({
    ...hidden('GET', path),
    async handle(call) {
      const signed = await signedIn(call, parts);
      if (signed !== undefined) return handle(call as unknown as SignedCall, signed);
      return signedOut(call, path, parts);
    },
  });

/** A form of who is signed in, sent from this session's own page. AppError `access_denied` for any other. */
export const signedForm = (path: string, parts: Parts, handle: Handle): Route =>
  route({
    ...hidden('POST', path),
    form: true,
    async handle(call) {
      const signed = await signedIn(call, parts);
      if (signed === undefined) return signedOut(call, path, parts, true);
      const id = parts.cookie.read(String(call.headers.cookie), call.secure) ?? '';
      if (!parts.cookie.isToken(id, call.form.get('csrf'))) {
        throw new AppError(
          'access_denied',
          'This form is not of this session, so nothing was changed. Open the page again and send it from there.',
        );
      }
      return handle(call as unknown as SignedCall, signed);
    },
  });

const rootOf = (path: string): '' | '../' | '../../' => {
  const depth = path.split('/').length - 2;
  return depth === 0 ? '' : depth === 1 ? '../' : '../../';
};

/** The door in place of the page; who was signed in is told why. */
function signedOut(
  call: Pick<Call, 'headers' | 'secure' | 'params'>,
  path: string,
  parts: Parts,
  sent = false,
): Answer {
  const { cookie: header } = call.headers;
  const before = parts.cookie.isThere(header === undefined ? undefined : String(header), call.secure);
  const params = call.params as Readonly<Record<string, string>>;
  const next = sent
    ? ''
    : path.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const note = sent ? 'unsent' : before ? 'ended' : undefined;
  const status = sent || before || rootOf(path) !== '' ? 403 : 200;
  const headers = { ...PRIVATE, ...(before ? { 'set-cookie': parts.cookie.clear(call.secure) } : {}) };
  return pageAnswer(status, signInPage({ root: rootOf(path), next, note }), headers);
}
