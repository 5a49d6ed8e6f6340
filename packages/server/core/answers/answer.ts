import type { RecipientLists } from '@mailroom/behavior/message';
import type { AnsweredBy } from '../entities/actor.ts';
import type { Key } from '../entities/key.ts';
import type { Message } from '../entities/message.ts';
import type { Idempotency } from '../ports/idempotency.ts';

/** An answer from outside, whose fields are validated. `data` is JSON text. */
export interface Answer {
  readonly status: 'completed' | 'input_required' | 'rejected' | 'failed';
  /** The claim under which it is answered; null by hand. */
  readonly claim: string | null;
  readonly body: string | null;
  readonly data: string | null;
  /** Why it failed or was rejected. */
  readonly error: string | null;
  /** The code of the error; null for the usual one of the status. */
  readonly error_code?: string | null;
  readonly idempotency?: Idempotency | undefined;
  /** A person gives it in a session of the console. */
  readonly person?: boolean;
  /** All whom it names, where it is for others than its message’s author too. */
  readonly recipients?: RecipientLists | undefined;
  /** The API key of the caller, which may have been revoked within the last second. */
  readonly key?: Key | undefined;
  /** Who gives it; set as it is given. */
  readonly answered_by?: AnsweredBy | undefined;
  /**
   * How many replies its author has seen, null where the message waited: it is refused when there are others by now.
   * Undefined adds it whatever there is.
   */
  readonly seen?: number | null;
  /** The id of its reply, where it does not settle the message; a new one by default. */
  readonly further_id?: string;
}

/** A message that was answered, and the reply that was added. */
export interface Answered {
  readonly message: Message;
  /** Null when the answer has no text. */
  readonly reply_id: string | null;
  /** Whether this answer settled the message. */
  readonly settles: boolean;
  /** Whether an earlier request with the same idempotency key gave it. */
  readonly replayed?: true;
}
