import type { Effect } from '@mailroom/behavior/effect';
import type { Sender } from '@mailroom/behavior/message';
import { type Planning, type Schedule, tooManySchedules } from '@mailroom/behavior/schedule';
import { MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { sizeOfEffects } from '../entities/storage-size.ts';
import type { Store } from '../ports/store.ts';
import type { StorageMeter } from './storage-meter.ts';

/** The shortest interval of a schedule while the sender's namespace is unclaimed. */
const INTERVAL_MS = 5 * MINUTE;
/** The shortest interval once the namespace is claimed; a cron expression has no shorter one. */
const CLAIMED_INTERVAL_MS = MINUTE;

/** Effects for which room was taken; `end` is called with whether they were written. */
export interface TakenEffects {
  end(written: boolean): void;
}

/** Bounds what messages leave behind: the schedules of a namespace, and the storage of effects. */
export class EffectLimits {
  readonly #store: Pick<Store, 'schedules'>;
  readonly #storage: StorageMeter;
  readonly #max: number;
  /** Schedules that are being written, by the namespace they count for, so that concurrent writes count each other. */
  readonly #writing = new Map<string, number>();

  constructor(
    parts: { readonly store: Pick<Store, 'schedules'>; readonly storage: StorageMeter },
    options: { readonly max_schedules: number },
  ) {
    this.#store = parts.store;
    this.#storage = parts.storage;
    this.#max = options.max_schedules;
  }

  /** A schedule counts for its author's namespace; those of guests count together for the mailbox's. */
  async planning(sender: { readonly namespace_id: string | null }, mailbox: Mailbox): Promise<Planning> {
    const { namespace_id } = sender;
    const [count, interval_ms] = await Promise.all([this.#count(namespace_id, mailbox), this.interval(namespace_id)]);
    const left = Math.max(0, this.#max - count);
    return {
      max: this.#max,
      left,
      interval_ms,
      claimed: interval_ms === CLAIMED_INTERVAL_MS,
      claim_url: this.#storage.claim_url,
    };
  }

  /** The shortest interval of a schedule for this namespace, or for a guest (null). */
  async interval(namespaceId: string | null): Promise<Millis> {
    const claimed = namespaceId !== null && (await this.#storage.isClaimed(namespaceId));
    return claimed ? CLAIMED_INTERVAL_MS : INTERVAL_MS;
  }

  /** The schedule ended: its storage is given back. */
  gone(schedule: Schedule): void {
    const { namespace_id } = JSON.parse(schedule.sender) as Sender;
    if (namespace_id === null) return;
    this.#storage.add({ kind: 'namespace', id: namespace_id }, -sizeOfEffects([{ kind: 'schedule', schedule }]));
  }

  /** Takes room for the effects of a message. AppError `storage_full`, `validation_error` (too many schedules). */
  async take(message: Message, mailbox: Mailbox, effects: readonly Effect[]): Promise<TakenEffects> {
    const endSchedules = await this.#takeSchedules(message, mailbox, effects);
    try {
      const bytes = await this.#storage.reserveEffects(message, effects);
      return {
        end: (written) => {
          endSchedules();
          if (!written) this.#storage.add(this.#storage.payerOf(message), -bytes);
        },
      };
    } catch (error) {
      endSchedules();
      throw error;
    }
  }

  async #takeSchedules(message: Message, mailbox: Mailbox, effects: readonly Effect[]): Promise<() => void> {
    const more = effects.filter(({ kind }) => kind === 'schedule').length;
    if (more === 0) return () => {};
    const subject = message.sender_namespace_id ?? `guests ${mailbox.namespace_id}`;
    const before = this.#writing.get(subject) ?? 0;
    this.#writing.set(subject, before + more);
    const end = (): void => {
      const left = (this.#writing.get(subject) ?? more) - more;
      if (left > 0) this.#writing.set(subject, left);
      else this.#writing.delete(subject);
    };
    try {
      const fewer = effects.filter(({ kind }) => kind === 'unschedule').length;
      const count = await this.#count(message.sender_namespace_id, mailbox);
      if (count - fewer + (this.#writing.get(subject) ?? 0) > this.#max) {
        throw new AppError('validation_error', tooManySchedules(this.#max));
      }
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  #count(senderNamespaceId: string | null, mailbox: Mailbox): Promise<number> {
    return senderNamespaceId === null
      ? this.#store.schedules.countOfGuests(mailbox.namespace_id)
      : this.#store.schedules.countOf(senderNamespaceId);
  }
}
