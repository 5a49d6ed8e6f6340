import { createHash } from 'node:crypto';
import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists } from '@mailroom/behavior/message';
import { lowerCase, outsideAddress } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { idFrom, threadOf } from '@mailroom/behavior/values/ids';
import { keptReferences } from '../entities/email.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { type Message, newMessage } from '../entities/message.ts';
import { untagged } from '../entities/recipients.ts';
import { sizeOfMessage } from '../entities/storage-size.ts';
import type { RawMails } from '../files/raw-mails.ts';
import type { Uploads } from '../files/uploads.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import { emailAuthor } from '../mail-out/email-owner.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { NewEmail } from '../ports/emails.ts';
import type { Store } from '../ports/store.ts';
import { Turns } from '../values/turns.ts';
import { addFiles, bodyWith, checkBody, emailData, messageBefore, ownId } from './email-parts.ts';

interface Parts {
  readonly store: Store;
  readonly uploads: Uploads;
  readonly raws: RawMails;
  readonly storage: Pick<StorageMeter, 'reserve' | 'add'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Reads a mail of which nothing is proven. AppError `validation_error`, `unavailable`. */
  readonly readArchived: (raw: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<ReceivedEmail>;
}

export interface ImportOptions {
  /** The largest body, in bytes of UTF-8. */
  readonly max_body: number;
  /** The largest `data`, in bytes of UTF-8. */
  readonly max_data: number;
}

/** What became of a mail: it is filed, or was there before. */
export interface Imported {
  readonly status: 'imported' | 'exists';
  readonly id: string;
  readonly created_at: Millis;
}

/** A header field at the beginning (RFC 5322, section 2.2), and one that a mail has among the first ones. */
const BEGINS_AS_MAIL = /^[a-z][\w.-]{0,100}[ \t]*:/i;
const IS_MAIL = /^(?:from|sender|to|date|subject|message-id|received|return-path)[ \t]*:/im;
const FIRST_FIELDS = 64 * 1024;

/**
 * Files mails of other mailboxes with their dates: nothing handles them, no event tells of them, nothing is proven of their
 * authors, and their threads are theirs alone.
 */
export class ImportedMail {
  readonly #parts: Parts;
  readonly #options: ImportOptions;
  /** Mails that are being filed, by id. */
  readonly #filing = new Turns();

