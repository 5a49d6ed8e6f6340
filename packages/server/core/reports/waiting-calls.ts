import { type Clock, HOUR, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { type Member, ROLES } from '../entities/member.ts';
import type { MemberNotices } from '../entities/notices.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { OwnerNotices } from '../outgoing/owner-notices.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { type CallItem, type CallItems, conversationOf, mayAct, sharesMailboxes } from './call-items.ts';
import type { ConsolePresence, Reach, Seen } from './console-presence.ts';

/** Namespaces in which something happened are planned together, this long after the first. */
const PLAN_MS: Millis = SECOND;
/** Makes up for plans of a node that died. */
const PLAN_ALL_MS: Millis = HOUR;

interface Parts {
  readonly store: Pick<Store, 'accounts' | 'notices' | 'jobs'>;
  readonly callItems: CallItems;
  readonly consolePresence: ConsolePresence;
  readonly notices: Pick<OwnerNotices, 'callMember'>;
  readonly bus: Pick<EventBus, 'subscribeEvents'>;
  readonly dispatch: Pick<Dispatch, 'register' | 'checkDue'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** What waits, and who has seen it. */
interface Situation {
  /** Those that no member who may act on them has seen yet. */
  readonly unseen: readonly CallItem[];
  readonly open: readonly Seen[];
  readonly looks: readonly Seen[];
}

/**
 * Calls each member by one mail when something has waited for the minutes they chose, and no console of a member who may
 * act on it is open: one mail until someone looks who shares an address with them, not one a message.
 */
export class WaitingCalls {
  readonly #parts: Parts;
  /** Namespaces that are to be planned, and when something happened in the first of them. */
  readonly #happened = new Set<string>();
  #happenedAt: Millis = 0;
  #plannedAllAt: Millis | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.bus.subscribeEvents((namespaceId) => this.plan(namespaceId));
    parts.dispatch.register('waiting', (claim) => this.#run(claim));
  }

  /** Something may wait in the namespace from now on. */
  plan(namespaceId: string): void {
    if (this.#happened.size === 0) {
      this.#happenedAt = this.#parts.clock();
      setTimeout(() => void this.#plan().catch(this.#parts.onError), PLAN_MS).unref();
    }
    this.#happened.add(namespaceId);
  }

  /** From then on any node looks. */
  async #plan(): Promise<void> {
    const ids = [...this.#happened];
    this.#happened.clear();
    await this.#parts.store.notices.plan(ids, this.#happenedAt);
    this.#parts.dispatch.checkDue();
  }

  /** Plans every namespace, at the first call and each hour. */
  async planAll(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    if (this.#plannedAllAt !== undefined && Math.abs(now - this.#plannedAllAt) < PLAN_ALL_MS) return;
    this.#plannedAllAt = now;
    await store.notices.plan(null, now);
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock } = this.#parts;
    const id = claim.id.slice(JOB.length);
    const due_at = await this.#call(id);
    if (due_at !== undefined) return void (await store.jobs.later(claim, due_at));
    await store.jobs.remove(claim.id);
    // What began to wait meanwhile was not planned, as there was a job.
    if ((await this.#call(id)) !== undefined) await store.notices.plan([id], clock());
  }

  /** Calls those whose time has come. When to look again; undefined when nothing waits unseen. */
  async #call(namespaceId: string): Promise<Millis | undefined> {
    const { store, clock, notices, callItems, consolePresence } = this.#parts;
    const now = clock();
    const [members, choices, seen] = await Promise.all([
      store.accounts.membersOf(namespaceId, now),
      store.notices.of(namespaceId, now),
      consolePresence.of(namespaceId),
    ]);
    const choiceOf = new Map(choices.map((choice) => [choice.account_id, choice]));
    // What an earlier mail told each of them is not read again, nor what someone saw who may act on everything.
    const wanted = members.flatMap(({ account_id }) => choiceOf.get(account_id) ?? []);
    const mailed = wanted.filter(({ mail_minutes }) => mail_minutes !== null);
    if (mailed.length === 0) return undefined;
    const ownSince = Math.min(...mailed.map(({ called_at }) => called_at ?? 0));
    const since = Math.max(ownSince, lastOf(seen.looks, OF_NAMESPACE));
    const items = await callItems.of(namespaceId, since, ownSince);
    const situation = { unseen: items.filter((item) => item.since > lastOf(seen.looks, item)), ...seen };
    let next = Number.POSITIVE_INFINITY;
    for (const member of members) {
      const choice = choiceOf.get(member.account_id);
      if (choice?.mail_minutes == null) continue;
      const { due_at, count } = dueOf(member, choice.mail_minutes, choice, situation);
      if (due_at <= now)
        await notices.callMember(member, { count, minutes: choice.mail_minutes, after: choice.called_at });
      // What comes meanwhile may be due no earlier.
      else next = Math.min(next, due_at, now + choice.mail_minutes * MINUTE);
    }
    return Number.isFinite(next) ? next : undefined;
  }
}

const JOB = 'waiting ';

/** The last time at which it was seen by those who may act on it. */
const lastOf = (seen: readonly Seen[], item: Pick<CallItem, 'member' | 'scope' | 'mailbox_id'>): Millis =>
  Math.max(0, ...seen.filter(({ reach }) => mayAct(reach, item)).map(({ at }) => at));

/** What only they may act on who may act on everything. */
const OF_NAMESPACE = { mailbox_id: null, scope: 'owner' } as const;

const reachOf = ({ account_id, role, mailbox_ids }: Member): Reach => ({
  account_id,
  scopes: ROLES[role],
  mailbox_ids,
});

/** When the member is to be called, and for how many conversations; never while an earlier mail still stands. */
function dueOf(
  member: Member,
  minutes: number,
  { called_at }: Pick<MemberNotices, 'called_at'>,
  { unseen, open, looks }: Situation,
): { readonly due_at: Millis; readonly count: number } {
  const reach = reachOf(member);
  const called = called_at ?? 0;
  const stands = called > 0 && !looks.some(({ reach: other, at }) => at > called && sharesMailboxes(reach, other));
  const items = unseen.filter((item) => item.since > called && mayAct(reach, item));
  if (stands || items.length === 0) return { due_at: Number.POSITIVE_INFINITY, count: 0 };
  const times = items.map((item) => Math.max(item.since + minutes * MINUTE, lastOf(open, item)));
  return { due_at: Math.min(...times), count: new Set(items.map(conversationOf)).size };
}
