import type { Cell } from '../db.ts';
import type { Erased } from './traces.ts';

/**
 * What crosses to the writer thread: one flat array of cells a batch, each operation as `[op, count, ...cells]`. A
 * structured clone of 64 acceptances costs each side 1 µs an acceptance that way; as JSON it cost a fifth more, as
 * objects a multiple.
 */
export type Batch = readonly Cell[];

export const ACCEPT = 0;
export const SETTLE = 1;
export const CANCEL = 2;
export const CLAIM = 3;
export const RENEW = 4;
export const LATER = 5;
export const WRITE = 6;
/** As WRITE, after the milliseconds until what it deletes or blanks is removed from the files too. */
export const ERASE = 7;
/** The cells of SETTLE, then those of ERASE or, with null first, of WRITE: what is written before it, guarded as it is. */
export const SETTLE_WITH = 8;
/** The cells of SETTLE with any fence, and the plan that its job waits with. */
export const REFUSE = 9;
/** So many are a settlement's, in SETTLE and what is like it. */
export const SETTLE_CELLS = 8;

/** The cells of an acceptance that the writer looks at, by place; the message's columns come first, as in the table. */
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

/** Why an operation failed: `[place in the batch, message, SQLite's extended result code or 0]`. */
export type Failure = readonly [place: number, message: string, errcode: number];

/** What comes of a batch: each operation's result, null when every one is 0; and what failed, null when nothing did. */
export type Results = readonly [results: readonly unknown[] | null, failures: readonly Failure[] | null];

/** The same, and how many batches went into the one transaction. */
export type Outcome = readonly [...Results, batches: number];

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed' }
  | ({ readonly kind: 'erased' } & Erased);
