import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { newCertificate } from '../harness/certificate.ts';
import { type Answer, type Ask, type Client, clientOver } from '../harness/client.ts';
import { lacks } from '../harness/install.ts';
import { freePort } from '../harness/postgres.ts';
import { newFolder, removeFolder, run } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { instead } from './instead.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const START_MS = 10_000;

/** A proxy that runs with its file from deploy/, in which only names, addresses and the certificate are replaced. */
export interface Front extends AsyncDisposable {
  /** `https://localhost:…`, with its own certificate. */
  readonly url: string;
  /** A client of the service behind the proxy, with a local address such as 127.0.0.2. */
  caller(from?: string): Client;
  /** Reads an answer chunk by chunk; rejects when it breaks off. */
  stream(path: string, onPiece: () => void): Promise<void>;
}

/** How to run a kind of proxy. */
export interface Kind {
  readonly name: 'nginx' | 'Caddy';
  readonly program: string;
  /** Starts it in front of nodes on these ports; `change` may put a defect into its file. */
  start(ports: readonly number[], listen: number, change?: (config: string) => string): Promise<Front>;
}

const withPorts = (config: string, ports: readonly number[]): string =>
  ports.reduce((text, port, at) => instead(text, `10.0.0.1${at + 1}:8080`, `127.0.0.1:${port}`), config);

async function started(
  program: string,
  args: readonly string[],
  folder: string,
  listen: number,
  ca: string,
): Promise<Front> {
  const running = run(program, args, {
    cwd: folder,
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const stop = async (): Promise<void> => {
    running.child.kill('SIGTERM');
    await running.exited;
    removeFolder(folder);
  };
  const url = `https://localhost:${listen}`;
  try {
    let ended = false;
    void running.exited.then(() => {
      ended = true;
    });
    const probe = callerOf(url, ca);
    const look = (): Promise<boolean> =>
      probe.api('GET', '//metrics').then(
        () => true,
        () => false,
      );
    await until(
      START_MS,
      async () => ended || (await look()),
      (there) => there,
    );
    if (ended) throw new Error(`${program} did not start:\n${running.stderr()}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const stream: Front['stream'] = (path, onPiece) =>
    new Promise((resolve, reject) => {
      const asking = request(url + path, { ca: readFileSync(ca), family: 4 }, (answer) => {
        answer.on('data', onPiece).on('error', reject).on('end', resolve);
      });
      asking.on('error', reject).end();
    });
  return { url, caller: (from) => callerOf(url, ca, from), stream, [Symbol.asyncDispose]: stop };
}

const nginx: Kind = {
  name: 'nginx',
  program: 'nginx',
  async start(ports, listen, change = (config) => config) {
    const folder = newFolder();
    const { cert, key } = newCertificate(folder, ['localhost']);
    let site = withPorts(readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8'), ports);
    site = instead(site, /^ *listen \[::\].*\n/gm, '');
    site = instead(site, 'listen 80;', `listen unix:${folder}/http;`);
    site = instead(site, 'listen 443 ', `listen 127.0.0.1:${listen} `);
    site = instead(site, /\/etc\/letsencrypt\S+fullchain\.pem/g, cert);
    site = instead(site, /\/etc\/letsencrypt\S+privkey\.pem/g, key);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    for (const name of temporary) mkdirSync(join(folder, name));
    // The context that a distribution's nginx.conf puts around a site.
    const around = [
      process.getuid?.() === 0 ? 'user root;' : '',
      `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 2;`,
      'events { worker_connections 1024; }',
      'http {',
      'access_log off;',
      ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
      change(site),
      '}',
    ];
    writeFileSync(join(folder, 'nginx.conf'), around.join('\n'));
    return started('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], folder, listen, cert);
  },
};

const caddy: Kind = {
  name: 'Caddy',
  program: 'caddy',
  async start(ports, listen, change = (config) => config) {
    const folder = newFolder();
    const { cert, key } = newCertificate(folder, ['localhost']);
    let site = withPorts(readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8'), ports);
    site = instead(
      site,
      '{$MAIL_HOST:mail.example.org} {',
      `https://localhost:${listen} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
    );
    // No certificate is requested, and only its own port is used.
    site = instead(site, /^\{\n/gm, '{\n\tadmin off\n\tauto_https disable_redirects\n');
    writeFileSync(join(folder, 'Caddyfile'), change(site));
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'];
    return started('caddy', args, folder, listen, cert);
  },
};

export const kinds: readonly Kind[] = [nginx, caddy];

/** Why this proxy cannot run here; false when it can. */
export const lackingOf = (kind: Kind): string | false => lacks(kind.program) || lacks('openssl');

export const freePorts = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort));

/** A stand-in that listens where a node is expected. */
export type Stand = (request: IncomingMessage, response: ServerResponse, at: number) => void;

/** A proxy in front of three stand-ins, which are ready and answer every other request by `stand`. */
export async function before(kind: Kind, stand: Stand, change?: (config: string) => string): Promise<Front> {
  const ports = await freePorts(4);
  const servers: Server[] = [];
  for (const [at, port] of ports.slice(1).entries()) {
    const server = createServer((request, response) => {
      if (request.url === '/readyz') response.end('{}');
      else stand(request, response, at);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    servers.push(server);
  }
  const proxy = await kind.start(ports.slice(1), ports[0] as number, change);
  return {
    ...proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** A client over TLS that keeps its connections, with this local address. */
function callerOf(url: string, ca: string, from = '127.0.0.1'): Client {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(ca), localAddress: from });
  const api = <T>(method: string, path: string, ask: Ask = {}): Promise<Answer<T>> => {
    const { key, body, raw = body === undefined ? undefined : JSON.stringify(body), signal } = ask;
    const headers: Record<string, string> = {};
    if (key !== undefined) headers.authorization = `Bearer ${key}`;
    if (raw !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = String(Buffer.byteLength(raw));
    }
    Object.assign(headers, ask.headers);
    const at = url + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`);
    return new Promise((resolve, reject) => {
      const asking = request(at, { method, headers, agent, family: 4, ...(signal ? { signal } : {}) }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          const json = /^application\/(problem\+)?json\b/.test(answer.headers['content-type'] ?? '');
          resolve({
            status: answer.statusCode ?? 0,
            headers: new Headers(
              Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
            ),
            body: (json && text !== '' ? JSON.parse(text) : undefined) as T,
            text,
          });
        });
      });
      asking.on('error', reject);
      asking.end(raw);
    });
  };
  return clientOver(url, api);
}