  constructor(parts: Parts, options: ImportOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * Files a mail in a mailbox, unless that has it: durable when it resolves, and nothing of it is stored when it rejects.
   * `receivedAt` is when it came, for a mail without a date. AppError `validation_error` for what is no mail,
   * `body_too_large`, `storage_full`, `mailbox_gone`, `unavailable`.
   */
  async file(bytes: Buffer, mailbox: Mailbox, receivedAt: Millis | null, signal: AbortSignal): Promise<Imported> {
    const { store, clock, readArchived } = this.#parts;
    const fields = bytes.toString('latin1', 0, FIRST_FIELDS);
    if (!BEGINS_AS_MAIL.test(fields) || !IS_MAIL.test(fields))
      throw new AppError('validation_error', 'This is no mail: it does not begin with header fields (RFC 5322).');
    const email = await readArchived(new Uint8Array(bytes), signal);
    const now = clock();
    const dates = [email.date, receivedAt].filter((date) => date !== null && date > 0 && date <= now);
    const sentAt = dates[0] ?? now;
    const rfcId = email.rfc_id ?? `<${email.sha256}@mailroom.invalid>`;
    const known = await this.#find(email, rfcId, mailbox);
    if (known !== undefined) return { status: 'exists', id: known.id, created_at: known.created_at };
    checkBody(email, this.#options.max_body);
    const id = idFrom('msg', sentAt, createHash('sha256').update(`${mailbox.id}\n${email.sha256}`).digest());
    const done = await this.#filing.take(id);
    try {
      // Filed meanwhile, or without a name that is found.
      if ((await store.messages.byId(id)) !== undefined) return { status: 'exists', id, created_at: sentAt };
      return { status: await this.#write(email, mailbox, { id, at: sentAt, now, rfcId }), id, created_at: sentAt };
    } finally {
      done();
    }
  }

  async #write(
    email: ReceivedEmail,
    mailbox: Mailbox,
    { id, at, now, rfcId }: { readonly id: string; readonly at: Millis; readonly now: Millis; readonly rfcId: string },
  ): Promise<Imported['status']> {
    const { store, uploads, raws, storage } = this.#parts;
    const { namespace_id } = mailbox;
    await using upload = uploads.begin(namespace_id, true);
    const omittedFiles = await addFiles(upload, email);
    await using raw = await raws.begin(email, namespace_id, true);
    const earlier = await messageBefore(
      email.references,
      namespace_id,
      store,
      (one) => one.mailbox_id === mailbox.id && one.not_answered === 'imported',
    );
    const address = addressOf(mailbox);
    const recipients = this.#recipients(email, address);
    const message = newMessage({
      id,
      mailbox_id: mailbox.id,
      to: address,
      thread_id: earlier?.thread_id ?? threadOf(id),
      in_reply_to: earlier?.id ?? null,
      sender_kind: 'email',
      sender_id: emailAuthor(email.from.address).id as string,
      channel: 'smtp',
      subject: email.subject,
      body: bodyWith(email, omittedFiles),
      data: emailData(
        email,
        { address: `${address}.${this.#parts.mailDomain}`, left: omittedFiles },
        this.#options.max_data,
      ),
      status: 'completed',
      created_at: at,
      settled_at: now,
      not_answered: 'imported',
      ...(recipients !== undefined && { recipients }),
      ...(upload.files.length > 0 && { attachments: [...upload.files] }),
    });
    const payer: Payer = { kind: 'namespace', id: namespace_id, stranger: true };
    const size = sizeOfMessage(message);
    await storage.reserve(payer, size);
    let filed = false;
    try {
      await upload.assign(id);
      // First, so that no message is without them after a crash; those without a message are swept.
      await raws.keep(raw, id);
      const newEmail: NewEmail = {
        rfc_id: email.rfc_id,
        references: keptReferences(email.references),
        authentication: email.authentication,
        domain: null,
        not_answered: 'imported',
        owed: false,
        stranger_bytes: upload.charged + (raw?.charged ?? 0),
        label: null,
      };
      filed = await store.emails.file({ message, email: newEmail, namespace_id, rfc_ids: [rfcId] });
    } catch (error) {
      // Whether it was written is unknown, so its files are left to the check of their owner.
      upload.keep();
      throw error;
    } finally {
      if (!filed) storage.add(payer, -size);
    }
    const exists = filed || (await store.messages.byId(id)) !== undefined;
    if (!exists) throw new AppError('mailbox_gone', `${address} was deleted by its owner.`);
    // Another node may have filed it meanwhile, with files of the same owner.
    upload.keep();
    return filed ? 'imported' : 'exists';
  }

  /** The message that the mailbox has of this mail. */
  async #find(email: ReceivedEmail, rfcId: string, mailbox: Mailbox): Promise<Message | undefined> {
    const { store, raws } = this.#parts;
    const named = await store.messageIds.find(mailbox.namespace_id, [rfcId]);
    for (const id of [ownId(rfcId), ...named.map(({ message_id }) => message_id)]) {
      const message = id === undefined ? undefined : await store.messages.byId(id);
      if (message === undefined) continue;
      const wrote = message.sender_kind === 'mailbox' && message.sender_id === mailbox.id;
      if (message.mailbox_id !== mailbox.id && !wrote) continue;
      const kept = await raws.find(message.id);
      if (kept === undefined ? (message.subject ?? '') === (email.subject ?? '') : isOf(email, kept.sha256))
        return message;
    }
    return undefined;
  }

  /** Whom it names, as it is stored; undefined where that is the mailbox alone. */
  #recipients({ to, cc }: ReceivedEmail, own: string): RecipientLists | undefined {
    const end = `.${this.#parts.mailDomain}`;
    const stored = (parties: ReceivedEmail['to']): string[] => {
      const all = parties.map(({ address }) => lowerCase(address)).filter((one) => outsideAddress(one) !== undefined);
      return [...new Set(all.map((one) => (one.endsWith(end) ? one.slice(0, -end.length) : one)))];
    };
    const lists = { to: stored(to), cc: stored(cc) };
    const isOwn = lists.to.every((one) => untagged(one) === own);
    return lists.cc.length === 0 && lists.to.length <= 1 && isOwn ? undefined : lists;
  }
}

/** Whether these are the bytes of the mail, or those before a file with mails ended its last line. */
function isOf({ sha256, raw }: ReceivedEmail, other: string): boolean {
  if (sha256 === other) return true;
  const end = raw.at(-1) !== LF ? raw.length : raw.length - (raw.at(-2) === CR ? 2 : 1);
  return createHash('sha256').update(raw.subarray(0, end)).digest('hex') === other;
}

const [LF, CR] = [10, 13];
