import type { Wait } from '../core/runs/submission.ts';
import type { Call } from './route.ts';

/** The wait of a request's caller. Creates the signal only when the caller waits, because most messages end at once. */
export class LazyWait implements Wait {
  readonly ms: number;
  readonly #call: Pick<Call, 'gone'>;
  readonly #over: AbortSignal;
  #signal: AbortSignal | undefined;

  /** `over` aborts when no request may wait any more. */
  constructor(ms: number, call: Pick<Call, 'gone'>, over: AbortSignal) {
    this.ms = ms;
    this.#call = call;
    this.#over = over;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([this.#call.gone(), this.#over]);
    return this.#signal;
  }
}
