import type { Reply } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { AnsweredBy } from '../entities/actor.ts';
import type { Message } from '../entities/message.ts';
import type { Idempotency } from './idempotency.ts';
import type { Settlement } from './messages.ts';

/** A message that a program or a person outside the service answers, and the claim under which it is held. */
export interface AnswerClaim {
  readonly message_id: string;
  /** `clm_…`. */
  readonly claim: string;
}

/** A claim just given; with the message where the statement that claims reads it too. */
export interface GivenClaim extends AnswerClaim {
  readonly message?: Message | undefined;
}

/** Claims just given, and when the next message can be claimed where there is none; undefined when none waits. */
export interface GivenClaims {
  readonly claims: readonly GivenClaim[];
  readonly next: Millis | undefined;
}

/** What an answer depends on besides its claim, in the same transaction. */
export interface AnswerTerms {
  /** Refused when it was used before; otherwise its result is the reply, or the message where there is none. */
  readonly idempotency?: Idempotency | undefined;
  /** The API key that answers it; refused when it does not work any more. */
  readonly key_id?: string | undefined;
}

/** What holds a message that waits for an answer. */
interface AnswerHolder {
  /** Null: no claim holds it. */
  readonly claim: string | null;
  /** When it can be claimed again. */
  readonly answerable_at: Millis | null;
  /** A person took it over: it is answered by hand alone. */
  readonly taken_over: boolean;
}

/** A reply after the one that settled the message. */
type FurtherReply = Reply & { readonly id: string; readonly at: Millis; readonly answered_by?: AnsweredBy | undefined };

/** Messages that wait for an answer from outside (`waiting_for: "answer"`), leased to those who answer them. */
export interface Answers {
  /**
   * Leases messages of a mailbox until `until`, those that wait longest first, one under each of these new claims. Of
   * concurrent calls no two get the same message.
   */
  claim(mailbox_id: string, claims: readonly string[], now: Millis, until: Millis): Promise<GivenClaims>;
  /**
   * Leases this message under this claim, which may hold it already; false when another claim holds it, or it waits for no
   * answer now.
   */
  take(of: AnswerClaim, now: Millis, until: Millis): Promise<boolean>;
  /** Extends the lease, and stores progress reports as JSON text if given. False when another claim or nothing holds it. */
  renew(of: AnswerClaim, until: Millis, progress?: string): Promise<boolean>;
  /** Gives it back, to be claimed from `at` on. False when another claim or nothing holds it. */
  release(of: AnswerClaim, at: Millis): Promise<boolean>;
  /** Undefined when it waits for no answer. */
  holder(message_id: string): Promise<AnswerHolder | undefined>;
  /**
   * Settles it with an answer from the holder of the claim, or by hand (null), which its reply then says. An expired claim counts while no other has
   * the message and no person took it over. False when it may not be answered so: it is settled, waits for no answer, is another's, or the terms
   * refuse it.
   */
  answer(message_id: string, claim: string | null, settlement: Settlement, terms?: AnswerTerms): Promise<boolean>;
  /**
   * Adds a reply to a message that is settled and not canceled; false when it is not, its mailbox is gone, or it has
   * another number of replies than `seen`.
   */
  reply(message: Pick<Message, 'id'>, reply: FurtherReply, seen?: number): Promise<boolean>;
}
