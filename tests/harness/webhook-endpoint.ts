import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyWebhook } from '../../packages/client/src/webhook.ts';

/** A request that an endpoint got. */
export interface Posted {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: { readonly id: string; readonly type: string; readonly mailbox: string | null; readonly data: never };
}

/** How an endpoint answers: a status, or never. */
export type Reply = number | 'hang';

export interface Endpoint extends AsyncDisposable {
  readonly url: string;
  readonly posted: readonly Posted[];
  /** How it answers from now on. */
  answer(reply: Reply | ((posted: Posted) => Reply)): void;
  /** Waits until it got that many requests. */
  got(count: number): Promise<readonly Posted[]>;
}

const LOOK_MS = 10;
const GOT_MS = 90_000;

/** Whether it was signed with that secret. */
export const isSigned = ({ text, headers }: Posted, secret: string): Promise<boolean> =>
  verifyWebhook({ headers, body: text }, secret).then(
    () => true,
    () => false,
  );

/** A server on this machine that gets webhooks; it answers 204 unless told otherwise. */
export async function webhookEndpoint(): Promise<Endpoint> {
  const posted: Posted[] = [];
  let reply: (posted: Posted) => Reply = () => 204;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => {});
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const one: Posted = { id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) };
      posted.push(one);
      const status = reply(one);
      if (status === 'hang') return;
      response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {});
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posted,
    answer(next) {
      reply = typeof next === 'function' ? next : () => next;
    },
    async got(count) {
      const until = performance.now() + GOT_MS;
      while (posted.length < count) {
        if (performance.now() > until) throw new Error(`It got ${posted.length} of ${count} requests.`);
        await pause(LOOK_MS);
      }
      return posted;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
