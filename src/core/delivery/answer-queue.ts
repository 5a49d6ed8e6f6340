import type { Message } from '../entities/message.ts';
import type { AnswerClaim } from '../ports/answers.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { SECOND } from '../values/clock.ts';
import { newId } from '../values/ids.ts';
import type { Claimed, ClaimRequest, EarlyMessage, LeasedClaim, Reservation } from './answer-call.ts';
import { AnswerCall } from './answer-call.ts';
import type { Handed } from './claim-offers.ts';
import { ClaimOffers } from './claim-offers.ts';
import type { Unwritten, UnwrittenMessages } from './unwritten-messages.ts';
import { fitsNotice } from './unwritten-messages.ts';

/** Where several nodes share the database a notice may be lost, so a waiting call looks again after this time. */
const POLL_MS: Millis = 5 * SECOND;
/** The shortest pause before a call looks again because a lease or a pause ends. */
const MIN_PAUSE_MS: Millis = 20;
/** A call that comes sooner after the store was found empty does not look, unless a message was announced. */
const EMPTY_MS: Millis = SECOND;
/** A program that answers at once asks again within this time; a message that is not written so far waits for its call. */
const NEXT_CALL_MS: Millis = 100;
/** What this node knows of the calls for the messages of one mailbox. */
interface Line {
  /** Those in progress, those that wait longest first. */
  readonly calls: Set<AnswerCall>;
  /** Messages for the next call, in order. */
  readonly next: Map<string, { readonly early: EarlyMessage; readonly timer: NodeJS.Timeout }>;
  /** When the last call ended, by this process's clock. */
  calledAt: number;
  /** When nothing could be claimed, by this process's clock, and when something can be, by the service's; undefined: look. */
  empty: { readonly at: number; nextAt: Millis | undefined } | undefined;
  /** How many messages were announced. */
  announced: number;
}

/** A message that was handed to another node. */
interface Elsewhere extends AnswerClaim {
  readonly mailbox_id: string;
  readonly node: string;
  /** Whether a call there has it. */
  kept: boolean;
}

interface Parts {
  readonly store: Pick<Store, 'answers' | 'messages' | 'shared'>;
  readonly unwritten: UnwrittenMessages;
  readonly clock: Clock;
}

/**
 * Gives the messages of a mailbox that wait for an answer to the programs that ask for them. A message whose sender waits
 * is handed to a call before it is written, on this node or on another; any other that arrives while a call waits here is
 * accepted under a claim of that call. Otherwise a message wakes a call, on any node, which claims it from the store.
 */
export class AnswerQueue {
  readonly #store: Pick<Store, 'answers' | 'messages' | 'shared'>;
  readonly #unwritten: UnwrittenMessages;
  readonly #offers: ClaimOffers | undefined;
  readonly #clock: Clock;
  readonly #lines = new Map<string, Line>();
  /** Messages that were handed to other nodes and are written or being written, by id. */
  readonly #elsewhere = new Map<string, Elsewhere>();

  constructor({ store, unwritten, clock }: Parts) {
    this.#store = store;
    this.#unwritten = unwritten;
    this.#clock = clock;
    this.#offers =
      store.shared &&
      new ClaimOffers(unwritten.node, store.shared, {
        onHanded: (handed) => this.#onHanded(handed),
        onGranted: ({ claim, until, message_id, mailbox_id }) =>
          this.#onGranted(mailbox_id, message_id, { claim, until }),
        onKept: (id) => {
          const elsewhere = this.#elsewhere.get(id);
          if (elsewhere !== undefined) elsewhere.kept = true;
        },
        onDeclined: (id) => void this.#onDeclined(id).catch(() => {}),
      });
  }

  /** A message of this mailbox can be claimed: wakes a call here, or else on the other nodes. */
  announce(mailboxId: string): void {
    if (!this.wake(mailboxId)) this.#store.shared?.publish({ kind: 'answerable', ids: [mailboxId] });
  }

