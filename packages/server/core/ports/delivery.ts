import type { Millis } from '@mailroom/behavior/values/clock';
import type {
  Delivery,
  DeliveryClaim,
  DeliveryName,
  DeliveryStatus,
  NewDelivery,
  Suppression,
} from '../entities/delivery.ts';
import type { State } from './states.ts';

type Claimed = Pick<DeliveryClaim, 'id' | 'fence'>;
/** The claim of an attempt that ended; of an e-mail its end is an event. */
type Attempted = Pick<DeliveryClaim, 'id' | 'fence' | 'kind'>;

/** A delivery that is due, as far as is needed to decide whether to claim it. */
export type DueDelivery = Pick<Delivery, 'id' | 'kind' | 'destination'>;

/** How an attempt ended; due again at `due_at`, or not at all. */
export interface DeliveryEnd {
  readonly status: 'sent' | 'deferred' | 'failed';
  readonly error: string | null;
  readonly due_at: Millis | null;
}

/** What one request of a stream of deliveries leaves behind. */
export interface StreamStep {
  /**
   * The deliveries of the request, the first of which has a row under a lease, and the others none; `end` is undefined for
   * what was dropped.
   */
  readonly ends: readonly { readonly claim: DeliveryClaim; readonly end: DeliveryEnd | undefined }[];
  /** The first of the next request, which is written under a lease; undefined where the stream ends. */
  readonly next: NewDelivery | undefined;
  /** Whether some were read that no request had. */
  readonly hasMore: boolean;
}

/** Which deliveries can be claimed. */
export interface DueQuery {
  readonly kinds: readonly DeliveryName[];
  /** Destinations to which none can begin now. */
  readonly busy: readonly Pick<Delivery, 'kind' | 'destination'>[];
  /** The same of owners: what their destinations begin with. */
  readonly busy_owners: readonly { readonly kind: DeliveryName; readonly prefix: string }[];
  /** Of these kinds, to destinations without an owner only those to these domains. */
  readonly only: readonly { readonly kind: DeliveryName; readonly domains: readonly string[] }[];
}

/** Deliveries that are due, those due longest first. */
interface DueDeliveries {
  readonly due: readonly DueDelivery[];
  /** When the next one becomes due by time, or the next lease ends; undefined if none does. */
  readonly next: Millis | undefined;
}

interface DeliveryQuery {
  readonly namespace_id: string;
  readonly message_id?: string;
  readonly target?: string;
  readonly status?: DeliveryStatus;
}

/** What waits of one kind; of all kinds the 10,000 that are due first are counted. */
export interface WaitingDeliveries {
  readonly kind: DeliveryName;
  readonly count: number;
  /** When the oldest of them was created. */
  readonly oldest_at: Millis;
}

/**
 * What leaves the service: claimed under leases by any node, and written under the claim's fence. Removed with the message
 * or the namespace that it is about, whether it arrived or not.
 */
