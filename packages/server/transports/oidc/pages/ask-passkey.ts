import { DAY, SECOND } from '@mailroom/behavior/values/clock';
import { stringifySetCookie } from 'cookie';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import { agentOf } from '../../../http/agent.ts';
import type { Answer } from '../../../http/route.ts';
import { askWho } from './ask-who.ts';
import { offerMain } from './passkey-page.ts';
import { isRecent } from './people.ts';
import { messageOf } from './problems.ts';
import { DECLINED, type SignInStep } from './step.ts';

/** How long a browser that declined a passkey is not asked again. */
const DECLINED_MS = 180 * DAY;

/** Offers a passkey for the next sign-in. */
export async function offerPasskey(step: SignInStep): Promise<Answer> {
  const session = offeredTo(step);
  return session === undefined || !step.people.passkeys.possible ? askWho(step) : show(step, session);
}

/** Stores or declines the passkey, then continues the sign-in. */
export async function answerOffer(step: SignInStep): Promise<Answer> {
  const { visitor, purpose, people, call } = step;
  const session = offeredTo(step);
  if (session === undefined) return askWho(step);
  if (step.field('do') !== 'add') return step.leave(await purpose.finish(session), [declined(call.secure)]);
  try {
    await people.passkeys.add(visitor.browser, session, step.field('response'), step.field('name'));
  } catch (error) {
    return show(step, session, messageOf(error));
  }
  return step.leave(await purpose.finish(session));
}

/** The account that signed in just now; this page is a step of that sign-in and cannot be used to bypass it. */
function offeredTo({ signed_in_as, people }: SignInStep): AccountSession | undefined {
  return signed_in_as !== undefined && isRecent(signed_in_as, people) ? signed_in_as : undefined;
}

async function show(step: SignInStep, session: AccountSession, error?: string): Promise<Answer> {
  const { people, visitor, call, token } = step;
  const view = {
    action: `${step.base}/passkey`,
    token,
    options: await people.passkeys.createOptions(visitor.browser, session),
    label: 'Call it',
    name: call.form.get('name') ?? agentOf(String(call.headers['user-agent'] ?? '')),
    error,
  };
  const title = error === undefined ? 'Next time without a code?' : 'Error: Passkey';
  return step.page(error === undefined ? 200 : 422, title, offerMain(view, people.frame));
}

const declined = (secure: boolean): string =>
  stringifySetCookie({
    name: DECLINED,
    value: '1',
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: DECLINED_MS / SECOND,
  });
