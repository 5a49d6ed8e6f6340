import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../core/entities/message.ts';
import type { PlanQuestion } from '../../core/mail-in/approvals/approval-mails.ts';
import type { ApprovalResult, Decided } from '../../core/mail-in/approvals/mailed-decisions.ts';
import { html } from '../../http/html.ts';
import { askingMail, block, quoted, requestPart, resultMail, type Written } from './asking-mail.ts';
import { QUIET, STYLES } from './html.ts';
import { LATE, reviewMail, sentenceOfReview } from './review-mail.ts';

/** A step as a person reads it. */
interface Step {
  readonly does: string;
  readonly text: string | undefined;
  readonly effects: 'none' | 'reads' | 'writes' | undefined;
}

interface ApprovalTextParts {
  readonly mailDomain: string;
  readonly baseUrl: () => string;
  /** The steps of a plan as people read them; undefined for one that no mail can show. */
  readonly stepsOf: (plan: string, mailbox: Mailbox) => readonly Step[] | undefined;
}

const EFFECTS = { none: 'no effects', reads: 'reads outside data', writes: 'makes changes' } as const;
/** Characters of all steps; a longer plan is read in the console. */
const MAX_STEPS = 20_000;

/** All that a plan would do; undefined when it is too long for a mail. */
function planPart(steps: readonly Step[]) {
  const length = steps.reduce((sum, { does, text = '' }) => sum + does.length + text.length, 0);
  if (length > MAX_STEPS) return undefined;
  const effectsOf = ({ effects }: Step): string => (effects === undefined ? '' : ` (${EFFECTS[effects]})`);
  const list = steps.map((step, at) => {
    const more = step.text === undefined ? '' : `\n${quoted(step.text)}`;
    return `${at + 1}. ${step.does.replace(/\s+/g, ' ')}${effectsOf(step)}${more}`;
  });
  return {
    text: `What it would do:\n\n${list.join('\n\n')}`,
    html: html`<p style="${STYLES.p}">What it would do:</p>
<ol style="${STYLES.ol}">${steps.map(
      (step) =>
        html`<li style="${STYLES.li}"><b dir="auto">${step.does}</b>${
          step.effects !== undefined && html` <span style="${QUIET}">${EFFECTS[step.effects]}</span>`
        }${step.text !== undefined && block(step.text)}</li>`,
    )}</ol>`,
  };
}

/** How owners are asked to approve plans and what leaves, and how their answers are confirmed. */
export function approvalTexts({ mailDomain, baseUrl, stepsOf }: ApprovalTextParts) {
  const urlOf = (kind: Decided['kind'], id: string): string =>
    `${baseUrl()}/console/${kind === 'plan' ? 'messages' : 'reviews'}/${id}`;
  return {
    planQuestion({ message, mailbox, to, until }: PlanQuestion): Written | undefined {
      const steps = stepsOf(message.plan, mailbox);
      const what = steps && planPart(steps);
      const address = fullAddress(addressOf(mailbox), mailDomain);
      return (
        what &&
        askingMail({
          subject: `Approve a plan of ${address}?`,
          ...{ address, what, to, until },
          waits: 'waits for your approval. Nothing has run yet.',
          yes: 'to run exactly these steps',
          reader: 'the sender sees',
          no: 'refuse',
          url: urlOf('plan', message.id),
          request: requestPart('It was asked by', message, mailDomain),
        })
      );
    },
    reviewQuestion: (question: Parameters<typeof reviewMail>[0]): Written | undefined =>
      reviewMail(question, mailDomain, urlOf('review', question.review.id)),
    result: (result: ApprovalResult, decided: Decided): Written =>
      resultMail(
        decided.kind === 'plan'
          ? sentenceOfPlan(result, decided.message)
          : sentenceOfReview(result, decided.review, UNCLEAR),
        urlOf(decided.kind, decided.id),
      ),
  };
}

const UNCLEAR =
  'Nothing was done: your answer is neither a plain “yes” nor a plain “no”. Answer again with one of these words alone, “no” with a reason beside it if you like, or decide in the console.';

function sentenceOfPlan(result: ApprovalResult, message: Message | undefined): string {
  switch (result.kind) {
    case 'approved':
      return 'You approved the plan. It runs now.';
    case 'refused':
      return result.reason === undefined
        ? 'You refused the plan. Nothing of it runs.'
        : `You refused the plan. Nothing of it runs, and the sender sees your reason:\n\n${result.reason}`;
    case 'unclear':
      return UNCLEAR;
    case 'late':
      return LATE;
    case 'changed':
      return 'Nothing was done: the message waits with another plan by now. Read and decide on that one in the console.';
    case 'own':
    case 'over': {
      if (message === undefined) return 'Nothing was done: the message was deleted.';
      const how = isSettled(message.status) ? `it is ${message.status.replace('_', ' ')}` : 'it was decided before';
      return `Nothing was done: the plan no longer waits, ${how}.`;
    }
  }
}
