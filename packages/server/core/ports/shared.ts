import type { Counters } from '../values/shared-limits.ts';

/** What the nodes on one database share besides the stored data. */
export interface Shared {
  /** The counters of the rate limits, for all nodes together. */
  readonly counters: Counters;
  /** Notifies the other nodes soon; the notice may be lost. */
  publish(notice: Notice): void;
  /** Calls `listener` with the notices of other nodes. */
  subscribe(listener: (notice: Notice) => void): void;
}

export type Notice =
  /** These messages settled: requests that wait for them can be answered, and work on them can stop. */
  | { readonly kind: 'settled'; readonly ids: readonly string[] }
  /** A person took these messages over: work on them stops. */
  | { readonly kind: 'taken'; readonly ids: readonly string[] }
  /** Work is due for which the node that accepted it has no slot. */
  | { readonly kind: 'due' }
  /** A namespace, mailbox or key was created, changed or removed, so cached look-ups may be old. */
  | { readonly kind: 'changed' }
  /** The publishing node has subscribers of events and wants notices of all namespaces for a while. */
  | { readonly kind: 'following' }
  /** Messages of these mailboxes wait for an answer from outside. */
  | { readonly kind: 'answerable'; readonly ids: readonly string[] }
  /** These mailboxes were deleted: who waits for their messages waits for nothing. */
  | { readonly kind: 'deleted'; readonly ids: readonly string[] }
  /** A person (`by`) is writing an answer to this message; without a name no longer. */
  | {
      readonly kind: 'writing';
      readonly id: string;
      readonly by: string;
      readonly name: string;
      readonly owner_name: string;
    }
  /** These namespaces have new events. */
  | { readonly kind: 'events'; readonly ids: readonly string[] };
