import { type Allowance, type Allowances, MAX_ALLOWANCES } from '../../core/entities/client.ts';
import { type Db, type Row, step } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parameterAfter, rowOf } from '../schema/table.ts';
import { allowances } from '../schema/tables.ts';
import { holdMailbox, holdNamespace, mailboxLives, namespaceLives } from './living.ts';

const COLUMNS = columnsOf(allowances);
const BOTH_LIVE = `${mailboxLives('$1')} and ${namespaceLives('$2')}`;
const HAS_ROOM = `(select count(*) from allowances where mailbox_id = $1) < ${parameterAfter(allowances, 1)}`;
const ALLOW = `${insertIfSql(allowances, `${BOTH_LIVE} and ${HAS_ROOM}`)}
  on conflict (mailbox_id, issuer_id, client_id) do nothing`;
const THIS = 'mailbox_id = $1 and issuer_id = $2 and client_id = $3';
const LIVE = `${mailboxLives('allowances.mailbox_id')} and ${namespaceLives('allowances.issuer_id')}`;
const HAS = `select 1 as allowed from allowances where ${THIS} and ${LIVE}`;
const LIVES = `select 1 as live where ${BOTH_LIVE}`;
const OF = `
  select ${COLUMNS} from allowances where mailbox_id = $1 and ${LIVE}
  order by created_at desc, issuer_id, client_id`;
const REMOVE = `delete from allowances where ${THIS} returning client_id`;

const allowanceFrom = (row: Row): Allowance => rowOf(allowances, row);

export function makeAllowances(db: Db): Allowances {
  return {
    async allow(allowance) {
      const { mailbox_id, issuer_id, client_id } = allowance;
      const results = await db.write(
        [
          holdNamespace(issuer_id),
          holdMailbox(mailbox_id),
          step(ALLOW, ...cellsOf(allowances, allowance), MAX_ALLOWANCES),
          step(HAS, mailbox_id, issuer_id, client_id),
          step(LIVES, mailbox_id, issuer_id),
        ],
        'beside',
      );
      const [allowed, live] = results.slice(-2).map((rows) => rows.length > 0);
      if (allowed) return 'allowed';
      return live ? 'full' : 'gone';
    },
    async has(mailboxId, issuerId, clientId) {
      return (await db.read(HAS, [mailboxId, issuerId, clientId])).length > 0;
    },
    async of(mailboxId) {
      return (await db.read(OF, [mailboxId])).map(allowanceFrom);
    },
    async remove(mailboxId, issuerId, clientId) {
      const [removed] = await db.write([step(REMOVE, mailboxId, issuerId, clientId)], 'beside');
      return removed?.length === 1;
    },
  };
}
