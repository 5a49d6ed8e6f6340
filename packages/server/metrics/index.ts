import diagnostics from 'node:diagnostics_channel';
import { type Clock, SECOND } from '@mailroom/behavior/values/clock';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Authentication } from '../core/entities/email.ts';
import type { WaitingDeliveries } from '../core/ports/delivery.ts';
import type { StorageState } from '../core/reports/health.ts';

/** Values that are read on request rather than published on change. */
export interface Gauges {
  /** Messages due or being handled. */
  readonly queue_depth: () => Promise<number>;
  /** Requests that wait for a settlement. */
  readonly waiting: () => number;
  /** What waits to leave the service, by kind; undefined when it cannot be read. */
  readonly deliveries: () => Promise<readonly WaitingDeliveries[] | undefined>;
  /** How full the storage is; undefined when it cannot be read. */
  readonly storage: () => Promise<StorageState | undefined>;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SETTLE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];
const COMMIT_WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024];

const FRESH_MS = 200;

/** Prometheus metrics, fed by diagnostics channels, so that their sources do not depend on them. */
export class Metrics implements Disposable {
  /** All figures. */
  readonly registry = new Registry();
  readonly #unsubscribe: (() => void)[] = [];
  #made: { readonly at: number; readonly text: Promise<string> } | undefined;

  constructor(gauges: Gauges, clock: Clock) {
    const registers = [this.registry];
    collectDefaultMetrics({ register: this.registry });
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

    new Gauge({
      name: 'mailroom_deliveries_waiting',
      help: 'Deliveries that wait for an attempt or are in progress, by kind.',
      labelNames: ['kind'],
      registers,
      async collect() {
        this.reset();
        for (const { kind, count } of (await gauges.deliveries()) ?? []) this.set({ kind }, count);
      },
    });
    new Gauge({
      name: 'mailroom_deliveries_oldest_age_seconds',
      help: 'Age of the oldest delivery that waits, by kind.',
      labelNames: ['kind'],
      registers,
      async collect() {
        this.reset();
        for (const { kind, oldest_at } of (await gauges.deliveries()) ?? []) {
          this.set({ kind }, Math.max(0, clock() - oldest_at) / SECOND);
        }
      },
    });
    new Gauge({
      name: 'mailroom_house_storage_ratio',
      help: 'What the first namespace stores, as a share of what it may.',
      registers,
      async collect() {
        this.reset();
        const storage = await gauges.storage();
        if (storage !== undefined) this.set(storage.house.bytes / storage.house.max_bytes);
      },
    });
    new Gauge({
      name: 'mailroom_namespaces_nearly_full',
      help: 'Namespaces that store 80 % or more of what they may.',
      registers,
      async collect() {
        this.reset();
        const storage = await gauges.storage();
        if (storage !== undefined) this.set(storage.nearly_full);
      },
    });
    const attempts = new Counter({
      name: 'mailroom_delivery_attempts_total',
      help: 'Attempts to make a delivery, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.#on<{ kind: string; outcome: string }>('mailroom:delivery:attempted', ({ kind, outcome }) =>
      attempts.inc({ kind, outcome }),
    );

    const requests = new Histogram({
      name: 'mailroom_http_request_duration_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: REQUEST_SECONDS,
      registers,
    });
    this.#on<{ method: string; route: string; status: number; ms: number }>(
      'mailroom:http:answered',
      ({ method, route, status, ms }) => requests.observe({ method, route, status }, ms / 1000),
    );

    const settledTime = new Histogram({
      name: 'mailroom_message_settle_duration_seconds',
      help: 'Time from a message to its settlement, by behavior and status.',
      labelNames: ['behavior', 'status'],
      buckets: SETTLE_SECONDS,
      registers,
    });
    const settled = new Counter({
      name: 'mailroom_messages_settled_total',
      help: 'Messages that settled.',
      labelNames: ['behavior', 'status'],
      registers,
    });
    this.#on<{ behavior: string; status: string; ms: number }>(
      'mailroom:message:settled',
      ({ behavior, status, ms }) => {
        settledTime.observe({ behavior, status }, ms / 1000);
        settled.inc({ behavior, status });
      },
    );

