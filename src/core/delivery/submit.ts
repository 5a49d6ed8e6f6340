import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import type { DueWork } from '../notify/due-work.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim } from '../ports/claim.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Acceptance, Accepted, Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { TakenOver } from '../ports/threads.ts';
import { isOutside, shortAddress } from '../values/address.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { AppError, idempotencyMismatch } from '../values/error.ts';
import { sizeOfMessage } from '../values/storage-size.ts';
import type { AnswerQueue } from './answer-queue.ts';
import type { DailyLimit } from './daily-limit.ts';
import type { EffectLimits } from './effect-limits.ts';
import type { MessageHandler } from './handle.ts';
import type { Leases } from './leases.ts';
import type { LoopNotices } from './loop-notices.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import { isSealedReply, withReply } from './one-time-secrets.ts';
import type { OutsideMail } from './outside-mail.ts';
import type { Progress } from './progress.ts';
import { continuesThread, gone, Recipients } from './recipients.ts';
import type { Runner } from './run.ts';
import { effectsOf, filesOf, sealedOf } from './run.ts';
import type { RunParts } from './running.ts';
import { InlineRun, LeasedRun } from './running.ts';
import { isSameSubmission, recognizable } from './same-submission.ts';
import type { Send, ServiceAccessParts } from './service-access.ts';
import { ServiceAccess } from './service-access.ts';
import type { Settler } from './settle.ts';
import type { Slot, Slots } from './slots.ts';
import type { Payer, StorageMeter } from './storage-meter.ts';
import type { Sent, Submission, Wait } from './submission.ts';
import { compose } from './submission.ts';
import type { EarlyAnswer, Outcome, Unwritten, UnwrittenMessages } from './unwritten-messages.ts';

/** How long an exchange may stay unwritten while the behavior works; then the message is written first. */
const INLINE_MS = 100;
/** As `INLINE_MS`, while a program works, which is asked and answers by requests of its own. */
const PROGRAM_MS = 250;

interface SubmitterParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly runner: Runner;
  readonly slots: Slots;
  readonly leases: Leases;
  readonly handler: MessageHandler;
  readonly settler: Settler;
  readonly due: DueWork;
  readonly bus: EventBus;
  readonly progress: Progress;
  readonly sealed: OneTimeSecrets;
  readonly storage: StorageMeter;
  readonly limits: EffectLimits;
  readonly daily: DailyLimit;
  readonly loops: LoopNotices;
  readonly outside: OutsideMail;
  readonly clock: Clock;
  readonly queue: Pick<AnswerQueue, 'reserve' | 'handOver' | 'written' | 'ended'>;
  readonly unwritten: UnwrittenMessages;
  /** As of the settler. */
  readonly onAnswerable: (mailbox: Mailbox) => void;
}

export interface SubmitterOptions extends Pick<ServiceAccessParts, 'mailDomain' | 'asks' | 'sends'> {
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
  readonly #secrets: OneTimeSecrets;
  readonly #storage: StorageMeter;
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  readonly #limit: () => AbortController;
  /** Exchanges with an idempotency key that are not written so far; a second request waits for the first. */
  readonly #begun = new Map<string, Promise<unknown>>();

  constructor(parts: SubmitterParts, options: SubmitterOptions) {
    this.#parts = parts;
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#recipients = new Recipients(parts);
    this.#bus = parts.bus;
    this.#secrets = parts.sealed;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#maxWaiting = options.max_waiting;
    this.#limit = () => parts.leases.limit();
    const send: Send = (submission, wait, slot) => this.#send(submission, wait, slot);
    this.running = { progress: parts.progress, context: new ServiceAccess({ ...parts, ...options }, send) };
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
    const { idempotency } = submission;
    if (idempotency === undefined) return this.#begin(submission, wait, yielded);
    const known = recognizable(submission, idempotency);
    return this.#beginIdempotent(known, known.idempotency as Idempotency, wait, yielded);
  }

