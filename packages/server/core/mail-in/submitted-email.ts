import { type Address, isOutside, lowerCase, shortAddress, taggedAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { missingScope } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { isOf } from '../access/thread.ts';
import { hasScope, type Key } from '../entities/key.ts';
import { correspondentOf, type Message } from '../entities/message.ts';
import { isAmong } from '../entities/recipients.ts';
import type { RawMails } from '../files/raw-mails.ts';
import type { Uploads } from '../files/uploads.ts';
import type { Submitter } from '../messages/submit.ts';
import type { ToMany } from '../messages/to-many.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';
import type { ManySubmission } from '../runs/submission.ts';
import { type Named, type NamedLists, onlyRecipient } from '../submission/many-fields.ts';
import { type From, readRecipient, senderOf } from '../submission/send-fields.ts';
import { addFiles, bodyWith, checkBody, emailData, messageBefore, REPEATED_MS } from './email-parts.ts';

/** Who sends with a mail program: a mailbox, by a key that may send as it. */
export interface EmailUser extends From {
  readonly key: Key;
  /** The whole address, in lower case. */
  readonly address: string;
}

/** A recipient of the envelope. */
export interface SubmittedTo {
  readonly to: Address;
  /** As it was named, in lower case. */
  readonly address: string;
}

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Pick<Submitter, 'check'>;
  readonly toMany: Pick<ToMany, 'sendTo'>;
  readonly uploads: Uploads;
  readonly raws: RawMails;
  readonly clock: Clock;
  /** Counts a send against the limits of the key and its namespace. AppError `rate_limited`. */
  readonly count: (key: Key) => Promise<void>;
}

export interface SubmittedEmailOptions {
  readonly mail_domain: string;
  /** The largest body, in bytes of UTF-8. */
  readonly max_body: number;
  /** The largest `data`, in bytes of UTF-8. */
  readonly max_data: number;
}

/** Sends the mails of mail programs (RFC 6409) as messages of the mailboxes that logged in. */
export class SubmittedEmail {
  readonly #parts: Parts;
  /** The message of each mail that is being sent. */
  readonly #sending = new WeakMap<ReceivedEmail, Promise<Message>>();
  readonly #options: SubmittedEmailOptions;

