import type { Millis } from '@mailroom/behavior/values/clock';
import type {
  Delivery,
  DeliveryClaim,
  DeliveryName,
  DeliveryStatus,
  NewDelivery,
  Suppression,
} from '../../core/entities/delivery.ts';
import type { EventType } from '../../core/entities/event.ts';
import type { Deliveries, DeliveryEnd, DueDelivery, Suppressions } from '../../core/ports/delivery.ts';
import { type Cell, type Db, type How, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsOf, insertSql, type RowOf, rowOf } from '../schema/table.ts';
import { deliveries, suppressions } from '../schema/tables.ts';
import type { Among } from './among.ts';
import { setState } from './states.ts';

const without = (...names: readonly string[]): string =>
  deliveries.names.filter((name) => !names.includes(name)).join(', ');
/** The columns of a delivery. */
export const DELIVERY = without('leased', 'fence');
const ADD = `${insertSql(deliveries)} on conflict (id) do nothing returning id`;
const CLAIM = `
  update deliveries set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = $3
  where id = $1 and due_at <= $2 returning ${without('leased')}`;
/** The condition repeats those of the index of deliveries that have not arrived. */
const CLAIM_NEXT = `
  update deliveries set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = $4
  where due_at <= $3 and id in (
    select id from deliveries where target = $1 and event_id is not null and status <> 'sent'
      and status = (select status from deliveries where id = $2) and due_at <= $3
    order by id limit $5)
  returning ${without('leased')}`;
const HELD = 'id = $1 and fence = $2 and leased = 1';
const GIVE_BACK = 'leased = 0, attempt = attempt - 1';
const RELEASE = `update deliveries set ${GIVE_BACK}, due_at = $3 where ${HELD} returning id`;
const END = `
  update deliveries set status = $3, error = $4, due_at = $5, leased = 0, updated_at = $6 where ${HELD} returning id`;
/** A notice shows that a server took it, also when its claim has not ended, and may come after one of a delay. */
const LEFT = "d.attempt > 0 and d.status in ('queued', 'deferred', 'sent')";
const SENT = "d.status = 'sent'";
const returnedSql = (where: string): string => `
  update deliveries as d set status = $2, error = $3, updated_at = $4, due_at = null, leased = 0, fence = fence + 1
  where id = $1 and ${where} returning id`;
const RETURNED = returnedSql(LEFT);
const DELAYED = returnedSql(SENT);
/** Locks it, so that its event is written with its status or not at all. */
const HOLD = 'update deliveries set fence = fence where id = $1';
/** The event of an e-mail, before its status is written: `$2` is the type, `$3` the time. */
const note = (where: string): string => `
  insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
  select d.namespace_id, coalesce(m.to_mailbox_id, m.from_mailbox_id), $2, m.id, cast($3 as bigint), 0
  from deliveries d join messages m on m.id = d.message_id
  where d.id = $1 and d.kind = 'email' and coalesce(m.to_mailbox_id, m.from_mailbox_id) is not null and ${where}`;
const NOTE_ATTEMPT = note("d.fence = $4 and d.leased = 1 and (d.status = 'queued' or $2 <> 'delivery.deferred')");
const NOTE_RETURN = note(LEFT);
const NOTE_DELAY = note(SENT);
const REMOVE = `delete from deliveries where ${HELD} returning id`;
const RETIRE = `
  delete from deliveries where id in
    (select id from deliveries where due_at is null and updated_at < $1 order by updated_at limit $2) returning id`;
/** Sets the same of many claims, at the time `$1`. */
const ofClaims = (set: string, count: number): string => {
  const rows = Array.from({ length: count }, (_, at) => [`$${2 * at + 2}`, `$${2 * at + 3}`] as const);
  return `update deliveries set ${set} where leased = 1 and id in (${rows.map(([id]) => id).join(', ')})
    and (id, fence) in (values ${rows.map(([id, fence]) => `(${id}, cast(${fence} as integer))`).join(', ')}) returning id`;
};
const RENEWED = 'due_at = $1';
const RELEASED = `${GIVE_BACK}, due_at = $1`;
const ARRIVED = "status = 'sent', error = null, due_at = null, leased = 0, updated_at = $1";
const READ = `select ${DELIVERY} from deliveries where id = $1`;

