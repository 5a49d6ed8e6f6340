import type { DueDelivery } from '../ports/delivery.ts';

type Target = Pick<DueDelivery, 'kind' | 'destination'>;

/** Maximum number that wait; what is beyond it is looked for in the store. */
const MAX = 5_000;

const nameOf = ({ kind, destination }: Target): string => `${kind} ${destination}`;

/** Due deliveries that this node knows of and has had no slot for, by destination, each in the order in which they are due. */
export class WaitingDeliveries {
  readonly #lines = new Map<string, DueDelivery[]>();
  readonly #ids = new Set<string>();

  get size(): number {
    return this.#ids.size;
  }

  /** Whether some wait for the same destination. */
  has(target: Target): boolean {
    return this.#ids.size >= MAX || this.#lines.has(nameOf(target));
  }

  /** False when it waits already, or too many do. */
  add({ id, kind, destination }: DueDelivery): boolean {
    if (this.#ids.size >= MAX || this.#ids.has(id)) return false;
    const one: DueDelivery = { id, kind, destination };
    const line = this.#lines.get(nameOf(one));
    if (line === undefined) this.#lines.set(nameOf(one), [one]);
    else line.push(one);
    this.#ids.add(id);
    return true;
  }

  /** The destinations that some wait for. */
  destinations(): readonly Target[] {
    return [...this.#lines.values()].map(([first]) => first as DueDelivery);
  }

  /** Removes those that `slot` is true for, in turns: the destinations that got one are last the next time. */
  take(slot: (one: DueDelivery) => boolean): readonly DueDelivery[] {
    const taken: DueDelivery[] = [];
    for (const [name, line] of [...this.#lines]) {
      const count = line.findIndex((one) => !slot(one));
      const now = line.splice(0, count < 0 ? line.length : count);
      if (now.length === 0) continue;
      taken.push(...now);
      this.#lines.delete(name);
      if (line.length > 0) this.#lines.set(name, line);
    }
    for (const { id } of taken) this.#ids.delete(id);
    return taken;
  }
}
