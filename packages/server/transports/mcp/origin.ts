import { isIP } from 'node:net';
import { AppError } from '@mailroom/behavior/values/error';
import type { Call } from '../../http/route.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A page cannot make a browser believe that these are its own host. */
const isNameless = (host: string): boolean => host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;

/**
 * Against DNS rebinding, a request names this service's host or one that no page can take, and comes from no page of
 * another origin (MCP, "Security Warning" of Streamable HTTP): one of the service as it was called or as BASE_URL has it,
 * or, for a service on this machine alone, of another port of the same name. AppError `access_denied`.
 */
export function checkOrigin(headers: Call['headers'], base: string): void {
  const service = new URL(base);
  const called = URL.parse(`${service.protocol}//${String(headers.host)}`);
  if (called === null || (called.hostname !== service.hostname && !isNameless(called.hostname)))
    throw new AppError('access_denied', `Connect to ${base}, the address of this service.`);
  if (headers.origin === undefined) return;
  const page = URL.parse(String(headers.origin));
  const here =
    page !== null &&
    (page.origin === service.origin ||
      page.host === called.host ||
      (LOOPBACK.test(service.hostname) && LOOPBACK.test(page.hostname) && page.hostname === called.hostname));
  if (!here)
    throw new AppError('access_denied', 'Pages of other sites may not use this server. Connect a program to it.');
}
