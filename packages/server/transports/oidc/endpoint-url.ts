import type { IncomingMessage } from 'node:http';

/**
 * Sets the headers from which the provider derives its public URL and the client's address, and drops those the client
 * sent.
 */
export function endpointUrl(request: IncomingMessage, url: string, ip: string): void {
  const { protocol, host, pathname } = new URL(url);
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-for'] = ip;
  (request as { baseUrl?: string }).baseUrl = pathname;
}
