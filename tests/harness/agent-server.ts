import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Envelope } from './wire.ts';

/** A request that a webhook received. */
export interface Pushed {
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: string;
  readonly message: Envelope;
  readonly thread: readonly { readonly id: string; readonly body: string }[];
  readonly answer_url: string;
  readonly claim: string;
}

/** A response; `hang`: none ever comes. */
export interface Given {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly hang?: boolean;
}

export interface AgentServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Pushed[];
  /** How requests are answered from now on. */
  answer(by: (pushed: Pushed) => Given | Promise<Given>): void;
}

export const json = (body: unknown, status = 200): Given => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** A program on loopback to which messages are pushed; it repeats what it gets unless told otherwise. */
export async function openAgentServer(port = 0): Promise<AgentServer> {
  const received: Pushed[] = [];
  let by: (pushed: Pushed) => Given | Promise<Given> = ({ message }) => json({ body: `You wrote: ${message.body}` });
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const pushed = { headers: request.headers, body, ...JSON.parse(body).data } as Pushed;
    received.push(pushed);
    const given = await by(pushed);
    if (given.hang === true) return;
    if (given.type !== undefined) response.setHeader('content-type', given.type);
    response.writeHead(given.status ?? 200, given.headers).end(given.body);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}/hook`,
    port: bound,
    received,
    answer: (how) => {
      by = how;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
