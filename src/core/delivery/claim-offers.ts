import type { Notice, Shared } from '../ports/shared.ts';
import type { Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { newId } from '../values/ids.ts';

/** A node with offers says so at this interval, and after `SILENT_MS` without a word its offers are not used. */
const ALIVE_MS: Millis = SECOND;
const SILENT_MS: Millis = 3 * SECOND;
/** For this long a message may still come under an offer that was withdrawn. */
const LATE_MS: Millis = 10 * SECOND;

type Offered = Extract<Notice, { kind: 'offered' }>;
export type Granted = Extract<Notice, { kind: 'granted' }>;

/** An offer of another node. */
export interface Offer extends Offered {
  readonly node: string;
}

/**
 * Claims that waiting calls offer to the other nodes on the database, so that a node without a call of its own accepts a
 * message under one of them. An offer is for one message.
 */
export class ClaimOffers<Call> {
  readonly #shared: Shared;
  readonly #onGranted: (granted: Granted, call: Call) => void;
  /** The calls of this node by the claim that they offer or offered until shortly, and the messages that were accepted under it. */
  readonly #own = new Map<string, { readonly call: Call; readonly messages: Set<string> }>();
  /** How many offers of this node are open. */
  #open = 0;
  #alive: NodeJS.Timeout | undefined;
  /** Offers of other nodes by claim, and their claims by mailbox. */
  readonly #offers = new Map<string, Offer>();
  readonly #claims = new Map<string, Set<string>>();
  /** When each node last sent a notice, by this process's clock. */
  readonly #lastNotice = new Map<string, number>();

  constructor(shared: Shared, onGranted: (granted: Granted, call: Call) => void) {
    this.#shared = shared;
    this.#onGranted = onGranted;
    shared.subscribe((notice, node) => {
      if (notice.kind === 'granted') this.granted(notice);
      else if (notice.kind === 'offered') this.#add({ ...notice, node });
      else if (notice.kind === 'withdrawn') for (const id of notice.ids) this.#remove(id);
      else if (notice.kind === 'offering') this.#lastNotice.set(node, performance.now());
    });
  }

  /** Offers a claim of this call to the other nodes, until it is closed. */
  open(call: Call, mailbox_id: string, lease_ms: Millis, now: Millis): { readonly claim: string; close(): void } {
    const claim = newId('clm', now);
    this.#own.set(claim, { call, messages: new Set() });
    this.#open++;
    this.#shared.publish({ kind: 'offered', claim, mailbox_id, lease_ms });
    this.#alive ??= setInterval(() => this.#shared.publish({ kind: 'offering' }), ALIVE_MS).unref();
    const close = (): void => {
      this.#shared.publish({ kind: 'withdrawn', ids: [claim] });
      setTimeout(() => this.#own.delete(claim), LATE_MS).unref();
      if (--this.#open > 0) return;
      clearInterval(this.#alive);
      this.#alive = undefined;
    };
    return { claim, close };
  }

  /** A message was accepted under a claim; if a call of this node offered it, it is handed over, once. */
  granted(granted: Granted): void {
    const own = this.#own.get(granted.claim);
    if (own === undefined || own.messages.has(granted.message_id)) return;
    own.messages.add(granted.message_id);
    this.#onGranted(granted, own.call);
  }

  /** Takes an offer of another node. */
  take(mailbox_id: string): Offer | undefined {
    for (const claim of this.#claims.get(mailbox_id) ?? []) {
      const offer = this.#offers.get(claim);
      this.#remove(claim);
      if (offer !== undefined && this.#isAlive(offer)) return offer;
    }
    return undefined;
  }

  /** Puts back an offer that was not used. */
  putBack(offer: Offer): void {
    const claims = this.#claims.get(offer.mailbox_id) ?? new Set();
    this.#claims.set(offer.mailbox_id, claims.add(offer.claim));
    this.#offers.set(offer.claim, offer);
  }

  /** The message was accepted under the offer's claim. */
  grant({ claim }: Offer, message_id: string, until: Millis): void {
    this.#shared.publish({ kind: 'granted', claim, message_id, until });
  }

  #add(offer: Offer): void {
    this.#lastNotice.set(offer.node, performance.now());
    for (const claim of this.#claims.get(offer.mailbox_id) ?? []) {
      const other = this.#offers.get(claim);
      if (other === undefined || !this.#isAlive(other)) this.#remove(claim);
    }
    this.putBack(offer);
  }

  #remove(claim: string): void {
    const offer = this.#offers.get(claim);
    if (offer === undefined) return;
    this.#offers.delete(claim);
    const claims = this.#claims.get(offer.mailbox_id);
    claims?.delete(claim);
    if (claims?.size === 0) this.#claims.delete(offer.mailbox_id);
  }

  #isAlive({ node }: Offer): boolean {
    return performance.now() - (this.#lastNotice.get(node) ?? Number.NEGATIVE_INFINITY) < SILENT_MS;
  }
}
