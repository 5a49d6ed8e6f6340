import { AppError } from '@mailroom/behavior/values/error';
import { count } from '../../../http/limits.ts';
import { problemHeaders } from '../../../http/problems.ts';
import type { Answer } from '../../../http/route.ts';
import { messageOf } from './problems.ts';
import { signInMain } from './sign-in-page.ts';
import type { SignInStep } from './step.ts';

interface Said {
  readonly status?: number;
  readonly address?: string;
  readonly error?: string;
  readonly passkeyError?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_ADDRESS = 400;

/** Asks for the address or a passkey. */
export async function askWho(step: SignInStep, feedback: Said = {}): Promise<Answer> {
  const { purpose, visitor, people } = step;
  const other = step.call.query.other !== undefined || feedback.status !== undefined;
  const session = other ? undefined : step.signed_in_as;
  const asks = people.passkeys.possible && session === undefined;
  const view = {
    ...step.view,
    address: feedback.address ?? purpose.hint,
    error: feedback.error,
    passkeyError: feedback.passkeyError,
    session,
    options: asks ? await people.passkeys.getOptions(visitor.browser) : undefined,
    cancels: purpose.deny !== undefined,
    notice: NOTICES[step.query('note')],
  };
  const title = purpose.service === undefined ? 'Sign in' : `Sign in to ${hostOf(purpose.service.origin)}`;
  const wrong = feedback.error !== undefined || feedback.passkeyError !== undefined;
  const main = signInMain(view, people.frame);
  return step.page(feedback.status ?? 200, wrong ? `Error: ${title}` : title, main, feedback.headers);
}

/** Sends a code to the typed address; the answer and the work are the same for every address. */
export async function sendCode(step: SignInStep): Promise<Answer> {
  const { signIns } = step.people;
  const typed = step.field('address').slice(0, MAX_ADDRESS);
  let address: string;
  try {
    address = signIns.address(typed);
  } catch (error) {
    return askWho(step, { status: 422, address: typed, error: messageOf(error) });
  }
  const refused = await tooMany(step, address);
  if (refused !== undefined) {
    const problem = `${refused.message} The last code sent to you still works in the browser that asked for it.`;
    return askWho(step, { status: 429, address: typed, error: problem, headers: problemHeaders(refused) });
  }
  step.report({ by: 'code', outcome: 'asked' });
  const { attempt } = await signIns.begin({
    address,
    browser: step.visitor.browser,
    from_mailbox_id: step.purpose.from_mailbox_id,
    origin: step.purpose.service?.origin ?? new URL(step.url).origin,
    link: (of, code) => `${step.url}/link?${new URLSearchParams({ attempt: of, code })}`,
  });
  return step.goTo(`/code?${new URLSearchParams({ attempt })}`);
}

async function tooMany({ people, call }: SignInStep, address: string): Promise<AppError | undefined> {
  const { rateLimits, limiters } = people;
  if (!rateLimits) return undefined;
  const { network } = call.caller;
  const asked = await count([limiters.codesAsked], network);
  if (asked.refused !== undefined) return asked.refused;
  const { refused } = await count([limiters.codes], address);
  if (refused !== undefined) limiters.codesAsked.refund(network);
  return refused;
}

/** Signs in with the passkey that answered the page's challenge. */
export async function byPasskey(step: SignInStep): Promise<Answer> {
  const { passkeys, sessions } = step.people;
  try {
    const who = await passkeys.signIn(step.visitor.browser, step.field('response'));
    if ((await sessions.person(who.account_id)) === undefined) {
      throw new AppError('validation_error', 'The address of this passkey was deleted. Sign in with another.');
    }
    return await step.welcome(who);
  } catch (error) {
    const passkeyError = messageOf(error);
    step.report({ by: 'passkey', outcome: 'refused' });
    return askWho(step, { status: 422, passkeyError });
  }
}

const NOTICES: Readonly<Record<string, string>> = {
  again: 'You signed in more than an hour ago. Sign in again to make this change.',
  out: 'You are signed out.',
  everywhere: 'You are signed out everywhere.',
  deleted: 'Your account is deleted.',
};

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host || origin : origin);
