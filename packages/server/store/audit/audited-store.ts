import { randomBytes } from 'node:crypto';
import type { Clock } from '@mailroom/behavior/values/clock';
import { idFrom } from '@mailroom/behavior/values/ids';
import type { AuditActor } from '../../core/entities/audit.ts';
import type { Audit, AuditEvent } from '../../core/ports/audit.ts';
import { type AuditScope, actingAs, auditScope, SERVICE_SCOPE } from '../../core/ports/audit-scope.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Db } from '../db.ts';
import { makeAuditReads } from '../statements/audit.ts';
import { accountActor, keyActor } from './actors.ts';
import { type Change, spread } from './change.ts';
import { CHANGES } from './changes.ts';
import { type AuditDraft, withDrafts } from './draft.ts';
import { withAddresses } from './people.ts';

/** Random bytes of an id. */
const ID_BYTES = 10;

type Method = (...args: unknown[]) => Promise<unknown>;
type ChangeOf = (...args: unknown[]) => Change | readonly Change[] | undefined;

/**
 * The store with its audit log: what its methods change, on behalf of the caller of the running request (`inAuditScope`)
 * or else of the service, is written with an entry in the same transaction, as `CHANGES` says.
 */
export function audited(store: Omit<Store, 'audit'>, db: Db): Store {
  const { clock } = store;
  const ports: Record<string, unknown> = { ...store };
  for (const [name, changes] of Object.entries(CHANGES) as [
    Exclude<keyof typeof store, symbol>,
    Record<string, ChangeOf>,
  ][]) {
    const port = { ...(store[name] as object) } as Record<string, Method>;
    for (const [method, changeOf] of Object.entries(changes))
      port[method] = auditedMethod(port[method] as Method, changeOf, db, clock);
    ports[name] = port;
  }
  return { ...ports, audit: makeAudit(db, clock) } as unknown as Store;
}

function auditedMethod(method: Method, changeOf: ChangeOf, db: Db, clock: Clock): Method {
  return async (...args) => {
    const change = changeOf(...args);
    if (change === undefined) return method(...args);
    const changes = (Array.isArray(change) ? change : [change]) as readonly Change[];
    const all = (await Promise.all(changes.map((each) => spread(each, db)))).flat();
    const drafts = await Promise.all(all.map((each) => draftsOf(each, db, clock)));
    return withDrafts(drafts.flat(), () => method(...args));
  };
}

/** One for each log in which the change stands; none where it concerns no namespace. */
async function draftsOf(change: Change, db: Db, clock: Clock): Promise<readonly AuditDraft[]> {
  const { action, row, after = null } = change;
  const scope = change.own === true ? SERVICE_SCOPE : (auditScope() ?? SERVICE_SCOPE);
  const ids = await logsOf(change, scope, db);
  if (ids.length === 0) return [];
  const actor = await actorOf(scope, change, ids, db);
  const named = await withAddresses(actor, { name: null, ...change.target }, db);
  const at = clock();
  return ids.map((namespace_id) => ({
    namespace_id,
    // Not `newId`, whose ids of one millisecond follow each other: callers rely on the order of theirs.
    id: idFrom('aud', at, randomBytes(ID_BYTES)),
    at,
    ...named,
    origin: scope.origin,
    action,
    row,
    after,
  }));
}

async function logsOf({ log }: Change, { key }: AuditScope, db: Db): Promise<readonly string[]> {
  if (typeof log === 'string') return log === '' ? [] : [log];
  const rows = await db.read(log.sql, log.params);
  const ids = [...new Set(rows.map(({ namespace_id }) => namespace_id as string))];
  if (log.one !== true) return ids;
  const preferred = ids.find((id) => id === key?.namespace_id) ?? ids[0];
  return preferred === undefined ? [] : [preferred];
}

async function actorOf(
  { actor, key }: AuditScope,
  { key_id, account_id }: Change,
  [log = '']: readonly string[],
  db: Db,
): Promise<AuditActor> {
  if (actor !== undefined) return actor;
  if (key !== undefined) return keyActor(key.id, db);
  if (key_id !== undefined) return keyActor(key_id, db);
  if (account_id !== undefined) return accountActor(account_id, log, db);
  return { kind: 'guest', id: null, name: null };
}

function makeAudit(db: Db, clock: Clock): Audit {
  return {
    ...makeAuditReads(db),
    async add({ namespace_id, account_id, ...event }: AuditEvent) {
      const drafts = () => draftsOf({ ...event, log: namespace_id }, db, clock);
      const entries =
        account_id === undefined
          ? await drafts()
          : await actingAs(await accountActor(account_id, namespace_id, db), drafts);
      await withDrafts(entries, () => db.write([], 'beside'));
    },
  };
}
