import { hasScope, SCOPES } from '../../core/entities/key.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';

/** Whose work stops, as SQL, each part with the same parameters: as the databases want all of them used. */
export interface Made {
  /** A query for the namespaces it is in. */
  readonly namespaces: string;
  /** A query for the keys that made it. */
  readonly keys: string;
  /** The parameter of the time. */
  readonly at: string;
  /** The condition under which it stops, of what is about the mailbox of a column; null is the whole namespace. */
  readonly when: (mailbox: string) => string;
}

/** What the accounts made that a query selects, as members of any namespace. */
const madeByAccounts = (accounts: string, at: string): Made => ({
  namespaces: `select namespace_id from keys where account_id in (${accounts})`,
  keys: `select k.id from keys k where k.account_id in (${accounts})`,
  at,
  when: () => '1 = 1',
});

const SWITCHED_OFF =
  'The member who set it up may not do so any more. Save the settings of the address to switch it on again.';

const stopWebhooks = ({ namespaces, keys, at, when }: Made): string => `
  update webhooks set status = 'disabled', disabled_reason = 'owner', disabled_at = ${at}, updated_at = ${at}
  where namespace_id in (${namespaces}) and status = 'enabled' and key_id in (${keys}) and ${when('mailbox_id')}`;

/** Programs that answer addresses by their settings are not asked any more. */
function stopAgents({ namespaces, keys, at, when }: Made): readonly string[] {
  const theirs = `namespace_id in (${namespaces}) and settings_key_id in (${keys}) and ${when('id')}`;
  return [
    `update agent_webhooks set off_at = ${at}, error = '${SWITCHED_OFF}', failing_since = coalesce(failing_since, ${at})
     where off_at is null and mailbox_id in (select id from mailboxes where ${theirs})`,
    `update mailboxes set webhook = 'off', updated_at = ${at} where webhook = 'on' and deleted_at is null and ${theirs}`,
  ];
}

/** Removes what they planned. */
const dropSchedules = ({ namespaces, keys, when }: Made): string => `
  delete from schedules where sender_namespace_id in (${namespaces}) and ${when('from_mailbox_id')} and exists (
    select 1 from (${keys}) t where schedules.sender like '%"key_id":"' || t.id || '"%')`;

export const dropInvitations = ({ namespaces, keys, when }: Made): string => `
  delete from invitations where namespace_id in (${namespaces}) and key_id in (${keys}) and ${when('null')}`;

/** Without scopes of their keys nothing leaves by what they set up. */
export const stopMade = (made: Made): readonly string[] => [
  stopWebhooks(made),
  ...stopAgents(made),
  dropSchedules(made),
  dropInvitations(made),
  `update keys set scopes = '[]', revoked_at = coalesce(revoked_at, ${made.at})
   where id in (${made.keys}) and ${made.when('mailbox_id')}`,
];

/** Stops what a member could not set up with this role, for the mailboxes whose ids are the parameter, as JSON text; '' is all. */
export function stopExcess(made: Made, role: Role, ids: string): readonly string[] {
  const scopesOfRole = { scopes: ROLES[role] };
  const all = `cast(${ids} as text)`;
  const isBeyond = (mailbox: string): string =>
    `(${all} <> '' and (${mailbox} is null or ${all} not like '%"' || ${mailbox} || '"%'))`;
  const without = (scope: (typeof SCOPES)[number]): Made => ({
    ...made,
    when: (mailbox) =>
      `${made.when(mailbox)} and ${hasScope(scopesOfRole, scope) ? isBeyond(mailbox) : `${all} is not null`}`,
  });
  const excess = SCOPES.filter((scope) => !hasScope(scopesOfRole, scope)).map((scope) => `scopes like '%"${scope}"%'`);
  const isMore = [...excess, isBeyond('mailbox_id'), `(${all} <> '' and also <> '[]')`].join(' or ');
  return [
    stopWebhooks(without('webhooks:write')),
    ...stopAgents(without('mailboxes:write')),
    dropSchedules(without('mail:send')),
    // What a key set up that was revoked since goes by its scopes still.
    `update keys set scopes = '[]'
     where id in (${made.keys}) and revoked_at is not null and (${isMore}) and ${made.when('mailbox_id')}`,
  ];
}

/** What is assigned to these accounts is assigned to none. */
const unassignAccounts = (accounts: string): string => `
  update conversations set assignee = null where (namespace_id, assignee) in
    (select namespace_id, account_id from members where account_id in (${accounts}))`;

/** The accounts that a query selects go: what they made in any namespace stops. Both parts have the same parameters. */
export const stopAccounts = (accounts: string, at: string): readonly string[] => [
  ...stopMade(madeByAccounts(accounts, at)),
  unassignAccounts(accounts),
];
