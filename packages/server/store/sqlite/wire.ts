import type { Cell } from '../db.ts';
import { positionsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { EMAIL_TERMS } from '../statements/accepted-email.ts';
import { TERMS } from '../statements/message-row.ts';
import type { Compaction } from './deletion.ts';

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
/** The cells of SETTLE with any fence, and the plan with which it waits. */
export const REFUSE = 9;
/** As CLAIM, of one message during which a process died. */
export const CLAIM_SUSPECT = 10;
/** The cells of SETTLE with any fence, then `ANSWER_TERMS`. */
export const ANSWER = 11;
/** The cells of ACCEPT, then `EMAIL_TERMS`. */
export const ACCEPT_EMAIL = 12;
/** The cells of SETTLE, then those of WRITE: steps that are taken after the settlement, if there was one. */
export const SETTLE_THEN = 13;
/** The cells of ACCEPT_EMAIL, then those of WRITE: steps that are taken after the acceptance, if it was written. */
export const ACCEPT_THEN = 14;
/** The drafts of audit entries as JSON, then another operation with its cells, whose changes they describe. */
export const AUDITED = 15;
/** The number of cells of a settlement, in SETTLE and similar operations. */
export const SETTLE_CELLS = 8;

/** The number of columns of a message, which are the first cells of an acceptance. */
export const MESSAGE_CELLS = messages.names.length;
export const ACCEPT_CELLS = MESSAGE_CELLS + TERMS.length;
/** The number of cells of an acceptance of a mail. */
export const ACCEPT_EMAIL_CELLS = ACCEPT_CELLS + EMAIL_TERMS.length;

/** The positions of the cells of an acceptance. */
export const AT = {
  ...positionsOf(messages),
  ...(Object.fromEntries(TERMS.map((name, at) => [name, MESSAGE_CELLS + at])) as {
    readonly [name in (typeof TERMS)[number]]: number;
  }),
};

/** A failed operation: `[position in the batch, message, SQLite's extended result code or 0]`. */
export type Failure = readonly [place: number, message: string, errcode: number];

/** The results of a batch: each operation's result, null when every one is 0; and the failures, null when there are none. */
export type Results = readonly [results: readonly unknown[] | null, failures: readonly Failure[] | null];

/** The results, and how many batches shared the transaction. */
export type Outcome = readonly [...Results, batches: number];

export interface WriterData {
  readonly path: string;
  /** A maintenance command beside the service that holds the file. */
  readonly alongside: boolean;
  /** The hour (UTC) for compactions that take long; undefined: none. */
  readonly compactHour: number | undefined;
}

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed' }
  | ({ readonly kind: 'compacted' } & Compaction);

/** Bytes of the texts and bytes among the cells, where a character counts as one. */
export function bytesOf(cells: readonly Cell[], from = 0): number {
  let bytes = 0;
  for (let at = from; at < cells.length; at++) {
    const cell = cells[at];
    if (typeof cell === 'string' || cell instanceof Uint8Array) bytes += cell.length;
  }
  return bytes;
}