/** A message rarely has more than one. */
const MAX_OF_MESSAGE = 20;
/** Anyone may request these figures, so the count is bounded. */
const MAX_COUNT = 10_000;
const WAITING = `
  select kind, count(*) as count, min(created_at) as oldest_at
  from (select kind, created_at from deliveries where due_at is not null order by due_at, id limit ${MAX_COUNT}) waiting
  group by kind order by kind`;

const SUPPRESS = `${insertSql(suppressions)} on conflict do nothing`;
const FIND = `
  select ${columnsOf(suppressions)} from suppressions where namespace_id = $1 and kind = $2 and target = $3`;
const UNSUPPRESS = `
  delete from suppressions where namespace_id = $1 and kind = $2 and target = $3 returning target`;
const SUPPRESSED = `
  select ${columnsOf(suppressions)} from suppressions where namespace_id = $1 and kind = $2 and target > $3
  order by target limit $4`;
/** Deletes up to `max` suppressions of a namespace, which was deleted. */
export const dropSuppressions = (max: number): string => `
  delete from suppressions where (namespace_id, kind, target) in
    (select namespace_id, kind, target from suppressions where namespace_id = $1 limit ${max}) returning target`;

/** The row of a delivery that is to be made. */
export const deliveryRow = ({ leased_until, handed, ...delivery }: NewDelivery): RowOf<typeof deliveries> => {
  const begun = leased_until === undefined ? 0 : 1;
  return {
    ...delivery,
    event_id: delivery.event_id ?? null,
    ...{ status: handed ? 'sent' : 'queued', error: null, leased: begun, fence: begun, attempt: begun },
    due_at: handed ? null : (leased_until ?? delivery.due_at),
    updated_at: delivery.created_at,
  };
};

/** Writes a delivery in the transaction of the fact that it is about. */
export const addDelivery = (delivery: NewDelivery): WriteStep =>
  step(ADD, ...cellsOf(deliveries, deliveryRow(delivery)));

/** The row of a delivery that had none as it was attempted. */
export const endedRow = (claim: DeliveryClaim, end: DeliveryEnd, now: Millis): RowOf<typeof deliveries> => ({
  ...claim,
  ...{ ...end, leased: 0, updated_at: now },
});

/** Ends a claim that is still held, of no e-mail; what was dropped is removed. */
export const endOf = (
  { id, fence }: Pick<DeliveryClaim, 'id' | 'fence'>,
  end: DeliveryEnd | undefined,
  now: Millis,
): WriteStep =>
  end === undefined ? step(REMOVE, id, fence) : step(END, id, fence, end.status, end.error, end.due_at, now);

const claimFrom = (row: Row): DeliveryClaim => ({ ...row }) as unknown as DeliveryClaim;
export const deliveryFrom = (row: Row): Delivery => ({ ...row }) as unknown as Delivery;

/** Deliveries of these messages, oldest first; of each message the last 20. */
export async function deliveriesOf(db: Db, messageIds: readonly string[]): Promise<readonly Delivery[]> {
  const { values, p } = params();
  const each = messageIds.map(
    (id) => `select * from (select ${DELIVERY} from deliveries where message_id = ${p(id)} and kind = 'email'
      order by id desc limit ${MAX_OF_MESSAGE}) newest`,
  );
  return (await db.read(`${each.join(' union all ')} order by id`, values)).map(deliveryFrom);
}

/** Deletes the deliveries of these messages, before these are deleted. */
export const dropDeliveries = (among: Among, ...cells: readonly Cell[]): readonly WriteStep[] => [
  step(`delete from deliveries where ${among('message_id')}`, ...cells),
];

