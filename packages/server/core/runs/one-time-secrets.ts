import type { OneTimeSecret } from '@mailroom/behavior';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import { JsonText } from '@mailroom/behavior/values/json';
import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import type { States } from '../ports/states.ts';

/** `once`: of a reply, for the sender of the message. `until_expiry`: of a message, for the readers of its mailbox. */
export type Reads = 'once' | 'until_expiry';

const KINDS: Readonly<Record<Reads, string>> = { once: 'sealed', until_expiry: 'sealed_mail' };
/** The mark in a note's data, as `JSON.stringify` writes it; data without it costs no look-up. */
const MARK = '"sealed":true';

/** The data of a note, which marks that a secret may be readable. */
export const noteData = (given: Json | JsonText | undefined): Json => {
  const data = given instanceof JsonText ? given.toJSON() : given;
  const fields =
    typeof data === 'object' && !Array.isArray(data) ? (data as Fields) : data === undefined ? {} : { value: data };
  return { ...fields, sealed: true };
};

type Fields = { readonly [name: string]: Json } | null;

/** Whether the reply may be read once. */
export const isSealedReply = ({ reply }: Message): boolean => reply?.data?.includes(MARK) === true;

/** The message with the secret content of its reply. */
export const withReply = (message: Message, { body, data }: OneTimeSecret): Message => ({
  ...message,
  reply: { body, data: data === undefined ? null : JSON.stringify(data) },
});

/**
 * Secrets in a reply or a message, stored apart from it until they are read or expire; lists, threads, events and exports
 * hold the note. A sender who waits for the reply in the same exchange gets the secret from memory.
 */
export class OneTimeSecrets {
  readonly #states: States;
  readonly #clock: Clock;

  constructor({ states, clock }: { readonly states: States; readonly clock: Clock }) {
    this.#states = states;
    this.#clock = clock;
  }

  /** Durable when it resolves. Sealing the same message again replaces the secret. */
  async seal(messageId: string, text: OneTimeSecret, until: Millis, reads: Reads): Promise<void> {
    const { body, data } = text;
    const value = JSON.stringify(data === undefined ? { body } : { body, data });
    await this.#states.set({ kind: KINDS[reads], id: messageId, subject: null, value, expires_at: until });
  }

  /**
   * The message with its secret for this reader; the sender's secret is removed by it, so of concurrent reads one gets
   * it. Unchanged when there is no secret. The caller must have checked that the reader is entitled to it.
   */
  async open(message: Message, reader: 'sender' | 'recipient'): Promise<Message> {
    if (reader === 'sender') {
      if (!isSettled(message.status) || !isSealedReply(message)) return message;
      const state = await this.#states.take(KINDS.once, message.id, this.#clock());
      return state === undefined ? message : withReply(message, textFrom(state.value));
    }
    if (message.data?.includes(MARK) !== true) return message;
    const state = await this.#states.get(KINDS.until_expiry, message.id, this.#clock());
    if (state === undefined) return message;
    const { body, data } = textFrom(state.value);
    return { ...message, body, data: data === undefined ? message.data : JSON.stringify(data) };
  }
}

const textFrom = (value: string): OneTimeSecret => JSON.parse(value) as OneTimeSecret;
