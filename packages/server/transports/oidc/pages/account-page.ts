import type { Millis } from '@mailroom/behavior/values/clock';
import type { Passkey } from '../../../core/entities/account.ts';
import type { Namespace } from '../../../core/entities/namespace.ts';
import type { AccountSession, AccountSessionEntry } from '../../../core/sign-in/account-sessions.ts';
import { sessionNames } from '../../../core/sign-in/session-views.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { MAX_PASSKEY_NAME } from '../passkeys.ts';
import type { UsedService } from '../used-services.ts';
import { type NewPasskeyView, newPasskeyForm } from './passkey-page.ts';
import { addressMark, errorLine, listed } from './words.ts';

/** A namespace that the account owns. */
export interface OwnedName extends Namespace {
  /** No other person owns it. */
  readonly last: boolean;
  /** Another owner or an owner key also opens its console. */
  readonly keyed: boolean;
}

/** The form that was sent to delete the account. */
export interface Deleting {
  readonly typed: string;
  /** The typed address is not the account's. */
  readonly wrong: boolean;
  /** The ids of the namespaces that may be left without an owner. */
  readonly confirmed: ReadonlySet<string>;
}

export interface AccountView {
  readonly session: AccountSession;
  readonly passkeys: readonly Passkey[];
  /** The id of the passkey being renamed. */
  readonly renaming: string | undefined;
  /** Undefined where passkeys are unavailable. */
  readonly adding: NewPasskeyView | undefined;
  readonly sessions: readonly AccountSessionEntry[];
  readonly services: readonly UsedService[];
  readonly names: readonly OwnedName[];
  readonly done: string | undefined;
  /** A refused attempt to delete the account. */
  readonly deleting: Deleting | undefined;
  readonly nameError: string | undefined;
  readonly token: Html;
  readonly now: Millis;
}

/** The account page: passkeys, sessions, and services that know the account. */
export const accountMain = (view: AccountView, frame: Frame): Html => html`<div class="account">
<div class="head"><h1>${addressMark(view.session.address)}</h1>
<form method="post" action="account">${view.token}<button class="button" name="do" value="out">${frame.icon('out')}Sign out</button></form></div>
${view.done !== undefined && html`<p class="done" role="status">${frame.icon('check')}<span>${view.done}</span></p>`}
${passkeyList(view, frame)}
${sessionList(view, frame)}
${serviceList(view, frame)}
${nameList(view, frame)}
${deletion(view, frame)}
</div>`;

function passkeyList({ passkeys, adding, renaming, nameError, token, now }: AccountView, frame: Frame): Html {
  const passkeyItem = (passkey: Passkey): Html => {
    const used = passkey.used_at === null ? 'not used yet' : html`used ${frame.time(passkey.used_at, now, 'full')}`;
    if (passkey.id === renaming) {
      return html`<li><form class="row rename" method="post" action="account">${token}<input type="hidden" name="id" value="${passkey.id}">
<div class="field"><label for="rename">New name</label><input class="input" id="rename" name="name" value="${passkey.name}" maxlength="${MAX_PASSKEY_NAME}" autocomplete="off" dir="auto" required${nameError !== undefined && html` aria-invalid="true" aria-describedby="rename-error"`}>${nameError !== undefined && errorLine('rename-error', nameError, frame)}</div>
<button class="button" name="do" value="rename">Save the name</button><a class="button quiet" href="account#passkeys">Keep it</a></form></li>`;
    }
    return html`<li><div><b dir="auto">${passkey.name}</b><p class="meta">Made ${frame.time(passkey.created_at, now, 'full')} · ${used}${passkey.backed_up && ' · synced by its keeper'}</p></div>
<div class="row ends"><a class="button quiet" href="account?rename=${encodeURIComponent(passkey.id)}#rename">Rename<span class="sr"> ${passkey.name}</span></a>
<form method="post" action="account">${token}<input type="hidden" name="id" value="${passkey.id}"><button class="button quiet" name="do" value="remove">Remove<span class="sr"> ${passkey.name}</span></button></form></div></li>`;
  };
  return html`<section class="block" aria-labelledby="passkeys"><h2 id="passkeys">Passkeys</h2>
${passkeys.length === 0 ? html`<p class="gets">None yet: you sign in with a code by mail each time.</p>` : html`<ul class="lines">${passkeys.map(passkeyItem)}</ul>`}
${adding === undefined ? html`<p class="meta">There are no passkeys at an IP address: open this service by its name.</p>` : newPasskeyForm(adding, '', frame)}
</section>`;
}

const WAYS: Readonly<Record<string, string>> = { otp: 'a code', pop: 'a passkey' };

