import type { Caller } from '../core/access/caller.ts';
import { writingKey } from '../core/access/caller.ts';
import type { Directory } from '../core/access/directory.ts';
import type { Wait } from '../core/runs/submission.ts';
import { whileWorks } from './connections/streams.ts';
import type { Call } from './route.ts';

/** What ends the waits of requests. */
export interface WaitParts {
  readonly directory: Pick<Directory, 'works'>;
  /** `over` aborts when no request may wait any more. */
  readonly stop: { readonly over: AbortSignal };
}

/**
 * The wait of a request's caller, which ends with the request, and within a second with the caller's key. Creates the signal
 * only when the caller waits, because most messages end at once.
 */
export class LazyWait implements Wait {
  readonly ms: number;
  readonly #call: Pick<Call, 'gone'> & { readonly caller: Caller };
  readonly #parts: WaitParts;
  #signal: AbortSignal | undefined;

  constructor(ms: number, call: Pick<Call, 'gone'> & { readonly caller: Caller }, parts: WaitParts) {
    this.ms = ms;
    this.#call = call;
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#left(), this.#parts.stop.over]);
    return this.#signal;
  }

  #left(): AbortSignal {
    const gone = this.#call.gone();
    const key = writingKey(this.#call.caller);
    if (key === undefined) return gone;
    // Nothing waits after `ms`, whether or not the request has ended.
    return whileWorks(
      () => this.#parts.directory.works(key, false),
      AbortSignal.any([gone, AbortSignal.timeout(this.ms)]),
    );
  }
}
