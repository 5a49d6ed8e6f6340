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

/** A letter that the service writes to one person or agent, such as one with a code to sign in. */
export interface Mail {
  /** `mail_…` */
  readonly id: string;
  /** A full address, in lower case: one outside, or one that is hosted here. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** After this it is of no use and is dropped. */
  readonly expires_at: Millis;
  /** The hosted mailbox it comes from: who writes to hosted addresses. It is dropped when that was deleted. */
  readonly from_mailbox_id: string;
  /** In a hosted inbox: what stays in place of `text`, which is only there to be read until `expires_at`. */
  readonly note: string;
}

/** Why a mail is not where it was to go; `reason` is for the log: it names no address and nothing of the mail. */
export interface Failure {
  /** Trying again would change nothing. */
  readonly permanent: boolean;
  readonly reason: string;
}

/** What came of one try to hand a mail on. */
export type DeliveryResult = { readonly kind: 'sent' } | ({ readonly kind: 'failed' } & Failure);

/**
 * Hands a mail to where mail to the outside goes, until `signal` aborts. Never rejects. It may be asked to hand on the same
 * mail twice.
 */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<DeliveryResult>;

/** Where mail to the outside goes: what pages say of it. */
export type MailTarget = { readonly kind: 'smtp' } | { readonly kind: 'outbox'; readonly folder: string };

/** What is told to the log; a domain at most, never an address and nothing of the mail. */
export interface DeliveryLog {
  readonly mail_id: string;
  readonly domain: string;
  readonly attempt: number;
  /** `later`: it is tried again. `dropped`: it is not. */
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

/** The first pause after a try that failed; each is four times the one before, */
const RETRY_MS = SECOND;
/** up to this: what is of use for ten minutes is tried often. */
const MAX_RETRY_MS = MINUTE;
/** What nobody has. */
const NO_ADDRESS: Address = { local: '', namespace: '', tag: null };
const NO_MAILBOX = 'mbx_nobody';

/**
 * Mail that the service writes. It is durable before it is on its way, and what comes next is done later and by any node: so
 * that whoever asked for it learns nothing of its address, neither from the answer nor from the time it took.
 */
export class MailDelivery {
  readonly #parts: MailDeliveryParts;

  constructor(parts: MailDeliveryParts) {
    this.#parts = parts;
    parts.dispatch.register('mail', (claim, signal) => this.#work(claim, signal));
  }

  /** Durable when it resolves, by one write whatever the address; the same id twice is one mail. AppError `unavailable`. */
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
    // It is another's now, or given back.
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

  /** Undefined: it is where it was to go, or there is no such address here, of which nobody is told. */
  async #deliver(mail: Mail, claim: Claim, signal: AbortSignal): Promise<Failure | undefined> {
    const { store, dispatch, deliver, mailDomain } = this.#parts;
    const from = await store.mailboxes.byId(mail.from_mailbox_id);
    if (from === undefined || from.deleted_at !== null) return { permanent: true, reason: 'its mailbox was deleted' };
    const to = hostedAddress(mail.to, mailDomain);
    if (to !== 'outside') {
      await this.#file(mail, { id: from.id, address: addressOf(from) }, to ?? NO_ADDRESS);
      return undefined;
    }
    // A server that does not answer must not keep messages from being handled.
    const delivery = await dispatch.yieldSlot(claim.id, deliver(mail, signal));
    return delivery.kind === 'sent' ? undefined : delivery;
  }

  /**
   * Into the inbox of an address that is hosted here, settled as it arrives: no behavior is asked. Done again after a crash,
   * it is filed once. An address that nobody has costs the same writes.
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
      // As of a reply that is filed: it is the recipient's alone, and stands in no list of what its sender sent.
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
      once: { scope: 'mail', key: mail.id, hash: mail.id, expires_at: mail.expires_at + DAY },
      max_waiting: 0,
      from_mailbox_id: null,
    });
    if (accepted.kind === 'accepted' && mailbox !== undefined) dispatch.publishEvents(mailbox.namespace_id);
  }
}
