import type { IncomingMessage } from 'node:http';

/** Bytes of a request's body that are received without being counted; more of it has to have its memory reserved. */
export const UNCOUNTED = 16 * 1024;

export interface ReceivingLimits {
  /** Bytes of larger bodies that are being received, of all connections; a network has a quarter of them. */
  readonly max_receiving: number;
  /** Bytes of one body: what is longer is refused and dropped. */
  readonly max_body: number;
}

/** Whose bodies are counted together. */
export interface Sender {
  /** Bytes that are reserved for its bodies, */
  receiving: number;
  /** and the most of them, as a part of all. */
  readonly share: number;
}

interface Waiter {
  readonly sender: Sender;
  readonly bytes: number;
  readonly goOn: () => void;
}

/**
 * Memory for the bodies of requests while they arrive. It is reserved for a body as a whole: with a part of it each, many
 * would keep each other from ever being complete.
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
   * Reserves memory for a body and returns what gives it back, which may be called again. Undefined when there is none; `goOn`
   * is then called once.
   */
  reserve(request: IncomingMessage, sender: Sender, goOn: () => void): (() => void) | undefined {
    const { max_body } = this.#limits;
    const bytes = Math.min(Number(request.headers['content-length'] ?? max_body), max_body);
    if (!this.#fits(sender, bytes)) {
      this.#waiters.push({ sender, bytes, goOn });
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

  /** One that waited is gone. */
  forget(goOn: () => void): void {
    this.#waiters = this.#waiters.filter((waiter) => waiter.goOn !== goOn);
  }

  /** What alone is larger than the limit is let through one at a time. */
  #fits(sender: Sender, bytes: number): boolean {
    const { max_receiving } = this.#limits;
    const room = (reserved: number, max: number): boolean => reserved === 0 || reserved + bytes <= max;
    return room(this.#reserved, max_receiving) && room(sender.receiving, max_receiving * sender.share);
  }

  /** The first that fits: it asks again. */
  #letWaitersGo(): void {
    const at = this.#waiters.findIndex(({ sender, bytes }) => this.#fits(sender, bytes));
    const [waiter] = at < 0 ? [] : this.#waiters.splice(at, 1);
    waiter?.goOn();
    // It may have been closed meanwhile and taken nothing.
    if (waiter !== undefined && this.#waiters.length > 0) setImmediate(() => this.#letWaitersGo());
  }
}
