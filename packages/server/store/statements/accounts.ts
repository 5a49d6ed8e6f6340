import type { Clock } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { type Account, type Accounts, MAX_PASSKEYS, type Passkey } from '../../core/entities/account.ts';
import { SIGN_IN_OF } from '../../core/values/sign-in-name.ts';
import { type Db, type Row, step } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, insertSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { accounts, passkeys, subjects } from '../schema/tables.ts';
import { accountLives, holdAccount, namespaceLives } from './living.ts';
import { stopAccounts } from './made-by-members.ts';
import { makeMemberChanges } from './member-changes.ts';
import { makeMembers } from './members.ts';

const ACCOUNT = columnsOf(accounts);
const PUT = `${insertSql(accounts)} on conflict (address) do nothing`;
const BY_ADDRESS = `select ${ACCOUNT} from accounts where address = $1`;
const BY_ID = `select ${ACCOUNT} from accounts where id = $1`;
const REMOVE = 'delete from accounts where id = $1 returning id';

/** Its keys of each namespace are locked, so that none makes another meanwhile. */
const HOLD_KEYS = 'update keys set name = name where account_id = $1 and revoked_at is null';
const STOP = stopAccounts('select id from accounts where id = $1 and cast($2 as bigint) is not null', '$2');
/** Drops the sign-ins of the account at services, which are stored under its subjects, and its own states. */
const DROP_SIGNED_IN = 'delete from states where subject in (select subject from subjects where account_id = $1)';
const DROP_STATES = 'delete from states where subject = $1';
/** Their keys are named after the address, and stay, revoked. */
const UNNAME_KEYS = `
  update keys set name = '${SIGN_IN_OF} a deleted account'
  where account_id = $1 and name like '${SIGN_IN_OF} %'`;
const OF_ACCOUNT = ['subjects', 'passkeys', 'members'].map((table) => `delete from ${table} where account_id = $1`);

const LIVE = `${namespaceLives('subjects.namespace_id')} and ${accountLives('subjects.account_id')}`;
const SUBJECT = `select subject from subjects where namespace_id = $1 and account_id = $2 and ${LIVE}`;
const PUT_SUBJECT = `${insertIfSql(subjects, `${namespaceLives('$1')} and ${accountLives('$2')}`)}
  on conflict do nothing`;
const OF_SUBJECT = `select account_id from subjects where namespace_id = $1 and subject = $2 and ${LIVE}`;
const SUBJECTS = `
  select namespace_id, subject from subjects where account_id = $1 and ${LIVE} order by namespace_id limit 1000`;

const PASSKEY = columnsOf(passkeys);
const HOLDER = parametersOf(passkeys).account_id;
const HAS_ROOM = `(select count(*) from passkeys where account_id = ${HOLDER}) < ${parameterAfter(passkeys, 1)}`;
const ADD_PASSKEY = `${insertIfSql(passkeys, `${accountLives(HOLDER)} and ${HAS_ROOM}`)}
  on conflict (id) do nothing returning id`;
const PASSKEY_THERE = 'select id from passkeys where id = $1';
const ACCOUNT_LIVES = `select 1 as lives where ${accountLives('$1')}`;
const OWNER_LIVES = accountLives('passkeys.account_id');
const READ_PASSKEY = `select ${PASSKEY} from passkeys where id = $1 and ${OWNER_LIVES}`;
const PASSKEYS = `select ${PASSKEY} from passkeys where account_id = $1 and ${OWNER_LIVES} order by created_at, id`;
/** WebAuthn Level 3, section 7.2, step 22: when both counters are 0 there is nothing to compare. */
const USE_PASSKEY = `
  update passkeys set counter = $2, backed_up = $3, used_at = $4
  where id = $1 and ($2 > counter or (counter = 0 and $2 = 0)) and ${OWNER_LIVES} returning id`;
const RENAME_PASSKEY = `
  update passkeys set name = $3 where id = $1 and account_id = $2 and ${OWNER_LIVES} returning id`;
