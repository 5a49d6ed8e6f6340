import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message, SenderKind } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import { oldestOf } from '../entities/thread.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Outcome } from '../ports/behavior.ts';
import type { Accepted, Idempotency, Settlement, Store } from '../ports/store.ts';
import type { Address } from '../values/address.ts';
import { shortAddress } from '../values/address.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { AppError, idempotencyMismatch, invalid } from '../values/error.ts';
import { isId, isReplyId, messageIdOf } from '../values/ids.ts';
import { sizeOfMessage } from '../values/storage-size.ts';
import type { Dispatch } from './dispatch.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import { isSealedReply, withReply } from './one-time-secrets.ts';
import type { Runner } from './run.ts';
import { effectsOf, sealedOf } from './run.ts';
import type { Payer, StorageMeter } from './storage-meter.ts';
import type { Sent, Submission, Wait } from './submission.ts';
import { compose } from './submission.ts';

/** A message with a longer chain of causes is refused as a loop (contract, section 5). */
export const MAX_HOPS = 8;
/** How long an exchange may stay unwritten while the behavior works; then the message is written first. */
const INLINE_MS = 100;

/** Accepts submissions from every transport. */
export class Submitter {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #runner: Runner;
  readonly #dispatch: Dispatch;
  readonly #bus: EventBus;
  readonly #secrets: OneTimeSecrets;
  readonly #storage: StorageMeter;
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  /** Exchanges with an idempotency key that are not written so far; a second request waits for the first. */
  readonly #begun = new Map<string, Promise<unknown>>();

  constructor(
    parts: {
      store: Store;
      directory: Directory;
      runner: Runner;
      dispatch: Dispatch;
      bus: EventBus;
      sealed: OneTimeSecrets;
      storage: StorageMeter;
      clock: Clock;
    },
    options: { readonly max_waiting: number },
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#runner = parts.runner;
    this.#dispatch = parts.dispatch;
    this.#bus = parts.bus;
    this.#secrets = parts.sealed;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#maxWaiting = options.max_waiting;
    this.#runner.service?.setSubmit(this);
  }

