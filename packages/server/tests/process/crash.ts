import { isDeepStrictEqual } from 'node:util';
import { chance } from '../../../../tests/harness/chance.ts';
import { connect } from '../../../../tests/harness/client.ts';
import type { Database } from '../../../../tests/harness/database.ts';
import { newFolder, removeFolder, startService } from '../../../../tests/harness/service.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { check, each, load, type OnBroken, setUp } from './promises.ts';

export interface Report {
  readonly rounds: number;
  /** How many messages were acknowledged before the kills, over all rounds. */
  readonly acknowledged: number;
  /** Requests in flight when it was killed. */
  readonly cut: number;
  /** A description of every broken promise. */
  readonly broken: string[];
}

export interface CrashOptions {
  readonly database: Database;
  readonly rounds: number;
  readonly seed: number;
  /** A program with a defect, see `proof-main.ts`. */
  readonly main?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Stops after the first round that breaks a promise. */
  readonly untilBroken?: boolean;
}

/** Starts, loads and kills the service on one database, again and again, and checks its promises each time. */
export async function crash(options: CrashOptions): Promise<Report> {
  const { database, rounds, main, untilBroken = false } = options;
  const folder = newFolder();
  const url = await database.fresh(folder);
  // A short lease, because on PostgreSQL claimed work is due only when its lease has expired.
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
    // A busy machine answers few requests in a round; then there are more rounds.
    let service = await start();
    const enough = (): boolean => round >= rounds && (acknowledged > 5 * rounds || round >= 4 * rounds);
    while (!enough() && !(untilBroken && broken.length > 0)) {
      round++;
      const report = (text: string): void => void broken.push(`round ${round}: ${text}`);
      const world = await setUp(connect(service.url), false);
      const loading = load(connect(service.url), world, { random, withProofread: round % 6 === 3 });
      // A random time within the load: this is the only test in which a fixed delay is intended.
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 500));
      await service.kill();
      cut += await loading;
      acknowledged += world.promised.size;
      await errors(report);
      service = await start();
      for (const envelope of await check(connect(service.url), world, report)) settled.push([world.home.key, envelope]);
      // Without load the service runs on, is killed, or is stopped, at random.
      const end = random();
      if (end < 0.5) {
        await (end < 0.25 ? service.kill() : service.stop());
        service = await start();
      }
    }
    await service.kill();
    if (untilBroken && broken.length > 0) return { rounds: round, acknowledged, cut, broken };
    // A message that was settled after one crash must be unchanged after all others.
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
