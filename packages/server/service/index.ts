import { SECOND } from '@mailroom/behavior/values/clock';
import { Metrics } from '../metrics/index.ts';
import { addMachine } from '../metrics/machine.ts';
import { backupMark, dataFolder } from '../settings/email.ts';
import { operationRoutes } from '../transports/operations.ts';
import { type App, makeApp } from './app.ts';
import { HOUSE, openHouse } from './house.ts';
import { startHttp, stopServing } from './listen.ts';
import { loadAhead } from './load-ahead.ts';
import type { ServiceOptions } from './options.ts';
import { startEmail } from './receive.ts';
import { allRoutes } from './routes.ts';
import { startUpkeep } from './upkeep.ts';

export interface Service extends AsyncDisposable {
  readonly url: string;
  /** Where it receives mail, if it does. */
  readonly smtp: { readonly host: string; readonly port: number } | undefined;
  /** Where mail programs send, in the order of SUBMISSION_LISTEN. */
  readonly submission: readonly { readonly host: string; readonly port: number }[];
  /** Only on the first start. */
  readonly ownerKey: string | undefined;
  /** Begins the slow preparations of the behaviors and loads packages, which the first message or request would else wait for. */
  prepare(): void;
  /** The local part of the operator's mailbox to write to first; undefined where its behavior is not loaded. */
  readonly greeter: string | undefined;
}

const POLL_MS = SECOND;

/** Creates and connects all parts, serves them, and stops in reverse order. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const app = await makeApp(options, options.poll_ms ?? POLL_MS, stack);
  const metrics = stack.use(makeMetrics(app));
  const { DATABASE_URL, SMTP_TLS_CERT } = options.config;
  addMachine(metrics.registry, {
    folder: dataFolder(DATABASE_URL),
    certificate: SMTP_TLS_CERT,
    backup: backupMark(DATABASE_URL),
    relayUp: () => app.health.relayUp(),
  });
  const { OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRIC_EXPORT_INTERVAL: interval } = options.config;
  if (collector !== undefined) {
    const { exportMetrics } = await import('../metrics/otel/metrics.ts');
    stack.use(exportMetrics(metrics.registry, collector, interval));
  }
  const ownerKey = await openHouse(app, options.keepOwnerKey);
  const operations = operationRoutes({ probe: () => app.store.probe(), metrics: () => metrics.text() });
  const http = await startHttp(app, allRoutes(app, operations), options.access);
  const email = await startEmail(app).catch(async (error: unknown) => {
    // Its port would keep the process alive.
    await http.close();
    throw error;
  });
  stack.use(email);
  app.dispatch.checkDue();
  app.deliverer.checkDue();
  const stopUpkeep = startUpkeep(app, stack);
  // Stops in reverse order: no new requests, running exchanges answered, their work settled, then the rest. A failure to
  // store when keys were last used must not fail the stop.
  stack.defer(() => app.authenticator.flush().catch(app.onError));
  stack.defer(() => {
    stopUpkeep();
    return stopServing(app, http);
  });
  const held = stack.move();
  return {
    url: app.listening.url,
    ownerKey,
    prepare() {
      for (const behavior of app.behaviors) behavior.prepare?.();
      app.issuers.prepare();
      void loadAhead();
    },
    greeter: app.behaviors.find(({ name }) => name === HOUSE.proofreader)?.name,
    smtp: email.smtp,
    submission: email.submission,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const makeMetrics = ({ store, bus, health, clock }: App): Metrics =>
  new Metrics(
    {
      queue_depth: async () => (await store.handlings.depth()) + (await store.jobs.depth()),
      waiting: () => bus.size,
      deliveries: () => health.waiting(),
      storage: () => health.storage(),
    },
    clock,
  );
