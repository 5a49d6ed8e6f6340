import type {
  Deliveries,
  Delivery,
  DeliveryClaim,
  DeliveryName,
  DueDelivery,
  NewDelivery,
  Suppression,
  Suppressions,
} from '../../core/ports/delivery.ts';
import type { Millis } from '../../core/values/clock.ts';
import type { Cell, Db, Row, WriteStep } from '../db.ts';
import { pageOf, params, step } from '../db.ts';
import type { RowOf } from '../schema/table.ts';
import { cellsOf, columnsOf, insertSql } from '../schema/table.ts';
import { deliveries, suppressions } from '../schema/tables.ts';
import { setState } from './states.ts';

const without = (...names: readonly string[]): string =>
  deliveries.names.filter((name) => !names.includes(name)).join(', ');
/** The columns of a delivery. */
export const DELIVERY = without('leased', 'fence');
const ADD = `${insertSql(deliveries)} on conflict (id) do nothing`;
const NEXT_DUE = 'select min(due_at) as due_at from deliveries where due_at is not null';
const CLAIM = `
  update deliveries set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = $3
  where id = $1 and due_at <= $2 returning ${without('leased')}`;
const HELD = 'id = $1 and fence = $2 and leased = 1';
const RENEW = `update deliveries set due_at = $3 where ${HELD} returning id`;
const RELEASE = `update deliveries set leased = 0, attempt = attempt - 1, due_at = $3 where ${HELD} returning id`;
const END = `
  update deliveries set status = $3, error = $4, due_at = $5, leased = 0, updated_at = $6 where ${HELD} returning id`;
const BOUNCED = `
  update deliveries set status = 'failed', error = $2, updated_at = $3 where id = $1 and status = 'sent' returning id`;
const REMOVE = `delete from deliveries where ${HELD} returning id`;
const RETIRE = `
  delete from deliveries where id in
    (select id from deliveries where due_at is null and updated_at < $1 order by updated_at limit $2) returning id`;
const READ = `select ${DELIVERY} from deliveries where id = $1`;

/** Anyone may request these figures, so the count is bounded. */
const MAX_COUNT = 10_000;
const WAITING = `
  select kind, count(*) as count, min(created_at) as oldest_at
  from (select kind, created_at from deliveries where due_at is not null order by due_at, id limit ${MAX_COUNT}) waiting
  group by kind order by kind`;

const SUPPRESS = `${insertSql(suppressions)} on conflict (kind, target) do nothing`;
const FIND = `select ${columnsOf(suppressions)} from suppressions where kind = $1 and target = $2`;
const UNSUPPRESS = 'delete from suppressions where kind = $1 and target = $2 returning target';

/** The row of a delivery that is to be made. */
export const deliveryRow = (delivery: NewDelivery): RowOf<typeof deliveries> => ({
  ...delivery,
  event_id: delivery.event_id ?? null,
  status: 'queued',
  error: null,
  leased: 0,
  fence: 0,
  attempt: 0,
  updated_at: delivery.created_at,
});

/** Writes a delivery in the transaction of the fact that it is about. */
export const addDelivery = (delivery: NewDelivery): WriteStep =>
  step(ADD, ...cellsOf(deliveries, deliveryRow(delivery)));

const claimFrom = (row: Row): DeliveryClaim => ({ ...row }) as unknown as DeliveryClaim;
export const deliveryFrom = (row: Row): Delivery => ({ ...row }) as unknown as Delivery;

/** Deletes the deliveries of the messages that a statement selects, before these are deleted. */
export const dropDeliveries = (selected: string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  step(`delete from deliveries where message_id in (${selected})`, ...cells),
];

