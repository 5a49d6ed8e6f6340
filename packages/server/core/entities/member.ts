import { DAY, type Millis } from '@mailroom/behavior/values/clock';
import { hasScope, type Scope } from './key.ts';

/** The roles of members, each with the scopes that it gives. */
export const ROLES = {
  owner: ['owner'],
  editor: ['mailboxes:write', 'webhooks:write', 'messages:read'],
  answerer: ['messages:read', 'mail:answer', 'mail:send', 'mail:review'],
  reader: ['messages:read'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;
export type Role = keyof typeof ROLES;

/**
 * An account that belongs to a namespace. It acts by a key of its own, whose secret is not known to anyone and whose
 * scopes are the role's; revoking that key ends the membership at once, on every node.
 */
export interface Member {
  readonly namespace_id: string;
  /** `acc_…` or `mbx_…`; also the id of the member. */
  readonly account_id: string;
  readonly key_id: string;
  readonly created_at: Millis;
  readonly role: Role;
  /** The mailboxes that the role is for; null for the whole namespace. */
  readonly mailbox_ids: readonly string[] | null;
  /** What other members call them. */
  readonly name: string;
}

/** Whether a member reads this mailbox: each role reads. */
export const readsMailbox = ({ mailbox_ids }: Pick<Member, 'mailbox_ids'>, mailboxId: string): boolean =>
  mailbox_ids === null || mailbox_ids.includes(mailboxId);

/** Whether a member's role has this scope for the mailbox; with null, of the whole namespace. */
export const memberMay = (
  { role, mailbox_ids }: Pick<Member, 'role' | 'mailbox_ids'>,
  scope: Scope,
  mailboxId: string | null,
): boolean =>
  hasScope({ scopes: ROLES[role] }, scope) &&
  (mailbox_ids === null || (mailboxId !== null && mailbox_ids.includes(mailboxId)));

/** Maximum number of members of one namespace, and of namespaces of one account. */
export const MAX_MEMBERSHIPS = 50;

/** What an owner decides about a member. */
export type Membership = Pick<Member, 'role' | 'mailbox_ids' | 'name'>;

/** How long an invitation can be accepted. */
export const INVITATION_MS: Millis = 7 * DAY;
/** Maximum number of open invitations of one namespace. */
export const MAX_INVITATIONS = 50;
/** Maximum number of mailboxes that are named in a role. */
export const MAX_ROLE_MAILBOXES = 50;

/** A mail with a link by which its recipient becomes a member. Only the SHA-256 of its token is stored. */
export interface Invitation extends Membership {
  /** `inv_…` */
  readonly id: string;
  readonly namespace_id: string;
  /** The whole address, in lower case. */
  readonly address: string;
  readonly sha256: string;
  /** The key of the owner who invited, and ends with whom the invitation does. */
  readonly key_id: string;
  readonly created_at: Millis;
  readonly expires_at: Millis;
}
