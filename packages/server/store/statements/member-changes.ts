import type { Accounts } from '../../core/entities/account.ts';
import { GRANT } from '../../core/values/states.ts';
import { type Cell, type Db, type Row, step } from '../db.ts';
import { UNASSIGN_REMOVED } from './conversations.ts';
import { keyCells } from './keys.ts';
import { holdNamespace } from './living.ts';
import { dropInvitations, type Made, stopExcess, stopMade } from './made-by-members.ts';
import { hasOther, isLiving, keyWorks } from './members.ts';

/** So that no key of theirs makes another meanwhile. */
const HOLD_KEYS = 'update keys set name = name where namespace_id = $1 and account_id = $2 and revoked_at is null';
const OTHER = hasOther('$1', '$2', '$3');
/** Whether it may go, of a member that is there. */
const STATE = `
  select case when role <> 'owner' or ${OTHER} then 1 else 0 end as may
  from members where namespace_id = $1 and account_id = $2 and ${isLiving('$3')}`;
const ROLE_IS = (comparison: string): string =>
  `exists (select 1 from members w where w.namespace_id = $1 and w.account_id = $2 and w.role ${comparison} 'owner')`;
const MAY_GO = `(${ROLE_IS('<>')} or (${ROLE_IS('=')} and ${OTHER}))`;

/** The parameters of a change: namespace, account, time, whether it stays an owner, and how many keys it has. */
const MAY_CHANGE = `($4 = 1 or ${MAY_GO})
  and exists (select 1 from members t where t.namespace_id = $1 and t.account_id = $2
    and ${keyWorks('t.key_id', 't.namespace_id', '$3')})
  and (select count(*) from keys c where c.namespace_id = $1 and c.account_id = $2 and c.revoked_at is null
    and (c.expires_at is null or c.expires_at > $3)) = $5`;
const CHANGE_KEY = `
  update keys set scopes = $7, mailbox_id = $8, mailbox = $9, also = $10 where id = $6 and ${MAY_CHANGE}`;
const CHANGE = `
  update members set role = $6, mailbox_ids = $7, name = $8 where namespace_id = $1 and account_id = $2 and ${MAY_CHANGE}
  returning account_id`;
const REVOKE_EMPTY = `
  update keys set revoked_at = $3 where namespace_id = $1 and account_id = $2 and revoked_at is null and scopes = '[]'`;

const THEIR_KEYS = 'select k.id from keys k where k.namespace_id = $1 and k.account_id = $2';
const THEIR_KEY = 'select m.key_id from members m where m.namespace_id = $1 and m.account_id = $2';
const madeIf = (when: string): Made => ({
  ...{ namespaces: 'cast($1 as text)', keys: THEIR_KEYS, at: '$3' },
  when: () => when,
});
const STOP = stopMade(madeIf(MAY_GO));
/** What they made goes on under the key `$4`. */
const PASS = [
  `update webhooks set key_id = $4 where namespace_id = $1 and key_id in (${THEIR_KEY}) and ${MAY_GO}`,
  `update mailboxes set settings_key_id = $4 where namespace_id = $1 and settings_key_id in (${THEIR_KEY}) and ${MAY_GO}`,
  `update mailboxes set rules = replace(rules, (${THEIR_KEY}), $4) where namespace_id = $1
     and rules like '%"key_id":"' || (${THEIR_KEY}) || '"%' and ${MAY_GO}`,
  `update drafts set key_id = $4 where namespace_id = $1 and key_id in (${THEIR_KEY}) and ${MAY_GO}`,
  `update schedules set sender = replace(sender, (${THEIR_KEY}), $4) where sender_namespace_id = $1
     and sender like '%"key_id":"' || (${THEIR_KEY}) || '"%' and ${MAY_GO}`,
];
/** The keys that they made belong to the account `$4`. */
const PASS_KEYS = `
  update keys set account_id = $4 where namespace_id = $1 and account_id = $2 and id not in (${THEIR_KEY}) and ${MAY_GO}`;
const END_KEY = `
  update keys set scopes = '[]', revoked_at = coalesce(revoked_at, $3) where id in (${THEIR_KEY}) and ${MAY_GO}`;
const SUBJECTS = 'select s.subject from subjects s where s.account_id = $2';
/**
 * Ends what clients may do for them here, of servers of this namespace and the one that names none: else it would begin
 * again with another invitation. The concatenation is for the index, as of other states.
 */
const END_GRANTS = `
  delete from states where kind || '' = '${GRANT}' and subject in (${SUBJECTS}) and (value like '%/mcp":"%'
    or (value like '%"resources":{%' and subject in (${SUBJECTS} and s.namespace_id = $1))) and ${MAY_GO}`;
const REMOVE = `delete from members where namespace_id = $1 and account_id = $2 and ${MAY_GO} returning account_id`;

/** Changes of members. Those of one namespace come one after the other, so that an owner is left. */
export const makeMemberChanges = (db: Db): Pick<Accounts, 'changeMember' | 'removeMember'> => ({
  async changeMember({ namespace_id, account_id }, { role, mailbox_ids, name }, keys, now) {
    const guard: Cell[] = [namespace_id, account_id, now, role === 'owner' ? 1 : 0, keys.length];
    const bound = mailbox_ids === null ? null : JSON.stringify(mailbox_ids);
    const results = await db.write(
      [
        holdNamespace(namespace_id),
        step(HOLD_KEYS, namespace_id, account_id),
        ...keys.map((key) => {
          const { scopes, also } = keyCells(key);
          return step(CHANGE_KEY, ...guard, key.id, scopes, key.mailbox_id, key.mailbox, also);
        }),
        ...stopExcess(madeIf(MAY_CHANGE), role, '$6').map((sql) => step(sql, ...guard, bound ?? '')),
        step(CHANGE, ...guard, role, bound, name),
        step(REVOKE_EMPTY, namespace_id, account_id, now),
        step(STATE, namespace_id, account_id, now),
      ],
      'beside',
    );
    const [changed = [], , [state] = []] = results.slice(-3) as (readonly Row[])[];
    if (changed.length > 0) return 'changed';
    if (state === undefined) return 'gone';
    return state.may === 1 || role === 'owner' ? 'raced' : 'last';
  },
  async removeMember({ namespace_id, account_id }, heir, now) {
    const ids = [namespace_id, account_id, now] as const;
    const steps =
      heir === undefined
        ? STOP.map((sql) => step(sql, ...ids))
        : [
            step(dropInvitations(madeIf(MAY_GO)), ...ids),
            ...PASS.map((sql) => step(sql, ...ids, heir.id)),
            step(PASS_KEYS, ...ids, heir.account_id),
            step(END_KEY, ...ids),
          ];
    const results = await db.write(
      [
        holdNamespace(namespace_id),
        step(HOLD_KEYS, namespace_id, account_id),
        step(STATE, ...ids),
        ...steps,
        step(END_GRANTS, ...ids),
        step(REMOVE, ...ids),
        step(UNASSIGN_REMOVED, namespace_id, account_id),
      ],
      'beside',
    );
    if (results.at(-2)?.length === 1) return 'removed';
    return results[2]?.length === 1 ? 'last' : 'gone';
  },
});
