import { createHash } from 'node:crypto';
import type { Email } from 'postal-mime';
import type { Author } from './addresses.ts';
import { authorOf, MAX_ADDRESSES, mailAddresses, oneLine } from './addresses.ts';
import type { Authenticated, AuthenticateOptions } from './authenticate.ts';
import { authenticated, ofTrustedNetwork } from './authenticate.ts';
import { automaticReason } from './automatic.ts';
import { bouncesOf } from './bounce.ts';
import { complaintOf } from './complaint.ts';
import { endOfHeaders, isTooLong, withBoundedHeaders, withUtf8Headers } from './header-block.ts';
import { idsOf, messageIdOf } from './message-ids.ts';
import { newText } from './new-text.ts';
import { parseMail } from './parse.ts';
import type { MailWarning, ReadMail } from './read-mail.ts';

/** A mail as it was transmitted. */
export interface MailTask {
  readonly raw: Uint8Array<ArrayBuffer>;
  readonly ip: string | null;
  readonly helo: string;
  readonly from: string;
  /** Its network is trusted. */
  readonly trusted: boolean;
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

/** Reads a mail: what it says, who it is from, and whether it may be answered. */
export async function readMail(task: MailTask, options: AuthenticateOptions): Promise<ReadMail> {
  const whole = Buffer.from(task.raw.buffer, task.raw.byteOffset, task.raw.byteLength);
  const sha256 = createHash('sha256').update(whole).digest('hex');
  const { raw, headers_cut } = withBoundedHeaders(whole);
  const tooLong = isTooLong(raw);
  const { email, text, attachments, warnings } = await parseMail(withUtf8Headers(raw), tooLong);
  const author = authorOf(email);
  const proven = await provenAuthor(task, { raw: whole, author, bounded: headers_cut || tooLong }, options);
  const message_id = messageIdOf(email);
  const [in_reply_to, references] = [idsOf(email, 'in-reply-to'), idsOf(email, 'references')];
  const subject = oneLine((email.subject ?? '').slice(0, 4 * MAX_SUBJECT))
    .slice(0, MAX_SUBJECT)
    .toWellFormed();
  const lists = [mailAddresses(email.replyTo), mailAddresses(email.to), mailAddresses(email.cc)];
  const [reply_to = [], to = [], cc = []] = lists;
  const language = languageOf(email);
  const [parts, by] = [email.attachments, author.from?.address ?? null];
  const automatic = automaticReason(email, task, by);
  // Notices are cut and changed on their way, and then have no parts.
  const shown = warnings.includes('unreadable') ? bodyOf(raw) : text;
  const notice = { from: task.from, author: by, subject, automatic, text: shown };
  const complaint = complaintOf(parts, subject);
  const answers = in_reply_to.length + references.length > 0;
  const found: (MailWarning | false | undefined)[] = [
    ...warnings,
    headers_cut && 'headers_cut',
    lists.some(({ length }) => length >= MAX_ADDRESSES) && 'too_many_addresses',
    author.warning,
    ...proven.warnings,
  ];
  return {
    message_id,
    in_reply_to,
    references,
    subject,
    from: author.from,
    reply_to,
    to,
    cc,
    date: dateOf(email),
    ...(language !== undefined && { language }),
    text,
    body: newText(text, { subject, answers, author: `${author.from?.name ?? ''} ${by ?? ''}` }),
    attachments,
    authentication: proven.authentication,
    policy: proven.policy,
    automatic,
    bounce: complaint === null ? bouncesOf({ ...notice, headers: email.headers, parts }) : [],
    complaint,
    warnings: found.filter((one) => one !== false && one !== undefined),
    sha256,
  };
}

function provenAuthor(
  { ip, helo, from, trusted }: MailTask,
  mail: { readonly raw: Buffer; readonly author: Author; readonly bounded: boolean },
  options: AuthenticateOptions,
): Authenticated | Promise<Authenticated> {
  return trusted ? ofTrustedNetwork(mail.author) : authenticated({ ...mail, ip, helo, from }, options);
}
