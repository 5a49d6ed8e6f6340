import { Resolver as NameServers } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { buildConnector } from 'undici';
import { ACCEPT_ENCODING, decode, mediaType, readBody, UnknownCoding } from './body.ts';
import { isPublicAddress } from './public-address.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
  /** May be connected to although it is not public: for tests and for known networks. */
  readonly trusted?: boolean;
}

/** The addresses of a name, in the order in which to try them. Rejects, or returns none, when it has none. */
export type Resolver = (hostname: string) => Promise<readonly Address[]>;

export interface GuardedFetchOptions {
  /** The system's by default. */
  readonly resolve?: Resolver;
  /** Time limit for everything: names, connections, redirects and the body. */
  readonly ms: number;
  /** Maximum bytes of a body, after decompression. */
  readonly bytes: number;
  /** Maximum number of redirects; 5 by default. */
  readonly redirects?: number;
  /** The `User-Agent` with a contact: "Mailroom (+https://mail.example)". "Mailroom" by default. */
  readonly user_agent?: string;
}

/** The response of a URL, whatever its status. */
export interface Fetched {
  /** After all redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; '' when there was none. */
  readonly media_type: string;
  readonly text: string;
  /** Whether there was more than `bytes`. */
  readonly cut: boolean;
}

export type GuardedFetch = (
  url: string,
  options: { readonly accept: string; readonly signal: AbortSignal },
) => Promise<Fetched>;

/** The URL will never be fetched; the message, for people, says why. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/** The URL could not be fetched this time; the message is for people. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

const MAX_URL = 4_096;
/** Maximum number of addresses of one name that are tried. */
const MAX_TRIES = 3;
const HEADER_BYTES = 32_768;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Ports of services that could mistake a request for something else (WHATWG Fetch, "bad port"). */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** How often a name server that does not answer is asked, each time for at least `NAME_MS`. */
const NAME_TRIES = 2;
const NAME_MS = 2_000;
/** RFC 6761, section 6.3: no name server is asked. */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;

/**
 * Resolves names with the machine's name servers, addresses of IPv4 and IPv6 alternating. The system's own resolver
 * blocks one of few threads per name, so names whose servers never answer would hold up all others, including the mail
 * server's and the database's. `servers` replaces the machine's, as `address:port`.
 */
export const nameResolver =
  (servers?: readonly string[]): Resolver =>
  async (hostname) => {
    if (LOCALHOST.test(hostname)) return [{ address: '127.0.0.1', family: 4 }];
    // Created for each look-up, because it reads the list of servers when it is created.
    const asked = new NameServers({ timeout: NAME_MS, tries: NAME_TRIES });
    if (servers !== undefined) asked.setServers(servers);
    const [v4, v6] = await Promise.all([
      asked.resolve4(hostname).catch(() => []),
      asked.resolve6(hostname).catch(() => []),
    ]);
    return Array.from({ length: Math.max(v4.length, v6.length) }, (_, at) => [
      ...v4.slice(at, at + 1).map((address) => ({ address, family: 4 as const })),
      ...v6.slice(at, at + 1).map((address) => ({ address, family: 6 as const })),
    ]).flat();
  };

export const lookUp: Resolver = nameResolver();

/**
 * GET of public URLs on the internet, safe for URLs from untrusted people. Each hop's name is resolved once, the
 * addresses are checked, and one of these is connected to, so a name cannot change in between; a literal address is
 * checked the same way. No cookies, no referrer, no credentials, no proxy of the environment. Rejects with
 * `FetchRefused`, `FetchFailed` or the signal's reason.
 */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { redirects = 5 } = options;
  return async (url, { accept, signal }) => {
    const deadline = AbortSignal.timeout(options.ms);
    const ends = AbortSignal.any([signal, deadline]);
    let target = checkedUrl(url);
    const first = target.host;
    try {
      for (let hop = 0; hop <= redirects; hop += 1) {
        const found = await get(target, accept, ends, options);
        if (typeof found !== 'string') return found;
        target = redirected(found, target, first);
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.aborted) throw new FetchFailed(`${first} did not answer within ${Math.ceil(options.ms / 1000)} s.`);
      if (error instanceof NotPublic) {
        throw new FetchRefused(
          target.host === first
            ? `${first} is not a public address, and only those are fetched.`
            : `${first} leads to an address that is not public, and only public ones are fetched.`,
        );
      }
      if (error instanceof FetchRefused || error instanceof FetchFailed) throw error;
      throw new FetchFailed(explained(error, target.host === first ? first : `What ${first} leads to`));
    }
    throw new FetchFailed(`${first} redirects more than ${redirects} times.`);
  };
}

