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
