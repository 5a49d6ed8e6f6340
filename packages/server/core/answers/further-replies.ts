import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { AnsweredBy } from '../entities/actor.ts';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Review } from '../entities/review.ts';
import type { MessageFiles } from '../files/uploads.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { Store } from '../ports/store.ts';
import type { Evidence } from '../review/evidence.ts';
import type { Writer } from '../review/gate.ts';
import type { HeldAnswers } from '../review/held-answers.ts';
import type { Settler } from '../runs/settle.ts';
import type { Answer, Answered } from './answer.ts';

/** How many messages of a thread are searched for the same reply. */
const MAX_THREAD = 20;

interface Parts {
  readonly store: Store;
  readonly settler: Pick<Settler, 'publishEvents'>;
  readonly held: HeldAnswers;
  readonly evidence: Pick<Evidence, 'replied'>;
  readonly emails: Pick<EmailAnswers, 'owe' | 'queue'>;
  readonly clock: Clock;
  /** A further reply waits for its review. */
  readonly onReview: (review: Review) => void;
}

/** Replies after the one that settled a message. */
export class FurtherReplies {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A reply after the one that settled the message. */
  async add(message: Message, mailbox: Mailbox, answer: Answer, upload?: MessageFiles): Promise<Answered> {
    const { store, clock } = this.#parts;
    if (message.status === 'canceled') throw notWaiting(message, 'it was canceled');
    const { seen } = answer;
    if (seen === null || (seen !== undefined && seen !== message.replies_count)) throw answeredBefore(message);
    const { body, data } = answer;
    const same = message.reply?.body === body && message.reply.data === data;
    if (answer.claim !== null && same && sameFiles(message.reply_attachments ?? [], upload?.files ?? []))
      return { message, reply_id: replyIdOf(message.id), settles: true };
    if (answer.claim !== null && message.answered_by?.actor !== undefined) throw answeredByHand(message);
    if (body === null || answer.status === 'failed' || answer.status === 'rejected')
      throw notWaiting(message, `it is ${message.status} already. A further reply needs a body and no error`);
    const before = answer.claim === null || upload !== undefined ? undefined : await this.#repeated(message, answer);
    if (before !== undefined) return { message, reply_id: before, settles: false };
    const answeredAt = clock();
    const id = answer.further_id ?? newId('msg', answeredAt);
    await upload?.assign(id);
    const { review, counted } = await this.#parts.held.further(
      message,
      mailbox,
      {
        ...{ id, files: upload?.files, namespace_id: mailbox.namespace_id },
        reply: { body, data, ...byHand(answer.claim) },
        ...{ recipients: answer.recipients, answered_by: answer.answered_by ?? null },
      },
      writerOf(answer),
    );
    if (review !== undefined) {
      if (!(await store.reviews.hold(review, undefined))) {
        await this.#parts.held.giveBack(mailbox, counted);
        throw gone(message.id);
      }
      upload?.keep();
      this.#parts.settler.publishEvents(mailbox.namespace_id);
      this.#parts.onReview(review);
      return { message, reply_id: null, settles: false };
    }
    const emails = message.channel === 'smtp' ? this.#parts.emails : undefined;
    await emails?.owe(message);
    const reply = { id, body, data, at: answeredAt, ...byHand(answer.claim), answered_by: answer.answered_by };
    const added = await store.answers.reply(message, reply, seen);
    const now = await store.messages.byId(message.id);
    if (!added) await this.#parts.held.giveBack(mailbox, counted);
    if (!added) throw now === undefined || seen === undefined ? gone(message.id) : answeredBefore(now);
    upload?.keep();
    await this.#noteEvidence(id, mailbox, { body, data }, upload?.files);
    await emails?.queue(message.id);
    return { message: now ?? message, reply_id: id, settles: false };
  }

  /** Writes a further reply that an owner let leave, once by its id. */
  async let(
    message: Message,
    {
      answered_by,
      ...reply
    }: { id: string; body: string; data: string | null; by_hand?: boolean; answered_by: AnsweredBy | null },
  ): Promise<void> {
    const { store, clock, emails } = this.#parts;
    if ((await store.messages.byId(reply.id)) !== undefined) return;
    if (message.channel === 'smtp') await emails.owe(message);
    await store.answers.reply(message, { ...reply, at: clock(), ...(answered_by !== null && { answered_by }) });
    const mailbox = { id: message.mailbox_id };
    await this.#noteEvidence(reply.id, mailbox, reply, await store.attachments.of(reply.id));
    if (message.channel === 'smtp') await emails.queue(message.id);
    this.#parts.settler.publishEvents(message.sender_namespace_id ?? '');
  }

  /** What was written stays so, though its evidence may be missing. */
  async #noteEvidence(
    id: string,
    mailbox: Pick<Mailbox, 'id'>,
    reply: { readonly body: string; readonly data: string | null },
    files: readonly Attachment[] = [],
  ): Promise<void> {
    const noted = this.#parts.evidence.replied(id, mailbox, reply, files.length === 0 ? null : [...files]);
    await noted?.catch(() => {});
  }

  /** The id of a further reply with the same content: a program whose connection broke repeats its answer. */
  async #repeated({ id, thread_id }: Message, { body, data }: Answer): Promise<string | undefined> {
    const { items } = await this.#parts.store.messages.threadEnd(thread_id, null, MAX_THREAD);
    const same = items.find((one) => one.in_reply_to === id && one.body === body && one.data === data);
    return same?.id;
  }
}

export const writerOf = ({ person = false, key }: Answer): Writer => ({ person, key_id: key?.id ?? null });

/** A program answers under its claim. */
export const byHand = (claim: string | null) => claim === null && { by_hand: true };

const sameFiles = (files: readonly Attachment[], others: MessageFiles['files']): boolean =>
  files.length === others.length &&
  files.every(({ filename, sha256 }, at) => filename === others[at]?.filename && sha256 === others[at].sha256);

export const gone = (id: string): AppError => new AppError('message_not_found', `There is no message ${id} any more.`);

/** What a program wrote meanwhile would answer it twice, also by the key of who answered by hand. */
const answeredByHand = ({ id }: Message): AppError =>
  new AppError(
    'claim_lost',
    `The claim no longer holds ${id}. It was answered by hand meanwhile; drop your answer, or send it without a claim to add a reply.`,
  );

const answeredBefore = (message: Message): AppError => notWaiting(message, 'it was answered meanwhile');

export const notWaiting = ({ id }: Message, why: string): AppError =>
  new AppError('not_waiting', `${id} waits for no answer: ${why}.`);
