import type { IncomingMessage } from 'node:http';

/**
 * The provider is told by the request how the outside reaches it: what we know of that, in place of what the caller wrote.
 */
export function endpointUrl(request: IncomingMessage, url: string, ip: string): void {
  const { protocol, host, pathname } = new URL(url);
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-for'] = ip;
  (request as { baseUrl?: string }).baseUrl = pathname;
}
