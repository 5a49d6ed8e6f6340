import type { DeliveryKind, DeliveryName, DeliveryResult, DueDelivery } from '../ports/delivery.ts';

type Target = Pick<DueDelivery, 'kind' | 'destination'>;

/** Maximum number of failing destinations of a kind that are known; all may be named in one query. */
const MAX_FAILING = 500;
/** Maximum number of destinations of a kind that are known to answer; the others have `MAX_NEW` until they do. */
const MAX_ANSWERING = 10_000;
/** Maximum number in progress to a destination that did not answer yet: one that hangs costs no more. */
const MAX_NEW = 2;
/** The part of the slots that is shared; the rest is for destinations and owners that hold none. */
const SHARED = 3 / 4;
/** The part of the shared slots that an owner can hold, of those that others leave free. */
const OWNER_SHARE = 1 / 2;
/** The same for destinations that hold some already; the rest of the owner's part is for those that hold none. */
const OWNER_SHARE_FOR_MORE = 3 / 8;

/** A destination that counts to the limit of its owner too, as all of that owner's do. */
export const ownedDestination = (owner: string, id: string): string => `${owner}/${id}`;

const ownerOf = (destination: string): string | undefined => {
  const end = destination.indexOf('/');
  return end < 0 ? undefined : destination.slice(0, end);
};

/** An attempt that takes longer says nothing good about its destination, which may take all that time on purpose. */
const QUICK_MS = 15_000;

/** How the last attempts on this node to each destination ended. */
export class DestinationHistory {
  readonly #failing = new Map<DeliveryName, Set<string>>();
  readonly #answering = new Map<DeliveryName, Set<string>>();

  /** `ms`: how long the attempt took. */
  note({ kind, destination }: Target, outcome: DeliveryResult['kind'], ms: number): void {
    if (outcome !== 'sent' && outcome !== 'failed') return;
    if (outcome === 'sent' && ms > QUICK_MS) {
      this.answering(kind).delete(destination);
      this.failing(kind).delete(destination);
      return;
    }
    const [to, from] =
      outcome === 'sent' ? [this.answering(kind), this.failing(kind)] : [this.failing(kind), this.answering(kind)];
    from.delete(destination);
    to.delete(destination);
    to.add(destination);
    const max = outcome === 'sent' ? MAX_ANSWERING : MAX_FAILING;
    for (const oldest of to) {
      if (to.size <= max) break;
      to.delete(oldest);
    }
  }

