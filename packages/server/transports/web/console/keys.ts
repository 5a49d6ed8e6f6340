import type { Clock } from '@mailroom/behavior/values/clock';
import type { Answer, Route } from '../../../http/route.ts';
import { idempotencyOf, isReplayed } from './api.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { type KeysView, keysMain, madeMain, SCOPES, type Typed } from './keys-page.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DAYS: Readonly<Record<string, number>> = { '7': 7, '30': 30, '90': 90, '365': 365 };
interface KeyParts {
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the namespace's keys: the list, a new key, revoking one. */
export function keysRoutes(context: Context, { clock, mailDomain }: KeyParts): readonly Route[] {
  const { cookie } = context;

  async function show(status: number, signed: Signed, more: Partial<KeysView> = {}): Promise<Answer> {
    const { api } = signed;
    const side = await context.side(signed);
    const { key } = signed.session;
    const [keys, { items: owners, ways_in: ways }] = await Promise.all([api.all('listKeys'), api.json('listOwners')]);
    const view = { keys, owners, ways, own: key, side, typed: BLANK, errors: [], now: clock(), signed, ...more };
    return context.settings(status, 'keys', 'Keys', keysMain(view), signed, { errors: view.errors, side });
  }

  async function make(call: SignedCall, signed: Signed): Promise<Answer> {
    const typed = typedOf(call.form);
    const days = DAYS[typed.expires];
    const { name } = signed.session.namespace;
    const body = {
      scopes: typed.scopes,
      ...(typed.name === '' ? {} : { name: typed.name }),
      ...(typed.mailbox === '' ? {} : { mailbox: `${typed.mailbox}@${name}.${mailDomain}` }),
      ...(days === undefined ? {} : { expires_in_days: days }),
    };
    try {
      const created = await signed.api.call('createKey', { body, headers: idempotencyOf(call) });
      const replayed = isReplayed(created);
      const main = madeMain(created.body, replayed);
      return await context.settings(replayed ? 200 : 201, 'keys', 'Your new key', main, signed, {
        styles: ['made.css'],
      });
    } catch (error) {
      return show(422, signed, { typed, errors: errorsOf(error, { idempotency_mismatch: '' }) });
    }
  }

  return [
    signedPage('/console/keys', context, (call, signed) =>
      show(200, signed, {
        ...(typeof call.query.revoke === 'string' ? { revoke: call.query.revoke } : {}),
        ...(call.query.done === 'revoked' ? { done: 'The key is revoked. It no longer works.' } : {}),
      }),
    ),
    signedForm('/console/keys', context, async (call, signed) => {
      if (call.form.get('do') !== 'revoke') return make(call, signed);
      const id = call.form.get('id') ?? '';
      const { api } = signed;
      await api.json('revokeKey', { params: { id } });
      if (id !== signed.session.key.id) return seeOther('keys?done=revoked');
      await api.json('endSession', { params: { id: signed.session.hash } });
      return seeOther('../console?note=revoked', { ...PRIVATE, 'set-cookie': cookie.clear(call.secure) });
    }),
  ];
}

const BLANK: Typed = { name: '', scopes: ['mail:send'], mailbox: '', expires: 'never' };

const typedOf = (form: URLSearchParams): Typed => ({
  name: (form.get('name') ?? '').trim(),
  scopes: SCOPES.filter((scope) => form.getAll('scope').includes(scope)),
  // A whole address may be typed too.
  mailbox: (form.get('mailbox') ?? '').trim().split('@')[0] ?? '',
  expires: form.get('expires') ?? 'never',
});
