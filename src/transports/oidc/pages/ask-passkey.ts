import { stringifySetCookie } from 'cookie';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import { DAY, SECOND } from '../../../core/values/clock.ts';
import { agentOf } from '../../../http/agent.ts';
import type { Answer } from '../../../http/route.ts';
import { askWho } from './ask-who.ts';
import { offerMain } from './passkey-page.ts';
import { isRecent } from './people.ts';
import { messageOf } from './problems.ts';
import { DECLINED, type SignInStep } from './step.ts';

/** Who does not want to be asked for a passkey is not asked again for so long. */
const DECLINED_MS = 180 * DAY;

/** A passkey for the next time: an offer. */
export async function offerPasskey(step: SignInStep): Promise<Answer> {
  const session = offeredTo(step);
  return session === undefined || !step.people.passkeys.possible ? askWho(step) : show(step, session);
}

/** It was taken, or declined; then on to where they were going. */
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

/** Whoever signed in just now: this page is a step of that, and no way around it. */
function offeredTo({ goes_on_as, people }: SignInStep): AccountSession | undefined {
  return goes_on_as !== undefined && isRecent(goes_on_as, people) ? goes_on_as : undefined;
}

async function show(step: SignInStep, session: AccountSession, error?: string): Promise<Answer> {
  const { people, visitor, call, token } = step;
  const view = {
    action: `${step.base}/passkey`,
    token,
    options: await people.passkeys.createOptions(visitor.browser, session),
    label: 'Call it',
    name: call.form.get('name') ?? agentOf(String(call.headers['user-agent'] ?? '')),
    error: error,
  };
  const title = error === undefined ? 'Next time without a code?' : 'Error: Passkey';
  return step.page(error === undefined ? 200 : 422, title, offerMain(view, people.parts.frame));
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
