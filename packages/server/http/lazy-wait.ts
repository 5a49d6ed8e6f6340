import type { Millis } from '@mailroom/behavior/values/clock';
import { type Caller, writingKey } from '../core/access/caller.ts';
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
    this.#signal ??= this.#begin();
    return this.#signal;
  }

  #begin(): AbortSignal {
    const { directory, stop } = this.#parts;
    const key = writingKey(this.#call.caller);
    const ends = [this.#call.gone(), stop.over];
    // Nothing waits after `ms`, whether or not the request has ended.
    return key === undefined ? first(ends) : whileWorks(() => directory.works(key, false), first(ends, this.ms));
  }
}

/** Aborts with the first of these signals, or after `ms`: as AbortSignal.any, at a fraction of its cost. */
function first(signals: readonly AbortSignal[], ms?: Millis): AbortSignal {
  const controller = new AbortController();
  const timer = ms === undefined ? undefined : setTimeout(() => end(), ms).unref();
  const end = (): void => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener('abort', end);
    controller.abort(signals.find(({ aborted }) => aborted)?.reason ?? 'the time is over');
  };
  if (signals.some(({ aborted }) => aborted)) end();
  else for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  return controller.signal;
}
