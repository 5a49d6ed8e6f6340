import {
  type Address,
  isOutside,
  parseShortAddress,
  shortAddress,
  splitTag,
  taggedAddress,
} from '@mailroom/behavior/values/address';
import { type Clock, DAY, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError, idempotencyMismatch, invalid } from '@mailroom/behavior/values/error';
import { isId, isReplyId, messageIdOf } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import { findInThread, isOf } from '../access/thread.ts';
import { MAX_LABELS } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { addressesIn, untagged } from '../entities/recipients.ts';
import type { Review } from '../entities/review.ts';
import { wakesForCc } from '../entities/wake.ts';
import { MessageFiles } from '../files/uploads.ts';
import type { HeldMessages } from '../mail-out/held-messages.ts';
import type { OutsideMail } from '../mail-out/outside-mail.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { isSameSubmission, recognizable } from '../runs/same-submission.ts';
import { MAX_HOPS, type ManySubmission, type Sent, type Submission, type Wait } from '../runs/submission.ts';
import type { LoopNotices } from '../submission/loop-notices.ts';
import {
  distinct,
  type Named,
  type NamedLists,
  onlyRecipient,
  type ReadFields,
  storedLists,
} from '../submission/many-fields.ts';
import type { Limiter } from '../values/limits.ts';
import type { Submitter } from './submit.ts';

/** Longer than any node may be away with a claim. */
const IDEMPOTENCY_MS = 7 * DAY;
/** When a job makes the copies that the accepting node did not make. */
const COPIES_MS = MINUTE;
/** For how long a copy is tried. */
const TRY_MS = DAY;
/** Errors that pass. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'mailbox_full',
  'storage_full',
  'unavailable',
  'rate_limited',
  'internal',
]);

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly post: Submitter;
  readonly outside: OutsideMail;
  readonly held: HeldMessages;
  /** What would leave waits for its review. */
  readonly onReview: (review: Review) => void;
  readonly dispatch: Pick<Dispatch, 'register'>;
  readonly loops: LoopNotices;
  readonly clock: Clock;
  /** The limit on all that a namespace sends; undefined: none. */
  readonly sends?: Limiter | undefined;
  readonly max_waiting: number;
  readonly mailDomain: string;
}

/** Sends messages to several recipients: addresses here get copies of their own, those outside deliveries. */
export class ToMany {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('copies', (claim) => this.#run(claim));
  }

  /** Sends a message with the fields that were read for it, to one or to several; labels it where its sender has it. */
  async sendTo(base: ManySubmission, { lists, mail, metadata, labels }: ReadFields, wait?: Wait): Promise<Sent> {
    const { store, post } = this.#parts;
    const submission = { ...base, mail, metadata };
    const to = onlyRecipient(lists);
    const sent =
      to === undefined ? await this.send(submission, lists, wait) : await post.send({ ...submission, to }, wait);
    if (labels.length === 0 || base.from_mailbox_id === null) return sent;
    const changed = await store.labels.change(
      base.from_mailbox_id,
      sent.message.id,
      { add: labels, remove: [] },
      MAX_LABELS,
    );
    return changed === 'full' ? sent : { ...sent, message: { ...sent.message, ...changed } };
  }

  /** Throws what `sendTo` would throw now, without writing anything. */
  async checkTo(submission: ManySubmission, { lists }: Pick<ReadFields, 'lists'>): Promise<void> {
    const to = onlyRecipient(lists);
    if (to !== undefined) {
      await this.#parts.post.check({ ...submission, to });
      return;
    }
    const { whole, recipients } = wholeOf(submission, lists);
    await this.#thread(whole);
    await this.#check(whole, recipients);
  }

  /**
   * Checks all recipients, then stores the message and makes the copies; with `wait` it resolves when each address in To
   * has settled, or after `wait.ms`. AppError as of a send to one, with a pointer for each recipient that refuses; then
   * nothing was stored.
   */
  async send(submission: ManySubmission, lists: NamedLists, wait?: Wait): Promise<Sent> {
    const parts = wholeOf(submission, lists);
    return this.#parts.held.counting(parts.whole, this.#send(parts, wait));
  }

