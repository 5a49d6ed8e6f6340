import { addressOf } from '@mailroom/behavior/mailbox';
import type { Clock } from '@mailroom/behavior/values/clock';
import { DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Store } from '../ports/store.ts';
import type { Limiter, Policy } from '../values/limits.ts';
import { limiterOf } from '../values/shared-limits.ts';
import { DayCounts } from './day-counts.ts';

/** More than any owner may set. */
const MAX_RECIPIENTS_PER_DAY = 1_000_000;

const PER_DAY: Policy = {
  name: 'recipients-day',
  what: 'recipients',
  quota: MAX_RECIPIENTS_PER_DAY,
  burst: MAX_RECIPIENTS_PER_DAY,
  window_ms: DAY,
  kind: 'day',
};

/** Bounds to how many recipients a mailbox writes on one UTC day, where its owner set a maximum. */
export class DailyRecipients {
  readonly #counter: Limiter;
  readonly #before: DayCounts;

  constructor(parts: { readonly store: Pick<Store, 'messages' | 'shared'>; readonly clock: Clock }) {
    this.#counter = limiterOf(PER_DAY, parts.clock, parts.store.shared?.counters);
    this.#before = new DayCounts(parts, (id) => ({ written_by: id }));
  }

  /** Counts recipients. AppError `rate_limited`, until 00:00 UTC, with none counted. */
  async take(mailbox: Mailbox, recipients: number, max: number): Promise<void> {
    const counter = this.#counter;
    const before = await this.#before.of(mailbox.id, max);
    for (let counted = 1; counted <= recipients; counted++) {
      const allowance = await counter.take(mailbox.id);
      const used = before + counter.policy.quota - allowance.remaining;
      if (allowance.allowed && used <= max) continue;
      for (let back = allowance.allowed ? counted : counted - 1; back > 0; back--) counter.refund(mailbox.id);
      throw new AppError(
        'rate_limited',
        `${addressOf(mailbox)} writes to ${max.toLocaleString('en-US')} ${max === 1 ? 'recipient' : 'recipients'} a day, as its owner set it (outgoing.max_per_day). Try again at 00:00 UTC.`,
        { retry_after_ms: allowance.reset_ms },
      );
    }
  }
}
