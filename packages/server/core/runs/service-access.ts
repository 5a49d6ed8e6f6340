import type { Ask } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { type Address, shortAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import { wellFormed } from '@mailroom/behavior/values/well-formed';
import type { Directory } from '../access/directory.ts';
import { findAddress } from '../access/hosted-address.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { EffectLimits } from '../limits/effect-limits.ts';
import type { Store } from '../ports/store.ts';
import type { Allowance, Limiter } from '../values/limits.ts';
import { callerOf } from './caller-of.ts';
import type { Slot } from './slots.ts';
import type { ManySubmission, Sent, Submission, Wait } from './submission.ts';

/** Longer than a message can wait between two runs, over a crash or a decision. */
export const IDEMPOTENCY_MS = 30 * DAY;

/** The run of a behavior that sends a message. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly slot: Slot | undefined;
  /** Makes the message of the run durable. */
  claim(): Promise<unknown>;
}

/** Sends a message and waits for its reply; runs it in `slot` if it can begin at once. */
export type Send = (submission: Submission, wait: Wait, slot: Slot | undefined) => Promise<Sent>;

/** Sends one message to several and waits for the replies of those in To; AppError for all where one refuses it. */
type SendToSeveral = (
  submission: ManySubmission,
  to: readonly Address[],
  cc: readonly Address[],
  wait: Wait,
) => Promise<Sent>;

export interface ServiceAccessParts {
  readonly store: Store;
  readonly directory: Pick<Directory, 'domain'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  readonly limits: EffectLimits;
  readonly sendToSeveral: SendToSeveral;
  /** The limit on messages that a namespace's mailboxes write; unlimited when left out. */
  readonly asks?: Limiter | undefined;
  /** The limit on all that a namespace sends. */
  readonly sends?: Limiter | undefined;
}

/** An empty message from `by` to an address. */
const submissionFrom = (cause: Message, by: Mailbox, to: Address): Submission => ({
  to,
  body: '',
  subject: null,
  data: null,
  sender: { kind: 'mailbox', id: by.id, namespace_id: by.namespace_id, key_id: null, from: addressOf(by) },
  from_mailbox_id: by.id,
  channel: 'api',
  thread_id: null,
  in_reply_to: null,
  retry_of: null,
  hops: cause.hops + 1,
  caused_in: by.id,
  caller: callerOf(cause),
  try_out: false,
  idempotency: undefined,
  payer: null,
});

/** What behaviors may use of the service. */
export class ServiceAccess {
  readonly store: Store;
  readonly limits: EffectLimits;
  readonly #parts: ServiceAccessParts;
  readonly #send: Send;
  readonly #check: (submission: Submission) => Promise<void>;

  /** `check`: throws what `send` would throw now. */
  constructor(parts: ServiceAccessParts, send: Send, check: (submission: Submission) => Promise<void>) {
    this.store = parts.store;
    this.limits = parts.limits;
    this.#parts = parts;
    this.#send = send;
    this.#check = check;
  }

  /** Sends a message from `by`, caused by `cause`. */
  async ask(cause: Message, by: Mailbox, run: Asking, step: string, ask: Ask): Promise<Message> {
    const { clock } = this.#parts;
    const [to, cc] = [await this.#addressesOf(ask.to), await this.#addressesOf(ask.cc ?? [])];
    const [first] = to;
    if (first === undefined) throw new AppError('validation_error', 'The message names no address in `to`.');
    const distinct = new Set([...to, ...cc].map(({ local, namespace }) => shortAddress(local, namespace))).size;
    const body = wellFormed(ask.body);
    const subject = ask.subject == null ? null : wellFormed(ask.subject);
    const data = ask.data === undefined ? null : JSON.stringify(ask.data);
    await run.claim();
    const now = clock();
    const idempotency = {
      scope: `message:${cause.id}`,
      key: step,
      hash: sha256(JSON.stringify([ask.to, subject, body, data, ...(ask.cc === undefined ? [] : [ask.cc])])),
      expires_at: now + IDEMPOTENCY_MS,
    };
    if ((await this.store.idempotency(idempotency.scope, idempotency.key, now)) === undefined)
      await this.#count(by.namespace_id, distinct);
    const ruled = cause.rules?.review === true;
    const planned = by.outgoing !== undefined && (await this.store.handlings.kept(cause.id))?.approved === true;
    const submission: Submission = {
      ...submissionFrom(cause, by, first),
      body,
      subject,
      data,
      idempotency,
      planned,
      ruled,
    };
    const { signal, slot } = run;
    const wait = { ms: ask.ms, signal };
    const send = (yielded: Slot | undefined): Promise<Sent> => {
      if (distinct === 1) return this.#send(submission, wait, yielded);
      yielded?.release();
      return this.#parts.sendToSeveral(submission, to, cc, wait);
    };
    // The answer may need a slot too, so the run does not keep its own while it waits.
    const { message } = await (slot === undefined ? send(undefined) : slot.yieldTo(send, signal));
    return message;
  }

  /** Throws what sending a message to this address, as of `ask`, would throw now. */
  async checkRecipient(cause: Message, by: Mailbox, address: string): Promise<void> {
    await this.#check(submissionFrom(cause, by, await this.#addressOf(address)));
  }

  #addressesOf(texts: string | readonly string[]): Promise<readonly Address[]> {
    return Promise.all([texts].flat().map((text) => this.#addressOf(text)));
  }

  async #addressOf(text: string): Promise<Address> {
    const to = await findAddress(text, this.#parts);
    if (to !== undefined) return to;
    throw new AppError(
      'validation_error',
      `"${text.slice(0, 100)}" is not a mailbox address of this service, and messages go only to those.`,
    );
  }

  /** Counts a message for each recipient; of what the namespace sends in all only the first, as `sendToSeveral` counts the others. */
  async #count(namespaceId: string, recipients: number): Promise<void> {
    const { asks, sends } = this.#parts;
    let taken = 0;
    let allowance: Allowance | undefined;
    for (; taken < recipients && allowance?.allowed !== false; taken++) allowance = await asks?.take(namespaceId);
    if (allowance?.allowed === true) allowance = await sends?.take(namespaceId);
    if (allowance === undefined || allowance.allowed) return;
    for (; taken > 1; taken--) asks?.refund(namespaceId);
    throw new AppError('rate_limited', `The mailboxes of this namespace send too many messages. Try again later.`, {
      retry_after_ms: allowance.reset_ms,
    });
  }
}
