import type { RecipientLists } from '@mailroom/behavior/message';
import { MAX_REPLY, sentBytes } from '@mailroom/behavior/reply-limit';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { SECOND } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch } from '@mailroom/behavior/values/error';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { seenIn } from '../access/thread.ts';
import type { Attachment } from '../entities/attachment.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { isSettled } from '../entities/message.ts';
import { storedReports } from '../entities/own-progress.ts';
import type { Review } from '../entities/review.ts';
import type { MessageFiles } from '../files/uploads.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { EventBus } from '../notify/event-bus.ts';
import { withReport } from '../notify/progress.ts';
import type { AnswerTerms } from '../ports/answers.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Evidence } from '../review/evidence.ts';
import { Gate, type Writer } from '../review/gate.ts';
import type { HeldAnswers } from '../review/held-answers.ts';
import type { Settler } from '../runs/settle.ts';
import type { ClaimRequest, LeasedClaim } from './answer-call.ts';
import type { AnswerQueue } from './answer-queue.ts';

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

/** A message under a claim. */
export interface ClaimedMessage extends LeasedClaim {
  readonly message: Message;
  /** The messages of the thread before it, oldest first. */
  readonly thread: readonly Message[];
}

/** Most programs answer within this time; what their answer is shown with may be as old. */
const RECENT_MS: Millis = SECOND;
const MAX_RECENT = 1_000;
/** Characters of a message that is kept. */
const MAX_RECENT_SIZE = 16_384;
/** How many earlier messages of the thread come with a claimed one. */
const MAX_THREAD = 20;

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly queue: AnswerQueue;
  readonly settler: Settler;
  readonly held: HeldAnswers;
  readonly evidence: Pick<Evidence, 'replied'>;
  /** A further reply waits for its review. */
  readonly onReview: (review: Review) => void;
  readonly bus: EventBus;
  readonly emails: Pick<EmailAnswers, 'owe' | 'queue'>;
  readonly clock: Clock;
}

/** Answers to messages from outside the service: by the owner's program under a claim, or by hand. */
export class Answering {
  readonly #parts: Parts;
  readonly #max_reply: number;
  /** Answers in progress by message, one at a time, because their files are assigned before they settle it. */
  readonly #answering = new Map<string, Promise<unknown>>();
  /** Messages that were handed out, the latest last. */
  readonly #recent = new Map<string, { readonly message: Message; readonly at: Millis }>();

  constructor(parts: Parts, { max_reply = MAX_REPLY }: { readonly max_reply?: number | undefined }) {
    this.#parts = parts;
    this.#max_reply = max_reply;
  }

  /** Claims messages of a mailbox; an empty list while it is paused. */
  async claim(mailbox: Mailbox, request: ClaimRequest): Promise<readonly ClaimedMessage[]> {
    const { store, queue } = this.#parts;
    const claims = await queue.claim(mailbox.id, request);
    const claimed = claims.map(async (claim) => {
      const message = claim.message ?? (await store.messages.byId(claim.message_id));
      if (message === undefined) return [];
      this.#remember(message);
      return [{ ...claim, message, thread: await this.earlier(message) }];
    });
    return (await Promise.all(claimed)).flat();
  }

  /** A message that this node handed out within the last second, as it was then; undefined for others. */
  recent(id: string): Message | undefined {
    const known = this.#recent.get(id);
    const age = known === undefined ? RECENT_MS : this.#parts.clock() - known.at;
    return age >= 0 && age < RECENT_MS ? known?.message : undefined;
  }

  /** The message changed, so that it is read again. */
  forget(id: string): void {
    this.#recent.delete(id);
  }

  #remember(message: Message): void {
    const now = this.#parts.clock();
    for (const [id, known] of this.#recent) {
      if (this.#recent.size < MAX_RECENT && now - known.at < RECENT_MS) break;
      this.#recent.delete(id);
    }
    if (message.body.length + (message.data?.length ?? 0) <= MAX_RECENT_SIZE)
      this.#recent.set(message.id, { message, at: now });
  }

  /** The last messages of the thread before this one, oldest first. */
  async earlier(message: Message): Promise<readonly Message[]> {
    // The first message of a thread gives it its id.
    if (message.thread_id.slice(4) === message.id.slice(4)) return [];
    const page = await this.#parts.store.messages.threadEnd(message.thread_id, message.id, MAX_THREAD);
    return seenIn(message.mailbox_id, page.items);
  }

