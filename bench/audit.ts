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
const ACTOR = 'key_00000000000000000007';
const RARE = 'key.revoked';

/** The numbers from 1 to a million, in each database's way to write them. */
const COUNT = {
  sqlite: `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${MILLION}) select`,
  postgres: `with counted as (select n from generate_series(1, ${MILLION}) n) select`,
};
const idOf = (n: string): string => `'aud_' || substr('00000000000000000000' || ${n}, -20)`;
/** One in a thousand entries is of the rare action, and one in 50 of each actor. */
const fill = (count: string, id: string): string => `
  insert into audit (namespace_id, number, id, at, actor, actor_id, origin, action, target, before, after, previous_hash, hash)
  ${count} '${NAMESPACE}', n, ${id}, 1700000000000 + n, '{"kind":"key","id":"k","name":"Shop"}',
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

/** The milliseconds of the slowest of a hundred pages, from the newest on and from the middle. */
async function measure(url: string, options: Options): Promise<Record<Query, number>> {
  await using store = await openStore(url);
  const middle = `aud_${String(MILLION / 2).padStart(20, '0')}`;
  const p99: Partial<Record<Query, number>> = {};
  for (const name of queries) {
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const from = performance.now();
      const query = { namespace_id: NAMESPACE, ...QUERIES[name] };
      const { items } = await store.audit.page(query, round % 2 === 0 ? null : middle, PAGE);
      took.push(performance.now() - from);
      if (items.length !== PAGE) throw new Error(`${items.length} entries ${name}`);
    }
    took.sort((a, b) => a - b);
    p99[name] = took[Math.floor(ROUNDS * 0.99) - 1] as number;
  }
  options.say(`${whole(MILLION)} entries, ${ROUNDS} pages of each kind`);
  return p99 as Record<Query, number>;
}

async function filledSqlite(options: Options): Promise<string> {
  const file = join(options.folder, 'audit.db');
  const url = `sqlite:${file}`;
  await (await openStore(url))[Symbol.asyncDispose]();
  using db = new DatabaseSync(file);
  db.exec(fill(COUNT.sqlite, idOf('n')));
  return url;
}

async function filledPostgres(url: string): Promise<string> {
  await (await openStore(url))[Symbol.asyncDispose]();
  const client = new pg.Client(url);
  await client.connect();
  const sql = fill(COUNT.postgres, idOf('n')).replaceAll(/substr\(([^,]+), -20\)/g, 'right($1, 20)');
  await client.query(sql);
  await client.query('analyze audit');
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
      [`p99 of a page of ${PAGE}`, ...databases],
      ...queries.map((name) => [name, ...databases.map((database) => ms(took[database][name]))]),
    ],
    wanted: databases.map((database) => {
      const slowest = Math.max(...queries.map((name) => took[database][name]));
      return { met: slowest <= WITHIN_MS, text: `${database}: a page of a million entries in ${ms(slowest)}` };
    }),
    notes: [`${ROUNDS} pages of each kind, one after the other: the newest, and those before the half-millionth.`],
  };
}

export const audit: Benchmark = { name: 'audit', about: 'pages of an audit log with a million entries', run };
