import type { Millis } from '@mailroom/behavior/values/clock';
import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { DueWork } from '../notify/due-work.ts';
import type { Claim, JobKind } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { MessageHandler } from './handle.ts';
import type { JobWorker, Work } from './job-worker.ts';
import { LeasedRun, type RunParts } from './running.ts';
import type { Settler } from './settle.ts';
import type { Slot, SlotClass, Slots } from './slots.ts';
import type { Leased, Queue, Worker, WorkerOptions } from './worker.ts';

export interface DispatchOptions extends WorkerOptions {
  /** How many messages are handled at a time. */
  readonly max: number;
  readonly run_ms: Millis;
  /**
   * Suspects wait this long after the start, 2 s by default: a process that is ended again and again soon after its start
   * tells nothing about a message.
   */
  readonly suspects_after_ms?: Millis;
}

const CLAIM_BATCH = 32;
const SUSPECTS_AFTER_MS: Millis = 2_000;

/** Due messages, mailbox by mailbox, in the slots that are free. */
export class MessageQueue implements Queue<Claim, Slot> {
  readonly #handlings: Store['handlings'];
  readonly #slots: Slots;
  readonly #poll_ms: Millis;
  /** When suspects are looked for next, by the clock of `performance`. */
  #suspects_at: number;
  /** Whether the last claim used each slot that it had, so that more is probably due. */
  #filled = false;

  constructor(handlings: Store['handlings'], slots: Slots, { poll_ms, suspects_after_ms }: DispatchOptions) {
    this.#handlings = handlings;
    this.#slots = slots;
    this.#poll_ms = poll_ms;
    this.#suspects_at = performance.now() + (suspects_after_ms ?? SUSPECTS_AFTER_MS);
  }

  /** Claims for the free slots of one class at a time. */
  async claim(now: Millis, lease_ms: Millis) {
    const slots = this.#slots;
    const classes: SlotClass[] = [];
    if (slots.freeFor('common') > 0) classes.push('common');
    // Whichever mailbox holds all common slots, one that holds few has its turn.
    else if (slots.freeFor('reserved') > 0) classes.push('reserved');
    if (slots.freeFor('suspect') > 0 && performance.now() >= this.#suspects_at) classes.push('suspect');
    if (classes.length === 0) {
      slots.backlog = true;
      return { leased: [], more: true, next: undefined };
    }
    const next = this.#filled ? now : await this.#handlings.nextDue();
    if (next === undefined || next > now) {
      slots.backlog = false;
      return { leased: [], more: false, next };
    }
    this.#filled = false;
    let leased: readonly Leased<Claim, Slot>[] = [];
    for (const slotClass of classes) {
      leased = await this.#claimFor(slotClass, now, lease_ms);
      if (leased.length > 0) break;
    }
    slots.backlog = slots.freeFor('common') <= 0;
    return { leased, more: leased.length > 0 || slots.backlog || slots.freeFor('suspect') <= 0, next };
  }

  async #claimFor(slotClass: SlotClass, now: Millis, lease_ms: Millis): Promise<readonly Leased<Claim, Slot>[]> {
    const slots = this.#slots;
    const max = Math.min(CLAIM_BATCH, slots.freeFor(slotClass));
    if (max <= 0) return [];
    const except = slotClass === 'reserved' ? slots.busyMailboxes : [];
    // Taken before the claim, so that no message that arrives meanwhile gets one of them.
    const taken = Array.from({ length: max }, () => slots.take(slotClass));
    try {
      const claims =
        slotClass === 'suspect'
          ? await this.#claimSuspect(now, lease_ms)
          : await this.#handlings.claim(max, now, lease_ms, except);
      this.#filled = claims.length === max && slotClass === 'common';
      return claims.map((claim) => {
        const slot = taken.pop() as Slot;
        slot.useIn(claim.subject);
        return { claim, slot };
      });
    } finally {
      for (const slot of taken) slot.releaseUnused();
    }
  }

  async #claimSuspect(now: Millis, lease_ms: Millis): Promise<readonly Claim[]> {
    const claim = await this.#handlings.claimSuspect(now, lease_ms);
    if (claim !== undefined) return [claim];
    this.#suspects_at = performance.now() + this.#poll_ms;
    return [];
  }

  renew(claims: readonly Claim[], until: Millis): Promise<readonly string[]> {
    return this.#handlings.renew(claims, until);
  }

  release(claim: Claim, at: Millis): Promise<boolean> {
    return this.#handlings.later(claim, at);
  }
}

interface DispatchParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly slots: Slots;
  readonly worker: Worker<Claim, Slot>;
  readonly settler: Settler;
  readonly handler: MessageHandler;
  /** What the runs of claimed messages have in common. */
  readonly running: RunParts;
  readonly jobs: JobWorker;
  readonly due: DueWork;
}

/** Handles the messages that the worker claimed, and has the work of this node checked for and stopped. */
export class Dispatch {
  readonly #parts: DispatchParts;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Looks for due work now, because there may be some. */
  checkDue(): void {
    this.#parts.due.check();
  }

  /** As of `DueWork.announce`. */
  announceDue(): void {
    this.#parts.due.announce();
  }

  /** As of `Settler.afterSettled`. */
  afterSettled(message: Message, mailbox: Mailbox): void {
    this.#parts.settler.afterSettled(message, mailbox);
  }

  /** As of `Settler.publishEvents`. */
  publishEvents(namespaceId: string): void {
    this.#parts.settler.publishEvents(namespaceId);
  }

  /** Stops the run of a message that was settled by someone else. */
  abort(id: string): void {
    this.#parts.worker.abort(id);
  }

  /** Whether a message could be handled at once: a slot is free and nothing has waited longer. */
  get idle(): boolean {
    const { worker, slots } = this.#parts;
    return !worker.stopped && !worker.claiming && slots.anyFree;
  }

  get running(): number {
    return this.#parts.worker.running + this.#parts.jobs.running;
  }

  /** As of `JobWorker.register`. */
  register(kind: Exclude<JobKind, 'purge'>, work: Work): void {
    this.#parts.jobs.register(kind, work);
  }

  /**
   * Takes nothing new, waits up to `grace_ms` for the current runs, and leaves the rest to the next start or another
   * node.
   */
  async stop(grace_ms: Millis): Promise<void> {
    const { slots, settler, worker, jobs } = this.#parts;
    slots.stop();
    settler.stop();
    await Promise.all([worker.stop(grace_ms), jobs.stop(grace_ms)]);
  }

  /** Handles a claimed message in its slot. */
  async handle({ claim, slot }: Leased<Claim, Slot>, abort: AbortController): Promise<void> {
    const { store, directory, handler, running } = this.#parts;
    const message = claim.message ?? (await store.messages.byId(claim.id));
    if (message === undefined) return;
    slot.use(message);
    const mailbox = await directory.mailboxById(message.mailbox_id);
    if (mailbox === undefined) return;
    await handler.handle(claim, message, mailbox, new LeasedRun(message, slot, running, { claim, abort }));
  }
}
