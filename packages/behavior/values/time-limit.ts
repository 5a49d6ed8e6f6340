import { type Millis, SECOND } from './clock.ts';

/** The name of the error of AbortSignal.timeout. */
const TIMEOUT = 'TimeoutError';

/** The reason with which a run's signal aborts at its time limit; its message is shown to people. */
export const outOfTime = (ms: Millis): Error =>
  new DOMException(`The message took longer than the limit of ${ms / SECOND} s.`, TIMEOUT);

/** Why the run took too long, in a sentence; undefined when its signal did not abort, or for another reason. */
export function lateText({ reason }: AbortSignal): string | undefined {
  return reason instanceof Error && reason.name === TIMEOUT ? reason.message : undefined;
}

/** Aborts with `signal`, or after `ms` with a TimeoutError; disposed of in time, it costs no timer later. */
export class TimeLimit implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #from: AbortSignal;
  readonly #follow = (): void => this.#controller.abort(this.#from.reason);

  constructor(ms: Millis, signal: AbortSignal) {
    this.#from = signal;
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('It took too long.', TIMEOUT)), ms);
    this.#timer.unref();
    if (signal.aborted) this.#follow();
    else signal.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#from.removeEventListener('abort', this.#follow);
  }
}
