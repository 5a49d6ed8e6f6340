import { isObject } from '@mailroom/behavior/values/json';
import type { Authentication, NotAnswered } from '../../../core/entities/email.ts';
import type { Message } from '../../../core/entities/message.ts';
import { type Html, html } from '../../../http/html.ts';
import { plainText } from '../../../http/markdown.ts';
import { counted, icon, note } from '../pieces.ts';

/** Why a mail got no automatic answer, as it is said to the owner. */
const REASONS: Readonly<Record<NotAnswered, string>> = {
  auto_submitted: 'A program sent this mail, such as an autoresponder, a receipt or a ticket system.',
  precedence: 'This is bulk mail.',
  list: 'This mail is from a mailing list, or from its manager.',
  null_path: 'This is a notice of a mail server.',
  mailer_daemon: 'This is a notice of a mail server.',
  own: 'This mail is from an address here.',
  unverified: 'It is not proven who sent this mail, so an answer could reach someone who wrote nothing.',
  quarantine: 'The domain of its sender asks to keep apart what it did not send itself.',
  suppressed: 'Mail to this sender came back before.',
  too_many: 'This sender got as many answers as one address gets in an hour.',
  cc: 'It was addressed to others, and this address listens.',
  rule: 'A rule of its owner filed it.',
  spam: 'It was filed as unwanted.',
  blocked: 'Its owner blocks this sender.',
  imported: 'It was imported from another mailbox.',
  role: 'It was sent to postmaster or abuse, for a person to read.',
};
/** Those of which the sender may be another than it says. */
const DOUBTED: ReadonlySet<NotAnswered> = new Set(['unverified', 'quarantine', 'imported']);

/** How it is known that a mail is from its sender, in one sentence. */
export function provenBy(address: string, { verified, verified_by, dkim, spf, dmarc }: Authentication): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!verified && dmarc === 'pass')
    return `The sender's address is not proven: a field of the mail is there twice, or ${domain} signed only a part of what you read.`;
  if (!verified)
    return spf === 'fail' || dkim === 'fail'
      ? `The sender's address is not proven, and may be forged: ${domain} does not confirm this mail.`
      : `The sender's address is not proven: nothing in the mail shows that ${domain} sent it.`;
  if (verified_by === 'network') return "The sender's address counts as proven: the mail came from a trusted network.";
  if (verified_by === 'arc')
    return `The sender's address is proven (by a trusted server that forwarded the mail of ${domain}).`;
  const by = verified_by === 'spf' || (verified_by === 'dmarc' && dkim !== 'pass') ? 'SPF' : 'DKIM';
  return `The sender's address is proven (${by} of ${domain}).`;
}

/** Why a mail got no answer; false for one that did, and for what is no mail. */
export function notAnsweredNote({ email, not_answered }: Message): Html | false {
  const reason = not_answered ?? email?.not_answered;
  if (reason === undefined || reason === null) return false;
  const doubted = DOUBTED.has(reason);
  return note(doubted ? 'bad' : 'plain', doubted ? 'warn' : 'clock', 'Not answered automatically.', REASONS[reason]);
}

/** A line that begins a signature (RFC 3676, section 4.3). */
const SIGNATURE = /^-- ?$/m;

/** What a mail quotes and its signature, which its body leaves out, folded; false where nothing is left out. */
export function quotedText({ id, email, data, body }: Message, maxText: number): Html | false {
  if (email === undefined || data === null) return false;
  const parsed: unknown = JSON.parse(data);
  const known: unknown = isObject(parsed) ? parsed.email : undefined;
  const whole: unknown = isObject(known) ? known.text : undefined;
  const stateText = body.trim();
  if (typeof whole !== 'string' || whole.trim() === stateText || whole.length > maxText) return false;
  // Where the new text stands between what is quoted, all of it is shown.
  const begins = stateText !== '' && whole.trimStart().startsWith(stateText);
  const rest = begins ? whole.trimStart().slice(stateText.length).trim() : whole.trim();
  const word = !begins ? 'The whole mail' : SIGNATURE.test(rest.split('\n', 1)[0] ?? '') ? 'Signature' : 'Quoted text';
  return html`<details class="quoted" data-fold="quoted ${id}"><summary>${icon('more')}${word}, ${counted(rest.split('\n').length, 'line')}</summary><div class="prose">${plainText(rest)}</div></details>`;
}
