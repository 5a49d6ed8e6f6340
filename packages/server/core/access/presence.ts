import type { Behavior } from '@mailroom/behavior';
import { type Clock, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Store } from '../ports/store.ts';
import type { Directory } from './directory.ts';

/** How long a mailbox stays online after the last call of its program. */
const ONLINE_MS: Millis = MINUTE;
/** While calls come or wait, this is written so often. */
const WRITE_MS: Millis = 20 * SECOND;

interface Parts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly directory: Directory;
  readonly behaviors: readonly Behavior[];
  readonly clock: Clock;
}

/** Which mailboxes have a connected program: online while it asks for messages, and for a minute after. */
export class Presence {
  readonly #parts: Parts;
  readonly #behaviors: ReadonlyMap<string, Behavior>;
  /** Until when each mailbox was written as online by this node. */
  readonly #written = new Map<string, Millis>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#behaviors = new Map(parts.behaviors.map((behavior) => [behavior.name, behavior]));
  }

  /** Whether the messages of the mailbox are answered from outside. */
  isAnswered({ behavior }: Pick<Mailbox, 'behavior'>): boolean {
    return this.#behaviors.get(behavior)?.answered !== undefined;
  }

  /** Keeps the mailbox online while `act` runs, which is a call of its program. */
  async during<T>(mailbox: Mailbox, act: () => Promise<T>): Promise<T> {
    if (mailbox.online_until === null) return act();
    await this.#seen(mailbox);
    const timer = setInterval(() => void this.#seen(mailbox).catch(() => {}), WRITE_MS);
    timer.unref();
    try {
      return await act();
    } finally {
      clearInterval(timer);
      await this.#seen(mailbox).catch(() => {});
    }
  }

  async #seen({ id }: Mailbox): Promise<void> {
    const { store, directory, clock } = this.#parts;
    const now = clock();
    const written = this.#written.get(id) ?? 0;
    if (written - now > ONLINE_MS - WRITE_MS) return;
    if (this.#written.size > 10_000) this.#written.clear();
    this.#written.set(id, now + ONLINE_MS);
    const connected = await store.mailboxes.seen(id, now + ONLINE_MS, now);
    // It was offline until now, which cached look-ups say.
    if (connected) directory.changed();
  }
}
