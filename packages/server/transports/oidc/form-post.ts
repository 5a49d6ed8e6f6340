import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';

/** Endpoints that accept POST (OpenID Connect Core 1.0, section 3.1.2.1; RP-Initiated Logout 1.0, section 2). */
const ENDPOINTS: ReadonlySet<string> = new Set(['/auth', '/session/end']);
const FORM = 'application/x-www-form-urlencoded';
/** The longest form that fits in a URL, since the request continues as a GET. */
const FORM_BYTES = 8 * 1024;

/**
 * Redirects a browser's POST to a GET: a POST from another site carries no `SameSite=Lax` cookie, and the library would
 * make all cookies `None`.
 */
export const formPostAsGet =
  (url: string): Parameters<Provider['use']>[0] =>
  async (ctx, next) => {
    if (ctx.method !== 'POST' || !ENDPOINTS.has(ctx.path.toLowerCase().replace(/\/$/, '')) || ctx.is(FORM) !== FORM)
      return next();
    const form = await readForm(ctx.req);
    if (form === undefined) {
      ctx.status = 413;
      ctx.set('connection', 'close');
      ctx.body = {
        error: 'invalid_request',
        error_description: `a request has up to ${FORM_BYTES} bytes; push a longer one (RFC 9126)`,
      };
      return undefined;
    }
    ctx.set('location', `${url}${ctx.path}?${new URLSearchParams(form)}`);
    ctx.body = null;
    // Set after the body, which would make the status 204.
    ctx.status = 303;
    return undefined;
  };

async function readForm(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > FORM_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
