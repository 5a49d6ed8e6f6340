import type { Millis } from '@mailroom/behavior/values/clock';
import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import type { OwnerView } from '../../../core/sign-in/session-views.ts';
import { type Html, html } from '../../../http/html.ts';
import { icon, note } from '../pieces.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { dayOf } from './times.ts';

/** How one who opened the console with a key becomes an owner. */
export interface AddingOwner {
  readonly owners: readonly OwnerView[];
  /** The account that is signed in in this browser. */
  readonly account: AccountSession | undefined;
  readonly signed: Signed;
  readonly now: Millis;
}

/** Warns that a name has no owner; false where it has one. `to` leads to the page of members. */
export const unclaimed = (owners: readonly OwnerView[], name: string, to: string | undefined): Html | false =>
  owners.length === 0 &&
  note(
    'wait',
    'key',
    `${name} has no owner who can sign in.`,
    html`If you lose the owner key, you lose access to it.${to !== undefined && html` <a href="${to}">Add your address or a passkey</a>`}`,
  );

/** Adds one's own address or passkey; false for one who came by it. */
export function addingOwner({ owners, account, signed, now }: AddingOwner): Html | false {
  const { namespace, key } = signed.session;
  if (key.account_id !== null) return false;
  const { name } = namespace;
  if (key.expires_at !== null) {
    const until = `You are signed in with a key that expires ${dayOf(key.expires_at, now)}.`;
    return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>${until} Owners do not expire, so you need an owner key that does not expire, or to be an owner, to add one.</p></section>`;
  }
  const token = tokenField(signed);
  const signIn = (words: string, kind: string): Html =>
    html`<form method="post" action="members">${token}<button class="${kind}" name="do" value="sign-in">${words}</button></form>`;
  if (account === undefined) {
    return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>Sign in with your address: you get a code by mail and can make a passkey. Then you are asked to confirm. An owner opens this console without a key, and can make a new owner key if the old one is lost.</p>
<div class="row">${signIn('Add your address or a passkey', 'button ink')}</div></section>`;
  }
  const isOwner = owners.some(({ account_id }) => account_id === account.account_id);
  return html`<section class="block" aria-labelledby="add"><h2 id="add">Add yourself</h2>
<p>You are signed in as <b>${account.address}</b>${isOwner ? ', who is already an owner' : ''}. ${isOwner && 'This console was opened with a key: what you do in it is the key’s, and nothing in it is assigned to you.'}${!isOwner && html`Anyone who can read mail to that address will then control ${name}.`}</p>
<div class="row">${!isOwner && html`<form method="post" action="members">${token}<input type="hidden" name="account" value="${account.account_id}"><button class="button ink" name="do" value="claim">Make this address an owner</button></form>`}${isOwner && html`<form method="post" action="enter"><button class="button ink" name="name" value="${name}">Go on as this owner</button></form>`}${signIn('Use another address', 'button quiet')}<a class="button quiet" href="../account">${icon('key')}Your passkeys</a></div></section>`;
}
