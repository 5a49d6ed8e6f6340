import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { type Html, html } from '../../http/html.ts';
import type { Frame } from '../../http/page.ts';

/** The pages the provider shows itself: errors and signing out. */
export interface Answers {
  readonly error: (ctx: KoaContextWithOIDC, out: ErrorOut) => void;
  readonly signOut: (ctx: KoaContextWithOIDC) => void;
  readonly signedOut: (ctx: KoaContextWithOIDC) => void;
}

/** Pages for browsers in the common frame, and JSON for programs. */
export function answersOf(frame: Frame, url: string): Answers {
  const base = new URL(url).pathname.split('/').length;
  const show = (ctx: KoaContextWithOIDC, title: string, main: Html, formTo?: string): void => {
    const depth = ctx.path.split('/').length - 1;
    ctx.set({ ...frame.headers, 'cache-control': 'no-store' });
    // Browsers also apply the policy to redirects after a form (CSP Level 3, section 6.4.1).
    const policy = frame.headers['content-security-policy'];
    if (formTo !== undefined && policy !== undefined) {
      ctx.set('content-security-policy', policy.replace("form-action 'self'", `form-action 'self' ${formTo}`));
    }
    ctx.body = frame.page({
      title: `${title} · Mailroom`,
      // One level up for each level of the path below the service's own.
      root: '../'.repeat(base - basePath(url) + depth - 1),
      private: true,
      main: html`<div class="plain-page"><h1>${title}</h1>${main}</div>`,
    });
  };
  return {
    error(ctx, { error, error_description }) {
      if (ctx.accepts('json', 'html') !== 'html') {
        ctx.body = { error, ...(error_description === undefined ? {} : { error_description }) };
        return;
      }
      show(
        ctx,
        'This sign-in cannot continue.',
        html`<p class="lead">Go back to the service that sent you here, and try again. If it happens again, send its operator the details below.</p><p><code>${error}</code>${error_description !== undefined && html` ${error_description}`}</p>`,
      );
    },
    signOut(ctx) {
      const { session, client, params } = ctx.oidc;
      const secret = (session as { state?: { secret?: string } } | undefined)?.state?.secret;
      const to = params?.post_logout_redirect_uri;
      show(
        ctx,
        'Sign out?',
        html`<p class="lead">${client?.clientName === undefined ? 'You' : `${client.clientName} asks. You`} will be signed out here. You stay signed in to other services until you sign out there.</p>
<form method="post" action="${ctx.oidc.urlFor('end_session_confirm')}"><input type="hidden" name="xsrf" value="${secret}"><div class="row"><button class="button" name="logout" value="yes">Sign out</button><button class="button" name="stay" value="yes">Stay signed in</button></div></form>`,
        typeof to === 'string' ? formTarget(to) : undefined,
      );
    },
    signedOut(ctx) {
      show(ctx, 'You are signed out.', html`<p class="lead">You can close this page.</p>`);
    },
  };
}

/** The number of levels in BASE_URL's own path. */
const basePath = (url: string): number => new URL(url).pathname.split('/').length - 3;

const formTarget = (uri: string): string => {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
};
