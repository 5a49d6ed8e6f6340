import { MAX_REPLY, sentBytes } from '@mailroom/behavior/reply-limit';
import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { ActorOf } from '../access/actor.ts';
import type { Directory } from '../access/directory.ts';
import { seenIn } from '../access/thread.ts';
import type { AnsweredBy } from '../entities/actor.ts';
import type { Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { storedReports } from '../entities/own-progress.ts';
import type { Review } from '../entities/review.ts';
import type { MessageFiles } from '../files/uploads.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { EventBus } from '../notify/event-bus.ts';
import { withReport } from '../notify/progress.ts';
import type { AnswerTerms } from '../ports/answers.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import type { Evidence } from '../review/evidence.ts';
import { Gate } from '../review/gate.ts';
import type { HeldAnswers } from '../review/held-answers.ts';
import type { Settler } from '../runs/settle.ts';
import type { Answer, Answered } from './answer.ts';
import type { ClaimRequest, LeasedClaim } from './answer-call.ts';
import type { AnswerQueue } from './answer-queue.ts';
import { byHand, FurtherReplies, gone, notWaiting, writerOf } from './further-replies.ts';

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
  readonly actorOf: ActorOf;
  readonly clock: Clock;
}

/** Answers to messages from outside the service: by the owner's program under a claim, or by hand. */
export class Answering {
  readonly #parts: Parts;
  readonly #max_reply: number;
  readonly #further: FurtherReplies;
  /** Answers in progress by message, one at a time, because their files are assigned before they settle it. */
  readonly #answering = new Map<string, Promise<unknown>>();
  /** Messages that were handed out, the latest last. */
  readonly #recent = new Map<string, { readonly message: Message; readonly at: Millis }>();

  constructor(parts: Parts, { max_reply = MAX_REPLY }: { readonly max_reply?: number | undefined }) {
    this.#parts = parts;
    this.#max_reply = max_reply;
    this.#further = new FurtherReplies(parts);
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
    const held = mailbox === undefined || Gate.mayHold(mailbox, message);
    const previousProgress = (held ? message.own_progress : message.progress) ?? null;
    const reports = text === undefined ? undefined : withReport(previousProgress, text, now);
    const until = now + lease_ms;
    const stored = reports === undefined ? undefined : storedReports(reports, held);
    if (!(await store.answers.renew({ message_id: message.id, claim }, until, stored))) {
      throw await this.#lost(message, claim);
    }
    if (reports === undefined && draft === undefined) return until;
    const progress = reports ?? previousProgress;
    const working = { ...message, status: 'working' } as const;
    if (held) bus.publishOwn({ ...working, ...(progress !== null && { own_progress: progress }), own_draft: draft });
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
  async answer(message: Message, mailbox: Mailbox, given: Answer, upload?: MessageFiles): Promise<Answered> {
    const answered_by = await this.answererOf(given.key, mailbox, given.claim);
    const answer = { ...given, answered_by };
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

  /** Who answers by this key; named where it is by hand, for the sender too where the mailbox signs its answers. */
  async answererOf(key: Key | undefined, mailbox: Mailbox, claim: string | null): Promise<AnsweredBy | undefined> {
    if (key === undefined) return undefined;
    if (claim !== null) return { key_id: key.id };
    const actor = await this.#parts.actorOf(key);
    return { key_id: key.id, actor, ...(mailbox.sign_answers === true && { signed: true }) };
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
    if (isSettled(now.status)) return this.#further.add(now, mailbox, answer, upload);
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
    return this.#further.add(later, mailbox, answer, upload);
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
    if (claim === null || holder.taken_over) return claim === null;
    return holder.claim === null || holder.claim === claim || !this.#holds(holder);
  }

  #holds({ answerable_at }: { readonly answerable_at: Millis | null }): boolean {
    return answerable_at === null || answerable_at > this.#parts.clock();
  }

  /** Writes a further reply that an owner let leave, once by its id. */
  letFurther(message: Message, reply: Parameters<FurtherReplies['let']>[1]): Promise<void> {
    return this.#further.let(message, reply);
  }

  /** Why a claim does not hold the message. */
  async #lost(message: Message, claim: string | null): Promise<AppError> {
    const holder = await this.#parts.store.answers.holder(message.id);
    if (holder === undefined) {
      const now = await this.#parts.store.messages.byId(message.id);
      if (now === undefined) return gone(message.id);
      const why =
        now.waiting_for === 'review'
          ? 'its answer waits for a review. Reject that first, or send your own words in its place in the console'
          : 'its behavior answers it';
      return notWaiting(now, isSettled(now.status) ? `it is ${now.status}` : why);
    }
    const why = holder.taken_over
      ? 'A person took the conversation over and answers it; drop your answer.'
      : holder.claim === null || holder.claim === claim
        ? 'It was given back; claim it again.'
        : 'Its lease ended and another program has the message now; drop your answer, or send it without a claim.';
    return new AppError('claim_lost', `The claim no longer holds ${message.id}. ${why}`);
  }
}

const ERROR_CODES = { rejected: 'rejected', failed: 'behavior_failed' } as const;

const settlementOf = (
  { status, body, data, error, error_code, claim, answered_by }: Answer,
  settled_at: Millis,
): Settlement => ({
  answered_by,
  status,
  error_code: status === 'rejected' || status === 'failed' ? (error_code ?? ERROR_CODES[status]) : null,
  error_message: status === 'rejected' || status === 'failed' ? (error ?? body ?? '') : null,
  reply: body === null ? null : { body, data, ...byHand(claim) },
  settled_at,
});