  async #send({ whole, recipients }: ReturnType<typeof wholeOf>, wait: Wait | undefined): Promise<Sent> {
    const { store, post, outside, clock } = this.#parts;
    const { idempotency } = whole;
    const earlier = idempotency && (await store.idempotency(idempotency.scope, idempotency.key, clock()));
    if (earlier !== undefined && idempotency !== undefined) return this.#replayed(earlier, idempotency.hash, wait);
    const first = await this.#thread(whole);
    await this.#check(whole, recipients);
    const held = await this.#held(whole, first);
    if (held !== undefined) return held;
    const all = namedIn(recipients).map(({ address }) => taggedAddress(address));
    await this.#count(whole.sender, all.length);
    const targets = all.filter(isOutside);
    const here = all.length > targets.length;
    const copies_at = here ? clock() + COPIES_MS : null;
    const written = await outside.write(whole, { first, targets, copies_at });
    if ('hash' in written) return this.#replayed(written, idempotency?.hash ?? '', wait);
    if (here && (await this.copy(written)) === 'done') await store.jobs.remove(written.id);
    const message = (await post.sent(written, wait)) ?? written;
    return { message: { ...message, ...(written.email !== undefined && { email: written.email }) }, replayed: false };
  }

  /** What waits until an owner of its sender's mailbox has seen it; undefined of what leaves at once. */
  async #held(whole: Submission, first: Message | undefined): Promise<Sent | undefined> {
    const { held, onReview } = this.#parts;
    const from = await held.policied(whole);
    const review = from && (await held.reviewOf(whole, from, first));
    if (review === undefined) return undefined;
    const { recipients } = whole;
    await this.#count(whole.sender, recipients === undefined ? 1 : addressesIn(recipients).length);
    const written = await held.write(whole, first, review);
    if ('hash' in written) return this.#replayed(written, whole.idempotency?.hash ?? '', undefined);
    onReview({ ...review, message_id: written.id });
    return { message: written, replayed: false };
  }

  /** Counts a send for each recipient but the first, which is counted as any send is. AppError `rate_limited`. */
  async #count({ namespace_id }: ManySubmission['sender'], recipients: number): Promise<void> {
    const { sends } = this.#parts;
    for (let counted = 1; sends !== undefined && namespace_id !== null && counted < recipients; counted++) {
      const taken = await sends.take(namespace_id);
      if (taken.allowed) continue;
      for (; counted > 1; counted--) sends.refund(namespace_id);
      throw new AppError(
        'rate_limited',
        `Each of the ${recipients} recipients counts as a message, and that are too many at once. Try again later.`,
        {
          retry_after_ms: taken.reset_ms,
        },
      );
    }
  }

  async #replayed(earlier: { readonly id: string; readonly hash: string }, hash: string, wait: Wait | undefined) {
    if (!isSameSubmission(earlier.hash, hash)) throw idempotencyMismatch();
    const message = await this.#parts.store.messages.byId(earlier.id);
    if (message === undefined)
      throw new AppError('message_not_found', 'The message created with this idempotency key was deleted.');
    return { message: (await this.#parts.post.sent(message, wait)) ?? message, replayed: true };
  }

  /** Refuses the whole message where one recipient refuses it. */
  async #check(submission: Submission, recipients: NamedLists): Promise<void> {
    const refused: { readonly error: AppError; readonly pointer: string }[] = [];
    if (submission.hops >= MAX_HOPS) {
      if (submission.caused_in !== undefined) await this.#parts.loops.detected([submission.caused_in]);
      throw new AppError('loop_detected', `${MAX_HOPS} messages caused one another; this one was not sent.`);
    }
    for (const { address, pointer } of namedIn(recipients)) {
      try {
        await this.#checkOne({ ...submission, to: address, thread_id: null, in_reply_to: null });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
        refused.push({ error, pointer });
      }
    }
    const [first] = refused;
    if (first === undefined) return;
    const errors = refused.map(({ error, pointer }) => ({ pointer, message: error.message }));
    const { code, message, retry_after_ms } = first.error;
    throw new AppError(code, message, { errors, ...(retry_after_ms !== undefined && { retry_after_ms }) });
  }

  async #checkOne(submission: Submission): Promise<void> {
    const { store, post, directory, max_waiting: max } = this.#parts;
    await post.check(submission);
    const { to } = submission;
    if (isOutside(taggedAddress(to))) return;
    const mailbox = await directory.mailbox(to.local, to.namespace);
    if (mailbox === undefined || (await store.handlings.countWaiting(mailbox.id, max)) < max) return;
    throw new AppError(
      'mailbox_full',
      `Too many messages are waiting for ${shortAddress(to.local, to.namespace)}. Send it again later.`,
      { retry_after_ms: MINUTE },
    );
  }

  /** A message of the thread that is continued, of which the sender is one of From, To, Cc and Bcc. */
  async #thread({ thread_id, in_reply_to, sender }: ManySubmission): Promise<Message | undefined> {
    const { store } = this.#parts;
    if (in_reply_to !== null) {
      const id = isReplyId(in_reply_to) ? messageIdOf(in_reply_to) : in_reply_to;
      const before = isId('msg', in_reply_to) ? await store.messages.byId(id) : undefined;
      if (before !== undefined && isOf(before, sender) && (thread_id ?? before.thread_id) === before.thread_id)
        return before;
      throw invalid(
        '/in_reply_to',
        'There is no such message of this sender’s. Use an id from your own thread, or leave it out.',
      );
    }
    if (thread_id === null) return undefined;
    const found = isId('thr', thread_id)
      ? await findInThread(store, thread_id, (message) => isOf(message, sender))
      : undefined;
    if (found !== undefined) return found;
    throw invalid('/thread_id', 'There is no such thread of this sender’s. Leave thread_id out to begin one.');
  }

  /** Throws what a send to these would throw now; they may be some of those that a message names. */
  checkAll(submission: ManySubmission, named: readonly Named[]): Promise<void> {
    const [first] = named;
    if (first === undefined) return Promise.resolve();
    return this.#check({ ...submission, to: first.address }, { to: named, cc: [], bcc: [] });
  }

  /** Makes the copies of a message that are not made so far, but one for `except`; `later`: some wait for what passes. */
  async copy(message: Message, except: string | null = null): Promise<'done' | 'later'> {
    const { recipients } = message;
    if (recipients === undefined) return 'done';
    const here = addressesIn(recipients).filter((address) => !isOutside(address) && untagged(address) !== except);
    const results = await Promise.all(here.map((address) => this.#copyTo(message, address)));
    return results.includes('later') ? 'later' : 'done';
  }

  async #copyTo(message: Message, address: string, key_id = message.key_id): Promise<'done' | 'later'> {
    const { store, post, directory, clock } = this.#parts;
    const { recipients } = message;
    const to = parseTagged(address);
    const mailbox = await directory.mailbox(to.local, to.namespace);
    if (mailbox === undefined || recipients === undefined) return 'done';
    await using upload = await MessageFiles.copyOf(message, { store, clock });
    if (upload === undefined) return 'done';
    const isTo = recipients.to.includes(address);
    const listens = !isTo && !wakesForCc(mailbox, { text: message.body, hops: message.hops }, this.#parts.mailDomain);
    try {
      const { message: copy } = await post.send({
        ...submissionOf({ ...message, key_id }, to, clock()),
        upload,
        ...(listens && { unanswered: true, not_answered: 'cc' }),
      });
      if (listens) await store.labels.change(mailbox.id, copy.id, { add: ['cc'], remove: [] }, Number.MAX_SAFE_INTEGER);
      await this.#name(message, copy, mailbox);
      return 'done';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Its key worked when it was accepted; what was revoked since gives the copy no rights.
      if (error.code === 'invalid_key' && key_id !== null) return this.#copyTo(message, address, null);
      return TRANSIENT.has(error.code) && clock() < message.created_at + TRY_MS ? 'later' : 'done';
    }
  }

  /** Lets a mail that answers the message find the copy too, in the namespace of its mailbox. */
  async #name(message: Message, copy: Message, { namespace_id }: Mailbox): Promise<void> {
    if (message.sender_namespace_id === namespace_id) return;
    const { emails, messageIds } = this.#parts.store;
    const [email] = await emails.byMessages([message.id]);
    if (email?.rfc_id != null) await messageIds.add(namespace_id, copy.id, [email.rfc_id]);
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock } = this.#parts;
    const message = await store.messages.byId(claim.id);
    if (message === undefined) return store.jobs.remove(claim.id);
    if ((await this.copy(message)) === 'done') await store.jobs.remove(claim.id);
    else await store.jobs.later(claim, clock() + MINUTE);
  }
}

