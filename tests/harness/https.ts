import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { newCertificate } from './certificate.ts';
import { newFolder, removeFolder } from './service.ts';

export interface SecureServer extends AsyncDisposable {
  readonly port: number;
  /** The path of each request received. */
  readonly asked: string[];
  /** Connections that were opened to it, successful or not. */
  connections: number;
}

/** A TLS server on loopback for these names. From then on this process trusts its certificate. */
export async function startHttps(
  names: readonly string[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<SecureServer> {
  const folder = newFolder();
  const files = newCertificate(folder, names);
  const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
  removeFolder(folder);
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const requests: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const secure = {
    port,
    asked: requests,
    connections: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', () => {
    secure.connections += 1;
  });
  return secure;
}
