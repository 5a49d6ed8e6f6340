import { readCode } from '../../../core/sign-in/sign-in.ts';
import type { Answer } from '../../../http/route.ts';
import { codeMain } from './code-page.ts';
import { elsewhereMain, linkMain } from './link-page.ts';
import { type PageCall, type People, peoplePage, queryOf, type Visitor } from './people.ts';
import type { SignInStep } from './step.ts';
import { triesLeft } from './words.ts';

const MAX_TYPED = 100;

/** Asks for the code, or shows how the attempt ended and what to do next. */
export async function askCode(step: SignInStep, attempt: string, error?: string): Promise<Answer> {
  const { people } = step;
  const state = await people.signIns.look({ attempt, browser: step.visitor.browser });
  const outbox = people.mail.place.kind === 'outbox' ? people.mail.place.folder : undefined;
  const view = { ...step.view, attempt, state, error, outbox };
  const wrong = error !== undefined || state === undefined || state.left === 0;
  const status = state === undefined ? 410 : wrong ? 422 : 200;
  return step.page(status, wrong ? 'Error: Code' : 'Type the code', codeMain(view, people.frame));
}

export async function verify(step: SignInStep): Promise<Answer> {
  const attempt = step.field('attempt');
  const code = step.field('code').slice(0, MAX_TYPED);
  const result = await step.people.signIns.verify({ attempt, browser: step.visitor.browser, code });
  if (result.kind !== 'signed_in') step.report({ by: 'code', outcome: result.kind });
  switch (result.kind) {
    case 'signed_in':
      return step.welcome({ account_id: result.account_id, amr: ['otp'] });
    case 'malformed':
      return askCode(step, attempt, 'A code has 8 letters and digits, such as CDFH-3479. This did not use up a try.');
    case 'wrong':
      return askCode(step, attempt, `This is not the code. ${triesLeft(result.left)}.`);
    case 'burnt':
      return askCode(step, attempt);
    case 'expired':
    case 'elsewhere':
      return askCode(step, '');
  }
}

/**
 * The mail's link in a browser that did not request the code, or after the code has ended: it shows the link's code, no
 * button, and sets no cookie.
 */
export function linkElsewhere(call: PageCall, root: string, people: People): Answer {
  const main = elsewhereMain(readCode(queryOf(call, 'code')));
  return peoplePage(200, { title: 'Your code', root, main, headers: { 'referrer-policy': 'no-referrer' } }, people);
}

/** Whether the mail's link was opened in the browser that requested its code, and the code is still valid. */
export async function isOwnLink(call: PageCall, { browser }: Visitor, { signIns }: People): Promise<boolean> {
  if (readCode(queryOf(call, 'code')) === undefined) return false;
  const state = await signIns.look({ attempt: queryOf(call, 'attempt'), browser });
  return state !== undefined && state.left > 0;
}

/** The mail's link in the browser that requested its code: one button; opening it changes nothing. */
export async function offerCode(step: SignInStep): Promise<Answer> {
  const attempt = step.query('attempt');
  const code = readCode(step.query('code'));
  const { signIns } = step.people;
  const state = await signIns.look({ attempt, browser: step.visitor.browser });
  if (state === undefined || code === undefined) return askCode(step, attempt);
  const main = linkMain({ ...step.view, attempt, code, state }, step.people.frame);
  // With `no-referrer` the form would send `Origin: null`; this policy hides the query as well.
  return step.page(200, 'Sign in', main, { 'referrer-policy': 'strict-origin' });
}
