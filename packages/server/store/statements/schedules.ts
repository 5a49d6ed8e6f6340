import type { Schedule } from '@mailroom/behavior/schedule';
import type { Schedules } from '../../core/ports/schedules.ts';
import { type Cell, type Db, type Row, step } from '../db.ts';
import { columnsOf, rowOf } from '../schema/table.ts';
import { schedules } from '../schema/tables.ts';

/** Taken from the message that planned it; all other columns are set by its author's effect. */
const OWNER = ['mailbox_id', 'owner', 'sender_namespace_id'];
const OWN = schedules.names.filter((name) => !OWNER.includes(name));
/** The columns of the owner in this order, then those of `scheduleCells`. */
export const INSERT_SCHEDULE = `insert into schedules (${[...OWNER, ...OWN].join(', ')})`;

/** The parameters of `scheduleCells`, the first being `$first`. */
export const scheduleParameters = (first: number): string => OWN.map((_, at) => `$${first + at}`).join(', ');
export const scheduleCells = (schedule: Schedule): Cell[] => OWN.map((name) => schedule[name as keyof Schedule]);

const COLUMNS = columnsOf(schedules);
/** A schedule of a deleted mailbox or sender is not found from that moment, though its rows are deleted in batches. */
const BY_ID = `
  select ${COLUMNS} from schedules where id = $1
    and exists (select 1 from mailboxes b where b.id = schedules.mailbox_id and b.deleted_at is null)
    and not exists (
      select 1 from namespaces n where n.id = schedules.sender_namespace_id and n.deleted_at is not null)
    and not exists (
      select 1 from mailboxes f where f.id = schedules.from_mailbox_id and f.deleted_at is not null)`;
const OF = `select ${COLUMNS} from schedules where mailbox_id = $1 and owner = $2 order by next_at, id limit $3`;
const COUNT = 'select count(*) as count from schedules where mailbox_id = $1 and owner = $2';
const COUNT_IN = 'select count(*) as count from (select 1 from schedules where mailbox_id = $1 limit $2) s';
const COUNT_OF = 'select count(*) as count from schedules where sender_namespace_id = $1';
const COUNT_OF_GUESTS = `
  select count(*) as count from schedules where sender_namespace_id is null
    and mailbox_id in (select id from mailboxes where namespace_id = $1 and deleted_at is null)`;

const CLAIMED = `id = $1 and fence = $2 and leased = 1 and kind = 'schedule'`;
/** Locks the job until this transaction ends, without changing it. */
const HOLD = `update jobs set fence = fence where ${CLAIMED}`;
const STILL = `id = $1 and exists (select 1 from jobs where ${CLAIMED})`;
const AGAIN = `update schedules set next_at = $3, last_at = $4 where ${STILL}`;
const DUE_AGAIN = `update jobs set leased = 0, attempt = 0, due_at = $3 where ${CLAIMED} returning id`;
const OVER = `delete from schedules where ${STILL}`;
const DONE = `delete from jobs where ${CLAIMED} returning id`;

const scheduleFrom = (row: Row): Schedule => {
  const { sender_namespace_id: _, ...schedule } = rowOf(schedules, row);
  return schedule;
};

/** Reads schedules; `effectSteps` creates and removes them. */
export function makeSchedules(db: Db): Schedules {
  return {
    async byId(id) {
      const [row] = await db.read(BY_ID, [id]);
      return row && scheduleFrom(row);
    },
    async of({ mailbox_id, owner }, max) {
      return (await db.read(OF, [mailbox_id, owner, max])).map(scheduleFrom);
    },
    async count({ mailbox_id, owner }) {
      const [row] = await db.read(COUNT, [mailbox_id, owner]);
      return row?.count as number;
    },
    async countIn(mailboxId, max) {
      const [row] = await db.read(COUNT_IN, [mailboxId, max]);
      return row?.count as number;
    },
    async countOf(namespaceId) {
      const [row] = await db.read(COUNT_OF, [namespaceId]);
      return row?.count as number;
    },
    async countOfGuests(namespaceId) {
      const [row] = await db.read(COUNT_OF_GUESTS, [namespaceId]);
      return row?.count as number;
    },
    async ran({ id, fence }, nextAt, now) {
      const steps =
        nextAt === null
          ? [step(OVER, id, fence), step(DONE, id, fence)]
          : [step(AGAIN, id, fence, nextAt, now), step(DUE_AGAIN, id, fence, nextAt)];
      const results = await db.write([step(HOLD, id, fence), ...steps], 'beside');
      return results.at(-1)?.length === 1;
    },
  };
}
