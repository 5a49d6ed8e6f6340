import { setTimeout as pause } from 'node:timers/promises';
import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { DueWork } from '../notify/due-work.ts';
import type { Claim, JobKind } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import type { MessageHandler } from './handle.ts';
import type { JobWorker, Work } from './job-worker.ts';
import type { LeaseOptions, Leases } from './leases.ts';
import type { RunParts } from './running.ts';
import { LeasedRun } from './running.ts';
import type { Settler } from './settle.ts';
import type { Slot, SlotClass, Slots } from './slots.ts';
import type { SuspectOptions } from './suspects.ts';
import { Suspects } from './suspects.ts';

export interface DispatchOptions extends LeaseOptions, SuspectOptions {
  /** How many messages are handled at a time. */
  readonly max: number;
}

const CLAIM_BATCH = 32;
/**
 * With few slots free the dispatcher waits this long for more, as claiming one job costs the store as much as claiming
 * many.
 */
const GATHER_MS = 2;

interface DispatchParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly slots: Slots;
  readonly leases: Leases;
  readonly settler: Settler;
  readonly handler: MessageHandler;
  /** What the runs of claimed messages have in common. */
  readonly running: RunParts;
  readonly jobs: JobWorker;
  readonly due: DueWork;
  readonly clock: Clock;
}

/** Claims due messages under a lease, and starts them. */
export class Dispatch {
  readonly #parts: DispatchParts;
  readonly #options: DispatchOptions;
  readonly #suspects: Suspects;
  #pumping = false;
  #pumped: Promise<void> = Promise.resolve();
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #unsubscribe: () => void;

  constructor(parts: DispatchParts, options: DispatchOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#unsubscribe = parts.due.subscribe(() => this.#check());
    this.#suspects = new Suspects(parts, (claim, abort, slot) => this.#handle(claim, abort, slot), options);
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
    this.#parts.leases.abort(id);
  }

  /** Whether a message could be handled at once: a slot is free and nothing has waited longer. */
  get idle(): boolean {
    return !this.#stopped && !this.#pumping && this.#parts.slots.anyFree;
  }

  get running(): number {
    return this.#parts.leases.running;
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
    const { slots, settler, leases, jobs } = this.#parts;
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    slots.stop();
    settler.stop();
    await leases.stop(grace_ms, Promise.all([this.#pumped, jobs.stop(), this.#suspects.stop()]));
  }

  #check(): void {
    if (this.#pumping) {
      this.#again = true;
      return;
    }
    this.#pumping = true;
    this.#pumped = this.#pump();
  }

  async #pump(): Promise<void> {
    const { store, slots, clock } = this.#parts;
    let more = false;
    try {
      do {
        this.#again = false;
        const free = slots.freeFor('common');
        if (free <= 0 && slots.freeFor('reserved') <= 0) {
          slots.backlog = true;
          break;
        }
        if (free < this.#options.max / 8 && free > 0) await pause(GATHER_MS);
        const now = clock();
        if (!more) {
          const nextDue = await store.handlings.nextDue();
          if (nextDue === undefined || nextDue > now) {
            slots.backlog = false;
            continue;
          }
        }
        const common = await this.#claim('common', now);
        more = common === 'all';
        // Whichever mailbox holds all common slots, one that holds few has its turn.
        const reserved = slots.freeFor('common') > 0 ? 'none' : await this.#claim('reserved', now);
        slots.backlog = slots.freeFor('common') <= 0;
        if (common !== 'none' || reserved !== 'none') this.#again = true;
      } while (this.#again && !this.#stopped);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#pumping = false;
      this.#sleep();
    }
  }

  /** Claims and starts messages in the free slots of a class; `all` when each slot was used. */
  async #claim(slotClass: SlotClass, now: Millis): Promise<'none' | 'some' | 'all'> {
    const { store, slots, leases } = this.#parts;
    const max = Math.min(CLAIM_BATCH, slots.freeFor(slotClass));
    if (max <= 0 || this.#stopped) return 'none';
    const except = slotClass === 'reserved' ? slots.busyMailboxes : [];
    // Taken before the claim, so that no message that arrives meanwhile gets one of them.
    const taken = Array.from({ length: max }, () => slots.take(slotClass));
    try {
      const claims = await store.handlings.claim(max, now, this.#options.lease_ms, except);
      if (this.#stopped) await leases.release(claims);
      else for (const claim of claims) this.#start(claim, taken.pop() as Slot);
      if (claims.length === 0) return 'none';
      return claims.length === max ? 'all' : 'some';
    } finally {
      for (const slot of taken) slot.releaseUnused();
    }
  }

  #sleep(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => this.#check(), this.#options.poll_ms);
    this.#timer.unref();
  }

  #start(claim: Claim, slot: Slot): void {
    const abort = this.#parts.leases.limit();
    slot.useIn(claim.subject);
    this.#parts.leases.track({ claim, abort, slot }, () => this.#handle(claim, abort, slot));
  }

  async #handle(claim: Claim, abort: AbortController, slot: Slot): Promise<void> {
    const { store, directory, handler, running } = this.#parts;
    const message = claim.message ?? (await store.messages.byId(claim.id));
    if (message === undefined) return;
    slot.use(message);
    const mailbox = await directory.mailboxById(message.mailbox_id);
    if (mailbox === undefined) return;
    await handler.handle(claim, message, mailbox, new LeasedRun(message, slot, running, { claim, abort }));
  }
}
