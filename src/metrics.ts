import diagnostics from 'node:diagnostics_channel';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is asked for when someone looks, rather than told as it happens. */
export interface Gauges {
  /** Messages due or being handled. */
  readonly queue_depth: () => Promise<number>;
  /** Callers that wait for a settlement. */
  readonly waiting: () => number;
}

/**
 * Prometheus metrics, fed by diagnostics channels: the parts that tell of themselves do not know that anyone listens.
 */
export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(gauges: Gauges) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    const requests = new Histogram({
      name: 'mailroom_http_request_duration_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    const messages = new Counter({
      name: 'mailroom_messages_settled_total',
      help: 'Messages that settled, by behavior and status.',
      labelNames: ['behavior', 'status'],
      registers,
    });
    const settling = new Histogram({
      name: 'mailroom_message_settle_duration_seconds',
      help: 'Time from a message to its settlement.',
      labelNames: ['behavior'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600],
      registers,
    });
    const commitSize = new Histogram({
      name: 'mailroom_store_commit_writes',
      help: 'Writes in one commit.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024],
      registers,
    });
    const commitTime = new Histogram({
      name: 'mailroom_store_commit_duration_seconds',
      help: 'Time a commit took, sync to disk included.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
      registers,
    });
    const replaced = new Counter({
      name: 'mailroom_worker_restarts_total',
      help: 'Worker threads that were replaced.',
      labelNames: ['pool', 'reason'],
      registers,
    });
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

    // A label set is looked up by a text of its own: prom-client's own look-up sorts and joins them each time.
    const request = remembered((method: string, route: string, status: string) =>
      requests.labels({ method, route, status }),
    );
    this.#on<{ method: string; route: string; status: number; ms: number }>(
      'mailroom:http:answered',
      ({ method, route, status, ms }) => request(method, route, String(status)).observe(ms / 1000),
    );
    const message = remembered((behavior: string, status: string) => ({
      count: messages.labels({ behavior, status }),
      time: settling.labels({ behavior }),
    }));
    this.#on<{ behavior: string; status: string; ms: number }>(
      'mailroom:message:settled',
      ({ behavior, status, ms }) => {
        const { count, time } = message(behavior, status);
        count.inc();
        time.observe(ms / 1000);
      },
    );
    this.#on<{ writes: number; ms: number }>('mailroom:store:commit', ({ writes, ms }) => {
      commitSize.observe(writes);
      commitTime.observe(ms / 1000);
    });
    this.#on<{ pool: string; reason: string }>('mailroom:worker:replaced', (labels) => replaced.inc(labels));
  }

  /** Prometheus text format 0.0.4. */
  text(): Promise<string> {
    return this.#registry.metrics();
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

/** Makes a thing once for each list of words. */
function remembered<T, W extends string[]>(make: (...words: W) => T): (...words: W) => T {
  const made = new Map<string, T>();
  return (...words) => {
    const name = words.join(' ');
    let thing = made.get(name);
    if (thing === undefined) {
      thing = make(...words);
      made.set(name, thing);
    }
    return thing;
  };
}