const REMOVE_PASSKEY = 'delete from passkeys where id = $1 and account_id = $2 returning id';

const accountFrom = (row: Row): Account => rowOf(accounts, row);
const passkeyFrom = (row: Row): Passkey => ({ ...rowOf(passkeys, row), backed_up: row.backed_up === 1 });

export function makeAccounts(db: Db, clock: Clock): Accounts {
  const byId = async (id: string): Promise<Account | undefined> => {
    const [row] = await db.read(BY_ID, [id]);
    return row && accountFrom(row);
  };
  return {
    async getOrPut(fresh) {
      const [known] = await db.read(BY_ADDRESS, [fresh.address]);
      if (known !== undefined) return accountFrom(known);
      const put = step(PUT, ...cellsOf(accounts, fresh));
      const [, rows] = await db.write([put, step(BY_ADDRESS, fresh.address)], 'beside');
      return accountFrom(rows?.[0] as Row);
    },
    byId,
    async remove(id) {
      // A mailbox has no row in `accounts`, and keeps its own data.
      if ((await byId(id)) === undefined) return false;
      const now = clock();
      const steps = [
        ...holdAccount(id),
        step(HOLD_KEYS, id),
        ...STOP.map((sql) => step(sql, id, now)),
        step(DROP_SIGNED_IN, id),
        ...[UNNAME_KEYS, DROP_STATES, ...OF_ACCOUNT].map((sql) => step(sql, id)),
        step(REMOVE, id),
      ];
      const removed = (await db.write(steps, 'erase')).at(-1);
      return removed?.length === 1;
    },
    async subject(namespaceId, accountId, fresh) {
      const ids = [namespaceId, accountId] as const;
      const [known] = await db.read(SUBJECT, ids);
      if (known !== undefined) return known.subject as string;
      const [, rows] = await db.write([step(PUT_SUBJECT, ...ids, fresh), step(SUBJECT, ...ids)], 'beside');
      if (rows?.[0] === undefined) throw new AppError('not_found', 'The account or the namespace was deleted.');
      return rows[0].subject as string;
    },
    async ofSubject(namespaceId, subject) {
      const [row] = await db.read(OF_SUBJECT, [namespaceId, subject]);
      return row?.account_id as string | undefined;
    },
    async subjects(accountId) {
      const rows = await db.read(SUBJECTS, [accountId]);
      return rows.map((row) => ({ namespace_id: row.namespace_id as string, subject: row.subject as string }));
    },
    async addPasskey(passkey) {
      const { id, account_id } = passkey;
      const cells = cellsOf(passkeys, { ...passkey, backed_up: passkey.backed_up ? 1 : 0 });
      const results = await db.write(
        [
          ...holdAccount(account_id),
          step(ADD_PASSKEY, ...cells, MAX_PASSKEYS),
          step(PASSKEY_THERE, id),
          step(ACCOUNT_LIVES, account_id),
        ],
        'beside',
      );
      const [added, there, lives] = results.slice(-3).map((rows) => rows.length > 0);
      if (added) return 'added';
      if (there) return 'taken';
      return lives ? 'full' : 'gone';
    },
    async passkey(id) {
      const [row] = await db.read(READ_PASSKEY, [id]);
      return row && passkeyFrom(row);
    },
    async passkeys(accountId) {
      return (await db.read(PASSKEYS, [accountId])).map(passkeyFrom);
    },
    async usedPasskey(id, counter, backedUp, at) {
      const [used] = await db.write([step(USE_PASSKEY, id, counter, backedUp ? 1 : 0, at)], 'beside');
      return used?.length === 1;
    },
    async renamePasskey(id, accountId, name) {
      const [renamed] = await db.write([step(RENAME_PASSKEY, id, accountId, name)], 'beside');
      return renamed?.length === 1;
    },
    async removePasskey(id, accountId) {
      const [removed] = await db.write([step(REMOVE_PASSKEY, id, accountId)], 'expire');
      return removed?.length === 1;
    },
    ...makeMembers(db),
    ...makeMemberChanges(db),
  };
}
