import { addressOf } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Claim, Store } from '../ports/store.ts';
import type { Address } from '../values/address.ts';
import { hostedAddress, shortAddress, taggedAddress } from '../values/address.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { DAY, MINUTE, SECOND } from '../values/clock.ts';
import { newId, threadOf } from '../values/ids.ts';
import type { Dispatch } from './dispatch.ts';
import type { OneTimeSecrets } from './one-time-secrets.ts';
import { noteData } from './one-time-secrets.ts';
import { backoff } from './run.ts';

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
}

/** Why a mail was not delivered; `reason` is logged and holds no address and nothing of the mail. */
export interface Failure {
  /** Whether a retry would change nothing. */
  readonly permanent: boolean;
  readonly reason: string;
}

/** The result of one attempt to deliver a mail. */
export type DeliveryResult = { readonly kind: 'sent' } | ({ readonly kind: 'failed' } & Failure);

/** Delivers a mail to an external address until `signal` aborts. Never rejects. May be called for the same mail twice. */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<DeliveryResult>;

/** The target of external mail, as pages show it. */
export type MailTarget = { readonly kind: 'smtp' } | { readonly kind: 'outbox'; readonly folder: string };

/** An entry for the log: at most a domain, never an address and nothing of the mail. */
export interface DeliveryLog {
  readonly mail_id: string;
  readonly domain: string;
  readonly attempt: number;
  /** `later`: it is retried. `dropped`: it is not. */
  readonly outcome: 'later' | 'dropped';
  readonly reason: string;
}

interface MailDeliveryParts {
  readonly store: Pick<Store, 'jobs' | 'mailboxes' | 'messages'>;
  readonly sealed: Pick<OneTimeSecrets, 'seal'>;
  readonly dispatch: Pick<Dispatch, 'register' | 'announceDue' | 'yieldSlot' | 'publishEvents'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly deliver: Deliver;
  readonly log: (entry: DeliveryLog) => void;
}

/** The first pause after a failed attempt; each further one is four times as long. */
const RETRY_MS = SECOND;
/** The longest pause, short because a code is useful for ten minutes only. */
const MAX_RETRY_MS = MINUTE;
/** An address that no mailbox has. */
const NO_ADDRESS: Address = { local: '', namespace: '', tag: null };
const NO_MAILBOX = 'mbx_nobody';

/**
 * Sends mail of the service. A mail is durable before it is sent, and any node delivers it later, so neither the answer
 * to a request nor its duration reveals anything about the address.
 */
export class MailDelivery {
  readonly #parts: MailDeliveryParts;

  constructor(parts: MailDeliveryParts) {
    this.#parts = parts;
    parts.dispatch.register('mail', (claim, signal) => this.#work(claim, signal));
  }

  /**
   * Durable when it resolves, after one write whatever the address; the same id twice is one mail. AppError
   * `unavailable`.
   */
  async enqueue(mail: Mail): Promise<void> {
    const { store, clock, dispatch } = this.#parts;
    await store.jobs.add({ id: mail.id, kind: 'mail', checkpoint: JSON.stringify(mail), due_at: clock() });
    dispatch.announceDue();
  }

  async #work(claim: Claim, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#parts;
    const checkpoint = (await store.jobs.kept(claim.id))?.checkpoint;
    if (checkpoint == null) return;
    const mail = JSON.parse(checkpoint) as Mail;
    const failed =
      clock() < mail.expires_at ? await this.#deliver(mail, claim, signal) : { permanent: true, reason: 'expired' };
    if (failed === undefined) {
      await store.jobs.done(claim);
      return;
    }
    // The claim is another node's now, or given back.
    if (signal.aborted) return;
    const again = clock() + Math.min(backoff(RETRY_MS, claim.attempt), MAX_RETRY_MS);
    const dropped = failed.permanent || again >= mail.expires_at;
    this.#parts.log({
      mail_id: mail.id,
      domain: mail.to.slice(mail.to.lastIndexOf('@') + 1),
      attempt: claim.attempt,
      outcome: dropped ? 'dropped' : 'later',
      reason: failed.reason,
    });
    await (dropped ? store.jobs.done(claim) : store.jobs.later(claim, again));
  }

  /** Undefined when it was delivered, or when no such address exists here, which is not revealed. */
  async #deliver(mail: Mail, claim: Claim, signal: AbortSignal): Promise<Failure | undefined> {
    const { store, dispatch, deliver, mailDomain } = this.#parts;
    const from = await store.mailboxes.byId(mail.from_mailbox_id);
    if (from === undefined || from.deleted_at !== null) return { permanent: true, reason: 'its mailbox was deleted' };
    const to = hostedAddress(mail.to, mailDomain);
    if (to !== 'outside') {
      await this.#file(mail, { id: from.id, address: addressOf(from) }, to ?? NO_ADDRESS);
      return undefined;
    }
    // A mail server that does not answer must not keep messages from being handled.
    const delivery = await dispatch.yieldSlot(claim.id, deliver(mail, signal));
    return delivery.kind === 'sent' ? undefined : delivery;
  }

  /**
   * Files the mail in the inbox of a hosted address, settled on arrival so that no behavior runs. Repeated after a crash,
   * it is filed once. An address without a mailbox costs the same writes.
   */
  async #file(mail: Mail, from: { readonly id: string; readonly address: string }, to: Address): Promise<void> {
    const { store, sealed, clock, dispatch } = this.#parts;
    const mailbox = await store.mailboxes.byAddress(to.local, to.namespace);
    const now = clock();
    const id = newId('msg', now);
    const message: Message = {
      id,
      thread_id: threadOf(id),
      in_reply_to: null,
      retry_of: null,
      mailbox_id: mailbox?.id ?? NO_MAILBOX,
      to: to.tag === null ? shortAddress(to.local, to.namespace) : taggedAddress(to),
      from: from.address,
      sender_kind: 'mailbox',
      sender_id: from.id,
      // As with a filed reply: it belongs to the recipient alone and appears in no list of sent messages.
      sender_namespace_id: null,
      key_id: null,
      channel: 'web',
      hops: 0,
      subject: mail.subject,
      body: mail.note,
      data: JSON.stringify(noteData(undefined)),
      status: 'completed',
      waiting_for: null,
      error_code: null,
      error_message: null,
      reply_body: null,
      reply_data: null,
      created_at: now,
      settled_at: now,
    };
    await sealed.seal(id, { body: mail.text }, mail.expires_at, 'until_expiry');
    const accepted = await store.messages.accept({
      message,
      idempotency: { scope: 'mail', key: mail.id, hash: mail.id, expires_at: mail.expires_at + DAY },
      max_waiting: 0,
      from_mailbox_id: null,
    });
    if (accepted.kind === 'accepted' && mailbox !== undefined) dispatch.publishEvents(mailbox.namespace_id);
  }
}