  /** Throws what `send` would throw now, without writing anything. */
  async check(submission: Submission): Promise<void> {
    if (goesOutside(submission)) {
      await this.#parts.outside.check(submission);
      return;
    }
    const mailbox = await this.#directory.mailbox(submission.to.local, submission.to.namespace);
    if (mailbox === undefined) throw await this.#recipients.missing(submission.to);
    await this.#recipients.check(submission, mailbox);
  }

  /** The message once it is settled, or its state after `wait.ms`. Undefined when there is none. */
  async settled(id: string, wait: Wait | undefined): Promise<Message | undefined> {
    const until = performance.now() + (wait?.ms ?? 0);
    for (;;) {
      const message = await this.#waitFor(id, wait && { ms: until - performance.now(), signal: wait.signal });
      const over = wait === undefined || wait.signal.aborted || performance.now() >= until;
      // The wait also ends when the message begins to wait for a decision; a caller that waits for the settlement then
      // waits again.
      if (message === undefined || isSettled(message.status) || over) return message;
    }
  }

  /** The message once it is settled or `done` accepts it, or its state after `wait.ms`. */
  async #waitFor(
    id: string,
    wait: Wait | undefined,
    done = (message: Message): boolean => isSettled(message.status),
  ): Promise<Message | undefined> {
    if (wait === undefined || wait.ms <= 0) return this.#store.messages.byId(id);
    const listening = new AbortController();
    try {
      const woken = this.#bus.wait(id, wait.ms, AbortSignal.any([wait.signal, listening.signal]));
      const message = await this.#store.messages.byId(id);
      if (message === undefined || done(message)) return message;
      return (await woken) ?? (await this.#store.messages.byId(id));
    } finally {
      listening.abort();
    }
  }

  /** The message for its sender: as `settled`, but at once when it waits for a decision, which may take days. */
  async #answer(message: Message, wait: Wait): Promise<Message> {
    return (
      (await this.#waitFor(message.id, wait, (one) => isSettled(one.status) || one.waiting_for === 'approval')) ??
      message
    );
  }

  /** Settles an unsettled message as canceled; a settled message is returned unchanged. */
  async cancel(message: Message): Promise<Message> {
    if (!isSettled(message.status) && (await this.#store.messages.cancel(message.id, this.#clock()))) {
      this.#parts.leases.abort(message.id);
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
    const name = `${idempotency.scope}\n${idempotency.key}`;
    for (let before = this.#begun.get(name); before !== undefined; before = this.#begun.get(name)) await before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begun.set(name, promise);
    const written = (): void => {
      if (this.#begun.get(name) === promise) this.#begun.delete(name);
      resolve();
    };
    try {
      const before = await this.#store
        .idempotency(idempotency.scope, idempotency.key, this.#clock())
        .catch(releasing(yielded));
      if (before !== undefined) {
        written();
        yielded?.release();
        return await this.#replay(before, idempotency, wait);
      }
      return await this.#begin(submission, wait, yielded, written);
    } finally {
      written();
    }
  }

  async #begin(
    submission: Submission,
    wait: Wait | undefined,
    yielded: Slot | undefined,
    written: () => void = () => {},
  ): Promise<Sent> {
    if (goesOutside(submission)) {
      yielded?.release();
      return await this.#sendOutside(submission, wait);
    }
    let mailbox: Mailbox | undefined;
    let message: Message | undefined;
    let taken: TakenOver | undefined;
    try {
      const found = this.#directory.mailbox(submission.to.local, submission.to.namespace);
      mailbox = found instanceof Promise ? await found : found;
      if (mailbox === undefined) throw await this.#recipients.missing(submission.to);
      const first = await this.#recipients.check(submission, mailbox);
      message = compose(submission, mailbox, this.#clock(), first);
      // Read each time, so that no run begins in a thread that was taken over before, on whatever node.
      taken = first && (await this.#store.threads.takenOver({ thread_id: first.thread_id, mailbox_id: mailbox.id }));
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
    if (submission.unanswered !== undefined) {
      yielded?.release();
      const status = submission.unanswered === 'canceled' ? 'canceled' : 'completed';
      return await this.#answered(submission, message, mailbox, unanswered(status, this.#clock()), wait);
    }
    const answerBy =
      taken === undefined
        ? this.#parts.runner.answerBy(mailbox, message.created_at)
        : message.created_at + taken.answer_within_ms;
    if (answerBy !== undefined) {
      yielded?.release();
      return this.#await(submission, message, mailbox, wait, answerBy, taken !== undefined, written);
    }
    const slot = this.#slotFor(message, mailbox, yielded);
    if (wait === undefined || slot === undefined) return this.#queue(submission, message, mailbox, wait, slot, written);
    // Awaited, as a promise that an async function returns takes two more turns of the microtask queue.
    return await this.#runInline(submission, message, mailbox, wait, slot, written);
  }

  async #sendOutside(submission: Submission, wait: Wait | undefined): Promise<Sent> {
    const { outside, loops } = this.#parts;
    try {
      const sent = await outside.send(submission);
      return 'hash' in sent
        ? await this.#replay(sent, submission.idempotency as Idempotency, wait)
        : { message: sent, replayed: false };
    } catch (error) {
      const { caused_in } = submission;
      if (caused_in !== undefined && error instanceof AppError && error.code === 'loop_detected')
        await loops.detected([caused_in]);
      throw error;
    }
  }

  /** The slot that the message is handled in now; undefined when it has to wait in the store. */
  #slotFor(message: Message, mailbox: Mailbox, yielded: Slot | undefined): Slot | undefined {
    if (mailbox.status !== 'online') {
      yielded?.release();
      return undefined;
    }
    yielded?.use(message);
    return yielded ?? this.#parts.slots.acquire(message);
  }

  /** Runs the message before it is written; when that takes long, it is written meanwhile. */
  async #runInline(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait,
    slot: Slot,
    written: () => void,
  ): Promise<Sent> {
    const { runner, leases } = this.#parts;
    const run = new InlineRun(message, slot, this.running, this.#limit);
    const outcome = runner.handle(message, mailbox, run);
    const early = outcome instanceof Promise ? await run.within(INLINE_MS, outcome) : outcome;
    const ended = early && runner.settlement(early, message, mailbox);
    const alone = early !== undefined && effectsOf(early) === undefined && filesOf(early) === undefined;
    if (alone && ended !== undefined && !('kind' in ended)) {
      run.end();
      slot.release();
      const sent = await this.#answered(submission, message, mailbox, ended, wait);
      const sealed = sealedOf(early);
      // A secret is not shown for a repeated request, nor for a message that another one caused.
      if (sealed === undefined || sent.replayed || submission.hops > 0) return sent;
      return { message: withReply(sent.message, sealed), replayed: false };
    }
    const { abort } = run;
    // It takes longer or is to be retried: the message is written first, and the run continues under a claim.
    const accepted = await this.#accept(submission, message, { leased_until: leases.end() }).catch((error: unknown) => {
      abort.abort();
      slot.release();
      throw error;
    });
    if (accepted.kind === 'replayed') {
      abort.abort();
      slot.release();
      return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#bus.publishEvents(mailbox.namespace_id);
    if (accepted.held || accepted.taken) {
      // The mailbox was paused or the thread taken over meanwhile: the outcome may not be written, and the message runs
      // again after the mailbox is resumed or the thread handed back.
      abort.abort();
      slot.release();
      return accepted.taken ? this.#byHand(submission, message, wait) : { message, replayed: false };
    }
    const claim = firstClaim(message);
    run.accepted(claim);
    leases.track({ claim, abort, slot }, () =>
      this.#parts.handler.handle(claim, message, mailbox, run, early ?? outcome),
    );
    return this.#reply(submission, message, wait);
  }

  /** Writes the whole exchange in one durable write. */
  async #answered(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    wait: Wait | undefined,
  ): Promise<Sent> {
    // Only this exchange has seen the message, so it is completed in place.
    const settled: Message = Object.assign(message, settlement, { replies_count: settlement.reply === null ? 0 : 1 });
    const accepted = await this.#accept(submission, settled);
    if (accepted.kind === 'replayed') return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    this.#storage.settled(settled, payerOf(submission));
    this.#parts.settler.publishSettled(settled, mailbox);
    return { message: settled, replayed: false };
  }

  /** Writes the message first; it is handled at once when there is a slot for it. */
  async #queue(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    slot: Slot | undefined,
    written: () => void,
  ): Promise<Sent> {
    const { leases, handler, due } = this.#parts;
    const leased_until = slot === undefined ? undefined : leases.end();
    const accepted = await this.#accept(submission, message, { leased_until }).catch(releasing(slot));
    if (accepted.kind === 'replayed') {
      slot?.release();
      return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#bus.publishEvents(mailbox.namespace_id);
    if (accepted.held || accepted.taken) {
      slot?.release();
      return accepted.taken ? this.#byHand(submission, message, wait) : { message, replayed: false };
    }
    if (slot === undefined) due.announce();
    else {
      const lease = { claim: firstClaim(message), abort: leases.limit() };
      const run = new LeasedRun(message, slot, this.running, lease);
      leases.track({ ...lease, slot }, () => handler.handle(lease.claim, message, mailbox, run));
    }
    if (wait === undefined) return { message, replayed: false };
    return this.#reply(submission, message, wait);
  }

  /** Writes a message that is answered from outside. */
  async #await(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    answerBy: Millis,
    taken: boolean,
    written: () => void,
  ): Promise<Sent> {
    const online = mailbox.status === 'online';
    // Where it is pushed, or a person answers it, no program is to take it first.
    const forProgram = online && !taken && mailbox.webhook !== 'on';
    const unwritten = forProgram && wait !== undefined ? this.#handOver(submission, message) : undefined;
    try {
      const early = wait && (await unwritten?.within(PROGRAM_MS, wait.signal));
      if (unwritten !== undefined && early !== undefined) {
        const sent = await this.#exchange(submission, mailbox, wait, unwritten, early);
        if (sent !== undefined) return sent;
      }
      return await this.#awaitWritten(submission, message, mailbox, wait, { answerBy, forProgram, unwritten, written });
    } finally {
      if (unwritten !== undefined) this.#end(unwritten, 'gone');
    }
  }

  /** Hands a message whose sender waits to a program before it is written; undefined when no program is there. */
  #handOver(submission: Submission, message: Message): Unwritten | undefined {
    if (submission.upload !== undefined) return undefined;
    const { unwritten, queue } = this.#parts;
    const begun = unwritten.begin(message);
    if (queue.handOver(begun)) return begun;
    this.#end(begun, 'gone');
    return undefined;
  }

  /** Only the first end of a message counts. */
  #end(unwritten: Unwritten, outcome: Outcome): void {
    const { queue, unwritten: all } = this.#parts;
    if (all.open(unwritten.message.id) !== unwritten) return;
    all.end(unwritten, outcome, outcome === 'written' ? queue.written(unwritten) : queue.ended(unwritten));
  }

  /** Writes a message with its answer in one durable write; undefined when that answer is refused. */
  async #exchange(
    submission: Submission,
    mailbox: Mailbox,
    wait: Wait | undefined,
    unwritten: Unwritten,
    { settlement, key_id }: EarlyAnswer,
  ): Promise<Sent | undefined> {
    const { message, claimed } = unwritten;
    // The clock of the program's node may be behind.
    const settled_at = Math.max(settlement.settled_at, message.created_at);
    const settled = { ...message, ...settlement, settled_at, replies_count: settlement.reply === null ? 0 : 1 };
    const accepted = await this.#write(submission, settled, { claimed, answer_key_id: key_id ?? undefined });
    if (accepted.kind === 'answer_refused') return undefined;
    if (accepted.kind === 'replayed') return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    this.#end(unwritten, 'settled');
    this.#storage.settled(settled, payerOf(submission));
    this.#parts.settler.publishSettled(settled, mailbox);
    return { message: settled, replayed: false };
  }

  async #awaitWritten(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    how: {
      readonly answerBy: Millis;
      readonly forProgram: boolean;
      readonly unwritten: Unwritten | undefined;
      readonly written: () => void;
    },
  ): Promise<Sent> {
    const { answerBy, forProgram, unwritten, written } = how;
    const { queue } = this.#parts;
    const reserved = forProgram && unwritten === undefined ? queue.reserve(mailbox.id) : undefined;
    const claimed = unwritten?.claimed ?? reserved?.claimed;
    // Expected before it is written, because it may be answered before this node learns that it was.
    const expected = mailbox.status === 'online' && wait !== undefined ? this.#bus.expect(message.id) : undefined;
    let granted = false;
    try {
      const accepted = await this.#accept(submission, message, { answer_by: answerBy, claimed });
      if (accepted.kind === 'replayed')
        return await this.#replay(accepted, submission.idempotency as Idempotency, wait);
      written();
      if (unwritten !== undefined) this.#end(unwritten, 'written');
      this.#bus.publishEvents(mailbox.namespace_id);
      if (accepted.taken) return await this.#byHand(submission, message, wait);
      if (accepted.held) return { message, replayed: false };
      const waiting = { ...message, waiting_for: 'answer' } as const;
      granted = true;
      if (claimed === undefined) this.#parts.onAnswerable(mailbox);
      else reserved?.grant({ ...waiting, status: 'working' });
      if (wait === undefined || expected === undefined) return { message: waiting, replayed: false };
      const answer = (await expected.within(wait.ms, wait.signal)) ?? (await this.#store.messages.byId(message.id));
      return await this.#opened(submission, answer ?? waiting, wait);
    } finally {
      if (!granted) reserved?.cancel();
      expected?.end();
    }
  }

  /** A message of a thread that is taken over: a person is there to answer it, so the caller waits whatever the mailbox's status. */
  async #byHand(submission: Submission, message: Message, wait: Wait | undefined): Promise<Sent> {
    const waiting = { ...message, waiting_for: 'answer', taken_over: true } as const;
    return wait === undefined ? { message: waiting, replayed: false } : this.#reply(submission, waiting, wait);
  }

  /** The reply to a message that was written first, or its state after `wait.ms`. */
  async #reply(submission: Submission, message: Message, wait: Wait): Promise<Sent> {
    return this.#opened(submission, await this.#answer(message, wait), wait);
  }

  /** The answer for its sender, with what only the first reader is shown. */
  async #opened(submission: Submission, answer: Message, wait: Wait): Promise<Sent> {
    const mayRead = isSealedReply(answer) && submission.hops === 0 && !wait.signal.aborted;
    return { message: mayRead ? await this.#secrets.open(answer, 'sender') : answer, replayed: false };
  }

  async #replay(
    before: { readonly id: string; readonly hash: string },
    idempotency: Idempotency,
    wait: Wait | undefined,
  ): Promise<Sent> {
    if (!isSameSubmission(before.hash, idempotency.hash)) throw idempotencyMismatch();
    const message = await this.#store.messages.byId(before.id);
    if (message === undefined)
      throw new AppError('message_not_found', 'The message created with this idempotency key was deleted.');
    const mailbox = await this.#directory.mailboxById(message.mailbox_id);
    const paused = mailbox !== undefined && mailbox.status !== 'online';
    const held = paused && message.status === 'submitted' && message.taken_over !== true;
    if (isSettled(message.status) || wait === undefined || held) return { message, replayed: true };
    return { message: await this.#answer(message, wait), replayed: true };
  }

  async #accept(
    submission: Submission,
    message: Message,
    how: Pick<Acceptance, 'leased_until' | 'answer_by' | 'claimed'> = {},
  ): Promise<Exclude<Accepted, { kind: 'refused' }>> {
    const accepted = await this.#write(submission, message, how);
    if (accepted.kind === 'answer_refused') throw new Error(`${message.id} came without an answer`);
    return accepted;
  }

  /** Writes the message, or gives back the storage that `#begin` took for it. */
  async #write(
    submission: Submission,
    message: Message,
    how: Pick<Acceptance, 'leased_until' | 'answer_by' | 'claimed' | 'answer_key_id'>,
  ): Promise<Exclude<Accepted, { kind: 'refused' }> | { readonly kind: 'answer_refused' }> {
    const payer = payerOf(submission);
    let written = false;
    let accepted: Accepted | undefined;
    try {
      accepted = await this.#store.messages.accept({
        message,
        idempotency: submission.idempotency,
        ...how,
        max_waiting: this.#maxWaiting,
        from_mailbox_id: submission.from_mailbox_id,
        email: submission.email,
      });
      written = accepted.kind === 'accepted';
      if (written) submission.upload?.keep();
      if (written && continuesThread(submission)) this.#bus.publishContinued(message);
    } catch (error) {
      // Whether it was written is unknown, so its files are left to the check of their owner.
      submission.upload?.keep();
      throw error;
    } finally {
      // With a refused answer it is written without one.
      if (!written && !isAnswerRefused(accepted)) {
        this.#storage.add(payer, -sizeOfMessage(message));
        this.#parts.daily.refund(message);
      }
    }
    if (written && submission.payer !== null && !isSettled(message.status))
      this.#storage.answersLater(message, submission.payer);
    if (accepted.kind !== 'refused') return accepted;
    // A full mailbox does not change who may write, so the cache stays.
    if (accepted.code !== 'mailbox_full') this.#directory.forget();
    switch (accepted.code) {
      case 'answer_refused':
        return { kind: 'answer_refused' };
      case 'invalid_key':
        throw new AppError('invalid_key', 'This key was revoked or has expired.');
      case 'mailbox_gone':
        throw gone(submission.to);
      case 'sender_not_allowed':
        throw new AppError('sender_not_allowed', 'The mailbox it should be sent from was deleted.');
      case 'mailbox_full':
        throw new AppError(
          'mailbox_full',
          `Too many messages are waiting for ${shortAddress(submission.to.local, submission.to.namespace)}. Send it again later.`,
          {
            retry_after_ms: 60 * SECOND,
          },
        );
    }
  }
}

/** How a message ends that nothing answers. */
const unanswered = (status: Settlement['status'], settled_at: Millis): Settlement => ({
  status,
  error_code: null,
  error_message: null,
  reply: null,
  settled_at,
});

/** Releases the slot after an error, and passes the error on. */
const releasing =
  (slot: Slot | undefined) =>
  (error: unknown): never => {
    slot?.release();
    throw error;
  };

const isAnswerRefused = (accepted: Accepted | undefined): boolean =>
  accepted?.kind === 'refused' && accepted.code === 'answer_refused';

/** The claim of a message that was accepted under a lease. */
const firstClaim = ({ id, mailbox_id }: Message): Claim => ({
  id,
  kind: 'handle',
  fence: 1,
  attempt: 1,
  subject: mailbox_id,
});

/** The sender's namespace pays, for the reply too; none pays when the sender was deleted. */
function payerOf({ sender: { namespace_id }, payer }: Submission): Payer | undefined {
  if (payer !== null) return payer;
  return namespace_id === null ? undefined : { kind: 'namespace', id: namespace_id };
}

const goesOutside = ({ to }: Submission): boolean => isOutside(shortAddress(to.local, to.namespace));