function sessionList({ sessions, session, token, now }: AccountView, frame: Frame): Html {
  const names = sessionNames(sessions.map(({ hash, agent }) => ({ id: hash, agent })));
  const sessionItem = ({ hash, created_at, seen_at, amr }: AccountSessionEntry): Html => {
    const agent = names.get(hash);
    const isOwn = hash === session.hash;
    const by = WAYS[amr[0] ?? ''] ?? 'an address';
    return html`<li><div><b>${agent}</b>${isOwn && html` <span class="tag answered">This one</span>`}<p class="meta">With ${by}, ${frame.time(created_at, now, 'full')} · seen ${isOwn ? 'now' : frame.time(seen_at, now, 'full')}</p></div>
<form method="post" action="account">${token}<input type="hidden" name="session" value="${hash}"><button class="button quiet" name="do" value="${isOwn ? 'out' : 'end'}">Sign out${!isOwn && html`<span class="sr"> ${agent}</span>`}</button></form></li>`;
  };
  return html`<section class="block" aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2>
<ul class="lines">${sessions.map(sessionItem)}</ul>
<form class="row" method="post" action="account">${token}<button class="button" name="do" value="everywhere">Sign out everywhere</button><span class="meta">A session ends after 7 days without use, and after 30 days in any case.</span></form></section>`;
}

function serviceList({ services, token, now }: AccountView, frame: Frame): Html {
  const serviceItem = ({ id, name, origin, issuer, gets, since }: UsedService): Html =>
    html`<li><div><b dir="auto">${name ?? origin}</b>${name !== null && html` <span class="meta">${origin}</span>`}<p class="meta">Got ${listed(gets)} · by auth@${issuer} · since ${frame.time(since, now, 'full')}</p></div>
<form method="post" action="account">${token}<input type="hidden" name="id" value="${id}"><button class="button quiet" name="do" value="revoke">Revoke<span class="sr"> ${name ?? origin}</span></button></form></li>`;
  return html`<section class="block" aria-labelledby="services"><h2 id="services">Services you use</h2>
${services.length === 0 ? html`<p class="gets">None. Services that you sign in to with this address appear here.</p>` : html`<ul class="lines">${services.map(serviceItem)}</ul><p class="meta">Revoking ends a service's access: it must ask you again the next time. It keeps what it already knows.</p>`}</section>`;
}

const nameList = ({ names, token }: AccountView, frame: Frame): Html | false =>
  names.length > 0 &&
  html`<section class="block" aria-labelledby="names"><h2 id="names">Names you own</h2>
<ul class="lines">${names.map(
    ({ id, name, display_name }) =>
      html`<li><div><b>${name}</b>${display_name !== null && html` <span class="meta" dir="auto">${display_name}</span>`}</div>
<form method="post" action="account">${token}<input type="hidden" name="id" value="${id}"><button class="button" name="do" value="console">Open its console${frame.icon('right')}</button></form></li>`,
  )}</ul></section>`;

function deletion({ session, names, deleting, token }: AccountView, frame: Frame): Html {
  const { account_id, address } = session;
  if (!account_id.startsWith('acc_')) {
    return html`<section class="block" aria-labelledby="delete"><h2 id="delete">Delete this account</h2>
<p class="gets">This address is a mailbox of this service: the account is deleted when its owner deletes the mailbox.</p></section>`;
  }
  const wrong = deleting?.wrong === true;
  return html`<section class="block" aria-labelledby="delete"><h2 id="delete">Delete this account</h2>
<p class="gets"><b>What goes:</b> the account with its passkeys and sessions. If you come back, services take you for a new person.</p>
${names.length > 0 && html`<p class="gets"><b>What stays:</b> ${listed(names.map(({ name }) => name))}, with all addresses, their public pages and their messages. You stop being an owner. To remove a name itself, delete it in the settings of its console first.</p>`}
<form class="ways-in" method="post" action="account#delete">${token}
${names.filter(({ last }) => last).map((one) => lastOwner(one, deleting, frame))}
<div class="field"><label for="typed">Type <b>${address}</b> to delete it</label>
<input class="input" id="typed" name="typed" value="${deleting?.typed}" autocomplete="off" spellcheck="false" autocapitalize="none" dir="ltr" aria-required="true"${wrong && html` aria-invalid="true" aria-describedby="typed-error"`}>
${wrong && errorLine('typed-error', `This is not ${address}. Nothing was deleted.`, frame)}</div>
<button class="button danger" name="do" value="delete">Delete the account</button></form></section>`;
}

/** The consequences for a namespace without another owner, each confirmed separately. */
function lastOwner({ id, name, keyed }: OwnedName, deleting: Deleting | undefined, frame: Frame): Html {
  const missing = deleting !== undefined && !deleting.confirmed.has(id);
  const follows = keyed
    ? 'Only holders of its owner key can open its console afterwards. The key keeps working.'
    : 'It has no working owner key either: no one can open its console afterwards unless the operator of this service creates a new key.';
  const box = `last-${id}`;
  return html`<div class="field">${frame.note('bad', 'warn', `You are the last owner of ${name}.`, follows)}
<label class="tick"><input type="checkbox" id="${box}" name="last" value="${id}" aria-required="true"${deleting?.confirmed.has(id) && html` checked`}${missing && html` aria-invalid="true" aria-describedby="${box}-error"`}><span>I understand that ${name} will have no owner</span></label>
${missing && errorLine(`${box}-error`, `Confirm this for ${name}. Nothing was deleted.`, frame)}</div>`;
}
