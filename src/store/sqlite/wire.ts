import type { Cell } from '../db.ts';
import type { Erased } from './traces.ts';

/**
 * A message to the writer thread: one flat array of cells per batch, each operation as `[op, count, ...cells]`. A
 * structured clone of 64 acceptances costs each side 1 µs per acceptance; JSON costs a fifth more, objects several times
 * as much.
 */
export type Batch = readonly Cell[];

export const ACCEPT = 0;
export const SETTLE = 1;
export const CANCEL = 2;
export const CLAIM = 3;
export const RENEW = 4;
export const LATER = 5;
export const WRITE = 6;
/** As WRITE, preceded by the milliseconds until deleted or blanked content is removed from the files too. */
export const ERASE = 7;
/**
 * The cells of SETTLE, then those of ERASE or, with null first, of WRITE: steps written before the settlement, under its
 * condition.
 */
export const SETTLE_WITH = 8;
/** The cells of SETTLE with any fence, and the plan with which its job waits. */
export const REFUSE = 9;
/** The number of cells of a settlement, in SETTLE and similar operations. */
export const SETTLE_CELLS = 8;

/** The positions of the cells of an acceptance that the writer reads; the message's columns come first, as in the table. */
export const AT = {
  id: 0,
  thread_id: 1,
  mailbox_id: 4,
  from: 6,
  key_id: 10,
  channel: 11,
  hops: 12,
  subject: 13,
  status: 16,
  reply_body: 20,
  reply_data: 21,
  created_at: 22,
  settled_at: 23,
  from_mailbox_id: 24,
  leased_until: 25,
  max_waiting: 26,
  once_scope: 27,
  once_key: 28,
  once_hash: 29,
  once_expires_at: 30,
} as const;
export const MESSAGE_CELLS = 25;
export const ACCEPT_CELLS = 31;

/** A failed operation: `[position in the batch, message, SQLite's extended result code or 0]`. */
export type Failure = readonly [place: number, message: string, errcode: number];

/** The results of a batch: each operation's result, null when every one is 0; and the failures, null when there are none. */
export type Results = readonly [results: readonly unknown[] | null, failures: readonly Failure[] | null];

/** The results, and how many batches shared the transaction. */
export type Outcome = readonly [...Results, batches: number];

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed' }
  | ({ readonly kind: 'erased' } & Erased);
