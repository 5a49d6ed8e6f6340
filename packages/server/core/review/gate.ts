import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists } from '@mailroom/behavior/message';
import { fullAddress, isOutside } from '@mailroom/behavior/values/address';
import { type Clock, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import type { Finding } from '../entities/finding.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Outgoing } from '../entities/outgoing.ts';
import { addressesIn, untagged } from '../entities/recipients.ts';
import { hashOf, type LeavingMessage, leavingHash, type Review } from '../entities/review.ts';
import type { DailyRecipients } from '../limits/daily-recipients.ts';
import type { Counted } from '../ports/recipient-days.ts';
import type { Store } from '../ports/store.ts';
import type { Evidence, LeavingText } from './evidence.ts';
import { authorOf } from './leaving.ts';

interface Parts {
  readonly store: Pick<Store, 'reviews'>;
  readonly directory: Pick<Directory, 'mailbox' | 'namespaceName'>;
  readonly daily: DailyRecipients;
  readonly evidence: Pick<Evidence, 'leaving'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** How many messages of a mailbox may wait for their review. */
  readonly max_waiting: number;
}

/** Who wrote what leaves. */
export interface Writer {
  /** A person in a session of the console, whose text is not held. */
  readonly person: boolean;
  /** The key by which it is written; null for a behavior. */
  readonly key_id: string | null;
  /** A program outside wrote it, or a key by hand. */
  readonly program?: boolean | undefined;
  /** It was approved within a plan. */
  readonly planned?: boolean | undefined;
  /** A rule of the mailbox wants it seen. */
  readonly ruled?: boolean | undefined;
}

/** A recipient of an answer, which may have no address. */
interface Recipient {
  readonly address: string | null;
  /** The namespace of a key without a mailbox. */
  readonly namespace_id?: string | null;
}

/** What is held, and what carries it out. */
interface Held extends Pick<Review, 'message_id' | 'kind' | 'reply_id' | 'carries'> {
  readonly message: LeavingMessage;
  /** When what is answered has waited too long; undefined for no such time. */
  readonly deadline?: Millis | undefined;
  /** Who has its files. */
  readonly files_of?: string | undefined;
  /** What was counted for it; given back where it never leaves. */
  readonly counted: Counted | undefined;
}

/** For how long a contact is taken to be one, and of how many that is remembered. */
const CONTACTS_MS: Millis = MINUTE;
const MAX_CONTACTS = 10_000;

/** The one gate that everything passes that leaves a mailbox. */
export class Gate {
  readonly #contacts = new Map<string, number>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whether the mailbox may write to these at all. AppError `recipient_not_allowed`, with a pointer for each one that its
   * policy refuses.
   */
  async allow(mailbox: Mailbox, recipients: RecipientLists): Promise<void> {
    const { outgoing } = mailbox;
    if (outgoing === undefined || outgoing.allow.length + outgoing.block.length === 0) return;
    const errors: { pointer: string; message: string }[] = [];
    for (const field of ['to', 'cc', 'bcc'] as const)
      for (const [place, address] of (recipients[field] ?? []).entries())
        if (!(await this.#mayWriteTo(outgoing, { address: untagged(address) })))
          errors.push({ pointer: `/${field}/${place}`, message: this.#refusal(mailbox, address) });
    const [first] = errors;
    if (first !== undefined) throw new AppError('recipient_not_allowed', first.message, { errors });
  }

  /** Whether the mailbox may answer the author of a message. */
  async mayAnswer(mailbox: Mailbox, message: Message): Promise<boolean> {
    const { outgoing } = mailbox;
    if (outgoing === undefined || outgoing.allow.length + outgoing.block.length === 0) return true;
    const author = authorOf(message);
    const namespace_id = message.sender_namespace_id;
    return this.#mayWriteTo(outgoing, { address: author === null ? null : untagged(author), namespace_id });
  }

  /** Counts the recipients of what leaves. AppError `rate_limited`, until 00:00 UTC. */
  async count(mailbox: Mailbox, recipients: number): Promise<Counted | undefined> {
    const max = mailbox.outgoing?.max_per_day ?? null;
    return max === null ? undefined : await this.#parts.daily.take(mailbox, recipients, max);
  }

  /** Gives back what was counted and does not leave. */
  async giveBack(mailbox: Pick<Mailbox, 'id'>, counted: Counted | undefined): Promise<void> {
    if (counted !== undefined) await this.#parts.daily.giveBack(mailbox, counted);
  }

  /** Whether a mailbox may hold what leaves it, so that no word of it is shown before. */
  static mayHold(mailbox: Mailbox, message?: Pick<Message, 'rules'>): boolean {
    return (mailbox.outgoing?.review ?? 'never') !== 'never' || message?.rules?.review === true;
  }

  /** The review that holds what would leave; undefined where it leaves at once. */
  async hold(mailbox: Mailbox, lists: RecipientLists, held: Held, by: Writer): Promise<Review | undefined> {
    const { outgoing } = mailbox;
    if (by.person || (outgoing === undefined && by.ruled !== true)) return undefined;
    const { review = 'never', expires_seconds = 86_400, on_expiry = 'discard' } = outgoing ?? {};
    if (review === 'never' && by.ruled !== true) return undefined;
    const recipients = addressesIn(lists).map(untagged);
    const { deadline, files_of, counted, ...what } = held;
    const findings = await this.findings(mailbox, recipients, what.message, files_of);
    const isFound = findings.length > 0;
    const waits =
      by.ruled === true ||
      review === 'always' ||
      (by.planned !== true &&
        ((review === 'outside' && recipients.some(isOutside)) ||
          (review === 'first_contact' && findings.some(({ kind }) => kind === 'first_contact')) ||
          (review === 'findings' && isFound)));
    if (!waits) return undefined;
    await this.#requireRoom(mailbox);
    const requested_at = this.#parts.clock();
    const end = requested_at + expires_seconds * SECOND;
    return {
      ...what,
      id: newId('rev', requested_at),
      namespace_id: mailbox.namespace_id,
      mailbox_id: mailbox.id,
      mailbox: addressOf(mailbox),
      status: 'pending',
      hash: hashOf(what.message),
      original: null,
      own_hash: null,
      findings,
      on_expiry,
      written_by: by.key_id,
      changed_by: null,
      requested_at,
      expires_at: deadline === undefined ? end : Math.min(end, deadline),
      decided_by: null,
      decided_at: null,
      reason: null,
      receipt: null,
      counted: counted?.recipients ?? 0,
      counted_day: counted?.day ?? 0,
      refusals: [],
    };
  }

  /** AppError `mailbox_full` where as much waits as an owner could look at. */
  async #requireRoom({ id: mailbox_id, namespace_id, local_part, namespace }: Mailbox): Promise<void> {
    const { store, max_waiting: max } = this.#parts;
    if ((await store.reviews.countPending({ namespace_id, mailbox_id }, max)) < max) return;
    throw new AppError(
      'mailbox_full',
      `${max.toLocaleString('en-US')} messages of ${local_part}@${namespace} wait for their review. Its owner decides on them first.`,
      { retry_after_ms: MINUTE },
    );
  }

  /**
   * The evidence in what a mailbox would send to these stored addresses, with the files of this owner. Where nothing is
   * held, who is written to first is looked up for addresses outside alone. AppError `unavailable`.
   */
  async findings(
    mailbox: Pick<Mailbox, 'id' | 'outgoing'>,
    recipients: readonly string[],
    message: LeavingText,
    files_of: string | undefined,
  ): Promise<readonly Finding[]> {
    const { evidence } = this.#parts;
    const looked = mailbox.outgoing === undefined ? recipients.filter(isOutside) : recipients;
    const [known, found] = await Promise.all([
      this.#knownAmong(mailbox.id, looked),
      evidence.leaving(message, recipients.length, files_of),
    ]);
    const first = looked.filter((address) => !known.has(address));
    const why = (address: string): string =>
      `${fullAddress(address, this.#parts.mailDomain)} has written no verified message to this mailbox so far.`;
    return [...first.map((address) => ({ kind: 'first_contact', where: 'recipients', why: why(address) })), ...found];
  }

  /** Those of the addresses that a mailbox has to do with, which it soon has again. */
  async #knownAmong(mailboxId: string, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    const [address, ...others] = addresses;
    const key = `${mailboxId} ${address}`;
    const now = performance.now();
    if (address !== undefined && others.length === 0 && (this.#contacts.get(key) ?? 0) > now) return new Set(addresses);
    const known = await this.#parts.store.reviews.contacts(mailboxId, addresses);
    if (this.#contacts.size >= MAX_CONTACTS) this.#contacts.clear();
    for (const one of known) this.#contacts.set(`${mailboxId} ${one}`, now + CONTACTS_MS);
    return known;
  }

  /** Whether what is about to leave is what was decided on. */
  static isDecided = (review: Pick<Review, 'hash' | 'own_hash'>, message: LeavingMessage): boolean =>
    hashOf(message) === leavingHash(review);

  #refusal(mailbox: Mailbox, address: string): string {
    const [from, to] = [addressOf(mailbox), address].map((one) => fullAddress(one, this.#parts.mailDomain));
    return `${from} does not write to ${to}, as its owner set it (outgoing.allow, outgoing.block).`;
  }

  async #mayWriteTo({ allow, block }: Outgoing, recipient: Recipient): Promise<boolean> {
    const names = await this.#namesOf(recipient);
    const named = (entries: readonly string[]): boolean => entries.some((entry) => names.has(entry));
    return !named(block) && (allow.length === 0 || named(allow));
  }

  /** The entries that stand for a recipient. */
  async #namesOf({ address, namespace_id = null }: Recipient): Promise<ReadonlySet<string>> {
    const { directory } = this.#parts;
    if (address === null) {
      const name = namespace_id === null ? undefined : await directory.namespaceName(namespace_id);
      return new Set(name === undefined ? [] : [name, `*@${name}`]);
    }
    const at = address.lastIndexOf('@');
    const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
    if (isOutside(address)) return new Set([address, `*@${domain}`]);
    const { domains = [] } = (await directory.mailbox(local, domain)) ?? {};
    return new Set([address, `*@${domain}`, domain, ...domains.flatMap((one) => [`*@${one}`, `${local}@${one}`])]);
  }
}
