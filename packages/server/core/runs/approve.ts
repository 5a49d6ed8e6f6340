import type { Decider } from '@mailroom/behavior/message';
import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Rights } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { planSha256 } from '../entities/message-view.ts';
import type { Kept } from '../ports/handlings.ts';
import type { Settlement } from '../ports/messages.ts';
import type { Store } from '../ports/store.ts';
import { Gate } from '../review/gate.ts';
import type { Dispatch } from './dispatch.ts';
import { resultOfRefusal } from './suspended-result.ts';

export type Decision = 'approve' | 'refuse';

interface DecisionRequest {
  readonly decision: Decision;
  /** The hash of the plan that was shown; undefined accepts the current plan, as a message has one at a time. */
  readonly plan_sha256: string | undefined;
  /** Shown to the sender with a refusal. */
  readonly reason: string | undefined;
  /** A person gives it in a session of the console. */
  readonly person?: boolean;
}

/** Whether these rights include the decision that the message waits for: they must be those of the owner who is asked. */
export const mayDecide = ({ decides }: Message, { recipient, runsSender }: Rights): boolean =>
  decides === 'sender' ? runsSender : recipient || (decides == null && runsSender);

/**
 * Approves or refuses the plan that a message waits with. The caller must have checked `mayDecide`. Approving continues
 * with that plan; refusing settles the message as `rejected` with the code `refused`. AppError `not_waiting` when it no
 * longer waits or its mailbox has another behavior by now, `validation_error` when it waits with another plan.
 */
export class Decisions {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #dispatch: Dispatch;
  readonly #clock: Clock;

  constructor(parts: { store: Store; directory: Directory; dispatch: Dispatch; clock: Clock }) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#dispatch = parts.dispatch;
    this.#clock = parts.clock;
  }

  async decide(message: Message, { decision, plan_sha256, reason, person = false }: DecisionRequest): Promise<Message> {
    const kept = await this.waiting(message, plan_sha256);
    const { plan } = kept;
    const done =
      decision === 'approve'
        ? await this.#store.messages.approve(message.id, plan, this.#clock())
        : await this.#refuse(message, plan, kept, { reason, person });
    const now = await this.#store.messages.byId(message.id);
    if (now?.waiting_for === 'approval' && !done && now.plan === plan) throw otherBehavior(now);
    if (now === undefined || !done) throw notWaiting(now ?? message);
    await this.#publish(now);
    return now;
  }

  /** What it waits with. AppError as of `decide`. */
  async waiting(message: Message, plan_sha256: string | undefined): Promise<Kept & { readonly plan: string }> {
    const kept = message.waiting_for === 'approval' ? await this.#store.handlings.kept(message.id) : undefined;
    if (kept === undefined || kept.plan === null || kept.approved) throw notWaiting(message);
    // Another owner is asked by now than the one whose rights were checked.
    if (kept.decides !== message.decides) throw notWaiting(message);
    const { plan } = kept;
    if (plan_sha256 !== undefined && plan_sha256 !== planSha256(plan)) {
      throw invalid('/plan_sha256', 'The message is waiting with another plan. Read that plan and decide again.');
    }
    return { ...kept, plan };
  }

  async #publish(message: Message): Promise<void> {
    if (!isSettled(message.status)) return this.#dispatch.announceDue();
    this.#store.shared?.publish({ kind: 'settled', ids: [message.id] });
    const mailbox = await this.#directory.mailboxById(message.mailbox_id);
    if (mailbox !== undefined) this.#dispatch.afterSettled(message, mailbox);
  }

  /** Where the mailbox may hold what leaves it, neither the reason nor a reply of what was done so far leaves. */
  async #refuse(
    message: Message,
    plan: string,
    { state, decides }: Kept,
    { reason, person }: Pick<DecisionRequest, 'reason' | 'person'>,
  ): Promise<boolean> {
    const mailbox = await this.#directory.mailboxById(message.mailbox_id);
    const isFree = mailbox !== undefined && !Gate.mayHold(mailbox, message);
    const words = isFree || person === true ? reason : undefined;
    const { reply, effects } = resultOfRefusal(state);
    const settlement = { ...this.#refusal(words, decides), reply: isFree ? reply : null };
    return this.#store.messages.refuse(message.id, plan, settlement, effects);
  }

  #refusal(reason: string | undefined, by: Decider): Omit<Settlement, 'reply'> {
    const mailbox = by === 'sender' ? 'the mailbox it was sent as' : 'this mailbox';
    return {
      status: 'rejected',
      error_code: 'refused',
      error_message: reason ?? `The owner of ${mailbox} refused the plan.`,
      settled_at: this.#clock(),
    };
  }
}

const notWaiting = ({ id, status }: Message): AppError =>
  new AppError('not_waiting', `${id} waits for no decision; it is ${status}.`);

const otherBehavior = ({ id, to }: Message): AppError =>
  new AppError(
    'not_waiting',
    `The behavior of ${to} was changed, and the new one cannot carry out the plan of ${id}. Change it back to approve the plan, or refuse it.`,
  );
