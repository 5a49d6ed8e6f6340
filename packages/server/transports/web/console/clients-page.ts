import type { Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Client } from '../../../core/entities/client.ts';
import { hasSecret, metadataOf } from '../../../core/sign-in/client-metadata.ts';
import type { MadeClient } from '../../../core/sign-in/client-registry.ts';
import type { RegistrationToken } from '../../../core/sign-in/registration-token.ts';
import { type Html, html } from '../../../http/html.ts';
import { addressMark, copyButton, icon, note, stamp } from '../pieces.ts';
import { clientForm, type TypedClient } from './client-form.ts';
import { emptyState } from './empty.ts';
import { textLine } from './fields.ts';
import type { MailboxPage } from './mailbox-page.ts';
import { addressPath, heading } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { dayOf, timeMark } from './times.ts';

interface ClientsView {
  readonly issuer: string;
  readonly clients: readonly Client[];
  /** Whether this is the first page of the list. */
  readonly first: boolean;
  /** The cursor of the next page. */
  readonly next: string | undefined;
  readonly tokens: readonly RegistrationToken[];
  readonly errors: readonly FieldError[];
  readonly done: string | undefined;
  readonly now: Millis;
}

/** The page of the apps in which people sign in by an address, and of the tokens by which apps register themselves. */
export function clientsMain(page: MailboxPage, view: ClientsView): Html {
  const { mailbox, mailDomain, here } = page;
  const { clients, done, now } = view;
  const title = html`${stamp(mailbox.behavior)} Your apps with ${addressMark(mailbox, mailDomain)}`;
  return html`${heading(title, done)}
${view.errors.length > 0 && note('bad', 'warn', 'Nothing was made.', view.errors.map(({ message }) => message).join(' '))}
<p>Your apps and sites in which people and agents sign in with an address and without a password (OpenID Connect clients).</p>
<p class="row state"><a class="button ink" href="?edit=">Add an app</a><a class="button quiet" href="../../${addressPath(mailbox)}">${icon('sliders')}Its settings</a></p>
${clients.length === 0 && view.first && emptyState({ behavior: mailbox.behavior, fact: 'No apps yet', rest: 'Add one, then give its OpenID Connect library the issuer, client ID and secret that you get.' })}
<ul class="lines taught-list">${clients.map((client) => clientLine(client, now))}</ul>
${(!view.first || view.next !== undefined) && html`<div class="row">${!view.first && html`<a class="button quiet" href="${here}">First page</a>`}${view.next !== undefined && html`<a class="button" href="?cursor=${view.next}">More apps</a>`}</div>`}
<section class="block" aria-labelledby="issuer-title"><h2 id="issuer-title">The issuer</h2><p>Every library needs it, along with the app’s client ID and secret, and finds the rest through it.</p>
${copied('issuer', view.issuer)}</section>
${tokensSection(view, page.signed)}`;
}

const METHOD_WORDS: Readonly<Record<string, string>> = {
  client_secret_basic: 'by a secret',
  client_secret_post: 'by a secret in the body',
  private_key_jwt: 'by a key of its own',
  none: 'without a secret',
};

function clientLine(client: Client, now: Millis): Html {
  const { redirect_uris, token_endpoint_auth_method: method } = metadataOf(client);
  const [first = '', ...others] = redirect_uris;
  return html`<li><span class="name-cell"><span><b dir="auto">${client.name}</b>${client.source === 'registration' && html` <span class="tag">Added itself</span>`}<br><code>${client.id}</code><br><span class="meta">${hostOf(first)}${others.length > 0 && html` and ${others.length} more`} · ${METHOD_WORDS[method] ?? method} · made ${dayOf(client.created_at, now)}</span></span></span><a class="button" href="?edit=${client.id}">Edit<span class="sr"> ${client.name}</span></a></li>`;
}

/** The distinctive part of a URI: its host, or a custom scheme. */
const hostOf = (uri: string): string => {
  const url = URL.parse(uri);
  return url === null ? uri : url.protocol.startsWith('http') ? url.host : url.protocol;
};

function tokensSection({ tokens, now }: ClientsView, signed: Signed): Html {
  const item = ({ id, name, created_at, expires_at }: RegistrationToken): Html =>
    html`<li><div><b dir="auto">${name ?? 'No name'}</b><p class="meta">Made ${timeMark(created_at, now, 'full')} · expires ${timeMark(expires_at, now, 'full')}</p></div><form method="post" action="">${tokenField(signed)}<input type="hidden" name="id" value="${id}"><button class="button quiet" name="do" value="end">Remove<span class="sr"> ${name ?? 'the token without a name'}</span></button></form></li>`;
  return html`<section class="block" id="tokens" aria-labelledby="tokens-title"><h2 id="tokens-title">Apps that add themselves</h2>
<p>Anyone who has a token can register apps here (dynamic client registration) until it expires after a day. Registration always needs a token.</p>
${tokens.length > 0 && html`<ul class="lines">${tokens.map(item)}</ul>`}
<form class="fields" method="post" action="">${tokenField(signed)}
${textLine({ id: 'token_name', label: 'Name', hint: 'What it is for. Optional.', error: undefined }, '', html` maxlength="100" autocomplete="off"`)}
<div class="row"><button class="button" name="do" value="token">Make a registration token</button></div></form></section>`;
}

