import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import { AppError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import { issuerUrl } from '../../../core/entities/client.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { ClientChange, NewClient } from '../../../core/sign-in/client-metadata.ts';
import type { ClientRegistry } from '../../../core/sign-in/client-registry.ts';
import type { RegistrationTokens } from '../../../core/sign-in/registration-token.ts';
import { readCursor, writeCursor } from '../../../core/values/page.ts';
import type { Html } from '../../../http/html.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { hasPage } from '../looks.ts';
import { shortOf } from '../pieces.ts';
import type { TypedClient } from './client-form.ts';
import { blankClient, readClient, typedFrom, wantedOf } from './client-form.ts';
import { clientMain, clientsMain, madeMain, tokenMain } from './clients-page.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { managedMailbox } from './managed-mailbox.ts';
import { clientsPath } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';

const checkNew = compileCheck(NewClient);
const checkChange = compileCheck(ClientChange);
const SIZE = 50;
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    saved: 'Saved. The changes apply from now on.',
    removed: 'The app is removed. People can no longer sign in to it.',
    ended: 'The token is removed. It can no longer register apps.',
  }),
);

interface ClientParts {
  readonly registry: Registry;
  readonly clients: ClientRegistry;
  readonly registrationTokens: RegistrationTokens;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly baseUrl: () => string;
}

/** The pages of the apps in which people sign in by an address that signs people in. */
export function clientRoutes(context: Context, parts: ClientParts): readonly Route[] {
  const { clients, registrationTokens, clock, mailDomain, baseUrl } = parts;

  /**
   * The existing mailbox that a path names. AppError `mailbox_not_found`, `mailbox_gone`, `not_found` for another
   * behavior.
   */
  async function mailboxOf(call: SignedCall, signed: Signed): Promise<Mailbox> {
    const mailbox = await managedMailbox(call, signed, parts);
    if (hasPage(mailbox.behavior, 'clients')) return mailbox;
    throw new AppError('not_found', `${shortOf(mailbox)} does not sign people in, so it has no apps.`);
  }

  const full = (mailbox: Mailbox): string => `${shortOf(mailbox)}.${mailDomain}`;
  const issuerOf = (mailbox: Mailbox): string => issuerUrl(baseUrl(), mailbox.namespace);

  function answer(status: number, mailbox: Mailbox, title: string, main: Html, signed: Signed): Promise<Answer> {
    const page = {
      title: `${title} · ${shortOf(mailbox)}`,
      root: '../../',
      tab: undefined,
      address: mailbox.local_part,
      styles: ['forms.css', 'made.css'],
      main,
    } as const;
    return context.answer(status, page, signed);
  }

  async function showAll(
    status: number,
    mailbox: Mailbox,
    call: SignedCall,
    signed: Signed,
    errors: readonly FieldError[] = [],
  ): Promise<Answer> {
    const { cursor } = call.query;
    const after = typeof cursor === 'string' && cursor !== '' ? readCursor(cursor) : null;
    const page = await clients.page(signed.caller, full(mailbox), after, SIZE);
    const view = {
      mailbox,
      mailDomain,
      issuer: issuerOf(mailbox),
      clients: page.items,
      first: after === null,
      next: page.next === null ? undefined : writeCursor(page.next),
      tokens: await registrationTokens.list(signed.caller, full(mailbox)),
      errors: errors,
      done: DONE.get(String(call.query.done)),
      signed,
      now: clock(),
    };
    return answer(status, mailbox, errors.length > 0 ? 'Error: Your apps' : 'Your apps', clientsMain(view), signed);
  }

  async function showOne(
    status: number,
    mailbox: Mailbox,
    typed: TypedClient,
    signed: Signed,
    more: { readonly errors?: readonly FieldError[]; readonly done?: string | undefined } = {},
  ): Promise<Answer> {
    const { errors = [], done } = more;
    const client = typed.id === '' ? undefined : await clients.get(signed.caller, full(mailbox), typed.id);
    const main = clientMain({ mailbox, issuer: issuerOf(mailbox), client, typed, errors, done, signed, now: clock() });
    const title = client?.name ?? 'New app';
    return answer(status, mailbox, errors.length > 0 ? `Error: ${title}` : title, main, signed);
  }

  async function save(call: SignedCall, mailbox: Mailbox, signed: Signed): Promise<Answer> {
    const typed = readClient(call.form);
    try {
      if (typed.id !== '') {
        const change = wantedOf(typed);
        checkChange(change);
        await clients.change(signed.caller, full(mailbox), typed.id, change);
        return seeOther(`../../${clientsPath(mailbox)}?edit=${typed.id}&done=saved`);
      }
      const { client_uri, jwks, jwks_uri, ...rest } = wantedOf(typed);
      const wanted = {
        ...rest,
        ...(client_uri === null ? {} : { client_uri }),
        ...(jwks === null ? {} : { jwks }),
        ...(jwks_uri === null ? {} : { jwks_uri }),
      };
      checkNew(wanted);
      const key = (call.form.get('once') ?? '').slice(0, 64);
      const what = `register a service with ${shortOf(mailbox)} in the console`;
      const idempotency = key === '' ? undefined : idempotencyFor(key, { ...typed }, signed.caller, what, clock);
      const made = await clients.create(signed.caller, full(mailbox), wanted, idempotency);
      const main = madeMain({ made, mailbox, issuer: issuerOf(mailbox), renewed: false });
      return await answer(made.replayed ? 200 : 201, mailbox, 'Your new app', main, signed);
    } catch (error) {
      const errors = errorsOf(error, { idempotency_mismatch: '', access_denied: '' });
      return showOne(422, mailbox, typed, signed, { errors });
    }
  }

  return [
    signedPage('/console/clients/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const { edit, done } = call.query;
      if (typeof edit !== 'string') return showAll(200, mailbox, call, signed);
      if (edit === '') return showOne(200, mailbox, blankClient, signed);
      const client = await clients.get(signed.caller, full(mailbox), edit);
      return showOne(200, mailbox, typedFrom(client), signed, { done: DONE.get(String(done)) });
    }),
    signedForm('/console/clients/{local}', context, async (call, signed) => {
      const mailbox = await mailboxOf(call, signed);
      const { form } = call;
      const id = form.get('id') ?? '';
      const here = `../../${clientsPath(mailbox)}`;
      switch (form.get('do')) {
        case 'secret': {
          const made = await clients.renew(signed.caller, full(mailbox), id);
          const main = madeMain({ made, mailbox, issuer: issuerOf(mailbox), renewed: true });
          return answer(200, mailbox, 'Your new secret', main, signed);
        }
        case 'remove':
          await clients.remove(signed.caller, full(mailbox), id);
          return seeOther(`${here}?done=removed`);
        case 'token': {
          const name = (form.get('token_name') ?? '').trim();
          try {
            const wanted = name === '' ? {} : { name: name.slice(0, 100) };
            const made = await registrationTokens.create(signed.caller, full(mailbox), wanted);
            const main = tokenMain({ ...made, mailbox, issuer: issuerOf(mailbox), now: clock() });
            return await answer(201, mailbox, 'Your registration token', main, signed);
          } catch (error) {
            return showAll(422, mailbox, call, signed, errorsOf(error, { access_denied: '' }));
          }
        }
        case 'end':
          await registrationTokens.remove(signed.caller, full(mailbox), id);
          return seeOther(`${here}?done=ended#tokens`);
        default:
          return save(call, mailbox, signed);
      }
    }),
  ];
}
