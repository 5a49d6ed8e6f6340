import type { Notice, Shared } from '../ports/shared.ts';
import type { Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';

/** Offers are repeated at this interval, and one that was not heard for `SILENT_MS` is not used. */
const REPEAT_MS: Millis = SECOND;
const SILENT_MS: Millis = 3 * SECOND;
/** How often the node that was handed a message is asked whether a call got it. */
const MAX_ASKED = 5;

export type Handed = Extract<Notice, { kind: 'handed' }>;
type Granted = Extract<Notice, { kind: 'granted' }>;

/** A node to which calls for the messages of a mailbox come. */
export interface Offer {
  readonly node: string;
  readonly lease_ms: Millis;
  /** When it was last repeated, by this process's clock. */
  readonly at: number;
}

export interface OfferListeners {
  /** Another node hands over a message that it has not written. */
  onHanded(handed: Handed): void;
  /** It was written meanwhile; true when it has reached a call here, false when it will not. */
  onGranted(granted: Granted): Promise<boolean>;
  /** A call on another node has these messages, or none has. */
  onKept(id: string): void;
  onDeclined(id: string): void;
}

/** What the nodes let each other know of the programs that ask for messages: which node they ask, and what they got. */
export class ClaimOffers {
  readonly #node: string;
  readonly #shared: Shared;
  /** The leases of the calls that come to this node, by mailbox. */
  readonly #own = new Map<string, Millis>();
  #repeating: NodeJS.Timeout | undefined;
  /** The offers of other nodes by mailbox, the one that was used last at the end. */
  readonly #others = new Map<string, Map<string, Offer>>();
  /** Nodes that did not say whether a call got a message. They get no other until they do. */
  readonly #doubted = new Map<string, string>();

  constructor(node: string, shared: Shared, listeners: OfferListeners) {
    this.#node = node;
    this.#shared = shared;
    shared.subscribe((notice) => {
      if (notice.kind === 'offered') for (const id of notice.ids) this.#add(id, notice);
      else if (notice.kind === 'withdrawn') for (const id of notice.ids) this.#remove(id, notice.node);
      else if (notice.kind === 'handed' && notice.to === node) listeners.onHanded(notice);
      else if (notice.kind === 'granted' && notice.to === node)
        listeners.onGranted(notice).then(
          (kept) => shared.publish({ kind: kept ? 'kept' : 'declined', ids: [notice.message_id] }),
          // It is asked again.
          () => {},
        );
      else if (notice.kind === 'kept' || notice.kind === 'declined') {
        for (const id of notice.ids) {
          this.#doubted.delete(id);
          if (notice.kind === 'kept') listeners.onKept(id);
          else listeners.onDeclined(id);
        }
      }
    });
  }

  /** Calls for this mailbox come to this node. */
  open(mailbox_id: string, lease_ms: Millis): void {
    if (this.#own.get(mailbox_id) === lease_ms) return;
    this.#own.set(mailbox_id, lease_ms);
    this.#offer(lease_ms, [mailbox_id]);
    this.#repeating ??= setInterval(() => this.#repeat(), REPEAT_MS).unref();
  }

  /** None do now. */
  close(mailbox_id: string): void {
    if (!this.#own.delete(mailbox_id)) return;
    this.#shared.publish({ kind: 'withdrawn', node: this.#node, ids: [mailbox_id] });
    if (this.#own.size > 0) return;
    clearInterval(this.#repeating);
    this.#repeating = undefined;
  }

  /** A node to hand a message of this mailbox to, each in its turn. */
  take(mailbox_id: string): Offer | undefined {
    const offers = this.#others.get(mailbox_id);
    if (offers === undefined) return undefined;
    const doubted = new Set(this.#doubted.values());
    for (const offer of offers.values()) {
      if (performance.now() - offer.at > SILENT_MS) this.#remove(mailbox_id, offer.node);
      else if (!doubted.has(offer.node)) {
        offers.delete(offer.node);
        offers.set(offer.node, offer);
        return offer;
      }
    }
    return undefined;
  }

  /** A message that was handed over is written, and nothing was heard of it: asks until the node says what became of it. */
  confirm(granted: Granted): void {
    const { message_id, to } = granted;
    this.#doubted.set(message_id, to);
    let asked = 0;
    const ask = (): void => {
      if (!this.#doubted.has(message_id)) return;
      if (asked++ === MAX_ASKED) {
        // A node that died says nothing more, and its offers are not repeated.
        this.#doubted.delete(message_id);
        return;
      }
      this.#shared.publish(granted);
      setTimeout(ask, REPEAT_MS).unref();
    };
    ask();
  }

  #repeat(): void {
    const byLease = Map.groupBy(this.#own, ([, lease_ms]) => lease_ms);
    for (const [lease_ms, own] of byLease)
      this.#offer(
        lease_ms,
        own.map(([id]) => id),
      );
  }

  #offer(lease_ms: Millis, ids: readonly string[]): void {
    this.#shared.publish({ kind: 'offered', node: this.#node, lease_ms, ids });
  }

  #add(mailbox_id: string, { node, lease_ms }: Pick<Offer, 'node' | 'lease_ms'>): void {
    const offers = this.#others.get(mailbox_id) ?? new Map<string, Offer>();
    this.#others.set(mailbox_id, offers.set(node, { node, lease_ms, at: performance.now() }));
  }

  #remove(mailbox_id: string, node: string): void {
    const offers = this.#others.get(mailbox_id);
    offers?.delete(node);
    if (offers?.size === 0) this.#others.delete(mailbox_id);
  }
}
