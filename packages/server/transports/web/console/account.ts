import { type Clock, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import type { Key } from '../../../core/entities/key.ts';
import type { AccountSession, AccountSessions } from '../../../core/sign-in/account-sessions.ts';
import { agentOf } from '../../../http/agent.ts';
import { type ReturnTo, returnCookie } from '../../../http/return-cookie.ts';
import type { Answer, Call } from '../../../http/route.ts';
import { cookieHeader, type SessionCookie } from '../../../http/session-cookie.ts';
import { type ConsoleAccess, seeOther } from './sign-in-form.ts';

/**
 * Owning a name takes a sign-in no older than this, so that an unattended browser does not suffice (OWASP ASVS 5.0,
 * 7.5.1).
 */
const RECENT_MS: Millis = HOUR;

/** What finding the account of a browser needs. */
export interface AccountAccess {
  readonly sessions: AccountSessions;
  /** Holds a session's id. */
  readonly cookie: SessionCookie;
}

/** What finding a recent sign-in to an account needs. */
export interface RecentAccount {
  readonly people: AccountAccess;
  readonly clock: Clock;
}

type AccountCall = Pick<Call, 'headers' | 'secure'>;

/** The account that this browser signed in to within the last hour, if any. */
export async function accountOf(
  call: AccountCall,
  { people, clock }: RecentAccount,
): Promise<AccountSession | undefined> {
  const id = people.cookie.read(cookieHeader(call), call.secure);
  const session = id === undefined ? undefined : await people.sessions.find(id);
  return session !== undefined && Math.abs(clock() - session.at) <= RECENT_MS ? session : undefined;
}

/** Ends this browser's account session, if it has one. Returns the `Set-Cookie` headers that delete its cookie. */
export async function endAccount(call: AccountCall, people: AccountAccess): Promise<readonly string[]> {
  const id = people.cookie.read(cookieHeader(call), call.secure);
  const session = id === undefined ? undefined : await people.sessions.find(id);
  if (session === undefined) return [];
  await people.sessions.end(session.account_id, session.hash);
  return [people.cookie.clear(call.secure)];
}

/** Redirects to the account's sign-in, which then returns to a page of the console. */
export const toSignIn = (call: AccountCall, next: ReturnTo): Answer =>
  seeOther('../account/sign-in?other=1', { 'set-cookie': returnCookie(next, call.secure) });

/** Begins a session of the console and ends this browser's previous one. Returns the `Set-Cookie` header. */
export async function openConsole(call: AccountCall, key: Key, { sessions, cookie }: ConsoleAccess): Promise<string> {
  const before = cookie.read(cookieHeader(call), call.secure);
  const known = before === undefined ? undefined : await sessions.find(before);
  if (known !== undefined) await sessions.end(known.hash);
  const id = await sessions.begin(key, agentOf(String(call.headers['user-agent'] ?? '')));
  return cookie.write(id, call.secure);
}
