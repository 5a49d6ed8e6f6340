import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { SteadyClock } from '../../core/values/steady-clock.ts';
import type { Link } from './connection.ts';

const TIME = 'select extract(epoch from clock_timestamp())::float8 * 1000 as now';
/** How often the server is asked. */
const ASK_MS = 10 * SECOND;
/** An answer that took longer says little about the time. */
const MAX_TRIP_MS = SECOND;

/**
 * The time of the database's server, so that leases, limits and times of all nodes agree whatever their own clocks say. A
 * server that does not answer is asked again; meanwhile the time continues.
 */
export class DatabaseClock implements Disposable {
  readonly #link: Link;
  readonly #clock: SteadyClock;
  readonly #timer: NodeJS.Timeout;

  private constructor(link: Link, now: Millis) {
    this.#link = link;
    this.#clock = new SteadyClock(now);
    this.#timer = setInterval(() => void this.#ask(), ASK_MS).unref();
  }

  /** Rejects when the server cannot be asked. */
  static async start(link: Link): Promise<DatabaseClock> {
    // The first answer includes the time to connect.
    await link.connected();
    return new DatabaseClock(link, (await timeOf(link)).now);
  }

  readonly now: Clock = () => this.#clock.now();

  async #ask(): Promise<void> {
    const answer = await timeOf(this.#link).catch(() => undefined);
    if (answer === undefined || answer.trip_ms > MAX_TRIP_MS) return;
    // What the trip may account for is not followed, so that the time does not go back and forth with it.
    const by = answer.now - this.#clock.now();
    if (Math.abs(by) > answer.trip_ms / 2 + 1) this.#clock.observe(answer.now);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** The server's time in the middle of the trip, moved to its end. */
async function timeOf(link: Link): Promise<{ readonly now: Millis; readonly trip_ms: Millis }> {
  const sent = performance.now();
  const [row] = await link.query({ name: 'time', text: TIME, values: [] });
  const trip_ms = performance.now() - sent;
  return { now: (row?.now as number) + trip_ms / 2, trip_ms };
}
