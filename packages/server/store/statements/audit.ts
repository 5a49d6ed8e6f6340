import {
  AUDIT_GENESIS,
  type AuditActor,
  type AuditEntry,
  type AuditFields,
  type AuditOrigin,
  type AuditRecord,
  type AuditTarget,
  auditText,
  chained,
} from '../../core/entities/audit.ts';
import type { Audit } from '../../core/ports/audit.ts';
import { namePeople } from '../audit/people.ts';
import { type Db, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import { columnsOf, rowOf } from '../schema/table.ts';
import { audit } from '../schema/tables.ts';

/** SQL for the SHA-256 of a text in hexadecimal digits. */
export type HashSql = (text: string) => string;

/** The first entry of a chain follows the genesis; the row of the head is locked until the end of the transaction. */
const extend = (hash: HashSql): string => `
  insert into audit_heads (namespace_id, number, previous_hash, hash)
  values ($1, 1, '${AUDIT_GENESIS}', ${hash(`cast($2 as text) || '${AUDIT_GENESIS}' || cast($3 as text)`)})
  on conflict (namespace_id) do update set number = audit_heads.number + 1, previous_hash = audit_heads.hash,
    hash = ${hash('cast($2 as text) || audit_heads.hash || cast($3 as text)')}`;
const INSERT = `
  insert into audit (${columnsOf(audit)})
  select namespace_id, number, $2, $3, $4, $5, $6, $7, $8, $9, $10, previous_hash, hash
  from audit_heads where namespace_id = $1`;

const jsonOrNull = (fields: AuditFields | null): string | null => (fields === null ? null : JSON.stringify(fields));

/** Appends an entry to the chain of a namespace. */
export function appendSteps(hash: HashSql, namespace_id: string, record: AuditRecord): readonly WriteStep[] {
  const { id, at, actor, origin, action, target, before, after } = record;
  return [
    step(extend(hash), namespace_id, ...auditText(record)),
    step(
      INSERT,
      namespace_id,
      id,
      at,
      JSON.stringify(chained(actor)),
      actor.id,
      JSON.stringify(origin),
      action,
      JSON.stringify(chained(target)),
      jsonOrNull(before),
      jsonOrNull(after),
    ),
  ];
}

const COLUMNS = columnsOf(audit);
const HEAD = 'select number, hash from audit_heads where namespace_id = $1';
const CHAIN = `
  select ${COLUMNS} from audit where namespace_id = $1 and number > $2 and number <= $3 order by number limit $4`;
/** Only from the beginning of a chain, so that no gap is left where the clocks of nodes differ. */
const RETIRE = `
  delete from audit where (namespace_id, number) in (
    select namespace_id, number from (
      select namespace_id, number, max(at) over (order by number) as latest from (
        select namespace_id, number, at from audit
        where namespace_id = (select namespace_id from audit where at < $1 order by at limit 1)
        order by number limit $2
      ) oldest
    ) aged where latest < $1
  ) returning number`;

/** Deletes the log of the namespace in the first parameter, up to `max` entries at a time. */
export const dropAudit = (max: number): readonly string[] => [
  `delete from audit where (namespace_id, number) in (
    select namespace_id, number from audit where namespace_id = $1 order by number limit ${max}) returning number`,
  'delete from audit_heads where namespace_id = $1 returning number',
];

function entryFrom(row: Row): AuditEntry {
  const { namespace_id: _, actor_id: __, ...entry } = rowOf(audit, row);
  const fields = (text: string | null): AuditFields | null =>
    text === null ? null : (JSON.parse(text) as AuditFields);
  return {
    ...entry,
    actor: JSON.parse(entry.actor) as AuditActor,
    origin: JSON.parse(entry.origin) as AuditOrigin,
    target: JSON.parse(entry.target) as AuditTarget,
    before: fields(entry.before),
    after: fields(entry.after),
  };
}

export function makeAuditReads(db: Db): Omit<Audit, 'add'> {
  return {
    async page({ namespace_id, action, actor }, before, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`];
      if (action !== undefined) where.push(`action = ${p(action)}`);
      if (actor !== undefined) where.push(`actor_id = ${p(actor)}`);
      if (before !== null) {
        const [place] = await db.read('select number from audit where namespace_id = $1 and id = $2', [
          namespace_id,
          before,
        ]);
        where.push(`number < ${p((place?.number as number | undefined) ?? 0)}`);
      }
      // Found in an index alone, since SQLite would walk the whole log for a rare action.
      const numbers = `select number as n from audit where ${where.join(' and ')} order by number desc limit ${p(size + 1)}`;
      const rows = await db.read(
        `select ${COLUMNS} from (${numbers}) found cross join audit where namespace_id = $1 and number = n order by n desc`,
        values,
      );
      return pageOf(await namePeople(rows.map(entryFrom), db), size);
    },
    async chain(namespaceId, after, end, size) {
      return namePeople((await db.read(CHAIN, [namespaceId, after, end, size])).map(entryFrom), db);
    },
    async head(namespaceId) {
      const [row] = await db.read(HEAD, [namespaceId]);
      return row && { number: row.number as number, hash: row.hash as string };
    },
    async retire(before, max) {
      const [removed] = await db.write([step(RETIRE, before, max)], 'beside');
      return removed?.length ?? 0;
    },
  };
}
