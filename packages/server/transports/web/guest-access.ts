import { AppError } from '@mailroom/behavior/values/error';
import type { Caller } from '../../core/access/caller.ts';
import type { Limiter } from '../../core/values/limits.ts';
import { admitGuest, type Challenges, SOLUTION_HEADER } from '../../http/challenges.ts';
import { count } from '../../http/limits.ts';

/** The limits on guests. */
export interface GuestLimits {
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly challenges: Challenges;
}

/** Whether a guest may make one more request. */
export interface GuestAccess {
  readonly refused: AppError | undefined;
  /** It was counted, so the count is returned if the request has no effect. */
  readonly counted: boolean;
}

/** Counts against `limiters`; over the limit a solved challenge, in the form field `altcha`, admits one request. */
export async function guestAccess(
  limiters: readonly Limiter[],
  { network }: Caller,
  form: URLSearchParams,
  { rateLimits, challenges }: GuestLimits,
): Promise<GuestAccess> {
  if (!rateLimits) return { refused: undefined, counted: false };
  const solution = form.get(SOLUTION_HEADER) ?? undefined;
  try {
    const { headers, refused } = await admitGuest(limiters, network, solution, challenges);
    return { refused, counted: refused === undefined && headers.ratelimit !== undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The daily limit on solved challenges is reached as well.
    if (error.code === 'rate_limited') return { refused: error, counted: false };
    if (error.code !== 'validation_error') throw error;
    // An invalid solution counts as none: the guest waits, or solves another challenge.
    const { refused } = await count(limiters, network);
    return { refused, counted: refused === undefined };
  }
}

/** How long to wait, in whole seconds. */
export const secondsOf = ({ retry_after_ms = 60_000 }: AppError): number =>
  Math.max(1, Math.ceil(retry_after_ms / 1000));

/** Formats a wait: “38 s”, “12 min”. */
export const waitWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