    const commitWrites = new Histogram({
      name: 'mailroom_store_commit_writes',
      help: 'Writes in one commit.',
      buckets: COMMIT_WRITES,
      registers,
    });
    const commitTime = new Histogram({
      name: 'mailroom_store_commit_duration_seconds',
      help: 'Time a commit took, sync to disk included.',
      buckets: COMMIT_SECONDS,
      registers,
    });
    this.#on<{ writes: number; ms: number }>('mailroom:store:commit', ({ writes, ms }) => {
      commitWrites.observe(writes);
      commitTime.observe(ms / 1000);
    });

    const compactions = new Histogram({
      name: 'mailroom_store_compaction_duration_seconds',
      help: 'Time a compaction of the SQLite file took, by whether it was done or failed.',
      labelNames: ['outcome'],
      buckets: SETTLE_SECONDS,
      registers,
    });
    this.#on<{ ms: number; error?: string }>('mailroom:store:compacted', ({ ms, error }) =>
      compactions.observe({ outcome: error === undefined ? 'done' : 'failed' }, ms / 1000),
    );

    this.#mail(registers);

    const restarts = new Counter({
      name: 'mailroom_worker_restarts_total',
      help: 'Worker threads that were replaced.',
      labelNames: ['pool', 'reason'],
      registers,
    });
    this.#on<{ pool: string; reason: string }>('mailroom:worker:replaced', ({ pool, reason }) =>
      restarts.inc({ pool, reason }),
    );
  }

  /** Prometheus text format 0.0.4; rendered at most once per `FRESH_MS`, as anyone may request it. */
  text(): Promise<string> {
    const now = performance.now();
    if (this.#made === undefined || now - this.#made.at > FRESH_MS) {
      this.#made = { at: now, text: this.registry.metrics() };
    }
    return this.#made.text;
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  /** What is counted of e-mail. */
  #mail(registers: Registry[]): void {
    const counter = (name: string, help: string, labelNames: string[]): Counter =>
      new Counter({ name: `mailroom_mail_${name}_total`, help, labelNames, registers });
    const replies = counter('replies', 'Mails taken (DATA, 250) or refused, and commands refused, by reply code.', [
      'command',
      'code',
    ]);
    this.#on<{ command: string; code: number }>('mailroom:mail:replied', ({ command, code }) =>
      replies.inc({ command, code }),
    );
    const accepted = counter('accepted', 'Messages made of mail, by why they get no automatic answer, or none.', [
      'not_answered',
    ]);
    const authentication = counter('authentication', 'Results of authentication of the mail that was accepted.', [
      'method',
      'result',
    ]);
    this.#on<{ not_answered: string | null; authentication: Authentication }>(
      'mailroom:mail:accepted',
      ({ not_answered, authentication: { spf, dkim, dmarc, arc, verified } }) => {
        accepted.inc({ not_answered: not_answered ?? 'none' });
        for (const [method, result] of Object.entries({ spf, dkim, dmarc, arc, verified: String(verified) }))
          authentication.inc({ method, result });
      },
    );
    const reading = new Histogram({
      name: 'mailroom_mail_read_duration_seconds',
      help: 'Time to read and authenticate a mail, waits for a thread and name servers included, by outcome.',
      labelNames: ['outcome'],
      buckets: SETTLE_SECONDS,
      registers,
    });
    this.#on<{ outcome: string; ms: number }>('mailroom:mail:read', ({ outcome, ms }) =>
      reading.observe({ outcome }, ms / 1000),
    );
    const suppressions = counter('suppressions', 'Addresses that get no more mail of a namespace, by cause.', [
      'cause',
    ]);
    this.#on<{ cause: string }>('mailroom:mail:suppressed', ({ cause }) => suppressions.inc({ cause }));
  }

  #on<T>(name: string, listener: (message: T) => void): void {
    const listening = (message: unknown): void => listener(message as T);
    diagnostics.subscribe(name, listening);
    this.#unsubscribe.push(() => diagnostics.unsubscribe(name, listening));
  }
}
