import type { Caller } from '../../core/access/caller.ts';
import { AppError } from '../../core/values/error.ts';
import type { Limiter } from '../../core/values/limits.ts';
import { admitGuest, SOLUTION_HEADER } from '../../http/challenges.ts';
import { count } from '../../http/limits.ts';
import type { Parts } from '../../http/parts.ts';

/** Whether a stranger may do one more of something. */
export interface GuestAccess {
  readonly refused: AppError | undefined;
  /** It was counted, so it is to be given back when nothing comes of it. */
  readonly counted: boolean;
}

/** Counts against `limiters`; over the limit a solved challenge, in the form as `altcha`, lets one pass. */
export async function guestAccess(
  limiters: readonly Limiter[],
  { network }: Caller,
  form: URLSearchParams,
  { rateLimits, challenges }: Pick<Parts, 'rateLimits' | 'challenges'>,
): Promise<GuestAccess> {
  if (!rateLimits) return { refused: undefined, counted: false };
  const solution = form.get(SOLUTION_HEADER) ?? undefined;
  try {
    const { headers, refused } = await admitGuest(limiters, network, solution, challenges);
    return { refused, counted: refused === undefined && headers.ratelimit !== undefined };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // So many were solved today that no other helps.
    if (error.code === 'rate_limited') return { refused: error, counted: false };
    if (error.code !== 'validation_error') throw error;
    // A solution that is no good is none: one waits, or solves another.
    const { refused } = await count(limiters, network);
    return { refused, counted: refused === undefined };
  }
}

/** How long to wait, in whole seconds. */
export const secondsOf = ({ retry_after_ms = 60_000 }: AppError): number =>
  Math.max(1, Math.ceil(retry_after_ms / 1000));

/** A wait as it is said: “38 s”, “12 min”. */
export const waitWords = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
