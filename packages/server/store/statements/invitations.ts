import type { Invitation } from '../../core/entities/member.ts';
import type { Invitations } from '../../core/ports/invitations.ts';
import { type Db, type Row, step } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { invitations, keys } from '../schema/tables.ts';
import { insertKey } from './keys.ts';
import { holdNamespace, namespaceLives } from './living.ts';
import { joinSteps, keyWorks } from './members.ts';

const COLUMNS = columnsOf(invitations);
const NEW = parametersOf(invitations);
const isOpen = (now: string): string => `expires_at > ${now}
  and ${keyWorks('invitations.key_id', 'invitations.namespace_id', now)} and ${namespaceLives('invitations.namespace_id')}`;

const DROP_ENDED = `delete from invitations where namespace_id = $1 and not (${isOpen('$2')})`;
const INVITED = 'select id from invitations where namespace_id = $1 and address = $2';
const INVITE = `${insertIfSql(
  invitations,
  `${namespaceLives(NEW.namespace_id)} and ${keyWorks(NEW.key_id, NEW.namespace_id, NEW.created_at)}
  and (select count(*) from invitations where namespace_id = ${NEW.namespace_id}) < ${parameterAfter(invitations, 1)}`,
)} on conflict do nothing returning id`;
const LIVES = `select 1 as lives where ${namespaceLives('$1')}`;
const OF = `select ${COLUMNS} from invitations where namespace_id = $1 and ${isOpen('$2')} order by created_at, id`;
const BY_SHA256 = `select ${COLUMNS} from invitations where sha256 = $1 and ${isOpen('$2')}`;
const REMOVE = 'delete from invitations where id = $1 and namespace_id = $2 returning id';

const [ID, ACCOUNT, NOW] = [1, 2, 3].map((nth) => parameterAfter(keys, nth)) as [string, string, string];
const isMember = (namespace: string, account: string, now: string): string => `exists (
  select 1 from members m where m.namespace_id = ${namespace} and m.account_id = ${account}
    and ${keyWorks('m.key_id', 'm.namespace_id', now)})`;
const MAY_ACCEPT = `and exists (select 1 from invitations where id = ${ID} and ${isOpen(NOW)})
  and not ${isMember(parametersOf(keys).namespace_id, ACCOUNT, NOW)}`;
const IS_MEMBER = `select 1 as found where ${isMember('$1', '$2', '$3')}`;
const IS_OPEN = `select id from invitations where id = $1 and ${isOpen('$2')}`;
const ACCEPTED =
  'delete from invitations where id = $1 and exists (select 1 from members where key_id = $2) returning id';
/** The key of an account that could not join. */
const DROP_KEY = 'delete from keys where id = $1 and not exists (select 1 from members where key_id = $1)';

const invitationFrom = (row: Row): Invitation => {
  const { mailbox_ids, ...invitation } = rowOf(invitations, row);
  return { ...invitation, mailbox_ids: mailbox_ids === null ? null : (JSON.parse(mailbox_ids) as string[]) };
};

/** The statements about invitations. */
export const makeInvitations = (db: Db): Invitations => ({
  async create(invitation, max) {
    const { namespace_id, address, mailbox_ids, created_at } = invitation;
    const row = { ...invitation, mailbox_ids: mailbox_ids === null ? null : JSON.stringify(mailbox_ids) };
    const results = await db.write(
      [
        holdNamespace(namespace_id),
        step(DROP_ENDED, namespace_id, created_at),
        step(INVITED, namespace_id, address),
        step(INVITE, ...cellsOf(invitations, row), max),
        step(LIVES, namespace_id),
      ],
      'beside',
    );
    const [invited, made, lives] = results.slice(-3).map((rows) => rows.length > 0);
    if (made) return 'created';
    if (invited) return 'invited';
    return lives ? 'full' : 'gone';
  },
  async of(namespaceId, now) {
    return (await db.read(OF, [namespaceId, now])).map(invitationFrom);
  },
  async bySha256(sha256, now) {
    const [row] = await db.read(BY_SHA256, [sha256, now]);
    return row && invitationFrom(row);
  },
  async remove(id, namespaceId) {
    const [removed] = await db.write([step(REMOVE, id, namespaceId)], 'beside');
    return removed?.length === 1;
  },
  async accept(id, key, member) {
    const { namespace_id, account_id, created_at } = member;
    const results = await db.write(
      [
        holdNamespace(namespace_id),
        step(IS_MEMBER, namespace_id, account_id, created_at),
        step(IS_OPEN, id, created_at),
        insertKey(key, MAY_ACCEPT, id, account_id, created_at),
        ...joinSteps(member),
        step(ACCEPTED, id, key.id),
        step(DROP_KEY, key.id),
      ],
      'beside',
    );
    if (results.at(-2)?.length === 1) return 'joined';
    if (results[1]?.length === 1) return 'member';
    return results[2]?.length === 1 && results[3]?.length === 1 ? 'full' : 'gone';
  },
});
