import type { Clock } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Registry } from '../../../core/access/registry.ts';
import { issuerUrl } from '../../../core/entities/client.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { ClientChange, NewClient } from '../../../core/sign-in/client-metadata.ts';
import type { ClientRegistry } from '../../../core/sign-in/client-registry.ts';
import type { RegistrationTokens } from '../../../core/sign-in/registration-token.ts';
import { readCursor, writeCursor } from '../../../core/values/page.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { compileCheck } from '../../../http/validate.ts';
import { shortOf } from '../pieces.ts';
import { blankClient, readClient, type TypedClient, typedFrom, wantedOf } from './client-form.ts';
import { clientMain, clientsMain, madeMain, tokenMain } from './clients-page.ts';
import type { Context } from './context.ts';
import { errorsOf } from './fields.ts';
import { type MailboxPage, mailboxPages } from './mailbox-page.ts';
import { doneTexts } from './shell.ts';
import { type SignedCall, seeOther } from './sign-in-form.ts';

const checkNew = compileCheck(NewClient);
const checkChange = compileCheck(ClientChange);
const SIZE = 50;
const doneText = doneTexts({
  saved: 'Saved. The changes apply from now on.',
  removed: 'The app is removed. People can no longer sign in to it.',
  ended: 'The token is removed. It can no longer register apps.',
});

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
  const { clients, registrationTokens, clock, baseUrl } = parts;

  const issuerOf = (mailbox: Mailbox): string => issuerUrl(baseUrl(), mailbox.namespace);

  async function showAll(status: number, page: MailboxPage, call: SignedCall, errors: readonly FieldError[] = []) {
    const { mailbox, address, signed } = page;
    const { cursor } = call.query;
    const after = typeof cursor === 'string' && cursor !== '' ? readCursor(cursor) : null;
    const { items, next } = await clients.page(signed.caller, address, after, SIZE);
    const main = clientsMain(page, {
      issuer: issuerOf(mailbox),
      clients: items,
      first: after === null,
      next: next === null ? undefined : writeCursor(next),
      tokens: await registrationTokens.list(signed.caller, address),
      errors,
      done: doneText(call.query.done),
      now: clock(),
    });
    return page.show(status, 'Your apps', main, errors);
  }

  async function showOne(
    status: number,
    page: MailboxPage,
    typed: TypedClient,
    errors: readonly FieldError[] = [],
    done?: string,
  ): Promise<Answer> {
    const { mailbox, address, signed } = page;
    const client = typed.id === '' ? undefined : await clients.get(signed.caller, address, typed.id);
    const main = clientMain(page, { issuer: issuerOf(mailbox), client, typed, errors, done, now: clock() });
    return page.show(status, client?.name ?? 'New app', main, errors);
  }

  async function save(call: SignedCall, page: MailboxPage): Promise<Answer> {
    const { mailbox, address, signed, here } = page;
    const typed = readClient(call.form);
    try {
      if (typed.id !== '') {
        const change = wantedOf(typed);
        checkChange(change);
        await clients.change(signed.caller, address, typed.id, change);
        return seeOther(`${here}?edit=${typed.id}&done=saved`);
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
      const made = await clients.create(signed.caller, address, wanted, idempotency);
      const main = madeMain(page, made, issuerOf(mailbox), false);
      return await page.show(made.replayed ? 200 : 201, 'Your new app', main);
    } catch (error) {
      return showOne(422, page, typed, errorsOf(error, { idempotency_mismatch: '', access_denied: '' }));
    }
  }

  return mailboxPages(context, parts, {
    name: 'clients',
    otherwise: 'does not sign people in, so it has no apps.',
    styles: ['made.css'],
    async get(call, page) {
      const { edit, done } = call.query;
      if (typeof edit !== 'string') return showAll(200, page, call);
      if (edit === '') return showOne(200, page, blankClient);
      const client = await clients.get(page.signed.caller, page.address, edit);
      return showOne(200, page, typedFrom(client), [], doneText(done));
    },
    async post(call, page) {
      const { mailbox, address, signed, here } = page;
      const { form } = call;
      const id = form.get('id') ?? '';
      switch (form.get('do')) {
        case 'secret': {
          const made = await clients.renew(signed.caller, address, id);
          return page.show(200, 'Your new secret', madeMain(page, made, issuerOf(mailbox), true));
        }
        case 'remove':
          await clients.remove(signed.caller, address, id);
          return seeOther(`${here}?done=removed`);
        case 'token': {
          const name = (form.get('token_name') ?? '').trim();
          try {
            const wanted = name === '' ? {} : { name: name.slice(0, 100) };
            const made = await registrationTokens.create(signed.caller, address, wanted);
            const main = tokenMain(page, made, issuerOf(mailbox), clock());
            return await page.show(201, 'Your registration token', main);
          } catch (error) {
            return showAll(422, page, call, errorsOf(error, { access_denied: '' }));
          }
        }
        case 'end':
          await registrationTokens.remove(signed.caller, address, id);
          return seeOther(`${here}?done=ended#tokens`);
        default:
          return save(call, page);
      }
    },
  });
}
