import { MAX_PER_DAY } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isReplyId } from '@mailroom/behavior/values/ids';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { Limiter, Policy } from '../values/limits.ts';
import { limiterOf } from '../values/shared-limits.ts';
import { DayCounts } from './day-counts.ts';

interface Parts {
  readonly store: Pick<Store, 'messages' | 'shared'>;
  readonly clock: Clock;
}

/** Counts the messages of a mailbox on one UTC day; the maximum is its owner's. */
const PER_DAY: Policy = {
  name: 'mailbox-day',
  what: 'messages',
  quota: MAX_PER_DAY,
  burst: MAX_PER_DAY,
  window_ms: DAY,
  kind: 'day',
};

/** Bounds how many messages a mailbox takes on one UTC day, where its owner set a maximum. */
export class DailyLimit {
  readonly #counter: Limiter;
  readonly #counted = new WeakSet<Message>();
  readonly #before: DayCounts;

  constructor(parts: Parts) {
    this.#before = new DayCounts(
      parts,
      (mailbox_id) => ({ mailbox_id }),
      (id) => !isReplyId(id),
    );
    this.#counter = limiterOf(PER_DAY, parts.clock, parts.store.shared?.counters);
  }

  /** Counts a message that arrives in the mailbox. AppError `rate_limited`, until 00:00 UTC. */
  async take(message: Message, mailbox: Mailbox, max: number): Promise<void> {
    const counter = this.#counter;
    const before = await this.#before.of(mailbox.id, MAX_PER_DAY);
    const allowance = await counter.take(mailbox.id);
    const used = before + counter.policy.quota - allowance.remaining;
    if (allowance.allowed && used <= max) {
      this.#counted.add(message);
      return;
    }
    if (allowance.allowed) counter.refund(mailbox.id);
    throw new AppError(
      'rate_limited',
      `${addressOf(mailbox)} takes ${max.toLocaleString('en-US')} ${max === 1 ? 'message' : 'messages'} a day, as its owner set it. Try again at 00:00 UTC.`,
      { retry_after_ms: allowance.reset_ms },
    );
  }

  /** Gives back a message that was not written, if it was counted. */
  refund(message: Message): void {
    if (this.#counted.delete(message)) this.#counter.refund(message.mailbox_id);
  }
}
