import { AppError, idempotencyMismatch } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import { isSettled, type Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import { isSealedReply, type OneTimeSecrets } from '../runs/one-time-secrets.ts';
import { isSameSubmission } from '../runs/same-submission.ts';
import type { Sent, Submission, Wait } from '../runs/submission.ts';
import { isForMany, isInTo, withCopies } from './copies.ts';

interface SenderWaitParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly bus: EventBus;
  readonly sealed: OneTimeSecrets;
}

/** Whether its sender waits no longer: it is settled, or waits for a decision, which may take days. */
const isAnswered = ({ status, waiting_for }: Message): boolean =>
  isSettled(status) || waiting_for === 'approval' || waiting_for === 'review';

/** What a sender gets who waits for the reply to a message that is written. */
export class SenderWait {
  readonly #parts: SenderWaitParts;

  constructor(parts: SenderWaitParts) {
    this.#parts = parts;
  }

  /** The message once it is settled, or its state after `wait.ms`. Undefined when there is none. */
  async settled(id: string, wait: Wait | undefined): Promise<Message | undefined> {
    const until = performance.now() + (wait?.ms ?? 0);
    for (;;) {
      const message = await this.#waitFor(id, wait && { ms: until - performance.now(), signal: wait.signal });
      const over = wait === undefined || wait.signal.aborted || performance.now() >= until;
      // The wait also ends when the message begins to wait for a decision; a caller that waits for the settlement then
      // waits again.
      if (message === undefined || isSettled(message.status) || over)
        return message && this.#withCopies(message, until, wait);
    }
  }

  /** As `settled`, for the sender of a message with several recipients: no longer than until a copy in To is held. */
  async sent(message: Message, wait: Wait | undefined): Promise<Message | undefined> {
    const { store } = this.#parts;
    const copies = wait === undefined ? [] : await store.messages.copiesOf([message.id]);
    const held = new AbortController();
    await Promise.all(
      copies
        .filter((copy) => isInTo(message, copy))
        .map(async (copy) => {
          const { ms, signal } = wait as Wait;
          const until = { ms, signal: AbortSignal.any([signal, held.signal]) };
          const now = (await this.#isHeld(copy)) ? copy : await this.#waitFor(copy.id, until, isAnswered);
          if (now !== undefined && !isSettled(now.status)) held.abort();
        }),
    );
    return this.settled(message.id, undefined);
  }

  /** Whether it waits for its mailbox, which is paused or not connected, and for no person. */
  async #isHeld({ mailbox_id, status, taken_over }: Message): Promise<boolean> {
    if (status !== 'submitted' || taken_over === true) return false;
    const mailbox = await this.#parts.directory.mailboxById(mailbox_id);
    return mailbox !== undefined && mailbox.status !== 'online';
  }

  /** Of a message with several recipients: once each address in To has settled. */
  async #withCopies(message: Message, until: number, wait: Wait | undefined): Promise<Message> {
    if (!isForMany(message)) return message;
    const { store } = this.#parts;
    for (const copy of wait === undefined ? [] : await store.messages.copiesOf([message.id]))
      if (isInTo(message, copy))
        await this.settled(copy.id, { ms: until - performance.now(), signal: (wait as Wait).signal });
    const [whole = message] = await withCopies([message], store);
    return whole;
  }

  /** The message once it is settled or `done` accepts it, or its state after `wait.ms`. */
  async #waitFor(
    id: string,
    wait: Wait | undefined,
    done = (message: Message): boolean => isSettled(message.status),
  ): Promise<Message | undefined> {
    if (wait === undefined || wait.ms <= 0) return this.#parts.store.messages.byId(id);
    const listening = new AbortController();
    let forget: (() => void) | undefined;
    try {
      const woken = this.#parts.bus.wait(id, wait.ms, AbortSignal.any([wait.signal, listening.signal]));
      const message = await this.#parts.store.messages.byId(id);
      if (message === undefined || done(message)) return message;
      forget = this.#parts.bus.onDeleted(message.mailbox_id, () => listening.abort());
      return (await woken) ?? (await this.#parts.store.messages.byId(id));
    } finally {
      forget?.();
      listening.abort();
    }
  }

  /**
   * The message for its sender: as `settled`, but at once when it waits for a decision, which may take days. Throws
   * AppError `mailbox_gone`.
   */
  async #answer(message: Message, wait: Wait): Promise<Message> {
    return (await this.#waitFor(message.id, wait, isAnswered)) ?? removed(message);
  }

  /** A message of a thread that is taken over: a person is there to answer it, so the caller waits whatever the mailbox's status. */
  async byHand(submission: Submission, message: Message, wait: Wait | undefined): Promise<Sent> {
    const waiting = { ...message, waiting_for: 'answer', taken_over: true } as const;
    return wait === undefined ? { message: waiting, replayed: false } : this.reply(submission, waiting, wait);
  }

  /** The reply to a message that was written first, or its state after `wait.ms`. */
  async reply(submission: Submission, message: Message, wait: Wait): Promise<Sent> {
    return this.opened(submission, await this.#answer(message, wait), wait);
  }

  /** The answer for its sender, with what only the first reader is shown. */
  async opened(submission: Submission, answer: Message, wait: Wait): Promise<Sent> {
    const mayRead = isSealedReply(answer) && submission.hops === 0 && !wait.signal.aborted;
    return { message: mayRead ? await this.#parts.sealed.open(answer, 'sender') : answer, replayed: false };
  }

  /**
   * The message that was written with this idempotency key before. Throws AppError: `idempotency_mismatch`,
   * `message_not_found`.
   */
  async replay(
    earlier: { readonly id: string; readonly hash: string },
    idempotency: Idempotency,
    wait: Wait | undefined,
  ): Promise<Sent> {
    if (!isSameSubmission(earlier.hash, idempotency.hash)) throw idempotencyMismatch();
    const message = await this.#parts.store.messages.byId(earlier.id);
    if (message === undefined)
      throw new AppError('message_not_found', 'The message created with this idempotency key was deleted.');
    if (isSettled(message.status) || wait === undefined || (await this.#isHeld(message)))
      return { message, replayed: true };
    return { message: await this.#answer(message, wait), replayed: true };
  }
}

/** Throws AppError `mailbox_gone`, for a message that went with its mailbox while its sender waited. */
export function removed({ to }: Pick<Message, 'to'>): never {
  throw new AppError('mailbox_gone', `${to ?? 'The mailbox'} was deleted by its owner, and this message with it.`);
}
