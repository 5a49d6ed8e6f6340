import type { Key, Scope } from '../../core/entities/key.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import type { Keys } from '../../core/ports/keys.ts';
import { type Cell, type Db, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { keys } from '../schema/tables.ts';
import { UNASSIGN } from './conversations.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';

const COLUMNS = columnsOf(keys);
/** The parameters of a key that is inserted. */
export const KEY = parametersOf(keys);

export const keyFrom = (row: Row): Key => {
  const { scopes, also, ...key } = rowOf(keys, row);
  return { ...key, scopes: JSON.parse(scopes) as Scope[], also: also === null ? [] : (JSON.parse(also) as string[]) };
};

/** The columns of a key that are JSON. */
export const keyCells = ({ scopes, also }: Pick<Key, 'scopes' | 'also'>) => ({
  scopes: JSON.stringify(scopes),
  also: also.length === 0 ? null : JSON.stringify(also),
});

/**
 * Inserts the key if `condition` holds, whose parameters follow the key's own. None is created in a namespace that was
 * deleted meanwhile, whose purge may be complete already.
 */
export const insertKey = (key: Key, condition = '', ...more: Cell[]): WriteStep => {
  const lives = `not exists (select 1 from namespaces where id = ${KEY.namespace_id} and deleted_at is not null)`;
  const cells = cellsOf(keys, { ...key, ...keyCells(key) });
  return step(`${insertIfSql(keys, `${lives} ${condition}`)} returning id`, ...cells, ...more);
};

/** The condition that fewer keys work in its namespace than the parameter says. */
const hasRoom = (max: string): string => `
  and (select count(*) from keys where namespace_id = ${KEY.namespace_id} and revoked_at is null and expires_at is null)
    + (select count(*) from keys
        where namespace_id = ${KEY.namespace_id} and revoked_at is null and expires_at > ${KEY.created_at}) < ${max}`;

/** Locks the key that makes another, so that it is not lowered meanwhile. */
const HOLD = 'update keys set name = name where id = $1';
/** The condition that the key of the parameter, if any, may still do what this one may. */
const mayMake = ({ scopes }: Key, nth: number): string => {
  const maker = `cast(${parameterAfter(keys, nth)} as text)`;
  const has = scopes.map((scope) => `(mk.scopes like '%"owner"%' or mk.scopes like '%"${scope}"%')`).join(' and ');
  return `and (${maker} is null or exists (select 1 from keys mk where mk.id = ${maker} and mk.revoked_at is null and ${has}
    and (mk.mailbox_id is null or mk.mailbox_id = ${KEY.mailbox_id}
      or mk.also like '%"' || cast(${KEY.mailbox_id} as text) || '"%')))`;
};

const IS_MINE = `and exists (select 1 from idempotency
  where scope = ${parameterAfter(keys, 1)} and key = ${parameterAfter(keys, 2)} and ref = ${KEY.id})`;

const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3 and not exists (select 1 from keys where id = $3)`;
const NAMESPACE_DELETED = 'select 1 as gone from namespaces where id = $1 and deleted_at is not null';

const USE = `
  update keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)`;

const REVOKE = `
  update keys set revoked_at = $3 where id = $1 and namespace_id = $2 and revoked_at is null returning id`;

const REMOVE = 'delete from keys where id = $1 and namespace_id = $2 and revoked_at is not null returning id';

const SWEEP = ['revoked_at', 'expires_at'].map(
  (end) => `delete from keys where id in
    (select id from keys where ${end} is not null and ${end} < $1 order by ${end} limit $2) returning id`,
);

const RENEW = `
  update keys set sha256 = $2, prefix = $3 where id = $1 and last_used_at is null and revoked_at is null
  returning ${COLUMNS}`;

export function makeKeys(db: Db): Keys {
  const findWhere = async (where: string, value: string): Promise<Key | undefined> => {
    const [row] = await db.read(`select ${COLUMNS} from keys where ${where} limit 1`, [value]);
    return row && keyFrom(row);
  };
  return {
    async create(key: Key, idempotency?: Idempotency, max = Number.MAX_SAFE_INTEGER, maker?: string) {
      // In a deleted namespace the key is reported as created: nothing accepts it.
      const deleted = step(NAMESPACE_DELETED, key.namespace_id);
      if (idempotency === undefined) {
        const insertion = insertKey(key, `${hasRoom(parameterAfter(keys, 1))} ${mayMake(key, 2)}`, max, maker ?? null);
        const [, inserted, gone] = await db.write([step(HOLD, maker ?? null), insertion, deleted]);
        return { kind: inserted?.length || gone?.length ? 'created' : 'full' };
      }
      const [, , insertedRows, , first, gone] = await db.write([
        step(HOLD, maker ?? null),
        takeIdempotencyKey(idempotency, key.id, key.created_at),
        insertKey(
          key,
          `${IS_MINE} ${hasRoom(parameterAfter(keys, 3))} ${mayMake(key, 4)}`,
          ...[idempotency.scope, idempotency.key, max, maker ?? null],
        ),
        step(RELEASE_IDEMPOTENCY_KEY, idempotency.scope, idempotency.key, key.id),
        readIdempotencyKey(idempotency),
        deleted,
      ]);
      if (insertedRows?.length) return { kind: 'created' };
      return replayedBy(first, key.id) ?? { kind: gone?.length ? 'created' : 'full' };
    },
    bySha256: (sha256) => findWhere('sha256 = $1', sha256),
    byId: (id) => findWhere('id = $1', id),
    firstOf: (namespaceId) => findWhere('namespace_id = $1 order by id', namespaceId),
    async page({ namespace_id, mailbox_id, revoked = false }, after, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`, `id > ${p(after ?? '')}`];
      if (!revoked) where.push('revoked_at is null');
      if (mailbox_id !== undefined) where.push(`mailbox_id = ${p(mailbox_id)}`);
      const rows = await db.read(
        `select ${COLUMNS} from keys where ${where.join(' and ')} order by id limit ${p(size + 1)}`,
        values,
      );
      return pageOf(rows.map(keyFrom), size);
    },
    async revoke(id, namespaceId, now) {
      const [revoked] = await db.write([step(REVOKE, id, namespaceId, now), step(UNASSIGN, id)]);
      return revoked?.length === 1;
    },
    async remove(id, namespaceId) {
      const [removed] = await db.write([step(REMOVE, id, namespaceId)]);
      return removed?.length === 1;
    },
    async sweep(before, max) {
      const swept = await db.write(
        SWEEP.map((sql) => step(sql, before, max)),
        'expire',
      );
      return Math.max(...swept.map((rows) => rows.length));
    },
    async used(uses) {
      if (uses.length > 0) {
        await db.write(
          // In the same order on every node, so that two nodes cannot deadlock.
          uses.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, at }) => step(USE, id, at)),
          'beside',
        );
      }
    },
    async renew(id, fresh) {
      const [renewed] = await db.write([step(RENEW, id, fresh.sha256, fresh.prefix)]);
      return renewed?.[0] && keyFrom(renewed[0]);
    },
  };
}
