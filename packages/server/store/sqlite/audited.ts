import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { type AuditDraft, recordOf } from '../audit/draft.ts';
import { readImage } from '../audit/images.ts';
import type { Row, WriteStep } from '../db.ts';
import { appendSteps, type HashSql } from '../statements/audit.ts';
import { allRows, statements } from './connection.ts';
import type { HotStatement } from './hot-leases.ts';

const FUNCTION = 'sha256_hex';
const HASH: HashSql = (text) => `${FUNCTION}(${text})`;

/**
 * The operation that runs another one and appends what it changed to the audit log, in the writer's transaction;
 * `insertCollected`: as of the hot statements.
 */
export function makeAudited(
  db: DatabaseSync,
  operations: readonly HotStatement[],
  insertCollected: () => void,
): HotStatement {
  const prepare = statements(db);
  db.function(FUNCTION, { deterministic: true }, (text) => hash('sha256', text as string, 'hex'));
  const run = ({ sql, params }: WriteStep): Row[] => allRows(prepare(sql), params);
  const read = ({ row }: AuditDraft): Row | undefined => row && run(readImage(row))[0];
  return (batch, offset, count) => {
    const drafts = JSON.parse(batch[offset] as string) as AuditDraft[];
    const before = drafts.map(read);
    const result = operations[batch[offset + 1] as number]?.(batch, offset + 2, count - 2);
    insertCollected();
    for (const [index, draft] of drafts.entries()) {
      const record = recordOf(draft, before[index], read(draft));
      if (record !== undefined) appendSteps(HASH, draft.namespace_id, record).forEach(run);
    }
    return result;
  };
}
