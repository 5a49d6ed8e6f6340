import { randomUUID } from 'node:crypto';
import { rfc3339 } from '@mailroom/behavior/values/clock';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../../core/entities/webhook.ts';
import { type Html, html, type Part } from '../../../http/html.ts';
import { errorLine, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { copyButton, icon, note } from '../pieces.ts';
import type { Listed } from './api.ts';
import { emptyState } from './empty.ts';
import { FormErrors, line } from './fields.ts';
import { heading, type Root, type Side } from './shell.ts';
import { type PageView, type Signed, tokenField } from './sign-in-form.ts';
import { dayOf, timeMark, zonedMark } from './times.ts';

/** How a delivery to a webhook stands, as its page lists it. */
export type DeliveryStatus = DeliveryView['status'];
export const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['queued', 'sent', 'deferred', 'failed'];

/** What was typed into the form of a webhook. */
export interface TypedWebhook {
  readonly url: string;
  readonly types: readonly string[];
  /** A number, as it was typed. */
  readonly batch: string;
  /** A local part; empty for all. */
  readonly mailbox: string;
}

interface Shown extends PageView {
  readonly typed: TypedWebhook;
  readonly side: Side;
}

export interface WebhooksView extends Shown {
  readonly page: Listed<WebhookView>;
}

export interface WebhookViewOf extends Shown {
  readonly webhook: WebhookView;
  readonly status: DeliveryStatus | undefined;
  readonly deliveries: Listed<DeliveryView>;
  /** What was typed as the time to send events again from. */
  readonly since: string;
}

const GROUP_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  'message.*': ['Messages', 'Received, answered, waiting, failed: with the whole message and its reply.'],
  'thread.*': ['Threads', 'Taken over by a person, and handed back.'],
  'mailbox.*': ['Addresses', 'Made, changed, paused and deleted.'],
  'delivery.*': ['E-mail', 'Whether mail that leaves arrives: sent, retried, bounced, reported as unwanted.'],
  'namespace.*': ['Namespace', 'Its storage is nearly full.'],
  'domain.*': ['Domains', 'Verified, or failed.'],
  'webhook.*': ['Webhooks', 'When another webhook is switched off.'],
};
const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  queued: 'Waiting',
  sent: 'Sent',
  deferred: 'To be retried',
  failed: 'Failed',
};
const TAGS: Readonly<Record<DeliveryStatus, string>> = {
  queued: 'tag',
  sent: 'tag answered',
  deferred: 'tag asks',
  failed: 'tag failed',
};

const typesText = ({ types, batch, mailbox }: WebhookView, { key }: Signed['session']): string =>
  `${types.join(', ')}${batch === 1 ? '' : ` · up to ${batch} in a request`}${mailbox === null ? '' : ` · only ${mailbox.split('@')[0]}@${key.namespace}`}`;
const hostOf = ({ url }: WebhookView): string => URL.parse(url)?.host ?? url;

/** Why a webhook is off, or that it fails. */
function stateOf(webhook: WebhookView): Html | false {
  if (webhook.status === 'disabled') return html` <span class="tag failed">Off</span>`;
  return webhook.failing_since !== null && html` <span class="tag asks">Failing</span>`;
}

/** The list, and the form for a new one. */
export function webhooksMain(view: WebhooksView): Html {
  const { page, done, now, signed } = view;
  const errors = new FormErrors(view.errors);
  const form = webhookForm(view, errors, 'webhooks', 'make', 'Make the webhook');
  const list =
    page.items.length === 0
      ? emptyState({
          behavior: 'webhook',
          fact: 'No webhooks yet',
          rest: html`A webhook has what happens here sent to a program of yours, with the message it is about, as it happens. <a href="../docs/webhooks">How webhooks work</a>`,
        })
      : html`<ul class="lines" aria-label="Webhooks">${page.items.map(
          (webhook) => html`<li><div><b dir="ltr" class="url">${webhook.url}</b>${stateOf(webhook)}
<p class="meta">${typesText(webhook, signed.session)} · made ${dayOf(webhook.created_at, now)}</p></div>
<a class="button quiet" href="webhooks/${webhook.id}">Open<span class="sr"> ${webhook.url}</span></a></li>`,
        )}</ul>`;
  return html`${heading('Webhooks', done)}
${summary(errors.links)}
${list}
${page.next_cursor !== null && html`<div class="row"><a class="button" href="webhooks?cursor=${page.next_cursor}">More webhooks</a></div>`}
<section class="block" aria-labelledby="make"><h2 id="make">Make a webhook</h2>${form}</section>`;
}

