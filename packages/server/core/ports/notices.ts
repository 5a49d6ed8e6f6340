import type { Millis } from '@mailroom/behavior/values/clock';
import type { NewDelivery } from '../entities/delivery.ts';
import type { MemberNotices, Notices } from '../entities/notices.ts';

/** The mail that calls a member, whose last one went at `after`. */
interface MemberCall {
  readonly namespace_id: string;
  readonly account_id: string;
  /** Null when none was ever sent. */
  readonly after: Millis | null;
  readonly at: Millis;
}

/** What waits for one member: a conversation that is assigned to them, or a note in it that names them. */
export interface OwnMatter {
  readonly kind: 'assigned' | 'mentioned';
  readonly mailbox_id: string;
  readonly thread_id: string;
  readonly account_id: string;
  readonly since: Millis;
}

/** Messages that may wait for a person: unsettled ones that wait for an answer or a plan, failed ones, those asked back. */
export type WaitingSource = 'open' | 'failed' | 'asked';

/** A place in a list of what waits. */
export interface WaitingPlace {
  readonly at: Millis;
  readonly id: string;
}

/** How the members of a namespace are called, and when they were. */
export interface NoticeChoices {
  /** Those of the members whose key works. */
  of(namespace_id: string, now: Millis): Promise<readonly MemberNotices[]>;
  /** What waits for one member since `since` or later, also for one who left. */
  ownMatters(namespace_id: string, since: Millis): Promise<readonly OwnMatter[]>;
  /**
   * Up to `max` ids of messages behind the place `after`, of which some may wait since `since` or later, and none of the
   * others does. In the order of `at` and id.
   */
  waiting(
    source: WaitingSource,
    of: { readonly namespace_id: string; readonly since: Millis },
    after: WaitingPlace | undefined,
    max: number,
  ): Promise<readonly WaitingPlace[]>;
  /** False when there is no such member. */
  set(namespace_id: string, account_id: string, notices: Notices): Promise<boolean>;
  /**
   * Adds the mail and notes the call in one transaction: of concurrent calls with the same `after` one does, on any node.
   * False for the others, when the member is gone, and when they chose no mail meanwhile.
   */
  call(call: MemberCall, mail: NewDelivery): Promise<boolean>;
  /**
   * Has each of these namespaces looked at once the first of its members may have to be called for what waits from `now`
   * on, unless that is planned for earlier; null: each that has members who chose mail.
   */
  plan(namespace_ids: readonly string[] | null, now: Millis): Promise<void>;
}
