import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { dkimRecord } from '@mailroom/server/mail/writing/dkim';
import { dkimKeys } from '@mailroom/server/mail/writing/dkim-keys';
import { newCertificate } from './certificate.ts';
import type { Home } from './client.ts';
import { type Dns, startDns } from './dns.ts';
import { type Inside, startInside } from './inside.ts';
import { newFolder, removeFolder } from './service.ts';

/** A service with a name of its own, which others reach by HTTPS. */
export interface Peer {
  readonly domain: string;
  readonly inside: Inside;
  readonly home: Home;
  /** The path of each request that came by its name. */
  readonly asked: string[];
  /** Answers a request in place of the service; true where it did. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface Peers extends AsyncDisposable {
  readonly all: readonly Peer[];
  readonly dns: Dns;
}

/** Services on loopback, in a network of its own for each test file, with these domains, a name server and certificates, that send to each other. */
export async function startPeers(
  domains: readonly string[],
  settings: (domain: string) => Readonly<Record<string, string>> = () => ({}),
  network = '127.0.1',
): Promise<Peers> {
  const dns = await startDns({});
  const stack = new AsyncDisposableStack();
  stack.use(dns);
  const all: Peer[] = [];
  for (const [at, domain] of domains.entries()) {
    const inside = await startInside({
      env: {
        MAIL_DOMAIN: domain,
        BASE_URL: `https://${domain}`,
        FEDERATION: 'on',
        DNS_SERVERS: dns.address,
        OUTSIDE_NETWORKS: '127.0.0.0/8',
        STOP_SECONDS: '1',
        ...settings(domain),
      },
    });
    stack.defer(() => inside.stop());
    const home = await inside.client.newNamespace();
    await inside.store.namespaces.claim(home.id, inside.now());
    const address = `${network}.${at + 1}`;
    const names = [domain, `${home.name}.${domain}`, `agents.${domain}`];
    const [keys = []] = await dkimKeys(inside.store.secrets);
    dns.zone = {
      ...dns.zone,
      ...Object.fromEntries(names.map((name) => [name, { A: [address] }])),
      [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject'] },
      ...Object.fromEntries(keys.map(dkimRecord).map(({ name, value }) => [`${name}.${domain}`, { TXT: [value] }])),
    };
    const peer: Peer = { domain, inside, home, asked: [], instead: () => false };
    stack.use(await front(peer, names, address));
    all.push(peer);
  }
  return { all, dns, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** What stands before a service and speaks TLS. */
async function front(peer: Peer, names: readonly string[], address: string): Promise<AsyncDisposable> {
  const folder = newFolder();
  const files = newCertificate(folder, names);
  const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
  removeFolder(folder);
  setDefaultCACertificates([...getCACertificates('default'), cert]);
  const { port } = new URL(peer.inside.client.url);
  const server = createServer({ cert, key }, (given, answer) => {
    peer.asked.push(given.url ?? '');
    if (peer.instead(given, answer)) return;
    const { method, url: path, headers } = given;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    forwarded.on('error', () => answer.destroy());
    given.pipe(forwarded);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(443, address, resolve));
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