function webhookForm(
  { typed, side, signed }: Shown,
  errors: FormErrors,
  action: string,
  act: string,
  label: string,
): Html {
  const types = typesError(errors);
  const { namespace, mailbox: bound, also } = signed.session.key;
  const local = html`<datalist id="mailboxes">${side.mailboxes.map(({ local_part }) => html`<option value="${local_part}">`)}</datalist>`;
  const url = errors.textLine(
    'url',
    'URL',
    'Where events are posted, such as https://example.com/mailroom.',
    typed.url,
    html` type="url" maxlength="2048" required autocapitalize="none" autocomplete="off" spellcheck="false"`,
  );
  const mailbox =
    (bound === null || also.length > 0) &&
    html`${errors.textLine('mailbox', 'Address', `Only what happens at this address: the name before @${namespace}. Leave it empty for all of them.`, typed.mailbox, html` list="mailboxes" maxlength="64" autocapitalize="none" autocomplete="off" spellcheck="false"`)}${local}`;
  const batch = errors.textLine(
    'batch',
    'Events in one request',
    'From 1 to 100. With more than 1, the body is a list of events: for programs that get many of them.',
    typed.batch,
    html` type="number" min="1" max="100" step="1" required inputmode="numeric" autocomplete="off"`,
  );
  const whole = errors.at('', 'url');
  return html`<form class="fields" method="post" action="${action}">${tokenField(signed)}<input type="hidden" name="once" value="${randomUUID()}">
${whole !== undefined && errorLine('form-error', whole)}
${url}
<fieldset class="field group"${types !== undefined && html` aria-describedby="types-error"`}><legend class="label">What it gets</legend>
${Object.entries(GROUP_WORDS).map(([group, [label, hint]]) => tick('checkbox', 'type', { value: group, label, hint }, typed.types.includes(group) || typed.types.includes('*')))}
${typed.types.filter((type) => type !== '*' && GROUP_WORDS[type] === undefined).map((type) => tick('checkbox', 'type', { value: type, label: type, hint: 'One type of event.' }, true))}
${types !== undefined && errorLine('types-error', types)}</fieldset>
${mailbox}
${batch}
<div class="row"><button class="button ink" name="do" value="${act}">${label}</button></div>
</form>`;
}

const typesError = (errors: FormErrors): string | undefined =>
  errors.at('/types', 'type-message.*') ?? errors.at('/types/0', 'type-message.*');

const filterLink = ({ webhook, status }: WebhookViewOf, value: DeliveryStatus | undefined): Html => {
  const label = value === undefined ? 'All' : STATUS_WORDS[value];
  const query = value === undefined ? '' : `?status=${value}`;
  return html`<a class="chip" href="${webhook.id}${query}#deliveries"${value === status && html` aria-current="true"`}>${label}</a>`;
};

/** A webhook's own page. */
export function webhookMain(view: WebhookViewOf): Html {
  const { webhook, done, signed, now } = view;
  const errors = new FormErrors(view.errors);
  const form = webhookForm(view, errors, webhook.id, 'save', 'Save');
  const since = errors.at('/since', 'since');
  const act = (value: string, label: string, look = 'button', more: Part = ''): Html =>
    html`<form method="post" action="${webhook.id}">${tokenField(signed)}<button class="${look}" name="do" value="${value}">${label}</button>${more}</form>`;
  return html`<p class="meta"><a href="../webhooks">All webhooks</a></p>
${heading(html`<span dir="ltr" class="url">${hostOf(webhook)}</span>`, done)}
${summary(errors.links)}
<p class="url" dir="ltr"><code>${webhook.url}</code></p>
<p class="meta">${typesText(webhook, signed.session)} · made ${dayOf(webhook.created_at, now)}</p>
${stateNote(view, act)}
<div class="row">${act('test', 'Send a test event')}${webhook.status === 'enabled' && act('off', 'Switch off')}</div>
${deliveriesPart(view)}
${replayPart(view, since)}
<section class="block" aria-labelledby="change"><h2 id="change">Change it</h2>${form}</section>
<section class="block" aria-labelledby="secret"><h2 id="secret">Secret</h2>
<p>Each request is signed with the secret of this webhook. A new one is shown once; the one before it works for 24 hours more, so that you can replace it in your program.</p>
${webhook.previous_secrets_until.filter((until) => Date.parse(until) > now).map((until) => html`<p class="meta">An earlier secret signs too until ${zonedMark(until)}.</p>`)}
${act('rotate', 'Make a new secret')}</section>
<section class="block" aria-labelledby="remove"><h2 id="remove">Remove it</h2>
<details class="sure"><summary class="button quiet">Remove this webhook</summary><p>What waits is not delivered any more, and the list of deliveries goes with it.</p>${act('remove', 'Remove it', 'button danger')}</details></section>`;
}

