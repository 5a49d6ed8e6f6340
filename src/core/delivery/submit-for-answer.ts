import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Millis } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import type { AnswerQueue } from './answer-queue.ts';
import { continuesThread } from './recipients.ts';
import type { SenderWait } from './sender-wait.ts';
import { removed } from './sender-wait.ts';
import type { Settler } from './settle.ts';
import type { StorageMeter } from './storage-meter.ts';
import type { Sent, Submission, Wait } from './submission.ts';
import type { SubmittedMessages } from './submitted-messages.ts';
import { payerOf, requireWritten } from './submitted-messages.ts';
import type { EarlyAnswer, Outcome, Unwritten, UnwrittenMessages, WrittenAnswer } from './unwritten-messages.ts';
import { writtenWith } from './unwritten-messages.ts';

/** How long an exchange may stay unwritten while a program works, which is asked and answers by requests of its own. */
const PROGRAM_MS = 250;

/** What an `AnswerSubmitter` uses. */
export interface AnswerSubmitterParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly settler: Settler;
  readonly storage: StorageMeter;
  readonly queue: Pick<AnswerQueue, 'reserve' | 'handOver' | 'written' | 'ended'>;
  readonly unwritten: UnwrittenMessages;
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
    awaited: Awaited,
  ): Promise<Sent> {
    const online = mailbox.status === 'online';
    // Where it is pushed, or a person answers it, no program is to take it first.
    const forProgram = online && !awaited.taken && mailbox.webhook !== 'on';
    const unwritten = forProgram && wait !== undefined ? this.#handOver(submission, message) : undefined;
    try {
      const early = wait && (await unwritten?.within(PROGRAM_MS, wait.signal));
      if (unwritten !== undefined && early !== undefined) {
        if ('written' in early && continuesThread(submission)) this.#parts.bus.publishContinued(message);
        const sent =
          'written' in early
            ? await this.#writtenElsewhere(submission, mailbox, unwritten, early)
            : await this.#exchange(submission, mailbox, wait, unwritten, early);
        if (sent !== undefined) return sent;
      }
      return await this.#awaitWritten(submission, message, mailbox, wait, { ...awaited, forProgram, unwritten });
    } finally {
      if (unwritten !== undefined) this.#end(unwritten, 'gone');
    }
  }

  /** Hands a message whose sender waits to a program before it is written; undefined when no program is there. */
  #handOver(submission: Submission, message: Message): Unwritten | undefined {
    if (submission.upload !== undefined) return undefined;
    const { unwritten, queue } = this.#parts;
    const { idempotency, from_mailbox_id, email } = submission;
    // A program has it already, so that it does not count as one of those that wait.
    const terms = { idempotency, max_waiting: Number.MAX_SAFE_INTEGER, from_mailbox_id };
    // What is written of a mail stays on this node.
    const begun = unwritten.begin(message, email === undefined ? terms : undefined);
    if (queue.handOver(begun)) return begun;
    this.#end(begun, 'gone');
    return undefined;
  }

  /** Only the first end of a message counts. */
  #end(unwritten: Unwritten, outcome: Outcome): void {
    const { queue, unwritten: all } = this.#parts;
    if (all.open(unwritten.message.id) !== unwritten) return;
    const elsewhere = outcome === 'written' ? queue.written(unwritten) : queue.ended(unwritten);
    // A node that settled it knows.
    all.end(unwritten, outcome, elsewhere && outcome !== 'settled');
  }

  /** Writes a message with its answer in one durable write; undefined when that answer is refused. */
  async #exchange(
    submission: Submission,
    mailbox: Mailbox,
    wait: Wait | undefined,
    unwritten: Unwritten,
    { settlement, key_id }: EarlyAnswer,
  ): Promise<Sent | undefined> {
    const { messages, senders } = this.#parts;
    const { message, claimed } = unwritten;
    const settled = writtenWith(message, settlement);
    const accepted = await messages.write(submission, settled, { claimed, answer_key_id: key_id ?? undefined });
    if (accepted.kind === 'answer_refused') return undefined;
    if (accepted.kind === 'replayed') return senders.replay(accepted, submission.idempotency as Idempotency, wait);
    return this.#exchanged(submission, mailbox, unwritten, settled);
  }

  /** Another node wrote the message with its answer. */
  async #writtenElsewhere(
    submission: Submission,
    mailbox: Mailbox,
    unwritten: Unwritten,
    { written }: WrittenAnswer,
  ): Promise<Sent> {
    const { message } = unwritten;
    if (written !== undefined) return this.#exchanged(submission, mailbox, unwritten, writtenWith(message, written));
    this.#end(unwritten, 'settled');
    const settled = await this.#parts.store.messages.byId(message.id);
    if (settled === undefined)
      throw new AppError('message_not_found', 'The message was deleted as soon as it was answered.');
    return this.#exchanged(submission, mailbox, unwritten, settled);
  }

  #exchanged(submission: Submission, mailbox: Mailbox, unwritten: Unwritten, settled: Message): Sent {
    const { storage, settler } = this.#parts;
    this.#end(unwritten, 'settled');
    storage.settled(settled, payerOf(submission));
    settler.publishSettled(settled, mailbox);
    return { message: settled, replayed: false };
  }

  async #awaitWritten(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    how: Awaited & { readonly forProgram: boolean; readonly unwritten: Unwritten | undefined },
  ): Promise<Sent> {
    const { answerBy, forProgram, unwritten, written } = how;
    const { queue, bus, senders, messages, onAnswerable } = this.#parts;
    const reserved = forProgram && unwritten === undefined ? queue.reserve(mailbox.id) : undefined;
    const claimed = unwritten?.claimed ?? reserved?.claimed;
    // Expected before it is written, because it may be answered before this node learns that it was.
    const expected = mailbox.status === 'online' && wait !== undefined ? bus.expect(message.id) : undefined;
    const forget = expected && bus.onDeleted(mailbox.id, expected.end);
    let granted = false;
    try {
      const accepted = await messages.write(submission, message, { answer_by: answerBy, claimed });
      if (unwritten !== undefined && accepted.kind === 'known') {
        written();
        return await this.#writtenElsewhere(submission, mailbox, unwritten, { written: undefined });
      }
      requireWritten(accepted);
      if (accepted.kind === 'replayed')
        return await senders.replay(accepted, submission.idempotency as Idempotency, wait);
      written();
      if (unwritten !== undefined) this.#end(unwritten, 'written');
      bus.publishEvents(mailbox.namespace_id);
      if (accepted.taken) return await senders.byHand(submission, message, wait);
      if (accepted.held) return { message, replayed: false };
      const waiting = { ...message, waiting_for: 'answer' } as const;
      granted = true;
      if (claimed === undefined) onAnswerable(mailbox);
      else reserved?.grant({ ...waiting, status: 'working' });
      if (wait === undefined || expected === undefined) return { message: waiting, replayed: false };
      const answer =
        (await expected.within(wait.ms, wait.signal)) ?? (await this.#parts.store.messages.byId(message.id));
      return await senders.opened(submission, answer ?? removed(message), wait);
    } finally {
      if (!granted) reserved?.cancel();
      forget?.();
      expected?.end();
    }
  }
}
