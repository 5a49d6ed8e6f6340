import { replyIdOf, threadOf } from '@mailroom/behavior/values/ids';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { DueWork } from '../notify/due-work.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim } from '../ports/claim.ts';
import type { QueuedAnswers } from '../ports/emails.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Evidence } from '../review/evidence.ts';
import { Gate } from '../review/gate.ts';
import type { MessageHandler } from '../runs/handle.ts';
import { withReply } from '../runs/one-time-secrets.ts';
import { effectsOf, filesOf, type Runner, sealedOf } from '../runs/run.ts';
import { InlineRun, LeasedRun, type RunParts } from '../runs/running.ts';
import type { Settler } from '../runs/settle.ts';
import { releasing, type Slot, type Slots } from '../runs/slots.ts';
import type { Sent, Submission, Wait } from '../runs/submission.ts';
import type { Worker } from '../runs/worker.ts';
import type { SenderWait } from '../submission/sender-wait.ts';
import { firstClaim, payerOf, type SubmittedMessages } from '../submission/submitted-messages.ts';

/** How long an exchange may stay unwritten while the behavior works; then the message is written first. */
const INLINE_MS = 100;

/** What runs and writes exchanges. */
export interface ExchangeParts {
  readonly runner: Runner;
  readonly slots: Slots;
  readonly worker: Worker<Claim, Slot>;
  readonly handler: MessageHandler;
  readonly settler: Settler;
  readonly due: DueWork;
  readonly bus: EventBus;
  readonly storage: StorageMeter;
  readonly evidence: Evidence;
  readonly emails: Pick<EmailAnswers, 'accept'>;
}

interface Parts extends ExchangeParts {
  readonly store: Pick<Store, 'threads'>;
  readonly messages: SubmittedMessages;
  readonly senders: SenderWait;
  readonly running: RunParts;
}

/** Writes accepted messages and has them handled: at once where a slot is free, together with their answer where that is soon. */
export class Exchanges {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The slot that the message is handled in now; undefined when it has to wait in the store. */
  slotFor(message: Message, mailbox: Mailbox, yielded: Slot | undefined): Slot | undefined {
    if (mailbox.status !== 'online') {
      yielded?.release();
      return undefined;
    }
    yielded?.use(message);
    const { slots, runner } = this.#parts;
    // Long runs of others may hold all slots, and what answers at once needs none of them.
    return yielded ?? slots.acquire(message) ?? (runner.isImmediate(mailbox) ? slots.beyond() : undefined);
  }

  /** The same for one whose sender waits, once a slot is free: where that is soon, the exchange is written once, not twice. */
  async slotSoon(message: Message, mailbox: Mailbox): Promise<Slot | undefined> {
    return mailbox.status === 'online' ? this.#parts.slots.acquireSoon(message) : undefined;
  }