/** Statements that check the claim again after waiting for a lock, so they need no isolation from others. */
export function makeDeliveries(db: Db): Deliveries {
  const one = async (how: 'beside' | 'expire', done: WriteStep): Promise<boolean> => {
    const [rows] = await db.write([done], how);
    return rows?.length === 1;
  };
  return {
    async add(delivery, state) {
      const added = addDelivery(delivery);
      await db.write(state === undefined ? [added] : [setState(state), added], 'beside');
    },
    async nextDue() {
      const [row] = await db.read(NEXT_DUE, []);
      return (row?.due_at as Millis | null | undefined) ?? undefined;
    },
    async due({ kinds, except, except_owners = [] }, now, max) {
      if (kinds.length === 0) return [];
      const { values, p } = params();
      const others = except.map(
        ({ kind, destination }) => `and not (destination = ${p(destination)} and kind = ${p(kind)})`,
      );
      const owners = except_owners.map(
        ({ kind, prefix }) => `and not (substr(destination, 1, ${prefix.length}) = ${p(prefix)} and kind = ${p(kind)})`,
      );
      const sql = `
        select id, kind, destination from deliveries
        where due_at <= ${p(now)} and kind in (${kinds.map(p).join(', ')}) ${[...others, ...owners].join(' ')}
        order by due_at, id limit ${p(max)}`;
      return (await db.read(sql, values)).map((row) => ({ ...row }) as unknown as DueDelivery);
    },
    async claim(ids, now, leaseMs) {
      // In one order on every node, so that no two wait for each other's rows.
      const claims = ids.toSorted().map((id) => step(CLAIM, id, now, now + leaseMs));
      if (claims.length === 0) return [];
      return (await db.write(claims, 'beside')).flat().map(claimFrom);
    },
    async renew(claims, until) {
      const sorted = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const renewed = await db.write(
        sorted.map(({ id, fence }) => step(RENEW, id, fence, until)),
        'beside',
      );
      return renewed.flat().map((row) => row.id as string);
    },
    release: ({ id, fence }, now) => one('beside', step(RELEASE, id, fence, now)),
    deferred: ({ id, fence }, error, at, now) => one('beside', step(END, id, fence, 'deferred', error, at, now)),
    sent: ({ id, fence }, now) => one('beside', step(END, id, fence, 'sent', null, null, now)),
    failed: ({ id, fence }, error, now) => one('beside', step(END, id, fence, 'failed', error, null, now)),
    bounced: (id, error, now) => one('beside', step(BOUNCED, id, error, now)),
    remove: ({ id, fence }) => one('expire', step(REMOVE, id, fence)),
    async byId(id) {
      const [row] = await db.read(READ, [id]);
      return row && deliveryFrom(row);
    },
    async page({ namespace_id, message_id, target, status }, before, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`];
      if (message_id !== undefined) where.push(`message_id = ${p(message_id)}`);
      if (target !== undefined) where.push(`target = ${p(target)}`);
      if (status !== undefined) where.push(`status = ${p(status)}`);
      if (before !== null) where.push(`id < ${p(before)}`);
      const rows = await db.read(
        `select ${DELIVERY} from deliveries where ${where.join(' and ')} order by id desc limit ${p(size + 1)}`,
        values,
      );
      return pageOf(rows.map(deliveryFrom), size);
    },
    async waiting() {
      return (await db.read(WAITING, [])).map(({ kind, count, oldest_at }) => ({
        kind: kind as DeliveryName,
        count: count as number,
        oldest_at: oldest_at as Millis,
      }));
    },
    async retire(before, max) {
      const [retired] = await db.write([step(RETIRE, before, max)], 'expire');
      return retired?.length ?? 0;
    },
  };
}

export function makeSuppressions(db: Db): Suppressions {
  return {
    async add(suppression) {
      await db.write([step(SUPPRESS, ...cellsOf(suppressions, suppression))], 'beside');
    },
    async find(kind, target) {
      const [row] = await db.read(FIND, [kind, target]);
      return row && ({ ...row } as unknown as Suppression);
    },
    async remove(kind, target) {
      const [rows] = await db.write([step(UNSUPPRESS, kind, target)], 'expire');
      return rows?.length === 1;
    },
  };
}