function stateNote(
  { webhook, now }: WebhookViewOf,
  act: (value: string, label: string, look: string) => Html,
): Html | false {
  const { status, disabled_reason, disabled_at, failing_since, limited_since, error } = webhook;
  if (status === 'disabled') {
    const why: Readonly<Record<string, string>> = {
      gone: 'Its endpoint answered 410.',
      failing: 'Nothing arrived for five days.',
      owner: 'It was switched off by hand.',
    };
    const reason = why[disabled_reason ?? 'owner'];
    return note(
      disabled_reason === 'owner' ? 'plain' : 'bad',
      'warn',
      html`Switched off${disabled_at !== null && html` since ${zonedMark(disabled_at)}`}.`,
      html`${reason}${error !== null && disabled_reason === 'failing' && html` ${error}`} It gets nothing until you switch it on. What it missed can be sent then.${act('on', 'Switch on', 'button ink')}`,
    );
  }
  const limited =
    limited_since !== null &&
    note(
      'bad',
      'warn',
      html`It gets no messages since ${timeMark(limited_since, now, 'full')}, only their ids.`,
      'The key that made it, or changed it last, may not read them, or expires. Save it here to have whole messages sent.',
    );
  const failing =
    failing_since !== null &&
    note(
      'wait',
      'warn',
      html`It has failed since ${timeMark(failing_since, now, 'full')}.`,
      html`${error} It is tried again, and switched off when nothing arrives for five days.`,
    );
  return html`${limited}${failing}`;
}

function deliveriesPart(view: WebhookViewOf): Html {
  const { webhook, deliveries, status, signed, now } = view;
  const { items, next_cursor } = deliveries;
  const filters = html`<p class="chips">${[undefined, ...DELIVERY_STATUSES].map((one) => filterLink(view, one))}</p>`;
  const empty = status === undefined ? 'Nothing was delivered yet. Send a test event to try it out.' : 'None of these.';
  const entry = (delivery: DeliveryView): Html => {
    const { id, type, attempts, error, next_attempt_at, updated_at, message_id } = delivery;
    const tries = attempts > 1 ? ` · ${attempts} attempts` : '';
    const about = html`<span class="sr"> ${type}, ${id}</span>`;
    return html`<li><div><b>${type}</b> <span class="${TAGS[delivery.status]}">${STATUS_WORDS[delivery.status]}</span>
<p class="meta">${timeMark(updated_at, now, 'full')}${tries}${delivery.status === 'deferred' && next_attempt_at !== null && html` · again ${zonedMark(next_attempt_at)}`}${message_id !== null && html` · <a href="../../console?direction=all&message=${message_id}">the message</a>`}</p>
${error !== null && html`<p class="error">${icon('warn')}<span class="url">${error}</span></p>`}</div>
${webhook.status === 'enabled' && html`<form method="post" action="${webhook.id}">${tokenField(signed)}<input type="hidden" name="delivery" value="${id}"><button class="button quiet" name="do" value="redeliver">Send again${about}</button></form>`}</li>`;
  };
  const query = status === undefined ? '' : `status=${status}&`;
  return html`<section class="block" id="deliveries" aria-labelledby="deliveries-title"><h2 id="deliveries-title">Deliveries</h2>
${filters}
${items.length === 0 ? html`<p class="meta">${empty}</p>` : html`<ul class="lines" aria-label="Deliveries">${items.map(entry)}</ul>`}
${next_cursor !== null && html`<div class="row"><a class="button" href="${webhook.id}?${query}cursor=${next_cursor}#deliveries">Older deliveries</a></div>`}</section>`;
}

function replayPart({ webhook, since, signed, now }: WebhookViewOf, error: string | undefined): Html | false {
  if (webhook.status === 'disabled') return false;
  const field = line(
    {
      id: 'since',
      label: 'From (UTC)',
      hint: 'Every event since then that is still kept is sent again.',
      error,
    },
    (attributes) =>
      html`<input class="input" ${attributes} type="datetime-local" step="1" required value="${since}" max="${rfc3339(now).slice(0, 19)}">`,
  );
  return html`<section class="block" aria-labelledby="replay"><h2 id="replay">Send events again</h2>
<form class="fields" method="post" action="${webhook.id}">${tokenField(signed)}${field}
<div class="row"><button class="button" name="do" value="replay">Send them again</button></div></form></section>`;
}

/** The only page that shows the secret. */
export const secretMain = (
  webhook: WebhookWithSecret,
  title: string,
  root: Root,
): Html => html`${heading(title, undefined)}
<section class="card key-card" aria-labelledby="secret-title"><h2 id="secret-title">The secret of this webhook</h2>
<p>This secret is shown only now. With it your program checks that a request is from here. <a href="${root}docs/webhooks">How to verify a request</a></p>
<div class="key"><code id="new-secret">${webhook.secret}</code>${copyButton('Copy', { id: 'new-secret' })}</div>
<div class="row"><a class="button" href="${root}console/webhooks/${webhook.id}">${icon('check')}I have copied it</a></div>
</section>`;