  /**
   * Extends the lease, and shows a progress report or the reply as written so far. Returns when the lease ends. AppError
   * `claim_lost`, `not_waiting`, `body_too_large`.
   */
  async progress(
    message: Message,
    claim: string,
    { lease_ms, text, draft }: { readonly lease_ms: Millis; readonly text?: string; readonly draft?: string },
  ): Promise<Millis> {
    const { store, bus, clock } = this.#parts;
    const now = clock();
    if (draft !== undefined) this.#requireFits('A draft', sentBytes(draft));
    this.forget(message.id);
    const mailbox = await this.#parts.directory.mailboxById(message.mailbox_id);
    // What others saw while it is written would leave before its owner has seen it.
    const own = mailbox === undefined || Gate.mayHold(mailbox, message);
    const before = (own ? message.own_progress : message.progress) ?? null;
    const reports = text === undefined ? undefined : withReport(before, text, now);
    const until = now + lease_ms;
    const stored = reports === undefined ? undefined : storedReports(reports, own);
    if (!(await store.answers.renew({ message_id: message.id, claim }, until, stored))) {
      throw await this.#lost(message, claim);
    }
    if (reports === undefined && draft === undefined) return until;
    const progress = reports ?? before;
    const working = { ...message, status: 'working' } as const;
    if (own) bus.publishOwn({ ...working, ...(progress !== null && { own_progress: progress }), own_draft: draft });
    else bus.publishProgress({ ...working, progress, draft });
    return until;
  }

  /** Gives a message back, to be claimed by another after `after_ms`. AppError `claim_lost`, `not_waiting`. */
  async release(message: Message, claim: string, after_ms: Millis): Promise<void> {
    const { store, queue, clock } = this.#parts;
    this.forget(message.id);
    const released = await store.answers.release({ message_id: message.id, claim }, clock() + after_ms);
    if (!released) throw await this.#lost(message, claim);
    queue.announce(message.mailbox_id);
  }

  /**
   * Settles the message, or adds a further reply to one that is settled. An answer that is repeated under its claim adds
   * nothing. AppError `claim_lost`, `idempotency_mismatch`, `not_waiting`, `body_too_large`, `message_not_found`, `unavailable`.
   */
  async answer(message: Message, mailbox: Mailbox, answer: Answer, upload?: MessageFiles): Promise<Answered> {
    const bytes = (answer.body === null ? 0 : sentBytes(answer.body)) + Buffer.byteLength(answer.data ?? '');
    this.#requireFits('An answer', bytes);
    const { id } = message;
    for (let before = this.#answering.get(id); before !== undefined; before = this.#answering.get(id)) await before;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#answering.set(id, promise);
    try {
      const { idempotency, key } = answer;
      if (upload === undefined && !isSettled(message.status)) {
        const settled = await this.#settle(message, mailbox, answer, { idempotency, key_id: key?.id });
        if (settled !== undefined) return settled;
      }
      if (key !== undefined && !(await this.#parts.directory.works(key)))
        throw new AppError('invalid_key', 'This key was revoked or has expired.');
      return await this.#answerIdempotent(message, mailbox, answer, upload);
    } finally {
      this.forget(id);
      this.#answering.delete(id);
      resolve();
    }
  }

  #requireFits(what: string, bytes: number): void {
    if (bytes > this.#max_reply)
      throw new AppError('body_too_large', `${what} has at most ${this.#max_reply} bytes; this one has ${bytes}.`);
  }

  /** Finds the answer of a repeated request, or remembers that of a new one. */
  async #answerIdempotent(
    message: Message,
    mailbox: Mailbox,
    answer: Answer,
    upload?: MessageFiles,
  ): Promise<Answered> {
    const { store, clock } = this.#parts;
    const { idempotency } = answer;
    if (idempotency === undefined) return this.#answer(message, mailbox, answer, upload);
    const earlier = await store.idempotency(idempotency.scope, idempotency.key, clock());
    if (earlier === undefined) {
      const answered = await this.#answer(message, mailbox, answer, upload);
      await store.remember(idempotency, answered.reply_id ?? message.id, clock());
      return answered;
    }
    if (earlier.hash !== idempotency.hash) throw idempotencyMismatch();
    const settles = earlier.id === message.id || earlier.id === replyIdOf(message.id);
    const now = (await store.messages.byId(message.id)) ?? message;
    return { message: now, reply_id: earlier.id === message.id ? null : earlier.id, settles, replayed: true };
  }

  async #answer(message: Message, mailbox: Mailbox, answer: Answer, upload?: MessageFiles): Promise<Answered> {
    const { store } = this.#parts;
    const { id } = message;
    const now = await store.messages.byId(id);
    if (now === undefined) throw gone(id);
    if (isSettled(now.status)) return this.#further(now, mailbox, answer, upload);
    if (!(await this.#mayAnswer(now, answer.claim))) throw await this.#lost(now, answer.claim);
    const reply_id = answer.body === null ? null : replyIdOf(id);
    if (reply_id !== null) await upload?.assign(reply_id);
    const files = reply_id === null || upload === undefined ? {} : { reply_attachments: [...upload.files] };
    const settled = await this.#settle({ ...now, ...files }, mailbox, answer, { key_id: answer.key?.id });
    if (settled !== undefined) {
      upload?.keep();
      return settled;
    }
    const later = await store.messages.byId(id);
    if (later === undefined) throw gone(id);
    if (!isSettled(later.status)) throw await this.#lost(later, answer.claim);
    return this.#further(later, mailbox, answer, upload);
  }

  /** One write, which checks the claim and the terms; undefined where it wrote nothing. */
  async #settle(
    message: Message,
    mailbox: Mailbox,
    answer: Answer,
    terms?: AnswerTerms,
  ): Promise<Answered | undefined> {
    const { recipients, claim } = answer;
    const settlement = settlementOf(answer, this.#parts.clock());
    const wanted = { settlement, recipients };
    const settled = await this.#parts.settler.answer(message, mailbox, claim, wanted, {
      ...terms,
      by: writerOf(answer),
    });
    if (settled === undefined) return undefined;
    if (settled.waiting_for === 'review') {
      const { idempotency } = answer;
      if (idempotency !== undefined) await this.#parts.store.remember(idempotency, message.id, this.#parts.clock());
      return { message: settled, reply_id: null, settles: false };
    }
    return { message: settled, reply_id: answer.body === null ? null : replyIdOf(message.id), settles: true };
  }

  /** Whether the holder, or anyone by hand, may answer it now; the write checks it again. */
  async #mayAnswer(message: Message, claim: string | null): Promise<boolean> {
    const holder = await this.#parts.store.answers.holder(message.id);
    if (holder === undefined) return claim === null && message.status === 'submitted';
    return claim === null || holder.claim === null || holder.claim === claim || !this.#holds(holder);
  }

