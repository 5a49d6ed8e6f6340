import { startHelper } from './talk.ts';

export interface Job {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON texts, sent in order and repeated. */
  readonly bodies: readonly string[];
  readonly connections: number;
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
}

export interface Generator extends AsyncDisposable {
  /** Throws when a connection broke or an answer is not as expected. */
  load(job: Job): Promise<Measured>;
}

/** One generator process for all contenders, so that it is equally warm for the first and the last. */
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
