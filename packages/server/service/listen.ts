import type { AddressInfo } from 'node:net';
import { SECOND } from '@mailroom/behavior/values/clock';
import { drained } from '../http/connections/drain.ts';
import { Rejections } from '../http/connections/rejections.ts';
import type { Route } from '../http/route.ts';
import { makeServer } from '../http/server.ts';
import { listenShared } from '../net/shared-port.ts';
import { oidcMounts } from '../transports/oidc/mount.ts';
import { webProblem } from '../transports/web/index.ts';
import type { App } from './app.ts';
import { isLocal } from './limiters.ts';
import type { ServiceOptions } from './options.ts';

/** How long aborted runs have to be answered at the end of a stop. */
const CLOSE_MS = SECOND;

export type HttpListener = Awaited<ReturnType<typeof startHttp>>;

/** Serves the routes over HTTP. */
export async function startHttp(app: App, routes: readonly Route[], access: ServiceOptions['access']) {
  const { config, issuers, limiters, listening } = app;
  const mounts = oidcMounts(issuers, [limiters.oidc], [limiters.pages, limiters.begun]);
  const server = await makeServer(routes, serverOptions(app, access), mounts);
  const address = { host: config.HOST, port: config.PORT };
  const sockets = await listenShared(server.server, address, (options) => server.listen(options));
  listening.url = `http://localhost:${(server.server.address() as AddressInfo).port}`;
  return {
    server: server.server,
    async close(): Promise<void> {
      await Promise.all([server.close(), sockets[Symbol.asyncDispose]()]);
    },
  };
}

const serverOptions = (app: App, access: ServiceOptions['access']): Parameters<typeof makeServer>[1] => {
  const { config, authenticator, signatures, log, challenges, clock, stop, tracing } = app;
  return {
    problem_page: webProblem,
    ...{ authenticator, signatures, log, access, challenges, tracing },
    rate_limits: config.RATE_LIMITS,
    local: isLocal(config),
    rejections: new Rejections(config.LIMIT_REJECTED_PER_MINUTE, clock),
    max_json: config.LIMIT_JSON,
    max_values: config.LIMIT_VALUES,
    connections: {
      max_connections: config.LIMIT_CONNECTIONS,
      max_of_network: config.LIMIT_CONNECTIONS_PER_NETWORK,
      max_per_second: config.LIMIT_REQUESTS_PER_SECOND,
      max_in_flight: config.LIMIT_PIPELINE,
      max_unread: config.LIMIT_UNREAD,
      max_unread_total: config.LIMIT_UNREAD_TOTAL,
      max_receiving: config.LIMIT_BODIES,
      max_body: config.LIMIT_JSON,
    },
    request_ms: config.REQUEST_SECONDS * SECOND,
    https: config.BASE_URL?.startsWith('https:') ?? false,
    trust_proxy: config.TRUST_PROXY,
    stopping: stop.begun,
    over: stop.over,
  };
};

/** Takes no new requests, answers those that run, then settles their work, within `STOP_SECONDS`. */
export async function stopServing({ config, stopping, dispatch, deliverer }: App, http: HttpListener): Promise<void> {
  const stop_ms = config.STOP_SECONDS * SECOND;
  stopping.begun.abort();
  const until = performance.now() + stop_ms;
  const grace = setTimeout(() => {
    stopping.over.abort();
    // A closed server no longer checks for requests that arrive too slowly.
    setTimeout(() => http.server.closeAllConnections(), CLOSE_MS).unref();
  }, stop_ms);
  // Under load new connections never end, so this waits for a limited time.
  await drained(http.server, stop_ms / 2);
  await http.close();
  clearTimeout(grace);
  const left = Math.max(0, until - performance.now());
  await Promise.all([dispatch.stop(left), deliverer.stop(left)]);
}
