import { createHash } from 'node:crypto';
import type { Email } from 'postal-mime';
import { addressesIn, authorOf, MAX_ADDRESSES, oneLine } from './addresses.ts';
import {
  type Authenticated,
  type AuthenticateOptions,
  authenticated,
  ofTrustedNetwork,
  type Transmission,
} from './authenticate.ts';
import { automaticReason } from './automatic.ts';
import { bouncesOf } from './bounce.ts';
import { complaintOf } from './complaint.ts';
import { endOfHeaders, headerFields, isTooLong, withBoundedHeaders, withUtf8Headers } from './header-block.ts';
import { shownHeaders, withoutHidden } from './kept-parts.ts';
import { idsOf, messageIdOf } from './message-ids.ts';
import { newText } from './new-text.ts';
import { parseMail } from './parse.ts';
import type { MailAddress, MailWarning, ReadMail } from './read-mail.ts';
import { isNewForCertain, readsAsSigned, type SignedMail, signedMail } from './signed-content.ts';
import { isAmbiguous } from './signed-fields.ts';

/** A mail as it was transmitted. */
export interface MailTask {
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly ip: string | null;
  readonly helo: string;
  readonly from: string;
  /** Its sender needs no proof: its client logged in, or its network is trusted. */
  readonly trusted: 'login' | 'network' | undefined;
}

/** Characters of a subject that are kept. */
const MAX_SUBJECT = 1_000;
/** Bytes of a notice without parts that are read. */
const MAX_UNREADABLE = 200_000;
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/i;

/** ISO 8601; null for what is no date, or one outside of the years that it can write with four digits. */
function dateOf({ date }: Email): string | null {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return time >= 0 && time < 253_402_300_800_000 ? new Date(time).toISOString() : null;
}

const languageOf = ({ headers }: Email): string | undefined => {
  const value =
    headers
      .find(({ key }) => key === 'content-language')
      ?.value.split(',')[0]
      ?.trim() ?? '';
  return LANGUAGE.test(value) ? value : undefined;
};

/** The lines below the headers, whatever they are. */
function bodyOf(raw: Buffer): string {
  const start = endOfHeaders(raw);
  return raw.toString('utf8', start, start + MAX_UNREADABLE).replace(/\r\n?/g, '\n');
}

/** RFC 5322, section 3.6.6, RFC 2919, and what servers and mail programs add as they hand a mail on. */
const HANDED_ON =
  /^(?:resent-(?:from|to|date|message-id)|x-forwarded-(?:to|for)|x-original-to|(?:x-)?delivered-to|envelope-to|list-(?:id|post))$/i;

