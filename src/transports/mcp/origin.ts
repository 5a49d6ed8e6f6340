import { isIP } from 'node:net';
import { AppError } from '../../core/values/error.ts';
import type { Call } from '../../http/route.ts';

/** Hosts of URLs that were seen; as many are kept as a service has. */
const hosts = new Map<string, string | undefined>();
const MAX_HOSTS = 100;

function hostOf(url: string): string | undefined {
  if (hosts.has(url)) return hosts.get(url);
  const host = URL.parse(url)?.hostname;
  if (hosts.size >= MAX_HOSTS) hosts.clear();
  if (url.length < 300) hosts.set(url, host);
  return host;
}

/** A page cannot make a browser believe that these are its own host. */
const isLocal = (host: string): boolean => host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/**
 * Against DNS rebinding, a request names this service's host or one that no page can take, and comes from no page of
 * another site (MCP, "Security Warning" of Streamable HTTP). AppError `access_denied`.
 */
export function checkOrigin(headers: Call['headers'], base: string): void {
  const own = hostOf(base);
  const may = (host: string | undefined): boolean => host !== undefined && (host === own || isLocal(host));
  const { origin } = headers;
  if (typeof origin === 'string' && !may(hostOf(origin)))
    throw new AppError('access_denied', 'Pages of other sites may not use this server. Connect a program to it.');
  if (!may(hostOf(`http://${String(headers.host)}`)))
    throw new AppError('access_denied', `Connect to ${base}, the address of this service.`);
}