  /**
   * Checks a submission, then runs or queues it. Resolves once the message is durable; with `wait`, when it is settled or
   * after `wait.ms`. Throws AppError: `mailbox_not_found`, `mailbox_gone`, `namespace_gone`, `access_denied`,
   * `sender_not_allowed`, `validation_error` (the thread), `loop_detected`, `mailbox_full`, `storage_full`,
   * `idempotency_mismatch`, `invalid_key` (revoked meanwhile), `unavailable`.
   */
  async send(submission: Submission, wait?: Wait): Promise<Sent> {
    const { idempotency } = submission;
    if (idempotency === undefined) return this.#begin(submission, wait);
    const slot = `${idempotency.scope}\n${idempotency.key}`;
    for (let before = this.#begun.get(slot); before !== undefined; before = this.#begun.get(slot)) await before;
    const beginning = this.#beginIdempotent(submission, idempotency, wait, slot);
    return beginning;
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
      (await this.#waitFor(message.id, wait, (one) => isSettled(one.status) || one.waiting_for !== null)) ?? message
    );
  }

  /** Settles an unsettled message as canceled; a settled message is returned unchanged. */
  async cancel(message: Message): Promise<Message> {
    if (!isSettled(message.status) && (await this.#store.messages.cancel(message.id, this.#clock()))) {
      this.#dispatch.abort(message.id);
      this.#store.shared?.publish({ kind: 'settled', ids: [message.id] });
      const canceled = await this.#store.messages.byId(message.id);
      const mailbox = await this.#directory.mailboxById(message.mailbox_id);
      if (canceled !== undefined && mailbox !== undefined) this.#dispatch.publishSettled(canceled, mailbox);
    }
    return (await this.#store.messages.byId(message.id)) ?? message;
  }

  async #beginIdempotent(
    submission: Submission,
    idempotency: Idempotency,
    wait: Wait | undefined,
    slot: string,
  ): Promise<Sent> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#begun.set(slot, promise);
    const written = (): void => {
      if (this.#begun.get(slot) === promise) this.#begun.delete(slot);
      resolve();
    };
    try {
      const before = await this.#store.idempotency(idempotency.scope, idempotency.key, this.#clock());
      if (before !== undefined) {
        written();
        return await this.#replay(before, idempotency, wait);
      }
      return await this.#begin(submission, wait, written);
    } finally {
      written();
    }
  }

  async #begin(submission: Submission, wait: Wait | undefined, written: () => void = () => {}): Promise<Sent> {
    const found = this.#directory.mailbox(submission.to.local, submission.to.namespace);
    const mailbox = found instanceof Promise ? await found : found;
    if (mailbox === undefined) throw await this.#noMailbox(submission.to);
    checkOpen(submission, mailbox);
    const goesOn = submission.thread_id !== null || submission.in_reply_to !== null;
    const message = compose(
      submission,
      mailbox,
      this.#clock(),
      goesOn ? await this.#first(submission, mailbox) : undefined,
    );
    const room = this.#storage.reserve(payerOf(submission), sizeOfMessage(message));
    if (room !== undefined) await room;
    if (wait === undefined || mailbox.status !== 'online')
      return this.#queue(submission, message, mailbox, wait, written);
    // At most one timer and controller per run, and none for a behavior that answers at once.
    let abort: AbortController | undefined;
    const limit = (): AbortController => (abort ??= this.#dispatch.limit());
    const outcome = this.#runner.handle(message, mailbox, () => limit().signal);
    const early = outcome instanceof Promise ? await this.#early(message.id, outcome) : outcome;
    const ended = early && this.#runner.settlement(early, message, mailbox);
    if (early !== undefined && ended !== undefined && !('kind' in ended) && effectsOf(early) === undefined) {
      abort?.abort();
      const sent = await this.#answered(submission, message, mailbox, ended, wait);
      const sealed = sealedOf(early);
      // A secret is not shown for a repeated request, nor for a message that another one caused.
      if (sealed === undefined || sent.replayed || submission.hops > 0) return sent;
      return { message: withReply(sent.message, sealed), replayed: false };
    }
    // It takes longer or is to be retried: the message is written first, and the dispatcher continues.
    const accepted = await this.#accept(submission, message, this.#dispatch.lease()).catch((error: unknown) => {
      limit().abort();
      throw error;
    });
    if (accepted.kind === 'replayed') {
      limit().abort();
      return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#bus.publishEvents(mailbox.namespace_id);
    if (accepted.held) {
      // The mailbox was paused meanwhile: the outcome may not be written, and the message runs again after the mailbox is
      // resumed.
      limit().abort();
      return { message, replayed: false };
    }
    this.#dispatch.adopt(message, mailbox, { abort: limit(), outcome: early ?? outcome });
    const answer = await this.#answer(message, wait);
    const mayRead = isSealedReply(answer) && submission.hops === 0 && !wait.signal.aborted;
    return { message: mayRead ? await this.#secrets.open(answer, 'sender') : answer, replayed: false };
  }

  /** The outcome, unless it takes longer than `INLINE_MS` or the run needs its message written first. */
  #early(id: string, outcome: Promise<Outcome>): Promise<Outcome | undefined> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        expected[Symbol.dispose]();
      };
      const later = (): void => {
        end();
        resolve(undefined);
      };
      const timer = setTimeout(later, INLINE_MS);
      const expected = this.#dispatch.expect(id, later);
      outcome.then(
        (early) => {
          end();
          resolve(early);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
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
    const settled: Message = Object.assign(message, settlement);
    const accepted = await this.#accept(submission, settled);
    if (accepted.kind === 'replayed') return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    this.#storage.settled(settled, payerOf(submission));
    this.#dispatch.publishSettled(settled, mailbox);
    return { message: settled, replayed: false };
  }

  /** Writes the message first; it is handled at once when nothing waits before it. */
  async #queue(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    written: () => void,
  ): Promise<Sent> {
    const reserved = mailbox.status === 'online' && this.#dispatch.acquireSlot(message);
    const accepted = await this.#accept(submission, message, reserved ? this.#dispatch.lease() : undefined).catch(
      (error: unknown) => {
        if (reserved) this.#dispatch.releaseSlot();
        throw error;
      },
    );
    if (accepted.kind === 'replayed') {
      if (reserved) this.#dispatch.releaseSlot();
      return this.#replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#bus.publishEvents(mailbox.namespace_id);
    if (accepted.held) {
      if (reserved) this.#dispatch.releaseSlot();
      return { message, replayed: false };
    }
    if (reserved) this.#dispatch.adopt(message, mailbox);
    else this.#dispatch.announceDue();
    if (wait === undefined) return { message, replayed: false };
    return { message: await this.#answer(message, wait), replayed: false };
  }

  async #replay(
    before: { readonly id: string; readonly hash: string },
    idempotency: Idempotency,
    wait: Wait | undefined,
  ): Promise<Sent> {
    if (before.hash !== idempotency.hash) throw idempotencyMismatch();
    const message = await this.#store.messages.byId(before.id);
    if (message === undefined)
      throw new AppError('message_not_found', 'The message created with this idempotency key was deleted.');
    const mailbox = await this.#directory.mailboxById(message.mailbox_id);
    const held = mailbox !== undefined && mailbox.status !== 'online' && message.status === 'submitted';
    if (isSettled(message.status) || wait === undefined || held) return { message, replayed: true };
    return { message: await this.#answer(message, wait), replayed: true };
  }

  /** Writes the message, or gives back the storage that `#begin` took for it. */
  async #accept(
    submission: Submission,
    message: Message,
    leased_until?: Millis,
  ): Promise<Exclude<Accepted, { kind: 'refused' }>> {
    const payer = payerOf(submission);
    let written = false;
    let accepted: Accepted;
    try {
      accepted = await this.#store.messages.accept({
        message,
        idempotency: submission.idempotency,
        leased_until,
        max_waiting: this.#maxWaiting,
        from_mailbox_id: submission.from_mailbox_id,
      });
      written = accepted.kind === 'accepted';
    } finally {
      if (!written) this.#storage.add(payer, -sizeOfMessage(message));
    }
    if (written && submission.payer !== null && !isSettled(message.status))
      this.#storage.answersLater(message, submission.payer);
    if (accepted.kind !== 'refused') return accepted;
    // A full mailbox does not change who may write, so the cache stays.
    if (accepted.code !== 'mailbox_full') this.#directory.forget();
    switch (accepted.code) {
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

  /** The error for an address without a mailbox. */
  async #noMailbox(to: Address): Promise<AppError> {
    const namespace = await this.#store.namespaces.byName(to.namespace);
    const deleted = namespace !== undefined && namespace.deleted_at !== null;
    return deleted ? namespaceGone(to.namespace) : noMailbox(to);
  }

