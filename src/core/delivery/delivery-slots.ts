import type { DeliveryKind, DeliveryName, DeliveryResult, DueDelivery } from '../ports/delivery.ts';

type Target = Pick<DueDelivery, 'kind' | 'destination'>;

/** Maximum number of failing destinations of a kind that are known; all may be named in one query. */
const MAX_FAILING = 500;

/** The destinations whose last attempt on this node failed. */
export class FailingDestinations {
  readonly #known = new Map<DeliveryName, Set<string>>();

  note({ kind, destination }: Target, outcome: DeliveryResult['kind']): void {
    const known = this.of(kind);
    if (outcome !== 'dropped') known.delete(destination);
    if (outcome === 'failed') known.add(destination);
    for (const oldest of known) {
      if (known.size <= MAX_FAILING) break;
      known.delete(oldest);
    }
  }

  of(kind: DeliveryName): Set<string> {
    const known = this.#known.get(kind) ?? new Set<string>();
    this.#known.set(kind, known);
    return known;
  }
}

/** Counts deliveries in progress by kind and destination against the limits of the kinds. */
export class DeliverySlots {
  readonly #kinds: ReadonlyMap<DeliveryName, DeliveryKind>;
  readonly #failing: FailingDestinations;
  readonly #used = new Map<DeliveryName, Map<string, number>>();
  readonly #total = new Map<DeliveryName, number>();
  /** Those to failing destinations. */
  readonly #slow = new Map<DeliveryName, number>();

  constructor(kinds: ReadonlyMap<DeliveryName, DeliveryKind>, failing: FailingDestinations) {
    this.#kinds = kinds;
    this.#failing = failing;
  }

  has({ kind, destination }: Target): boolean {
    const of = this.#kinds.get(kind);
    if (of === undefined || (this.#total.get(kind) ?? 0) >= of.max) return false;
    if (this.#isSlow(of, destination) && this.#slowIsFull(of)) return false;
    return (this.#used.get(kind)?.get(destination) ?? 0) < this.#max(of, destination);
  }

  /** Takes a slot if there is one. */
  take(one: Target): boolean {
    const of = this.#kinds.get(one.kind);
    if (of === undefined || !this.has(one)) return false;
    const used = this.#used.get(one.kind) ?? new Map<string, number>();
    this.#used.set(one.kind, used.set(one.destination, (used.get(one.destination) ?? 0) + 1));
    this.#total.set(one.kind, (this.#total.get(one.kind) ?? 0) + 1);
    if (this.#isSlow(of, one.destination)) this.#slow.set(one.kind, (this.#slow.get(one.kind) ?? 0) + 1);
    return true;
  }

  /** Which deliveries there are slots for. */
  query() {
    const kinds = [...this.#kinds.values()].filter(({ name, max }) => (this.#total.get(name) ?? 0) < max);
    const except = kinds.flatMap((kind) => {
      const full = [...(this.#used.get(kind.name) ?? [])]
        .filter(([destination, count]) => count >= this.#max(kind, destination))
        .map(([destination]) => destination);
      const slow = this.#slowIsFull(kind) ? this.#failing.of(kind.name) : [];
      return [...new Set([...full, ...slow])].map((destination) => ({ kind: kind.name, destination }));
    });
    return { kinds: kinds.map(({ name }) => name), except };
  }

  #isSlow({ name, max_failing }: DeliveryKind, destination: string): boolean {
    return max_failing !== undefined && this.#failing.of(name).has(destination);
  }

  #slowIsFull({ name, max_failing }: DeliveryKind): boolean {
    return max_failing !== undefined && (this.#slow.get(name) ?? 0) >= max_failing;
  }

  #max(kind: DeliveryKind, destination: string): number {
    return this.#isSlow(kind, destination) ? 1 : kind.max_per_destination;
  }
}
