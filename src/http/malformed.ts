import type { IncomingMessage } from 'node:http';
import { AppError } from '../core/values/error.ts';

/** `uri-host [":" port]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2): no user, no blanks, not empty. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?$/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
/** Fields of which two could be read differently by a proxy and by us: lengths of their names, for a quick look. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ['host', 'authorization', 'content-type', 'content-length', 'transfer-encoding'].map((name) => [name.length, name]),
);

const malformed = (detail: string): AppError => new AppError('malformed_request', detail);

/**
 * What is wrong with a request's head that Node's parser lets through: a Host that is missing, twice there or no host, or a
 * target that names another one (RFC 9112, section 3.2); a field twice that has one value.
 */
export function malformedHead({
  rawHeaders,
  headers,
  httpVersionMinor,
  method,
  url = '',
}: IncomingMessage): AppError | undefined {
  const { host } = headers;
  if (host === undefined) {
    if (httpVersionMinor === 0) return undefined;
    return malformed('An HTTP/1.1 request needs a Host header (RFC 9112, section 3.2).');
  }
  if (!HOST.test(host)) return malformed('The Host header must be one host name or address, with a port or without.');
  const twice = repeated(rawHeaders);
  if (twice !== undefined) return malformed(`The ${twice} header stands here twice. Send it once.`);
  if (url.charCodeAt(0) === 0x2f || (url === '*' && method === 'OPTIONS')) return undefined;
  // What names this host was made a path before.
  return malformed('The request target must be a path, or a URL of the host that the Host header names.');
}

/** A target in absolute form, which every server takes (RFC 9112, section 3.2.2), as a path; another as it stands. */
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
