import { channel } from 'node:diagnostics_channel';
import { uptime } from 'node:os';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';

/** Published when the reference of a clock was set: by how many milliseconds, and whether the clock follows it. */
const sets = channel('mailroom:clock:set');

/** A larger difference between two readings is no drift: the reference was set. */
const SET_MS = SECOND;
/** How long a reference that was set has to stay so before it is believed. */
const DOUBT_MS = 5 * SECOND;

/** What a clock is set by; both count milliseconds from an arbitrary moment and cannot be set. */
export interface Counting {
  /** Counts while the machine runs. */
  readonly running: () => Millis;
  /** Counts while the machine sleeps, too. */
  readonly asleep: () => Millis;
}

const MACHINE: Counting = { running: () => performance.now(), asleep: () => uptime() * SECOND };

/**
 * The time of a reference that may be set: a jump that is taken back within five seconds changes nothing, one that stays
 * is followed after them, and at once when the machine slept meanwhile. Small differences are followed at once.
 */
export class SteadyClock {
  readonly #counting: Counting;
  #offset: Millis;
  #sleep: Millis;
  #doubt: { readonly by: Millis; readonly since: Millis } | undefined;

  /** `reference`: its time now. */
  constructor(reference: Millis, counting: Counting = MACHINE) {
    this.#counting = counting;
    const running = counting.running();
    this.#offset = reference - running;
    this.#sleep = counting.asleep() - running;
  }

  /** The time in whole milliseconds. */
  now(): Millis {
    return Math.floor(this.#counting.running() + this.#offset);
  }

  /** Compares it with the reference, whose time now is given. */
  observe(reference: Millis): void {
    const running = this.#counting.running();
    const by = reference - running - this.#offset;
    if (Math.abs(by) <= SET_MS) {
      this.#offset += by;
      this.#doubt = undefined;
      return;
    }
    if (this.#doubt === undefined || Math.abs(by - this.#doubt.by) > SET_MS) {
      const slept = this.#counting.asleep() - running - this.#sleep;
      // The machine's uptime is in whole seconds.
      if (Math.abs(by - slept) <= 2 * SECOND) {
        this.#follow(by, running);
        return;
      }
      this.#doubt = { by, since: running };
      sets.publish({ by_ms: Math.round(by), followed: false });
    } else if (running - this.#doubt.since >= DOUBT_MS) {
      this.#follow(by, running);
      sets.publish({ by_ms: Math.round(by), followed: true });
    }
  }

  #follow(by: Millis, running: Millis): void {
    this.#offset += by;
    this.#sleep = this.#counting.asleep() - running;
    this.#doubt = undefined;
  }
}

const machine = new SteadyClock(Date.now());

/** The machine's time, steady as `SteadyClock` says. */
export const systemClock: Clock = () => {
  machine.observe(Date.now());
  return machine.now();
};
