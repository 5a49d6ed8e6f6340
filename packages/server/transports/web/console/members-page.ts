import type { FieldError } from '@mailroom/behavior/values/error';
import type { MailboxView } from '../../../core/entities/mailbox.ts';
import type { InvitationView, MemberList, MemberView } from '../../../core/sign-in/member-views.ts';
import { type Html, html } from '../../../http/html.ts';
import { errorLine, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { note } from '../pieces.ts';
import { type AddingOwner, addingOwner, unclaimed } from './adding-owner.ts';
import { FormErrors } from './fields.ts';
import { ROLE_WORDS } from './role-words.ts';
import { heading } from './shell.ts';
import { tokenField } from './sign-in-form.ts';
import { dayOf } from './times.ts';

/** What was typed of a member or an invitation. */
export interface TypedMember {
  readonly address: string;
  readonly name: string;
  readonly role: string;
  /** Addresses; none for the whole name. */
  readonly mailboxes: readonly string[];
}

export interface MembersView extends MemberList, AddingOwner {
  /** The ids of the keys that can open this console. */
  readonly ways: readonly string[];
  /** Why the own address was not added. */
  readonly refused: string | undefined;
  /** The addresses that a role can be for. */
  readonly addresses: readonly MailboxView[];
  /** The member whose form is open. */
  readonly open: MemberView | undefined;
  readonly typed: TypedMember;
  readonly errors: readonly FieldError[];
  readonly done: string | undefined;
}

const forWhat = (mailboxes: readonly string[] | null): string =>
  mailboxes === null ? 'all addresses' : mailboxes.length === 0 ? 'no address any more' : mailboxes.join(', ');

/** The members of a name, those who are invited, and the form for one more. */
export function membersMain(view: MembersView): Html {
  const { items, invitations, signed, done, now, open } = view;
  const { name } = signed.session.namespace;
  const row = ({ id, name: called, address, role, mailboxes, created_at }: MemberView): Html =>
    html`<li><div><b>${called}</b> <span class="meta">${address}</span>${id === signed.session.key.account_id && html` <span class="tag answered">You</span>`}
<p class="meta">${ROLE_WORDS[role][0]} of ${forWhat(mailboxes)} · since ${dayOf(created_at, now)}</p></div>
<a class="button quiet" href="members?change=${id}#change">Change<span class="sr"> ${address}</span></a></li>`;
  const invited = ({ id, address, role, mailboxes, expires_at }: InvitationView): Html =>
    html`<li><div><b>${address}</b><p class="meta">Invited as ${ROLE_WORDS[role][0].toLowerCase()} of ${forWhat(mailboxes)} · until ${dayOf(expires_at, now)}</p></div>
<form method="post" action="members">${tokenField(signed)}<input type="hidden" name="id" value="${id}"><button class="button quiet" name="do" value="withdraw">Take back<span class="sr"> the invitation of ${address}</span></button></form></li>`;
  const errors = new FormErrors(view.errors);
  const form = open === undefined ? inviting(view, errors) : changing(view, open, errors);
  return html`${heading(`Members of ${name}`, done)}
${summary(errors.links)}
${view.refused !== undefined && note('bad', 'warn', 'Nothing was changed.', view.refused)}
${unclaimed(view.owners, name, undefined)}
<p>Members sign in with their own address or passkey. What they make has at most their role.</p>
${items.length > 0 && html`<ul class="lines" aria-label="Members">${items.map(row)}</ul>`}
${invitations.length > 0 && html`<h2 class="small-title">Invited</h2><ul class="lines" aria-label="Invitations">${invitations.map(invited)}</ul>`}
${open === undefined && addingOwner(view)}
${form}`;
}

function roleFields({ typed, addresses }: MembersView, errors: FormErrors): Html {
  const wrong = errors.at('/role', 'role') ?? errors.at('/mailboxes', 'mailboxes');
  return html`<fieldset class="field group" id="role"><legend class="label">Role</legend>
${Object.entries(ROLE_WORDS).map(([value, [label, hint]]) => tick('radio', 'role', { value, label, hint }, typed.role === value))}</fieldset>
${
  addresses.length > 0 &&
  html`<fieldset class="field group" id="mailboxes"><legend class="label">For these addresses only</legend>
<p class="hint">Choose none for all of them, also later ones. An owner has all.</p>
${addresses.map(({ address, local_part }) => tick('checkbox', 'mailbox', { value: address, label: local_part }, typed.mailboxes.includes(address)))}</fieldset>`
}${wrong !== undefined && errorLine('role-error', wrong)}`;
}

const nameLine = ({ typed }: MembersView, errors: FormErrors): Html =>
  errors.textLine(
    'name',
    'Name',
    'What other members call them, such as in @ada. Empty: the part of the address before the @.',
    typed.name,
    html` maxlength="60" autocomplete="off"`,
  );

function inviting(view: MembersView, errors: FormErrors): Html {
  const { typed, signed } = view;
  const whole = errors.at('', 'address');
  return html`<section class="block" aria-labelledby="invite"><h2 id="invite">Invite someone</h2>
<form class="fields" method="post" action="members">${tokenField(signed)}
${whole !== undefined && errorLine('form-error', whole)}
${errors.textLine('address', 'Address', 'They get a mail with a link, which works for 7 days for this address alone.', typed.address, html` type="email" maxlength="254" required autocomplete="off" autocapitalize="none" spellcheck="false"`)}
${nameLine(view, errors)}
${roleFields(view, errors)}
<div class="row"><button class="button ink" name="do" value="invite">Send the invitation</button></div></form></section>`;
}

function changing(view: MembersView, { id, address }: MemberView, errors: FormErrors): Html {
  const { signed, ways, owners } = view;
  const isLast = ways.length === 1 && owners.some(({ account_id, key_id }) => account_id === id && key_id === ways[0]);
  const whole = errors.at('', 'change');
  const hidden = html`${tokenField(signed)}<input type="hidden" name="id" value="${id}">`;
  const isSelf = id === signed.session.key.account_id;
  return html`<section class="block" id="change" aria-labelledby="change-title"><h2 id="change-title">${address}</h2>
<p><a href="log?actor=${id}">What they did</a></p>
${whole !== undefined && errorLine('form-error', whole)}
<form class="fields" method="post" action="members">${hidden}
${nameLine(view, errors)}
${roleFields(view, errors)}
<div class="row"><button class="button ink" name="do" value="change">Save</button><a class="button quiet" href="members">Cancel</a></div></form>
<h3>Remove ${address}</h3>
${isLast && note('bad', 'warn', 'This is the last way to sign in.', 'Without an owner or an owner key, no one can open this console until the operator of this service makes another key.')}
<form class="fields" method="post" action="members">${hidden}
<fieldset class="field group"><legend class="label">What they made: keys, webhooks, schedules, drafts</legend>
${tick('radio', 'then', { value: 'stop', label: 'It stops', hint: 'Keys are revoked, webhooks switched off, schedules removed.' }, true)}
${!isSelf && tick('radio', 'then', { value: 'pass', label: 'It passes to you', hint: 'It goes on as yours.' }, false)}</fieldset>
<div class="row"><button class="button danger" name="do" value="remove">Remove ${isSelf ? 'yourself' : 'them'}</button></div></form></section>`;
}
