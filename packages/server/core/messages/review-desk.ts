import { sentBytes } from '@mailroom/behavior/reply-limit';
import { type Clock, MINUTE, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import type { Answering } from '../answers/answering.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { addressesIn, untagged } from '../entities/recipients.ts';
import { hashOf, type LeavingMessage, mayLeave, type Review, type ReviewTexts } from '../entities/review.ts';
import type { HeldMessages } from '../mail-out/held-messages.ts';
import type { OutsideMail } from '../mail-out/outside-mail.ts';
import type { Claim } from '../ports/claim.ts';
import type { Settlement } from '../ports/messages.ts';
import type { OwnAnswer, ReviewDecision } from '../ports/reviews.ts';
import type { Store } from '../ports/store.ts';
import { Gate } from '../review/gate.ts';
import type { CarriedAnswer, CarriedFurther, HeldAnswers } from '../review/held-answers.ts';
import { authorOf } from '../review/leaving.ts';
import { isProven, proofOf, type Verify } from '../review/proof.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { Settler } from '../runs/settle.ts';
import type { AnswerAll } from './answer-all.ts';
import { sameWords, withBody, withOwn } from './carried-texts.ts';
import { isOvertaken } from './overtaken.ts';
import type { ToMany } from './to-many.ts';

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly gate: Gate;
  readonly settler: Settler;
  readonly answering: Answering;
  readonly answerAll: AnswerAll;
  readonly held: HeldMessages;
  readonly heldAnswers: HeldAnswers;
  readonly outside: OutsideMail;
  readonly toMany: ToMany;
  readonly dispatch: Pick<Dispatch, 'register' | 'checkDue' | 'publishEvents'>;
  readonly clock: Clock;
  /** A compact JWS over the text, for `verify-receipt`. */
  readonly sign: (payload: string) => Promise<string>;
  readonly verify: Verify;
  readonly max_reply: number;
  /** Owners are to be asked about it. */
  readonly onReview: (review: Review) => void;
}

/** Who decides or changes. */
export interface Reviewer {
  /** The key, the session of the console, or the account of an owner who writes by mail. */
  readonly actor: string;
  /** The key, or that account. */
  readonly key: string;
}

type Decided = Pick<ReviewDecision, 'status' | 'decided_by' | 'reason'> & { readonly decided_at?: Millis | undefined };

/** New texts of a message that waits; what is undefined stays. */
export interface ReviewEdit {
  /** The hash of what was read; undefined: whatever it is. */
  readonly hash?: string | undefined;
  readonly subject?: string | null | undefined;
  readonly body?: string | undefined;
  readonly html?: string | null | undefined;
}

/** What becomes of messages that wait until an owner has seen them. */
export class ReviewDesk {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('review', (claim) => this.#run(claim));
  }

  /**
   * Lets it leave; `decided_at` is when, where that was before now. AppError `access_denied` to who wrote it or changed it
   * last, `review_changed` where it has another hash by now, `not_waiting` once it was decided.
   */
  async approve(review: Review, hash: string, by: Reviewer, decided_at?: Millis): Promise<Review> {
    await this.checkApproval(review, hash, by);
    return this.#decide(review, hash, { status: 'approved', decided_by: by.key, reason: null, decided_at });
  }

  /** AppError as of `approve`, which would be refused. */
  async checkApproval(review: Review, hash: string, by: Reviewer): Promise<void> {
    if (by.actor === review.written_by || by.actor === review.changed_by) {
      await this.refused(review, by.key, 'Who wrote it, or changed it last, does not approve it.');
      throw new AppError(
        'access_denied',
        'Who wrote a message, or changed it last, does not approve it. Another owner does, or another key with mail:review. Where there is none, reject it and write it yourself in the console: what a person writes there waits for no one.',
      );
    }
    if (review.status !== 'pending') throw notWaiting(review);
    if (hash !== review.hash) throw changed();
    await this.#refresh(review);
    if (await this.#overtaken(review)) throw await this.#why(review, hash);
  }

  /** Rejects what a program wrote where a person answered by hand since: they would both leave. */
  async #overtaken(review: Review): Promise<boolean> {
    const { store } = this.#parts;
    const message = await store.messages.byId(review.message_id);
    if (message === undefined || !(await isOvertaken(review, message, store))) return false;
    await this.#decide(review, review.hash, { status: 'rejected', decided_by: null, reason: OVERTAKEN });
    return true;
  }

