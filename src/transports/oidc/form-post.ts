import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';

/** Both may be asked by POST: OpenID Connect Core 1.0, section 3.1.2.1; RP-Initiated Logout 1.0, section 2. */
const ENDPOINTS: ReadonlySet<string> = new Set(['/auth', '/session/end']);
const FORM = 'application/x-www-form-urlencoded';
/** What fits in a URL, as the request goes on in one. */
const FORM_BYTES = 8 * 1024;

/**
 * What a browser posts to an endpoint for browsers it is sent on to ask by GET: a post from another site brings no cookie that
 * is `SameSite=Lax`, and the library would have all of them be `None`.
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
    // After the body, which would make it 204.
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
