import type { Millis } from '@mailroom/behavior/values/clock';
import type { AuditEntry, AuditFields, AuditTarget } from '../entities/audit.ts';
import type { Page } from '../values/page.ts';

interface AuditQuery {
  readonly namespace_id: string;
  readonly action?: string | undefined;
  /** The id of an actor. */
  readonly actor?: string | undefined;
}

/** Something that changes no row: a read, an export, a sign-in. */
export interface AuditEvent {
  readonly namespace_id: string;
  readonly action: string;
  readonly target: AuditTarget;
  /** The account that did it, by whichever request; else it is the caller of the request. */
  readonly account_id?: string;
  readonly after?: AuditFields;
}

/** The end of a chain. */
interface AuditHead {
  readonly number: number;
  readonly hash: string;
}

/**
 * The audit log. Changes are written by the methods that make them, in the same transaction; only what changes nothing is
 * added by a call of its own.
 */
export interface Audit {
  /** Durable when it resolves. */
  add(event: AuditEvent): Promise<void>;
  /** Newest first; `before` is the last id of the previous page. */
  page(query: AuditQuery, before: string | null, size: number): Promise<Page<AuditEntry>>;
  /** Oldest first: up to `size` entries with a number above `after` and up to `end`. */
  chain(namespace_id: string, after: number, end: number, size: number): Promise<readonly AuditEntry[]>;
  /** Undefined where nothing was ever written. */
  head(namespace_id: string): Promise<AuditHead | undefined>;
  /** Removes up to `max` of the oldest entries of namespaces from before `before`; returns how many. */
  retire(before: Millis, max: number): Promise<number>;
}
