import { isOutgoing } from '@mailroom/behavior/message';
import { DAY, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { newId, replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import type { Attachment } from '../entities/attachment.ts';
import { type Delivery, type DeliveryClaim, isHanded, type NewDelivery } from '../entities/delivery.ts';
import { keptReferences } from '../entities/email.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import type { Deliverer } from '../outgoing/deliver.ts';
import type { Claim } from '../ports/claim.ts';
import type { DeliveryKind, DeliveryResult } from '../ports/delivery.ts';
import type { HandedAnswer } from '../ports/email-transport.ts';
import type { KnownEmail, NewEmail, QueuedAnswers } from '../ports/emails.ts';
import type { Accepted, Settlement } from '../ports/messages.ts';
import type { Sent } from '../runs/submission.ts';
import { type AnswerTargetParts, answerTarget } from './answer-target.ts';
import { LeavingMail, type LeavingParts, rfcIdOf } from './leaving-mail.ts';
import { type Answer, type Leaving, signatureOf } from './leaving-text.ts';

interface Parts extends Omit<AnswerTargetParts, 'store'>, LeavingParts {
  readonly deliverer: Pick<Deliverer, 'announce' | 'begin' | 'leaseEnd'>;
  /** Events of this namespace were written. */
  readonly publishEvents: (namespaceId: string) => void;
}

/** One attempt may wait for a slow server (RFC 5321, section 4.5.3.2, allows it minutes). */
const ATTEMPT_MS = 5 * MINUTE;
const MAX_IN_PROGRESS = 64;
/** Answers are tried for five days (RFC 5321, section 4.5.4.1). */
const EXPIRES_MS = 5 * DAY;
const SWEEP = 100;
/** How much of a thread is searched for further replies. */
const THREAD_PAGE = 200;
/** How much of a thread before a mail is named in it. */
const THREAD_BEFORE = 50;

/** What is answered. */
interface Answered {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly email: KnownEmail;
}

/** What a mailbox wrote, as it was just written. */
type Fresh = Pick<Leaving, 'message' | 'mailbox' | 'domain' | 'unreviewed'>;

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
const deliveryIdOf = (id: string): string => `dlv_${id.slice(4)}`;

/**
 * Sends what answers messages that came by e-mail as e-mail. A settlement is noticed at once, and after a crash by
 * `sweep`, since a message owes its answer from its arrival until the delivery is written.
 */
export class EmailAnswers {
  readonly #parts: Parts;
  readonly #mails: LeavingMail;
  /** What was just written, by its delivery, until its first attempt begins. */
  readonly #fresh = new Map<string, Fresh>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#mails = new LeavingMail(parts);
  }

  /** A message that came by e-mail has settled. */
  settled(message: Message, mailbox: Mailbox): void {
    this.#queue(message, mailbox).catch(this.#parts.onError);
  }

  /** A further reply to such a message is about to be written, and is queued by `queue` or by a sweep. */
  owe(message: Message): Promise<void> {
    return this.#parts.store.emails.owe(message.id);
  }

  /** Queues what was written for this message and is not queued so far; nothing while it is not settled. */
  async queue(messageId: string): Promise<void> {
    const { store } = this.#parts;
    const message = await store.messages.byId(messageId);
    if (message === undefined || !isSettled(message.status)) return;
    const mailbox = await store.mailboxes.byId(message.mailbox_id);
    if (mailbox !== undefined) await this.#queue(message, mailbox);
  }

  /** Writes a settled message that came by e-mail by `write`, with its answers where it has any. */
  async accept<Written extends Accepted>(
    { message, mailbox, email }: { readonly message: Message; readonly mailbox: Mailbox; readonly email: NewEmail },
    write: (answers?: QueuedAnswers) => Promise<Written>,
  ): Promise<Written> {
    const written = Promise.withResolvers<Written>();
    await this.#leave(
      { message, mailbox, email: knownEmail(message, email), handed: email.handed },
      async (answers) => {
        const accepted = await write(answers);
        written.resolve(accepted);
        return accepted.kind === 'accepted' && accepted.answered === true;
      },
    );
    return written.promise;
  }

  /**
   * Settles a message as the store does, and queues its answer in the same transaction. Undefined where none is owed by
   * its settlement: then it is to be settled as any other.
   */
  async settle(
    claim: Pick<Claim, 'id' | 'fence'>,
    settlement: Settlement,
    message: Message,
    mailbox: Mailbox,
  ): Promise<boolean | undefined> {
    const { emails, messages } = this.#parts.store;
    const [email] = await emails.byMessages([message.id]);
    if (email === undefined || email.not_answered !== null || message.sender_id === null) return undefined;
    return this.#leave({ message, mailbox, email }, (answers) => messages.settleAnswered(claim, settlement, answers));
  }

  async #queue(message: Message, mailbox: Mailbox): Promise<void> {
    const { emails } = this.#parts.store;
    const [email] = await emails.byMessages([message.id]);
    if (email === undefined || message.sender_id === null) return;
    await this.#leave({ message, mailbox, email }, async (answers) => {
      await emails.queue(answers);
      return true;
    });
  }

  /** Writes the deliveries of what is not queued so far; false when `write` wrote nothing. */
  async #leave(
    { message, mailbox, email, handed }: Answered & { readonly handed?: true | undefined },
    write: (answers: QueuedAnswers) => Promise<boolean>,
  ): Promise<boolean> {
    const { clock, mailDomain, deliverer } = this.#parts;
    const answers = (await this.#answers(message, email)).filter(({ at }) => at > email.queued_until);
    const until = Math.max(email.queued_until, ...answers.map(({ at }) => at));
    const now = clock();
    const rfc_ids = answers.map(({ id }) => [id, rfcIdOf(id, mailbox, email.domain, mailDomain)] as const);
    const deliveries: NewDelivery[] = [];
    for (const { id, by_hand = false } of answers) {
      const author = handed && message.sender_id;
      const to = author ?? (await answerTarget(message, mailbox, { ...email, by_hand }, this.#parts));
      deliveries.push({ ...deliveryOf(id, { message_id: message.id, mailbox, to, now }), ...(author && { handed }) });
    }
    const { namespace_id } = mailbox;
    if (!(await write({ message_id: message.id, until, deliveries, namespace_id, rfc_ids }))) return false;
    for (const delivery of deliveries) if (!delivery.handed) deliverer.announce(delivery);
    return true;
  }

  /**
   * The answer that leaves with the response to the server of its author, again where that asks again; undefined while there
   * is none, or where it leaves as a delivery.
   */
  async handed(
    { message, replayed }: Sent,
    mailbox: Mailbox,
    domain: string | null,
  ): Promise<HandedAnswer | undefined> {
    if (!isSettled(message.status) || message.not_answered !== undefined || message.reply_attachments !== undefined)
      return undefined;
    const { emails, deliveries } = this.#parts.store;
    const [email] = replayed ? await emails.byMessages([message.id]) : [];
    if (replayed && (email === undefined || email.not_answered !== null || email.queued_until === 0)) return undefined;
    const { namespace_id } = mailbox;
    const results = replayed
      ? (await deliveries.page({ namespace_id, message_id: message.id }, null, THREAD_PAGE)).items
      : [];
    if (!results.every(isHanded)) return undefined;
    const [answer] = await this.#answers(message, email ?? { not_answered: null });
    return answer && this.#mails.handed(answer, mailbox, email?.domain ?? domain);
  }

  /** Queues what a crash kept from being queued. */
  async sweep(): Promise<void> {
    let after = '';
    for (;;) {
      const ids = await this.#parts.store.emails.owed(after, SWEEP);
      for (const id of ids) await this.queue(id);
      after = ids.at(-1) ?? '';
      if (ids.length < SWEEP) return;
    }
  }

  /** The deliveries and the Message-ID of a message that a mailbox writes to addresses outside, from this domain. */
  firstOf(
    { id, created_at: now }: Message,
    mailbox: Mailbox,
    domain: string | null,
    targets: readonly string[],
    isFirst = true,
  ): { readonly deliveries: readonly NewDelivery[]; readonly rfc_id: string } {
    const deliveries = targets.map((to, at) => ({
      ...deliveryOf(id, { message_id: id, mailbox, to, now }),
      ...((at > 0 || !isFirst) && { id: newId('dlv', now) }),
    }));
    return { deliveries, rfc_id: rfcIdOf(id, mailbox, domain, this.#parts.mailDomain) };
  }

  /** That delivery was written. */
  queued(delivery: NewDelivery): void {
    this.#parts.deliverer.announce(delivery);
  }

  /** The delivery of what a mailbox wrote was written under a lease of this node: its first attempt begins. */
  begin(delivery: NewDelivery, written: Fresh): void {
    this.#fresh.set(delivery.id, written);
    this.#parts.deliverer.begin(delivery);
  }

  /** The end of a lease of a first attempt that begins now. */
  leaseEnd(): Millis {
    return this.#parts.deliverer.leaseEnd();
  }

  /** How answers are delivered. */
  kind(): DeliveryKind {
    return {
      name: 'email',
      max: MAX_IN_PROGRESS,
      attempt_ms: ATTEMPT_MS,
      keeps: true,
      suppressible: true,
      logged: domainOf,
      changed: ({ namespace_id }) => {
        if (namespace_id !== null) this.#parts.publishEvents(namespace_id);
      },
      deliver: (delivery, signal) => this.#deliver(delivery, signal),
    };
  }

  async #deliver(delivery: DeliveryClaim, signal: AbortSignal): Promise<DeliveryResult> {
    const fresh = this.#fresh.get(delivery.id);
    this.#fresh.delete(delivery.id);
    const leaving = fresh === undefined ? await this.#leaving(delivery) : await this.#writtenBy(fresh);
    return leaving === undefined ? { kind: 'dropped' } : this.#mails.send(delivery, leaving, signal);
  }

  /** What leaves: an answer to a message that came by e-mail, or what a mailbox wrote itself. */
  async #leaving({ message_id, payload: id }: Delivery): Promise<Leaving | undefined> {
    const { store } = this.#parts;
    const message = await store.messages.byId(message_id ?? '');
    if (message === undefined) return undefined;
    const mailbox = await store.mailboxes.byId(message.mailbox_id);
    const [email] = await store.emails.byMessages([message.id]);
    if (message.kind === 'reply') return this.#furtherOf(message);
    if (mailbox === undefined || email === undefined) return undefined;
    if (isOutgoing(message)) return this.#writtenBy({ message, mailbox, domain: email.domain });
    const answer = (await this.#answers(message, email)).find((one) => one.id === id);
    return answer && this.#answerOf({ message, mailbox, email }, answer);
  }

  /** What a mailbox wrote itself. */
  async #writtenBy({ message, mailbox, domain, unreviewed }: Fresh): Promise<Leaving> {
    const { id, body, data, created_at: at, attachments: files = [], hops } = message;
    const references = await this.#before(message, mailbox);
    // What a person or their program writes of itself is no automatic answer (RFC 3834, section 2).
    const automatic = hops > 0 ? 'auto-generated' : null;
    const answer = { id, body, data, at };
    return { message, mailbox, answer, references, files, automatic, domain, ...(unreviewed && { unreviewed }) };
  }

  /** A reply that others than the author of what it answers get too. */
  async #furtherOf(reply: Message): Promise<Leaving | undefined> {
    const { store } = this.#parts;
    const answered = reply.in_reply_to === null ? undefined : await store.messages.byId(reply.in_reply_to);
    const mailbox = reply.sender_id === null ? undefined : await store.mailboxes.byId(reply.sender_id);
    if (answered === undefined || mailbox === undefined) return undefined;
    const [email] = await store.emails.byMessages([answered.id]);
    const { id, body, data, created_at: at, attachments: files = [] } = reply;
    const references = email === undefined ? await this.#before(reply, mailbox) : referencesOf(email);
    const domain = email?.domain ?? null;
    const answer = { id, body, data, at, signed_by: signatureOf(reply) };
    return { message: reply, mailbox, answer, references, files, automatic: null, domain };
  }

  /** The Message-IDs of the mails before this one in its thread, oldest first. */
  async #before({ id, thread_id }: Message, mailbox: Mailbox): Promise<readonly string[]> {
    const { store, mailDomain } = this.#parts;
    if (threadOf(id) === thread_id) return [];
    const { items } = await store.messages.threadEnd(thread_id, id, THREAD_BEFORE, 'beginning');
    const emails = new Map(
      (await store.emails.byMessages(items.map((one) => one.id))).map((one) => [one.message_id, one]),
    );
    const ids = items.flatMap((message) => {
      const email = emails.get(message.id);
      const sentIdOf = (of: string): string => rfcIdOf(of, mailbox, email?.domain ?? null, mailDomain);
      if (email === undefined) return [sentIdOf(message.id)];
      const its = referencesOf(email);
      return message.reply === null ? its : [...its, sentIdOf(replyIdOf(message.id))];
    });
    return keptReferences(ids);
  }

  /** An answer to a message that came by e-mail, as it leaves. */
  async #answerOf(of: Answered, answer: Answer) {
    const { message, mailbox, email } = of;
    const automatic = answer.by_hand === true ? null : 'auto-replied';
    const files = await this.#filesOf(message, answer);
    return {
      message,
      mailbox,
      answer,
      references: referencesOf(email),
      files,
      automatic,
      domain: email.domain,
    } as const;
  }

  /** The files of an answer; a failure has none, and returns none of its sender's. */
  async #filesOf(message: Message, { id }: Answer): Promise<readonly Attachment[]> {
    if (id === message.id) return [];
    if (id === replyIdOf(message.id)) return message.reply_attachments ?? [];
    return (await this.#parts.store.messages.byId(id))?.attachments ?? [];
  }

  /** All that answers the message, oldest first. */
  async #answers(message: Message, email: Pick<KnownEmail, 'not_answered'>): Promise<readonly Answer[]> {
    const { id, reply, status, settled_at, error_message } = message;
    const answers: Answer[] = [];
    const answeredAt = settled_at ?? message.created_at;
    if (reply !== null) answers.push({ id: replyIdOf(id), ...reply, at: answeredAt, signed_by: signatureOf(message) });
    else if (email.not_answered === null && (status === 'failed' || status === 'rejected'))
      answers.push({
        id,
        body: `Your message could not be answered. ${error_message ?? ''}`.trim(),
        data: null,
        at: answeredAt,
      });
    if (message.replies_count <= (reply === null ? 0 : 1)) return answers;
    let after: string | null = null;
    do {
      const page = await this.#parts.store.messages.thread(message.thread_id, after, THREAD_PAGE);
      for (const delivery of page.items)
        if (delivery.kind === 'reply' && delivery.in_reply_to === id)
          answers.push({
            ...{
              id: delivery.id,
              body: delivery.body,
              data: delivery.data,
              at: delivery.created_at,
              by_hand: delivery.by_hand,
            },
            signed_by: signatureOf(delivery),
          });
      after = page.next;
    } while (after !== null);
    return answers;
  }
}

const knownEmail = ({ id, created_at }: Message, email: NewEmail): KnownEmail => {
  const { rfc_id, references, authentication, domain, not_answered } = email;
  return { rfc_id, references, authentication, domain, not_answered, message_id: id, created_at, queued_until: 0 };
};

/** What a mail refers to that answers this one. */
const referencesOf = ({ references, rfc_id }: KnownEmail): readonly string[] =>
  rfc_id === null ? references : [...references, rfc_id];

const deliveryOf = (
  id: string,
  {
    message_id,
    mailbox,
    to,
    now,
  }: { readonly message_id: string; readonly mailbox: Mailbox; readonly to: string; readonly now: Millis },
): NewDelivery => ({
  id: deliveryIdOf(id),
  kind: 'email',
  namespace_id: mailbox.namespace_id,
  message_id,
  target: to,
  destination: domainOf(to),
  payload: id,
  due_at: now,
  created_at: now,
  expires_at: now + EXPIRES_MS,
});