class NotPublic extends Error {}
class NoSuchName extends Error {}

function checkedUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || text.length > MAX_URL) throw new FetchRefused('That is not a complete web address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchRefused('Only addresses that begin with http:// or https:// are fetched.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefused('Addresses with a user name or a password in them are not fetched.');
  }
  if (url.port !== '' && BAD_PORTS.has(Number(url.port))) {
    throw new FetchRefused(`Port ${url.port} is not used for web pages, so it is not fetched.`);
  }
  url.hash = '';
  return url;
}

function redirected(location: string, from: URL, first: string): URL {
  const to = URL.parse(location, from);
  if (to === null) throw new FetchFailed(`${first} redirects to what is no web address.`);
  try {
    return checkedUrl(to.href);
  } catch {
    throw new FetchRefused(`${first} redirects to an address that is not fetched.`);
  }
}

/** The response, or the target of a redirect. */
async function get(
  url: URL,
  accept: string,
  signal: AbortSignal,
  { resolve = lookUp, bytes, user_agent = 'Mailroom' }: GuardedFetchOptions,
): Promise<Fetched | string> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await checkedAddresses(hostname, resolve, signal);
  // Imported on first use, so that a start need not wait for it.
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: connectorTo(addresses, hostname, undici.buildConnector),
    connections: 1,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    // One deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept, 'accept-encoding': ACCEPT_ENCODING, 'user-agent': user_agent },
      signal,
    });
    const header = (name: string): string => single(answer.headers[name]);
    const location = header('location');
    if (REDIRECTS.has(answer.statusCode) && location !== '') {
      answer.body.on('error', () => undefined);
      answer.body.destroy();
      return location;
    }
    const body = await readBody(answer.body, header('content-encoding'), bytes);
    const type = mediaType(header('content-type'));
    return { url: url.href, status: answer.statusCode, media_type: type.type, text: decode(body, type), cut: body.cut };
  } finally {
    // `close` would wait for a body without end.
    await agent.destroy();
  }
}

const single = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.[0] ?? '');

/** Requires every address of the name to be public, as a mix is an attack or a mistake. */
async function checkedAddresses(hostname: string, resolve: Resolver, signal: AbortSignal): Promise<readonly Address[]> {
  const family = isIP(hostname);
  if (family !== 0) {
    if (!isPublicAddress(hostname)) throw new NotPublic();
    return [{ address: hostname, family: family === 6 ? 6 : 4 }];
  }
  const found = await Promise.race([resolve(hostname).catch(() => []), aborted(signal)]);
  if (found.length === 0) throw new NoSuchName();
  if (!found.every(({ address, trusted }) => trusted === true || isPublicAddress(address))) throw new NotPublic();
  return found.slice(0, MAX_TRIES);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Connects only to these addresses, one after the other, whatever name is requested. */
function connectorTo(
  addresses: readonly Address[],
  hostname: string,
  build: typeof buildConnector,
): buildConnector.connector {
  const connect = build({ maxCachedSessions: 0, allowH2: false });
  return (options, callback) => {
    const attempt = (index: number): void => {
      const { address, trusted } = addresses[index] as Address;
      const servername = isIP(hostname) === 0 ? hostname.replace(/\.$/, '') : '';
      connect({ ...options, hostname: address, servername }, (error, socket) => {
        if (error !== null) {
          if (index + 1 < addresses.length) attempt(index + 1);
          else callback(error, null);
        } else if (trusted !== true && !isPublicAddress(socket.remoteAddress ?? '')) {
          // Should not happen; checked again in case the system rewrites addresses.
          socket.destroy();
          callback(new NotPublic(), null);
        } else callback(null, socket);
      });
    };
    attempt(0);
  };
}

/** A sentence for people about an error of Node or undici, without their text, which holds addresses. */
function explained(error: unknown, host: string): string {
  if (error instanceof NoSuchName) return `${host} could not be found: there is no such name.`;
  if (error instanceof UnknownCoding) return `${host} answered in a coding that cannot be read here.`;
  const { code = '' } = error as { readonly code?: string };
  if (/^(?:ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code))
    return `${host} refuses or closes the connection.`;
  if (/^(?:ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EADDRNOTAVAIL)$/.test(code)) {
    return `${host} cannot be reached.`;
  }
  if (/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(code)) return `${host} does not answer as a web server does.`;
  if (/CERT|TLS|SSL|SELF_SIGNED|SIGNATURE/.test(code))
    return `The certificate of ${host} is not valid, or it speaks no TLS.`;
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) return `${host} answered with a damaged body.`;
  return `${host} did not answer in a way that can be read.`;
}
