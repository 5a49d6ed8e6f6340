import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '@mailroom/server/store/open';
import pg from 'pg';
import { ms, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';

const MILLION = 1_000_000;
const PAGE = 50;
const ROUNDS = 200;
const WITHIN_MS = 30;
const NAMESPACE = 'ns_00000000000000000000';
/** Its log has a page of entries and no more: what a page costs at least. */
const SMALL = 'ns_00000000000000000001';
const ACTOR = 'key_00000000000000000007';
const RARE = 'key.revoked';

/** The numbers from 1 to `max`, in each database's way to write them. */
const COUNT = {
  sqlite: (max: number) =>
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${max}) select`,
  postgres: (max: number) => `with counted as (select n from generate_series(1, ${max}) n) select`,
};
const idOf = (letters: string): string => `'${letters}_' || substr('00000000000000000000' || n, -20)`;
/** One in a thousand entries is of the rare action, and one in 50 of each actor. */
const fill = (count: string, id: string, namespace = NAMESPACE): string => `
  insert into audit (namespace_id, number, id, at, actor, actor_id, origin, action, target, before, after, previous_hash, hash)
  ${count} '${namespace}', n, ${id}, 1700000000000 + n, '{"kind":"member","id":"acc_k","name":"(text 000000000000)"}',
    'key_' || substr('0000000000000000000' || (n % 50), -20), '{"channel":"api","network":"192.0.2.1"}',
    case when n % 1000 = 0 then '${RARE}' else 'mailbox.updated' end,
    '{"kind":"mailbox","id":"mbx_00000000000000000000","name":"sales@ada"}',
    '{"description":"Sales of the north"}', '{"description":"Sales of the south"}',
    '${'a'.repeat(64)}', '${'b'.repeat(64)}' from counted`;

const QUERIES = {
  newest: {},
  'of one actor': { actor: ACTOR },
  'of a rare action': { action: RARE },
  'of both': { actor: ACTOR.replace('7', '0'), action: RARE },
} as const;
type Query = keyof typeof QUERIES;
const queries = Object.keys(QUERIES) as Query[];

/** Milliseconds, of a page of the small log and of each kind. */
interface Took {
  readonly small: number;
  readonly million: number;
  readonly p99: number;
}

const quantile = (took: readonly number[], part: number): number =>
  took.toSorted((a, b) => a - b)[Math.max(0, Math.floor(took.length * part) - 1)] as number;

/** Pages from the newest on and from the middle, each beside one of the small log. */
async function measure(url: string, options: Options): Promise<Record<Query, Took>> {
  await using store = await openStore(url);
  const middle = `aud_${String(MILLION / 2).padStart(20, '0')}`;
  const page = async (query: Parameters<typeof store.audit.page>[0], before: string | null): Promise<number> => {
    const from = performance.now();
    const { items } = await store.audit.page(query, before, PAGE);
    if (items.length !== PAGE) throw new Error(`${items.length} entries of ${JSON.stringify(query)}`);
    return performance.now() - from;
  };
  const took: Partial<Record<Query, Took>> = {};
  for (const name of queries) {
    const small: number[] = [];
    const million: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      small.push(await page({ namespace_id: SMALL }, null));
      million.push(await page({ namespace_id: NAMESPACE, ...QUERIES[name] }, round % 2 === 0 ? null : middle));
    }
    took[name] = { small: quantile(small, 0.5), million: quantile(million, 0.5), p99: quantile(million, 0.99) };
  }
  options.say(`${whole(MILLION)} entries, ${ROUNDS} pages of each kind`);
  return took as Record<Query, Took>;
}

async function filledSqlite(options: Options): Promise<string> {
  const file = join(options.folder, 'audit.db');
  const url = `sqlite:${file}`;
  await (await openStore(url))[Symbol.asyncDispose]();
  using db = new DatabaseSync(file);
  db.exec(fill(COUNT.sqlite(MILLION), idOf('aud')));
  db.exec(fill(COUNT.sqlite(PAGE), idOf('few'), SMALL));
  return url;
}

async function filledPostgres(url: string): Promise<string> {
  await (await openStore(url))[Symbol.asyncDispose]();
  const client = new pg.Client(url);
  await client.connect();
  const write = (sql: string) => client.query(sql.replaceAll(/substr\(([^,]+), -20\)/g, 'right($1, 20)'));
  await write(fill(COUNT.postgres(MILLION), idOf('aud')));
  await write(fill(COUNT.postgres(PAGE), idOf('few'), SMALL));
  await client.query('vacuum analyze audit');
  await client.end();
  return url;
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  const took = {
    SQLite: await measure(await filledSqlite(options), options),
    PostgreSQL: await measure(await filledPostgres(await postgres.newDatabase()), options),
  };
  const databases = ['SQLite', 'PostgreSQL'] as const;
  return {
    table: [
      [`p50 of a page of ${PAGE} (p99; of a log with ${PAGE})`, ...databases],
      ...queries.map((name) => [
        name,
        ...databases.map((database) => {
          const { small, million, p99 } = took[database][name];
          return `${ms(million)} (${ms(p99)}; ${ms(small)}, 1 : ${(million / small).toFixed(2)})`;
        }),
      ]),
    ],
    wanted: databases.map((database) => {
      const slowest = Math.max(...queries.map((name) => took[database][name].p99));
      return { met: slowest <= WITHIN_MS, text: `${database}: a page of a million entries in ${ms(slowest)}` };
    }),
    notes: [
      `${ROUNDS} pages of each kind, in turns with the small log: the newest, and those before the half-millionth.`,
    ],
  };
}

export const audit: Benchmark = { name: 'audit', about: 'pages of an audit log with a million entries', run };
