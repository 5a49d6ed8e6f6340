import type { FieldError } from '@mailroom/behavior/values/error';
import type { Answer, Route } from '../../../http/route.ts';
import type { RecentAccount } from './account.ts';
import { accountOf, toSignIn } from './account.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { ownersMain } from './owners-page.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    claimed: 'Done. You can now sign in with your address or passkey.',
    removed: 'Removed. They are signed out and are no longer an owner.',
  }),
);

/** The pages of the owners who open this console by address or passkey, without the owner key. */
export function ownerRoutes(context: Context, parts: RecentAccount): readonly Route[] {
  const { clock } = parts;
  const { cookie } = context;

  async function show(
    status: number,
    call: SignedCall,
    signed: Signed,
    errors: readonly FieldError[] = [],
  ): Promise<Answer> {
    const { remove, done } = call.query;
    const { items: owners, ways_in: ways } = await signed.api.json('listOwners');
    const main = ownersMain({
      owners,
      ways,
      account: await accountOf(call, parts),
      remove: typeof remove === 'string' ? remove : undefined,
      done: DONE.get(String(done)),
      errors,
      signed,
      now: clock(),
    });
    const title = errors.length > 0 ? 'Error: Owners' : 'Owners';
    return context.answer(status, { title, root: '../', tab: 'settings', settings: 'owners', main }, signed);
  }

  return [
    signedPage('/console/owners', context, (call, signed) => show(200, call, signed)),
    signedForm('/console/owners', context, async (call, signed) => {
      const { key, hash } = signed.session;
      const { api } = signed;
      switch (call.form.get('do')) {
        case 'claim': {
          const account = await accountOf(call, parts);
          // Another tab may have signed in to another account since the page was made.
          if (account === undefined || account.account_id !== call.form.get('account'))
            return toSignIn(call, 'console/owners');
          try {
            await api.json('addOwner', { body: { account_id: account.account_id } });
            return seeOther('owners?done=claimed');
          } catch (error) {
            return show(422, call, signed, errorsOf(error, { access_denied: '' }));
          }
        }
        case 'remove': {
          const id = call.form.get('id') ?? '';
          const { items } = await api.json('listOwners');
          const account = items.find((one) => one.key_id === id)?.account_id ?? '';
          try {
            await api.json('removeMember', { params: { id: account }, body: { then: 'stop' } });
          } catch (error) {
            return show(422, call, signed, errorsOf(error, { not_found: '' }));
          }
          if (id !== key.id) return seeOther('owners?done=removed');
          await api.json('endSession', { params: { id: hash } });
          return seeOther('../console?note=left', { ...PRIVATE, 'set-cookie': cookie.clear(call.secure) });
        }
        default:
          return toSignIn(call, 'console/owners');
      }
    }),
  ];
}
