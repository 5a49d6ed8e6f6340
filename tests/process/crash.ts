import { isDeepStrictEqual } from 'node:util';
import { chance } from '../harness/chance.ts';
import { connect } from '../harness/client.ts';
import type { Database } from '../harness/database.ts';
import { newFolder, removeFolder, startService } from '../harness/service.ts';
import type { Envelope } from '../harness/wire.ts';
import type { OnBroken } from './promises.ts';
import { check, each, load, setUp } from './promises.ts';

export interface Report {
  readonly rounds: number;
  /** How many messages it had answered for when it was killed, over all rounds. */
  readonly acknowledged: number;
  /** Requests that were being answered when it was killed. */
  readonly cut: number;
  /** Every promise that was broken, in words. */
  readonly broken: string[];
}

export interface CrashOptions {
  readonly database: Database;
  readonly rounds: number;
  readonly seed: number;
  /** A service with a defect, see `proof-main.ts`. */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends with the round that first breaks a promise. */
  readonly untilBroken?: boolean;
}

/** Starts, loads and kills the service on one database, again and again, and looks each time what became of its words. */
export async function crash(options: CrashOptions): Promise<Report> {
  const { database, rounds, main, untilBroken = false } = options;
  const folder = newFolder();
  const url = await database.fresh(folder);
  // A short lease: on PostgreSQL what was claimed is due when it has run out.
  const env = { LEASE_SECONDS: '1', ...options.env, DATABASE_URL: url };
  const start = () => startService({ folder, env, ...(main === undefined ? {} : { main }) });
  const random = chance(options.seed);
  const broken: string[] = [];
  const settled: [key: string, Envelope][] = [];
  let acknowledged = 0;
  let cut = 0;
  let round = 0;
  const errors = async (report: OnBroken): Promise<void> => {
    for (const error of await database.errors(url)) report(error);
  };
  try {
    // A machine that is busy with else answers little in a round: then there are more.
    let service = await start();
    const enough = (): boolean => round >= rounds && (acknowledged > 5 * rounds || round >= 4 * rounds);
    while (!enough() && !(untilBroken && broken.length > 0)) {
      round++;
      const report = (text: string): void => void broken.push(`round ${round}: ${text}`);
      const before = await setUp(connect(service.url), false);
      const loading = load(connect(service.url), before, { random, withProofread: round % 6 === 3 });
      // Somewhere in the middle of it: the one place where a time of our own is what is tested.
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 500));
      await service.kill();
      cut += await loading;
      acknowledged += before.promised.size;
      await errors(report);
      service = await start();
      for (const envelope of await check(connect(service.url), before, report))
        settled.push([before.home.key, envelope]);
      // Nothing is on its way: it may go on as it is, or end once more, this way or that.
      const end = random();
      if (end < 0.5) {
        await (end < 0.25 ? service.kill() : service.stop());
        service = await start();
      }
    }
    await service.kill();
    if (untilBroken && broken.length > 0) return { rounds: round, acknowledged, cut, broken };
    // What was seen settled after one crash is the same after all the others.
    service = await start();
    const client = connect(service.url);
    const some = settled.filter((_, i) => i % Math.ceil(settled.length / 2_000) === 0);
    await each(some, async ([key, envelope]) => {
      const now = await client.read(key, envelope.id);
      if (!isDeepStrictEqual(now.body, envelope))
        broken.push(`in the end: ${envelope.id} is not what it was: ${now.text}`);
    });
    await service.stop();
    await errors((text) => void broken.push(`in the end: ${text}`));
  } finally {
    removeFolder(folder);
  }
  return { rounds: round, acknowledged, cut, broken };
}
