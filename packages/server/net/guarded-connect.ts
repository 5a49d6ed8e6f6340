import { Resolver as NameServers } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { UnknownCoding } from './body.ts';
import type { PacedReads } from './paced-reads.ts';
import { isPublicAddress } from './public-address.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
  /** May be connected to although it is not public: for tests and for known networks. */
  readonly trusted?: boolean;
}

/** The addresses of a name, in the order in which to try them. Rejects, or returns none, when it has none. */
export type Resolver = (hostname: string) => Promise<readonly Address[]>;

/** Maximum number of addresses of one name that are tried. */
const MAX_TRIES = 3;
/** Ports of services that could mistake a request for something else (WHATWG Fetch, "bad port"). */
export const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** How often a name server that does not answer is asked, each time for at least `NAME_MS`. */
const NAME_TRIES = 2;
const NAME_MS = 2_000;
/** Names for which no name server is asked (RFC 6761, section 6.3). */
export const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;

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
    const resolver = new NameServers({ timeout: NAME_MS, tries: NAME_TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const [v4, v6] = await Promise.all([
      resolver.resolve4(hostname).catch(() => []),
      resolver.resolve6(hostname).catch(() => []),
    ]);
    return Array.from({ length: Math.max(v4.length, v6.length) }, (_, at) => [
      ...v4.slice(at, at + 1).map((address) => ({ address, family: 4 as const })),
      ...v6.slice(at, at + 1).map((address) => ({ address, family: 6 as const })),
    ]).flat();
  };

export const lookUp: Resolver = nameResolver();

/** An address of the name is not public, and not trusted. */
export class NotPublic extends Error {}
/** An answer began with hints and went on with them. */
class TooManyHints extends Error {}
/** The name has no address. */
export class NoSuchName extends Error {}

/** How names are resolved, and which addresses are connected to although they are not public; none by default. */
export interface Guard {
  readonly resolve: Resolver;
  readonly trusts?: (address: string) => boolean;
}

/**
 * The addresses of a name or of a literal address. Requires every one to be public or trusted, as a mix is an attack or a
 * mistake. Rejects with `NotPublic`, `NoSuchName` or the signal's reason.
 */
export async function checkedAddresses(
  hostname: string,
  { resolve, trusts = () => false }: Guard,
  signal: AbortSignal,
): Promise<readonly Address[]> {
  const family = isIP(hostname);
  const found =
    family === 0
      ? await Promise.race([resolve(hostname).catch(() => []), aborted(signal)])
      : [{ address: hostname, family: family === 6 ? (6 as const) : (4 as const) }];
  if (found.length === 0) throw new NoSuchName();
  const judged = found.map((one) => ({ ...one, trusted: one.trusted === true || trusts(one.address) }));
  if (!judged.every(({ address, trusted }) => trusted || isPublicAddress(address))) throw new NotPublic();
  return judged.slice(0, MAX_TRIES);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * Connects only to these addresses, one after the other, whatever name is requested. What they send is read in turns, since
 * the library reads a status line, hints and chunks without a byte for as long as they come.
 */
export function connectorTo(
  addresses: readonly Address[],
  hostname: string,
  connect: buildConnector.connector,
  reads: PacedReads,
): buildConnector.connector {
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
        } else {
          reads.watch(socket, hostname);
          readLess(socket);
          callback(null, socket);
        }
      });
    };
    attempt(0);
  };
}

/** What the library parses at once, in bytes: it makes an error of each header behind the one too many. */
const PARSED_BYTES = 8 * 1024;

/** Has a socket read in small pieces, and not after its end. */
function readLess(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    if (socket.destroyed) return null;
    return read(size ?? (socket.readableLength > PARSED_BYTES ? PARSED_BYTES : undefined));
  };
}

/** The hints (status 1xx) before an answer that are read. */
const MAX_HINTS = 20;

/** Ends a request whose answer is nothing but hints. */
export const fewHints: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let hints = 0;
  return dispatch(options, {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, ...given) {
      if (status < 200 && ++hints > MAX_HINTS) controller.abort(new TooManyHints());
      else handler.onResponseStart?.(controller, status, ...given);
    },
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  });
};

/** What is wrong with TLS, by the code of Node.js and OpenSSL. */
const CERTIFICATES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/, (host) => `${host} speaks no TLS.`],
  [
    /SELF_SIGNED/,
    (host) =>
      `The certificate of ${host} is self-signed or of a private authority, so no authority that is known vouches for it.`,
  ],
  [/CERT_HAS_EXPIRED/, (host) => `The certificate of ${host} has expired.`],
  [/CERT_NOT_YET_VALID/, (host) => `The certificate of ${host} is not valid yet.`],
  [/ALTNAME/, (host) => `The certificate of ${host} is for another name.`],
  [
    /UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    (host) => `${host} sends its certificate without those that lead to a known authority.`,
  ],
  [/CERT|TLS|SSL|SIGNATURE/, (host) => `The certificate of ${host} is not valid, or its TLS is not.`],
];

/** A sentence for people about an error of Node or undici, without their text, which holds addresses. */
export function explained(error: unknown, host: string): string {
  if (error instanceof NoSuchName) return `${host} could not be found: there is no such name.`;
  if (error instanceof UnknownCoding) return `${host} answered in a coding that cannot be read here.`;
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  // What undici says of a status 1xx that it did not ask for.
  if (error instanceof TooManyHints || /^bad (?:response|upgrade)$/.test(message))
    return `${host} does not answer as a web server does.`;
  if (code === 'ECONNREFUSED') return `${host} refuses the connection: nothing listens there.`;
  if (/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code))
    return `${host} closed the connection before its answer was complete.`;
  if (/^(?:ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EADDRNOTAVAIL)$/.test(code)) {
    return `${host} cannot be reached.`;
  }
  if (/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(code)) return `${host} does not answer as a web server does.`;
  const tls = CERTIFICATES.find(([codes]) => codes.test(code));
  if (tls !== undefined) return tls[1](host);
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) return `${host} answered with a damaged body.`;
  return `${host} did not answer in a way that can be read.`;
}

/** The first value of a header; '' when there is none. */
export const single = (value: string | string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.[0] ?? '');
