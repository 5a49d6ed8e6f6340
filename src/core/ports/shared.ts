import type { Message } from '../entities/message.ts';
import type { Millis } from '../values/clock.ts';
import type { Counters } from '../values/shared-limits.ts';
import type { Acceptance, AnsweredNotice } from './messages.ts';

/** What the nodes on one database share besides the stored data. */
export interface Shared {
  /** The counters of the rate limits, for all nodes together. */
  readonly counters: Counters;
  /** Notifies the other nodes soon; the notice may be lost. */
  publish(notice: Notice): void;
  /** Calls `listener` with the notices of other nodes; `node` tells them apart. */
  subscribe(listener: (notice: Notice, node: string) => void): void;
}

/** How a message is accepted that another node writes. */
export type HandedTerms = Pick<Acceptance, 'idempotency' | 'max_waiting' | 'from_mailbox_id'>;

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
  /** These mailboxes were deleted: who waits for their messages waits for nothing. */
  | { readonly kind: 'deleted'; readonly ids: readonly string[] }
  /** Calls for messages of these mailboxes, with this lease, come to the publishing node. */
  | { readonly kind: 'offered'; readonly node: string; readonly lease_ms: Millis; readonly ids: readonly string[] }
  /** No such calls come there now. */
  | { readonly kind: 'withdrawn'; readonly node: string; readonly ids: readonly string[] }
  /**
   * `to` may hand this message to a call under this claim, and write it with the answer; it is on the node `from`, and
   * not written so far.
   */
  | {
      readonly kind: 'handed';
      readonly to: string;
      readonly from: string;
      readonly claim: string;
      readonly until: Millis;
      readonly lease_ms: Millis;
      readonly message: Message;
      readonly terms: HandedTerms;
    }
  /** It was written under that claim meanwhile, if `to` has not handed it over, it may do so now. */
  | {
      readonly kind: 'granted';
      readonly to: string;
      readonly claim: string;
      readonly message_id: string;
      readonly mailbox_id: string;
      readonly until: Millis;
    }
  /** These messages that were handed to the publishing node have reached a call there. */
  | { readonly kind: 'kept'; readonly ids: readonly string[] }
  /** They have not, and will not. */
  | { readonly kind: 'declined'; readonly ids: readonly string[] }
  /** The node of the program wrote a message that it was handed. */
  | AnsweredNotice
  /** What became of a message that was not written. */
  | { readonly kind: 'exchanged'; readonly id: string; readonly outcome: 'settled' | 'written' | 'gone' }
  /** This message is to be written now, by the node that has it. */
  | { readonly kind: 'wanted'; readonly id: string }
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
