import { chance } from '../../../../tests/harness/chance.ts';
import { connect } from '../../../../tests/harness/client.ts';
import type { Database } from '../../../../tests/harness/database.ts';
import { newFolder, PROOF_MAIN, removeFolder, type Service, startService } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { check, load, type OnBroken, type Round, setUp } from './promises.ts';

export interface FailpointOptions {
  readonly database: Database;
  /** Where it dies in each start, in order: values of `FAIL_AT`, see `proof-main.ts`. */
  readonly deaths: readonly string[];
  readonly seed: number;
  /** Settings such as DEFECT. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface FailpointReport {
  /** How often it killed itself. */
  readonly died: number;
  /** How many messages were acknowledged when it died. */
  readonly acknowledged: number;
  /** Requests in flight when it died. */
  readonly cut: number;
  /** A description of every broken promise. */
  readonly broken: string[];
}

/** Maximum time to reach its failpoint under load, and then to finish the remaining work. */
const PATIENCE_MS = 20_000;

const LEFT = `
  select id, 'job' as what from jobs where kind = 'purge'
  union all
  select message_id as id, 'handling' as what from handlings
  where mailbox_id in (select id from mailboxes where deleted_at is not null)
  union all
  select id, 'message' as what from messages
  where to_mailbox_id in (select id from mailboxes where deleted_at is not null)`;

/**
 * Loads a service that kills itself at a write, repeats this for each failpoint, then starts it without one and checks
 * every promise.
 */
export async function failpoint(options: FailpointOptions): Promise<FailpointReport> {
  const { database } = options;
  const folder = newFolder();
  const url = await database.fresh(folder);
  // Few slots, so that some messages wait; a short lease, so that leases are renewed and expire within the test.
  const lasting = { DATABASE_URL: url, GATES: folder, RUN_MAX: '3', LEASE_SECONDS: '1', ...options.env };
  const random = chance(options.seed);
  const broken: string[] = [];
  const report: OnBroken = (text) => void broken.push(text);
  const errors = async (): Promise<void> => {
    for (const error of await database.errors(url)) report(error);
  };
  let round: Round | undefined;
  let died = 0;
  let cut = 0;
  try {
    for (const place of options.deaths) {
      const service = await startMortal(folder, { ...lasting, FAIL_AT: place });
      if (service !== undefined) {
        let ended = false;
        const ending = service.exited.finally(() => {
          ended = true;
        });
        const watching = until(
          PATIENCE_MS,
          async () => ended,
          (is) => is,
        ).catch(() => {
          report(`it did not come to ${place}`);
          return service.kill();
        });
        const client = connect(service.url);
        round ??= await setUp(client, true);
        cut += await load(client, round, { random });
        await watching;
        const { signal } = await ending;
        if (signal !== 'SIGKILL') report(`it ended at ${place} with ${signal}: ${service.logs()}`);
      }
      died++;
      await errors();
    }
    const whole = await startService({ folder, env: lasting, main: PROOF_MAIN });
    if (round !== undefined) await check(connect(whole.url), round, report);
    await until(
      PATIENCE_MS,
      () => database.ask(url, LEFT),
      (left) => left.length === 0,
    ).catch((error: Error) => report(`what was deleted is not gone: ${error.message}`));
    const exit = await whole.stop();
    if (exit.code !== 0) report(`it did not stop: ${JSON.stringify(exit)} ${whole.logs()}`);
    await errors();
  } finally {
    removeFolder(folder);
  }
  return { died, acknowledged: round?.promised.size ?? 0, cut, broken };
}

/** Undefined when it died before it listened. */
async function startMortal(folder: string, env: Readonly<Record<string, string>>): Promise<Service | undefined> {
  try {
    return await startService({ folder, env, main: PROOF_MAIN });
  } catch (error) {
    if (/"signal":"SIGKILL"/.test((error as Error).message)) return undefined;
    throw error;
  }
}
