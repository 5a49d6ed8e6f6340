import type { IncomingMessage } from 'node:http';

/** Bytes of a body that may be received without reserving memory. */
export const UNCOUNTED = 16 * 1024;

export interface ReceivingLimits {
  /** Bytes of larger bodies being received on all connections; a network may have a quarter of them. */
  readonly max_receiving: number;
  /** Bytes of one body; a longer one is refused and dropped. */
  readonly max_body: number;
}

/** The bodies that are counted together, such as those of one network. */
export interface Sender {
  /** Bytes reserved for its bodies. */
  receiving: number;
  /** The largest part of all reserved bytes it may take. */
  readonly share: number;
}

interface Waiter {
  readonly sender: Sender;
  readonly bytes: number;
  readonly resume: () => void;
}

/**
 * Memory for the bodies of requests while they arrive. It is reserved for a whole body, because with partial
 * reservations many bodies could block each other forever.
 */
export class Receiving {
  readonly #limits: ReceivingLimits;
  #reserved = 0;
  #waiters: Waiter[] = [];

  constructor(limits: ReceivingLimits) {
    this.#limits = limits;
  }

  /** Bytes that are reserved. */
  get reserved(): number {
    return this.#reserved;
  }

  /**
   * Reserves memory for a body and returns a function that releases it, which may be called repeatedly. Undefined when
   * there is none; `resume` is called once then.
   */
  reserve(request: IncomingMessage, sender: Sender, resume: () => void): (() => void) | undefined {
    const { max_body } = this.#limits;
    const bytes = Math.min(Number(request.headers['content-length'] ?? max_body), max_body);
    if (!this.#fits(sender, bytes)) {
      this.#waiters.push({ sender, bytes, resume });
      return undefined;
    }
    this.#reserved += bytes;
    sender.receiving += bytes;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#reserved -= bytes;
      sender.receiving -= bytes;
      this.#letWaitersGo();
    };
  }

  /** Removes a waiter whose connection closed. */
  forget(resume: () => void): void {
    this.#waiters = this.#waiters.filter((waiter) => waiter.resume !== resume);
  }

  /** A body that is larger than the limit is let through alone. */
  #fits(sender: Sender, bytes: number): boolean {
    const { max_receiving } = this.#limits;
    const room = (reserved: number, max: number): boolean => reserved === 0 || reserved + bytes <= max;
    return room(this.#reserved, max_receiving) && room(sender.receiving, max_receiving * sender.share);
  }

  /** Calls the first waiter that fits, which then reserves again. */
  #letWaitersGo(): void {
    const at = this.#waiters.findIndex(({ sender, bytes }) => this.#fits(sender, bytes));
    const [waiter] = at < 0 ? [] : this.#waiters.splice(at, 1);
    waiter?.resume();
    // The waiter may have been closed meanwhile and reserved nothing.
    if (waiter !== undefined && this.#waiters.length > 0) setImmediate(() => this.#letWaitersGo());
  }
}