  /** Shows its owners a decision that was refused: of a key, or of a mail that says it is from this address. */
  async refused({ id, namespace_id }: Pick<Review, 'id' | 'namespace_id'>, from: string, why: string): Promise<void> {
    const { store, clock, dispatch } = this.#parts;
    await store.reviews.refused(id, { from: from.slice(0, MAX_FROM), why, at: clock() }, MAX_REFUSALS);
    dispatch.publishEvents(namespace_id);
  }

  /** Keeps it from leaving. AppError as of `approve`, but for who wrote it; without a hash it is on any text. */
  reject(review: Review, by: Reviewer, reason: string | null, hash = review.hash): Promise<Review> {
    return this.#decide(review, hash, { status: 'rejected', decided_by: by.key, reason });
  }

  /**
   * Rejects an answer, and sends what a person in a session of the console wrote in its place: one write, so that there is
   * never another answer between. AppError as of `reject`, `validation_error` where it is what was held, `body_too_large`.
   */
  async sendOwn(review: Review, hash: string, body: string, by: Reviewer): Promise<Review> {
    const { store } = this.#parts;
    if (review.kind === 'send')
      throw invalid('/body', 'It is no answer: reject it, and write your own message in the console.');
    if (sameWords(body, (review.original ?? review.message).body))
      throw invalid('/body', 'These are not your words, but those that wait: approve them, or change them.');
    this.#requireFits(body, null);
    const message = await store.messages.byId(review.message_id);
    const mailbox = await store.mailboxes.byId(review.mailbox_id);
    if (message === undefined || mailbox === undefined || mailbox.deleted_at !== null) throw notWaiting(review);
    const key = await store.keys.byId(by.key);
    const carries = withOwn(review, body, await this.#parts.answering.answererOf(key, mailbox, null));
    const own = { carries, own_hash: hashOf(await this.#leaving({ ...review, carries }, message, mailbox)) };
    return this.#decide(review, hash, { status: 'rejected', decided_by: by.key, reason: OWN_ANSWER }, own);
  }

  #requireFits(body: string, data: string | null): void {
    const { max_reply } = this.#parts;
    const bytes = sentBytes(body) + Buffer.byteLength(data ?? '');
    if (bytes > max_reply)
      throw new AppError('body_too_large', `It has at most ${max_reply} bytes; this one has ${bytes}.`, {
        errors: [{ pointer: '/body', message: `At most ${max_reply} bytes.` }],
      });
  }

  /**
   * Gives it another text, and so another hash. AppError `validation_error`, `body_too_large`, `not_waiting`,
   * `review_changed` where it has not the hash that the change is on.
   */
  async edit(review: Review, { hash = review.hash, ...edit }: ReviewEdit, by: Reviewer): Promise<Review> {
    const { store, directory, gate, onReview } = this.#parts;
    if (Object.values(edit).every((text) => text === undefined))
      throw invalid('', 'Name what changes: subject, body or html.');
    if (review.status === 'pending' && hash !== review.hash) throw changed();
    if (review.kind !== 'send' && edit.subject !== undefined)
      throw invalid('/subject', 'An answer has the subject of what it answers. Leave it out.');
    if (review.kind !== 'send' && edit.html !== undefined)
      throw invalid('/html', 'An answer has no HTML of its own. Leave it out.');
    const { subject = review.message.subject, body = review.message.body, html = review.message.html } = edit;
    const message: LeavingMessage = { ...review.message, subject, body, html };
    this.#requireFits(body, message.data);
    const mailbox = await directory.mailboxById(review.mailbox_id);
    if (mailbox === undefined) throw notWaiting(review);
    const stored = await store.messages.byId(review.message_id);
    const recipients = stored === undefined ? [] : recipientsOf(review, stored);
    const change = {
      message,
      hash: hashOf(message),
      original: review.original ?? textsOf(review.message),
      findings: await gate.findings(
        mailbox,
        recipients,
        message,
        (review.kind === 'send' ? review.message_id : review.reply_id) ?? undefined,
      ),
      carries: withBody(review, body),
      changed_by: by.actor,
    };
    if (!(await store.reviews.change(review.id, review.hash, change, this.#parts.clock())))
      throw await this.#why(review, review.hash);
    this.#parts.dispatch.publishEvents(review.namespace_id);
    const edited = { ...review, ...change };
    onReview(edited);
    return edited;
  }

  /**
   * Shows what would leave now, where something of it was changed since it was written: the name or the domain of its
   * mailbox, a file. AppError `review_changed` then.
   */
  async #refresh(review: Review): Promise<void> {
    const { store } = this.#parts;
    const message = await store.messages.byId(review.message_id);
    const mailbox = await store.mailboxes.byId(review.mailbox_id);
    if (message === undefined || mailbox === undefined || mailbox.deleted_at !== null) return;
    const leaving = await this.#leaving(review, message, mailbox);
    if (Gate.isDecided(review, leaving)) return;
    const { original, findings, carries, changed_by } = review;
    const change = { message: leaving, hash: hashOf(leaving), original, findings, carries, changed_by };
    await store.reviews.change(review.id, review.hash, change, this.#parts.clock());
    this.#parts.dispatch.publishEvents(review.namespace_id);
    throw changed();
  }

  /** What would leave now, by what is stored of it. */
  async #leaving(review: Review, message: Message, mailbox: Mailbox): Promise<LeavingMessage> {
    const { store, held, heldAnswers } = this.#parts;
    if (review.kind === 'send') return held.leaving(message, mailbox, review);
    if (review.kind === 'further') {
      const { reply, recipients } = JSON.parse(review.carries) as CarriedFurther;
      const files = await store.attachments.of(review.reply_id ?? '');
      return heldAnswers.leaving(message, mailbox, { reply, files, recipients });
    }
    const { settlement, recipients } = JSON.parse(review.carries) as CarriedAnswer;
    const reply = settlement.reply ?? { body: '', data: null };
    return heldAnswers.leaving(message, mailbox, { reply, files: message.reply_attachments, recipients });
  }

  async #decide(
    review: Review,
    hash: string,
    { status, decided_by, reason, decided_at = this.#parts.clock() }: Decided,
    own?: OwnAnswer,
  ): Promise<Review> {
    const { store, sign, dispatch } = this.#parts;
    if (review.status !== 'pending') throw notWaiting(review);
    if (hash !== review.hash) throw changed();
    if (decided_at >= review.expires_at) throw notWaiting(review);
    const unproven = { ...review, status, decided_by, decided_at };
    const receipt = status === 'approved' ? await sign(proofOf(unproven)) : null;
    const decision = { status, decided_by, decided_at, reason, receipt };
    if (!(await store.reviews.decide(review.id, hash, decision, own))) throw await this.#why(review, hash);
    dispatch.publishEvents(review.namespace_id);
    const decided = { ...unproven, ...decision, ...own };
    // Where this process ends now, its job carries the decision out.
    await this.#carryOut(decided).catch(() => dispatch.checkDue());
    return decided;
  }

  async #why(review: Review, hash: string): Promise<AppError> {
    const now = await this.#parts.store.reviews.byId(review.id);
    return now?.status === 'pending' && now.hash !== hash ? changed() : notWaiting(now ?? review);
  }

  /** Its time is over, or it was decided. */
  async #run(claim: Claim): Promise<void> {
    const { store, clock, dispatch } = this.#parts;
    const review = await store.reviews.byId(claim.id);
    if (review === undefined) return store.jobs.remove(claim.id);
    if (review.status !== 'pending') return this.#carryOut(review);
    const now = clock();
    if (now < review.expires_at) {
      await store.jobs.later(claim, review.expires_at);
      return;
    }
    const message = await store.messages.byId(review.message_id);
    const overtaken = message !== undefined && (await isOvertaken(review, message, store));
    const end = overtaken
      ? ({ status: 'rejected', reason: OVERTAKEN } as const)
      : ({ status: 'expired', reason: null } as const);
    const decision = { ...end, decided_by: null, decided_at: now, receipt: null };
    if (!(await store.reviews.decide(review.id, review.hash, decision))) return this.#run(claim);
    dispatch.publishEvents(review.namespace_id);
    await this.#carryOut({ ...review, ...decision });
  }

  async #carryOut(review: Review): Promise<void> {
    const { store } = this.#parts;
    const message = await store.messages.byId(review.message_id);
    const mailbox = await store.mailboxes.byId(review.mailbox_id);
    if (message !== undefined && mailbox !== undefined && mailbox.deleted_at === null)
      if (!mayLeave(review)) await this.#keepBack(review, message, mailbox);
      else if (await isProven(review, this.#parts.verify)) await this.#letLeave(review, message, mailbox);
      else await this.#keepBack(review, message, mailbox, CHANGED);
    await store.reviews.done(review);
  }

  async #letLeave(review: Review, message: Message, mailbox: Mailbox): Promise<void> {
    const { store, clock } = this.#parts;
    if (review.status === 'approved') {
      const addresses = recipientsOf(review, message).map(untagged);
      await store.reviews.addContacts(mailbox.id, addresses, clock());
    }
    if (review.kind === 'send') await this.#release(review, message, mailbox);
    else if (review.kind === 'answer') await this.#answer(review, message, mailbox);
    else await this.#further(review, message, mailbox);
  }

  async #release(review: Review, message: Message, mailbox: Mailbox): Promise<void> {
    const { outside, toMany, store, clock, settler } = this.#parts;
    if (isSettled(message.status)) return;
    if (!Gate.isDecided(review, await this.#leaving(review, message, mailbox)))
      return this.#keepBack(review, message, mailbox, CHANGED);
    if (!(await outside.release(message, mailbox, review, clock() + MINUTE))) return;
    settler.publishEvents(mailbox.namespace_id);
    if ((await toMany.copy(message)) === 'done') await store.jobs.remove(message.id);
  }

  async #answer(review: Review, message: Message, mailbox: Mailbox): Promise<void> {
    const { settler, answerAll, clock } = this.#parts;
    const { settlement, effects, recipients, namespace_id } = JSON.parse(review.carries) as CarriedAnswer;
    if (settlement.reply === null) return;
    const write = async (): Promise<boolean> => {
      if (isSettled(message.status)) return message.reply !== null;
      if (!Gate.isDecided(review, await this.#leaving(review, message, mailbox))) {
        await this.#keepBack(review, message, mailbox, CHANGED);
        return false;
      }
      return settler.decided(message, mailbox, review.hash, { ...settlement, settled_at: clock() }, effects);
    };
    const all = recipients && { recipients, author: authorAmong(message), namespace_id };
    if (all === undefined) await write();
    else await answerAll.around(mailbox, { ...all, reply_id: replyIdOf(message.id) }, write);
  }

  async #further(review: Review, message: Message, mailbox: Mailbox): Promise<void> {
    const { answering, answerAll } = this.#parts;
    const { reply, recipients, namespace_id, answered_by } = JSON.parse(review.carries) as CarriedFurther;
    const id = review.reply_id;
    if (id === null) return;
    const write = async (): Promise<boolean> => {
      if (!Gate.isDecided(review, await this.#leaving(review, message, mailbox))) {
        await this.#parts.store.reviews.giveBack(review);
        return false;
      }
      await answering.letFurther(message, { id, ...reply, answered_by });
      return true;
    };
    const all = recipients && { recipients, author: authorAmong(message), namespace_id };
    if (all === undefined) await write();
    else await answerAll.around(mailbox, { ...all, reply_id: id }, write);
  }

  async #keepBack(
    review: Review,
    message: Message,
    mailbox: Mailbox,
    [code, text]: readonly [string, string] = review.status === 'expired' ? EXPIRED : REJECTED,
  ): Promise<void> {
    await this.#parts.store.reviews.giveBack(review);
    if (review.kind === 'further' || isSettled(message.status)) return;
    const settlement: Settlement = {
      status: 'rejected',
      error_code: code,
      error_message: text,
      reply: null,
      settled_at: this.#parts.clock(),
    };
    await this.#parts.settler.decided(message, mailbox, review.hash, settlement);
  }
}

/** Refused decisions of a review that are kept. */
const MAX_REFUSALS = 10;
/** Characters of an address that a mail says it is from. */
const MAX_FROM = 320;
/** Why what waited was rejected, where a person sent their own answer. */
const OWN_ANSWER = 'Answered by hand in its place.';
const OVERTAKEN = 'Answered by hand since it was written.';
const REJECTED = ['review_rejected', 'The owner of this mailbox has kept back what would have left it.'] as const;
const EXPIRED = ['review_expired', 'There was no decision in time whether this may leave the mailbox.'] as const;
const CHANGED = ['review_rejected', 'What would have left was not what its owner has seen.'] as const;

function recipientsOf({ kind, carries }: Review, message: Message): readonly string[] {
  if (kind === 'send') return message.recipients === undefined ? [] : addressesIn(message.recipients);
  const { recipients } = JSON.parse(carries) as CarriedAnswer;
  if (recipients !== undefined) return addressesIn(recipients);
  const author = authorAmong(message);
  return author === null ? [] : [author];
}

const authorAmong = (message: Message): string | null => {
  const author = authorOf(message);
  return author === null ? null : untagged(author);
};

const textsOf = ({ subject, body, html }: LeavingMessage): ReviewTexts => ({ subject, body, html });

const changed = (): AppError =>
  new AppError('review_changed', 'It is not what you saw: it was changed meanwhile. Read it again, and decide then.');

const notWaiting = ({ id, status, reason, expires_at }: Review): AppError =>
  new AppError(
    'not_waiting',
    status === 'pending'
      ? `The time of ${id} was over at ${rfc3339(expires_at)}.`
      : `${id} waits no more: it is ${status}.${reason === OVERTAKEN ? ` ${reason}` : ''}`,
  );
