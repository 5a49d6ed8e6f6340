import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadOf } from '@mailroom/behavior/values/ids';
import { openStore } from '@mailroom/server/store/open';
import { type Compared, compare, disturbance } from './harness/compare.ts';
import { fill } from './harness/fill.ts';
import { median, ms, ratio, spread, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report, Wanted } from './harness/report.ts';
import { HELLO, ownerKey, QUESTION, type Service, startService } from './harness/service.ts';

const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 1_000_000);
const SECOND_MS = 1_000;
const ROUNDS = 8;
/** Of each query. */
const ASKED = 20;
const WORDS = 40;
const VOCABULARY = 30_000;
const PER_THREAD = 5;

/** A word by its rank: those of low rank are in many messages. */
const wordAt = (rank: number): string => `w${rank.toString(36)}`;
/** Ranks as in texts: the word of rank r is about 1/r as frequent as the first. */
const rankAt = (place: number): number => Math.floor(VOCABULARY ** (((place * 2654435761) % 4294967296) / 4294967296));
const bodyAt = (n: number): string =>
  Array.from({ length: WORDS }, (_, nth) => wordAt(rankAt(n * WORDS + nth + 1))).join(' ');

/** Two words each. */
const QUERIES: Readonly<Record<string, string>> = {
  'two frequent words': `${wordAt(2)} ${wordAt(3)}`,
  'a frequent and a rare one': `${wordAt(2)} ${wordAt(20_000)}`,
  'two of medium frequency': `${wordAt(300)} ${wordAt(500)}`,
  'two that are never together': `${wordAt(29_000)} ${wordAt(29_001)}`,
  'a phrase': `"${bodyAt(1_234).split(' ').slice(3, 5).join(' ')}"`,
  'two frequent words, by relevance': `${wordAt(2)} ${wordAt(3)}&sort=relevance`,
};

async function timed(service: Service, path: string): Promise<number[]> {
  const took: number[] = [];
  for (let round = 0; round < ASKED; round++) {
    const from = performance.now();
    await service.call(path);
    took.push(performance.now() - from);
  }
  return took.slice(1);
}

interface Found {
  readonly indexed_until: string;
}

const isBehind = async (service: Service, since: number): Promise<boolean> => {
  const found = (await service.call('/mail/search?query=hello&limit=1').catch(() => undefined)) as Found | undefined;
  return found === undefined || Date.parse(found.indexed_until) < since;
};

/** Searches and lists of threads among a million messages. */
async function measure(options: Options, name: string, url: string | undefined) {
  const settings: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
  {
    await using starting = await startService(options, name, { ...settings, SEARCH_INDEX: 'off' });
    const behavior = { name: 'hello', settings: { name: 'Ada', introduction: 'Hello!' } };
    await starting.call('/namespaces/agents/mailboxes', { local_part: 'many', behavior });
  }
  const folder = join(options.folder, name);
  options.say(`${name}: storing ${whole(MESSAGES)} messages`);
  {
    await using store = await openStore(url ?? `sqlite:${join(folder, 'mailroom.db')}`);
    const first = Date.now() - MESSAGES * SECOND_MS;
    const firsts: string[] = [];
    await fill(store, {
      key: ownerKey(folder),
      local_part: 'many',
      count: MESSAGES,
      at: (n) => first + n * SECOND_MS,
      reply: 'Hello!',
      fields(n, id) {
        if (n % PER_THREAD === 0) firsts[n / PER_THREAD] = id;
        const begun = firsts[Math.floor(n / PER_THREAD)];
        return { body: bodyAt(n), ...(begun !== undefined && { thread_id: threadOf(begun) }) };
      },
    });
  }
  await using service = await startService(options, name, settings);
  const [from, since] = [performance.now(), Date.now()];
  options.say(`${name}: indexing`);
  while (await isBehind(service, since)) await sleep(SECOND_MS);
  const indexed = (performance.now() - from) / 1000;
  const took: Record<string, number[]> = {};
  for (const [query, text] of Object.entries(QUERIES))
    took[query] = await timed(service, `/mail/search?query=${text.replaceAll(' ', '+')}`);
  took['a list of threads'] = await timed(service, '/mail/threads');
  return { indexed, took };
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  const [sqlite, other] = [
    await measure(options, 'sqlite', undefined),
    await measure(options, 'postgres', await postgres.newDatabase()),
  ];
  await using off = await startService(options, 'off', { SEARCH_INDEX: 'off' });
  await using on = await startService(options, 'on');
  const submission = (service: typeof on) => service.submission(HELLO, [QUESTION], true);
  const compared = (await compare(
    [
      { name: 'sync hello without an index', server: off, submission: submission(off) },
      { name: 'sync hello with an index', server: on, submission: submission(on) },
    ],
    { connections: 64, rounds: options.rounds ?? ROUNDS, cold_ms: 2500, warm_ms: 400, measure_ms: 3000 },
    options.say,
  )) as [Compared, Compared];
  const share = median(compared[1].rounds.map((round) => round.ratio));
  const [from, since] = [performance.now(), Date.now()];
  while (await isBehind(on, since)) await sleep(100);
  const behind = (performance.now() - from) / 1000;
  const limits = (name: string): number => (name.includes('threads') ? 30 : 100);
  const wanted: Wanted[] = Object.keys(sqlite.took)
    .filter((name) => !name.includes('relevance'))
    .map((name) => {
      const both = [sqlite, other].map(({ took }) => median(took[name] ?? []));
      return {
        met: both.every((one) => one <= limits(name)),
        text: `${name} within ${limits(name)} ms: ${both.map(ms).join(', ')}`,
      };
    });
  return {
    table: [
      [`among ${whole(MESSAGES)} messages`, 'SQLite', 'PostgreSQL'],
      ...Object.keys(sqlite.took).map((name) => [
        name,
        ...[sqlite, other].map(({ took }) => ms(median(took[name] ?? []))),
      ]),
    ],
    wanted: [
      ...wanted,
      { met: share >= 0.95, text: `sync hello with the index at least 0.95 of without: ${ratio(share)}` },
      { met: behind <= 30, text: `caught up ${behind.toFixed(1)} s after that load, within 30 s` },
    ],
    notes: [
      disturbance(compared),
      `Ratios of hello in rounds: ${spread(
        compared[1].rounds.map((round) => round.ratio),
        ratio,
      )}.`,
      `The index of all messages was built in ${sqlite.indexed.toFixed(0)} s on SQLite, ${other.indexed.toFixed(0)} s on PostgreSQL.`,
      `Each figure is the median of ${ASKED} requests over HTTP.`,
    ],
  };
}

export const search: Benchmark = {
  name: 'search',
  about: 'searches and conversations of a million messages, and what the index costs a sync hello',
  run,
};
