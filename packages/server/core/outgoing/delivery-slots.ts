import type { DeliveryName } from '../entities/delivery.ts';
import type { DeliveryKind, DeliveryResult, DueDelivery, DueQuery } from '../ports/delivery.ts';

type Target = Pick<DueDelivery, 'kind' | 'destination'>;

/** Maximum number in progress to a destination; it is one while the last attempt has not been answered soon. */
const MAX_PER_DESTINATION = 4;
/** The part of the slots for destinations whose last attempt failed, together. */
const FAILING = 1 / 4;
/** The part of the slots that is shared; the rest is for namespaces and domains that hold none. */
const SHARED = 3 / 4;
/** Maximum number of destinations of a kind whose last attempt is known to have failed, and of those that answered. */
const MAX_KNOWN = 500;
/** An attempt that takes longer says nothing good about its destination, which may take all that time on purpose. */
const QUICK_MS = 15_000;

/**
 * A destination that counts to the limit of its owner too, as all of that owner's do. With a `batch` of more than one,
 * requests carry up to that many deliveries, one request after the other.
 */
export const ownedDestination = (owner: string, id: string, batch = 1): string =>
  batch === 1 ? `${owner}/${id}` : `${owner}/${id}/${batch}`;

/** What `ownedDestination` was made of. */
export function partsOf(destination: string) {
  const [owner = '', id = '', batch = '1'] = destination.split('/');
  return { owner, id, batch: Number(batch) };
}

/** What a destination of an owner begins with; undefined for a domain of mail, of which anyone may have many. */
const ownerOf = (destination: string): string | undefined => {
  const end = destination.indexOf('/');
  return end < 0 ? undefined : destination.slice(0, end + 1);
};

/** Counts up or down; what is not in progress has no entry. */
function add(counts: Map<string, number>, name: string, more: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** Adds a name as the newest, and drops the oldest beyond the limit. */
function addNewest(names: Set<string>, name: string): void {
  names.delete(name);
  names.add(name);
  for (const oldest of names) {
    if (names.size <= MAX_KNOWN) break;
    names.delete(oldest);
  }
}

/** The slots of one kind, and how the last attempt on this node to each destination ended. */
class KindSlots {
  readonly max: number;
  total = 0;
  readonly destinations = new Map<string, number>();
  /** In progress by owner, or by domain of mail. */
  readonly holders = new Map<string, number>();
  readonly failing = new Set<string>();
  readonly answering = new Set<string>();

  constructor(max: number) {
    this.max = max;
  }

  count(destination: string, more: 1 | -1): void {
    this.total += more;
    add(this.destinations, destination, more);
    add(this.holders, ownerOf(destination) ?? destination, more);
  }

  has(destination: string): boolean {
    const fails = this.failing.has(destination);
    const held = this.destinations.get(destination) ?? 0;
    const answers = this.answering.has(destination);
    const max = answers && partsOf(destination).batch === 1 ? MAX_PER_DESTINATION : 1;
    if (this.total >= this.max || held >= max) return false;
    if (fails && this.failingAreFull()) return false;
    const owner = ownerOf(destination);
    if (!this.holderIsFull(owner ?? destination)) return true;
    if (this.holders.has(owner ?? destination)) return false;
    return owner !== undefined || answers;
  }

  /** A holder alone has half of the shared slots: as many as it leaves free. */
  holderIsFull(holder: string): boolean {
    return (this.holders.get(holder) ?? 0) >= this.max * SHARED - this.total;
  }

  failingAreFull(): boolean {
    if (this.failing.size === 0) return false;
    let failing = 0;
    for (const [destination, count] of this.destinations) if (this.failing.has(destination)) failing += count;
    return failing >= this.max * FAILING;
  }
}

/**
 * Which deliveries have a slot. A destination has few, and an owner half of them at most, so that one that hangs delays no
 * other; however many hang, there are slots for owners that hold none, and for domains of mail that answered.
 */
export class DeliverySlots {
  readonly #kinds: ReadonlyMap<DeliveryName, KindSlots>;

  constructor(kinds: readonly Pick<DeliveryKind, 'name' | 'max'>[]) {
    this.#kinds = new Map(kinds.map(({ name, max }) => [name, new KindSlots(max)]));
  }

  /** The number in progress, of all kinds. */
  get total(): number {
    return this.#kinds.values().reduce((sum, { total }) => sum + total, 0);
  }

  has({ kind, destination }: Target): boolean {
    return this.#kinds.get(kind)?.has(destination) === true;
  }

  /** Whether the last attempt to it was answered soon. */
  answers({ kind, destination }: Target): boolean {
    return this.#kinds.get(kind)?.answering.has(destination) === true;
  }

  /** Takes a slot if there is one. */
  take(target: Target): boolean {
    if (!this.has(target)) return false;
    this.#kinds.get(target.kind)?.count(target.destination, 1);
    return true;
  }

  /** Gives back a slot that was taken. */
  release({ kind, destination }: Target): void {
    this.#kinds.get(kind)?.count(destination, -1);
  }

  /** An attempt ended so after `ms`. */
  note({ kind, destination }: Target, outcome: DeliveryResult['kind'], ms: number): void {
    const slots = this.#kinds.get(kind);
    if (slots === undefined || (outcome !== 'sent' && outcome !== 'failed')) return;
    slots.failing.delete(destination);
    slots.answering.delete(destination);
    if (outcome === 'failed') addNewest(slots.failing, destination);
    else if (ms <= QUICK_MS) addNewest(slots.answering, destination);
  }

  /** What can be claimed: nothing that has no slot for now, which makes it `partial`. */
  query(): DueQuery & { readonly partial: boolean } {
    const free = [...this.#kinds].filter(([, { total, max }]) => total < max);
    const busy = free.flatMap(([kind, slots]) => {
      const failing = slots.failingAreFull() ? [...slots.failing] : [];
      const full = [...slots.destinations.keys()].filter((destination) => !slots.has(destination));
      return [...new Set([...failing, ...full])].map((destination) => ({ kind, destination }));
    });
    const busy_owners = free.flatMap(([kind, slots]) =>
      [...slots.holders.keys()]
        .filter((holder) => holder.endsWith('/') && slots.holderIsFull(holder))
        .map((prefix) => ({ kind, prefix })),
    );
    const only = free
      .filter(([, slots]) => slots.total >= slots.max * SHARED)
      .map(([kind, { answering }]) => ({ kind, domains: [...answering].filter((name) => !name.includes('/')) }));
    const partial = free.length < this.#kinds.size || [busy, busy_owners, only].some(({ length }) => length > 0);
    return { kinds: free.map(([kind]) => kind), busy, busy_owners, only, partial };
  }
}