  #holds({ answerable_at }: { readonly answerable_at: Millis | null }): boolean {
    return answerable_at === null || answerable_at > this.#parts.clock();
  }

  /** A reply after the one that settled the message. */
  async #further(message: Message, mailbox: Mailbox, answer: Answer, upload?: MessageFiles): Promise<Answered> {
    const { store, clock } = this.#parts;
    if (message.status === 'canceled') throw notWaiting(message, 'it was canceled');
    const { seen, key } = answer;
    if (seen === null || (seen !== undefined && seen !== message.replies_count)) throw answeredBefore(message);
    const { body, data } = answer;
    const same = message.reply?.body === body && message.reply.data === data;
    if (answer.claim !== null && same && sameFiles(message.reply_attachments ?? [], upload?.files ?? []))
      return { message, reply_id: replyIdOf(message.id), settles: true };
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
        ...{ id, files: upload?.files, reply: { body, data }, namespace_id: mailbox.namespace_id },
        ...{ recipients: answer.recipients, answered_by: key?.id ?? null },
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
    const reply = { id, body, data, at: answeredAt, ...byHand(answer.claim), answered_by: key?.id };
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
  async letFurther(
    message: Message,
    {
      answered_by,
      ...reply
    }: { id: string; body: string; data: string | null; by_hand?: boolean; answered_by: string | null },
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

  /** Why a claim does not hold the message. */
  async #lost(message: Message, claim: string | null): Promise<AppError> {
    const holder = await this.#parts.store.answers.holder(message.id);
    if (holder === undefined) {
      const now = await this.#parts.store.messages.byId(message.id);
      if (now === undefined) return gone(message.id);
      const why = now.waiting_for === 'review' ? 'its answer waits for a review' : 'its behavior answers it';
      return notWaiting(now, isSettled(now.status) ? `it is ${now.status}` : why);
    }
    const why =
      holder.claim === null || holder.claim === claim
        ? 'It was given back; claim it again.'
        : 'Its lease ended and another program has the message now; drop your answer, or send it without a claim.';
    return new AppError('claim_lost', `The claim no longer holds ${message.id}. ${why}`);
  }
}

const writerOf = ({ person = false, key }: Answer): Writer => ({ person, key_id: key?.id ?? null });

/** A program answers under its claim. */
const byHand = (claim: string | null) => claim === null && { by_hand: true };

const ERROR_CODES = { rejected: 'rejected', failed: 'behavior_failed' } as const;

const settlementOf = ({ status, body, data, error, error_code, claim }: Answer, settled_at: Millis): Settlement => ({
  status,
  error_code: status === 'rejected' || status === 'failed' ? (error_code ?? ERROR_CODES[status]) : null,
  error_message: status === 'rejected' || status === 'failed' ? (error ?? body ?? '') : null,
  reply: body === null ? null : { body, data, ...byHand(claim) },
  settled_at,
});

const sameFiles = (files: readonly Attachment[], others: MessageFiles['files']): boolean =>
  files.length === others.length &&
  files.every(({ filename, sha256 }, at) => filename === others[at]?.filename && sha256 === others[at].sha256);

const gone = (id: string): AppError => new AppError('message_not_found', `There is no message ${id} any more.`);

const answeredBefore = (message: Message): AppError => notWaiting(message, 'it was answered meanwhile');

const notWaiting = ({ id }: Message, why: string): AppError =>
  new AppError('not_waiting', `${id} waits for no answer: ${why}.`);