  /** Wakes the call that waits longest for this mailbox; false when none does. */
  wake(mailboxId: string): boolean {
    const line = this.#lines.get(mailboxId);
    if (line === undefined) return false;
    line.empty = undefined;
    line.announced++;
    for (const call of line.calls) if (call.wake()) return true;
    return false;
  }

  /**
   * A claim of the call here that waits longest and has none so far, else of one that takes more; undefined when none
   * waits. The message is accepted under it.
   */
  reserve(mailboxId: string): Reservation | undefined {
    const call = this.#free(this.#lines.get(mailboxId));
    return call?.reserve(this.#clock());
  }

  /**
   * Hands over a message that is not written so far: to a call here that waits, to the next one, or to a node to which
   * calls come. False when there is none, so that it is written first.
   */
  handOver(unwritten: Unwritten): boolean {
    const { message } = unwritten;
    const { mailbox_id } = message;
    const line = this.#lines.get(mailbox_id);
    const early: EarlyMessage = {
      message: shown(message),
      get isOpen() {
        return unwritten.isOpen;
      },
      give: (claimed) => {
        unwritten.claimed = claimed;
        if (line?.empty !== undefined) line.empty.nextAt = Math.min(line.empty.nextAt ?? claimed.until, claimed.until);
      },
      decline: (claimed) => this.#decline(unwritten, claimed),
    };
    const call = this.#free(line);
    if (call !== undefined) {
      call.give(early, this.#clock());
      return true;
    }
    if (line !== undefined && this.#comesAgain(line)) {
      this.#keep(line, early);
      return true;
    }
    return line === undefined && this.#handElsewhere(unwritten);
  }

  /** A message that was handed over is written without an answer; true when another node was handed it. */
  written({ message, claimed }: Unwritten): boolean {
    const { id, mailbox_id } = message;
    const elsewhere = this.#elsewhere.get(id);
    if (elsewhere === undefined) return false;
    const forget = (): void => void this.#elsewhere.delete(id);
    setTimeout(forget, 2 * POLL_MS).unref();
    if (claimed !== undefined && !elsewhere.kept)
      this.#offers?.confirm({ kind: 'granted', to: elsewhere.node, message_id: id, mailbox_id, ...claimed });
    return true;
  }

  /** It was written with its answer, or will not be; true when another node was handed it. */
  ended({ message: { id } }: Unwritten): boolean {
    return this.#elsewhere.delete(id);
  }

  /** Ends the calls that wait for messages of a mailbox that was deleted. */
  endCalls(mailboxId: string): void {
    for (const call of this.#lines.get(mailboxId)?.calls ?? []) call.close();
  }

  /** Claims at once what there is, or waits for the first message; an empty list when none came in time. */
  async claim(mailboxId: string, request: ClaimRequest): Promise<readonly LeasedClaim[]> {
    const { max, wait_ms, lease_ms, signal } = request;
    const until = performance.now() + wait_ms;
    const call = new AnswerCall(mailboxId, request);
    const line = this.#lines.get(mailboxId) ?? newLine();
    this.#lines.set(mailboxId, line);
    line.calls.add(call);
    if (wait_ms > 0) this.#offers?.open(mailboxId, lease_ms);
    try {
      for (;;) {
        // A message that comes while it looks makes it look again.
        call.look();
        if (wait_ms === 0 || !this.#isEmpty(line)) {
          const claims = await this.#look(line, mailboxId, max, lease_ms);
          if (signal.aborted) return await this.#giveBack(mailboxId, claims);
          if (claims.length > 0) return claims;
        }
        const left = until - performance.now();
        const early = this.#next(line, call, max);
        if (early.length > 0 || left <= 0) return early;
        const granted = await call.wait(left, this.#pause(line));
        if (signal.aborted) return await this.#giveBack(mailboxId, granted);
        if (granted.length > 0 || call.closed) return granted;
        // After its pause there may be something; when its own time is over it looks for the last time.
        if (!call.woken) line.empty = undefined;
      }
    } finally {
      line.calls.delete(call);
      line.calledAt = performance.now();
      // It may have taken another message than the one that woke it, so the next call is woken.
      if (call.woken) this.wake(mailboxId);
      if (line.calls.size === 0) setTimeout(() => this.#close(mailboxId, line), 2 * NEXT_CALL_MS).unref();
    }
  }

  /** No call came for a while. */
  #close(mailboxId: string, line: Line): void {
    if (line.calls.size > 0 || performance.now() - line.calledAt < NEXT_CALL_MS) return;
    if (this.#lines.get(mailboxId) !== line) return;
    this.#lines.delete(mailboxId);
    this.#offers?.close(mailboxId);
  }

  /** The waiting call that has nothing so far, else one that takes more. */
  #free(line: Line | undefined, fits = (_call: AnswerCall): boolean => true): AnswerCall | undefined {
    let more: AnswerCall | undefined;
    for (const call of line?.calls ?? []) {
      if (!fits(call)) continue;
      if (call.isFree) return call;
      if (more === undefined && call.takesMore) more = call;
    }
    return more;
  }

  /** Whether a call is about to come that finds nothing older in the store. */
  #comesAgain(line: Line): boolean {
    return this.#isEmpty(line) && (line.calls.size > 0 || performance.now() - line.calledAt < NEXT_CALL_MS);
  }

  /** Keeps a message for the next call, for a short time. */
  #keep({ next }: Line, early: EarlyMessage): void {
    const { id } = early.message;
    const late = (): void => {
      next.delete(id);
      early.decline();
    };
    next.set(id, { early, timer: setTimeout(late, NEXT_CALL_MS) });
  }

  /** Messages that were kept for this call. */
  #next({ next }: Line, call: AnswerCall, max: number): LeasedClaim[] {
    const taken: LeasedClaim[] = [];
    for (const [id, { early, timer }] of next) {
      if (taken.length === max) break;
      const { claimed } = early;
      if (claimed !== undefined && claimed.lease_ms !== call.lease_ms) continue;
      next.delete(id);
      clearTimeout(timer);
      if (early.isOpen) taken.push(call.take(early, this.#clock()));
    }
    return taken;
  }

  #handElsewhere(unwritten: Unwritten): boolean {
    const { message, terms } = unwritten;
    const { id, mailbox_id } = message;
    if (this.#offers === undefined || terms === undefined || !fitsNotice({ ...message, terms })) return false;
    const offer = this.#offers.take(mailbox_id);
    if (offer === undefined) return false;
    const now = this.#clock();
    const claimed = { claim: newId('clm', now), until: now + offer.lease_ms };
    unwritten.claimed = claimed;
    this.#elsewhere.set(id, { message_id: id, mailbox_id, node: offer.node, claim: claimed.claim, kept: false });
    const [{ node: from }, { node: to, lease_ms }] = [this.#unwritten, offer];
    this.#store.shared?.publish({ kind: 'handed', to, from, ...claimed, lease_ms, message, terms });
    return true;
  }

  /** Another node hands over a message that it has not written: a call here gets it, or the next one. */
  #onHanded(handed: Handed): void {
    const { claim, until, lease_ms, message } = handed;
    const { id, mailbox_id } = message;
    const early: EarlyMessage = {
      message: shown(message),
      claimed: { claim, until, lease_ms },
      isOpen: true,
      give: () => this.#unwritten.handed(handed),
      decline: () => {
        this.#unwritten.declined(id);
        this.#store.shared?.publish({ kind: 'declined', ids: [id] });
      },
    };
    const line = this.#lines.get(mailbox_id);
    const call = this.#free(line, (one) => one.lease_ms === lease_ms);
    if (call !== undefined) call.give(early, this.#clock());
    else if (line !== undefined) this.#keep(line, early);
    else early.decline();
  }

  /** A message that was handed to this node is written meanwhile: whether a call here has it, or gets it now. */
  async #onGranted(mailboxId: string, id: string, claimed: Claimed): Promise<boolean> {
    if (this.#unwritten.wasHanded(id)) return true;
    const line = this.#lines.get(mailboxId);
    clearTimeout(line?.next.get(id)?.timer);
    line?.next.delete(id);
    const call = this.#free(line);
    if (call === undefined) return false;
    const reservation = call.reserve(this.#clock(), claimed);
    let message: Message | undefined;
    try {
      message = await this.#store.messages.byId(id);
    } finally {
      // It may have been answered by hand or canceled meanwhile.
      const held = message?.status === 'working' && message.waiting_for === 'answer' && this.#clock() < claimed.until;
      if (held && message !== undefined) reservation.grant(message);
      else reservation.cancel();
    }
    return true;
  }

  /** The node that was to hand it over has no call for it. */
  async #onDeclined(id: string): Promise<void> {
    const elsewhere = this.#elsewhere.get(id);
    const open = this.#unwritten.open(id);
    if (elsewhere !== undefined && open !== undefined) this.#decline(open, open.claimed);
    else if (elsewhere !== undefined) await this.#giveBack(elsewhere.mailbox_id, [elsewhere]);
  }

  /** No call gets the message: it is written without a claim, or given back where that is too late. */
  #decline(unwritten: Unwritten, claimed?: Claimed): void {
    const { message } = unwritten;
    if (unwritten.isOpen) unwritten.decline();
    else if (claimed !== undefined)
      void unwritten.ended
        .then(() => this.#giveBack(message.mailbox_id, [{ message_id: message.id, claim: claimed.claim }]))
        // It is for others when its lease ends.
        .catch(() => {});
  }

  async #look(line: Line, mailboxId: string, max: number, lease_ms: Millis): Promise<readonly LeasedClaim[]> {
    const now = this.#clock();
    const lease_expires_at = now + lease_ms;
    const ids = Array.from({ length: max }, () => newId('clm', now));
    const { announced } = line;
    const at = performance.now();
    line.empty = undefined;
    const claims = await this.#store.answers.claim(mailboxId, ids, now, lease_expires_at);
    if (claims.length === 0) {
      const nextAt = await this.#store.answers.nextAt(mailboxId);
      if (line.announced === announced) line.empty = { at, nextAt };
    }
    return claims.map((claim) => ({ ...claim, lease_expires_at }));
  }

  /** Gives back what the caller did not get. */
  async #giveBack(mailboxId: string, claims: readonly (AnswerClaim & Pick<LeasedClaim, 'decline'>)[]): Promise<[]> {
    const now = this.#clock();
    const written = claims.filter(({ decline }) => decline === undefined);
    for (const { decline } of claims) decline?.();
    await Promise.all(written.map((claim) => this.#store.answers.release(claim, now)));
    if (written.length > 0) this.announce(mailboxId);
    return [];
  }

  /** Whether the store held nothing to claim a moment ago, and nothing was announced since. */
  #isEmpty({ empty }: Line): boolean {
    if (empty === undefined || performance.now() - empty.at >= EMPTY_MS) return false;
    return empty.nextAt === undefined || empty.nextAt > this.#clock();
  }

  /** How long nothing can be claimed as far as this node knows. */
  #pause({ empty }: Line): Millis {
    const pause =
      empty?.nextAt === undefined ? Number.POSITIVE_INFINITY : Math.max(MIN_PAUSE_MS, empty.nextAt - this.#clock());
    return this.#store.shared === undefined ? pause : Math.min(pause, POLL_MS);
  }
}

const newLine = (): Line => ({ calls: new Set(), next: new Map(), calledAt: 0, empty: undefined, announced: 0 });

/** A message as its program sees it. */
const shown = (message: Message): Message => ({ ...message, waiting_for: 'answer', status: 'working' });
