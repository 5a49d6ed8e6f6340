import { type Client, type Clients, MAX_CLIENTS } from '../../core/entities/client.ts';
import { type Db, pageOf, params, type Row, step } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parameterAfter, parametersOf, rowOf } from '../schema/table.ts';
import { clients } from '../schema/tables.ts';
import { holdMailbox, mailboxLives } from './living.ts';

const COLUMNS = columnsOf(clients);
const OF_MAILBOX = parametersOf(clients).mailbox_id;
const HAS_ROOM = `(select count(*) from clients where mailbox_id = ${OF_MAILBOX}) < ${parameterAfter(clients, 1)}`;
const CREATE = `${insertIfSql(clients, `${mailboxLives(OF_MAILBOX)} and ${HAS_ROOM}`)} returning id`;
const MAILBOX_LIVES = `select 1 as lives where ${mailboxLives('$1')}`;
const LIVE = mailboxLives('clients.mailbox_id');
const BY_ID = `select ${COLUMNS} from clients where id = $1 and ${LIVE}`;
const PAGE = `select ${COLUMNS} from clients where mailbox_id = $1 and id > $2 and ${LIVE} order by id limit $3`;
/** Its id is never reused, so its allowances have no use any more. */
const DROP_ALLOWANCES = `
  delete from allowances where client_id = $1
    and issuer_id in (select namespace_id from clients where id = $1 and mailbox_id = $2)`;
const REMOVE = 'delete from clients where id = $1 and mailbox_id = $2 returning id';

const clientFrom = (row: Row): Client => rowOf(clients, row);

export function makeClients(db: Db): Clients {
  return {
    async create(client) {
      const { mailbox_id } = client;
      const [, insertedRows, lives] = await db.write(
        [
          holdMailbox(mailbox_id),
          step(CREATE, ...cellsOf(clients, client), MAX_CLIENTS),
          step(MAILBOX_LIVES, mailbox_id),
        ],
        'beside',
      );
      if (insertedRows?.length) return 'created';
      return lives?.length ? 'full' : 'gone';
    },
    async byId(id) {
      const [row] = await db.read(BY_ID, [id]);
      return row && clientFrom(row);
    },
    async page({ mailbox_id }, after, size) {
      const rows = await db.read(PAGE, [mailbox_id, after ?? '', size + 1]);
      return pageOf(rows.map(clientFrom), size);
    },
    async change(id, { name, metadata, secret }, now) {
      const { values, p } = params();
      const where = `where id = ${p(id)} and ${LIVE} returning ${COLUMNS}`;
      const sets = [`updated_at = ${p(now)}`];
      if (name !== undefined) sets.push(`name = ${p(name)}`);
      if (metadata !== undefined) sets.push(`metadata = ${p(metadata)}`);
      if (secret !== undefined) sets.push(`secret = ${p(secret)}`);
      const [changed] = await db.write([step(`update clients set ${sets.join(', ')} ${where}`, ...values)], 'beside');
      return changed?.[0] && clientFrom(changed[0]);
    },
    async remove(id, mailboxId) {
      const [, removed] = await db.write([step(DROP_ALLOWANCES, id, mailboxId), step(REMOVE, id, mailboxId)], 'expire');
      return removed?.length === 1;
    },
  };
}
