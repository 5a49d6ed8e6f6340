import type { Millis } from '@mailroom/behavior/values/clock';
import { parseJson } from '@mailroom/behavior/values/json';
import type { Domain, RecordState } from '../../core/entities/domain.ts';
import type { DomainKey } from '../../core/entities/domain-key.ts';
import type { EventType } from '../../core/entities/event.ts';
import type { DomainCheck, Domains } from '../../core/ports/domains.ts';
import { type Cell, type Db, params, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { domains } from '../schema/tables.ts';
import { holdNamespace, namespaceLives } from './living.ts';

const COLUMNS = columnsOf(domains);
const NEW = parametersOf(domains);
const OF_NAMESPACE = 'select id, domain from domains where namespace_id = $1';
const CREATE = `${insertIfSql(
  domains,
  `${namespaceLives(NEW.namespace_id)}
  and (select count(*) from domains where namespace_id = ${NEW.namespace_id}) < ${parameterAfter(domains, 1)}`,
)} on conflict (namespace_id, domain) do nothing returning id`;
const HOLDER = `
  select d.namespace_id, n.name from domains d join namespaces n on n.id = d.namespace_id and n.deleted_at is null
  where d.domain = $1 and d.status = 'verified'`;

/** Locks one row of the domain, the same for all that verify it, so that they do so one after the other. */
const HOLD = `
  update domains set created_at = created_at
  where id = (select min(o.id) from domains o where o.domain = (select domain from domains where id = $1))`;
const NOT_ELSEWHERE = `
  not exists (select 1 from domains o where o.domain = domains.domain and o.status = 'verified' and o.id <> domains.id)`;
const DISPLACE = `
  update domains set status = 'failed', error = $3, check_at = null, failing_since = null
  where id = $2 and status = 'verified' and domain = (select domain from domains where id = $1)`;
const DISPLACED = 'Another namespace verified it, and its record of this one is gone.';
const DUE = `
  update domains set check_at = $2
  where check_at <= $1 and id in (select id from domains where check_at <= $1 order by check_at limit $3)
  returning ${COLUMNS}`;
/** Locks it, so that of two who replace its keys at once only one writes the event. */
const HOLD_KEYS = 'update domains set dkim = dkim where id = $1';
const REPLACE_KEYS = `
  update domains set dkim = $3, check_at = case when cast($4 as bigint) < check_at then cast($4 as bigint) else check_at end
  where id = $1 and dkim = $2 returning id`;
const DROP_OF_NAMESPACE = 'delete from domains where namespace_id = $1';

function domainFrom(row: Row): Domain {
  const { dkim, records, ...rest } = rowOf(domains, row);
  return {
    ...rest,
    keys: parseJson(dkim) as unknown as readonly DomainKey[],
    records: parseJson(records) as unknown as readonly RecordState[],
  };
}

/** The event of a change, for the transaction of the change and before it. `where` may name further parameters, from `$4`. */
const event = (type: EventType, id: string, time: Millis, where: string, ...more: readonly Cell[]): WriteStep =>
  step(
    `insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
     select namespace_id, '', $2, id, cast($3 as bigint), 0 from domains where id = $1 and ${where}`,
    id,
    type,
    time,
    ...more,
  );

/** Writes what a check found, and more columns. */
function checked(id: string, check: DomainCheck, more: { readonly [name: string]: Cell } = {}, where = ''): WriteStep {
  const { values, p } = params();
  const { records, ...fields } = check;
  const condition = `where id = ${p(id)} ${where}`;
  const sets = Object.entries({ ...fields, records: JSON.stringify(records), ...more }).map(
    ([name, value]) => `${name} = ${p(value)}`,
  );
  return step(`update domains set ${sets.join(', ')} ${condition} returning id`, ...values);
}

/** Removes the domains of a namespace that is deleted, in the same transaction, so that others may have them. */
export const dropDomains = (namespaceId: string): WriteStep => step(DROP_OF_NAMESPACE, namespaceId);

/** Those of these ids that exist. */
export async function domainsByIds(db: Db, ids: readonly string[]): Promise<readonly Domain[]> {
  const these = [...new Set(ids.filter((id) => id.startsWith('dom_')))];
  if (these.length === 0) return [];
  const { values, p } = params();
  const rows = await db.read(`select ${COLUMNS} from domains where id in (${these.map(p).join(', ')})`, values);
  return rows.map(domainFrom);
}

export function makeDomains(db: Db): Domains {
  const findWhere = async (where: string, ...of: readonly Cell[]): Promise<Domain | undefined> => {
    const [row] = await db.read(`select ${COLUMNS} from domains where ${where}`, of);
    return row && domainFrom(row);
  };
  return {
    async create({ keys, records, ...domain }, max) {
      const cells = cellsOf(domains, { ...domain, dkim: JSON.stringify(keys), records: JSON.stringify(records) });
      const { namespace_id } = domain;
      const [, existing, insertedRows] = await db.write(
        [holdNamespace(namespace_id), step(OF_NAMESPACE, namespace_id), step(CREATE, ...cells, max)],
        'beside',
      );
      if (insertedRows?.length) return 'created';
      if (existing?.some((row) => row.domain === domain.domain)) return 'exists';
      return (existing?.length ?? 0) >= max ? 'full' : 'gone';
    },
    find: (namespaceId, domain) => findWhere('namespace_id = $1 and domain = $2', namespaceId, domain),
    async list(namespaceId) {
      const rows = await db.read(`select ${COLUMNS} from domains where namespace_id = $1 order by id`, [namespaceId]);
      return rows.map(domainFrom);
    },
    verified: (domain) => findWhere("domain = $1 and status = 'verified'", domain),
    async holder(domain) {
      const [row] = await db.read(HOLDER, [domain]);
      return row && { namespace_id: row.namespace_id as string, namespace: row.name as string };
    },
    async verify(id, check, now, displaced) {
      const displace =
        displaced === undefined
          ? []
          : [event('domain.failed', displaced, now, "status = 'verified'"), step(DISPLACE, id, displaced, DISPLACED)];
      const written = await db.write(
        [
          step(HOLD, id),
          ...displace,
          event('domain.verified', id, now, `status <> 'verified' and ${NOT_ELSEWHERE}`),
          checked(id, check, { status: 'verified' }, `and ${NOT_ELSEWHERE}`),
          step(
            'update domains set verified_at = coalesce(verified_at, $2) where id = $1 and status = $3',
            id,
            now,
            'verified',
          ),
          step('select id from domains where id = $1', id),
        ],
        'beside',
      );
      if (written.at(-3)?.length) return 'verified';
      return written.at(-1)?.length ? 'taken' : 'gone';
    },
    async note(id, check) {
      const [noted] = await db.write([checked(id, check)], 'beside');
      return noted?.length === 1;
    },
    async fail(id, check, now) {
      const [, failed] = await db.write(
        [
          event('domain.failed', id, now, "status <> 'failed'"),
          checked(id, check, { status: 'failed', verified_at: null }),
        ],
        'beside',
      );
      return failed?.length === 1;
    },
    async replaceKeys(id, before, keys, { check_at, changed_at } = {}) {
      const oldKeys = JSON.stringify(before);
      const events =
        changed_at === undefined
          ? []
          : [step(HOLD_KEYS, id), event('domain.keys_changed', id, changed_at, 'dkim = $4', oldKeys)];
      const written = await db.write(
        [...events, step(REPLACE_KEYS, id, oldKeys, JSON.stringify(keys), check_at ?? null)],
        'beside',
      );
      return written.at(-1)?.length === 1;
    },
    async remove(id) {
      const [removed] = await db.write([step('delete from domains where id = $1 returning id', id)], 'expire');
      return removed?.length === 1;
    },
    async takeDue(now, until, max) {
      const [due] = await db.write([step(DUE, now, until, max)], 'beside');
      return (due ?? []).map(domainFrom);
    },
  };
}
