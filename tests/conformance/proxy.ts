import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the TCK does not do itself: see `a2a.md`. */
interface Adds {
  /** The port of the service. */
  readonly port: number;
  readonly key: string;
}

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Where requests go from now on. */
  to(adds: Adds): void;
}

/**
 * A proxy on loopback that shows a key, because the TCK sends none; makes each `messageId` unique, because the TCK sends
 * several messages under one; and repeats the given one as the subject, which the behavior sees.
 */
export async function openProxy(): Promise<Proxy> {
  let adds: Adds | undefined;
  let sent = 0;
  const marked = (body: Buffer): Buffer => {
    let value: unknown;
    try {
      value = JSON.parse(body.toString());
    } catch {
      return body;
    }
    const { message, params } = value as { message?: unknown; params?: { message?: unknown } };
    const found = (message ?? params?.message) as { messageId?: unknown; metadata?: object } | undefined;
    if (typeof found?.messageId !== 'string' || found.messageId === '') return body;
    found.metadata = { ...found.metadata, subject: found.messageId };
    found.messageId = `${found.messageId}-${++sent}`;
    return Buffer.from(JSON.stringify(value));
  };
  const handle = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    if (adds === undefined) throw new Error('the service has not started');
    const json = asked.headers['content-type']?.includes('json') === true;
    const whole = Buffer.concat(await asked.toArray());
    const body = json ? marked(whole) : whole;
    const headers = { ...asked.headers, authorization: `Bearer ${adds.key}` };
    delete headers['transfer-encoding'];
    if (whole.length > 0) headers['content-length'] = String(body.length);
    const { method, url: path } = asked;
    const outgoing = request({ host: '127.0.0.1', port: adds.port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
      response.on('error', () => answer.destroy());
    });
    answer.on('close', () => outgoing.destroy());
    outgoing.on('error', () => answer.destroy());
    outgoing.end(body);
  };
  const server = createServer((asked, answer) => {
    handle(asked, answer).catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    to: (wanted) => {
      adds = wanted;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
