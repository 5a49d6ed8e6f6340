// Endpoints of webhooks, as many as the first argument says, of which the last ones, as many as the second says, take
// requests and never answer. `GET /` at the printed port says which ports they have and what they got.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const [count = 0, hanging = 0] = process.argv.slice(2).map(Number);

/** The id of an event, in a request with one or several. */
const EVENT_ID = /"id":"(evt_\w+)"/g;

interface Endpoint {
  readonly port: number;
  /** The events that came, each once. */
  readonly ids: Set<string>;
  /** When the last new one came, in ms since the epoch. */
  at: number;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function open(hangs: boolean): Promise<Endpoint> {
  const ids = new Set<string>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .once('end', () => {
        const count = ids.size;
        for (const [, id = ''] of Buffer.concat(parts).toString().matchAll(EVENT_ID)) ids.add(id);
        if (ids.size > count) endpoint.at = performance.timeOrigin + performance.now();
        if (!hangs) response.writeHead(204).end();
      });
  });
  const endpoint: Endpoint = { port: await listening(server), ids, at: 0 };
  return endpoint;
}

const endpoints = await Promise.all(Array.from({ length: count }, (_, at) => open(at >= count - hanging)));
const control = createServer((_, response) => {
  response.end(JSON.stringify(endpoints.map(({ port, ids, at }) => ({ port, got: ids.size, at }))));
});
process.stdout.write(`http://127.0.0.1:${await listening(control)}\n`);
