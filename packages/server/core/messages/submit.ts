import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import { AnswerSubmitter, type AnswerSubmitterParts } from '../answers/submit-for-answer.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import type { Review } from '../entities/review.ts';
import { sizeOfMessage } from '../entities/storage-size.ts';
import type { DailyLimit } from '../limits/daily-limit.ts';
import type { EffectLimits } from '../limits/effect-limits.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { HeldMessages } from '../mail-out/held-messages.ts';
import type { OutsideMail } from '../mail-out/outside-mail.ts';
import type { PeerAnswers } from '../mail-out/peer-answers.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Progress } from '../notify/progress.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { PeerRoute } from '../ports/peer-route.ts';
import type { Store } from '../ports/store.ts';
import type { TakenOver } from '../ports/threads.ts';
import { type Tracing, traced } from '../ports/tracing.ts';
import type { Gate } from '../review/gate.ts';
import type { OneTimeSecrets } from '../runs/one-time-secrets.ts';
import type { RunParts } from '../runs/running.ts';
import { recognizable } from '../runs/same-submission.ts';
import { type Send, ServiceAccess, type ServiceAccessParts } from '../runs/service-access.ts';
import { releasing, type Slot } from '../runs/slots.ts';
import { compose, goesOutside, type Sent, type Submission, type Wait } from '../runs/submission.ts';
import { isForMany } from '../submission/copies.ts';
import type { LoopNotices } from '../submission/loop-notices.ts';
import { withRules } from '../submission/mailbox-rules.ts';
import { Recipients } from '../submission/recipients.ts';
import { SenderWait } from '../submission/sender-wait.ts';
import { payerOf, SubmittedMessages, unanswered } from '../submission/submitted-messages.ts';
import { Turns } from '../values/turns.ts';
import { evidenceOn } from './arriving.ts';
import { type ExchangeParts, Exchanges } from './exchanges.ts';
import { blocked, withdraw } from './gated.ts';

interface SubmitterParts extends ExchangeParts, Pick<AnswerSubmitterParts, 'queue' | 'onAnswerable'> {
  readonly store: Store;
  readonly directory: Directory;
  readonly progress: Progress;
  readonly sealed: OneTimeSecrets;
  readonly limits: EffectLimits;
  readonly daily: DailyLimit;
  readonly loops: LoopNotices;
  readonly outside: OutsideMail;
  /** Undefined where mail goes to no server of others at once. */
  readonly peers?: PeerAnswers | undefined;
  readonly gate: Gate;
  readonly held: HeldMessages;
  /** What would leave waits for its review. */
  readonly onReview: (review: Review) => void;
  readonly clock: Clock;
  readonly tracing?: Tracing | undefined;
}

export interface SubmitterOptions extends Pick<ServiceAccessParts, 'mailDomain' | 'sendToSeveral' | 'asks' | 'sends'> {
  readonly max_waiting: number;
}

/** Accepts submissions from every transport. */
export class Submitter {
  /** What every run of a message has in common, by whomever it is run. */
  readonly running: RunParts;
  readonly #store: Store;
  readonly #parts: SubmitterParts;
  readonly #directory: Directory;
  readonly #recipients: Recipients;
  readonly #bus: EventBus;
  readonly #storage: StorageMeter;
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  readonly #senders: SenderWait;
  readonly #answers: AnswerSubmitter;
  /** Exchanges with an idempotency key that are not written so far; a second request waits for the first. */
  readonly #begun = new Turns();

