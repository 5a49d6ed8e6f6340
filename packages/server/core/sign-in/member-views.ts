import { rfc3339 } from '@mailroom/behavior/values/clock';
import { Type } from 'typebox';
import { type Invitation, MAX_ROLE_MAILBOXES, type Member, ROLES, type Role } from '../entities/member.ts';

const Time = Type.String({ format: 'date-time' });
const RoleField = Type.Enum(Object.keys(ROLES) as Role[], {
  description:
    '`owner` may do everything. `editor`: `mailboxes:write`, `webhooks:write`, `messages:read`. `answerer`: `messages:read`, `mail:answer`, `mail:send`, `mail:review`. `reader`: `messages:read`.',
});
const Mailboxes = Type.Union([Type.Array(Type.String()), Type.Null()], {
  description: 'The addresses of the mailboxes that the role is for; null for the whole namespace.',
});
const Name = Type.String({ description: 'What other members call them.', examples: ['ada'] });
const Address = Type.String({ description: 'The whole address.', examples: ['ada@example.com'] });

export const MemberView = Type.Object(
  {
    id: Type.String({ examples: ['acc_0d8m3xk2q5v7w9y1a3c0'] }),
    name: Name,
    address: Address,
    role: RoleField,
    mailboxes: Mailboxes,
    created_at: Time,
  },
  { $id: 'Member', description: 'A person or an agent that belongs to a namespace.' },
);
export type MemberView = Type.Static<typeof MemberView>;

export const InvitationView = Type.Object(
  {
    id: Type.String({ examples: ['inv_0d8m3xk2q5v7w9y1a3c0'] }),
    name: Name,
    address: Address,
    role: RoleField,
    mailboxes: Mailboxes,
    created_at: Time,
    expires_at: Time,
  },
  { $id: 'Invitation', description: 'An invitation that was not accepted so far.' },
);
export type InvitationView = Type.Static<typeof InvitationView>;

export const MemberList = Type.Object(
  {
    items: Type.Array(MemberView),
    next_cursor: Type.Null({ description: 'A namespace has few members: there is one page.' }),
    invitations: Type.Array(InvitationView, { description: 'Those that are open.' }),
  },
  { $id: 'MemberList' },
);
export type MemberList = Type.Static<typeof MemberList>;

const NamedMailboxes = Type.Union(
  [Type.Array(Type.String({ maxLength: 400 }), { minItems: 1, maxItems: MAX_ROLE_MAILBOXES }), Type.Null()],
  { description: 'Addresses of the namespace; null, the default, for all of it. An owner has all of it.' },
);
const NameField = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f\\u007f@]*$' });

export const NewInvitation = Type.Object(
  {
    address: Type.String({ minLength: 1, maxLength: 400 }),
    role: RoleField,
    mailboxes: Type.Optional(NamedMailboxes),
    name: Type.Optional(NameField),
  },
  { additionalProperties: false },
);
export type NewInvitation = Type.Static<typeof NewInvitation>;

export const MemberChange = Type.Object(
  { role: Type.Optional(RoleField), mailboxes: Type.Optional(NamedMailboxes), name: Type.Optional(NameField) },
  { additionalProperties: false, minProperties: 1 },
);
export type MemberChange = Type.Static<typeof MemberChange>;

/** `then`: whether what they made stops, or passes to the owner who removes them. */
export const MemberRemoval = Type.Object({ then: Type.Enum(['stop', 'pass']) }, { additionalProperties: false });
export type MemberRemoval = Type.Static<typeof MemberRemoval>;

/** `mailboxes`: their addresses, as far as they exist. */
export const memberView = (
  { account_id, name, role, created_at }: Member,
  address: string,
  mailboxes: readonly string[] | null,
): MemberView => ({
  id: account_id,
  name,
  address,
  role,
  mailboxes: mailboxes && [...mailboxes],
  created_at: rfc3339(created_at),
});

export const invitationView = (
  { id, name, address, role, created_at, expires_at }: Invitation,
  mailboxes: readonly string[] | null,
): InvitationView => ({
  id,
  name,
  address,
  role,
  mailboxes: mailboxes && [...mailboxes],
  created_at: rfc3339(created_at),
  expires_at: rfc3339(expires_at),
});
