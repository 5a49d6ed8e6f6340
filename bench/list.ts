import { join } from 'node:path';
import { openStore } from '@mailroom/server/store/open';

import { fill } from './harness/fill.ts';
import { median, ms, ratio, whole } from './harness/numbers.ts';
import { startSyncedPostgres } from './harness/postgres.ts';
import type { Benchmark, Options, Report } from './harness/report.ts';
import { ownerKey, type Service, startService } from './harness/service.ts';

const MILLION = 1_000_000;
const PAGE = 50;
const ROUNDS = 300;
const SECOND_MS = 1000;

type Box = 'million' | 'fifty' | 'empty';
const BOXES: Readonly<Record<Box, number>> = { million: MILLION, fifty: PAGE, empty: 0 };
const LABELS: Readonly<Record<Box, string>> = {
  million: 'a mailbox with a million messages',
  fifty: 'one with just 50',
  empty: 'an empty one',
};
const boxes = Object.keys(BOXES) as Box[];
const address = (box: Box): string => `${box}@agents.mailroom.localhost`;

/** Milliseconds of each list. The three mailboxes take turns so that a disturbance hits all of them. */
async function lists(service: Service): Promise<Record<Box, number[]>> {
  const took: Record<Box, number[]> = { million: [], fifty: [], empty: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const box of boxes) {
      const from = performance.now();
      const page = (await service.call(`/mailboxes/${address(box)}/messages?limit=${PAGE}`)) as { items: unknown[] };
      took[box].push(performance.now() - from);
      if (page.items.length !== Math.min(PAGE, BOXES[box])) throw new Error(`${page.items.length} of ${box}`);
    }
  }
  return took;
}

async function measure(options: Options, name: string, url: string | undefined): Promise<Record<Box, number[]>> {
  const folder = join(options.folder, name);
  const settings: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
  {
    await using starting = await startService(options, name, settings);
    for (const box of boxes) {
      const behavior = { name: 'hello', settings: { name: 'Ada', introduction: 'Hello!' } };
      await starting.call('/namespaces/agents/mailboxes', { local_part: box, behavior });
    }
  }
  {
    await using store = await openStore(url ?? `sqlite:${join(folder, 'mailroom.db')}`);
    const first = Date.now() - MILLION * SECOND_MS;
    for (const box of boxes) {
      options.say(`${name}: ${whole(BOXES[box])} messages into ${box}`);
      const at = (n: number): number => first + n * SECOND_MS;
      await fill(store, { key: ownerKey(folder), local_part: box, count: BOXES[box], at, reply: 'Hello!' });
    }
  }
  await using service = await startService(options, name, settings);
  await lists(service);
  return await lists(service);
}

async function run(options: Options): Promise<Report> {
  await using postgres = await startSyncedPostgres();
  const took = {
    SQLite: await measure(options, 'sqlite', undefined),
    PostgreSQL: await measure(options, 'postgres', await postgres.newDatabase()),
  };
  const databases = ['SQLite', 'PostgreSQL'] as const;
  return {
    table: [
      [`newest ${PAGE} of`, ...databases.flatMap((database) => [database, 'ratio'])],
      ...boxes.map((box) => [
        LABELS[box],
        ...databases.flatMap((database) => [
          ms(median(took[database][box])),
          ratio(median(took[database][box]) / median(took[database].fifty)),
        ]),
      ]),
    ],
    wanted: databases.map((database) => {
      const share = median(took[database].million) / median(took[database].fifty);
      return { met: share <= 1.25, text: `${database}: a million costs a list no more than 50 do: ${ratio(share)}` };
    }),
    notes: [
      `Median of ${ROUNDS} requests each, one after the other, the three in turn. An empty list has nothing to send.`,
    ],
  };
}

export const list: Benchmark = { name: 'list', about: 'the newest 50 of a mailbox with a million messages', run };
