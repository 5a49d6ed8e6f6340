import { fullAddress } from '@mailroom/behavior/values/address';
import type { LeavingMessage, Review } from '../../core/entities/review.ts';
import type { ReviewQuestion } from '../../core/mail-in/approvals/approval-mails.ts';
import type { ApprovalResult } from '../../core/mail-in/approvals/mailed-decisions.ts';
import { html } from '../../http/html.ts';
import { askingMail, block, type Part, quoted, requestPart, type Written } from './asking-mail.ts';
import { QUIET, STYLES } from './html.ts';

/** Characters of all that would leave; a longer message is read in the console. */
const MAX_LEAVING = 20_000;

/** Asks an owner whether a message may leave. It shows all that its hash covers, or undefined when that is too long. */
export function reviewMail(
  { review, answered, to, until }: ReviewQuestion,
  mailDomain: string,
  url: string,
): Written | undefined {
  const what = leavingPart(review);
  if (what === undefined) return undefined;
  const address = fullAddress(review.mailbox, mailDomain);
  return askingMail({
    subject: `May this leave ${address}?`,
    ...{ address, to, until, url },
    waits: 'waits for you to see this message. It has not left.',
    what,
    yes: 'to let exactly this leave',
    reader: 'owners alone see',
    no: 'reject',
    request: answered && requestPart('It answers', answered, mailDomain),
  });
}

type Shown = Pick<Review, 'message' | 'findings'>;

/** All that would leave as plain text, in which no text of it looks like ours; undefined where it is too long. */
export const leavingText = (review: Shown): string | undefined => leavingPart(review)?.text;

function leavingPart({ message, findings }: Shown): Part | undefined {
  if (JSON.stringify(message).length > MAX_LEAVING) return undefined;
  return joined([
    linesPart(headOf(message)),
    textPart('Text', message.body),
    textPart('HTML', message.html),
    textPart('Data', message.data),
    ...(findings.length === 0
      ? []
      : [
          headPart('What was found in it'),
          linesPart(findings.map(({ kind, where, why }) => [kind, `${why} (${where})`])),
        ]),
  ]);
}

const inLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Whom it is from and for, and what else is no text. */
function headOf(message: LeavingMessage): readonly (readonly [string, string])[] {
  const { from, to, cc, bcc, reply_to, headers, subject, attachments, in_reply_to } = message;
  const list = (addresses: readonly string[] | null): string | undefined => addresses?.join(', ');
  const lines: readonly (readonly [string, string | null | undefined])[] = [
    ['From', from],
    ['To', list(to)],
    ['Cc', list(cc)],
    ['Bcc', list(bcc)],
    ['Reply-To', list(reply_to)],
    ...Object.entries(headers ?? {}),
    ['Subject', subject],
    ...(attachments ?? []).map(
      ({ filename, content_type, sha256 }) => ['File', `${filename} (${content_type}, SHA-256 ${sha256})`] as const,
    ),
    ['In reply to', in_reply_to],
  ];
  return lines.flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, value] as const]));
}

const linesPart = (lines: readonly (readonly [string, string])[]): Part => ({
  text: lines.map(([name, value]) => `${name}: ${inLine(value)}`).join('\n'),
  html: html`<p style="${STYLES.p}">${lines.map(
    ([name, value]) => html`<span style="${QUIET}">${name}:</span> <span dir="auto">${inLine(value)}</span><br>`,
  )}</p>`,
});

const headPart = (title: string): Part => ({
  text: `${title}:`,
  html: html`<p style="${STYLES.p}">${title}:</p>`,
});

const textPart = (title: string, text: string | null): Part | undefined =>
  text === null ? undefined : joined([headPart(title), { text: quoted(text), html: block(text) }]);

function joined(parts: readonly (Part | undefined)[]): Part {
  const all = parts.filter((part) => part !== undefined);
  return { text: all.map(({ text }) => text).join('\n\n'), html: html`${all.map((part) => part.html)}` };
}

/** What an answer after the time of its question led to. */
export const LATE =
  'Nothing was done: your answer came after the time that the question names. What waits still is decided in the console.';

export function sentenceOfReview(result: ApprovalResult, review: Review | undefined, unclear: string): string {
  switch (result.kind) {
    case 'approved':
      return 'You approved the message. It leaves now, exactly as you saw it.';
    case 'refused':
      return result.reason === undefined
        ? 'You rejected the message. It does not leave.'
        : `You rejected the message. It does not leave, and owners alone see your reason:\n\n${result.reason}`;
    case 'unclear':
      return unclear;
    case 'changed':
      return 'Nothing was done: the message was changed since this mail. Read it again, and decide in the console.';
    case 'late':
      return LATE;
    case 'own':
      return 'Nothing was done: you changed this message last, so another owner approves it.';
    case 'over':
      return review === undefined
        ? 'Nothing was done: the message was deleted.'
        : `Nothing was done: the message no longer waits, it is ${review.status === 'pending' ? 'expired' : review.status}.`;
  }
}
