import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import type { States } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import type { Json } from '../values/json.ts';
import { JsonText } from '../values/json.ts';

/** What is told to one reader only, while a note is stored in its place. */
export interface OneTimeSecret {
  readonly body: string;
  readonly data?: Json;
}

/** `once`: of a reply, for whoever sent the message. `until_expiry`: of a message, for whoever reads its mailbox. */
export type Reads = 'once' | 'until_expiry';

const KINDS: Readonly<Record<Reads, string>> = { once: 'sealed', until_expiry: 'sealed_mail' };
/** What a note's data holds, as `JSON.stringify` writes it: whatever has it not costs no look-up. */
const MARK = '"sealed":true';

/** A note's data, by which it is known that there may be more to read. */
export const noteData = (given: Json | JsonText | undefined): Json => {
  const data = given instanceof JsonText ? given.toJSON() : given;
  const fields =
    typeof data === 'object' && !Array.isArray(data) ? (data as Fields) : data === undefined ? {} : { value: data };
  return { ...fields, sealed: true };
};

type Fields = { readonly [name: string]: Json } | null;

/** Whether it is a reply that may be read once. */
export const isSealedReply = ({ reply_data }: Message): boolean => reply_data?.includes(MARK) === true;

/** The message with what its reply really says. */
export const withReply = (message: Message, { body, data }: OneTimeSecret): Message => ({
  ...message,
  reply_body: body,
  reply_data: data === undefined ? null : JSON.stringify(data),
});

/**
 * Secrets that are told in a reply or a message, kept apart from it until they are read or of no use any more: lists, threads,
 * events and exports hold the note that is stored. Whoever waits for a reply in the same exchange is told it from memory.
 */
export class OneTimeSecrets {
  readonly #states: States;
  readonly #clock: Clock;

  constructor({ states, clock }: { readonly states: States; readonly clock: Clock }) {
    this.#states = states;
    this.#clock = clock;
  }

  /** Durable when it resolves. Whoever seals the same again replaces what was there. */
  async seal(messageId: string, text: OneTimeSecret, until: Millis, reads: Reads): Promise<void> {
    const { body, data } = text;
    const value = JSON.stringify(data === undefined ? { body } : { body, data });
    await this.#states.set({ kind: KINDS[reads], id: messageId, subject: null, value, expires_at: until });
  }

  /**
   * The message with what is sealed of it for this reader, the sender's removed with that: of many who read it at once one
   * gets it. Unchanged when nothing is (any more). Whether the caller is that reader is for the caller to look at.
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
