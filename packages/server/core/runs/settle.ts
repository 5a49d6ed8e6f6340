import { channel } from 'node:diagnostics_channel';
import type { Effect } from '@mailroom/behavior/effect';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Review } from '../entities/review.ts';
import type { EffectLimits, TakenEffects } from '../limits/effect-limits.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { AnswerTerms } from '../ports/answers.ts';
import type { Claim } from '../ports/claim.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Counted } from '../ports/recipient-days.ts';
import type { Holder } from '../ports/reviews.ts';
import type { Store } from '../ports/store.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Evidence } from '../review/evidence.ts';
import type { Writer } from '../review/gate.ts';
import type { CarriedAnswer, HeldAnswers } from '../review/held-answers.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import type { Wait } from './run.ts';
import { stateWith } from './suspended-result.ts';

/** Published for each message that settles: `{ behavior, status, ms }`. */
const settledChannel = channel('mailroom:message:settled');

interface SettlerParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
  readonly storage: StorageMeter;
  readonly limits: EffectLimits;
  readonly held: HeldAnswers;
  readonly evidence: Pick<Evidence, 'replied'>;
  readonly clock: Clock;
  readonly tracing?: Tracing | undefined;
  /** What queues the answers to messages that came by e-mail. */
  readonly emails: {
    /** Settles with the answer queued in the same transaction; undefined where none is owed by the settlement. */
    settle(
      claim: Pick<Claim, 'id' | 'fence'>,
      settlement: Settlement,
      message: Message,
      mailbox: Mailbox,
    ): Promise<boolean | undefined>;
    settled(message: Message, mailbox: Mailbox): void;
  };
  readonly approvals: {
    /** A message waits for an owner's approval of its plan. */
    asked(message: Message): void;
    /** What would leave waits for an owner to see it. */
    reviewAsked(review: Review): void;
  };
  /** Called when a message of this mailbox can be answered from outside. */
  readonly onAnswerable: (mailbox: Mailbox) => void;
}

interface SettlerOptions {
  /** How long a write is retried while the store is unavailable. */
  readonly lease_ms: Millis;
  /** The pause between two retries. */
  readonly poll_ms: Millis;
}

/** Writes what became of a message, and notifies those who wait for it. */
export class Settler {
  readonly #parts: SettlerParts;
  readonly #options: SettlerOptions;
  #stopped = false;

