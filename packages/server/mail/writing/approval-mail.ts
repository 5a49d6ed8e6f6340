import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Message } from '../../core/entities/message.ts';
import { isSettled } from '../../core/entities/message.ts';
import type { ApprovalQuestion, ApprovalResult } from '../../core/mail-in/approvals/approval-mails.ts';
import type { Html } from '../../http/html.ts';
import { html } from '../../http/html.ts';
import { EDGE, mailPage, QUIET, STYLES, withBreaks } from './html.ts';

/** A step as a person reads it. */
interface Step {
  readonly does: string;
  readonly text: string | undefined;
  readonly effects: 'none' | 'reads' | 'writes' | undefined;
}

/** A plan that waits for approval. */
interface PlanMail {
  /** The address whose behavior made the plan. */
  readonly address: string;
  /** Who asked for it. */
  readonly sender: string;
  /** What they wrote. */
  readonly asked: string;
  readonly steps: readonly Step[];
  /** The owner's address, from which an answer counts. */
  readonly to: string;
  /** Where the console shows it. */
  readonly url: string;
  /** Until when an answer counts, as a text; undefined where none does. */
  readonly until: string | undefined;
}

interface ApprovalTextParts {
  readonly mailDomain: string;
  readonly baseUrl: () => string;
  /** The steps of a plan as people read them; undefined for one that no mail can show. */
  readonly stepsOf: (plan: string, mailbox: Mailbox) => readonly Step[] | undefined;
}

/** A mail of the service: its plain text and its HTML say the same. */
interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const EFFECTS = { none: 'no effects', reads: 'reads outside data', writes: 'makes changes' } as const;
/** Characters of the message that are shown. */
const MAX_ASKED = 1_000;
/** Characters of all steps; a longer plan is read in the console. */
const MAX_STEPS = 20_000;

/** Each line begins with a mark, so that no text of others looks like one of the mail itself. */
const quoted = (text: string, mark: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => `${mark}${line}`.trimEnd())
    .join('\n');

const block = (text: string): Html =>
  html`<blockquote dir="auto" style="${STYLES.blockquote};white-space:pre-wrap">${withBreaks(text)}</blockquote>`;

/** Asks an owner to approve a plan. It shows all of it, or undefined when it is too long for a mail. */
function planMail(plan: PlanMail): Written | undefined {
  const { address, sender, steps, to, url, until } = plan;
  const length = steps.reduce((sum, { does, text = '' }) => sum + does.length + text.length, 0);
  if (length > MAX_STEPS) return undefined;
  const request = plan.asked.length > MAX_ASKED ? `${plan.asked.slice(0, MAX_ASKED).toWellFormed()}…` : plan.asked;
  const intro = `${address} waits for your approval. Nothing has run yet.`;
  const how =
    until === undefined
      ? 'Approve or refuse it in the console:'
      : `Answer this mail with “yes” to run exactly these steps, or with “no” and, if you like, a reason that the sender sees. An answer counts from ${to}, until ${until}. Or decide in the console:`;
  const effectsOf = ({ effects }: Step): string => (effects === undefined ? '' : ` (${EFFECTS[effects]})`);
  const list = steps.map((step, at) => {
    const more = step.text === undefined ? '' : `\n${quoted(step.text, '   | ')}`;
    return `${at + 1}. ${step.does.replace(/\s+/g, ' ')}${effectsOf(step)}${more}`;
  });
  return {
    subject: `Approve a plan of ${address}?`,
    text: `${intro}

What it would do:

${list.join('\n\n')}

${how}
${url}

It was asked by ${sender}:

${quoted(request, '   | ')}
`,
    html: mailPage(html`<p style="${STYLES.p}"><b dir="ltr">${address}</b> waits for your approval. Nothing has run yet.</p>
<p style="${STYLES.p}">What it would do:</p>
<ol style="${STYLES.ol}">${steps.map(
      (step) =>
        html`<li style="${STYLES.li}"><b dir="auto">${step.does}</b>${
          step.effects !== undefined && html` <span style="${QUIET}">${EFFECTS[step.effects]}</span>`
        }${step.text !== undefined && block(step.text)}</li>`,
    )}</ol>
<p style="${STYLES.p};padding:10px 12px;border:1px solid ${EDGE};border-radius:6px">${
      until === undefined
        ? html`Approve or refuse it in the console.`
        : html`Answer this mail with “<b>yes</b>” to run exactly these steps, or with “<b>no</b>” and, if you like, a reason that the sender sees. An answer counts from ${to}, until ${until}.`
    }</p>
<p style="${STYLES.p}"><a href="${url}">${until === undefined ? 'Decide in the console' : 'Or decide in the console'}</a></p>
<p style="${STYLES.p};${QUIET}">It was asked by <span dir="auto">${sender}</span>:</p>${block(request)}`),
  };
}

/** Says what came of an answer to such a mail, or why nothing was done. */
function resultMail(sentence: string, url: string): Omit<Written, 'subject'> {
  return {
    text: `${sentence}\n\n${url}\n`,
    html: mailPage(
      html`<p style="${STYLES.p}">${withBreaks(sentence)}</p><p style="${STYLES.p}"><a href="${url}">Open it in the console</a></p>`,
    ),
  };
}

/** How owners are asked to approve plans, and how their answers are confirmed. */
export function approvalTexts({ mailDomain, baseUrl, stepsOf }: ApprovalTextParts) {
  const urlOf = (id: string): string => `${baseUrl()}/console/messages/${id}`;
  return {
    question({ message, mailbox, to, until }: ApprovalQuestion): Written | undefined {
      const steps = stepsOf(message.plan, mailbox);
      return (
        steps &&
        planMail({
          address: fullAddress(addressOf(mailbox), mailDomain),
          sender: senderOf(message, mailDomain),
          // A mail without a text says it in its subject.
          asked: message.body.trim() === '' ? (message.subject ?? '') : message.body,
          steps,
          to,
          url: urlOf(message.id),
          until:
            until === undefined ? undefined : `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        })
      );
    },
    result: (result: ApprovalResult, message: Message | undefined, id: string): Written => ({
      subject: '',
      ...resultMail(sentenceOf(result, message), urlOf(id)),
    }),
  };
}

/** Who sent a message, in a few words. */
function senderOf({ sender_kind, sender_id, from }: Message, mailDomain: string): string {
  if (from !== null) return fullAddress(from, mailDomain);
  if (sender_kind === 'email') return `${sender_id}, by mail`;
  return sender_kind === 'guest' ? 'a person without a key' : 'a program with a key';
}

function sentenceOf(result: ApprovalResult, message: Message | undefined): string {
  switch (result.kind) {
    case 'approved':
      return 'You approved the plan. It runs now.';
    case 'refused':
      return result.reason === undefined
        ? 'You refused the plan. Nothing of it runs.'
        : `You refused the plan. Nothing of it runs, and the sender sees your reason:\n\n${result.reason}`;
    case 'unclear':
      return 'Nothing was done: your answer is neither a plain “yes” nor a plain “no”. Answer again with one of these words alone, “no” with a reason beside it if you like, or decide in the console.';
    case 'changed':
      return 'Nothing was done: the message waits with another plan by now. Read and decide on that one in the console.';
    case 'over': {
      if (message === undefined) return 'Nothing was done: the message was deleted.';
      const how = isSettled(message.status) ? `it is ${message.status.replace('_', ' ')}` : 'it was decided before';
      return `Nothing was done: the plan no longer waits, ${how}.`;
    }
  }
}
