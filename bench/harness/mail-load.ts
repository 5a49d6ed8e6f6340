import { startHelper } from './talk.ts';

/** Mails of a sender: `text` follows a line that makes each of them another one. */
export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export interface MailJob {
  readonly port: number;
  /** The address from which they are sent. */
  readonly client: string;
  /** Sent in order and repeated. */
  readonly mails: readonly Mail[];
  readonly connections: number;
  /** Mails that one connection sends before the next one is opened. */
  readonly mails_per_connection: number;
  /** Mails a second; as many as possible without it. */
  readonly rate?: number;
  readonly warm_ms: number;
  readonly measure_ms: number;
}

export interface MailMeasured {
  /** All mails that were acknowledged, also before and after the measured time. */
  readonly sent: number;
  /** Mails a second that were acknowledged in the measured time. */
  readonly rate: number;
  /** Milliseconds from MAIL FROM to the acknowledgement. */
  readonly p50: number;
  readonly p99: number;
  /** CPU seconds that the generator used. */
  readonly cpu_s: number;
}

export interface MailGenerator extends AsyncDisposable {
  /** Throws when a connection broke or a mail was not acknowledged. */
  load(job: MailJob): Promise<MailMeasured>;
}

/** Sends mail from a process of its own. */
export function startMailGenerator(): MailGenerator {
  const helper = startHelper<MailJob, { measured?: MailMeasured; error?: string }>(
    new URL('./mail-generator.ts', import.meta.url),
  );
  return {
    async load(job) {
      const { measured, error } = await helper.ask(job);
      if (measured === undefined) throw new Error(`mail: ${error}`);
      return measured;
    },
    [Symbol.asyncDispose]: () => helper[Symbol.asyncDispose](),
  };
}
