import { DAY, HOUR, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { DeliveryName } from '../entities/delivery.ts';
import { backoff } from '../runs/run.ts';

/** The retries of a kind of deliveries. */
export interface Retries {
  /** The oldest age at which an attempt begins. */
  readonly max_age_ms: Millis;
  /** The pause after an attempt that failed, the first being 1; undefined: no further attempt follows. */
  pause(attempt: number, random?: () => number): Millis | undefined;
}

/** The first pause of mail; each further one is four times as long, up to a quarter more. */
const MAIL_RETRY_MS = SECOND;
/** The longest pause of mail, short because a code is useful for ten minutes only. */
const MAX_MAIL_RETRY_MS = MINUTE;

/** The first pause of an answer to e-mail, for servers that take an unknown sender's mail at the second attempt (RFC 6647). */
const EMAIL_RETRY_MS = MINUTE;
const MAX_EMAIL_RETRY_MS = 4 * HOUR;

const EVENT_PAUSES: readonly Millis[] = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
/** A pause is up to this part longer, so that what failed together is not retried together. */
const JITTER = 1 / 10;

const OF_EVENTS: Retries = {
  max_age_ms: 2 * DAY,
  pause: (attempt, random = Math.random) => {
    const pause = EVENT_PAUSES[attempt - 1];
    return pause === undefined ? undefined : Math.round(pause * (1 + random() * JITTER));
  },
};

/** The one retry schedule of each kind. */
export const RETRIES: Readonly<Record<DeliveryName, Retries>> = {
  mail: {
    max_age_ms: 5 * DAY,
    pause: (attempt, random) => Math.min(backoff(MAIL_RETRY_MS, attempt, random), MAX_MAIL_RETRY_MS),
  },
  email: {
    max_age_ms: 5 * DAY,
    pause: (attempt, random = Math.random) =>
      Math.round(Math.min(EMAIL_RETRY_MS * 2 ** (attempt - 1), MAX_EMAIL_RETRY_MS) * (1 + random() / 4)),
  },
  webhook: OF_EVENTS,
  // A task may wait for its answer as long as a mailbox allows.
  push: { ...OF_EVENTS, max_age_ms: 8 * DAY },
  // A message also has the deadline of its mailbox.
  agent: OF_EVENTS,
};
