import type pg from 'pg';
import { Turns } from '../../core/values/turns.ts';
import { type AuditDraft, recordOf } from '../audit/draft.ts';
import { readImage } from '../audit/images.ts';
import type { Row, WriteStep } from '../db.ts';
import { appendSteps, type HashSql } from '../statements/audit.ts';

const HASH: HashSql = (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;
/** The advisory locks of chains, each with the hash of the namespace's id. */
const LOCKS = 7_245_249;

/** Reads the rows of the drafts that have one. */
export const readImages = (drafts: readonly AuditDraft[]): readonly WriteStep[] =>
  drafts.flatMap(({ row }) => (row === undefined ? [] : [readImage(row)]));

/** The statements that append what changed between the images, which are of the drafts that have a row, in their order. */
export function appendRecords(
  drafts: readonly AuditDraft[],
  before: readonly (readonly Row[])[],
  after: readonly (readonly Row[])[],
): readonly WriteStep[] {
  let place = 0;
  return drafts.flatMap((draft) => {
    const index = draft.row === undefined ? undefined : place++;
    const record =
      index === undefined
        ? recordOf(draft, undefined, undefined)
        : recordOf(draft, before[index]?.[0], after[index]?.[0]);
    return record === undefined ? [] : appendSteps(HASH, draft.namespace_id, record);
  });
}

const namespacesOf = (drafts: readonly AuditDraft[]): readonly string[] =>
  [...new Set(drafts.map(({ namespace_id }) => namespace_id))].toSorted();

/**
 * Lets the audited writes of a namespace run one after the other. All of them change the head of its chain, so that of two
 * at a time one would lose the race; and of those that wait for another node, one connection waits.
 */
export class AuditTurns {
  readonly #turns = new Turns();

  /** Resolves when it is the turn of these entries in this process, with what ends it. */
  async take(drafts: readonly AuditDraft[]): Promise<Disposable> {
    const ends: (() => void)[] = [];
    for (const id of namespacesOf(drafts)) ends.push(await this.#turns.take(id));
    return {
      [Symbol.dispose]() {
        for (const end of ends) end();
      },
    };
  }

  /** Resolves when no other node writes these entries' chains; taken before the transaction, whose snapshot is then new. */
  async lock(client: pg.PoolClient, drafts: readonly AuditDraft[]): Promise<AsyncDisposable> {
    const ids = namespacesOf(drafts);
    for (const id of ids) await client.query(`select pg_advisory_lock(${LOCKS}, hashtext($1))`, [id]);
    return {
      async [Symbol.asyncDispose]() {
        await Promise.all(
          ids.map((id) => client.query(`select pg_advisory_unlock(${LOCKS}, hashtext($1))`, [id]).catch(() => {})),
        );
      },
    };
  }
}
