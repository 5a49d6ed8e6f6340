import type { Millis } from '@mailroom/behavior/values/clock';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Sent, Submission, Wait } from '../runs/submission.ts';
import { removed, type SenderWait } from '../submission/sender-wait.ts';
import type { SubmittedMessages } from '../submission/submitted-messages.ts';
import type { AnswerQueue } from './answer-queue.ts';

/** What an `AnswerSubmitter` uses. */
export interface AnswerSubmitterParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly queue: Pick<AnswerQueue, 'reserve'>;
  readonly messages: SubmittedMessages;
  readonly senders: SenderWait;
  /** As of the settler. */
  readonly onAnswerable: (mailbox: Mailbox) => void;
}

/** How a message waits for its answer from outside. */
interface Awaited {
  readonly answerBy: Millis;
  /** Whether a person answers it, as its thread is taken over. */
  readonly taken: boolean;
  /** Called once it is written. */
  readonly written: () => void;
}

/** Submits messages that are answered from outside: by a program, its webhook or a person. */
export class AnswerSubmitter {
  readonly #parts: AnswerSubmitterParts;

  constructor(parts: AnswerSubmitterParts) {
    this.#parts = parts;
  }

  /** The message, once it is written; with `wait` once it is answered, or its state after `wait.ms`. */
  async submit(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    { answerBy, taken, written }: Awaited,
  ): Promise<Sent> {
    const { store, queue, bus, senders, messages, onAnswerable } = this.#parts;
    const online = mailbox.status === 'online';
    // Where it is pushed, or a person answers it, no program is to take it first.
    const reserved = online && !taken && mailbox.webhook !== 'on' ? queue.reserve(mailbox.id) : undefined;
    // Expected before it is written, because it may be answered before this node learns that it was.
    const expected = online && wait !== undefined ? bus.expect(message.id) : undefined;
    const forget = expected && bus.onDeleted(mailbox.id, expected.end);
    let granted = false;
    try {
      const accepted = await messages.accept(submission, message, {
        answer_by: answerBy,
        claimed: reserved?.claimed,
      });
      if (accepted.kind === 'replayed')
        return await senders.replay(accepted, submission.idempotency as Idempotency, wait);
      written();
      bus.publishEvents(mailbox.namespace_id);
      if (accepted.taken) return await senders.byHand(submission, message, wait);
      if (accepted.held) return { message, replayed: false };
      const waiting = { ...message, waiting_for: 'answer' } as const;
      granted = true;
      if (reserved === undefined) onAnswerable(mailbox);
      else reserved.grant({ ...waiting, status: 'working' });
      if (wait === undefined || expected === undefined) return { message: waiting, replayed: false };
      const answer = (await expected.within(wait.ms, wait.signal)) ?? (await store.messages.byId(message.id));
      return await senders.opened(submission, answer ?? removed(message), wait);
    } finally {
      if (!granted) reserved?.cancel();
      forget?.();
      expected?.end();
    }
  }
}
