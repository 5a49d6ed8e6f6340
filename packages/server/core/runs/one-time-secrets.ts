import { randomBytes } from 'node:crypto';
import type { OneTimeSecret } from '@mailroom/behavior';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import { isSettled, type Message } from '../entities/message.ts';
import type { States } from '../ports/states.ts';
import { canonicalJson } from '../values/canonical-json.ts';

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

/**
 * The data of a note with the hash of its secret, so that what is approved is the note with this secret alone. The salt
 * keeps a short secret, such as a code, from being guessed by the hash.
 */
export function boundTo(data: string | null, { body, data: more }: OneTimeSecret): { data: string; salt: string } {
  const salt = randomBytes(16).toString('base64url');
  const fields = JSON.parse(data ?? '{}') as { readonly [name: string]: Json };
  return { data: JSON.stringify({ ...fields, [HASH]: hashOf({ salt, body, data: more }) }), salt };
}

/** The field of a note's data with the hash of its secret. */
const HASH = 'sealed_sha256';

/** A secret as it is stored; one that is bound to its note has a salt. */
interface Stored {
  readonly body: string;
  readonly data?: Json | undefined;
  readonly salt?: string | undefined;
}

const hashOf = ({ salt = '', body, data = null }: Stored): string => sha256(canonicalJson({ salt, body, data }));

/** The hash that a note is bound to; undefined for a note of any secret. */
const boundHash = (data: string | null | undefined): string | undefined => {
  if (data?.includes(`"${HASH}":`) !== true) return undefined;
  const hash = (JSON.parse(data) as { readonly [HASH]?: unknown })[HASH];
  return typeof hash === 'string' ? hash : undefined;
};

/** Each secret that a note is bound to has an id of its own, so that none of a later run replaces it. */
const idOf = (messageId: string, hash: string | undefined): string =>
  hash === undefined ? messageId : `${messageId} ${hash}`;

type Fields = { readonly [name: string]: Json } | null;

/** Whether the reply may be read once. */
export const isSealedReply = ({ reply }: Message): boolean => reply?.data?.includes(MARK) === true;

/** The message with the secret content of its reply. */
export const withReply = (message: Message, { body, data }: Stored): Message => ({
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
  async seal(messageId: string, { body, data, salt }: Stored, until: Millis, reads: Reads): Promise<void> {
    const value = JSON.stringify({ body, data, salt });
    const id = idOf(messageId, salt === undefined ? undefined : hashOf({ body, data, salt }));
    await this.#states.set({ kind: KINDS[reads], id, subject: null, value, expires_at: until });
  }

  /**
   * The message with its secret for this reader; the sender's secret is removed by it, so of concurrent reads one gets
   * it. Unchanged when there is no secret. The caller must have checked that the reader is entitled to it.
   */
  async open(message: Message, reader: 'sender' | 'recipient'): Promise<Message> {
    if (reader === 'sender') {
      if (!isSettled(message.status) || !isSealedReply(message)) return message;
      const hash = boundHash(message.reply?.data);
      const state = await this.#states.take(KINDS.once, idOf(message.id, hash), this.#clock());
      const secret = state && textFrom(state.value);
      const isBound = secret !== undefined && (hash === undefined || hash === hashOf(secret));
      return isBound ? withReply(message, secret) : message;
    }
    if (message.data?.includes(MARK) !== true) return message;
    const state = await this.#states.get(KINDS.until_expiry, message.id, this.#clock());
    if (state === undefined) return message;
    const { body, data } = textFrom(state.value);
    return { ...message, body, data: data === undefined ? message.data : JSON.stringify(data) };
  }
}

const textFrom = (value: string): Stored => JSON.parse(value) as Stored;
