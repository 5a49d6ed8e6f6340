import type { KeyRegistry } from '../../../core/access/key-registry.ts';
import { NewKey, SCOPES, type Scope } from '../../../core/entities/key.ts';
import type { Claims } from '../../../core/sign-in/claims.ts';
import type { Clock } from '../../../core/values/clock.ts';
import { DAY, rfc3339 } from '../../../core/values/clock.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { type KeysView, keysMain, madeMain, type Typed } from './keys-page.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const DAYS: Readonly<Record<string, number>> = { '7': 7, '30': 30, '90': 90, '365': 365 };
const check = compileCheck(NewKey);

interface KeyParts {
  readonly keys: Pick<KeyRegistry, 'create' | 'revoke'>;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of the namespace's keys: the list, a new key, revoking one. */
export function keysRoutes(context: Context, parts: KeyParts): readonly Route[] {
  const { claims, clock, mailDomain } = parts;
  const { sessions, cookie } = context;

  async function show(status: number, signed: Signed, more: Partial<KeysView> = {}): Promise<Answer> {
    const side = await context.side(signed);
    const { namespace, key } = signed.session;
    const [keys, owners, ways] = await Promise.all([
      context.keys(namespace.id),
      claims.ownersOf(namespace.id),
      claims.waysIn(namespace.id),
    ]);
    const view = { keys, owners, ways, own: key, side, typed: BLANK, errors: [], now: clock(), signed, ...more };
    const title = view.errors.length > 0 ? 'Error: Keys' : 'Keys';
    const main = keysMain(view);
    return context.answer(status, { title, root: '../', tab: 'keys', styles: ['forms.css'], main }, signed, side);
  }

  async function make(call: SignedCall, signed: Signed): Promise<Answer> {
    const typed = typedOf(call.form);
    const days = DAYS[typed.expires];
    const expires_at = days === undefined ? undefined : clock() + days * DAY;
    const mailbox =
      typed.mailbox === '' ? undefined : `${typed.mailbox}@${signed.session.namespace.name}.${mailDomain}`;
    const wanted = {
      scopes: typed.scopes as Scope[],
      ...(typed.name === '' ? {} : { name: typed.name }),
      ...(mailbox === undefined ? {} : { mailbox }),
      ...(expires_at === undefined ? {} : { expires_at: rfc3339(expires_at) }),
    };
    // The expiry is computed from the clock, so a second click would differ.
    const asked = { ...typed, scopes: [...typed.scopes] };
    const key = (call.form.get('once') ?? '').slice(0, 64);
    const idempotency =
      key === '' ? undefined : idempotencyFor(key, asked, signed.caller, 'make a key in the console', clock);
    try {
      check(wanted);
      const made = await parts.keys.create(signed.session.key, wanted, idempotency);
      const of = {
        title: 'Your new key',
        root: '../',
        tab: 'keys',
        styles: ['forms.css', 'made.css'],
        main: madeMain(made),
      } as const;
      return await context.answer(made.replayed ? 200 : 201, of, signed);
    } catch (error) {
      return show(422, signed, { typed, errors: errorsOf(error, { idempotency_mismatch: '' }) });
    }
  }

  return [
    signedPage('/console/keys', context, ({ query }, signed) =>
      show(200, signed, {
        ...(typeof query.revoke === 'string' ? { revoke: query.revoke } : {}),
        ...(query.done === 'revoked' ? { done: 'The key is revoked. It no longer works.' } : {}),
      }),
    ),
    signedForm('/console/keys', context, async (call, signed) => {
      if (call.form.get('do') !== 'revoke') return make(call, signed);
      const id = call.form.get('id') ?? '';
      await parts.keys.revoke(signed.session.key, id);
      if (id !== signed.session.key.id) return seeOther('keys?done=revoked');
      await sessions.end(signed.session.hash);
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
