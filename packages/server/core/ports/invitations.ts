import type { Millis } from '@mailroom/behavior/values/clock';
import type { Key } from '../entities/key.ts';
import type { Invitation, Member } from '../entities/member.ts';

/** Invitations of namespaces that live; those of which the time is over, or whose owner left, are not found. */
export interface Invitations {
  /** `invited`: the address has an open one. `full`: the namespace has `max`. `gone`: the namespace is. Exact also for concurrent calls. */
  create(invitation: Invitation, max: number): Promise<'created' | 'invited' | 'full' | 'gone'>;
  /** In the order of creation. */
  of(namespace_id: string, now: Millis): Promise<readonly Invitation[]>;
  bySha256(sha256: string, now: Millis): Promise<Invitation | undefined>;
  /** False when there was none. */
  remove(id: string, namespace_id: string): Promise<boolean>;
  /**
   * Makes the account a member by this new key, and removes the invitation: of concurrent calls one does. `member`: it is
   * one already. `full` as of `join`. Otherwise nothing changes.
   */
  accept(id: string, key: Key, member: Member): Promise<'joined' | 'member' | 'full' | 'gone'>;
}
