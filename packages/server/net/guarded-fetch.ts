import { isIP } from 'node:net';
import { ACCEPT_ENCODING, decode, mediaType, readBody } from './body.ts';
import {
  BAD_PORTS,
  checkedAddresses,
  connectorTo,
  explained,
  fewHints,
  LOCALHOST,
  lookUp,
  NotPublic,
  type Resolver,
  single,
} from './guarded-connect.ts';
import { PacedReads } from './paced-reads.ts';

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
interface Fetched {
  /** After all redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; '' when there was none. */
  readonly media_type: string;
  readonly text: string;
  readonly bytes: Buffer;
  /** Whether there was more than `bytes`. */
  readonly cut: boolean;
}

type Get = (url: string, options: { readonly accept: string; readonly signal: AbortSignal }) => Promise<Fetched>;

export interface GuardedFetch extends Get {
  /** Rejects with `FetchRefused` where the URL alone says that it is never fetched; no name server is asked. */
  check(url: string): Promise<void>;
}

/** The URL will never be fetched; the message, for people, says why. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/** The URL could not be fetched this time; the message is for people. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

const MAX_URL = 4_096;
const HEADER_BYTES = 32_768;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * GET of public URLs on the internet, safe for URLs from untrusted people. Each hop's name is resolved once, the
 * addresses are checked, and one of these is connected to, so a name cannot change in between; a literal address is
 * checked the same way. No cookies, no referrer, no credentials, no proxy of the environment. Rejects with
 * `FetchRefused`, `FetchFailed` or the signal's reason.
 */
export function makeGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { redirects = 5 } = options;
  const reads = new PacedReads();
  const fetchUrl: Get = async (url, { accept, signal }) => {
    const deadline = AbortSignal.timeout(options.ms);
    const ends = AbortSignal.any([signal, deadline]);
    let target = checkedUrl(url);
    const first = target.host;
    try {
      for (let hop = 0; hop <= redirects; hop += 1) {
        const found = await get(target, accept, ends, { ...options, reads });
        if (typeof found !== 'string') return found;
        target = redirected(found, target, first);
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (deadline.aborted) throw new FetchFailed(`${first} did not answer within ${Math.ceil(options.ms / 1000)} s.`);
      if (error instanceof NotPublic) {
        throw target.host === first
          ? notPublic(first)
          : new FetchRefused(`${first} leads to an address that is not public, and only public ones are fetched.`);
      }
      if (error instanceof FetchRefused || error instanceof FetchFailed) throw error;
      throw new FetchFailed(explained(error, target.host === first ? first : `What ${first} leads to`));
    }
    throw new FetchFailed(`${first} redirects more than ${redirects} times.`);
  };
  const check = async (url: string): Promise<void> => {
    const target = checkedUrl(url);
    const hostname = bareHost(target);
    if (isIP(hostname) === 0 && !LOCALHOST.test(hostname)) return;
    const { resolve = lookUp } = options;
    await checkedAddresses(hostname, { resolve }, AbortSignal.timeout(options.ms)).catch((error) => {
      if (error instanceof NotPublic) throw notPublic(target.host);
    });
  };
  return Object.assign(fetchUrl, { check });
}

const notPublic = (host: string): FetchRefused =>
  new FetchRefused(`${host} is not a public address, and only those are fetched.`);

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

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
  { resolve = lookUp, bytes, user_agent = 'Mailroom', reads }: GuardedFetchOptions & { readonly reads: PacedReads },
): Promise<Fetched | string> {
  const hostname = bareHost(url);
  const addresses = await checkedAddresses(hostname, { resolve }, signal);
  // Imported on first use, so that a start need not wait for it.
  const undici = await import('undici');
  const agent = new undici.Agent({
    connect: connectorTo(addresses, hostname, undici.buildConnector({ maxCachedSessions: 0, allowH2: false }), reads),
    connections: 1,
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES,
    // One deadline covers everything.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const answer = await agent.compose(fewHints).request({
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
    const { bytes: read, cut } = body;
    const answered = { url: url.href, status: answer.statusCode, media_type: type.type, bytes: read, cut };
    return type.type.startsWith('image/') ? { ...answered, text: '' } : { ...answered, text: decode(body, type) };
  } finally {
    // `close` would wait for a body without end.
    await agent.destroy();
  }
}
