import type { Decider } from '../../core/entities/message.ts';
import type { Jobs } from '../../core/ports/store.ts';
import type { Clock } from '../../core/values/clock.ts';
import type { Db } from '../db.ts';
import { step } from '../db.ts';

/** Maximum number of idempotency keys that one sweep removes. */
const SWEEP = 1000;

const SWEEP_EXPIRED = `
  delete from idempotency where (scope, key) in
    (select scope, key from idempotency where expires_at < $1 order by expires_at limit ${SWEEP})
  returning key`;

const ADD = `
  insert into jobs (id, kind, checkpoint, due_at) values ($1, $2, $3, $4) on conflict (id) do nothing`;
const DONE = `delete from jobs where id = $1 and fence = $2 and leased = 1 and kind = 'mail' returning id`;

const REPORT = 'update jobs set progress = $3 where id = $1 and fence = $2 and leased = 1 returning id';

const SAVE = 'update jobs set checkpoint = $3 where id = $1 and fence = $2 and leased = 1 returning id';
const KEPT = `
  select j.checkpoint, j.plan, j.parked, j.decides,
    case when j.behavior is null or j.behavior = b.behavior then 1 else 0 end as same
  from jobs j left join mailboxes b on b.id = j.mailbox_id where j.id = $1`;
const COUNT_ASKING = `
  select count(*) as count from (
    select 1 from jobs where mailbox_id = $1 and parked = 1 and (behavior is null or behavior = $2) limit $3) s`;
/** The owner approved the plan. */
const APPROVED = 2;

/** A durable write without meaning. */
export const PROBE =
  'insert into probe (id, writes) values (1, 1) on conflict (id) do update set writes = probe.writes + 1';

export const probe = async (db: Db): Promise<void> => {
  await db.write([step(PROBE)], 'beside');
};

/** Anyone may request this figure, so the count is bounded. */
const MAX_DEPTH = 100_000;

/** Two queries, so that the many due jobs are counted in the index alone. */
const DEPTH = `
  select (select count(*) from (select 1 from jobs where due_at <= $1 limit ${MAX_DEPTH}) due)
       + (select count(*) from jobs where due_at > $1 and leased = 1) as depth`;

/** The less frequent job operations; claiming, giving back and purging differ by database. */
export function makeJobReads(
  db: Db,
  clock: Clock,
): Pick<Jobs, 'add' | 'done' | 'report' | 'save' | 'kept' | 'countAsking' | 'nextDue' | 'depth' | 'sweep'> {
  return {
    async add({ id, kind, checkpoint, due_at }) {
      await db.write([step(ADD, id, kind, checkpoint, due_at)], 'beside');
    },
    async done({ id, fence }) {
      const [gone] = await db.write([step(DONE, id, fence)], 'expire');
      return gone?.length === 1;
    },
    async report({ id, fence }, progress) {
      const [kept] = await db.write([step(REPORT, id, fence, progress)], 'beside');
      return kept?.length === 1;
    },
    async save({ id, fence }, checkpoint) {
      const [kept] = await db.write([step(SAVE, id, fence, checkpoint)], 'beside');
      return kept?.length === 1;
    },
    async kept(id) {
      const [row] = await db.read(KEPT, [id]);
      if (row === undefined) return undefined;
      const { checkpoint, plan, parked: suspended, decides, same } = row;
      return {
        checkpoint: checkpoint as string | null,
        plan: plan as string | null,
        decides: (decides as Decider | null) ?? 'recipient',
        approved: suspended === APPROVED && same === 1,
      };
    },
    async countAsking(mailboxId, behavior, max) {
      const [row] = await db.read(COUNT_ASKING, [mailboxId, behavior, max]);
      return row?.count as number;
    },
    async nextDue() {
      const [row] = await db.read('select min(due_at) as due_at from jobs where due_at is not null', []);
      return (row?.due_at as number | null | undefined) ?? undefined;
    },
    async depth() {
      const [row] = await db.read(DEPTH, [clock()]);
      return row?.depth as number;
    },
    async sweep(now) {
      const [swept] = await db.write([step(SWEEP_EXPIRED, now)], 'beside');
      return swept?.length ?? 0;
    },
  };
}
