import type { Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { OwnerView } from '../../../core/sign-in/session-views.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { icon, note } from '../pieces.ts';
import { heading } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { dayOf } from './times.ts';

export interface OwnersView {
  readonly owners: readonly OwnerView[];
  /** The ids of the keys that can open this console. */
  readonly ways: readonly string[];
  /** The account that is signed in in this browser. */
  readonly account: AccountSession | undefined;
  /** The key of the owner whose removal is to be confirmed. */
  readonly remove: string | undefined;
  readonly done: string | undefined;
  readonly errors: readonly FieldError[];
  readonly signed: Signed;
  readonly now: Millis;
}

/** Warns that a name has no owner; false where it has one. `to` leads to the page of owners. */
export const unclaimed = (owners: readonly OwnerView[], name: string, to: string | undefined): Html | false =>
  owners.length === 0 &&
  note(
    'wait',
    'key',
    `${name} has no owner who can sign in.`,
    html`If you lose the owner key, you lose access to it.${to !== undefined && html` <a href="${to}">Add your address or a passkey</a>`}`,
  );

export function ownersMain(view: OwnersView): Html {
  const { owners, signed, errors, done, now } = view;
  const { name } = signed.session.namespace;
  const row = ({ address, key_id, created_at }: OwnerView): Html =>
    html`<li><div><b>${address}</b>${key_id === signed.session.key.id && html` <span class="tag answered">You</span>`}<p class="meta">Owner since ${dayOf(created_at, now)}</p></div><a class="button quiet" href="owners?remove=${key_id}#revoke">Remove<span class="sr"> ${address}</span></a></li>`;
  return html`${heading(`Owners of ${name}`, done)}
${errors.length > 0 && note('bad', 'warn', 'Nothing was changed.', errors.map(({ message }) => message).join(' '))}
${removing(view)}
${unclaimed(owners, name, undefined)}
<p>An owner opens this console with a code by mail or a passkey, and can make a new owner key if the old one is lost.</p>
${owners.length > 0 && html`<ul class="lines" aria-label="Owners">${owners.map(row)}</ul>`}
${adding(view)}`;
}

function adding({ owners, account, signed, now }: OwnersView): Html {
  const { namespace, key } = signed.session;
  const { name } = namespace;
  if (key.expires_at !== null) {
    const until = `You are signed in with a key that expires ${dayOf(key.expires_at, now)}.`;
    return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>${until} Owners do not expire, so you need an owner key that does not expire, or to be an owner, to add one.</p></section>`;
  }
  const token = tokenField(signed);
  const signIn = (words: string, kind: string): Html =>
    html`<form method="post" action="owners">${token}<button class="${kind}" name="do" value="sign-in">${words}</button></form>`;
  if (account === undefined) {
    return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>Sign in with your address: you get a code by mail and can make a passkey. Then you are asked to confirm.</p>
<div class="row">${signIn('Add your address or a passkey', 'button ink')}</div></section>`;
  }
  const isOwner = owners.some(({ account_id }) => account_id === account.account_id);
  return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>You are signed in as <b>${account.address}</b>${isOwner ? ', who is already an owner' : ''}. ${!isOwner && html`Anyone who can read mail to that address will then control ${name}.`}</p>
<div class="row">${!isOwner && html`<form method="post" action="owners">${token}<input type="hidden" name="account" value="${account.account_id}"><button class="button ink" name="do" value="claim">Make this address an owner</button></form>`}${signIn('Use another address', 'button quiet')}<a class="button quiet" href="../account">${icon('key')}Your passkeys</a></div></section>`;
}

/** Asks for confirmation and says what follows. */
function removing({ owners, ways, remove, signed }: OwnersView): Html | false {
  const owner = owners.find(({ key_id }) => key_id === remove);
  if (owner === undefined) return false;
  const last = ways.includes(owner.key_id) && ways.length === 1;
  const rest = html`They will be signed out at once.${owner.key_id === signed.session.key.id && html` <b>That is you.</b>`}${
    last &&
    html` <b>This is the last way to sign in.</b> Without an owner or an owner key, no one can open this console until the operator of this service makes another key.`
  }
<form class="row" method="post" action="owners">${tokenField(signed)}<input type="hidden" name="id" value="${owner.key_id}"><button class="button danger" name="do" value="remove">Remove this owner</button><a class="button quiet" href="owners">Keep them</a></form>`;
  return html`<div id="revoke">${note('bad', 'warn', `${owner.address} will no longer be an owner.`, rest)}</div>`;
}
