import { randomUUID } from 'node:crypto';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Key, KeyView, KeyWithSecret, Scope } from '../../../core/entities/key.ts';
import type { OwnerView } from '../../../core/sign-in/session-views.ts';
import { type Html, html } from '../../../http/html.ts';
import { errorLine, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { copyButton, icon, note } from '../pieces.ts';
import { unclaimed } from './adding-owner.ts';
import { FormErrors, line, textLine } from './fields.ts';
import { heading, type Side } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { dayOf, timeMark } from './times.ts';

/** What was typed into the form for a new key. */
export interface Typed {
  readonly name: string;
  readonly scopes: readonly string[];
  /** A local part; empty for none. */
  readonly mailbox: string;
  readonly expires: string;
}

export interface KeysView {
  readonly keys: readonly KeyView[];
  /** Accounts that open the console without a key, each by one of these keys. */
  readonly owners: readonly OwnerView[];
  /** The ids of the keys that can open this console. */
  readonly ways: readonly string[];
  /** The key of the current session. */
  readonly own: Key;
  readonly side: Side;
  readonly typed: Typed;
  readonly errors: readonly FieldError[];
  /** The id of the key that is about to be revoked. */
  readonly revoke?: string;
  readonly done?: string;
  readonly now: Millis;
  readonly signed: Signed;
}

const SCOPE_WORDS: Readonly<Record<Scope, readonly [string, string]>> = {
  'mail:send': ['Send mail', 'Write to any address.'],
  'mail:answer': ['Answer messages', 'Claim and answer messages to your addresses, and label them.'],
  'mail:review': ['Review', 'See what waits to leave your addresses, approve or reject it, and say what waits.'],
  'messages:read': ['Read messages', 'Read what your addresses receive and what your keys sent.'],
  'mailboxes:write': ['Manage addresses', 'Make, change, pause and delete addresses; cancel and retry messages.'],
  'webhooks:write': [
    'Manage webhooks',
    'Have events sent to a URL; with the messages they are about, if it may read those too and does not expire.',
  ],
  'keys:write': ['Manage keys', 'Make keys with no more rights than its own, and revoke keys.'],
  'auth:assert': ['Sign in elsewhere', 'Sign in to services as its address, also with the codes sent to it.'],
  owner: ['Owner', 'Everything, including this console. Do not give it to a program.'],
};
export const SCOPES = Object.keys(SCOPE_WORDS) as readonly Scope[];
const EXPIRIES = { never: 'Never', '7': 'In 7 days', '30': 'In 30 days', '90': 'In 90 days', '365': 'In a year' };

export const keysMain = (view: KeysView): Html => {
  const errors = new FormErrors(view.errors);
  const form = makeForm(view, errors);
  return html`${heading('Keys', view.done)}
${summary(errors.links)}
${revoking(view)}
${unclaimed(view.owners, view.own.namespace, 'members')}
${list(view)}
${form}`;
};

const isLive = ({ expires_at }: KeyView, now: Millis): boolean => expires_at === null || Date.parse(expires_at) > now;

function list({ keys, owners, own: sessionKey, now }: KeysView): Html {
  const only =
    keys.length === 1 && html`<p class="meta">This is your owner key. Make another key for each program.</p>`;
  return html`<ul class="lines" aria-label="Keys">${keys.map((key) => {
    const end =
      key.expires_at === null
        ? 'never expires'
        : html`${isLive(key, now) ? 'expires' : 'expired'} ${timeMark(key.expires_at, now, 'full')}`;
    const owner = owners.find(({ key_id }) => key_id === key.id);
    const used =
      owner !== undefined
        ? html`<a href="members">an owner</a>`
        : key.last_used_at === null
          ? 'never used'
          : html`used ${timeMark(key.last_used_at, now)}`;
    return html`<li><div><b dir="auto">${key.name ?? 'No name'}</b> <code>${key.prefix}…</code>${key.id === sessionKey.id && html` <span class="tag answered">Signed in with this</span>`}${!isLive(key, now) && html` <span class="tag">Expired</span>`}
<p class="meta">${key.scopes.map((scope) => SCOPE_WORDS[scope][0]).join(', ')}${key.mailbox !== null && html` · only ${key.mailbox.split('@')[0]}@${key.namespace}`} · ${used} · ${end} · made ${dayOf(key.created_at, now)}</p></div>
<a class="button quiet" href="keys?revoke=${key.id}#revoke">Revoke<span class="sr"> ${key.name ?? key.prefix}</span></a></li>`;
  })}</ul>${only}`;
}

/** Asks for confirmation, since revoking is final. */
function revoking({ keys, owners, ways, own: sessionKey, revoke, signed }: KeysView): Html | false {
  const key = keys.find(({ id }) => id === revoke);
  if (key === undefined) return false;
  const last = ways.includes(key.id) && ways.length === 1;
  const owner = owners.find(({ key_id }) => key_id === key.id);
  const mine = key.id === sessionKey.id;
  const rest = html`${owner === undefined ? 'Programs that use it stop working at once. This cannot be undone.' : `It belongs to ${owner.address}, who will no longer own ${key.namespace}.`}${
    mine && html`You are signed in with this key: revoking it signs you out everywhere.`
  }${last && html` <b>It is your last owner key.</b> Without an owner key or an owner who can sign in, no one can open this console until the operator of this service makes another key.`}
<form class="row" method="post" action="keys">${tokenField(signed)}<input type="hidden" name="id" value="${key.id}"><button class="button danger" name="do" value="revoke">Revoke ${key.name ?? key.prefix}</button><a class="button quiet" href="keys">Keep it</a></form>`;
  return html`<div id="revoke">${note('bad', 'warn', `${key.name ?? 'This key'} (${key.prefix}…) will stop working at once.`, rest)}</div>`;
}

function makeForm({ typed, side, own: sessionKey, signed }: KeysView, errors: FormErrors): Html {
  const scopes = errors.at('/scopes', 'scope-mail:send');
  return html`<section class="block" aria-labelledby="make"><h2 id="make">Make a key</h2>
<form class="fields" method="post" action="keys">${tokenField(signed)}<input type="hidden" name="once" value="${randomUUID()}">
${errors.textLine('name', 'Name', 'Where it is used, such as “website”.', typed.name, html` maxlength="100" autocomplete="off"`)}
<fieldset class="field group"${scopes !== undefined && html` aria-describedby="scopes-error"`}><legend class="label">What it may do</legend>
${SCOPES.map((scope) =>
  tick(
    'checkbox',
    'scope',
    { value: scope, label: SCOPE_WORDS[scope][0], hint: SCOPE_WORDS[scope][1] },
    typed.scopes.includes(scope),
  ),
)}
${scopes !== undefined && errorLine('scopes-error', 'Choose at least one.')}</fieldset>
${mailboxField(typed.mailbox, side, sessionKey.namespace, errors.at('/mailbox', 'mailbox'))}
${errors.line('expires', 'Expires', undefined, (attributes) => html`<select class="input" ${attributes}>${Object.entries(EXPIRIES).map(([value, label]) => html`<option value="${value}"${value === typed.expires && html` selected`}>${label}</option>`)}</select>`, '/expires_at')}
<div class="row"><button class="button ink" name="do" value="make">Make the key</button></div>
</form></section>`;
}

/** A choice of all addresses; where there are too many, a text field that suggests the busiest. */
function mailboxField(
  typed: string,
  { mailboxes, mailbox_count }: Side,
  namespace: string,
  error: string | undefined,
): Html {
  const field = { id: 'mailbox', label: 'Address', error: error };
  const hint = 'A key for one address can send and read only as that address.';
  if (mailbox_count > mailboxes.length) {
    const some = html`<datalist id="mailboxes">${mailboxes.map(({ local_part }) => html`<option value="${local_part}">`)}</datalist>`;
    const more = html` list="mailboxes" maxlength="64" autocapitalize="none" autocomplete="off" spellcheck="false"`;
    return html`${textLine({ ...field, hint: `The name before @${namespace}; leave it empty for all of them. ${hint}` }, typed, more)}${some}`;
  }
  return line(
    { ...field, hint },
    (attributes) =>
      html`<select class="input" ${attributes}><option value="">Any of ${namespace}</option>${mailboxes.map(({ local_part }) => html`<option${local_part === typed && html` selected`} value="${local_part}">${local_part}@${namespace}</option>`)}</select>`,
  );
}

/** The only page that shows the key. */
export const madeMain = ({ name, secret }: KeyWithSecret, replayed: boolean): Html =>
  secret === null
    ? html`${heading('Your new key', undefined)}${note('plain', 'key', 'This key was shown before and is in use.', 'It is not shown again. If you lost it, revoke it and make another.')}<div class="row end"><a class="button" href="keys">Back to keys</a></div>`
    : html`${heading('Your new key', undefined)}
<section class="card key-card" aria-labelledby="key-title"><h2 id="key-title">${name ?? 'The key'}, ready to use.</h2>
<p>This key is shown only now. We store only a fingerprint of it.</p>
${replayed && html`<p><b>This page was sent twice.</b> The key below replaces the one shown before, which no longer works.</p>`}
<div class="key"><code id="new-key">${secret}</code>${copyButton('Copy', { id: 'new-key' })}</div>
<div class="row"><a class="button" href="keys">${icon('check')}I have copied it</a></div>
</section>`;
