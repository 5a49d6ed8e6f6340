import { startHelper } from './talk.ts';
import { hasWrk, measureByWrk } from './wrk.ts';

export interface Job {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON texts, sent in order and repeated. */
  readonly bodies: readonly string[];
  readonly connections: number;
  /** A text of `#` in each request that is replaced by a number of as many digits, another one each time. */
  readonly serial?: string;
  /** What a correct answer has: its status, and a text in it. */
  readonly status: string;
  readonly expect: string;
  /** How long to send; without it every body is sent once. */
  readonly timed?: { readonly warm_ms: number; readonly measure_ms: number };
}

export interface Measured {
  /** All requests sent, also before and after the measured time. */
  readonly sent: number;
  readonly requests: number;
  readonly seconds: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers without the expected status or text, and the first of them. */
  readonly unexpected: number;
  readonly sample: string;
  /** Mean size of an answer with its head. */
  readonly answer_bytes: number;
  /** CPU seconds that the generator used for all requests it sent. */
  readonly cpu_s: number;
  /** Cores that the generator kept busy during the measured time. */
  readonly cores: number;
}

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
  const own = async (job: Job): Promise<Measured> => {
    const { measured, error } = await helper.ask(job);
    if (!measured) throw new Error(`${job.path}: ${error}`);
    return checked(job, measured);
  };
  return {
    async load(job) {
      const { timed } = job;
      if (timed === undefined || job.bodies.length > 1 || !hasWrk()) return own(job);
      const warm = await own({ ...job, timed: { warm_ms: 0, measure_ms: timed.warm_ms } });
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