  /** Runs the message before it is written; when that takes long, it is written meanwhile. */
  async runInline(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    slot: Slot,
    written: () => void,
  ): Promise<Sent> {
    const { runner, worker } = this.#parts;
    const run = new InlineRun(message, slot, this.#parts.running, () => this.#parts.worker.limit());
    const outcome = runner.handle(message, mailbox, run);
    const early = outcome instanceof Promise ? await run.within(INLINE_MS, outcome) : outcome;
    const ended = early && runner.settlement(early, message, mailbox);
    // What may be held is written first.
    const free = mailbox.outgoing === undefined && !Gate.mayHold(mailbox, message);
    const alone = free && early !== undefined && effectsOf(early) === undefined && filesOf(early) === undefined;
    const sealed = early && sealedOf(early);
    // A secret that no one waits for is stored, for its one reader.
    const returned = sealed === undefined || wait !== undefined;
    const isWhole = alone && returned && ended !== undefined && !('kind' in ended);
    if (isWhole && !(outcome instanceof Promise && (await this.#isTaken(message)))) {
      run.end();
      slot.release();
      const sent = await this.answered(submission, message, mailbox, ended, wait);
      // A secret is not shown for a repeated request, nor for a message that another one caused.
      if (sealed === undefined || sent.replayed || submission.hops > 0) return sent;
      return { message: withReply(sent.message, sealed), replayed: false };
    }
    const { abort } = run;
    // It takes longer or is to be retried: the message is written first, and the run continues under a claim.
    const accepted = await this.#parts.messages
      .accept(submission, message, { leased_until: worker.leaseEnd() })
      .catch((error: unknown) => {
        abort.abort();
        slot.release();
        throw error;
      });
    if (accepted.kind === 'replayed') {
      abort.abort();
      slot.release();
      return this.#parts.senders.replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#parts.bus.publishEvents(mailbox.namespace_id);
    if (accepted.held || accepted.taken) {
      // The mailbox was paused or the thread taken over meanwhile: the outcome may not be written, and the message runs
      // again after the mailbox is resumed or the thread handed back.
      abort.abort();
      slot.release();
      return accepted.taken ? this.#parts.senders.byHand(submission, message, wait) : { message, replayed: false };
    }
    const claim = firstClaim(message);
    run.accepted(claim);
    worker.run({ claim, slot }, abort, () =>
      this.#parts.handler.handle(claim, message, mailbox, run, early ?? outcome),
    );
    return wait === undefined ? { message, replayed: false } : this.#parts.senders.reply(submission, message, wait);
  }

  /** Whether a person took its thread over while its behavior was at work. */
  async #isTaken({ id, thread_id, mailbox_id }: Message): Promise<boolean> {
    if (thread_id === threadOf(id)) return false;
    return (await this.#parts.store.threads.takenOver({ thread_id, mailbox_id })) !== undefined;
  }

  /** Writes the whole exchange in one durable write. */
  async answered(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    settlement: Settlement,
    wait: Wait | undefined,
  ): Promise<Sent> {
    // Only this exchange has seen the message, so it is completed in place.
    const settled: Message = Object.assign(message, settlement, { replies_count: settlement.reply === null ? 0 : 1 });
    const { email } = submission;
    const write = (answers?: QueuedAnswers) => this.#parts.messages.accept(submission, settled, { answers });
    const accepted = await (email?.owed === true
      ? this.#parts.emails.accept({ message: settled, mailbox, email }, write)
      : write());
    if (accepted.kind === 'replayed')
      return this.#parts.senders.replay(accepted, submission.idempotency as Idempotency, wait);
    this.#parts.storage.settled(settled, payerOf(submission));
    const noted =
      settled.reply === null
        ? undefined
        : this.#parts.evidence.replied(replyIdOf(settled.id), mailbox, settled.reply, null);
    if (noted !== undefined) await noted;
    const isQueued = accepted.answered === true || email?.owed === false;
    this.#parts.settler.publishSettled(settled, mailbox, isQueued);
    return { message: settled, replayed: false, ended: accepted.answered === true && email?.ends !== undefined };
  }

  /** Writes the message first; it is handled at once when there is a slot for it. */
  async queue(
    submission: Submission,
    message: Message,
    mailbox: Mailbox,
    wait: Wait | undefined,
    slot: Slot | undefined,
    written: () => void,
  ): Promise<Sent> {
    const { worker, handler, due } = this.#parts;
    const leased_until = slot === undefined ? undefined : worker.leaseEnd();
    const accepted = await this.#parts.messages.accept(submission, message, { leased_until }).catch(releasing(slot));
    if (accepted.kind === 'replayed') {
      slot?.release();
      return this.#parts.senders.replay(accepted, submission.idempotency as Idempotency, wait);
    }
    written();
    this.#parts.bus.publishEvents(mailbox.namespace_id);
    if (accepted.held || accepted.taken) {
      slot?.release();
      return accepted.taken ? this.#parts.senders.byHand(submission, message, wait) : { message, replayed: false };
    }
    if (slot === undefined) due.announce();
    else {
      const lease = { claim: firstClaim(message), abort: worker.limit() };
      const run = new LeasedRun(message, slot, this.#parts.running, lease);
      worker.run({ claim: lease.claim, slot }, lease.abort, () => handler.handle(lease.claim, message, mailbox, run));
    }
    if (wait === undefined) return { message, replayed: false };
    return this.#parts.senders.reply(submission, message, wait);
  }
}
