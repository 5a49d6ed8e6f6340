import type { Millis } from '@mailroom/behavior/values/clock';
import type { DeliveryClaim } from '../entities/delivery.ts';
import type { DueDelivery } from '../ports/delivery.ts';
import type { Store } from '../ports/store.ts';
import type { Queue } from '../runs/worker.ts';
import { type DeliverySlots, partsOf } from './delivery-slots.ts';

/** Maximum number of due deliveries that are read at a time. */
const DUE_BATCH = 64;
/** How often a claim is repeated when other nodes took all that it had found. */
const MAX_LOST = 3;
/** While `MANY` are in progress, a query is followed by a pause of this many times what it took: requests come first. */
const PAUSE = 20;
const MANY = 8;
/** Requests of several deliveries that are claimed for one destination at a time: others wait while a claim is written. */
const CLAIMED_REQUESTS = 3;

const idsOf = (all: readonly DueDelivery[]): readonly string[] => all.map(({ id }) => id);
/** The slot of a claim, which may be released before its end is written. */
const slotOf = (slots: DeliverySlots, claim: DeliveryClaim) => {
  let isHeld = true;
  return {
    release(): void {
      if (isHeld) slots.release(claim);
      isHeld = false;
    },
  };
};
/** A claim and those that were claimed with it. */
export const together = (claim: DeliveryClaim): readonly DeliveryClaim[] => [claim, ...(claim.others ?? [])];

/** What is due and has a slot, those due longest first. */
export class DeliveryQueue implements Queue<DeliveryClaim> {
  readonly #deliveries: Store['deliveries'];
  readonly #slots: DeliverySlots;
  /** Of a claim of several, those whose attempts have not ended. */
  readonly #unended = new WeakMap<DeliveryClaim, readonly DeliveryClaim[]>();
  /** When the next query may be made, by the clock of `performance`. */
  #rested_at = 0;

  constructor(deliveries: Store['deliveries'], slots: DeliverySlots) {
    this.#deliveries = deliveries;
    this.#slots = slots;
  }

  async claim(now: Millis, lease_ms: Millis, tries = MAX_LOST): ReturnType<Queue<DeliveryClaim>['claim']> {
    const from = performance.now();
    if (this.#slots.total >= MANY && from < this.#rested_at)
      return { leased: [], more: true, next: now + this.#rested_at - from };
    const query = this.#slots.query();
    const { due, next } = await this.#deliveries.due(query, now, DUE_BATCH);
    this.#rested_at = performance.now() + PAUSE * (performance.now() - from);
    const taken = due.filter((one) => this.#slots.take(one));
    const claims = await this.#claim(taken, now, lease_ms);
    if (claims.length === 0 && taken.length > 0 && tries > 1) return this.claim(now, lease_ms, tries - 1);
    const leased = claims.map((claim) => ({ claim, slot: slotOf(this.#slots, claim) }));
    return { leased, more: query.partial || claims.length < due.length || due.length === DUE_BATCH, next };
  }

  /** Claims those that have a slot; others may have claimed some of them meanwhile. */
  async #claim(taken: readonly DueDelivery[], now: Millis, lease_ms: Millis): Promise<readonly DeliveryClaim[]> {
    if (taken.length === 0) return [];
    const unclaimed = new Map(taken.map((one) => [one.id, one]));
    try {
      const [single, several] = [[], []] as [DueDelivery[], DueDelivery[]];
      for (const one of taken) (partsOf(one.destination).batch === 1 ? single : several).push(one);
      const claims = [...(await this.#deliveries.claim(idsOf(single), now, lease_ms))];
      for (const { id } of claims) unclaimed.delete(id);
      for (const due of several) {
        const { id: target, batch } = partsOf(due.destination);
        const max = batch * CLAIMED_REQUESTS;
        const [first, ...others] = await this.#deliveries.claimNext({ id: due.id, target }, now, lease_ms, max);
        if (first === undefined) continue;
        claims.push({ ...first, destination: due.destination, others });
        unclaimed.delete(due.id);
      }
      return claims;
    } finally {
      for (const one of unclaimed.values()) this.#slots.release(one);
    }
  }

  /** The claim of several holds these alone from now on. */
  keep(claim: DeliveryClaim, unended: readonly DeliveryClaim[]): void {
    this.#unended.set(claim, unended);
  }

  async renew(claims: readonly DeliveryClaim[], until: Millis): Promise<readonly string[]> {
    const renewed = new Set(await this.#deliveries.renew(claims.flatMap(this.#heldBy), until));
    const isHeld = (claim: DeliveryClaim): boolean => {
      const held = this.#heldBy(claim);
      return held.length === 0 || held.some(({ id }) => renewed.has(id));
    };
    return claims.filter(isHeld).map(({ id }) => id);
  }

  release(claim: DeliveryClaim, at: Millis): Promise<unknown> {
    return this.#deliveries.releaseAll(this.#heldBy(claim), at);
  }

  readonly #heldBy = (claim: DeliveryClaim): readonly DeliveryClaim[] => this.#unended.get(claim) ?? together(claim);
}
