import type { Clock } from '@mailroom/behavior/values/clock';
import type { Claim, JobKind } from '../../core/ports/claim.ts';
import type { Jobs } from '../../core/ports/jobs.ts';
import { type Db, type Row, step } from '../db.ts';

/** Maximum number of idempotency keys that one sweep removes. */
const SWEEP = 1000;

const SWEEP_EXPIRED = `
  delete from idempotency where (scope, key) in
    (select scope, key from idempotency where expires_at < $1 order by expires_at limit ${SWEEP})
  returning key`;

const CLAIMED = 'id = $1 and fence = $2 and leased = 1';
/** A job whose claim is taken meanwhile by another node is left out. */
const CLAIM = `
  update jobs set leased = 1, fence = fence + 1, attempt = attempt + 1, due_at = $2
  where id = $1 and due_at <= $3 returning id, kind, subject, fence, attempt`;
const DUE = 'select id from jobs where due_at <= $1 and kind = coalesce($3, kind) order by due_at, id limit $2';
const RENEW = `update jobs set due_at = $3 where ${CLAIMED} returning id`;
const LATER = `
  update jobs set leased = 0, due_at = $3 where ${CLAIMED} returning id`;

/** A durable write without meaning. */
export const PROBE =
  'insert into probe (id, writes) values (1, 1) on conflict (id) do update set writes = probe.writes + 1';

export const probe = async (db: Db): Promise<void> => {
  await db.write([step(PROBE)], 'beside');
};

/** Anyone may request this figure, so the count is bounded. */
const MAX_DEPTH = 100_000;

/** How many rows are due or claimed. Two queries, so that the many due ones are counted in the index alone. */
export const depthOf = (db: Db, table: 'jobs' | 'handlings', clock: Clock) => async (): Promise<number> => {
  const [row] = await db.read(
    `select (select count(*) from (select 1 from ${table} where due_at <= $1 limit ${MAX_DEPTH}) due)
       + (select count(*) from ${table} where due_at > $1 and leased = 1) as depth`,
    [clock()],
  );
  return row?.depth as number;
};

const claimFrom = (row: Row): Claim => ({
  id: row.id as string,
  kind: row.kind as JobKind,
  subject: (row.subject as string | null) ?? (row.id as string),
  fence: row.fence as number,
  attempt: row.attempt as number,
});

export function makeJobs(db: Db, clock: Clock): Omit<Jobs, 'purge'> {
  const all = async (claims: readonly Claim[], sql: string, at: number): Promise<readonly string[]> => {
    const written = await db.write(
      claims.map(({ id, fence }) => step(sql, id, fence, at)),
      'beside',
    );
    return written.flat().map((row) => row.id as string);
  };
  return {
    depth: depthOf(db, 'jobs', clock),
    async claim(max, now, lease_ms, kind) {
      const due = await db.read(DUE, [now, max, kind ?? null]);
      if (due.length === 0) return [];
      const written = await db.write(
        due.map(({ id }) => step(CLAIM, id as string, now + lease_ms, now)),
        'beside',
      );
      return written.flat().map(claimFrom);
    },
    renew: (claims, until) => all(claims, RENEW, until),
    async add({ id, kind, due_at }) {
      const sql = 'insert into jobs (id, kind, due_at) values ($1, $2, $3) on conflict (id) do nothing';
      await db.write([step(sql, id, kind, due_at)], 'beside');
    },
    async remove(id) {
      await db.write([step('delete from jobs where id = $1', id)], 'beside');
    },
    later: async (claim, at) => (await all([claim], LATER, at)).length === 1,
    async nextDue() {
      const [row] = await db.read('select min(due_at) as due_at from jobs where due_at is not null', []);
      return (row?.due_at as number | null | undefined) ?? undefined;
    },
    async sweep(now) {
      const [swept] = await db.write([step(SWEEP_EXPIRED, now)], 'beside');
      return swept?.length ?? 0;
    },
  };
}
