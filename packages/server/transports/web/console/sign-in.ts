import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { opensConsole } from '../../../core/access/sessions.ts';
import type { Key } from '../../../core/entities/key.ts';
import type { Authenticator } from '../../../http/authenticate.ts';
import { count, type Limiters } from '../../../http/limits.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { pageAnswer } from '../layout.ts';
import { type AccountAccess, endAccount, openConsole } from './account.ts';
import { type ConsoleAccess, PRIVATE, seeOther, signedForm } from './sign-in-form.ts';
import { signInPage } from './sign-in-page.ts';

/** A page of the console, from the root: redirects after signing in go nowhere else. */
const NEXT = /^console(?:\/[a-z]+(?:\/[\w.@%+-]+)?)?$/;

interface SignInParts extends ConsoleAccess {
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  /** Counts sign-ins of a network. */
  readonly limiters: Pick<Limiters, 'signIns'>;
  readonly people: AccountAccess;
}

/** Signing in by key, and signing out. */
export function signInRoutes(parts: SignInParts): readonly Route[] {
  const { sessions, cookie, clock, limiters } = parts;

  /** The pasted key if it opens a console, else the status that refuses it. */
  async function keyOf(call: Pick<Call, 'form' | 'caller'>): Promise<Key | 403 | 422> {
    const pasted = (call.form.get('key') ?? '').trim();
    try {
      const found = await parts.authenticator.caller(`Bearer ${pasted}`, call.caller.network);
      if (found.kind !== 'key') return 422;
      return opensConsole(found.key, clock()) ? found.key : 403;
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid_key') return 422;
      throw error;
    }
  }

  async function tooFast(network: string): Promise<AppError | undefined> {
    if (!parts.rateLimits) return undefined;
    return (await count([limiters.signIns], network)).refused;
  }

  return [
    pageRoute('POST', '/console', {
      form: true,
      async handle(call): Promise<Answer> {
        const wanted = call.form.get('next') ?? '';
        const next = NEXT.test(wanted) ? wanted : '';
        const refused = await tooFast(call.caller.network);
        if (refused !== undefined) {
          const seconds = Math.max(1, Math.ceil((refused.retry_after_ms ?? 1000) / 1000));
          const wait = { seconds, quota: limiters.signIns.policy.quota };
          return pageAnswer(429, signInPage({ root: '', next, wait }), { ...PRIVATE, 'retry-after': String(seconds) });
        }
        const key = await keyOf(call);
        if (typeof key === 'number') return pageAnswer(key, signInPage({ root: '', next, wrong: true }), PRIVATE);
        // Every sign-in creates a new session id.
        return seeOther(next === '' ? 'console' : next, { 'set-cookie': await openConsole(call, key, parts) });
      },
    }),
    signedForm('/console/sign-out', parts, async (call, { session, api }) => {
      const everywhere = call.form.has('everywhere');
      if (everywhere) await api.json('endSessions');
      else await sessions.end(session.hash);
      const out = everywhere ? 'everywhere' : 'out';
      // Otherwise the account would open the console again without a key.
      const cookies = [cookie.clear(call.secure), ...(await endAccount(call, parts.people))];
      return seeOther(`../console?note=${out}`, { 'set-cookie': cookies });
    }),
  ];
}
