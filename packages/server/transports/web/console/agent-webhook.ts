import type { Millis } from '@mailroom/behavior/values/clock';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { AgentWebhook } from '../../../core/ports/agent-webhooks.ts';
import { type Html, html } from '../../../http/html.ts';
import { copyButton, note } from '../pieces.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

/** How the webhook of an address does; `secret` is a new one, which is shown here only. */
export function webhookBlock(
  { webhook: on, limited_since }: Mailbox,
  webhook: AgentWebhook,
  { now, secret, signed }: { readonly now: Millis; readonly secret?: string | undefined; readonly signed: Signed },
): Html {
  const button = (what: string, label: string, ink = false): Html =>
    html`<form method="post" action="?tab=webhook">${tokenField(signed)}<button class="button${ink && ' ink'}" name="do" value="${what}">${label}</button></form>`;
  return html`<section class="block" aria-labelledby="webhook"><h2 id="webhook">Webhook</h2>
${typeof limited_since === 'number' && note('bad', 'warn', html`It gets no messages since ${timeMark(limited_since, now, 'full')}, only their ids.`, 'The key that set it may not read them, or expires. Save the settings here to have whole messages pushed.')}
${stateOf(on, webhook, now)}
${secret !== undefined && newSecret(secret)}
<div class="row">${on === 'off' && button('webhook-on', 'Try again', true)}${secret === undefined && button('webhook-secret', 'Show a new secret')}</div>
<p class="meta">Requests are signed. After a new secret the one before stays valid for 24 hours. <a href="../../docs/client">How a program answers by webhook</a></p></section>`;
}

/** Said on the other pages of the address's settings. */
export const webhookOff = note(
  'bad',
  'warn',
  'Its webhook is off.',
  html`<a href="?tab=webhook">See why, and try again</a>`,
);

/** A new secret of a webhook, which no later page shows. */
export const newSecret = (secret: string): Html =>
  html`<p>Verify requests with this secret. It is shown only now.</p><div class="card key-card"><div class="key"><code id="webhook-secret">${secret}</code>${copyButton('Copy', { id: 'webhook-secret' })}</div></div>`;

function stateOf(on: Mailbox['webhook'], { off_at, failing_since, error }: AgentWebhook, now: Millis): Html {
  const last = error !== null && html` Last error: <span dir="auto">${error}</span>`;
  if (on === 'off') {
    const rest = html`${last} Messages wait until you try again, or until they are answered in another way.`;
    return note('bad', 'warn', html`Off since ${timeMark(off_at ?? now, now, 'full')}.`, rest);
  }
  if (failing_since !== null) {
    const rest = html`${last} Each message is tried again, with growing pauses.`;
    return note('bad', 'warn', html`Failing since ${timeMark(failing_since, now, 'full')}.`, rest);
  }
  return html`<p>On. Each message is pushed as it arrives.${last}</p>`;
}
