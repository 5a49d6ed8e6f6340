import type { Mailbox } from '../entities/mailbox.ts';
import { addressOf } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Ask } from '../ports/behavior.ts';
import type { Claim, Store } from '../ports/store.ts';
import { parseAddress } from '../values/address.ts';
import type { Clock } from '../values/clock.ts';
import { DAY } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import { sha256 } from '../values/hash.ts';
import type { Limiter } from '../values/limits.ts';
import { wellFormed } from '../values/well-formed.ts';
import { callerOf } from './caller-of.ts';
import type { EffectLimits } from './effect-limits.ts';
import type { Sent, Submission, Wait } from './submission.ts';

/** Longer than a message can wait between two runs, over a crash or a decision. */
export const IDEMPOTENCY_MS = 30 * DAY;

/** The claims of messages that are being handled, and the slots of runs that wait. */
export interface Claims {
  /** The claim of a message that is being handled; requests one if there is none so far. Rejects when there will be none. */
  claimOf(id: string, signal: AbortSignal): Promise<Claim>;
  /** Frees the run's slot until `until` settles. */
  yieldSlot<T>(id: string, until: Promise<T>): Promise<T>;
}

/** Sends a message and waits for its reply. */
export interface Submit {
  send(submission: Submission, wait?: Wait): Promise<Sent>;
}

/** What behaviors may use of the service. */
export class ServiceAccess {
  readonly store: Store;
  readonly limits: EffectLimits | undefined;
  readonly #clock: Clock;
  readonly #mailDomain: string;
  readonly #asks: Limiter | undefined;
  readonly #sends: Limiter | undefined;
  #claims: Claims | undefined;
  #writer: Submit | undefined;

  constructor(parts: {
    readonly store: Store;
    readonly clock: Clock;
    readonly mailDomain: string;
    /** Limits of effects; without them nothing can be scheduled. */
    readonly limits?: EffectLimits | undefined;
    /** The limit on messages that a namespace's mailboxes write; unlimited when left out. */
    readonly asks?: Limiter | undefined;
    /** The limit on all that a namespace sends. */
    readonly sends?: Limiter | undefined;
  }) {
    this.store = parts.store;
    this.#clock = parts.clock;
    this.#mailDomain = parts.mailDomain;
    this.#asks = parts.asks;
    this.#sends = parts.sends;
    this.limits = parts.limits;
  }

  setClaims(claims: Claims): void {
    this.#claims = claims;
  }

  setSubmit(writer: Submit): void {
    this.#writer = writer;
  }

  claimOf(id: string, signal: AbortSignal): Promise<Claim> {
    return this.#claims?.claimOf(id, signal) ?? Promise.reject(new Error('No dispatcher is connected.'));
  }

  /** Sends a message from `by`, caused by `cause`. */
  async ask(cause: Message, by: Mailbox, step: string, ask: Ask, signal: AbortSignal): Promise<Message> {
    const [claims, writer] = [this.#claims, this.#writer];
    if (claims === undefined || writer === undefined) throw new Error('Nothing can be sent yet.');
    const to = parseAddress(ask.to, this.#mailDomain);
    if (to === undefined) throw new AppError('validation_error', `"${ask.to.slice(0, 100)}" is not a mailbox address.`);
    const body = wellFormed(ask.body);
    const subject = ask.subject == null ? null : wellFormed(ask.subject);
    const data = ask.data === undefined ? null : JSON.stringify(ask.data);
    await claims.claimOf(cause.id, signal);
    const now = this.#clock();
    const idempotency = {
      scope: `message:${cause.id}`,
      key: step,
      hash: sha256(JSON.stringify([ask.to, subject, body, data])),
      expires_at: now + IDEMPOTENCY_MS,
    };
    if ((await this.store.idempotency(idempotency.scope, idempotency.key, now)) === undefined)
      await this.#count(by.namespace_id);
    const sent = writer.send(
      {
        to,
        body,
        subject,
        data,
        sender: { kind: 'mailbox', id: by.id, namespace_id: by.namespace_id, key_id: null, from: addressOf(by) },
        from_mailbox_id: by.id,
        channel: 'api',
        thread_id: null,
        in_reply_to: null,
        retry_of: null,
        hops: cause.hops + 1,
        caller: callerOf(cause),
        try_out: false,
        idempotency,
        payer: null,
      },
      { ms: ask.ms, signal },
    );
    return (await claims.yieldSlot(cause.id, sent)).message;
  }

  async #count(namespaceId: string): Promise<void> {
    let allowance = await this.#asks?.take(namespaceId);
    if (allowance?.allowed === true) allowance = await this.#sends?.take(namespaceId);
    if (allowance === undefined || allowance.allowed) return;
    throw new AppError('rate_limited', `The mailboxes of this namespace send too many messages. Try again later.`, {
      retry_after_ms: allowance.reset_ms,
    });
  }
}
