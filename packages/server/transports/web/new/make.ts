import { randomUUID } from 'node:crypto';
import { lowerCase } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError, problems } from '@mailroom/behavior/values/error';
import type { Json } from '@mailroom/behavior/values/json';
import type { MadeKey } from '../../../core/access/key-registry.ts';
import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox, MailboxWithSecret } from '../../../core/entities/mailbox.ts';
import type { Namespace } from '../../../core/entities/namespace.ts';
import type { Limiter } from '../../../core/values/limits.ts';
import { type Html, html } from '../../../http/html.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Limiters } from '../../../http/limits.ts';
import type { Call } from '../../../http/route.ts';
import { assetPath } from '../assets.ts';
import { isFieldError } from '../guest.ts';
import { type GuestLimits, guestAccess, secondsOf, waitWords } from '../guest-access.ts';
import { note } from '../pieces.ts';
import { type AddressErrors, type AddressParts, checkAddress, isFine } from './address.ts';
import { errorsOf, mailboxOf, type Typed } from './typed.ts';

/** The result of the last button. */
export type Making =
  | (MadeKey & {
      readonly kind: 'made';
      readonly namespace: Namespace;
      /** Of the mailbox's webhook, if it has one. */
      readonly webhook_secret: string | undefined;
      readonly mailbox: Pick<Mailbox, 'local_part' | 'behavior' | 'settings'> & { readonly listed: boolean };
    })
  | { readonly kind: 'address'; readonly errors: AddressErrors }
  | { readonly kind: 'settings'; readonly status: number; readonly errors: readonly FieldError[] }
  /** An earlier submission of the same form made another address. */
  | { readonly kind: 'sent-before'; readonly typed: Typed; readonly note: Html }
  | { readonly kind: 'limit'; readonly seconds: number; readonly note: Html };

/** What making an address needs. */
export interface MakeParts extends AddressParts, GuestLimits {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly limiters: Pick<Limiters, 'namespaces'>;
}

/** The same operation as in the API: pages and programs share idempotency keys and the limit. */
const WHAT = 'POST /api/v1/namespaces';

/**
 * Makes the namespace and its first mailbox atomically. The same form again makes nothing: the key that was shown stays
 * valid, unless `renew` asks to replace it.
 */
export async function makeAddress(
  typed: Typed,
  { caller, form }: Pick<Call, 'caller' | 'form'>,
  parts: MakeParts,
  renew: boolean,
): Promise<Making> {
  const errors = errorsOf(typed);
  if (errors.length > 0) return refused(typed, errors, parts);
  const { registry, limiters, clock } = parts;
  const { name, local, behavior, idempotency: key } = typed;
  const mailbox = mailboxOf(typed);
  const lower = { name: lowerCase(name), local: lowerCase(local) };
  const asked = { ...mailbox, ...lower } as unknown as Json;
  const idempotency = idempotencyFor(key.slice(0, 64), asked, caller, WHAT, clock);
  const { refused: over, counted } = await guestAccess([limiters.namespaces], caller, form, parts);
  if (over !== undefined) return limited(over, limiters.namespaces);
  let isNew = false;
  try {
    await registry.settings.checkTargets(mailbox.behavior);
    const boxes: MailboxWithSecret[] = [];
    const created = await registry.createNamespace({ name }, idempotency, {
      mailboxes: (namespace, key) => {
        boxes.push(registry.newMailbox(namespace, mailbox, key));
        return boxes;
      },
      renew,
      network: caller.network,
    });
    isNew = !created.replayed;
    const [box] = isNew ? boxes : [];
    return {
      ...created,
      webhook_secret: box?.webhook_secret,
      kind: 'made',
      mailbox: {
        local_part: lower.local,
        behavior: behavior.name,
        settings: (mailbox.behavior.settings ?? {}) as Mailbox['settings'],
        listed: typed.listed,
      },
    };
  } catch (error) {
    return await whyNot(error, typed, parts);
  } finally {
    if (!isNew && counted) limiters.namespaces.refund(caller.network);
  }
}

/** Reports everything that is wrong at once. */
async function refused(typed: Typed, errors: readonly FieldError[], parts: MakeParts): Promise<Making> {
  const address = await checkAddress(typed, parts);
  if (!isFine(address)) return { kind: 'address', errors: address };
  const namespace = { id: '', name: typed.name, display_name: null, created_at: 0, deleted_at: null };
  try {
    parts.registry.newMailbox(namespace, mailboxOf(typed));
  } catch (error) {
    if (!isFieldError(error)) throw error;
    return { kind: 'settings', status: problems[error.code].status, errors: [...errors, ...error.errors] };
  }
  return { kind: 'settings', status: 422, errors };
}

async function whyNot(error: unknown, typed: Typed, parts: MakeParts): Promise<Making> {
  if (!(error instanceof AppError)) throw error;
  switch (error.code) {
    case 'idempotency_mismatch':
    case 'namespace_gone':
      return {
        kind: 'sent-before',
        typed: { ...typed, idempotency: randomUUID() },
        note: note(
          'bad',
          'warn',
          'This form has already made an address.',
          'Press the button again to make another one from this form.',
        ),
      };
    case 'namespace_taken':
    case 'body_too_large':
    case 'validation_error': {
      const errors = await checkAddress(typed, parts);
      if (!isFine(errors)) return { kind: 'address', errors };
      if (error.code !== 'namespace_taken')
        return { kind: 'settings', status: problems[error.code].status, errors: error.errors };
    }
  }
  throw error;
}

function limited(refused: AppError, { policy }: Limiter): Making {
  const seconds = secondsOf(refused);
  const { quota } = policy;
  return {
    kind: 'limit',
    seconds,
    note: html`<div data-limit data-worker="${assetPath('solve-worker.js')}">${note(
      'wait',
      'clock',
      html`Next address in <span data-left="${seconds}">${waitWords(seconds)}</span>.`,
      html`One network can make ${quota} addresses an hour. What you typed stays here.<span class="row" hidden data-go-on><button type="button" class="button">Continue now</button></span>`,
    )}</div>`,
  };
}
