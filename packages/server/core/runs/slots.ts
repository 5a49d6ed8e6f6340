import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import { callerOf } from './caller-of.ts';
import { Shares } from './shares.ts';

/** A caller's messages take up to this part of the slots as they arrive. */
const SHARE = 1 / 2;
/** This part of the slots is for mailboxes that hold none or few, so that no mailbox takes all. */
const RESERVED = 1 / 8;
/** With fewer slots none is reserved, as one of them is too large a part. */
const LEAST_WITH_RESERVE = 4;
/** Runs that wait for another message give up their slots, up to this many times the number of slots. */
const MAX_YIELDED_PER_SLOT = 8;
/** A run that waits for another message keeps a slot that nothing uses for this long, as the answer may come at once. */
const KEEP_MS: Millis = 50;

/**
 * `common` slots are for every message, `reserved` ones for messages to mailboxes that hold few. One beside those is for
 * messages that were being handled when a process died: one at a time, so that the one that ends the process is found.
 */
export type SlotClass = 'common' | 'reserved' | 'suspect';

/** The right of one run to use the processor; released when the run ends or waits. */
export class Slot {
  readonly #slots: Slots;
  #class: SlotClass | undefined;
  #message: Message | undefined;
  #mailboxId: string | undefined;
  /** Set for a slot that another run yielded: returns it to that run. */
  readonly #returnTo: ((slotClass: SlotClass) => void) | undefined;
  #over = false;

  /** @internal Use `Slots`. */
  constructor(slots: Slots, slotClass: SlotClass | undefined, returnTo?: (slotClass: SlotClass) => void) {
    this.#slots = slots;
    this.#class = slotClass;
    this.#returnTo = returnTo;
  }

