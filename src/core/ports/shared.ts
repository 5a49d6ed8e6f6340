import type { Millis } from '../values/clock.ts';
import type { Counters } from '../values/shared-limits.ts';

/** What the nodes on one database share besides the stored data. */
export interface Shared {
  /** The counters of the rate limits, for all nodes together. */
  readonly counters: Counters;
  /** Notifies the other nodes soon; the notice may be lost. */
  publish(notice: Notice): void;
  /** Calls `listener` with the notices of other nodes; `node` tells them apart. */
  subscribe(listener: (notice: Notice, node: string) => void): void;
}

export type Notice =
  /** These messages settled: requests that wait for them can be answered, and work on them can stop. */
  | { readonly kind: 'settled'; readonly ids: readonly string[] }
  /** Work is due for which the node that accepted it has no slot. */
  | { readonly kind: 'due' }
  /** A namespace, mailbox or key was created, changed or removed, so cached look-ups may be old. */
  | { readonly kind: 'changed' }
  /** The publishing node has subscribers of events and wants notices of all namespaces for a while. */
  | { readonly kind: 'following' }
  /** Messages of these mailboxes wait for an answer from outside. */
  | { readonly kind: 'answerable'; readonly ids: readonly string[] }
  /** A call for messages waits on the publishing node, and one may be accepted under this claim for `lease_ms`. */
  | { readonly kind: 'offered'; readonly claim: string; readonly mailbox_id: string; readonly lease_ms: Millis }
  /** The calls that offered these claims wait no more. */
  | { readonly kind: 'withdrawn'; readonly ids: readonly string[] }
  /** The publishing node lives, and its offers are good. */
  | { readonly kind: 'offering' }
  /** This message was accepted under an offered claim. */
  | { readonly kind: 'granted'; readonly claim: string; readonly message_id: string; readonly until: Millis }
  /** A person is writing an answer to this message. */
  | { readonly kind: 'writing'; readonly id: string; readonly name: string }
  /** These namespaces have new events. */
  | { readonly kind: 'events'; readonly ids: readonly string[] };
