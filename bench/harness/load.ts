import { startHelper } from './talk.ts';

export interface Job {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON texts, sent one after the other, over and over. */
  readonly bodies: readonly string[];
  readonly connections: number;
  /** How a right answer looks: its status, and a text that it has. */
  readonly status: string;
  readonly expect: string;
  /** Without it every body is sent once. */
  readonly timed?: { readonly warm_ms: number; readonly measure_ms: number };
}

export interface Measured {
  /** All that were sent, before and after the measured time too. */
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
  /** Answers without the wanted status or text, and the first of them. */
  readonly unexpected: number;
  readonly sample: string;
  /** Mean size with head. */
  readonly answer_bytes: number;
  /** CPU time the generator took, in seconds, for all that it sent. */
  readonly cpu_s: number;
}

export interface Generator extends AsyncDisposable {
  /** Throws when a connection broke or an answer is not what was expected. */
  load(job: Job): Promise<Measured>;
}

/** One process for all that is compared, so that it is as warm for the last as for the first. */
export function startGenerator(): Generator {
  const helper = startHelper<Job, { measured?: Measured; error?: string }>(new URL('./generator.ts', import.meta.url));
  return {
    async load(job) {
      const { measured, error } = await helper.ask(job);
      if (!measured) throw new Error(`${job.path}: ${error}`);
      if (measured.unexpected > 0) {
        const counts = JSON.stringify(measured.statuses);
        throw new Error(
          `${job.path}: ${measured.unexpected} wrong answers of ${counts}, the first:\n${measured.sample}`,
        );
      }
      return measured;
    },
    [Symbol.asyncDispose]: () => helper[Symbol.asyncDispose](),
  };
}