  constructor(parts: SettlerParts, options: SettlerOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Ends the retries of writes. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Settles what a behavior answered, or holds it until its owner has seen it; wakes the waiting requests and updates the
   * metrics. False: another run or request settled it.
   */
  async settle(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    wanted: Settlement,
    effects?: readonly Effect[],
  ): Promise<boolean> {
    const { settlement, review, counted } = await this.#pass(claim, message, mailbox, wanted, effects);
    const write = (): Promise<boolean> => {
      if (review !== undefined) return this.#hold(review, { fence: claim.fence }, message, mailbox);
      if (effects !== undefined) return this.#settleWith(claim, message, mailbox, settlement, effects);
      return this.#write(claim, message, mailbox, settlement);
    };
    return counted === undefined ? write() : this.#counting(mailbox, counted, write);
  }

  /**
   * As `settle`, of an answer from outside; `claim` is null for one by hand. Returns the settled message, or the one that
   * waits for its review; undefined where the store refused it. AppError `recipient_not_allowed`, `rate_limited`.
   */
  async answer(
    message: Message,
    mailbox: Mailbox,
    claim: string | null,
    wanted: Pick<CarriedAnswer, 'settlement' | 'recipients'>,
    { by, ...terms }: AnswerTerms & { readonly by: Writer },
  ): Promise<Message | undefined> {
    const { held, clock } = this.#parts;
    const passed = await held.pass(message, mailbox, wanted, { ...by, program: !by.person });
    const { settlement, review, counted } = passed;
    const write = (): Promise<boolean> =>
      review === undefined
        ? this.#parts.store.answers.answer(message.id, claim, settlement, terms)
        : this.#hold(review, { claim, now: clock() }, message, mailbox);
    if (!(await (counted === undefined ? write() : this.#counting(mailbox, counted, write)))) return undefined;
    return review === undefined ? this.#settled(settledOf(message, settlement), mailbox) : waitingForReview(message);
  }

  /** Settles a message that waits with a review as it was decided. False where it does not wait with it any more. */
  async decided(
    message: Message,
    mailbox: Mailbox,
    hash: string,
    settlement: Settlement,
    effects?: readonly Effect[],
  ): Promise<boolean> {
    const { store, limits } = this.#parts;
    let taken: TakenEffects | undefined;
    try {
      taken = effects === undefined ? undefined : await limits.take(message, mailbox, effects);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      return this.decided(message, mailbox, hash, withoutEffects(settlement, error));
    }
    let settled = false;
    try {
      settled = await store.messages.refuse(message.id, hash, settlement, effects);
    } finally {
      taken?.end(settled);
    }
    if (settled) await this.#settled(settledOf(message, settlement), mailbox);
    return settled;
  }

  /** Writes what was counted, or gives the count back where nothing is written. */
  async #counting(mailbox: Mailbox, counted: Counted, write: () => Promise<boolean>): Promise<boolean> {
    let written = false;
    try {
      written = await write();
    } finally {
      if (!written) await this.#parts.held.giveBack(mailbox, counted);
    }
    return written;
  }

  /** What a behavior answers passes the gate; where it may not leave, the message is rejected. */
  async #pass(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects: readonly Effect[] | undefined,
  ) {
    const { store, held } = this.#parts;
    if (mailbox.outgoing === undefined && message.rules?.review !== true) return { settlement, review: undefined };
    const planned = (await store.handlings.kept(claim.id))?.approved === true;
    const by = { person: false, key_id: null, planned };
    try {
      return await held.pass(message, mailbox, { settlement, effects }, by);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      const error_message = error.code === 'recipient_not_allowed' ? NOT_LET : error.message;
      const refused = { status: 'rejected', error_code: error.code, error_message, reply: null } as const;
      return { settlement: { ...settlement, ...refused } };
    }
  }

  async #hold(review: Review, holder: Holder, message: Message, mailbox: Mailbox): Promise<boolean> {
    const { store, bus } = this.#parts;
    if (!(await this.#retryWhileUnavailable(() => store.reviews.hold(review, holder)))) return false;
    bus.publishSettled(waitingForReview(message));
    this.publishEvents(mailbox.namespace_id);
    this.#parts.approvals.reviewAsked(review);
    return true;
  }

  /** Stores the secret part of a reply, before the note is written that says there is something to read. */
  async seal(id: string, sealed: Parameters<OneTimeSecrets['seal']>[1], until: Millis): Promise<void> {
    await this.#retryWhileUnavailable(() => this.#parts.sealed.seal(id, sealed, until, 'once'));
  }

  /** Suspends the message until an owner decides, or until it is answered from outside. */
  async suspend(claim: Claim, message: Message, mailbox: Mailbox, wait: Wait): Promise<void> {
    const { store, clock, bus } = this.#parts;
    if (wait.for === 'answer') {
      const suspended = await this.#retryWhileUnavailable(() => store.messages.suspend(claim, wait, clock()));
      if (suspended) this.#parts.onAnswerable(mailbox);
      return;
    }
    const { for: waiting_for, plan, by } = wait;
    const [text, state] = [JSON.stringify(plan), stateWith(wait)];
    const { behavior } = mailbox;
    const suspension = { for: waiting_for, plan: text, by, behavior, state } as const;
    const suspended = await this.#retryWhileUnavailable(() => store.messages.suspend(claim, suspension, clock()));
    if (!suspended) return;
    const asking = { ...message, status: 'working', waiting_for, plan: text, decides: by ?? 'recipient' } as const;
    bus.publishSettled(asking);
    this.#parts.approvals.asked(asking);
    this.publishEvents(mailbox.namespace_id);
    if (by === 'sender' && message.sender_namespace_id !== null) this.publishEvents(message.sender_namespace_id);
  }

  /** Publishes the settlement of a message that waited. */
  afterSettled(message: Message, mailbox: Mailbox): void {
    this.#parts.storage.settled(message);
    this.publishSettled(message, mailbox);
  }

  /** Publishes a settlement that was written; `queued`: with what answers a mail, or none is owed. */
  publishSettled(message: Message, mailbox: Mailbox, queued = false): void {
    this.#parts.bus.publishSettled(message);
    this.publishEvents(mailbox.namespace_id);
    if (message.channel === 'smtp' && !queued) this.#parts.emails.settled(message, mailbox);
    // The reply may have been filed in the sender's mailbox.
    if (message.from !== null && message.sender_namespace_id !== null) this.publishEvents(message.sender_namespace_id);
    this.#parts.tracing
      ?.begin('answer', {
        parent: message.trace,
        start: message.created_at,
        attributes: {
          'mailroom.behavior': mailbox.behavior,
          'mailroom.message.id': message.id,
          'mailroom.message.status': message.status,
        },
      })
      .end({}, message.status === 'failed');
    if (settledChannel.hasSubscribers) {
      const ms = (message.settled_at ?? message.created_at) - message.created_at;
      settledChannel.publish({ behavior: mailbox.behavior, status: message.status, ms });
    }
  }

  /** Notifies subscribers that events of that namespace were written. */
  publishEvents(namespaceId: string): void {
    this.#parts.bus.publishEvents(namespaceId);
  }

  /** When an effect is refused, the message fails and neither its effects nor its reply is written. */
  async #settleWith(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects: readonly Effect[],
  ): Promise<boolean> {
    let taken: TakenEffects;
    try {
      taken = await this.#retryWhileUnavailable(() => this.#parts.limits.take(message, mailbox, effects));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      return this.#write(claim, message, mailbox, withoutEffects(settlement, error));
    }
    let settled = false;
    try {
      settled = await this.#write(claim, message, mailbox, settlement, effects);
    } finally {
      taken.end(settled);
    }
    return settled;
  }

  async #write(
    claim: Pick<Claim, 'id' | 'fence'>,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    effects?: readonly Effect[],
  ): Promise<boolean> {
    const { store, emails } = this.#parts;
    const after = settledOf(message, settlement);
    const byEmail =
      message.channel === 'smtp' && effects === undefined
        ? await this.#retryWhileUnavailable(() => emails.settle(claim, settlement, after, mailbox))
        : undefined;
    const settled =
      byEmail ?? (await this.#retryWhileUnavailable(() => store.messages.settle(claim, settlement, effects)));
    if (settled) await this.#settled(after, mailbox, byEmail === true);
    return settled;
  }

  /** `answered`: what answers its mail was written with it. */
  async #settled(settled: Message, mailbox: Mailbox, answered = false): Promise<Message> {
    const { id, reply, reply_attachments: files = [] } = settled;
    const noted =
      reply === null
        ? undefined
        : this.#parts.evidence.replied(replyIdOf(id), mailbox, reply, files.length === 0 ? null : files);
    // What was settled stays so, though its evidence may be missing.
    if (noted !== undefined) await noted.catch(() => {});
    this.#parts.store.shared?.publish({ kind: 'settled', ids: [settled.id] });
    this.#parts.storage.settled(settled);
    this.publishSettled(settled, mailbox, answered);
    return settled;
  }

  /**
   * Retries a write while the store is unavailable, for as long as the lease holds, so that a restart of the database
   * does not lose the outcome of a run.
   */
  async #retryWhileUnavailable<T>(write: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    const until = clock() + this.#options.lease_ms;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const passes = error instanceof AppError && error.code === 'unavailable';
        if (!passes || this.#stopped || clock() >= until) throw error;
        await new Promise((resolve) => setTimeout(resolve, this.#options.poll_ms));
      }
    }
  }
}

const NOT_LET = 'The owner of this mailbox lets it write no such answer.';

/** What becomes of an answer whose effects are refused. */
const withoutEffects = (settlement: Settlement, { code, message }: AppError): Settlement => ({
  ...settlement,
  status: 'failed',
  error_code: code === 'storage_full' ? code : 'behavior_failed',
  error_message: message,
  reply: null,
});

/** A message whose answer waits until its owner has seen it. */
const waitingForReview = (message: Message): Message => ({
  ...message,
  status: 'working',
  waiting_for: 'review',
  plan: null,
});

/** A message as it is once settled. */
const settledOf = (message: Message, settlement: Settlement): Message => ({
  ...message,
  ...settlement,
  waiting_for: null,
  replies_count: message.replies_count + (settlement.reply === null ? 0 : 1),
});
