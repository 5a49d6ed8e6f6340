import { DAY, HOUR, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { rightsTo } from '../access/caller.ts';
import type { Answer } from '../answers/answer.ts';
import type { Answering } from '../answers/answering.ts';
import type { ConversationDesk } from '../answers/conversation-desk.ts';
import type { AuditOrigin } from '../entities/audit.ts';
import { hasScope, isLive, type Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { ManyFields } from '../entities/sending.ts';
import { auditScope, inAuditScope } from '../ports/audit-scope.ts';
import type { Claim } from '../ports/claim.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { hasManyFields } from '../submission/many-fields.ts';
import { HELD_SEND } from '../values/states.ts';
import type { AnswerAll } from './answer-all.ts';
import type { AnswerDrafts } from './answer-drafts.ts';
import { checkForward, type Forwarding, type ForwardParts, forward } from './forward.ts';
import { type ApprovalParts, approveHeld, checkApproval, type HeldApproval } from './held-approvals.ts';

/** What a person sends in a conversation: an answer by hand, whose files are those of its draft, or a forward. */
type HeldMessage =
  | (Pick<Answer, 'status' | 'body' | 'error'> & {
      readonly kind: 'answer';
      /** How many replies its author had seen, as of `Answer`. */
      readonly seen: number | null;
      /** Its conversation is done once it has left. */
      readonly done?: true;
      readonly fields: Pick<ManyFields, 'to' | 'cc' | 'bcc'>;
    })
  | { readonly kind: 'forward'; readonly wanted: Forwarding };

interface Stored<Send = HeldMessage | HeldApproval> {
  readonly key_id: string;
  /** The message; of an approval what `aboutOf` names. */
  readonly message_id: string;
  readonly leaves_at: Millis;
  /** It is leaving, so that it can no longer be taken back. */
  readonly leaving?: true;
  /** Why it did not leave. */
  readonly failed?: string;
  /** How the request came that it is of. */
  readonly origin?: AuditOrigin;
  readonly send: Send;
}

/** An approval that can be taken back, or why it did not count. */
export type ApprovalState = Pick<Stored, 'leaves_at' | 'failed'> & { readonly hash: string };

interface Parts extends ForwardParts, Pick<ApprovalParts, 'decisions' | 'reviewDesk'> {
  readonly answering: Answering;
  readonly answerAll: AnswerAll;
  readonly answerDrafts: AnswerDrafts;
  readonly conversationDesk: Pick<ConversationDesk, 'change'>;
  readonly dispatch: Pick<Dispatch, 'register' | 'checkDue'>;
  /** Called when one could not leave for a reason that is no fault of it. */
  readonly onError: (error: unknown) => void;
}

/** What who sends it needs still as it leaves. */
const SCOPES = { answer: 'mail:answer', forward: 'mail:send' } as const;
/** A failure is shown for this long, and one that cannot be carried out is tried for as long. */
const KEPT_MS = DAY;

/** Sends of people that are held on the server for as long as they may be taken back. One a message and writer. */
export class HeldSends {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('held', (claim) => this.#run(claim));
  }

  /**
   * Holds it for `undo_ms`, durable when it resolves; one that is held already stays as it is. AppError as of a send where
   * one of its recipients would refuse it now.
   */
  async hold(key: Key, message: Message, mailbox: Mailbox, send: HeldMessage, undo_ms: Millis): Promise<void> {
    await this.#check(key, message, mailbox, send);
    await this.#hold(key, message.id, send, undo_ms);
  }

  /**
   * Holds an approval for `undo_ms`, or approves at once where that is 0 or what is approved could expire before it is
   * carried out. AppError as of approving it now.
   */
  async approve(key: Key, approval: HeldApproval, undo_ms: Millis): Promise<void> {
    const now = this.#parts.clock();
    const expires_at = await checkApproval(key, approval, this.#parts);
    if (undo_ms === 0 || (expires_at !== undefined && expires_at <= now + undo_ms + MAX_LATE_MS))
      return approveHeld(key, approval, now, this.#parts);
    const about = aboutOf(approval.id);
    const earlier = (await this.#read(idOf(key.id, about)))?.stored.send;
    // It is of a text that was changed since.
    if (earlier !== undefined && hashOf(earlier) !== approval.hash) await this.#takeBack(key, about);
    await this.#hold(key, about, approval, undo_ms);
  }

  async #hold(key: Key, message_id: string, send: Stored['send'], undo_ms: Millis): Promise<void> {
    const { store, clock, dispatch } = this.#parts;
    const now = clock();
    const origin = auditScope()?.origin;
    const stored: Stored = { key_id: key.id, message_id, leaves_at: now + undo_ms, ...(origin && { origin }), send };
    const id = idOf(key.id, message_id);
    const state = { kind: HELD_SEND, id, subject: key.id, value: JSON.stringify(stored), expires_at: now + KEPT_MS };
    const earlier = await this.#read(id);
    if (earlier?.stored.failed !== undefined) await store.states.remove(HELD_SEND, id);
    // First, so that what is held leaves wherever the process ends; a job of nothing ends.
    await store.jobs.add({ id: jobOf(id), kind: 'held', due_at: stored.leaves_at });
    if (await store.states.put(state, now)) dispatch.checkDue();
  }

  async #check(key: Key, message: Message, mailbox: Mailbox, send: HeldMessage): Promise<void> {
    if (send.kind === 'forward') await checkForward(message, send.wanted, { key, ...FORWARD }, this.#parts);
    else await this.#parts.answerAll.check(message, mailbox, send.fields, key);
  }

  /** What this key's person has sent for the message and can take back, or why it did not leave. */
  async find(key: Key, message: Pick<Message, 'id'>): Promise<Stored<HeldMessage> | undefined> {
    const stored = (await this.#read(idOf(key.id, message.id)))?.stored;
    return stored !== undefined && isOfMessage(stored) ? stored : undefined;
  }

  /** What this key's person has approved and can take back, or why it did not count, by its id. */
  async approvals(key: Key): Promise<ReadonlyMap<string, ApprovalState>> {
    const { store, clock } = this.#parts;
    const all = (await store.states.of(HELD_SEND, key.id, clock())).map(({ value }) => JSON.parse(value) as Stored);
    return new Map(
      all.flatMap(({ send, ...state }) => ('hash' in send ? [[send.id, { ...state, hash: send.hash }]] : [])),
    );
  }

  /** Takes it back. Undefined when it has left, or is leaving. */
  async undo(key: Key, message: Pick<Message, 'id'>): Promise<HeldMessage | undefined> {
    return (await this.find(key, message)) && ((await this.#takeBack(key, message.id)) as HeldMessage | undefined);
  }

  /** Takes an approval back, so that it waits again. Nothing where it was carried out, or is being so. */
  async disapprove(key: Key, id: string): Promise<void> {
    await this.#takeBack(key, aboutOf(id));
  }

  async #takeBack(key: Key, message_id: string): Promise<Stored['send'] | undefined> {
    const { store, clock } = this.#parts;
    const id = idOf(key.id, message_id);
    const found = await this.#read(id);
    if (found === undefined || found.stored.leaving === true || found.stored.failed !== undefined) return undefined;
    const taken = JSON.stringify({ ...found.stored, leaving: true });
    if (!(await store.states.swap(HELD_SEND, id, found.value, taken, clock()))) return undefined;
    await this.#done(id);
    return found.stored.send;
  }

  /** Forgets why one did not leave. */
  async forget(key: Key, message: Pick<Message, 'id'>): Promise<void> {
    const id = idOf(key.id, message.id);
    if ((await this.#read(id))?.stored.failed !== undefined) await this.#parts.store.states.remove(HELD_SEND, id);
  }

  async #read(id: string): Promise<{ readonly value: string; readonly stored: Stored } | undefined> {
    const state = await this.#parts.store.states.get(HELD_SEND, id, this.#parts.clock());
    return state && { value: state.value, stored: JSON.parse(state.value) as Stored };
  }

  async #done(id: string): Promise<void> {
    const { store } = this.#parts;
    await store.jobs.remove(jobOf(id));
    await store.states.remove(HELD_SEND, id);
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock, onError } = this.#parts;
    const id = claim.id.slice(JOB.length);
    const found = await this.#read(id);
    if (found === undefined || found.stored.failed !== undefined) return store.jobs.remove(claim.id);
    const { stored, value } = found;
    // The job is of an attempt before, whose process ended.
    if (stored.leaves_at > clock()) {
      await store.jobs.later(claim, stored.leaves_at);
      return;
    }
    const leaving = JSON.stringify({ ...stored, leaving: true });
    // One that was leaving when its process ended leaves again, once by its idempotency.
    if (stored.leaving !== true && !(await store.states.swap(HELD_SEND, id, value, leaving, clock()))) return;
    try {
      await this.#leave(stored);
      await this.#done(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') {
        onError(error);
        await store.jobs.later(claim, clock() + MINUTE);
        return;
      }
      const failed: Stored = { ...stored, failed: error.errors[0]?.message ?? error.message };
      await store.states.set({
        ...{ kind: HELD_SEND, id, subject: stored.key_id, value: JSON.stringify(failed) },
        expires_at: clock() + KEPT_MS,
      });
      await store.jobs.remove(claim.id);
    }
  }

  /** On behalf of who sent or approved it. */
  async #leave(stored: Stored): Promise<void> {
    const { store, clock } = this.#parts;
    const { key_id, leaves_at, send, origin = WEB } = stored;
    const key = await store.keys.byId(key_id);
    if (key === undefined || !isLive(key, clock())) throw new AppError('invalid_key', 'You were signed out.');
    await inAuditScope({ origin, key }, () =>
      isOfMessage(stored) ? this.#send(stored, key) : approveHeld(key, send as HeldApproval, leaves_at, this.#parts),
    );
  }

  async #send({ message_id, leaves_at, send }: Stored<HeldMessage>, key: Key): Promise<void> {
    const { store, directory, clock } = this.#parts;
    const message = await store.messages.byId(message_id);
    const mailbox = message && (await directory.mailboxById(message.mailbox_id));
    if (message === undefined || mailbox === undefined || mailbox.deleted_at !== null)
      throw new AppError('message_not_found', 'The message was deleted.');
    const { reader } = await rightsTo(message, { kind: 'key', key, network: '' }, directory, store.messages);
    if (!reader || !hasScope(key, SCOPES[send.kind]))
      throw new AppError('insufficient_scope', 'Your role does not include this any more.');
    const idempotency: Idempotency = {
      scope: key.id,
      key: `held ${message_id} ${leaves_at}`,
      hash: message_id,
      expires_at: clock() + KEPT_MS,
    };
    if (send.kind === 'forward') {
      await forward(message, send.wanted, { key, idempotency, channel: 'web' }, this.#parts);
      return;
    }
    const { answering, answerAll, answerDrafts, conversationDesk } = this.#parts;
    const { kind: _, fields, done, ...rest } = send;
    const answer: Answer = { ...rest, claim: null, data: null, idempotency, key, person: true };
    const draft = await answerDrafts.find(key, message);
    await using files = draft && send.error === null ? await answerDrafts.filesOf(draft) : undefined;
    if (hasManyFields(fields) || typeof fields.to === 'string')
      await answerAll.answer(message, mailbox, { ...answer, key, fields }, files);
    else await answering.answer(message, mailbox, answer, files);
    if (done === true) await conversationDesk.change(message.thread_id, mailbox, { state: 'done' }, key);
    await answerDrafts.remove(key, message);
  }
}

/** How late an approval may be carried out, as where the service is stopped meanwhile, and still not expire. */
const MAX_LATE_MS = HOUR;
const WEB: AuditOrigin = { channel: 'web', network: null };
const isOfMessage = (stored: Stored): stored is Stored<HeldMessage> => hashOf(stored.send) === undefined;
/** The hash of what was approved; undefined for what a person sends. */
const hashOf = (send: Stored['send']): string | undefined => ('hash' in send ? send.hash : undefined);

const FORWARD = { idempotency: undefined, channel: 'web' } as const;
const JOB = 'held ';
/** What an approval is stored by: that of a plan stands beside an answer to its message. */
const aboutOf = (id: string): string => `approved ${id}`;
const idOf = (keyId: string, messageId: string): string => `${messageId} ${keyId}`;
const jobOf = (id: string): string => `${JOB}${id}`;