  constructor(parts: SubmitterParts, options: SubmitterOptions) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#recipients = new Recipients(parts);
    this.#bus = parts.bus;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    const messages = new SubmittedMessages(parts, options.max_waiting);
    this.#senders = new SenderWait(parts);
    this.#answers = new AnswerSubmitter({ ...parts, messages, senders: this.#senders });
    const send: Send = (submission, wait, slot) => this.#send(submission, wait, slot);
    this.running = {
      progress: parts.progress,
      context: new ServiceAccess({ ...parts, ...options }, send, async (one) => {
        await this.check(one);
      }),
    };
    this.#exchanges = new Exchanges({ ...parts, messages, senders: this.#senders, running: this.running });
  }

  /**
   * Checks a submission, then runs or queues it. Resolves once the message is durable; with `wait`, when it is settled or
   * after `wait.ms`. Throws AppError: `mailbox_not_found`, `mailbox_gone`, `namespace_gone`, `access_denied`,
   * `sender_not_allowed`, `validation_error` (the thread), `loop_detected`, `mailbox_full`, `storage_full`,
   * `rate_limited` (by the mailbox's owner), `idempotency_mismatch`, `invalid_key` (revoked meanwhile), `unavailable`.
   */
  send(submission: Submission, wait?: Wait): Promise<Sent> {
    return this.#send(submission, wait, undefined);
  }

  /** As `send`; `yielded` is the slot of the run that waits for it, and is released in any case. */
  #send(submission: Submission, wait: Wait | undefined, yielded: Slot | undefined): Promise<Sent> {
    const { tracing } = this.#parts;
    const act = () => this.#sendNow(submission, wait, yielded);
    if (tracing === undefined) return act();
    const attributes = { 'mailroom.channel': submission.channel };
    return traced(tracing, ['send', { kind: 'producer', attributes }], act, ({ message }) => ({
      'mailroom.message.id': message.id,
    }));
  }

  #sendNow(submission: Submission, wait: Wait | undefined, yielded: Slot | undefined): Promise<Sent> {
    const { idempotency } = submission;
    if (idempotency === undefined) return this.#counting(submission, this.#begin(submission, wait, yielded));
    const known = recognizable(submission, idempotency);
    const whole = { ...submission, idempotency: known };
    return this.#counting(whole, this.#beginIdempotent(whole, known, wait, yielded));
  }

  /** Only what a mailbox writes was counted for one. */
  #counting(submission: Submission, sending: Promise<Sent>): Promise<Sent> {
    return submission.from_mailbox_id === null ? sending : this.#parts.held.counting(submission, sending);
  }

  /** Throws what `send` would throw now, without writing anything; the thread that it would continue. */
  async check(submission: Submission): Promise<Pick<Message, 'thread_id'> | undefined> {
    if (goesOutside(submission)) return await this.#parts.outside.check(submission);
    const mailbox = await this.#directory.mailbox(submission.to.local, submission.to.namespace);
    if (mailbox === undefined) throw await this.#recipients.missing(submission.to);
    return await this.#recipients.check(submission, mailbox);
  }

  /** The message once it is settled, or its state after `wait.ms`. Undefined when there is none. */
  settled(id: string, wait: Wait | undefined): Promise<Message | undefined> {
    return this.#senders.settled(id, wait);
  }

  /** As `settled`, for the sender of a message with several recipients: no longer than until a copy in To is held. */
  sent(message: Message, wait: Wait | undefined): Promise<Message | undefined> {
    return this.#senders.sent(message, wait);
  }

  /**
   * Settles an unsettled message as canceled; a settled message is returned unchanged. Of one with several recipients each
   * copy that has not settled.
   */
  async cancel(message: Message): Promise<Message> {
    if (message.waiting_for === 'review') {
      return withdraw(message, this.#clock(), this.#parts, (one) => this.cancel(one));
    }
    if (isForMany(message)) {
      for (const copy of await this.#store.messages.copiesOf([message.id])) await this.cancel(copy);
      return (await this.settled(message.id, undefined)) ?? message;
    }
    if (!isSettled(message.status) && (await this.#store.messages.cancel(message.id, this.#clock()))) {
      this.#parts.worker.abort(message.id);
      this.#store.shared?.publish({ kind: 'settled', ids: [message.id] });
      const canceled = await this.#store.messages.byId(message.id);
      const mailbox = await this.#directory.mailboxById(message.mailbox_id);
      if (canceled !== undefined && mailbox !== undefined) this.#parts.settler.publishSettled(canceled, mailbox);
    }
    return (await this.#store.messages.byId(message.id)) ?? message;
  }

  async #beginIdempotent(
    submission: Submission,
    idempotency: Idempotency,
    wait: Wait | undefined,
    yielded: Slot | undefined,
  ): Promise<Sent> {
    const written = await this.#begun.take(`${idempotency.scope}\n${idempotency.key}`);
    const look = () => this.#store.idempotency(idempotency.scope, idempotency.key, this.#clock());
    try {
      const repeated = this.#handlesRepeated(submission);
      if (repeated !== undefined) {
        try {
          return await this.#begin(submission, wait, yielded, written, repeated);
        } catch (error) {
          // A repeated request is answered with what came of the first, whatever refuses it now.
          const before = error instanceof AppError && error.code !== 'unavailable' ? await look() : undefined;
          if (before === undefined) throw error;
          return await this.#senders.replay(before, idempotency, wait);
        }
      }
      const earlier = await look().catch(releasing(yielded));
      if (earlier === undefined) return await this.#begin(submission, wait, yielded, written);
      written();
      yielded?.release();
      return await this.#senders.replay(earlier, idempotency, wait);
    } finally {
      written();
    }
  }

  /**
   * The mailbox where the row of the submission's key decides as it is written, without a look before; undefined
   * elsewhere, and in a thread, where a person may answer instead, unless nothing answers it.
   */
  #handlesRepeated({ to, thread_id, upload, unanswered: filed }: Submission): Mailbox | undefined {
    if ((thread_id !== null && filed === undefined) || (upload?.files.length ?? 0) > 0) return undefined;
    const mailbox = this.#directory.mailbox(to.local, to.namespace);
    // What a look-up fails with the next one says again.
    if (mailbox instanceof Promise) mailbox.catch(() => {});
    if (mailbox === undefined || mailbox instanceof Promise) return undefined;
    const isImmediate = mailbox.status === 'online' && this.#parts.runner.isImmediate(mailbox);
    return filed !== undefined || isImmediate ? mailbox : undefined;
  }

  async #begin(
    given: Submission,
    wait: Wait | undefined,
    yielded: Slot | undefined,
    written: () => void = () => {},
    recipient?: Mailbox,
  ): Promise<Sent> {
    const held = await this.#held(given, wait);
    if (held !== undefined) {
      yielded?.release();
      return held;
    }
    let submission = given;
    if (goesOutside(submission)) {
      yielded?.release();
      return await this.#sendOutside(submission, wait);
    }
    let mailbox: Mailbox | undefined;
    let message: Message | undefined;
    let taken: TakenOver | undefined;
    try {
      const found = recipient ?? this.#directory.mailbox(submission.to.local, submission.to.namespace);
      mailbox = found instanceof Promise ? await found : found;
      if (mailbox === undefined) throw await this.#recipients.missing(submission.to);
      const first = await this.#recipients.check(submission, mailbox);
      message = compose(submission, mailbox, this.#clock(), first);
      // Read each time, so that no run begins in a thread that was taken over before, on whatever node.
      if (first !== undefined && submission.unanswered === undefined)
        taken = await this.#store.threads.takenOver({ thread_id: first.thread_id, mailbox_id: mailbox.id });
      const looked = evidenceOn(submission, message, mailbox, this.#parts);
      if (looked !== undefined) await looked;
      if (mailbox.rules !== undefined) submission = await withRules(submission, message, mailbox, this.#parts);
      if (submission.upload !== undefined) await submission.upload.assign(message.id);
      const max = this.#parts.runner.maxPerDay(mailbox);
      if (max !== undefined) await this.#parts.daily.take(message, mailbox, max);
      const room = this.#storage.reserve(payerOf(submission), sizeOfMessage(message));
      if (room !== undefined) await room;
    } catch (error) {
      yielded?.release();
      if (message !== undefined) this.#parts.daily.refund(message);
      if (mailbox !== undefined && error instanceof AppError && error.code === 'loop_detected')
        await this.#parts.loops.detected([mailbox.id, submission.caused_in ?? mailbox.id]);
      throw error;
    }
    const filed =
      submission.unanswered === undefined ? await blocked(submission, message, mailbox, this.#parts.gate) : submission;
    if (filed?.unanswered !== undefined) {
      yielded?.release();
      const status = filed.unanswered === 'canceled' ? 'canceled' : 'completed';
      return await this.#exchanges.answered(filed, message, mailbox, unanswered(status, this.#clock()), wait);
    }
    const answerBy =
      taken === undefined
        ? this.#parts.runner.answerBy(mailbox, message.created_at)
        : message.created_at + taken.answer_within_ms;
    if (answerBy !== undefined) {
      yielded?.release();
      return this.#answers.submit(submission, message, mailbox, wait, {
        answerBy,
        taken: taken !== undefined,
        written,
      });
    }
    // The server of a mail waits for its 250, and most behaviors answer before it would have been written.
    const waits = wait !== undefined || submission.email !== undefined;
    const slot =
      this.#exchanges.slotFor(message, mailbox, yielded) ??
      (waits ? await this.#exchanges.slotSoon(message, mailbox) : undefined);
    if (!waits || slot === undefined) return this.#exchanges.queue(submission, message, mailbox, wait, slot, written);
    // Awaited, as a promise that an async function returns takes two more turns of the microtask queue.
    return await this.#exchanges.runInline(submission, message, mailbox, wait, slot, written);
  }

  /** What waits until an owner of its sender's mailbox has seen it; undefined of what leaves at once. */
  async #held(submission: Submission, wait: Wait | undefined): Promise<Sent | undefined> {
    if (submission.from_mailbox_id === null || submission.copy_of !== undefined) return undefined;
    const { held } = this.#parts;
    const from = await held.policied(submission);
    if (from === undefined) return undefined;
    const first = await this.check(submission);
    const review = await held.reviewOf(submission, from, first);
    if (review === undefined) return undefined;
    const written = await held.write(submission, first, review);
    if ('hash' in written) return await this.#senders.replay(written, submission.idempotency as Idempotency, wait);
    this.#parts.onReview({ ...review, message_id: written.id });
    this.#bus.publishEvents(from.namespace_id);
    return { message: written, replayed: false };
  }

  async #sendOutside(submission: Submission, wait: Wait | undefined): Promise<Sent> {
    const { outside, loops, peers } = this.#parts;
    try {
      const send = (route?: PeerRoute) => outside.send(submission, route);
      const sent = await (wait === undefined || peers === undefined ? send() : peers.exchange(submission, wait, send));
      return 'hash' in sent
        ? await this.#senders.replay(sent, submission.idempotency as Idempotency, wait)
        : { message: sent, replayed: false };
    } catch (error) {
      const { caused_in } = submission;
      if (caused_in !== undefined && error instanceof AppError && error.code === 'loop_detected')
        await loops.detected([caused_in]);
      throw error;
    }
  }
}
