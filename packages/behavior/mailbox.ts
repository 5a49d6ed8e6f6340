import { shortAddress } from './values/address.ts';
import type { Millis } from './values/clock.ts';
import type { Json } from './values/json.ts';

/** What a behavior sees of a mailbox. `namespace` is the name; times are milliseconds. */
export interface BehaviorMailbox {
  readonly id: string;
  readonly namespace_id: string;
  readonly namespace: string;
  readonly local_part: string;
  /** The verified domains of its namespace, at which it has addresses too. */
  readonly domains: readonly string[];
  readonly display_name: string | null;
  readonly description: string;
  readonly behavior: string;
  readonly settings: { readonly [name: string]: Json };
  /** The key by whose rights its settings have messages leave, or others act; left out where they do not. */
  readonly settings_key_id?: string | null;
  /** What of what leaves it waits until an owner has seen it; left out where nothing does. */
  readonly outgoing?: { readonly review: 'never' | 'outside' | 'first_contact' | 'findings' | 'always' };
  readonly status: 'online' | 'paused' | 'offline';
  readonly created_at: Millis;
  readonly updated_at: Millis;
  readonly deleted_at: Millis | null;
}

/** `local@namespace` of a mailbox. */
export const addressOf = (mailbox: Pick<BehaviorMailbox, 'local_part' | 'namespace'>): string =>
  shortAddress(mailbox.local_part, mailbox.namespace);
