import type { Namespace } from '../../core/entities/namespace.ts';
import type { Namespaces } from '../../core/ports/namespaces.ts';
import { type Db, type Row, step } from '../db.ts';
import { cellsOf, columnsBut, insertIfSql, insertSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { namespaces } from '../schema/tables.ts';
import { addWebhook } from './agent-webhooks.ts';
import { dropDomains } from './domains.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { insertKey, KEY } from './keys.ts';
import { stopAccounts } from './made-by-members.ts';
import { mailboxEvent } from './mailbox-event.ts';
import { insertMailbox } from './mailboxes.ts';
import { claimSteps } from './storage.ts';

const COLUMNS = columnsBut(namespaces, 'network', 'claimed_at');

const namespaceFrom = (row: Row): Namespace => rowOf(namespaces, row);

const INSERT = `${insertSql(namespaces)} on conflict (name) do nothing returning id`;
const IS_MINE = `exists (select 1 from idempotency where scope = ${parameterAfter(namespaces, 1)}
  and key = ${parameterAfter(namespaces, 2)} and ref = ${parametersOf(namespaces).id})`;
/** Inserts the namespace only for the request that took the idempotency key. */
const INSERT_IDEMPOTENCY_KEY = `${insertIfSql(namespaces, IS_MINE)} on conflict (name) do nothing returning id`;

const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3
  and not exists (select 1 from namespaces where id = $3)`;

/** The key needs an existing namespace, as a mailbox does. */
const NAMESPACE_MADE = `and exists (select 1 from namespaces where id = ${KEY.namespace_id})`;

const DELETE = 'update namespaces set deleted_at = $2 where id = $1 and deleted_at is null returning id';
const REVOKE_KEYS = 'update keys set revoked_at = $2 where namespace_id = $1 and revoked_at is null';
const PURGE_MAILBOXES_LATER = `
  insert into jobs (id, kind, subject, due_at)
  select 'mailbox:' || id, 'purge', 'mailbox:' || id, $2 from mailboxes where namespace_id = $1 and deleted_at is null
  on conflict (id) do nothing`;
const DELETE_MAILBOXES = `
  update mailboxes set deleted_at = $2, updated_at = $2 where namespace_id = $1 and deleted_at is null`;
/** The memberships of its mailboxes as accounts. */
const STOP_MEMBERS = stopAccounts('select id from mailboxes where namespace_id = $1 and deleted_at = $2', '$2');
const BLANK_SENDER_LATER = `
  insert into jobs (id, kind, subject, due_at)
  select 'sender:' || id, 'purge', 'sender:' || id, $2 from namespaces where id = $1 and deleted_at = $2
  on conflict (id) do nothing`;

export function makeNamespaces(db: Db): Namespaces {
  const findWhere = async (where: string, value: string): Promise<Namespace | undefined> => {
    const [row] = await db.read(`select ${COLUMNS} from namespaces where ${where}`, [value]);
    return row && namespaceFrom(row);
  };
  return {
    async create({ namespace, key, mailboxes, network = null }, idempotency) {
      const { id, created_at } = namespace;
      const cells = cellsOf(namespaces, { ...namespace, network, claimed_at: null });
      const rest = [
        insertKey(key, NAMESPACE_MADE),
        // A namespace is never created deleted, so the mailboxes' own condition checks that it was created.
        ...mailboxes.flatMap((mailbox) => [
          insertMailbox(mailbox),
          mailboxEvent('mailbox.created', mailbox.id, mailbox.created_at),
          ...addWebhook(mailbox),
        ]),
      ];
      if (idempotency === undefined) {
        const [made] = await db.write([step(INSERT, ...cells), ...rest]);
        return { kind: made?.length ? 'created' : 'taken' };
      }
      const [, insertedRows, first] = await db.write([
        takeIdempotencyKey(idempotency, id, created_at),
        step(INSERT_IDEMPOTENCY_KEY, ...cells, idempotency.scope, idempotency.key),
        readIdempotencyKey(idempotency),
        step(RELEASE_IDEMPOTENCY_KEY, idempotency.scope, idempotency.key, id),
        ...rest,
      ]);
      if (insertedRows?.length) return { kind: 'created' };
      return replayedBy(first, id) ?? { kind: 'taken' };
    },
    byName: (name) => findWhere('name = $1', name),
    byId: (id) => findWhere('id = $1', id),
    async any() {
      const rows = await db.read('select 1 as found from namespaces limit 1', []);
      return rows.length > 0;
    },
    async claim(id, now) {
      return (await db.write(claimSteps(id, now), 'beside')).at(-1)?.length === 1;
    },
    async isClaimed(id) {
      const rows = await db.read('select 1 as claimed from namespaces where id = $1 and claimed_at is not null', [id]);
      return rows.length > 0;
    },
    async rename(id, displayName) {
      const [renamed] = await db.write([
        step(
          `update namespaces set display_name = $2 where id = $1 and deleted_at is null returning ${COLUMNS}`,
          id,
          displayName,
        ),
      ]);
      return renamed?.[0] && namespaceFrom(renamed[0]);
    },
    async delete(id, now) {
      const [deleted] = await db.write([
        step(DELETE, id, now),
        step(REVOKE_KEYS, id, now),
        step(PURGE_MAILBOXES_LATER, id, now),
        step(DELETE_MAILBOXES, id, now),
        ...STOP_MEMBERS.map((sql) => step(sql, id, now)),
        dropDomains(id),
        step(BLANK_SENDER_LATER, id, now),
      ]);
      return deleted?.length === 1;
    },
  };
}
