import { channel } from 'node:diagnostics_channel';
import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists, Sender } from '@mailroom/behavior/message';
import {
  type Address,
  lowerCase,
  outsideAddress,
  shortAddress,
  taggedAddress,
} from '@mailroom/behavior/values/address';
import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { threadOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { findAddress } from '../access/hosted-address.ts';
import { keptReferences, type NotAnswered } from '../entities/email.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { correspondentOf, type Message } from '../entities/message.ts';
import { isAmong, untagged } from '../entities/recipients.ts';
import { maySend } from '../entities/sender-lists.ts';
import { wakesForCc } from '../entities/wake.ts';
import type { RawMails } from '../files/raw-mails.ts';
import type { Uploads } from '../files/uploads.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import { type EmailAuthor, emailAuthor, emailSender } from '../mail-out/email-owner.ts';
import type { Submitter } from '../messages/submit.ts';
import type { ReceivedEmail, WrittenMail } from '../ports/email-transport.ts';
import type { NewEmail } from '../ports/emails.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Sent, Submission } from '../runs/submission.ts';
import { domainOfAddress } from '../values/domain.ts';
import type { Limiter } from '../values/limits.ts';
import { addFiles, bodyWith, checkBody, emailData, messageBefore, REPEATED_MS } from './email-parts.ts';
import { traitsOf } from './mail-traits.ts';
import { receivedBytes } from './received-bytes.ts';

/** Where a mail goes. */
export interface EmailRecipient {
  /** The address as the mail names it, in lower case. */
  readonly address: string;
  /** The address of the mailbox that gets it. */
  readonly to: Address;
  readonly mailbox: Mailbox;
  /** The domain of an owner by which the mail names it; null for that of the namespace. */
  readonly domain: string | null;
}

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Submitter;
  readonly uploads: Uploads;
  readonly raws: RawMails;
  readonly storage: Pick<StorageMeter, 'reserve' | 'add' | 'use'>;
  readonly clock: Clock;
  /** Automatic answers to one address from one mailbox; undefined: no limit. */
  readonly limit: Limiter | undefined;
}

export interface IncomingEmailOptions {
  readonly mail_domain: string;
  /** The namespace of the operator, whose is `postmaster` without a domain or at that of the service. */
  readonly house: string;
  /** The largest body, in bytes of UTF-8. */
  readonly max_body: number;
  /** The largest `data`, in bytes of UTF-8. */
  readonly max_data: number;
  /** The same mail may come by HTTP and by SMTP, so that a signed one is known by what its signature binds. */
  readonly peers: boolean;
}

/** Addresses of a namespace for people who look for who is responsible (RFC 2142, section 4, and RFC 5321, section 4.5.1). */
const ROLES: ReadonlySet<string> = new Set(['postmaster', 'abuse']);

/**
 * For how long an order that an owner signed is recognized: its signature may be valid for as long as its key is. Its date
 * is not further from its arrival than half of that.
 */
const ORDER_MS = 400 * DAY;

const isRole = (address: string): boolean => ROLES.has(address.slice(0, address.indexOf('@')));

/**
 * An address as it is compared: in lower case, without quotes that it does not need (RFC 5321, section 4.1.2) and without
 * the dot of an absolute name. `postmaster` without a domain, and at that of the service, is the operator's (section 4.5.1).
 */
function canonical(text: string, house: string, mailDomain: string): string {
  const lower = lowerCase(text)
    .replace(/^"([a-z0-9._+=-]{1,130})"@/, '$1@')
    .replace(/\.$/, '');
  return lower === 'postmaster' || lower === `postmaster@${mailDomain}` ? `postmaster@${house}.${mailDomain}` : lower;
}

/** A Message-ID that a Mailroom gave. */
const MAILROOM_ID = /^<msg_[0-9a-z]{20,24}@/;

/** Whether its author's domain signed it, and its Message-ID is one of a Mailroom. */
const isOfMailroom = ({ rfc_id: id, authentication: { verified, verified_by } }: ReceivedEmail): boolean =>
  verified && (verified_by === 'dmarc' || verified_by === 'dkim') && id !== null && MAILROOM_ID.test(id);