  /** The oldest remaining message of the thread that is continued, which must have the same sender and mailbox. */
  async #first(submission: Submission, mailbox: Mailbox): Promise<Message | undefined> {
    const { thread_id, in_reply_to } = submission;
    let wanted = thread_id;
    if (in_reply_to !== null) {
      const before = isId('msg', in_reply_to) ? await this.#store.messages.byId(messageIdOf(in_reply_to)) : undefined;
      const known = before !== undefined && (!isReplyId(in_reply_to) || before.reply_body !== null);
      if (
        !known ||
        !sameSender(before, submission.sender) ||
        before.mailbox_id !== mailbox.id ||
        (wanted !== null && wanted !== before.thread_id)
      ) {
        throw invalid(
          '/in_reply_to',
          'The thread has no such message between this sender and this mailbox. Use an id from your own thread, or leave it out.',
        );
      }
      wanted = before.thread_id;
    }
    const first = wanted !== null && isId('thr', wanted) ? await oldestOf(this.#store, wanted) : undefined;
    if (first === undefined || !sameSender(first, submission.sender) || first.mailbox_id !== mailbox.id) {
      throw invalid(
        '/thread_id',
        'There is no such thread between this sender and this mailbox. Leave thread_id out to begin one.',
      );
    }
    return first;
  }
}

/** Throws AppError unless the mailbox accepts this submission. */
function checkOpen({ to, sender, try_out, hops }: Submission, mailbox: Mailbox): void {
  if (mailbox.access === 'key' && sender.namespace_id !== mailbox.namespace_id) throw noMailbox(to);
  if (mailbox.deleted_at !== null) throw gone(to);
  if (try_out && !mailbox.try_out) {
    const address = shortAddress(to.local, to.namespace);
    throw new AppError('access_denied', `${address} has no try-out. Write to it with an API key.`);
  }
  if (hops >= MAX_HOPS) {
    throw new AppError('loop_detected', `${MAX_HOPS} messages caused one another; this one was not sent.`);
  }
}

/** The sender's namespace pays, for the reply too; none pays when the sender was deleted. */
function payerOf({ sender: { namespace_id }, payer }: Submission): Payer | undefined {
  if (payer !== null) return payer;
  return namespace_id === null ? undefined : { kind: 'namespace', id: namespace_id };
}

const sameSender = (message: Message, sender: { readonly kind: SenderKind; readonly id: string | null }): boolean =>
  message.sender_kind === sender.kind && message.sender_id !== null && message.sender_id === sender.id;

const noMailbox = (to: Address): AppError =>
  new AppError(
    'mailbox_not_found',
    `There is no mailbox ${shortAddress(to.local, to.namespace)} here. Check the spelling.`,
  );

const gone = (to: Address): AppError =>
  new AppError('mailbox_gone', `${shortAddress(to.local, to.namespace)} was deleted by its owner.`);

const namespaceGone = (name: string): AppError =>
  new AppError('namespace_gone', `The namespace ${name} was deleted by its owner.`);
