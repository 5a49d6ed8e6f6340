import type { AddressInfo } from 'node:net';
import { Directory } from '@mailroom/server/core/access/directory';
import { systemClock } from '@mailroom/server/core/values/steady-clock';
import { Authenticator } from '@mailroom/server/http/authenticate';
import { Challenges } from '@mailroom/server/http/challenges';
import { Rejections } from '@mailroom/server/http/connections/rejections';
import { route } from '@mailroom/server/http/route';
import { makeServer } from '@mailroom/server/http/server';
import { openStore } from '@mailroom/server/store/open';
import { makeEndpoint } from '@mailroom/server/transports/mcp/endpoint';
import { checkOrigin } from '@mailroom/server/transports/mcp/origin';
import { pino } from 'pino';
import { newFile } from '../../packages/server/tests/core/house.ts';
import { USUAL } from '../harness/connections.ts';
import { suiteOffer } from './mcp-offer.ts';

/** The MCP transport and the HTTP kernel of the service, with the suite's own tools in place of the service's. */
export async function startMcpServer(): Promise<{ readonly url: string } & AsyncDisposable> {
  const clock = systemClock;
  const store = await openStore(`sqlite:${newFile()}`, { clock, onFailure: () => undefined });
  let url = '';
  const endpoint = makeEndpoint({
    stop: { begun: new AbortController().signal },
    baseUrl: () => url,
    version: '0',
    log: pino({ level: 'silent' }),
  });
  const app = await makeServer(
    [
      route({
        method: 'POST',
        path: '/mcp',
        id: 'mcp',
        tag: 'MCP',
        summary: 'The server that the suite asks for',
        access: 'public',
        answers: {},
        problems: [],
        handle(call) {
          checkOrigin(call.headers, url);
          return endpoint(call, suiteOffer);
        },
      }),
    ],
    {
      authenticator: new Authenticator({ directory: new Directory(store, clock), store, clock }, 'x'.repeat(43)),
      log: pino({ level: 'silent' }),
      access: undefined,
      rate_limits: false,
      challenges: new Challenges({ states: store.states, clock, secret: 'x'.repeat(43), cost: 1, max: 1 }),
      max_json: 1024 * 1024,
      max_values: 10_000,
      connections: USUAL,
      rejections: new Rejections(600, clock),
      request_ms: 30_000,
      https: false,
      trust_proxy: [],
      stopping: new AbortController().signal,
      over: new AbortController().signal,
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    async [Symbol.asyncDispose]() {
      await app.close();
      await store[Symbol.asyncDispose]();
    },
  };
}
