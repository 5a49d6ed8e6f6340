import { addressOf } from '@mailroom/behavior/mailbox';
import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Counted } from '../ports/recipient-days.ts';
import type { Store } from '../ports/store.ts';

/** Bounds to how many recipients a mailbox writes on one UTC day, where its owner set a maximum. */
export class DailyRecipients {
  readonly #parts: { readonly store: Pick<Store, 'recipientDays'>; readonly clock: Clock };

  constructor(parts: { readonly store: Pick<Store, 'recipientDays'>; readonly clock: Clock }) {
    this.#parts = parts;
  }

  /** Counts recipients. AppError `rate_limited`, until 00:00 UTC, with none counted. */
  async take(mailbox: Mailbox, recipients: number, max: number): Promise<Counted> {
    const now = this.#parts.clock();
    const counted = { recipients, day: Math.floor(now / DAY) };
    if (await this.#parts.store.recipientDays.take(mailbox.id, counted, max)) return counted;
    throw new AppError(
      'rate_limited',
      `${addressOf(mailbox)} writes to ${max.toLocaleString('en-US')} ${max === 1 ? 'recipient' : 'recipients'} a day, as its owner set it (outgoing.max_per_day). Try again at 00:00 UTC.`,
      { retry_after_ms: DAY - (now % DAY) },
    );
  }

  /** Gives back what never left. A count that cannot be given back ends with its day. */
  async giveBack(mailbox: Pick<Mailbox, 'id'>, counted: Counted): Promise<void> {
    await this.#parts.store.recipientDays.giveBack(mailbox.id, counted).catch(() => {});
  }
}