/** A message that its thread began with. */
const firstIn = (message: Message): Message | undefined =>
  threadOf(message.id) === message.thread_id ? message : undefined;

const accepted = channel('mailroom:mail:accepted');

/** Files the mails that a transport receives, each in the mailboxes of its recipients. */
export class IncomingEmail {
  readonly #parts: Parts;
  readonly #options: IncomingEmailOptions;

  constructor(parts: Parts, options: IncomingEmailOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * The mailbox that an address stands for. AppError `mailbox_not_found`, `mailbox_gone`, `namespace_gone`,
   * `unavailable`.
   */
  async recipient(text: string): Promise<EmailRecipient> {
    const { mail_domain: mailDomain, house } = this.#options;
    const address = canonical(text, house, mailDomain);
    const to = await findAddress(address, { directory: this.#parts.directory, mailDomain });
    if (to === undefined) throw new AppError('mailbox_not_found', `${text} is not an address of this service.`);
    const { directory, store } = this.#parts;
    const mailbox = ROLES.has(to.local)
      ? await this.#oldest(to.namespace)
      : await directory.mailbox(to.local, to.namespace);
    if (mailbox === undefined) {
      const namespace = await store.namespaces.byName(to.namespace);
      if (namespace !== undefined && namespace.deleted_at !== null)
        throw new AppError('namespace_gone', `The namespace ${to.namespace} was deleted by its owner.`);
      throw new AppError('mailbox_not_found', `There is no mailbox ${shortAddress(to.local, to.namespace)} here.`);
    }
    if (mailbox.deleted_at !== null)
      throw new AppError('mailbox_gone', `${shortAddress(to.local, to.namespace)} was deleted by its owner.`);
    if (mailbox.access === 'key' && !ROLES.has(to.local))
      throw new AppError('mailbox_not_found', `There is no mailbox ${shortAddress(to.local, to.namespace)} here.`);
    const filed = ROLES.has(to.local) ? { local: mailbox.local_part, namespace: mailbox.namespace, tag: null } : to;
    const domain = address.endsWith(`.${mailDomain}`) ? null : domainOfAddress(address);
    return { address, to: filed, mailbox, domain };
  }

  /** Whether a mailbox lets an address write; what is for `postmaster` and `abuse` reaches its owner from everyone. */
  accepts({ address: to, mailbox }: EmailRecipient, address: string): boolean {
    return isRole(to) || maySend(mailbox.senders, emailAuthor(address));
  }

  /**
   * Files a mail for one recipient, and has it answered unless there is a reason not to; the same bytes, or the same order
   * that an owner signed, to the same mailbox twice are one message. Durable when it resolves. AppError
   * `sender_not_allowed`, `mailbox_full`, `storage_full`, `rate_limited`, `body_too_large`, `mailbox_gone`, `unavailable`.
   */
  async accept(email: ReceivedEmail, recipient: EmailRecipient): Promise<Message> {
    return (await this.take(email, recipient)).message;
  }

  /**
   * As `accept`; with `handed` an answer that is there at once is left to the caller, with the domain that it leaves from.
   * `answered`: the message of its recipient that it answers, where that is at hand.
   */
  async take(
    email: ReceivedEmail,
    recipient: EmailRecipient,
    { handed, answered }: { readonly handed?: true; readonly answered?: WrittenMail | undefined } = {},
  ): Promise<Sent & { readonly domain: string | null }> {
    const { store, post } = this.#parts;
    const { mailbox } = recipient;
    const sender = emailAuthor(email.from.address);
    if (!this.accepts(recipient, sender.id))
      throw new AppError('sender_not_allowed', `${recipient.address} does not accept messages from this sender.`);
    if (!email.authentication.verified && mailbox.senders.allow.length > 0 && !isRole(recipient.address))
      throw new AppError(
        'sender_not_allowed',
        `${recipient.address} accepts messages from certain senders alone, and it is not proven who sent this one (SPF, DKIM, DMARC).`,
      );
    checkBody(email, this.#options.max_body);
    const { listens, recipients } = await this.#addressed(email, recipient);
    const not_answered = await this.#reason(email, recipient, sender, listens);
    const own = addressOf(mailbox);
    const isBetween = (one: Message): boolean =>
      (one.mailbox_id === mailbox.id || isAmong(one, own)) &&
      (correspondentOf(one) === sender.id || isAmong(one, sender.id));
    const atHand = answered !== undefined && isBetween(answered.message) ? answered : undefined;
    const precedingMessage =
      atHand?.message ?? (await messageBefore(email.references, mailbox.namespace_id, store, isBetween));
    const isPeers = this.#options.peers && isOfMailroom(email);
    // Another mailbox of the namespace has the same mail.
    const sameMail =
      email.rfc_id === null || (precedingMessage !== undefined && !isPeers)
        ? undefined
        : await messageBefore([email.rfc_id], mailbox.namespace_id, store, isBetween);
    // What another Mailroom sent comes by any of two doors, and its ids stand for one message.
    if (isPeers && sameMail?.mailbox_id === mailbox.id && correspondentOf(sameMail) === sender.id)
      return { message: sameMail, replayed: true, domain: null };
    const domain = atHand === undefined ? await this.#domain(precedingMessage, recipient) : atHand.domain;
    const author = not_answered === null ? await this.#withRights(email, recipient, sender) : sender;
    const stranger = author.namespace_id === null;
    await using received = stranger ? await receivedBytes(this.#parts.storage, email, mailbox.namespace_id) : undefined;
    await using upload = this.#parts.uploads.begin(mailbox.namespace_id, stranger);
    const omittedFiles = await addFiles(upload, email);
    await using raw =
      email.raw.length === 0 ? undefined : await this.#parts.raws.begin(email, mailbox.namespace_id, stranger);
    const newEmail: NewEmail = {
      rfc_id: email.rfc_id,
      references: keptReferences(email.references),
      authentication: email.authentication,
      domain,
      not_answered,
      owed: not_answered === null,
      stranger_bytes: stranger ? upload.charged + (raw?.charged ?? 0) : 0,
      label: not_answered === 'quarantine' || not_answered === 'spam' ? not_answered : listens ? 'cc' : null,
      handed,
      ends: answered?.delivery,
    };
    const submission: Submission = {
      to: recipient.to,
      body: bodyWith(email, omittedFiles),
      subject: email.subject,
      data: emailData(email, { address: recipient.address, left: omittedFiles }, this.#options.max_data),
      sender: author,
      from_mailbox_id: null,
      channel: 'smtp',
      thread_id: (precedingMessage ?? sameMail)?.thread_id ?? null,
      in_reply_to: precedingMessage?.id ?? null,
      first: atHand && firstIn(atHand.message),
      retry_of: null,
      hops: 0,
      try_out: false,
      idempotency: this.#idempotency(email, mailbox, author),
      payer: { kind: 'namespace', id: mailbox.namespace_id, stranger },
      caller: `email:${sender.id}`,
      ...(email.files.length > omittedFiles.length && { upload }),
      ...(not_answered !== null && { unanswered: true }),
      ...(isRole(recipient.address) && { to_role: true }),
      recipients,
      traits: traitsOf(email),
      email: newEmail,
    };
    const { message, replayed, ended } = await post.send(submission);
    await this.#parts.raws.keep(raw, message.id);
    if (!replayed) received?.keep();
    if (!replayed) accepted.publish({ not_answered, authentication: email.authentication });
    return { message, replayed, ended, domain };
  }

  /**
   * The sender, with the rights of an owner where its author is one and wrote to this recipient: anyone else who got a
   * signed mail of an owner can hand it in here too.
   */
  async #withRights(email: ReceivedEmail, { to, mailbox }: EmailRecipient, sender: EmailAuthor): Promise<Sender> {
    const { store, clock } = this.#parts;
    const owner = await emailSender(sender, mailbox.namespace_id, store, clock());
    if (owner.key_id === null || email.written_to === null) return owner;
    // An order that is forgotten could be handed in again.
    if (email.date === null || Math.abs(clock() - email.date) > ORDER_MS / 2) return sender;
    for (const text of email.written_to) if (await this.#stands(text, to)) return owner;
    return sender;
  }

  /** Whether an address stands for this mailbox. AppError `unavailable`. */
  async #stands(text: string, { local, namespace }: Address): Promise<boolean> {
    const { mail_domain: mailDomain, house } = this.#options;
    try {
      const named = await findAddress(canonical(text, house, mailDomain), { ...this.#parts, mailDomain });
      return named?.local === local && named.namespace === namespace;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      return false;
    }
  }

  /** What an owner signed, or a peer, is one mail, however often and with whatever unsigned fields it is handed in. */
  #idempotency({ sha256, signed_sha256 }: ReceivedEmail, { id }: Mailbox, { key_id }: Sender): Idempotency {
    const order = key_id === null && !this.#options.peers ? null : signed_sha256;
    const [hash, ms] = order === null ? [sha256, REPEATED_MS] : [order, ORDER_MS];
    return { scope: 'smtp', key: `${id} ${hash}`, hash, expires_at: this.#parts.clock() + ms };
  }

  /** Why it gets no automatic answer; null when it does. */
  async #reason(
    email: ReceivedEmail,
    { address, mailbox }: EmailRecipient,
    sender: Sender,
    listens: boolean,
  ): Promise<NotAnswered | null> {
    if (email.not_answered !== null) return email.not_answered;
    if (isRole(address)) return 'role';
    if (email.spam !== undefined) return 'spam';
    if (listens) return 'cc';
    if (!email.authentication.verified) return 'unverified';
    const to = sender.id as string;
    const { store } = this.#parts;
    if (
      (await store.suppressions.find({ namespace_id: mailbox.namespace_id, kind: 'email', target: to })) !== undefined
    )
      return 'suppressed';
    const { limit } = this.#parts;
    if (limit !== undefined && !(await limit.take(`${mailbox.id} ${to}`)).allowed) return 'too_many';
    return null;
  }

  /**
   * Whom a mail with several recipients is for, and whether this one only listens: it is one of Cc, or of neither To nor Cc
   * though nothing handed the mail on, and its owner wants to handle no such mail.
   */
  async #addressed(
    { to, cc, forwarded, body }: ReceivedEmail,
    recipient: EmailRecipient,
  ): Promise<{ readonly listens: boolean; readonly recipients: RecipientLists | undefined }> {
    const { mailbox } = recipient;
    const lists = { to: await this.#stored(to), cc: await this.#stored(cc) };
    const own = shortAddress(recipient.to.local, recipient.to.namespace);
    const has = (addresses: readonly string[]): boolean => addresses.some((one) => untagged(one) === own);
    const isTo = has(lists.to) || isRole(recipient.address) || (to.length === 0 && cc.length === 0);
    const isAlone = lists.cc.length === 0 && lists.to.length <= 1 && isTo;
    const listens =
      !isTo &&
      (has(lists.cc) || !forwarded) &&
      !wakesForCc(mailbox, { text: body, hops: 0 }, this.#options.mail_domain);
    return { listens, recipients: isAlone ? undefined : lists };
  }

  /** Addresses of a mail as they are stored, without those that no mail can be sent to. */
  async #stored(parties: readonly { readonly address: string }[]): Promise<readonly string[]> {
    const { mail_domain: mailDomain, house } = this.#options;
    const found = await Promise.all(
      parties.map(async ({ address }) => {
        const text = canonical(address, house, mailDomain);
        try {
          const to = await findAddress(text, { ...this.#parts, mailDomain });
          return to === undefined ? undefined : taggedAddress(to);
        } catch (error) {
          if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
          return outsideAddress(text) === undefined ? undefined : text;
        }
      }),
    );
    return [...new Set(found.filter((one) => one !== undefined))];
  }

  /** The domain with which the thread began, so that all of its answers come from one address. */
  async #domain(before: Message | undefined, recipient: EmailRecipient): Promise<string | null> {
    const ids = [before?.id, before?.in_reply_to].filter((id) => typeof id === 'string');
    const [email] = await this.#parts.store.emails.byMessages(ids);
    return email === undefined ? recipient.domain : email.domain;
  }

  async #oldest(namespace: string): Promise<Mailbox | undefined> {
    const { store } = this.#parts;
    const found = await store.namespaces.byName(namespace);
    if (found === undefined || found.deleted_at !== null) return undefined;
    const [id] = await store.mailboxes.ids(found.id);
    return id === undefined ? undefined : store.mailboxes.byId(id);
  }
}