interface ClientView {
  readonly issuer: string;
  /** Undefined for a new app. */
  readonly client: Client | undefined;
  readonly typed: TypedClient;
  readonly errors: readonly FieldError[];
  readonly done: string | undefined;
  readonly now: Millis;
}

/** The page of one app: its form, its secret, its deletion. */
export function clientMain({ signed, here: back }: MailboxPage, view: ClientView): Html {
  const { issuer, client, typed, errors, done, now } = view;
  const form = clientForm(typed, errors, signed, back);
  if (client === undefined) return html`${heading('New app', done)}${form}`;
  const { token_endpoint_auth_method: method } = metadataOf(client);
  const id = html`<input type="hidden" name="id" value="${client.id}">`;
  const none = client.secret === null;
  return html`${heading(html`<span dir="auto">${client.name}</span>`, done)}
<dl class="properties"><div><dt>Issuer</dt><dd>${copied('issuer', issuer)}</dd></div><div><dt>Client ID</dt><dd>${copied('client-id', client.id)}</dd></div></dl>
${hasSecret(method) && none && note('wait', 'key', 'It has no secret yet.', 'People cannot sign in to it until you make one below.')}
${form}
${
  hasSecret(method) &&
  html`<section class="block" aria-labelledby="secret"><h2 id="secret">${none ? 'Make a secret' : 'Replace the secret'}</h2>
<p>${none ? 'It is shown once.' : 'It is shown once, and the old one stops working at once: people cannot sign in to the app until it has the new one.'}</p>
<form class="row" method="post" action="">${tokenField(signed)}${id}<button class="button" name="do" value="secret">Make a new secret</button></form></section>`
}
<section class="block" aria-labelledby="remove"><h2 id="remove">Remove it</h2>
<p>People can no longer sign in to ${client.name}, and the app cannot be restored. Its ID is never used again. Made  ${timeMark(client.created_at, now, 'full')}.</p>
<details class="sure"><summary class="button">Remove ${client.name}…</summary><form class="row" method="post" action="">${tokenField(signed)}${id}<button class="button danger" name="do" value="remove">Remove it for good</button><a class="button quiet" href="${back}">Keep it</a></form></details></section>`;
}

/** A line of code with a copy button. */
const copied = (id: string, text: string): Html =>
  html`<div class="key"><code id="${id}">${text}</code>${copyButton('Copy', { id })}</div>`;

/** The only page that shows the secret. */
export function madeMain({ here }: MailboxPage, made: MadeClient, issuer: string, renewed: boolean): Html {
  const { client, secret, replayed } = made;
  const back = html`<div class="row end"><a class="button" href="${here}?edit=${client.id}">${secret === null ? 'Continue' : html`${icon('check')}I have copied it`}</a></div>`;
  const title = renewed ? 'Your new secret' : 'Your new app';
  const rest = html`<h3>Issuer</h3>${copied('issuer', issuer)}<h3>Client ID</h3>${copied('client-id', client.id)}`;
  if (secret === null) {
    const why = replayed
      ? note(
          'plain',
          'key',
          'This page was sent twice.',
          'The app was added the first time, and its secret was shown then. If you lost it, make a new one on the app’s page.',
        )
      : html`<p>It has no secret: its library needs only these two.</p>`;
    return html`${heading(title, undefined)}${why}<section class="card key-card" aria-labelledby="made-title"><h2 id="made-title" dir="auto">${client.name}</h2>${rest}</section>${back}`;
  }
  return html`${heading(title, undefined)}
<section class="card key-card" aria-labelledby="made-title"><h2 id="made-title"><span dir="auto">${client.name}</span>, ready to use.</h2>
<p>The secret is shown only now. We store only a fingerprint of it.${renewed && html` The old one no longer works.`}</p>
<h3>Client secret</h3>${copied('client-secret', secret)}${rest}</section>${back}`;
}

/** The only page that shows the token. */
export function tokenMain(
  { here }: MailboxPage,
  { token, secret }: { readonly token: RegistrationToken; readonly secret: string },
  issuer: string,
  now: Millis,
): Html {
  return html`${heading('Your registration token', undefined)}
<section class="card key-card" aria-labelledby="made-title"><h2 id="made-title">${token.name ?? 'A token'}, valid until ${timeMark(token.expires_at, now, 'full')}.</h2>
<p>This token is shown only now. Anyone who has it can register apps here.</p>
<h3>Token</h3>${copied('token', secret)}
<h3>Registration endpoint</h3>${copied('endpoint', `${issuer}/reg`)}</section>
<div class="row end"><a class="button" href="${here}">${icon('check')}I have copied it</a></div>`;
}
