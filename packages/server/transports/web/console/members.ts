import type { FieldError } from '@mailroom/behavior/values/error';
import type { Claims } from '../../../core/sign-in/claims.ts';
import type { MemberView } from '../../../core/sign-in/member-views.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { accountOf, openConsole, type RecentAccount, toSignIn } from './account.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { membersMain, type TypedMember } from './members-page.ts';
import { doneTexts } from './shell.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const doneText = doneTexts({
  claimed: 'Done. You can now sign in with your address or passkey, and go on here as yourself.',
  invited: 'The invitation is on its way.',
  changed: 'Saved. It holds from now on, in their open pages too.',
  removed: 'Removed. They are signed out.',
  withdrawn: 'Taken back. Its link works no more.',
});
/** What was typed and why it was refused. */
interface Wrong {
  readonly typed?: TypedMember;
  readonly errors?: readonly FieldError[];
  readonly id?: string;
  readonly refused?: string;
}
const NOTHING: TypedMember = { address: '', name: '', role: 'answerer', mailboxes: [] };

const typedOf = ({ form }: SignedCall): TypedMember => ({
  address: (form.get('address') ?? '').trim(),
  name: (form.get('name') ?? '').trim(),
  role: form.get('role') ?? '',
  mailboxes: form.getAll('mailbox'),
});

const wanted = ({ name, role, mailboxes }: TypedMember) => ({
  role,
  mailboxes: mailboxes.length === 0 ? null : mailboxes,
  ...(name !== '' && { name }),
});

interface MemberParts extends RecentAccount {
  readonly claims: Pick<Claims, 'openedBy'>;
}

/** The page of the members of a name: who they are, what each may do, and who is invited. */
export function memberPages(context: Context, parts: MemberParts): readonly Route[] {
  async function show(
    status: number,
    call: SignedCall,
    signed: Signed,
    { typed, errors = [], id, refused }: Wrong = {},
  ): Promise<Answer> {
    const { name } = signed.session.namespace;
    const [list, { items: addresses }, { items: owners, ways_in: ways }, account] = await Promise.all([
      signed.api.json('listMembers', { params: { name } }),
      signed.api.json('listNamespaceMailboxes', { params: { name }, query: { limit: '200' } }),
      signed.api.json('listOwners'),
      accountOf(call, parts),
    ]);
    const wantedId = id ?? call.query.change;
    const open: MemberView | undefined = list.items.find((one) => one.id === wantedId);
    const main = membersMain({
      ...list,
      ...{ addresses, owners, ways, account, refused, open },
      typed: typed ?? (open === undefined ? NOTHING : { ...open, mailboxes: open.mailboxes ?? [] }),
      errors,
      done: doneText(call.query.done),
      signed,
      now: parts.clock(),
    });
    const wrong = refused === undefined ? errors : [refused];
    return context.settings(status, 'members', 'Members', main, signed, { errors: wrong });
  }

  /** Makes the account of this browser an owner, and goes on as that: what is assigned to them is theirs. */
  async function claim(call: SignedCall, signed: Signed): Promise<Answer> {
    const account = await accountOf(call, parts);
    // Another tab may have signed in to another account since the page was made.
    if (account === undefined || account.account_id !== call.form.get('account'))
      return toSignIn(call, 'console/members');
    try {
      await signed.api.json('addOwner', { body: { account_id: account.account_id } });
      const owned = await parts.claims.openedBy(account.account_id);
      const mine = owned.find(({ namespace }) => namespace.id === signed.session.namespace.id);
      const cookie = mine && (await openConsole(call, mine.key, context));
      return seeOther('members?done=claimed', cookie === undefined ? {} : { 'set-cookie': cookie });
    } catch (error) {
      const refused = errorsOf(error, { access_denied: '' }).map(({ message }) => message);
      return show(422, call, signed, { refused: refused.join(' ') });
    }
  }

  return [
    signedPage('/console/members', context, (call, signed) => show(200, call, signed)),
    signedPage('/console/owners', context, async () => seeOther('members')),
    signedForm('/console/members', context, async (call, signed) => {
      const { api } = signed;
      const typed = typedOf(call);
      const id = call.form.get('id') ?? '';
      const params = { id };
      try {
        switch (call.form.get('do')) {
          case 'invite':
            await api.json('inviteMember', { body: { address: typed.address, ...wanted(typed) } });
            return seeOther('members?done=invited');
          case 'withdraw':
            await api.json('withdrawInvitation', { params });
            return seeOther('members?done=withdrawn');
          case 'change':
            await api.json('changeMember', { params, body: wanted(typed) });
            return seeOther('members?done=changed');
          case 'remove': {
            const then = call.form.get('then') === 'pass' ? 'pass' : 'stop';
            await api.json('removeMember', { params, body: { then } });
            if (id !== signed.session.key.account_id) return seeOther('members?done=removed');
            return seeOther('../console?note=left', { ...PRIVATE, 'set-cookie': context.cookie.clear(call.secure) });
          }
          case 'claim':
            return await claim(call, signed);
          case 'sign-in':
            return toSignIn(call, 'console/members');
          default:
            return show(200, call, signed);
        }
      } catch (error) {
        const errors = errorsOf(error, { rate_limited: '', not_found: '' }).map(({ pointer, message }) => ({
          // Which of the ticked addresses is wrong, its text says.
          pointer: pointer.startsWith('/mailboxes/') ? '/mailboxes' : pointer,
          message,
        }));
        return show(422, call, signed, { typed, errors, id });
      }
    }),
  ];
}
