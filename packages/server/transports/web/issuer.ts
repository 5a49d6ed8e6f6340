import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Html, html } from '../../http/html.ts';
import { isIssuer } from './looks.ts';
import { copyButton } from './pieces.ts';

/** What an app needs to sign its users in by an address that signs people in. */
export function issuerSection({ behavior, namespace }: Mailbox, baseUrl: string): Html | false {
  if (!isIssuer(behavior)) return false;
  const issuer = `${baseUrl}/oidc/${namespace}`;
  return html`<section class="section issuer" aria-labelledby="issuer">
<h2 id="issuer">For your app</h2>
<p>This address signs in people and agents with OpenID Connect. Give your app’s library this issuer:</p>
<div class="code"><pre tabindex="0" aria-label="Issuer"><code>${issuer}</code></pre>${copyButton('Copy', { text: issuer })}</div>
<ol>
<li>Ask the owner of ${namespace} to register your app, or give it a client ID metadata document.</li>
<li>Send people to the authorization endpoint with PKCE; discovery lists it: <a href="${issuer}/.well-known/openid-configuration">openid-configuration</a>.</li>
<li>Identify users by <code>sub</code>; <code>email</code> is verified.</li>
</ol>
<p class="meta">Agents present a signed token of their own; verify it with the same keys and your origin as its audience.</p>
</section>`;
}
