import { shortAddress } from '@mailroom/behavior/values/address';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Directory } from '../access/directory.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { sizeOfMessage } from '../entities/storage-size.ts';
import type { DailyLimit } from '../limits/daily-limit.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Payer } from '../limits/storage-refusal.ts';
import type { DueWork } from '../notify/due-work.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim } from '../ports/claim.ts';
import type { QueuedAnswers } from '../ports/emails.ts';
import type { Acceptance, Accepted, Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Submission } from '../runs/submission.ts';
import { continuesThread, gone } from './recipients.ts';

interface WriterParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly storage: StorageMeter;
  readonly daily: DailyLimit;
  readonly bus: EventBus;
  readonly due: Pick<DueWork, 'announce'>;
}

/** How a message is written, and with which answers to its mail. */
type Writing = Pick<Acceptance, 'leased_until' | 'answer_by' | 'claimed'> & {
  readonly answers?: QueuedAnswers | undefined;
};

/** Writes submitted messages, for which storage and a place of the day were reserved. */
export class SubmittedMessages {
  readonly #parts: WriterParts;
  readonly #maxWaiting: number;

  constructor(parts: WriterParts, maxWaiting: number) {
    this.#parts = parts;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Writes the message, or gives back the storage and the place of the day that were reserved for it. Throws AppError:
   * `invalid_key`, `mailbox_gone`, `namespace_gone`, `sender_not_allowed`, `mailbox_full`.
   */
  async accept(
    submission: Submission,
    message: Message,
    how: Writing = {},
  ): Promise<Exclude<Accepted, { kind: 'refused' }>> {
    const payer = payerOf(submission);
    let written = false;
    let accepted: Accepted | undefined;
    try {
      const { messages } = this.#parts.store;
      // Named one by one, because a copy of `how` between the others takes several times as long.
      const { leased_until, answer_by, claimed, answers } = how;
      const acceptance = {
        message,
        idempotency: submission.idempotency,
        leased_until,
        answer_by,
        claimed,
        max_waiting: this.#maxWaiting,
        from_mailbox_id: submission.from_mailbox_id,
        email: submission.email,
      };
      const ends = submission.email?.ends;
      const then = answers ?? (ends && { delivery: ends, at: message.created_at });
      accepted = await (then === undefined ? messages.accept(acceptance) : messages.acceptAnswered(acceptance, then));
      written = accepted.kind === 'accepted';
      if (written) submission.upload?.keep();
      if (written && message.rules?.forward_to !== undefined) this.#parts.due.announce();
      if (written && continuesThread(submission)) this.#parts.bus.publishContinued(message);
    } catch (error) {
      // Whether it was written is unknown, so its files are left to the check of their owner.
      submission.upload?.keep();
      throw error;
    } finally {
      if (!written) {
        this.#parts.storage.add(payer, -sizeOfMessage(message));
        this.#parts.daily.refund(message);
      }
    }
    if (accepted.kind === 'accepted' && submission.payer !== null && !isSettled(message.status))
      this.#parts.storage.answersLater(message, submission.payer);
    if (accepted.kind !== 'refused') return accepted;
    // A full mailbox does not change who may write, so the cache stays.
    if (accepted.code !== 'mailbox_full') this.#parts.directory.forget();
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
}

/** The sender's namespace pays, for the reply too; none pays when the sender was deleted. */
export function payerOf({ sender: { namespace_id }, payer }: Submission): Payer | undefined {
  if (payer !== null) return payer;
  return namespace_id === null ? undefined : { kind: 'namespace', id: namespace_id };
}

/** How a message ends that nothing answers. */
export const unanswered = (status: Settlement['status'], settled_at: Millis): Settlement => ({
  status,
  error_code: null,
  error_message: null,
  reply: null,
  settled_at,
});

/** The claim of a message that was accepted under a lease. */
export const firstClaim = ({ id, mailbox_id }: Message): Claim => ({
  id,
  kind: 'handle',
  fence: 1,
  attempt: 1,
  subject: mailbox_id,
});
