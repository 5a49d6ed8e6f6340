import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { type Caller, writingKey } from '../../core/access/caller.ts';
import type { Key } from '../../core/entities/key.ts';
import type { StopSignals } from './drain.ts';

/** What a route with an event stream needs. */
export interface StreamParts {
  /** Counts the event streams that callers have open. */
  readonly streams: Streams;
  /** The longest silence of a stream. */
  readonly heartbeat_ms: Millis;
  readonly stop: Pick<StopSignals, 'begun'>;
}

export interface StreamLimits {
  /** Streams a key may have open on a node. */
  readonly of_key: number;
  /** Streams a guest may have open, counted by network and by thread token. */
  readonly of_guest: number;
}

/** How often the key of an open stream is checked. */
const KEY_MS: Millis = 0.7 * SECOND;

/** Aborts with `gone`, or within a second after the key does not work any more. */
export function whileWorks(works: () => Promise<boolean>, gone: AbortSignal): AbortSignal {
  const over = new AbortController();
  const end = (): void => {
    clearInterval(timer);
    over.abort(gone.reason ?? 'the key does not work any more');
  };
  const check = async (): Promise<void> => {
    if (!(await works())) end();
  };
  const timer = setInterval(() => void check().catch(() => {}), KEY_MS).unref();
  if (gone.aborted) end();
  else gone.addEventListener('abort', end, { once: true });
  return over.signal;
}

/** Counts open streams of events, or open reads that wait for an event. */
export class Streams {
  readonly #limits: StreamLimits;
  readonly #what: string;
  readonly #open = new Map<string, number>();
  readonly #works: (key: Key) => Promise<boolean>;

  /** `what` names the counted thing in the problem's detail. */
  constructor(what: string, limits: StreamLimits, works: (key: Key) => Promise<boolean> = async () => true) {
    this.#what = what;
    this.#limits = limits;
    this.#works = works;
  }

  /**
   * Counts one more until `gone` aborts. The returned signal aborts with it, or within a second after the key of the caller
   * was revoked or lowered. AppError `rate_limited` when the caller has reached its limit.
   */
  open(caller: Caller, gone: AbortSignal): AbortSignal {
    const names = namesOf(caller);
    const key = writingKey(caller);
    const max = key === undefined ? this.#limits.of_guest : this.#limits.of_key;
    if (names.some((name) => (this.#open.get(name) ?? 0) >= max)) {
      const whose = key === undefined ? 'Your network or this thread' : 'This key';
      throw new AppError(
        'rate_limited',
        `${whose} has ${max} ${this.#what} open, as many as are allowed. Close one, then try again.`,
        { retry_after_ms: 10 * SECOND },
      );
    }
    if (gone.aborted) return gone;
    for (const name of names) this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    gone.addEventListener('abort', () => this.#left(names), { once: true });
    return key === undefined ? gone : whileWorks(() => this.#works(key), gone);
  }

  #left(names: readonly string[]): void {
    for (const name of names) {
      const others = (this.#open.get(name) ?? 1) - 1;
      if (others > 0) this.#open.set(name, others);
      else this.#open.delete(name);
    }
  }
}

/** A guest counts for its network whichever threads it shows; a thread token counts wherever it is shown. */
function namesOf(caller: Caller): readonly string[] {
  const key = writingKey(caller);
  if (key !== undefined) return [key.id];
  const network = `network ${caller.network}`;
  if (caller.kind === 'thread') return [network, `thread ${caller.thread_id}`];
  return caller.kind === 'account' ? [network, `account ${caller.address}`] : [network];
}
