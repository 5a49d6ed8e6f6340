import type { Effect } from '@mailroom/behavior/effect';
import type { RecipientLists } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { AnsweredBy } from '../entities/actor.ts';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { addressesIn } from '../entities/recipients.ts';
import type { Review } from '../entities/review.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Counted } from '../ports/recipient-days.ts';
import type { Store } from '../ports/store.ts';
import { Gate, type Writer } from './gate.ts';
import { answeredLists, domainToSendFrom, leavingAnswer } from './leaving.ts';

/** What carries out an answer that settles its message. */
export interface CarriedAnswer {
  readonly settlement: Settlement;
  readonly effects?: readonly Effect[] | undefined;
  /** All whom it names, where it is for others than its message’s author too. */
  readonly recipients?: RecipientLists | undefined;
  /** The namespace whose mailbox answers. */
  readonly namespace_id: string;
}

/** What carries out a reply after the one that settled its message. */
export interface CarriedFurther {
  readonly reply: { readonly body: string; readonly data: string | null; readonly by_hand?: boolean };
  readonly recipients?: RecipientLists | undefined;
  readonly namespace_id: string;
  readonly answered_by: AnsweredBy | null;
}

interface Parts {
  readonly store: Pick<Store, 'domains' | 'emails'>;
  readonly gate: Gate;
  readonly mailDomain: string;
  readonly answerBy: (mailbox: Mailbox, message: Message) => Millis | undefined;
}

/** Which errors of a settlement are in the service’s own words. */
const OWN_ERRORS: ReadonlySet<string | null> = new Set([
  null,
  'answer_timeout',
  'behavior_unavailable',
  'budget_exceeded',
  'mailbox_full',
  'rate_limited',
  'recipient_not_allowed',
  'refused',
  'review_expired',
  'review_rejected',
  'storage_full',
]);

/** An answer as it may be written, the review that holds it instead, and what was counted for it. */
interface Passed {
  readonly settlement: Settlement;
  readonly review?: Review | undefined;
  readonly counted?: Counted | undefined;
}

/** Sees answers before they settle a message. */
export class HeldAnswers {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The settlement as it may be written, and the review that holds it instead. Of a mailbox that may hold what leaves it,
   * errors are in words of the service, as a behavior’s could carry any text. AppError `recipient_not_allowed`,
   * `rate_limited`.
   */
  async pass(
    message: Message,
    mailbox: Mailbox,
    { settlement, effects, recipients }: Pick<CarriedAnswer, 'settlement' | 'effects' | 'recipients'>,
    by: Writer,
  ): Promise<Passed> {
    const ruled = message.rules?.review === true;
    if (mailbox.outgoing === undefined && !ruled) return { settlement };
    const safe = Gate.mayHold(mailbox, message) && !by.person ? inOwnWords(settlement, by) : settlement;
    const { reply } = safe;
    if (reply === null) return { settlement: safe };
    const counted = await this.#mayLeave(message, mailbox, recipients);
    const { gate, answerBy } = this.#parts;
    const lists = answeredLists(message, recipients);
    const carried: CarriedAnswer = {
      settlement: safe,
      namespace_id: mailbox.namespace_id,
      ...(effects !== undefined && { effects }),
      ...(recipients !== undefined && { recipients }),
    };
    const held = {
      message_id: message.id,
      counted,
      kind: 'answer',
      reply_id: replyIdOf(message.id),
      carries: JSON.stringify(carried),
      deadline: answerBy(mailbox, message),
      files_of: replyIdOf(message.id),
    } as const;
    const review = await this.#held(mailbox, counted, async () => {
      const leaves = await this.leaving(message, mailbox, { reply, files: message.reply_attachments, recipients });
      return gate.hold(mailbox, lists, { ...held, message: leaves }, { ...by, ruled });
    });
    return { settlement: safe, review, counted };
  }

  /** The review that holds a further reply; undefined where it leaves at once. AppError as of `pass`. */
  async further(
    message: Message,
    mailbox: Mailbox,
    {
      id,
      files,
      ...carried
    }: CarriedFurther & { readonly id: string; readonly files?: readonly Attachment[] | undefined },
    by: Writer,
  ): Promise<Omit<Passed, 'settlement'>> {
    const ruled = message.rules?.review === true;
    if (mailbox.outgoing === undefined && !ruled) return {};
    const { reply, recipients } = carried;
    const counted = await this.#mayLeave(message, mailbox, recipients);
    const held = {
      message_id: message.id,
      counted,
      kind: 'further',
      files_of: id,
      reply_id: id,
      carries: JSON.stringify(carried satisfies CarriedFurther),
    } as const;
    const review = await this.#held(mailbox, counted, async () => {
      const leaves = await this.leaving(message, mailbox, { reply, files, recipients });
      const lists = answeredLists(message, recipients);
      return this.#parts.gate.hold(mailbox, lists, { ...held, message: leaves }, { ...by, ruled });
    });
    return { review, counted };
  }

  /** The review, or what was counted is given back. */
  async #held(mailbox: Mailbox, counted: Counted | undefined, hold: () => Promise<Review | undefined>) {
    try {
      return await hold();
    } catch (error) {
      await this.giveBack(mailbox, counted);
      throw error;
    }
  }

  /** Gives back what was counted for an answer that was not written. */
  giveBack(mailbox: Mailbox, counted: Counted | undefined): Promise<void> {
    return this.#parts.gate.giveBack(mailbox, counted);
  }

  /** An answer as it would leave. */
  async leaving(
    message: Message,
    mailbox: Mailbox,
    {
      reply,
      files,
      recipients,
    }: {
      readonly reply: CarriedFurther['reply'];
      readonly files: readonly Attachment[] | undefined;
      readonly recipients: RecipientLists | undefined;
    },
  ): Promise<Review['message']> {
    const { store, mailDomain } = this.#parts;
    const [email] = await store.emails.byMessages([message.id]);
    const domain = await domainToSendFrom(store, mailbox, email?.domain ?? null);
    return leavingAnswer(message, reply, { mailbox, domain, mailDomain, files, recipients });
  }

  async #mayLeave(message: Message, mailbox: Mailbox, recipients: RecipientLists | undefined) {
    const { gate } = this.#parts;
    if (recipients !== undefined) await gate.allow(mailbox, recipients);
    else if (!(await gate.mayAnswer(mailbox, message)))
      throw new AppError(
        'recipient_not_allowed',
        `${mailbox.local_part}@${mailbox.namespace} does not write to this sender, as its owner set it (outgoing.allow, outgoing.block).`,
      );
    return gate.count(mailbox, recipients === undefined ? 1 : addressesIn(recipients).length);
  }
}

/** A program may give its error any code. */
function inOwnWords(settlement: Settlement, { program = false }: Writer): Settlement {
  const { status, error_code: code } = settlement;
  if ((status !== 'failed' && status !== 'rejected') || (!program && OWN_ERRORS.has(code))) return settlement;
  return status === 'failed'
    ? { ...settlement, error_code: 'behavior_failed', error_message: 'The mailbox could not answer this message.' }
    : { ...settlement, error_code: 'rejected', error_message: 'The mailbox does not answer this message.' };
}
