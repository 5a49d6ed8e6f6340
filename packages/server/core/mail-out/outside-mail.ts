import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutside, outsideAddress } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId, messageIdOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { oldestOf } from '../access/thread.ts';
import type { Delivery, NewDelivery } from '../entities/delivery.ts';
import { emailDeliveryViews } from '../entities/email.ts';
import type { Finding } from '../entities/finding.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { correspondentOf, type Message } from '../entities/message.ts';
import { addressesIn, untagged } from '../entities/recipients.ts';
import type { Review } from '../entities/review.ts';
import { sizeOfMessage } from '../entities/storage-size.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { PeerRoute } from '../ports/peer-route.ts';
import type { Store } from '../ports/store.ts';
import { asLeaving } from '../review/evidence.ts';
import type { Gate } from '../review/gate.ts';
import { compose, leavingText, MAX_HOPS, type Submission } from '../runs/submission.ts';
import type { Limiter } from '../values/limits.ts';
import { ownersUrl } from '../values/owners-url.ts';
import type { EmailAnswers } from './email-answers.ts';

interface Parts {
  readonly store: Store;
  readonly directory: Pick<Directory, 'mailboxById'>;
  readonly storage: StorageMeter;
  readonly emails: Pick<EmailAnswers, 'firstOf' | 'queued' | 'begin' | 'leaseEnd'>;
  /** Mails of a namespace in a day; undefined: no limit. */
  readonly limit: Limiter | undefined;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly gate: Pick<Gate, 'findings'>;
}

/** A message of the thread that is continued. */
export type ThreadFirst = Pick<Message, 'thread_id'> & { readonly id?: string };

/** The message, or an earlier one with its idempotency key. */
export type Written = Message | { readonly kind: 'replayed'; readonly id: string; readonly hash: string };

