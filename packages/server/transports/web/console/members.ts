import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { MemberView } from '../../../core/sign-in/member-views.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { isRole, membersMain, type TypedMember } from './members-page.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    invited: 'The invitation is on its way.',
    changed: 'Saved. It holds from now on, in their open pages too.',
    removed: 'Removed. They are signed out.',
    withdrawn: 'Taken back. Its link works no more.',
  }),
);
const NOTHING: TypedMember = { address: '', name: '', role: 'answerer', mailboxes: [] };

const typedOf = ({ form }: SignedCall): TypedMember => ({
  address: (form.get('address') ?? '').trim(),
  name: (form.get('name') ?? '').trim(),
  role: form.get('role') ?? '',
  mailboxes: form.getAll('mailbox'),
});

const wanted = ({ name, role, mailboxes }: TypedMember) => ({
  role: isRole(role) ? role : 'reader',
  mailboxes: mailboxes.length === 0 ? null : mailboxes,
  ...(name !== '' && { name }),
});

/** The page of the members of a name: who they are, what each may do, and who is invited. */
export function memberPages(context: Context, { clock }: { readonly clock: Clock }): readonly Route[] {
  async function show(
    status: number,
    call: SignedCall,
    signed: Signed,
    { typed, errors = [], id }: { typed?: TypedMember; errors?: readonly FieldError[]; id?: string } = {},
  ): Promise<Answer> {
    const { name } = signed.session.namespace;
    const [list, { items: addresses }] = await Promise.all([
      signed.api.json('listMembers', { params: { name } }),
      signed.api.json('listNamespaceMailboxes', { params: { name }, query: { limit: '200' } }),
    ]);
    const wantedId = id ?? call.query.change;
    const open: MemberView | undefined = list.items.find((one) => one.id === wantedId);
    const main = membersMain({
      ...list,
      addresses,
      open,
      typed: typed ?? (open === undefined ? NOTHING : { ...open, mailboxes: open.mailboxes ?? [] }),
      errors,
      done: DONE.get(String(call.query.done)),
      signed,
      now: clock(),
    });
    const title = errors.length > 0 ? 'Error: Members' : 'Members';
    return context.answer(
      status,
      { title, root: '../', tab: 'settings', settings: 'members', styles: ['forms.css'], main },
      signed,
    );
  }

  return [
    signedPage('/console/members', context, (call, signed) => show(200, call, signed)),
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
            return seeOther('../console?note=left', {
              ...PRIVATE,
              'set-cookie': context.cookie.clear(call.secure),
            });
          }
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
