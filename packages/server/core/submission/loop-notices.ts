import { type Clock, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import type { Directory } from '../access/directory.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Store } from '../ports/store.ts';
import { Recent } from '../values/limits.ts';

/** A mailbox has one event in this time, so that a program in a circle cannot fill the log of another owner. */
const QUIET_MS: Millis = MINUTE;

interface Parts {
  readonly store: Pick<Store, 'events'>;
  readonly directory: Directory;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/** Notifies the owners of mailboxes whose messages go in circles, by the event `mailbox.loop_detected`. */
export class LoopNotices {
  readonly #parts: Parts;
  readonly #noticed = new Recent<Millis>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A message between these mailboxes was refused as a loop. */
  async detected(mailboxIds: readonly string[]): Promise<void> {
    const { store, directory, bus, clock } = this.#parts;
    const now = clock();
    const due = [...new Set(mailboxIds)].filter((id) => now - (this.#noticed.get(id) ?? 0) >= QUIET_MS);
    if (due.length === 0) return;
    for (const id of due) this.#noticed.set(id, now);
    await store.events.loopDetected(due, now);
    for (const id of due) {
      const mailbox = await directory.mailboxById(id);
      if (mailbox !== undefined) bus.publishEvents(mailbox.namespace_id);
    }
  }
}
