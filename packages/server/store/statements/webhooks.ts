import { eventIdOf, eventPlaceOf } from '@mailroom/behavior/values/ids';
import type { EventType } from '../../core/entities/event.ts';
import type { Webhook } from '../../core/entities/webhook.ts';
import type { Backlog, Webhooks } from '../../core/ports/webhooks.ts';
import { type Cell, type Db, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import {
  cellsOf,
  columnsOf,
  insertIfSql,
  insertSharedSql,
  insertSql,
  parameterAfter,
  parametersOf,
  type RowOf,
  rowOf,
} from '../schema/table.ts';
import { deliveries, webhooks } from '../schema/tables.ts';
import { DELIVERY, deliveryFrom, deliveryRow, endedRow, endOf } from './deliveries.ts';
import type { Order } from './event-order.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { holdNamespace, mailboxLives, namespaceLives } from './living.ts';

const COLUMNS = columnsOf(webhooks);
const NEW = parametersOf(webhooks);
const LIVES = `${namespaceLives('webhooks.namespace_id')}
  and (mailbox_id is null or ${mailboxLives('webhooks.mailbox_id')})`;
const BY_ID = `select ${COLUMNS} from webhooks where id = $1 and ${LIVES}`;

const MAX = parameterAfter(webhooks, 1);
const HAS_ROOM = `(select count(*) from webhooks where namespace_id = ${NEW.namespace_id}) < ${MAX}`;
const NEW_LIVES = `${namespaceLives(NEW.namespace_id)}
  and (cast(${NEW.mailbox_id} as text) is null or ${mailboxLives(NEW.mailbox_id)})`;
const CREATE = `${insertIfSql(webhooks, `${NEW_LIVES} and ${HAS_ROOM}`)}`;
const IS_MINE = `and exists (select 1 from idempotency
  where scope = ${parameterAfter(webhooks, 2)} and key = ${parameterAfter(webhooks, 3)} and ref = ${NEW.id})`;
const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3
  and not exists (select 1 from webhooks where id = $3)`;
const COUNT = 'select count(*) as count from webhooks where namespace_id = $1';

/** Locks the webhook, so that what is read of it stays so to the end of the transaction. */
const HOLD = 'update webhooks set updated_at = updated_at where id = $1';
const event = (type: EventType, where: string): string => `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select namespace_id, '', '${type}', id, cast($2 as bigint), 0 from webhooks where id = $1 and ${where}`;
const DISABLED_EVENT = event('webhook.disabled', "status = 'enabled'");
const LIMITED_EVENT = event('webhook.limited', 'limited_since is null');
const LIMIT = 'update webhooks set limited_since = $2 where id = $1 and limited_since is null returning id';
const DISABLE = `
  update webhooks set status = 'disabled', disabled_reason = $2, disabled_at = $3, error = $4, updated_at = $3
  where id = $1 and status = 'enabled' returning id`;
/** The condition repeats those of the index of deliveries that have not arrived. */
const UNSENT = "target = $1 and event_id is not null and status <> 'sent'";
const GIVE_UP = `
  update deliveries set status = 'failed', error = $2, due_at = null, updated_at = $3
  where ${UNSENT} and due_at is not null and leased = 0
    and exists (select 1 from webhooks where id = $1 and status = 'disabled')`;
/** What is in progress too, in case its next attempt comes later. */
const MOVE = `update deliveries set destination = $2 where ${UNSENT} and due_at is not null`;
const GIVEN_UP = 'The webhook was switched off.';
const ENABLE = `
  update webhooks set status = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null, error = null,
    cursor_tx = $2, cursor_seq = $3, replayed_at = null, updated_at = $4
  where id = $1 and status = 'disabled'`;
const ROTATE = `
  update webhooks set secret = $3, previous_secrets = $4, updated_at = $5
  where id = $1 and secret = $2 returning ${COLUMNS}`;
const FAILS = `
  update webhooks set failing_since = coalesce(failing_since, cast($2 as bigint)), error = $3
  where id = $1 and status = 'enabled'`;
const WORKS = `
  update webhooks set failing_since = null, error = null
  where id = $1 and status = 'enabled' and failing_since is not null`;

const ADVANCE = `
  update webhooks set cursor_tx = $2, cursor_seq = $3
  where id = $1 and cursor_tx = $4 and cursor_seq = $5 and status = 'enabled'
  returning id`;
const REPLAY = `
  update webhooks set cursor_tx = $2, cursor_seq = $3, replayed_at = $4
  where id = $1 and status = 'enabled' returning id`;
/** In what deliveries of one webhook differ that are written together. */
const OWN = ['id', 'message_id', 'event_id', 'payload'] as const;
const SHARED = deliveries.names.filter((name) => !OWN.some((each) => each === name)) as readonly (keyof RowOf<
  typeof deliveries
>)[];
/** Where it is not, another node makes the deliveries. */
const isMoved = (from: number): string =>
  `exists (select 1 from webhooks where id = $${from} and cursor_tx = $${from + 1} and cursor_seq = $${from + 2})`;
const ONCE = 'on conflict (target, event_id) where event_id is not null do';
/** What ended before the time in the last parameter is made again. */
const ADDED = (from: number): string => `${isMoved(from)} ${ONCE} update set
    status = 'queued', error = null, leased = 0, fence = deliveries.fence + 1, attempt = 0,
    due_at = excluded.due_at, updated_at = excluded.updated_at, expires_at = excluded.expires_at
  where deliveries.due_at is null and deliveries.updated_at < $${from + 3}`;
const BEGUN = (from: number): string => `${isMoved(from)} ${ONCE} nothing`;
const ENDED = (from: number): string => `exists (select 1 from webhooks where id = $${from}) ${ONCE} nothing`;
const HAS_DELIVERIES = `
  select 1 from deliveries where target = $1 and event_id is not null and event_id > $2 and event_id <= $3 limit 1`;

const REDELIVER = `
  update deliveries set status = 'queued', error = null, due_at = $3, attempt = 0, updated_at = $3, expires_at = $4
  where id = $2 and target = $1 and event_id is not null and leased = 0 returning ${DELIVERY}`;
const DELIVERY_OF = `select ${DELIVERY} from deliveries where id = $2 and target = $1 and event_id is not null`;
const counted = (status: string): string => `
  (select count(*) from (select 1 from deliveries where ${UNSENT} and status = '${status}' limit $2) ${status})`;
const BACKLOG = `select ${counted('queued')} as queued, ${counted('deferred')} as deferred`;
const PRUNE = `
  delete from deliveries where target = $1 and event_id is not null and due_at is null and id <=
    (select id from deliveries where target = $1 and event_id is not null order by id desc limit 1 offset $2)
  returning id`;

const DROP_DELIVERIES = 'delete from deliveries where target = $1 and event_id is not null';
const REMOVE = 'delete from webhooks where id = $1 returning id';

/** Adds these rows, in as few statements as they have in common what they may. */
const addSteps = (
  rows: readonly RowOf<typeof deliveries>[],
  rest: (from: number) => string,
  ...cells: readonly Cell[]
): readonly WriteStep[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(SHARED.map((name) => row[name])))].map(([shared, some]) => {
    const different = some.flatMap((row) => OWN.map((name) => row[name]));
    const sql = insertSharedSql(deliveries, OWN, some.length, rest);
    return step(sql, ...different, ...(JSON.parse(shared) as Cell[]), ...cells);
  });

function webhookFrom(row: Row): Webhook {
  const { types, previous_secrets, cursor_tx, cursor_seq, key_id, limited_since, ...rest } = rowOf(webhooks, row);
  return {
    ...rest,
    ...(key_id !== null && { key_id }),
    ...(limited_since !== null && { limited_since }),
    types: JSON.parse(types) as string[],
    previous_secrets: JSON.parse(previous_secrets) as Webhook['previous_secrets'],
    cursor: eventIdOf(cursor_tx, cursor_seq),
  };
}

function cells({ types, previous_secrets, cursor, key_id, limited_since, ...webhook }: Webhook): Cell[] {
  const { tx, seq } = eventPlaceOf(cursor);
  return cellsOf(webhooks, {
    ...webhook,
    types: JSON.stringify(types),
    previous_secrets: JSON.stringify(previous_secrets),
    key_id: key_id ?? null,
    limited_since: limited_since ?? null,
    cursor_tx: tx,
    cursor_seq: seq,
  });
}

/** Those of these ids that exist. */
export async function webhooksByIds(db: Db, ids: readonly string[]): Promise<readonly Webhook[]> {
  if (ids.length === 0) return [];
  const these = [...new Set(ids)];
  const rows = await db.read(
    `select ${COLUMNS} from webhooks where id in (${these.map((_, at) => `$${at + 1}`).join(', ')})`,
    these,
  );
  return rows.map(webhookFrom);
}

export function makeWebhooks(db: Db, { place, sure }: Order): Webhooks {
  const byId = async (id: string): Promise<Webhook | undefined> => {
    const [row] = await db.read(BY_ID, [id]);
    return row && webhookFrom(row);
  };
  /** Writes, and reads the webhook as it is then. */
  const changed = async (id: string, ...steps: readonly WriteStep[]): Promise<Webhook | undefined> => {
    const row = (await db.write([...steps, step(BY_ID, id)], 'beside')).at(-1)?.[0];
    return row && webhookFrom(row);
  };
  const hasMore = `exists (select 1 from events where events.namespace_id = webhooks.namespace_id
    and ${place('>', 'webhooks.cursor_tx', 'webhooks.cursor_seq')} and ${sure})`;
  return {
    byId,
    async byIds(ids) {
      const { values, p } = params();
      const sql = `select ${COLUMNS} from webhooks where id in (${ids.map(p).join(', ')}) and ${LIVES}`;
      return (await db.read(sql, values)).map(webhookFrom);
    },
    async create(webhook, max, idempotency) {
      const { id, namespace_id } = webhook;
      const hold = holdNamespace(namespace_id);
      const count = step(COUNT, namespace_id);
      const refused = (rows: readonly Row[] | undefined) => ({
        kind: (rows?.[0]?.count as number) >= max ? ('full' as const) : ('gone' as const),
      });
      if (idempotency === undefined) {
        const written = [hold, step(`${CREATE} returning id`, ...cells(webhook), max), count];
        const [, made, rows] = await db.write(written, 'beside');
        return made?.length ? { kind: 'created' } : refused(rows);
      }
      const { scope, key } = idempotency;
      const [, , insertedRows, , first, rows] = await db.write(
        [
          hold,
          takeIdempotencyKey(idempotency, id, webhook.created_at),
          step(`${CREATE} ${IS_MINE} returning id`, ...cells(webhook), max, scope, key),
          step(RELEASE_IDEMPOTENCY_KEY, scope, key, id),
          readIdempotencyKey(idempotency),
          count,
        ],
        'beside',
      );
      if (insertedRows?.length) return { kind: 'created' };
      return replayedBy(first, id) ?? refused(rows);
    },
    async page({ namespace_id, mailbox_ids }, after, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`, `id > ${p(after ?? '')}`, LIVES];
      if (mailbox_ids !== undefined) where.push(`mailbox_id in (${mailbox_ids.map(p).join(', ')})`);
      const sql = `select ${COLUMNS} from webhooks where ${where.join(' and ')} order by id limit ${p(size + 1)}`;
      return pageOf((await db.read(sql, values)).map(webhookFrom), size);
    },
    async change(id, { types, ...fields }, now, destination) {
      const { values, p } = params();
      const where = `where id = ${p(id)}`;
      const sets = [`updated_at = ${p(now)}`];
      if (types !== undefined) sets.push(`types = ${p(JSON.stringify(types))}`);
      if (fields.key_id !== undefined) sets.push('limited_since = null');
      for (const [name, value] of Object.entries(fields)) sets.push(`${name} = ${p(value)}`);
      const moved = destination === undefined ? [] : [step(MOVE, id, destination)];
      return changed(id, step(`update webhooks set ${sets.join(', ')} ${where}`, ...values), ...moved);
    },
    async rotate(id, secret, next, now) {
      const previous = JSON.stringify(next.previous_secrets);
      const [rotated] = await db.write([step(ROTATE, id, secret, next.secret, previous, now)], 'expire');
      return rotated?.[0] && webhookFrom(rotated[0]);
    },
    enable(id, cursor, now) {
      const { tx, seq } = eventPlaceOf(cursor);
      return changed(id, step(ENABLE, id, tx, seq, now));
    },
    async disable(id, { reason, error }, now) {
      const [, , disabled] = await db.write(
        [
          step(HOLD, id),
          reason === 'owner' ? step(HOLD, id) : step(DISABLED_EVENT, id, now),
          step(DISABLE, id, reason, now, error),
          step(GIVE_UP, id, GIVEN_UP, now),
        ],
        'beside',
      );
      return disabled?.length === 1;
    },
    async limit(id, now) {
      const [, , limited] = await db.write(
        [step(HOLD, id), step(LIMITED_EVENT, id, now), step(LIMIT, id, now)],
        'beside',
      );
      return limited?.length === 1;
    },
    async failing(id, at, error) {
      await db.write([at === null ? step(WORKS, id) : step(FAILS, id, at, error)], 'beside');
    },
    async remove(id) {
      const [, removed] = await db.write([step(DROP_DELIVERIES, id), step(REMOVE, id)], 'expire');
      return removed?.length === 1;
    },
    async behind(namespaceIds, after, max) {
      if (namespaceIds?.length === 0) return [];
      const { values, p } = params();
      const where = ["status = 'enabled'", `id > ${p(after)}`, LIVES, hasMore];
      if (namespaceIds !== null) where.push(`namespace_id in (${namespaceIds.map(p).join(', ')})`);
      const rows = await db.read(
        `select ${COLUMNS} from webhooks where ${where.join(' and ')} order by id limit ${p(max)}`,
        values,
      );
      return rows.map(webhookFrom);
    },
    async namespaces(max) {
      const rows = await db.read("select distinct namespace_id from webhooks where status = 'enabled' limit $1", [max]);
      return rows.map((row) => row.namespace_id as string);
    },
    async backlog(id, max) {
      const [row] = await db.read(BACKLOG, [id, max]);
      return { ...row } as unknown as Backlog;
    },
    async advance({ id, cursor, replayed_at }, next, added) {
      const [from, to] = [eventPlaceOf(cursor), eventPlaceOf(next)];
      const steps = [step(ADVANCE, id, to.tx, to.seq, from.tx, from.seq)];
      steps.push(...addSteps(added.map(deliveryRow), ADDED, id, to.tx, to.seq, replayed_at ?? 0));
      return (await db.write(steps, 'beside'))[0]?.length === 1;
    },
    async streamed({ id, ...of }, { ends: [lead, ...others], next }, now) {
      const [from, to] = [eventPlaceOf(of.from), eventPlaceOf(of.to)];
      const rows = others.flatMap(({ claim, end }) => (end === undefined ? [] : [endedRow(claim, end, now)]));
      const steps = [step(ADVANCE, id, to.tx, to.seq, from.tx, from.seq)];
      if (lead !== undefined) steps.push(endOf(lead.claim, lead.end, now));
      steps.push(...addSteps(rows, ENDED, id));
      if (next !== undefined) steps.push(...addSteps([deliveryRow(next)], BEGUN, id, to.tx, to.seq));
      return (await db.write(steps, 'beside'))[0]?.length === 1;
    },
    async hasDeliveries(id, from, to) {
      return (await db.read(HAS_DELIVERIES, [id, from, to])).length > 0;
    },
    async replay(id, cursor, now) {
      const { tx, seq } = eventPlaceOf(cursor);
      const [rows] = await db.write([step(REPLAY, id, tx, seq, now)], 'beside');
      return rows?.length === 1;
    },
    async deliveries(id, status, beforeId, size) {
      const { values, p } = params();
      const where = [`target = ${p(id)}`, 'event_id is not null'];
      if (status !== undefined) where.push(`status = ${p(status)}`);
      if (status !== undefined && status !== 'sent') where.push("status <> 'sent'");
      if (beforeId !== null) where.push(`id < ${p(beforeId)}`);
      const rows = await db.read(
        `select ${DELIVERY} from deliveries where ${where.join(' and ')} order by id desc limit ${p(size + 1)}`,
        values,
      );
      return pageOf(rows.map(deliveryFrom), size);
    },
    async delivery(id, deliveryId) {
      const [row] = await db.read(DELIVERY_OF, [id, deliveryId]);
      return row && deliveryFrom(row);
    },
    async record(delivery, { status, error }) {
      const row = { ...deliveryRow(delivery), status, error, due_at: null, attempt: 1 };
      await db.write([step(insertSql(deliveries), ...cellsOf(deliveries, row))], 'beside');
    },
    async redeliver(id, deliveryId, now, expires_at) {
      const [requeued, found] = await db.write(
        [step(REDELIVER, id, deliveryId, now, expires_at), step(DELIVERY_OF, id, deliveryId)],
        'beside',
      );
      const row = requeued?.[0] ?? found?.[0];
      return row && deliveryFrom(row);
    },
    async prune(id, keep) {
      const [pruned] = await db.write([step(PRUNE, id, keep)], 'beside');
      return pruned?.length ?? 0;
    },
  };
}