  failing(kind: DeliveryName): Set<string> {
    return setOf(this.#failing, kind);
  }

  answering(kind: DeliveryName): Set<string> {
    return setOf(this.#answering, kind);
  }
}

/** Counts up or down; what is not in progress has no entry. */
function add(counts: Map<string, number>, name: string, more: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

function setOf(sets: Map<DeliveryName, Set<string>>, kind: DeliveryName): Set<string> {
  const known = sets.get(kind) ?? new Set<string>();
  sets.set(kind, known);
  return known;
}

/** What is in progress of one kind. */
class Used {
  total = 0;
  readonly destinations = new Map<string, number>();
  readonly owners = new Map<string, number>();
}

/**
 * Counts deliveries in progress by kind, destination and owner against the limits of the kinds. A destination can hold a
 * part of the slots that all others leave free, and so can an owner (dynamic thresholds, Choudhury and Hahne 1998), but
 * always one: a destination alone has its maximum once it answered, and however many hang, there are slots for the next.
 * Where destinations have no owner, as domains of mail, those that answer have the slots that are not shared.
 */
export class DeliverySlots {
  readonly #kinds: ReadonlyMap<DeliveryName, DeliveryKind>;
  readonly #history: DestinationHistory;
  readonly #used = new Map<DeliveryName, Used>();

  constructor(kinds: ReadonlyMap<DeliveryName, DeliveryKind>, history: DestinationHistory) {
    this.#kinds = kinds;
    this.#history = history;
  }

  has({ kind: name, destination }: Target): boolean {
    const kind = this.#kinds.get(name);
    if (kind === undefined) return false;
    const used = this.#of(name);
    if (used.total >= kind.max) return false;
    if (this.#isFailing(kind, destination) && this.#failingAreFull(kind)) return false;
    const owner = ownerOf(destination);
    if (this.#isFull(kind, destination)) return false;
    if (owner === undefined) return this.#history.answering(name).has(destination) || !this.#silentAreFull(kind);
    return !this.#ownerIsFull(kind, owner, used.destinations.has(destination) ? OWNER_SHARE_FOR_MORE : OWNER_SHARE);
  }

  /** Takes a slot if there is one. */
  take(one: Target): boolean {
    const kind = this.#kinds.get(one.kind);
    if (kind === undefined || !this.has(one)) return false;
    const used = this.#of(one.kind);
    const owner = ownerOf(one.destination);
    used.total += 1;
    add(used.destinations, one.destination, 1);
    if (owner !== undefined) add(used.owners, owner, 1);
    return true;
  }

  /** Gives back a slot that was taken. */
  release({ kind, destination }: Target): void {
    const used = this.#of(kind);
    const owner = ownerOf(destination);
    used.total -= 1;
    add(used.destinations, destination, -1);
    if (owner !== undefined) add(used.owners, owner, -1);
  }

  /**
   * Which deliveries are to be looked for: none to the `known` destinations, and none that will have no slot for long.
   * `partial`: when a slot becomes free, there may be others.
   */
  query(known: readonly Target[]) {
    const kinds = [...this.#kinds.values()];
    const failing = kinds
      .filter((kind) => this.#failingAreFull(kind))
      .flatMap(({ name: kind }) => [...this.#history.failing(kind)].map((destination) => ({ kind, destination })));
    const except_owners = kinds.flatMap((kind) =>
      [...this.#of(kind.name).owners.keys()]
        .filter((owner) => this.#ownerIsFull(kind, owner, OWNER_SHARE))
        .map((owner) => ({ kind: kind.name, prefix: ownedDestination(owner, '') })),
    );
    const except = [...known, ...failing];
    const partial = failing.length > 0 || except_owners.length > 0;
    return { kinds: kinds.map(({ name }) => name), except, except_owners, partial };
  }

  #of(kind: DeliveryName): Used {
    const used = this.#used.get(kind) ?? new Used();
    this.#used.set(kind, used);
    return used;
  }

  #isFailing({ name, max_failing }: DeliveryKind, destination: string): boolean {
    return max_failing !== undefined && this.#history.failing(name).has(destination);
  }

  #failingAreFull({ name, max_failing }: DeliveryKind): boolean {
    if (max_failing === undefined) return false;
    const known = this.#history.failing(name);
    if (known.size === 0) return false;
    let failing = 0;
    for (const [destination, count] of this.#of(name).destinations) if (known.has(destination)) failing += count;
    return failing >= max_failing;
  }

  /** Whether destinations without an owner that did not answer yet, of which anyone may have many, hold the shared slots. */
  #silentAreFull({ name, max }: DeliveryKind): boolean {
    const { total, destinations } = this.#of(name);
    if (total < max * SHARED) return false;
    const answering = this.#history.answering(name);
    let silent = 0;
    for (const [destination, count] of destinations) if (!answering.has(destination)) silent += count;
    return silent >= max * SHARED;
  }

  #isFull(kind: DeliveryKind, destination: string): boolean {
    const own = this.#of(kind.name).destinations.get(destination) ?? 0;
    if (this.#isFailing(kind, destination)) return own >= 1;
    const part = this.#part(kind, own, kind.max_per_destination / (kind.max * SHARED));
    return own >= (this.#history.answering(kind.name).has(destination) ? part : Math.min(part, MAX_NEW));
  }

  #ownerIsFull(kind: DeliveryKind, owner: string, share: number): boolean {
    const own = this.#of(kind.name).owners.get(owner) ?? 0;
    return own >= this.#part(kind, own, share);
  }

  /** The part of the shared slots that others than the holder of `own` leave free, at least one. */
  #part({ name, max }: DeliveryKind, own: number, share: number): number {
    return Math.max(1, Math.floor(share * (max * SHARED - (this.#of(name).total - own))));
  }
}
