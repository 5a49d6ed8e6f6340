import type { Accounts } from '../../core/entities/account.ts';
import { MAX_MEMBERSHIPS, type Member } from '../../core/entities/member.ts';
import { DEFAULT_NOTICES } from '../../core/entities/notices.ts';
import { type Db, type Row, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsBut, columnsOf, insertIfSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { keys, members } from '../schema/tables.ts';
import { keyFrom } from './keys.ts';
import { accountLives, holdAccount, holdNamespace, namespaceLives } from './living.ts';

const MEMBER = columnsBut(members, 'notify_browser', 'notify_minutes', 'called_at', 'called_by');
const P = parametersOf(members);
const MAX = parameterAfter(members, 1);

/** The condition that the key of this id belongs to the namespace and works. */
export const keyWorks = (id: string, namespace: string, now: string): string => `exists (
  select 1 from keys k where k.id = ${id} and k.namespace_id = ${namespace} and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > ${now}))`;
const isWorking = (now: string): string => keyWorks('members.key_id', 'members.namespace_id', now);
/** The condition that a row of `members` is of a living namespace and account, and its key works. */
export const isLiving = (now: string): string =>
  `${isWorking(now)} and ${namespaceLives('members.namespace_id')} and ${accountLives('members.account_id')}`;

const MAY_JOIN = `${namespaceLives(P.namespace_id)} and ${accountLives(P.account_id)}
  and ${keyWorks(P.key_id, P.namespace_id, P.created_at)}`;
const IS_THERE = `namespace_id = ${P.namespace_id} and account_id = ${P.account_id}`;
/** Removes ended memberships, so that they do not count toward the limits. */
const DROP_ENDED = `delete from members where (namespace_id = $1 or account_id = $2) and not ${isWorking('$3')}`;
/** Revokes the key of an earlier membership, which would otherwise continue to work. */
const REVOKE_BEFORE = `
  update keys set revoked_at = $4 where revoked_at is null and id <> $3
    and id = (select key_id from members where namespace_id = $1 and account_id = $2)
    and ${namespaceLives('$1')} and ${accountLives('$2')} and ${keyWorks('$3', '$1', '$4')}`;
const HAS_PLACE = `(
  exists (select 1 from members where ${IS_THERE})
  or ((select count(*) from members where namespace_id = ${P.namespace_id}) < ${MAX}
    and (select count(*) from members where account_id = ${P.account_id}) < ${MAX}))`;
const JOIN = `${insertIfSql(members, `${MAY_JOIN} and ${HAS_PLACE}`)}
  on conflict (namespace_id, account_id) do update
    set key_id = excluded.key_id, role = excluded.role, mailbox_ids = excluded.mailbox_ids, name = excluded.name
  returning key_id`;
/** Its key, and later what is made with it, belongs to the member. */
const MARK_KEY = `
  update keys set account_id = $2 where id = $3 and account_id is null
    and exists (select 1 from members where namespace_id = $1 and account_id = $2 and key_id = $3)`;
const COULD_JOIN = `
  select 1 as could where ${namespaceLives('$1')} and ${accountLives('$2')} and ${keyWorks('$3', '$1', '$4')}`;

/** The columns of how a member who chose nothing is called. */
const NEW_NOTICES = {
  notify_browser: DEFAULT_NOTICES.browser ? 1 : 0,
  notify_minutes: DEFAULT_NOTICES.mail_minutes,
  called_at: null,
  called_by: null,
};

const membersWhere = (where: string, now = '$2'): string => `
  select ${MEMBER} from members where ${where} and ${isLiving(now)} order by created_at, namespace_id, account_id`;
const MEMBERS_OF = membersWhere('namespace_id = $1');
const OWNERS_OF = membersWhere("namespace_id = $1 and role = 'owner'");
const MEMBERSHIPS_OF = membersWhere('account_id = $1');
const MEMBER_BY = membersWhere('key_id = $1');
const ONE = membersWhere('namespace_id = $1 and account_id = $2', '$3');

const KEYS_OF = `
  select ${columnsOf(keys)} from keys where namespace_id = $1 and account_id = $2 and revoked_at is null
    and (expires_at is null or expires_at > $3) order by id`;
/** The condition that the namespace has another owner than the account. */
export const hasOther = (namespace: string, account: string, now: string): string => `exists (
  select 1 from members o where o.namespace_id = ${namespace} and o.account_id <> ${account} and o.role = 'owner'
    and ${keyWorks('o.key_id', 'o.namespace_id', now)} and ${accountLives('o.account_id')})`;

const memberFrom = (row: Row): Member => {
  const { mailbox_ids, ...member } = rowOf(members, row);
  return { ...member, mailbox_ids: mailbox_ids === null ? null : (JSON.parse(mailbox_ids) as string[]) };
};

/** Makes the account of a member one, by the key that is there; the namespace is locked before. */
export function joinSteps(member: Member): readonly WriteStep[] {
  const { namespace_id, account_id, key_id, created_at, mailbox_ids } = member;
  const bound = mailbox_ids === null ? null : JSON.stringify(mailbox_ids);
  const row = { ...member, mailbox_ids: bound, ...NEW_NOTICES };
  return [
    ...holdAccount(account_id),
    step(DROP_ENDED, namespace_id, account_id, created_at),
    step(REVOKE_BEFORE, namespace_id, account_id, key_id, created_at),
    step(JOIN, ...cellsOf(members, row), MAX_MEMBERSHIPS),
    step(MARK_KEY, namespace_id, account_id, key_id),
  ];
}

type Methods = 'join' | 'membersOf' | 'ownersOf' | 'membershipsOf' | 'memberBy' | 'member' | 'keysOf';

/** The statements about members of namespaces. */
export function makeMembers(db: Db): Pick<Accounts, Methods> {
  const all = async (sql: string, ...values: (string | number)[]): Promise<readonly Member[]> =>
    (await db.read(sql, values)).map(memberFrom);
  return {
    async join(member) {
      const { namespace_id, account_id, key_id, created_at } = member;
      const could = step(COULD_JOIN, namespace_id, account_id, key_id, created_at);
      const results = await db.write([holdNamespace(namespace_id), ...joinSteps(member), could], 'beside');
      const [joined, , isFull] = results.slice(-3).map((rows) => rows.length > 0);
      if (joined) return 'joined';
      return isFull ? 'full' : 'gone';
    },
    membersOf: (namespaceId, now) => all(MEMBERS_OF, namespaceId, now),
    ownersOf: (namespaceId, now) => all(OWNERS_OF, namespaceId, now),
    membershipsOf: (accountId, now) => all(MEMBERSHIPS_OF, accountId, now),
    async memberBy(keyId, now) {
      return (await all(MEMBER_BY, keyId, now))[0];
    },
    async member(namespaceId, accountId, now) {
      return (await all(ONE, namespaceId, accountId, now))[0];
    },
    async keysOf(namespaceId, accountId, now) {
      return (await db.read(KEYS_OF, [namespaceId, accountId, now])).map(keyFrom);
    },
  };
}