/** The submission of a copy, the same whenever it is made. */
function submissionOf(message: Message, to: Address, now: Millis): Submission {
  const { id, body, subject, data, channel, hops, sender_kind, sender_id, sender_namespace_id, key_id, from } = message;
  const { to: toList = [], cc = [] } = message.recipients ?? {};
  return {
    to,
    body,
    subject,
    data,
    sender: { kind: sender_kind, id: sender_id, namespace_id: sender_namespace_id, key_id, from },
    agent: message.sender_agent ?? undefined,
    from_mailbox_id: sender_kind === 'mailbox' ? sender_id : null,
    channel,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    retry_of: null,
    hops,
    try_out: false,
    payer: null,
    idempotency: {
      scope: `copies:${id}`,
      key: taggedAddress(to),
      hash: id,
      expires_at: now + IDEMPOTENCY_MS,
    },
    copy_of: id,
    recipients: { to: toList, cc },
    mail: message.mail,
  };
}

const parseTagged = (stored: string): Address => {
  const { address, tag } = splitTag(stored);
  return { ...parseShortAddress(address), tag };
};

const namedIn = ({ to, cc, bcc }: NamedLists): readonly Named[] => [...to, ...cc, ...bcc];

/** The submission of the message itself, with each address once. AppError `validation_error`. */
function wholeOf(submission: ManySubmission, lists: NamedLists) {
  const recipients = distinct(lists);
  const [to] = recipients.to;
  if (to === undefined) throw invalid('/to', 'Name at least one address in `to`.');
  const whole: Submission = { ...submission, to: to.address, recipients: storedLists(recipients) };
  const { idempotency } = whole;
  return {
    recipients,
    whole: idempotency === undefined ? whole : { ...whole, idempotency: recognizable(whole, idempotency) },
  };
}