/** What a mailbox writes to an address outside: stored as settled, with one delivery, which says how far it is. */
export class OutsideMail {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Throws what `send` would throw now but for its limit. AppError `sender_not_allowed` (no mailbox sends it),
   * `mailbox_not_found` (no verified owner, for whom there is none outside), `address_suppressed`, `validation_error` (the address, the thread),
   * `loop_detected`, `unavailable`.
   */
  async check(submission: Submission): Promise<Message | undefined> {
    const { sender, hops, from_mailbox_id } = submission;
    const to = recipientOf(submission);
    if (outsideAddress(to) === undefined) throw invalid('/to', `${to} is no address that mail can be sent to.`);
    const { namespace_id } = sender;
    if (namespace_id === null || !(await this.#isClaimed(namespace_id))) throw this.#unclaimed(to);
    if (from_mailbox_id === null)
      throw new AppError(
        'sender_not_allowed',
        'Mail to an address outside is sent from a mailbox, where its answer arrives. Name one of yours in `from`, or use a key that is bound to one.',
      );
    if (hops >= MAX_HOPS)
      throw new AppError('loop_detected', `${MAX_HOPS} messages caused one another; this one was not sent.`);
    await this.#checkSuppressed(namespace_id, to);
    return this.#thread(submission, to);
  }

  /**
   * Whether mailboxes of a namespace may write to an address outside at all. AppError `mailbox_not_found` (no verified
   * owner), `address_suppressed`, `validation_error`.
   */
  async mayWrite(namespace_id: string, to: string): Promise<void> {
    if (outsideAddress(to) === undefined) throw invalid('/to', `${to} is no address that mail can be sent to.`);
    if (!(await this.#parts.store.namespaces.isClaimed(namespace_id))) throw this.#unclaimed(to);
    await this.#checkSuppressed(namespace_id, to);
  }

  /** What is known to be claimed stays so. */
  async #isClaimed(id: string): Promise<boolean> {
    const { storage, store } = this.#parts;
    return (await storage.isClaimed(id)) || store.namespaces.isClaimed(id);
  }

  #unclaimed(to: string): AppError {
    return new AppError(
      'mailbox_not_found',
      `There is no mailbox ${to} here, and only a namespace with a verified owner writes to addresses outside. Claim it first: add your e-mail address under Owners, ${ownersUrl(this.#parts.baseUrl())}.`,
    );
  }

  /** AppError `address_suppressed`. */
  async #checkSuppressed(namespace_id: string, to: string): Promise<void> {
    const suppressed = await this.#parts.store.suppressions.find({ namespace_id, kind: 'email', target: to });
    if (suppressed === undefined) return;
    throw new AppError(
      'address_suppressed',
      `Nothing is sent to ${to}, because an earlier mail ${suppressed.reason}. If it takes mail again, lift that with DELETE /api/v1/mail/suppressions/${to}, or in the console's settings.`,
      { errors: [{ pointer: '/to', message: `This address is suppressed: ${suppressed.reason}.` }] },
    );
  }

  /**
   * Stores a mail with its delivery, whose first attempt begins at once where it has a route. Durable when it resolves. AppError as of `check` and `write`; undefined with the id of
   * an earlier message where its idempotency key was used.
   */
  async send(submission: Submission, route?: PeerRoute): Promise<Written> {
    const first = await this.check(submission);
    return this.write(submission, { first, targets: [recipientOf(submission)], route });
  }

  /**
   * Stores a message that was checked, as settled, with a delivery for each of `targets`; with `copies_at` a job makes the
   * copies of its recipients here from then on. AppError `rate_limited`, `storage_full`, `invalid_key`,
   * `sender_not_allowed` (its mailbox is gone), `unavailable`.
   */
  async write(
    submission: Submission,
    {
      first,
      targets,
      copies_at = null,
      review,
      route,
    }: {
      first: ThreadFirst | undefined;
      targets: readonly string[];
      copies_at?: Millis | null;
      /** It waits until an owner has seen it, and nothing of it leaves before. */
      review?: Review;
      route?: PeerRoute | undefined;
    },
  ): Promise<Written> {
    const { store, storage, clock, emails, directory } = this.#parts;
    const { from_mailbox_id: fromId } = submission;
    const mailbox = fromId === null ? undefined : await directory.mailboxById(fromId);
    if (fromId !== null && (mailbox === undefined || mailbox.deleted_at !== null)) throw mailboxGone();
    const namespace_id = mailbox?.namespace_id ?? (submission.sender.namespace_id as string);
    await this.count(namespace_id, targets.length);
    const now = clock();
    const message: Message = {
      ...compose(submission, { id: fromId ?? '' }, now, first),
      from: mailbox === undefined ? null : addressOf(mailbox),
      ...(review === undefined
        ? { status: 'completed', settled_at: now }
        : { status: 'working', waiting_for: 'review' }),
    };
    const findings = review?.findings ?? (mailbox && (await this.#findings(submission, mailbox)));
    if (findings !== undefined && findings.length > 0) Object.assign(message, { findings: asLeaving(findings) });
    const payer: Payer = submission.payer ?? { kind: 'namespace', id: namespace_id };
    const size = sizeOfMessage(message);
    let written = false;
    let reserved = false;
    try {
      await submission.upload?.assign(message.id);
      await storage.reserve(payer, size);
      reserved = true;
      const domain = submission.from_domain ?? (await this.domainOf(submission, first));
      const leaving =
        mailbox === undefined || review !== undefined ? undefined : emails.firstOf(message, mailbox, domain, targets);
      const leased_until = route && emails.leaseEnd();
      const deliveries = (leaving?.deliveries ?? []).map((one) => ({ ...one, leased_until }));
      const [begun] = route === undefined ? [] : deliveries;
      const result = await store.emails
        .send({
          message,
          from_mailbox_id: fromId,
          idempotency: submission.idempotency,
          deliveries,
          state: begun && route?.stateOf(begun.id),
          copies_at,
          ...(review !== undefined && { review: { ...review, message_id: message.id } }),
          namespace_id,
          rfc_id: deliveries.length === 0 ? null : (leaving?.rfc_id ?? null),
          domain,
        })
        .catch((error: unknown) => {
          // Whether it was written is unknown, so its files are left to the check of their owner.
          submission.upload?.keep();
          throw error;
        });
      if (result.kind === 'replayed') return result;
      if (result.kind === 'refused') throw new AppError('invalid_key', 'This key was revoked, or its mailbox deleted.');
      written = true;
      submission.upload?.keep();
      if (begun !== undefined && mailbox !== undefined)
        emails.begin(begun, { message, mailbox, domain, unreviewed: true });
      else for (const delivery of deliveries) emails.queued(delivery);
      if (deliveries.length === 0) return message;
      return { ...message, email: { deliveries: emailDeliveryViews(deliveries.map(queued)) } };
    } finally {
      if (!written) {
        if (reserved) storage.add(payer, -size);
        for (const _ of targets) this.#parts.limit?.refund(namespace_id);
      }
    }
  }

  /** The evidence on what a mailbox writes. AppError `unavailable`. */
  #findings(submission: Submission, mailbox: Mailbox): Promise<readonly Finding[]> {
    const { recipients, upload } = submission;
    const all = recipients === undefined ? [recipientOf(submission)] : addressesIn(recipients);
    return this.#parts.gate.findings(mailbox, all.map(untagged), leavingText(submission), upload?.id);
  }

  /** Lets a message leave that waited for its review. False where it does not wait with it any more. */
  async release(message: Message, mailbox: Mailbox, review: Review, copies_at: Millis): Promise<boolean> {
    const { store, clock, emails } = this.#parts;
    const all = addressesIn(message.recipients ?? { to: [], cc: [] });
    const targets = all.filter(isOutside);
    const { domain } = JSON.parse(review.carries) as { readonly domain: string | null };
    const now = clock();
    const { deliveries, rfc_id } = emails.firstOf({ ...message, created_at: now }, mailbox, domain, targets);
    const released = await store.reviews.release({
      ...{ review, deliveries, namespace_id: mailbox.namespace_id, domain, now },
      copies_at: targets.length < all.length ? copies_at : null,
      rfc_id: deliveries.length === 0 ? null : rfc_id,
    });
    if (released) for (const delivery of deliveries) emails.queued(delivery);
    return released;
  }

  /** Counts mails of the day. AppError `rate_limited`, with none counted. */
  async count(namespace_id: string, mails: number): Promise<void> {
    const { limit } = this.#parts;
    for (let counted = 0; limit !== undefined && counted < mails; counted++) {
      const taken = await limit.take(namespace_id);
      if (taken.allowed) continue;
      for (; counted > 0; counted--) limit.refund(namespace_id);
      throw new AppError(
        'rate_limited',
        `This namespace has sent ${limit.policy.quota - counted} mails to addresses outside today; with ${mails === 1 ? 'this one' : `these ${mails}`} it would exceed its maximum of ${limit.policy.quota}. Try again at 00:00 UTC.`,
        { retry_after_ms: taken.reset_ms },
      );
    }
  }

  /** The domain that the thread has left from so far. */
  async domainOf(
    { in_reply_to }: Pick<Submission, 'in_reply_to'>,
    first: Pick<ThreadFirst, 'id'> | undefined,
  ): Promise<string | null> {
    const ids = [in_reply_to === null ? undefined : messageIdOf(in_reply_to), first?.id].filter(
      (id) => id !== undefined,
    );
    if (ids.length === 0) return null;
    const known = await this.#parts.store.emails.byMessages(ids);
    return known.find(({ domain }) => domain !== null)?.domain ?? null;
  }

  /** The oldest message of the thread that is continued: one between the same mailbox and address. */
  async #thread({ thread_id, in_reply_to, from_mailbox_id }: Submission, to: string): Promise<Message | undefined> {
    const { store } = this.#parts;
    const fits = (message: Message | undefined): message is Message =>
      message !== undefined && message.mailbox_id === from_mailbox_id && correspondentOf(message) === to;
    let wanted = thread_id;
    if (in_reply_to !== null) {
      const precedingMessage = isId('msg', in_reply_to)
        ? await store.messages.byId(messageIdOf(in_reply_to))
        : undefined;
      if (!fits(precedingMessage) || (wanted !== null && wanted !== precedingMessage.thread_id))
        throw invalid('/in_reply_to', `There is no such message between this mailbox and ${to}.`);
      wanted = precedingMessage.thread_id;
    }
    if (wanted === null) return undefined;
    const first = isId('thr', wanted) ? await oldestOf(store, wanted) : undefined;
    if (!fits(first))
      throw invalid(
        '/thread_id',
        `There is no such thread between this mailbox and ${to}. Leave thread_id out to begin one.`,
      );
    return first;
  }
}

/** The whole address outside, which `Address` keeps in two parts. */
const recipientOf = ({ to }: Submission): string => `${to.local}@${to.namespace}`;

const mailboxGone = (): AppError =>
  new AppError('sender_not_allowed', 'The mailbox it should be sent from was deleted.');

/** A delivery as it is when it was written. */
const queued = (delivery: NewDelivery): Delivery => ({
  ...delivery,
  event_id: null,
  status: 'queued',
  error: null,
  attempt: 0,
  updated_at: delivery.created_at,
});
