import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { DAY, MINUTE } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { OwnerNotices } from '../outgoing/owner-notices.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { CONSOLE_SEEN, OWNERS_CALLED } from '../values/states.ts';
import type { Waiting } from './waiting.ts';
import { MAX_WAITING, WAITING } from './waiting.ts';

/** How long something waits with no console open before its owners are called. */
const CALL_AFTER_MS: Millis = 15 * MINUTE;
/** A console counts as open for this long after it was seen open. */
const OPEN_MS = 2 * MINUTE;
/** That a console is open is written this often at most. */
const SEEN_MS = MINUTE;
const KEPT_MS = 365 * DAY;
/** Namespaces that are remembered in memory. */
const MAX_REMEMBERED = 10_000;

interface Parts {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly notices: Pick<OwnerNotices, 'waiting'>;
  readonly bus: Pick<EventBus, 'subscribeEvents'>;
  readonly dispatch: Pick<Dispatch, 'register' | 'checkDue'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Calls the owners of a namespace by one mail when something has waited for a person for a quarter of an hour and no
 * console was open: one mail until a console is opened, not one a message.
 */
export class WaitingCalls {
  readonly #parts: Parts;
  /** Until when a namespace needs no new look, and until when no new note that its console is open. */
  readonly #looked = new Map<string, Millis>();
  readonly #noted = new Map<string, Millis>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.bus.subscribeEvents((namespaceId) => this.#happened(namespaceId));
    parts.dispatch.register('waiting', (claim) => this.#run(claim));
  }

  /** A console of the namespace is open. */
  seen(namespaceId: string): void {
    const { store, clock, onError } = this.#parts;
    const now = clock();
    if (!due(this.#noted, namespaceId, now, SEEN_MS)) return;
    const state = { kind: CONSOLE_SEEN, id: namespaceId, subject: namespaceId, value: String(now) };
    store.states
      .set({ ...state, expires_at: now + KEPT_MS })
      .then(() => store.states.remove(OWNERS_CALLED, namespaceId))
      .catch(onError);
  }

  /** Something was written of the namespace: it is looked at later, if it has owners to call. */
  #happened(namespaceId: string): void {
    const { clock, onError } = this.#parts;
    const now = clock();
    if (due(this.#looked, namespaceId, now, CALL_AFTER_MS)) this.#plan(namespaceId, now).catch(onError);
  }

  async #plan(namespaceId: string, now: Millis): Promise<void> {
    const { store, dispatch } = this.#parts;
    if ((await store.accounts.ownersOf(namespaceId, now)).length === 0) return;
    await store.jobs.add({ id: jobOf(namespaceId), kind: 'waiting', due_at: now + CALL_AFTER_MS });
    dispatch.checkDue();
  }

  async #run(claim: Claim): Promise<void> {
    const { store, waiting, notices, clock } = this.#parts;
    const id = claim.id.slice(JOB.length);
    const now = clock();
    const [seen, called, lists, held] = await Promise.all([
      store.states.get(CONSOLE_SEEN, id, now),
      store.states.get(OWNERS_CALLED, id, now),
      waiting.of(id),
      this.#heldSince(id),
    ]);
    const seen_at = seen === undefined ? 0 : Number(seen.value);
    const fresh = WAITING.flatMap((kind) => lists[kind].items)
      .map((one) => held.get(one.id) ?? sinceWhen(one))
      .filter((since) => since > seen_at);
    if (called !== undefined || fresh.length === 0) {
      this.#looked.delete(id);
      return store.jobs.remove(claim.id);
    }
    const due_at = Math.max(Math.min(...fresh) + CALL_AFTER_MS, seen_at + OPEN_MS);
    if (due_at > now) {
      await store.jobs.later(claim, due_at);
      return;
    }
    // Written first, so that owners are called once however the process ends.
    const mark = { kind: OWNERS_CALLED, id, subject: id, value: '', expires_at: now + KEPT_MS };
    if (await store.states.put(mark, now)) await notices.waiting(id, fresh.length);
    this.#looked.delete(id);
    await store.jobs.remove(claim.id);
  }

  /** Since when a review of a message, or of an answer to it, waits: that may be long after the message. */
  async #heldSince(namespaceId: string): Promise<ReadonlyMap<string, Millis>> {
    const query = { namespace_id: namespaceId, status: 'pending' } as const;
    const { items } = await this.#parts.store.reviews.page(query, null, MAX_WAITING);
    return new Map(items.map(({ message_id, requested_at }) => [message_id, requested_at]));
  }
}

const JOB = 'waiting ';
const jobOf = (namespaceId: string): string => `${JOB}${namespaceId}`;

const sinceWhen = ({ settled_at, created_at }: Message): Millis => settled_at ?? created_at;

/** Whether the time of the namespace has come; then it comes again after `ms`. */
function due(times: Map<string, Millis>, namespaceId: string, now: Millis, ms: Millis): boolean {
  const until = times.get(namespaceId) ?? 0;
  // A clock that was set back ends no wait of years.
  if (now < until && until - now <= ms) return false;
  if (times.size >= MAX_REMEMBERED) times.clear();
  times.set(namespaceId, now + ms);
  return true;
}