export interface Deliveries {
  /** Durable when it resolves; `state` is set in the same transaction. Does nothing when the id is taken. */
  add(delivery: NewDelivery, state?: State): Promise<void>;
  /** Up to `max` that are due. */
  due(of: DueQuery, now: Millis, max: number): Promise<DueDeliveries>;
  /** Claims those of `ids` that are still due, each for `lease_ms`. */
  claim(ids: readonly string[], now: Millis, lease_ms: Millis): Promise<readonly DeliveryClaim[]>;
  /**
   * Claims up to `max` to a target that are due and stand as `id` does, queued or deferred, in the order in which they were
   * made; fewer where others claim them.
   */
  claimNext(
    of: { readonly id: string; readonly target: string },
    now: Millis,
    lease_ms: Millis,
    max: number,
  ): Promise<readonly DeliveryClaim[]>;
  /** Extends the leases until `until`; returns the ids still claimed. */
  renew(claims: readonly Claimed[], until: Millis): Promise<readonly string[]>;
  /** Gives a claim back without an attempt, due at `at`. False when the claim was lost. */
  release(claim: Claimed, at: Millis): Promise<boolean>;
  /** The same for several. */
  releaseAll(claims: readonly Claimed[], at: Millis): Promise<void>;
  /** Due again at `at`; the first time it is the event `delivery.deferred` of an e-mail. False when the claim was lost. */
  deferred(claim: Attempted, error: string, at: Millis, now: Millis): Promise<boolean>;
  /**
   * Ends it; the row stays until it is retired. Of an e-mail it is the event `delivery.sent`. False when the claim was
   * lost.
   */
  sent(claim: Attempted, now: Millis): Promise<boolean>;
  /** Ends those that arrived in one request, none of them an e-mail. */
  sentAll(claims: readonly Claimed[], now: Millis): Promise<void>;
  /** As `sent`; of an e-mail it is the event `delivery.bounced`. */
  failed(claim: Attempted, error: string, now: Millis): Promise<boolean>;
  /**
   * One that a server took could not be delivered after all, with the event `delivery.bounced`; no attempt follows. False
   * when none was begun, or it has failed already.
   */
  bounced(id: string, error: string, now: Millis): Promise<boolean>;
  /** One that had left has not arrived yet, for the first time, with the event `delivery.deferred`. False when it was not sent. */
  delayed(id: string, error: string, now: Millis): Promise<boolean>;
  /** The recipient of one that had left reported it, with the event `delivery.complained`. False when it had not left. */
  complained(id: string, error: string, now: Millis): Promise<boolean>;
  /** Ends it and removes the row, whose bytes leave the files like expired content. False when the claim was lost. */
  remove(claim: Claimed): Promise<boolean>;
  byId(id: string): Promise<Delivery | undefined>;
  /** Newest first. `before` is the last id of the previous page. */
  page(
    of: DeliveryQuery,
    before: string | null,
    size: number,
  ): Promise<{ readonly items: readonly Delivery[]; readonly next: string | null }>;
  waiting(): Promise<readonly WaitingDeliveries[]>;
  /** Removes up to `max` that ended before `before`, those that ended first; returns how many. */
  retire(before: Millis, max: number): Promise<number>;
}

type Suppressed = Pick<Suppression, 'namespace_id' | 'kind' | 'target'>;

/** Those of a namespace go with it. */
export interface Suppressions {
  /** An earlier suppression of the target stays. */
  add(suppression: Suppression): Promise<void>;
  find(of: Suppressed): Promise<Suppression | undefined>;
  /** False when the target was not suppressed. */
  remove(of: Suppressed): Promise<boolean>;
  /** Those of a namespace by target; `after` is the last target of the previous page. */
  page(
    of: { readonly namespace_id: string; readonly kind: DeliveryName },
    after: string | null,
    size: number,
  ): Promise<{ readonly items: readonly Suppression[]; readonly next: string | null }>;
}

/** Why an attempt failed; `reason` is logged and holds no address and nothing of the payload. */
export interface Failure {
  /** What the other server said, on one line, for the owner alone. */
  readonly response?: string | undefined;
  /** Whether a retry would change nothing. */
  readonly permanent: boolean;
  readonly reason: string;
  /** How long the target asked to be left alone. */
  readonly retry_after_ms?: Millis | undefined;
}

/** The result of one attempt. `ended`: its end is written already. `dropped`: there is nothing to deliver any more, and the row is removed. */
export type DeliveryResult =
  | { readonly kind: 'sent'; readonly ended?: boolean | undefined }
  | { readonly kind: 'dropped' }
  | ({ readonly kind: 'failed' } & Failure)
  /** Nothing was attempted, and nothing can be before `at`. */
  | { readonly kind: 'later'; readonly at: Millis };

/** A kind of deliveries: how its attempts are made. Its retries are those of `RETRIES`. */
export interface DeliveryKind {
  readonly name: DeliveryName;
  /** Maximum number in progress on a node. */
  readonly max: number;
  /** An attempt is ended and counts as failed after this time. */
  readonly attempt_ms: Millis;
  /** Whether rows stay with their status after the last attempt. */
  readonly keeps: boolean;
  /** Whether targets can be suppressed, which is looked up before each attempt. */
  readonly suppressible?: boolean;
  /** The target as it may be logged: a domain at most. */
  logged(target: string): string;
  /** Its status was written, and an event of an e-mail with it; of several in one request, that of the first. */
  changed?(delivery: Delivery): void;
  /** Makes one attempt, until `signal` aborts. May be called again for a delivery that arrived, after a crash. */
  deliver(delivery: DeliveryClaim, signal: AbortSignal): Promise<DeliveryResult>;
  /** The same for several to one target in one request; the results are in their order. */
  deliverAll?(deliveries: readonly Delivery[], signal: AbortSignal): Promise<readonly DeliveryResult[]>;
}