/** Repeats the last to the next power of two, so that there are few different statements. */
function padded<T>(all: readonly T[]): readonly T[] {
  if (all.length === 0) return all;
  const size = 2 ** Math.ceil(Math.log2(all.length));
  return [...all, ...Array.from({ length: size - all.length }, () => all.at(-1) as T)];
}

/** Ends the attempt of a claim that is still held, with the event of an e-mail. */
const endSteps = (
  { id, fence, kind }: Pick<DeliveryClaim, 'id' | 'fence' | 'kind'>,
  [status, type]: readonly [DeliveryStatus, EventType],
  { error, due_at, now }: { readonly error: string | null; readonly due_at: Millis | null; readonly now: Millis },
): readonly WriteStep[] => {
  const ended = step(END, id, fence, status, error, due_at, now);
  return kind === 'email' ? [step(HOLD, id), step(NOTE_ATTEMPT, id, type, now, fence), ended] : [ended];
};

/** As `Deliveries.sent`. */
export const sentSteps = (claim: Pick<DeliveryClaim, 'id' | 'fence' | 'kind'>, now: Millis): readonly WriteStep[] =>
  endSteps(claim, ['sent', 'delivery.sent'], { error: null, due_at: null, now });

/** Statements that check the claim again after waiting for a lock, so they need no isolation from others. */
export function makeDeliveries(db: Db): Deliveries {
  /** Whether the last of these steps changed a row. */
  const changesRow = async (how: How, ...steps: readonly WriteStep[]): Promise<boolean> =>
    (await db.write(steps, how)).at(-1)?.length === 1;
  /** Changes those of these claims that are still held; their ids. */
  const ofAll = async (
    set: string,
    claims: readonly Pick<DeliveryClaim, 'id' | 'fence'>[],
    at: Millis,
  ): Promise<readonly string[]> => {
    // In one order on every node, so that no two wait for each other's rows.
    const sorted = claims.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const cells = padded(sorted).flatMap(({ id, fence }) => [id, fence]);
    if (cells.length === 0) return [];
    const [rows = []] = await db.write([step(ofClaims(set, cells.length / 2), at, ...cells)], 'beside');
    return rows.map(({ id }) => id as string);
  };
  /** A notice came about what had left. */
  const noted = async (
    [note, write]: readonly [string, string],
    id: string,
    [status, type]: readonly [DeliveryStatus, EventType],
    error: string,
    now: Millis,
  ): Promise<boolean> => {
    const steps = [step(HOLD, id), step(note, id, type, now), step(write, id, status, error, now)];
    return (await db.write(steps, 'beside')).at(-1)?.length === 1;
  };
  const returned = [NOTE_RETURN, RETURNED] as const;
  return {
    async add(delivery, state) {
      const added = addDelivery(delivery);
      await db.write(state === undefined ? [added] : [setState(state), added], 'beside');
    },
    async due(query, now, max) {
      const { values, p } = params();
      const [nowParameter, kinds] = [p(now), query.kinds.map(p)];
      const where = [`kind in (${kinds.join(', ') || 'null'})`];
      const busy = padded(query.busy).map(({ kind, destination }) => `(${p(destination)}, ${p(kind)})`);
      if (busy.length > 0) where.push(`(destination, kind) not in (values ${busy.join(', ')})`);
      for (const { kind, prefix } of padded(query.busy_owners))
        where.push(`not (substr(destination, 1, ${prefix.length}) = ${p(prefix)} and kind = ${p(kind)})`);
      for (const { kind, domains } of query.only)
        where.push(
          `(kind <> ${p(kind)} or destination like '%/%' or destination in (${padded(domains).map(p).join(', ') || 'null'}))`,
        );
      const sql = `
        select d.*, n.next from (select min(due_at) as next from deliveries where due_at > ${nowParameter}) n
        left join (select id, kind, destination, due_at from deliveries where due_at <= ${nowParameter} and ${where.join(' and ')}
          order by due_at, id limit ${p(max)}) d on true
        order by d.due_at, d.id`;
      const rows = await db.read(sql, values);
      const due = rows.filter(({ id }) => id !== null);
      return {
        due: due.map(({ id, kind, destination }) => ({ id, kind, destination }) as DueDelivery),
        next: (rows[0]?.next as Millis | null | undefined) ?? undefined,
      };
    },
    async claim(ids, now, leaseMs) {
      // In one order on every node, so that no two wait for each other's rows.
      const claims = ids.toSorted().map((id) => step(CLAIM, id, now, now + leaseMs));
      if (claims.length === 0) return [];
      return (await db.write(claims, 'beside')).flat().map(claimFrom);
    },
    async claimNext({ id, target }, now, leaseMs, max) {
      const [claimed = []] = await db.write([step(CLAIM_NEXT, target, id, now, now + leaseMs, max)], 'beside');
      return claimed.map(claimFrom).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    renew: (claims, until) => ofAll(RENEWED, claims, until),
    release: ({ id, fence }, now) => changesRow('beside', step(RELEASE, id, fence, now)),
    async releaseAll(claims, now) {
      await ofAll(RELEASED, claims, now);
    },
    deferred: (claim, error, due_at, now) =>
      changesRow('beside', ...endSteps(claim, ['deferred', 'delivery.deferred'], { error, due_at, now })),
    // One that a crash forgets is sent once more, as the same mail, whenever it is written.
    sent: (claim, now) => changesRow('soon', ...sentSteps(claim, now)),
    async sentAll(claims, now) {
      await ofAll(ARRIVED, claims, now);
    },
    failed: (claim, error, now) =>
      changesRow('beside', ...endSteps(claim, ['failed', 'delivery.bounced'], { error, due_at: null, now })),
    delayed: (id, error, now) => noted([NOTE_DELAY, DELAYED], id, ['deferred', 'delivery.deferred'], error, now),
    bounced: (id, error, now) => noted(returned, id, ['failed', 'delivery.bounced'], error, now),
    complained: (id, error, now) => noted(returned, id, ['complained', 'delivery.complained'], error, now),
    remove: ({ id, fence }) => changesRow('expire', step(REMOVE, id, fence)),
    async byId(id) {
      const [row] = await db.read(READ, [id]);
      return row && deliveryFrom(row);
    },
    async page({ namespace_id, message_id, target, status }, beforeId, size) {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespace_id)}`];
      if (message_id !== undefined) where.push(`message_id = ${p(message_id)}`);
      if (target !== undefined) where.push(`target = ${p(target)}`);
      if (status !== undefined) where.push(`status = ${p(status)}`);
      if (beforeId !== null) where.push(`id < ${p(beforeId)}`);
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

function suppressionFrom(row: Row): Suppression {
  const { namespace_id, ...rest } = rowOf(suppressions, row);
  return { ...rest, namespace_id: namespace_id === '' ? null : namespace_id };
}

export function makeSuppressions(db: Db): Suppressions {
  return {
    async add(suppression) {
      const row = { ...suppression, namespace_id: suppression.namespace_id ?? '' };
      await db.write([step(SUPPRESS, ...cellsOf(suppressions, row))], 'beside');
    },
    async find({ namespace_id, kind, target }) {
      const [row] = await db.read(FIND, [namespace_id ?? '', kind, target]);
      return row && suppressionFrom(row);
    },
    async remove({ namespace_id, kind, target }) {
      const [rows] = await db.write([step(UNSUPPRESS, namespace_id ?? '', kind, target)], 'expire');
      return rows?.length === 1;
    },
    async page({ namespace_id, kind }, after, size) {
      const rows = await db.read(SUPPRESSED, [namespace_id, kind, after ?? '', size + 1]);
      const items = rows.slice(0, size).map(suppressionFrom);
      return { items, next: rows.length > size ? (items.at(-1)?.target ?? null) : null };
    },
  };
}