  constructor(parts: Parts, options: SubmittedEmailOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** The mailbox that a key may send as. AppError `sender_not_allowed`, `insufficient_scope`, `validation_error`. */
  async user(key: Key, text: string): Promise<EmailUser> {
    if (!hasScope(key, 'mail:send')) throw missingScope('mail:send');
    const { mail_domain: mailDomain } = this.#options;
    const address = lowerCase(text);
    return { key, address, ...(await senderOf(key, address, { ...this.#parts, mailDomain })) };
  }

  /** AppError `sender_not_allowed` when the envelope names another sender, `invalid_key` when the key was revoked. */
  async begin({ address, key }: EmailUser, from: string): Promise<void> {
    if (lowerCase(from) !== address) throw otherSender(address);
    if (!(await this.#parts.directory.works(key)))
      throw new AppError('invalid_key', 'This key was revoked or has expired.');
  }

  /** The address of a recipient, as far as that can be known before the mail. AppError as of a send. */
  async recipient(user: EmailUser, text: string): Promise<Address> {
    const to = await readRecipient(text, '/to', { ...this.#parts, mailDomain: this.#options.mail_domain });
    await this.#parts.post.check({ ...contentless(user), to });
    return to;
  }

  /**
   * Sends a mail to the recipients of its envelope as one message; `address` is the one that is answered now. The same bytes
   * of the same sender to the same recipients twice are one message. Durable when it resolves. AppError as of a send,
   * `sender_not_allowed` when `From` names another sender.
   */
  accept(email: ReceivedEmail, user: EmailUser, all: readonly SubmittedTo[], address: string): Promise<Message> {
    let sent = this.#sending.get(email);
    // The server asks for each recipient, and all of them get one message.
    if (sent === undefined) {
      sent = this.#accept(email, user, all);
      this.#sending.set(email, sent);
    }
    return sent.catch((error: unknown) => {
      throw all.length > 1 && address !== all[0]?.address && error instanceof AppError
        ? new AppError(error.code, `Nothing was sent, because one recipient refuses: ${error.message}`)
        : error;
    });
  }

  async #accept(email: ReceivedEmail, user: EmailUser, all: readonly SubmittedTo[]): Promise<Message> {
    const { store, toMany, uploads, raws, clock, count } = this.#parts;
    const { max_body, max_data } = this.#options;
    // Of several addresses in From the first one is given, unverified.
    if (lowerCase(email.from.address) !== user.address || !email.authentication.verified)
      throw otherSender(user.address);
    checkBody(email, max_body);
    await count(user.key);
    const { sender, key } = user;
    const lists = listsOf(email, all);
    const only = onlyRecipient(lists);
    const outside = [...lists.to, ...lists.cc, ...lists.bcc].some(({ address }) => isOutside(taggedAddress(address)));
    const precedingMessage = await messageBefore(
      email.references,
      key.namespace_id,
      store,
      (message) =>
        isOf(message, sender) &&
        (only === undefined ||
          isAmong(message, shortAddress(only.local, only.namespace)) ||
          correspondentOf(message) === taggedAddress(only)),
    );
    await using upload = uploads.begin(key.namespace_id);
    const omittedFiles = await addFiles(upload, email);
    // Its recipients may read the original, and not who is in Bcc; what leaves is written from the message.
    await using raw =
      outside || only === undefined || hasBcc(email) ? undefined : await raws.begin(email, key.namespace_id);
    const address = all[0]?.address ?? '';
    const { message } = await toMany.sendTo(
      {
        ...contentless(user),
        body: bodyWith(email, omittedFiles),
        subject: email.subject,
        data: emailData(email, { address, left: omittedFiles }, max_data),
        thread_id: precedingMessage?.thread_id ?? null,
        in_reply_to: precedingMessage?.id ?? null,
        idempotency: {
          scope: 'submission',
          key: `${sender.id} ${all.map(({ to }) => taggedAddress(to)).join(' ')} ${email.sha256}`,
          hash: email.sha256,
          expires_at: clock() + REPEATED_MS,
        },
        ...(email.files.length > omittedFiles.length && { upload }),
      },
      { lists, mail: undefined, metadata: undefined, labels: [] },
    );
    await raws.keep(raw, message.id);
    if (email.rfc_id !== null) await store.messageIds.add(key.namespace_id, message.id, [email.rfc_id]);
    return message;
  }
}

/** The recipients of the envelope, as the header of the mail names them; those that it does not name are in Bcc. */
function listsOf({ to, cc }: ReceivedEmail, all: readonly SubmittedTo[]): NamedLists {
  const has = (parties: ReceivedEmail['to'], { address }: SubmittedTo): boolean =>
    parties.some((one) => lowerCase(one.address) === address);
  const named = (some: readonly SubmittedTo[], field: string): Named[] =>
    some.map(({ to: address }) => ({ address, pointer: `/${field}` }));
  const isTo = all.filter((one) => has(to, one));
  const isCc = all.filter((one) => !isTo.includes(one) && has(cc, one));
  const others = all.filter((one) => !isTo.includes(one) && !isCc.includes(one));
  // A message has an address in To, whatever its header says.
  const rest = [isTo, isCc, others].filter(({ length }) => length > 0);
  const [first = []] = rest;
  if (first === isTo) return { to: named(isTo, 'to'), cc: named(isCc, 'cc'), bcc: named(others, 'bcc') };
  const bcc = first === isCc ? others : [];
  return { to: named(first, 'to'), cc: [], bcc: named(bcc, 'bcc') };
}

/** Whether its headers name recipients that the others may not know (RFC 5322, section 3.6.3). */
function hasBcc({ raw }: ReceivedEmail): boolean {
  const whole = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = whole.indexOf('\r\n\r\n');
  return /^(?:resent-)?bcc[ \t]*:/im.test(whole.toString('latin1', 0, end < 0 ? whole.length : end));
}

/** A message of the user without content. */
const contentless = ({ sender, from_mailbox_id, from_domain = null }: EmailUser): ManySubmission => ({
  body: '',
  subject: null,
  data: null,
  sender,
  from_mailbox_id,
  from_domain,
  channel: 'smtp',
  thread_id: null,
  in_reply_to: null,
  retry_of: null,
  hops: 0,
  try_out: false,
  idempotency: undefined,
  payer: null,
});

const otherSender = (address: string): AppError =>
  new AppError('sender_not_allowed', `You logged in as ${address}, so mail must be from that address alone.`);