/** Reads a mail: what it says, who it is from, and whether it may be answered. */
export async function readMail(task: MailTask, options: AuthenticateOptions): Promise<ReadMail> {
  const whole = Buffer.from(task.raw.buffer, task.raw.byteOffset, task.raw.byteLength);
  const sha256 = createHash('sha256').update(whole).digest('hex');
  const { raw, headers_cut } = withBoundedHeaders(whole);
  const tooLong = isTooLong(raw);
  const readable = withUtf8Headers(raw);
  const parsed = await parseMail(readable, tooLong);
  const { email, text, attachments, warnings } = parsed;
  const author = authorOf(email);
  const [in_reply_to, references] = [idsOf(email, 'in-reply-to'), idsOf(email, 'references')];
  const answers = in_reply_to.length + references.length > 0;
  const subject = oneLine((email.subject ?? '').slice(0, 4 * MAX_SUBJECT))
    .slice(0, MAX_SUBJECT)
    .toWellFormed();
  const context = { subject, answers, author: `${author.from?.name ?? ''} ${author.from?.address ?? ''}` };
  const signed = signedMail(readable, parsed, context);
  const proven = await provenAuthor(
    task,
    {
      raw: whole,
      author,
      bounded: headers_cut || tooLong,
      readsAsSigned: (bound) => readsAsSigned(signed, bound),
    },
    options,
  );
  const { bound } = proven;
  const lists = ['reply-to', 'to', 'cc'].map((field) => addressesIn(email, field));
  const [reply_to = [], to = [], cc = []] = lists;
  // What anyone may have added to a signed mail counts as absent.
  const language = (bound?.has('content-language') ?? true) ? languageOf(email) : undefined;
  const [parts, by] = [email.attachments, author.from?.address ?? null];
  const automatic = automaticReason(email, task, by);
  // Notices are cut and changed on their way, and then have no parts.
  const shown = warnings.includes('unreadable') ? bodyOf(raw) : text;
  const notice = { from: task.from, author: by, subject, automatic, text: shown };
  const complaint = complaintOf(parts, subject);
  const found: (MailWarning | false | undefined)[] = [
    ...warnings,
    headers_cut && 'headers_cut',
    lists.some(({ length }) => length >= MAX_ADDRESSES) && 'too_many_addresses',
    author.warning,
    ...proven.warnings,
  ];
  const mail = {
    message_id: messageIdOf(email),
    in_reply_to,
    references,
    subject,
    from: author.from,
    reply_to,
    to,
    cc,
    date: dateOf(email),
    text,
  };
  return {
    ...mail,
    ...(language !== undefined && { language }),
    forwarded: email.headers.some(({ key }) => HANDED_ON.test(key)),
    body: withoutHidden(newText(text, context), parsed),
    html_body: parsed.shown === null ? null : newText(parsed.shown, context),
    headers: shownHeaders(email),
    hidden: parsed.hidden,
    attachments,
    authentication: proven.authentication,
    written_to: await writtenTo([...to, ...cc], signed, proven),
    policy: proven.policy,
    automatic,
    bounce: complaint === null ? bouncesOf({ ...notice, headers: email.headers, parts }) : [],
    complaint,
    warnings: found.filter((one) => one !== false && one !== undefined),
    sha256,
    signed_sha256: bound === undefined ? null : signedSha256(raw, mail),
    signed_at: proven.signed_at ?? null,
  };
}

/** Whom the author proves to have written what is new in a mail; null for the recipients of its envelope. */
async function writtenTo(
  named: readonly MailAddress[],
  mail: SignedMail,
  { authentication, bound }: Authenticated,
): Promise<ReadMail['written_to']> {
  if (!authentication.verified) return [];
  if (bound === undefined) return null;
  return (await isNewForCertain(mail, bound)) ? named.map(({ address }) => address) : [];
}

/**
 * The SHA-256 of what every signature of a mail binds, the same with whatever other fields and blanks it is handed in
 * again: a signature may say nothing of blanks (RFC 6376, section 3.4).
 */
function signedSha256(raw: Buffer, { subject, date, from, to, cc }: SignedParts): string {
  const addresses = [from, ...to, ...cc].map((one) => one?.address);
  const header = JSON.stringify([subject.replace(/\s+/g, ''), date, addresses]);
  const body = raw.toString('latin1', endOfHeaders(raw)).replace(/[ \t\r\n]+/g, '');
  return createHash('sha256').update(`${header}\n`).update(body, 'latin1').digest('hex');
}
type SignedParts = Pick<ReadMail, 'subject' | 'date' | 'from' | 'to' | 'cc'>;

function provenAuthor(
  { ip, helo, from, trusted }: MailTask,
  mail: Pick<Transmission, 'raw' | 'author' | 'bounded' | 'readsAsSigned'>,
  options: AuthenticateOptions,
): Authenticated | Promise<Authenticated> {
  if (trusted === undefined) return authenticated({ ...mail, ip, helo, from }, options);
  // Who logged in is known, whatever the mail says.
  return ofTrustedNetwork(mail.author, trusted === 'network' && isAmbiguous(headerFields(mail.raw)));
}
