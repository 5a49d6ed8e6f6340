import { isIP } from 'node:net';
import { AppError } from '../../core/values/error.ts';
import type { Call } from '../../http/route.ts';

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
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
