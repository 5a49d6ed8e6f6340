import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import type { Policy } from '../../core/values/limits.ts';
import type { Counters } from '../../core/values/shared-limits.ts';
import type { Row } from '../db.ts';
import { Batcher } from './batcher.ts';
import type { Statement } from './connection.ts';

/**
 * Takes from token buckets; new ones start full: $1 the wanted tokens as [id, tokens], $2 the time, $3 a full bucket, $4
 * what a millisecond adds, $5 what a token costs, $6 the length of a day for a bucket that is filled at its start. A time
 * that went back adds nothing and counts from there, so that no bucket stays as it is until the time before returns.
 */
const TAKE = `
  insert into counters as c (id, level, at, granted)
  select w.id, $3::bigint - w.tokens * $5::bigint, $2::bigint, w.tokens
  from (
    select e->>0 as id, least((e->>1)::bigint, $3::bigint / $5::bigint) as tokens
    from jsonb_array_elements($1::jsonb) e order by 1
  ) w
  on conflict (id) do update set (level, at, granted) = (
    select f.level - g.tokens * $5::bigint, $2::bigint, g.tokens
    from (
      select case
        when $6::bigint = 0 then least($3::bigint, c.level + greatest(0, $2::bigint - c.at) * $4::bigint)
        when c.at / $6::bigint < $2::bigint / $6::bigint then $3::bigint
        else c.level
      end as level
    ) f, lateral (select least(excluded.granted, f.level / $5::bigint) as tokens) g
  )
  returning id, level, granted`;

const GIVE_BACK = 'update counters set level = least($2::bigint, level + $3::bigint) where id = $1';

/** Every bucket is full again after this time, so it can be removed. */
const FORGET_AFTER_MS = 2 * DAY;
const SWEEP = 'delete from counters where at < $1';

interface Want {
  readonly id: string;
  readonly tokens: number;
}

/** The buckets of the rate limits, shared by all nodes; concurrent requests share one statement per policy. */
export class PostgresCounters implements Counters {
  readonly #run: (statement: Statement) => Promise<readonly Row[]>;
  readonly #clock: Clock;
  readonly #batchers = new Map<string, Batcher<Want, { readonly granted: number; readonly level: number }>>();

  constructor(run: (statement: Statement) => Promise<readonly Row[]>, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
  }

  take(policy: Policy, caller: string, tokens: number): Promise<{ readonly granted: number; readonly level: number }> {
    return this.#batcher(policy).ask({ id: idOf(policy, caller), tokens });
  }

  async refund(policy: Policy, caller: string): Promise<void> {
    const { burst, window_ms } = policy;
    await this.#run({
      name: 'give_back',
      text: GIVE_BACK,
      values: [idOf(policy, caller), burst * window_ms, window_ms],
    });
  }

  /** Removes buckets that were not used for long. */
  async sweep(): Promise<void> {
    await this.#run({ name: 'sweep_counters', text: SWEEP, values: [this.#clock() - FORGET_AFTER_MS] });
  }

  #batcher(policy: Policy): Batcher<Want, { readonly granted: number; readonly level: number }> {
    const known = this.#batchers.get(policy.name);
    if (known !== undefined) return known;
    const { burst, quota, window_ms, kind } = policy;
    const batcher = new Batcher<Want, { readonly granted: number; readonly level: number }>({
      abreast: 1,
      key: ({ id }) => id,
      run: async (wants) => {
        const wanted = JSON.stringify(wants.map(({ id, tokens }) => [id, tokens]));
        const day = kind === 'day' ? DAY : 0;
        const values = [wanted, this.#clock(), burst * window_ms, quota, window_ms, day];
        const rows = await this.#run({ name: 'take', text: TAKE, values });
        const byId = new Map(rows.map((row) => [row.id, row]));
        return wants.map(({ id }) => {
          const { granted, level } = byId.get(id) as Row;
          return { granted: granted as number, level: level as number };
        });
      },
    });
    this.#batchers.set(policy.name, batcher);
    return batcher;
  }
}

const idOf = (policy: Policy, caller: string): string => `${policy.name} ${caller}`;
