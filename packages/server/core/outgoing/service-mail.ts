import { addressOf } from '@mailroom/behavior/mailbox';
import { type Address, hostedAddress, shortAddress, taggedAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { NewDelivery } from '../entities/delivery.ts';
import { newMessage } from '../entities/message.ts';
import type { DeliveryKind, DeliveryResult } from '../ports/delivery.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { noteData, type OneTimeSecrets } from '../runs/one-time-secrets.ts';
import type { Deliverer } from './deliver.ts';

/** A mail that the service itself sends to one address, such as one with a sign-in code. */
export interface Mail {
  /** `mail_…` */
  readonly id: string;
  /** A full address in lower case, external or hosted here. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The mail is dropped after this time. */
  readonly expires_at: Millis;
  /**
   * The hosted mailbox it comes from, which is the sender for hosted addresses. The mail is dropped when that was
   * deleted.
   */
  readonly from_mailbox_id: string;
  /** In a hosted inbox: stored in place of `text`, which can be read only until `expires_at`. */
  readonly note: string;
  /** Where answers go; they go nowhere without it. Of mail to an external address only. */
  readonly reply_to?: string;
  /** The Message-ID of the mail that it answers. */
  readonly in_reply_to?: string;
}

/** Delivers a mail to an external address until `signal` aborts. Never rejects. May be called for the same mail twice. */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<DeliveryResult>;

/** The target of external mail, as pages show it. */
export type MailTarget = { readonly kind: 'smtp' | 'mx' } | { readonly kind: 'outbox'; readonly folder: string };

/**
 * Mail of the service, such as that with a sign-in code. A mail is a delivery: durable before it is sent and made later,
 * here or on another node, so neither the answer to a request nor its duration reveals anything about the address.
 */
export class ServiceMail {
  readonly #deliverer: Pick<Deliverer, 'add' | 'addBy'>;
  readonly #clock: Clock;
  readonly #mailDomain: string;

  constructor(parts: {
    readonly deliverer: Pick<Deliverer, 'add' | 'addBy'>;
    readonly clock: Clock;
    readonly mailDomain: string;
  }) {
    this.#deliverer = parts.deliverer;
    this.#clock = parts.clock;
    this.#mailDomain = parts.mailDomain;
  }

  /**
   * Durable when it resolves, after one write whatever the address, and `state` is set in the same write. The same id
   * twice is one mail. AppError `unavailable`.
   */
  async enqueue(mail: Mail, state?: State): Promise<void> {
    await this.#deliverer.add(this.#deliveryOf(mail), state);
  }

  /** As `enqueue`, where `write` stores the mail with what it depends on. False where it did not. */
  enqueueBy(mail: Mail, write: (delivery: NewDelivery) => Promise<boolean>): Promise<boolean> {
    return this.#deliverer.addBy(this.#deliveryOf(mail), write);
  }

  #deliveryOf(mail: Mail): NewDelivery {
    const now = this.#clock();
    const outside = hostedAddress(mail.to, this.#mailDomain) === 'outside';
    return {
      id: mail.id,
      kind: 'mail',
      namespace_id: null,
      message_id: null,
      target: mail.to,
      destination: outside ? domainOf(mail.to) : INBOXES,
      payload: JSON.stringify(mail),
      due_at: now,
      created_at: now,
      expires_at: mail.expires_at,
    };
  }
}

export interface MailKindParts {
  readonly store: Pick<Store, 'mailboxes' | 'messages'>;
  readonly sealed: Pick<OneTimeSecrets, 'seal'>;
  readonly dispatch: Pick<Dispatch, 'publishEvents'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly deliver: Deliver;
}

/** All hosted addresses are one destination: their mail is filed here and waits for no server. */
const INBOXES = 'inboxes';
/** Maximum number of mails in progress on a node. */
const MAX_MAILS = 64;
/** Longer than the time limit of the SMTP transport, which says more about what failed. */
const ATTEMPT_MS = 2 * MINUTE;
/** An address that no mailbox has. */
const NO_ADDRESS: Address = { local: '', namespace: '', tag: null };
const NO_MAILBOX = 'mbx_nobody';

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** How mail is delivered: to a hosted address into its inbox, to any other by `deliver`. Its rows hold codes and go. */
export const mailKind = (parts: MailKindParts): DeliveryKind => ({
  name: 'mail',
  max: MAX_MAILS,
  attempt_ms: ATTEMPT_MS,
  keeps: false,
  suppressible: true,
  logged: domainOf,
  deliver: ({ payload }, signal) => deliverMail(JSON.parse(payload) as Mail, parts, signal),
});

/** `sent` also when no such address exists here, which is not revealed. */
async function deliverMail(mail: Mail, parts: MailKindParts, signal: AbortSignal): Promise<DeliveryResult> {
  const from = await parts.store.mailboxes.byId(mail.from_mailbox_id);
  if (from === undefined || from.deleted_at !== null) {
    return { kind: 'failed', permanent: true, reason: 'its mailbox was deleted' };
  }
  const to = hostedAddress(mail.to, parts.mailDomain);
  if (to === 'outside') return parts.deliver(mail, signal);
  await fileMail(mail, parts, { id: from.id, address: addressOf(from) }, to ?? NO_ADDRESS);
  return { kind: 'sent' };
}

/**
 * Files the mail in the inbox of a hosted address, settled on arrival so that no behavior runs. Repeated after a crash,
 * it is filed once. An address without a mailbox costs the same writes.
 */
async function fileMail(
  mail: Mail,
  { store, sealed, clock, dispatch }: MailKindParts,
  from: { readonly id: string; readonly address: string },
  to: Address,
): Promise<void> {
  const mailbox = await store.mailboxes.byAddress(to.local, to.namespace);
  const now = clock();
  const id = newId('msg', now);
  const message = newMessage({
    id,
    mailbox_id: mailbox?.id ?? NO_MAILBOX,
    to: to.tag === null ? shortAddress(to.local, to.namespace) : taggedAddress(to),
    from: from.address,
    sender_kind: 'mailbox',
    sender_id: from.id,
    // As with a filed reply: it belongs to the recipient alone and appears in no list of sent messages.
    sender_namespace_id: null,
    channel: 'web',
    subject: mail.subject,
    body: mail.note,
    data: JSON.stringify(noteData(undefined)),
    status: 'completed',
    created_at: now,
    settled_at: now,
  });
  await sealed.seal(id, { body: mail.text }, mail.expires_at, 'until_expiry');
  const accepted = await store.messages.accept({
    message,
    idempotency: { scope: 'mail', key: mail.id, hash: mail.id, expires_at: mail.expires_at + DAY },
    max_waiting: 0,
    from_mailbox_id: null,
  });
  if (accepted.kind === 'accepted' && mailbox !== undefined) dispatch.publishEvents(mailbox.namespace_id);
}
