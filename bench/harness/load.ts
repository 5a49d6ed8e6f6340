import type { Job, Measured } from './job.ts';
import { startHelper } from './talk.ts';
import { hasWrk, measureByWrk } from './wrk.ts';

export interface Generator extends AsyncDisposable {
  /** Throws when a connection broke or an answer is not as expected. */
  load(job: Job): Promise<Measured>;
}

/**
 * Measures by wrk where it is installed and by our own generator where not, and for jobs that wrk cannot do. One process
 * of ours for all contenders, so that it is equally warm for the first and the last; it also warms up for wrk, because it
 * checks every answer.
 */
export function startGenerator(): Generator {
  const helper = startHelper<Job, { measured?: Measured; error?: string }>(new URL('./generator.ts', import.meta.url));
  const runJob = async (job: Job): Promise<Measured> => {
    const { measured, error } = await helper.ask(job);
    if (!measured) throw new Error(`${job.path}: ${error}`);
    return checked(job, measured);
  };
  return {
    async load(job) {
      const { timed } = job;
      if (timed === undefined || job.bodies.length > 1 || !hasWrk()) return runJob(job);
      const warm = await runJob({ ...job, timed: { warm_ms: 0, measure_ms: timed.warm_ms } });
      const measured = checked(job, await measureByWrk({ ...job, timed }));
      const cpu_s = warm.cpu_s + measured.cores * measured.seconds;
      return { ...measured, sent: warm.sent + measured.requests, cpu_s };
    },
    [Symbol.asyncDispose]: () => helper[Symbol.asyncDispose](),
  };
}

function checked<M extends Pick<Measured, 'unexpected' | 'statuses' | 'sample'>>({ path }: Job, measured: M): M {
  if (measured.unexpected === 0) return measured;
  const counts = JSON.stringify(measured.statuses);
  throw new Error(`${path}: ${measured.unexpected} wrong answers of ${counts}, the first:\n${measured.sample}`);
}