  /** Counts the slot for the message that it is used for. */
  use(message: Message): void {
    if (this.#class === undefined || this.#message !== undefined) return;
    this.useIn(message.mailbox_id);
    this.#message = message;
    this.#slots.countCaller(message, this.#class, 1);
  }

  /** Counts the slot for a mailbox whose message is not read so far. */
  useIn(mailboxId: string): void {
    if (this.#class === undefined || this.#mailboxId !== undefined) return;
    this.#mailboxId = mailboxId;
    this.#slots.countMailbox(mailboxId, 1);
  }

  /** Ends the use of the slot; more calls have no effect. */
  release(): void {
    this.#over = true;
    const slotClass = this.#leave();
    if (slotClass === undefined) return;
    if (this.#returnTo === undefined) this.#slots.free(slotClass);
    else this.#returnTo(slotClass);
  }

  /** Ends a slot for which the store had no message: its search is over, so this begins no further one. */
  releaseUnused(): void {
    this.#over = true;
    const slotClass = this.#leave();
    if (slotClass !== undefined) this.#slots.freeUnused(slotClass);
  }

  /** Writes after releasing the slot, so that the next message may begin during the write. */
  async releaseAndWrite(write: () => Promise<unknown>): Promise<void> {
    if (!this.#slots.beginWrite()) {
      await write();
      return;
    }
    this.release();
    try {
      await write();
    } finally {
      this.#slots.endWrite();
    }
  }

  /**
   * Yields the slot while its run waits for another message, which runs in it if it can begin at once. Afterwards the run
   * continues when it has a slot again, or when `signal` aborts. `wait` releases the slot that it is handed.
   */
  async yieldTo<T>(wait: (yielded: Slot | undefined) => Promise<T>, signal: AbortSignal): Promise<T> {
    const message = this.#message;
    const slotClass = this.#leave();
    if (slotClass === undefined) return wait(undefined);
    let waiting = true;
    let yielded = false;
    let timer: NodeJS.Timeout | undefined;
    const takeBack = (of: SlotClass): void => {
      this.#class = of;
      if (message !== undefined) this.use(message);
    };
    const yieldSlot = (): void => {
      if (this.#class === undefined || !this.#slots.beginYield()) return;
      yielded = true;
      this.#slots.free(this.#leave() as SlotClass);
    };
    const returned = (slotClass: SlotClass): void => {
      if (!waiting || this.#over) {
        this.#slots.free(slotClass);
        return;
      }
      takeBack(slotClass);
      timer = setTimeout(yieldSlot, KEEP_MS);
      timer.unref();
    };
    try {
      return await wait(new Slot(this.#slots, slotClass, returned));
    } finally {
      waiting = false;
      clearTimeout(timer);
      if (yielded) this.#slots.endYield();
      if (this.#class === undefined && !this.#over) {
        const again = await this.#slots.again(message, signal);
        if (again !== undefined && this.#over) this.#slots.free(again);
        else if (again !== undefined) takeBack(again);
      }
    }
  }

  /** Ends the count of the slot, and returns what it was; undefined when it was none. */
  #leave(): SlotClass | undefined {
    const slotClass = this.#class;
    this.#class = undefined;
    if (slotClass === undefined) return undefined;
    if (this.#message !== undefined) this.#slots.countCaller(this.#message, slotClass, -1);
    if (this.#mailboxId !== undefined) this.#slots.countMailbox(this.#mailboxId, -1);
    this.#message = undefined;
    this.#mailboxId = undefined;
    return slotClass;
  }
}

/** A message that arrives waits for a slot this long before it is written to wait in the store. */
const SOON_MS: Millis = 50;

/** A message that waits for a slot before it is written. */
interface Arriving {
  readonly message: Message;
  readonly resolve: (slot: Slot | undefined) => void;
}

/** A run that had a slot and needs one to continue. */
interface Resuming {
  readonly message: Message | undefined;
  readonly resume: (slotClass: SlotClass) => void;
}

/**
 * The limit on how many messages are handled at a time. Every run takes a slot. Some slots are for mailboxes that hold
 * few, so that no mailbox takes all; a caller's messages take a share of them as they arrive, and while others wait in
 * the store, messages that arrive leave the common slots to those.
 */
export class Slots {
  readonly max: number;
  readonly #sizes: Readonly<Record<SlotClass, number>>;
  readonly #used: Record<SlotClass, number> = { common: 0, reserved: 0, suspect: 0 };
  readonly #callers = new Shares();
  /** The reserved slots by caller. */
  readonly #reservedBy = new Shares();
  readonly #mailboxes = new Shares();
  readonly #resuming: Resuming[] = [];
  readonly #arriving = new Set<Arriving>();
  readonly #onFree: () => void;
  #yielded = 0;
  #writing = 0;
  #stopped = false;
  /** Whether the store held more due messages than there were slots at the last claim. */
  backlog = false;

  /** `onFree` is called when a slot is freed while messages wait in the store. */
  constructor(max: number, onFree: () => void) {
    const reserved = max < LEAST_WITH_RESERVE ? 0 : Math.max(1, Math.floor(max * RESERVED));
    this.max = max;
    this.#sizes = { common: max - reserved, reserved, suspect: 1 };
    this.#onFree = onFree;
  }

  /** Whether any slot is free. */
  get anyFree(): boolean {
    return !this.#stopped && this.inUse < this.max;
  }

  /** How many slots are in use, but that of suspects. */
  get inUse(): number {
    return this.#used.common + this.#used.reserved;
  }

  /** How many slots are free for messages that waited in the store. */
  freeFor(slotClass: SlotClass): number {
    if (this.#stopped || (slotClass !== 'suspect' && this.#resuming.length > 0)) return 0;
    return this.#sizes[slotClass] - this.#used[slotClass];
  }

  /** The mailboxes whose messages may use no reserved slot. */
  get busyMailboxes(): readonly string[] {
    return this.#mailboxes.withAtLeast(this.#sizes.reserved);
  }

  /** A slot for a message that arrives; undefined: it has to wait in the store. */
  acquire(message: Message): Slot | undefined {
    if (this.#stopped || (message.hops === 0 && this.#yielded >= MAX_YIELDED_PER_SLOT * this.max)) return undefined;
    const slotClass = this.#classOfArriving(message);
    if (slotClass === undefined) return undefined;
    const slot = this.take(slotClass);
    slot.use(message);
    return slot;
  }

  /** The same once a slot is free, where that is soon and not too many wait. */
  async acquireSoon(message: Message): Promise<Slot | undefined> {
    if (this.#stopped || this.backlog || this.#arriving.size >= this.max) return undefined;
    const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
    const arriving = { message, resolve };
    this.#arriving.add(arriving);
    const timer = setTimeout(() => resolve(undefined), SOON_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#arriving.delete(arriving);
    }
  }

  /** Takes a free slot for a message that is claimed from the store; see `freeFor`. */
  take(slotClass: SlotClass): Slot {
    this.#used[slotClass]++;
    return new Slot(this, slotClass);
  }

  /** For a message that is answered at once although no slot is free; undefined when none begins any more. */
  beyond(): Slot | undefined {
    return this.#stopped ? undefined : new Slot(this, undefined);
  }

  /** Lets no message begin any more. */
  stop(): void {
    this.#stopped = true;
    for (const { resolve } of this.#arriving) resolve(undefined);
  }

  /** @internal */
  countCaller(message: Message, slotClass: SlotClass, by: 1 | -1): void {
    const caller = callerOf(message);
    this.#callers.add(caller, by);
    if (slotClass === 'reserved') this.#reservedBy.add(caller, by);
  }

  /** @internal */
  countMailbox(mailboxId: string, by: 1 | -1): void {
    this.#mailboxes.add(mailboxId, by);
  }

  /** @internal A slot is free: a run that waits to continue takes it, or the next message does. */
  free(slotClass: SlotClass): void {
    this.freeUnused(slotClass);
    if (this.backlog) this.#onFree();
  }

  /** @internal A slot is free again for which the store had no message: a run that waits to continue takes it. */
  freeUnused(slotClass: SlotClass): void {
    this.#used[slotClass]--;
    for (const [index, waiting] of this.#resuming.entries()) {
      const next = this.#classOf(waiting.message);
      if (next === undefined) continue;
      this.#resuming.splice(index, 1);
      this.#used[next]++;
      waiting.resume(next);
      return;
    }
    for (const arriving of this.#arriving) {
      const slot = this.acquire(arriving.message);
      if (slot === undefined) continue;
      this.#arriving.delete(arriving);
      arriving.resolve(slot);
      return;
    }
  }

  /** @internal Waits for a slot for a run that continues, before messages that have not begun; undefined on `signal`. */
  again(message: Message | undefined, signal: AbortSignal): Promise<SlotClass | undefined> {
    const slotClass = this.#classOf(message);
    if (slotClass !== undefined) {
      this.#used[slotClass]++;
      return Promise.resolve(slotClass);
    }
    return new Promise((resolve) => {
      const resuming = {
        message,
        resume: (next: SlotClass): void => {
          signal.removeEventListener('abort', giveUp);
          resolve(next);
        },
      };
      const giveUp = (): void => {
        const at = this.#resuming.indexOf(resuming);
        if (at >= 0) this.#resuming.splice(at, 1);
        resolve(undefined);
      };
      if (signal.aborted) return resolve(undefined);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#resuming.push(resuming);
    });
  }

  /** @internal Whether one more run may wait without a slot. */
  beginYield(): boolean {
    if (this.#yielded >= MAX_YIELDED_PER_SLOT * this.max) return false;
    this.#yielded++;
    return true;
  }

  /** @internal */
  endYield(): void {
    this.#yielded--;
  }

  /** @internal Whether one more outcome may be written without a slot. */
  beginWrite(): boolean {
    if (this.#writing >= this.max) return false;
    this.#writing++;
    return true;
  }

  /** @internal */
  endWrite(): void {
    this.#writing--;
  }

  #classOfArriving(message: Message): SlotClass | undefined {
    const caller = callerOf(message);
    if (!this.backlog && this.#resuming.length === 0 && this.#used.common < this.#sizes.common) {
      if (this.#callers.of(caller) < Math.ceil(this.max * SHARE)) return 'common';
    }
    const share = Math.ceil(this.#sizes.reserved * SHARE);
    return this.#reservedBy.of(caller) < share ? this.#reserved(message) : undefined;
  }

  #classOf(message: Message | undefined): SlotClass | undefined {
    if (this.#used.common < this.#sizes.common) return 'common';
    return message && this.#reserved(message);
  }

  #reserved(message: Message): SlotClass | undefined {
    const { reserved } = this.#sizes;
    if (this.#used.reserved >= reserved || this.#mailboxes.of(message.mailbox_id) >= reserved) return undefined;
    return 'reserved';
  }
}

/** Releases the slot after an error, and passes the error on. */
export const releasing =
  (slot: Slot | undefined) =>
  (error: unknown): never => {
    slot?.release();
    throw error;
  };
