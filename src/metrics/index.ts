import diagnostics from 'node:diagnostics_channel';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Histogram } from './histogram.ts';

/** Values that are read on request rather than published on change. */
export interface Gauges {
  /** Messages due or being handled. */
  readonly queue_depth: () => Promise<number>;
  /** Requests that wait for a settlement. */
  readonly waiting: () => number;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SETTLE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const COMMIT_WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024];

const FRESH_MS = 200;

/**
 * Prometheus metrics, fed by diagnostics channels, so that their sources do not depend on them. Values of each request
 * are counted here in arrays: prom-client's own histogram took a seventh of an exchange.
 */
export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #unsubscribe: (() => void)[] = [];
  #made: { readonly at: number; readonly text: Promise<string> } | undefined;
  readonly #requests = new Histogram(
    'mailroom_http_request_duration_seconds',
    'Time from a request to its answer.',
    REQUEST_SECONDS,
  );
  readonly #settled = new Histogram(
    'mailroom_message_settle_duration_seconds',
    'Time from a message to its settlement, by behavior and status.',
    SETTLE_SECONDS,
  );
  readonly #commitWrites = new Histogram('mailroom_store_commit_writes', 'Writes in one commit.', COMMIT_WRITES);
  readonly #commitTime = new Histogram(
    'mailroom_store_commit_duration_seconds',
    'Time a commit took, sync to disk included.',
    COMMIT_SECONDS,
  );
  readonly #erasures = new Histogram(
    'mailroom_store_erase_duration_seconds',
    'Time it took to remove what deleted rows left in the file, by whether it was done or failed.',
    SETTLE_SECONDS,
  );
  readonly #restarts = new Histogram('mailroom_worker_restarts', 'Worker threads that were replaced.', []);

  constructor(gauges: Gauges) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    new Gauge({
      name: 'mailroom_queue_depth',
      help: 'Messages due or being handled.',
      registers,
      async collect() {
        this.set(await gauges.queue_depth());
      },
    });
    new Gauge({
      name: 'mailroom_waiting_callers',
      help: 'Callers that wait for a settlement.',
      registers,
      collect() {
        this.set(gauges.waiting());
      },
    });

    this.#on<{ method: string; route: string; status: number; ms: number }>(
      'mailroom:http:answered',
      ({ method, route, status, ms }) => this.#requests.of(method, route, String(status)).add(ms / 1000),
    );
    this.#on<{ behavior: string; status: string; ms: number }>('mailroom:message:settled', ({ behavior, status, ms }) =>
      this.#settled.of(behavior, status).add(ms / 1000),
    );
    this.#on<{ writes: number; ms: number }>('mailroom:store:commit', ({ writes, ms }) => {
      this.#commitWrites.of().add(writes);
      this.#commitTime.of().add(ms / 1000);
    });
    this.#on<{ ms: number; error?: string }>('mailroom:store:erased', ({ ms, error }) =>
      this.#erasures.of(error === undefined ? 'done' : 'failed').add(ms / 1000),
    );
    this.#on<{ pool: string; reason: string }>('mailroom:worker:replaced', ({ pool, reason }) =>
      this.#restarts.of(pool, reason).add(0),
    );
  }

  /** Prometheus text format 0.0.4; rendered at most once per `FRESH_MS`, as anyone may request it. */
  text(): Promise<string> {
    const now = performance.now();
    if (this.#made === undefined || now - this.#made.at > FRESH_MS) this.#made = { at: now, text: this.#make() };
    return this.#made.text;
  }

  async #make(): Promise<string> {
    const parts = [
      await this.#registry.metrics(),
      this.#requests.text(['method', 'route', 'status']),
      this.#settled.text(['behavior', 'status']),
      this.#settled.countText('mailroom_messages_settled_total', 'Messages that settled.', ['behavior', 'status']),
      this.#commitWrites.text([]),
      this.#commitTime.text([]),
      this.#erasures.text(['outcome']),
      this.#restarts.countText('mailroom_worker_restarts_total', 'Worker threads that were replaced.', [
        'pool',
        'reason',
      ]),
    ];
    return parts.join('\n');
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #on<T>(name: string, listener: (message: T) => void): void {
    const listening = (message: unknown): void => listener(message as T);
    diagnostics.subscribe(name, listening);
    this.#unsubscribe.push(() => diagnostics.unsubscribe(name, listening));
  }
}
