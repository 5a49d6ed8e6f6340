import { type Clock, MINUTE } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import type { FastifyRequest } from 'fastify';
import { LocalLimiter } from '../../core/values/limits.ts';
import { networkOf } from '../authenticate.ts';

type RejectedRequest = Pick<FastifyRequest, 'caller' | 'ip'>;

/**
 * Counts refused requests on this node, by key or else by network. The first of a minute are free; later ones count
 * like successful requests, and a caller without a key is refused before its body is read.
 */
export class Rejections {
  readonly #limiter: LocalLimiter;

  constructor(per_minute: number, clock: Clock) {
    this.#limiter = new LocalLimiter(
      {
        name: 'rejected',
        what: 'refused requests',
        kind: 'bucket',
        quota: per_minute,
        burst: per_minute,
        window_ms: MINUTE,
      },
      clock,
    );
  }

  /** Counts a refusal and returns the answer: the same error, or `rate_limited` for a caller without a key. */
  refused(error: AppError, request: RejectedRequest): AppError {
    const { status } = problems[error.code];
    if (status < 400 || status >= 500 || status === 429) return error;
    const { allowed } = this.#limiter.take(nameOf(request));
    return allowed || request.caller?.kind === 'key' ? error : this.#tooMany(request);
  }

  /** Whether a failure now is not counted against the limits of successful requests. */
  isFree(request: RejectedRequest): boolean {
    return this.#limiter.peek(nameOf(request)).allowed;
  }

  /** AppError `rate_limited` when too many requests of this network were refused. */
  check(request: RejectedRequest): void {
    if (!this.isFree(request)) throw this.#tooMany(request);
  }

  #tooMany(request: RejectedRequest): AppError {
    const { policy, reset_ms } = this.#limiter.peek(nameOf(request));
    return new AppError(
      'rate_limited',
      `More than ${policy.quota} requests a minute from your network were refused. Correct them, and try again in ${Math.ceil(reset_ms / 1000)} s.`,
      { retry_after_ms: reset_ms },
    );
  }
}

const nameOf = ({ caller, ip }: RejectedRequest): string =>
  caller?.kind === 'key'
    ? caller.key.id
    : // A caller that has disconnected has no address any more.
      (caller?.network ?? networkOf((ip as string | undefined) ?? 'gone'));
