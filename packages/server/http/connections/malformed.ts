import type { IncomingMessage } from 'node:http';
import { AppError } from '@mailroom/behavior/values/error';

/** `uri-host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2): no user, no blanks, not empty. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
/** Fields that a proxy and this server could read differently when repeated; keyed by name length for a quick test. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding'].map((name) => [name.length, name]),
);

const malformed = (detail: string): AppError => new AppError('malformed_request', detail);

/**
 * The problem of a request head that Node's parser accepts: a length that can be read in two ways, a missing, repeated or
 * invalid Host, a target that names another host (RFC 9112, section 3.2), or a repeated single-value field.
 */
export function malformedHead({
  rawHeaders,
  headers,
  httpVersionMinor,
  method,
  url = '',
}: IncomingMessage): AppError | undefined {
  const { host, 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) {
    if (length !== undefined)
      return malformed('A body has a Content-Length or a Transfer-Encoding, not both (RFC 9112, section 6.2).');
    if (coding.toLowerCase() !== 'chunked' || httpVersionMinor === 0)
      return malformed('The only Transfer-Encoding of a request is chunked, in HTTP/1.1 (RFC 9112, section 6.1).');
  }
  if (host === undefined) {
    if (httpVersionMinor === 0) return undefined;
    return malformed('An HTTP/1.1 request needs a Host header (RFC 9112, section 3.2).');
  }
  if (!HOST.test(host)) return malformed('The Host header must be one host name or address, with a port or without.');
  const twice = repeated(rawHeaders);
  if (twice !== undefined) return malformed(`The ${twice} header stands here twice. Send it once.`);
  if (url.charCodeAt(0) === 0x2f || (url === '*' && method === 'OPTIONS')) return undefined;
  // A target that names this host was turned into a path earlier.
  return malformed('The request target must be a path, or a URL of the host that the Host header names.');
}

/**
 * The path of a target in absolute form, which every server must accept (RFC 9112, section 3.2.2); other targets
 * unchanged.
 */
export function originForm({ url = '', headers }: IncomingMessage): string {
  if (url.charCodeAt(0) === 0x2f) return url;
  const [, authority, rest = ''] = ABSOLUTE.exec(url) ?? [];
  if (authority?.toLowerCase() !== headers.host?.toLowerCase()) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function repeated(rawHeaders: readonly string[]): string | undefined {
  let seen = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const single = SINGLE.get(name.length);
    if (single === undefined || name.toLowerCase() !== single) continue;
    const bit = 1 << name.length;
    if ((seen & bit) !== 0) return single;
    seen |= bit;
  }
  return undefined;
}
