import { addressOf } from '@mailroom/behavior/mailbox';
import type { Channel } from '@mailroom/behavior/message';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import { isBound, type Key, reaches } from '../entities/key.ts';
import type { Message } from '../entities/message.ts';
import type { MailFields } from '../entities/recipients.ts';
import { MessageFiles, type Upload, type Uploads } from '../files/uploads.ts';
import { type StoredMails, textOf } from '../mail-out/stored-mails.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { ManySubmission, Sent } from '../runs/submission.ts';
import { readManyFields } from '../submission/many-fields.ts';
import { type Cause, checkSize, senderOf } from '../submission/send-fields.ts';
import type { ToMany } from './to-many.ts';

/** How a message is handed on. */
export interface Forwarding {
  readonly to: string | readonly string[];
  readonly cc?: readonly string[] | null | undefined;
  readonly bcc?: readonly string[] | null | undefined;
  /** What is said above it. */
  readonly body?: string | null | undefined;
  /** `keep`, the default, sends its files too. */
  readonly attachments?: 'keep' | 'none' | undefined;
  /** `inline`, the default, puts its text into the new one; `attachment` attaches it as a mail, with its files. */
  readonly as?: 'inline' | 'attachment' | undefined;
  /** The mailbox that sends; by default the one that has the message. */
  readonly from?: string | null | undefined;
}

/** What forwarding works with. */
export interface ForwardParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly toMany: ToMany;
  readonly uploads: Uploads;
  readonly storedMails: Pick<StoredMails, 'of'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly sizes: { readonly body: number };
}

/** A subject that says that a message is handed on, in languages of mail programs. */
const FORWARDED = /^(?:fwd?|wg|tr|rv|enc|i|vs|vb|doorst|pd|továbbítás)\s*:/iu;
const MAX_SUBJECT = 998;

/** What is said where nothing is and the message is attached. */
const ATTACHED = 'The forwarded message is attached.';

interface By {
  readonly key: Key;
  readonly idempotency: Idempotency | undefined;
  readonly channel: Channel;
  /** Of a forward that the message caused: the length of the chain, and the mailbox whose rule forwards. */
  readonly cause?: Cause;
  /** Header fields of the service. */
  readonly headers?: MailFields['headers'];
}

/** Hands a message on as its new author, in a thread of its own. AppError as of a send. */
export async function forward(message: Message, wanted: Forwarding, by: By, parts: ForwardParts): Promise<Sent> {
  const { submission, fields } = await sendingOf(message, wanted, by, parts);
  const files = wanted.attachments === 'none' ? { id: message.id } : message;
  await using upload =
    wanted.as === 'attachment' ? await attachedMail(message, by.key, parts) : await MessageFiles.copyOf(files, parts);
  if (upload === undefined) throw new AppError('message_not_found', 'This message was deleted.');
  return await parts.toMany.sendTo({ ...submission, upload }, fields);
}

/** Whether all whom it names would take the forward now. AppError as of a send. */
export async function checkForward(message: Message, wanted: Forwarding, by: By, parts: ForwardParts): Promise<void> {
  const { submission, fields } = await sendingOf(message, wanted, by, parts);
  await parts.toMany.checkTo(submission, fields);
}

async function sendingOf(
  message: Message,
  wanted: Forwarding,
  { key, idempotency, channel, cause = { hops: 0 }, headers }: By,
  parts: ForwardParts,
) {
  const from = await senderOf(key, await fromOf(message, wanted, key, parts), parts);
  const { sender, from_mailbox_id, from_domain = null } = from;
  const fields = await readManyFields({ to: wanted.to, cc: wanted.cc, bcc: wanted.bcc }, key, sender.from, parts);
  if (typeof wanted.body === 'string') checkSize(wanted.body, '/body', parts.sizes.body);
  const attached = wanted.as === 'attachment';
  if (attached && wanted.attachments === 'none')
    throw invalid(
      '/attachments',
      'A message that is attached has its files in it. Leave this out, or forward it inline.',
    );
  const above = wanted.body ?? '';
  const subject = message.subject ?? '';
  const submission = {
    body: attached ? above || ATTACHED : bodyOf(message, above, parts.mailDomain),
    subject: (FORWARDED.test(subject) ? subject : `Fwd: ${subject}`).trim().slice(0, MAX_SUBJECT).toWellFormed(),
    data: null,
    sender,
    from_mailbox_id,
    from_domain,
    channel,
    thread_id: null,
    in_reply_to: null,
    retry_of: null,
    ...cause,
    try_out: false,
    idempotency,
    payer: null,
  } satisfies ManySubmission;
  return { submission, fields: headers === undefined ? fields : { ...fields, mail: { ...fields.mail, headers } } };
}

/** The message as a file: the mail that came or left, where it is kept, else one made of what is stored. */
async function attachedMail(
  message: Message,
  { namespace_id }: Key,
  { uploads, storedMails }: ForwardParts,
): Promise<Upload> {
  const upload = uploads.begin(namespace_id);
  const name = (message.subject ?? '').replace(/[^\p{L}\p{N}.,_()-]+/gu, ' ').trim();
  // To others than its author a Bcc of it stays unknown.
  const bytes = await storedMails.of(message, null);
  const filename = `${Array.from(name).slice(0, MAX_NAME).join('') || 'message'}.eml`;
  await upload.add({ filename, content_type: MAIL, bytes }, '/as').catch(async (error: unknown) => {
    await upload[Symbol.asyncDispose]();
    throw error;
  });
  return upload;
}

const MAIL = 'message/rfc822';
/** Characters of the name of a file. */
const MAX_NAME = 60;

/** The mailbox that has the message, as far as the key may write as it. */
async function fromOf(message: Message, { from }: Forwarding, key: Key, parts: ForwardParts): Promise<string | null> {
  if (from !== undefined && from !== null) return from;
  const mailbox = await parts.directory.mailboxById(message.mailbox_id);
  const isOwn = mailbox !== undefined && mailbox.deleted_at === null && mailbox.namespace_id === key.namespace_id;
  return isOwn && (!isBound(key) || (key.also.length > 0 && reaches(key, mailbox.id)))
    ? fullAddress(addressOf(mailbox), parts.mailDomain)
    : null;
}

/** The text above the message, the message's head and its whole text. */
function bodyOf(message: Message, above: string, mailDomain: string): string {
  const { from, sender_kind: kind, sender_id: senderId, to, subject, recipients, created_at: at } = message;
  const author = from ?? (kind === 'email' ? senderId : null);
  const whole = (addresses: readonly string[]): string =>
    addresses.map((one) => fullAddress(one, mailDomain)).join(', ');
  const toAll = recipients?.to ?? (to === null ? [] : [to]);
  const lines = [
    ['From', author === null ? 'a sender without an address' : whole([author])],
    ['Date', rfc3339(at)],
    ['Subject', subject ?? ''],
    ['To', whole(toAll)],
    ['Cc', whole(recipients?.cc ?? [])],
  ].filter(([, value]) => value !== '');
  const head = ['---------- Forwarded message ----------', ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${above === '' ? '' : `${above}\n\n`}${head.join('\n')}\n\n${textOf(message)}`;
}
