import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { firstIdAt } from '@mailroom/behavior/values/ids';
import type { Store } from '../ports/store.ts';
import { Recent } from '../values/limits.ts';

/** Sorts above every id. */
const ABOVE = '~';

interface Before {
  readonly day: number;
  readonly count: Promise<number>;
}

type Of = Parameters<Store['messages']['idsOf']>[0];

/** What a mailbox had on a UTC day before this process counted: without shared counters a restart forgets the count. */
export class DayCounts {
  readonly #parts: { readonly store: Pick<Store, 'messages' | 'shared'>; readonly clock: Clock };
  readonly #of: (mailbox_id: string) => Of;
  readonly #fits: (id: string) => boolean;
  readonly #before = new Recent<Before>();

  constructor(
    parts: { readonly store: Pick<Store, 'messages' | 'shared'>; readonly clock: Clock },
    of: (mailbox_id: string) => Of,
    fits: (id: string) => boolean = () => true,
  ) {
    this.#parts = parts;
    this.#of = of;
    this.#fits = fits;
  }

  /** Counted up to `max`. */
  of(mailbox_id: string, max: number): Promise<number> | number {
    const { store, clock } = this.#parts;
    if (store.shared !== undefined) return 0;
    const day = Math.floor(clock() / DAY);
    const known = this.#before.get(mailbox_id);
    if (known?.day === day) return known.count;
    const count = store.messages
      .idsOf(this.#of(mailbox_id), firstIdAt('msg', day * DAY), ABOVE, max)
      .then((ids) => ids.filter(this.#fits).length);
    this.#before.set(mailbox_id, { day, count });
    count.catch(() => this.#before.set(mailbox_id, { day: 0, count }));
    return count;
  }
}
