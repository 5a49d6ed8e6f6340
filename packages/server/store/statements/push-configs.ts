import type { PushConfigKey, PushConfigs } from '../../core/ports/push-configs.ts';
import { type Cell, type Db, step, type WriteStep } from '../db.ts';
import { cellsOf, columnsOf, insertIfSql, parametersOf, rowOf } from '../schema/table.ts';
import { pushConfigs } from '../schema/tables.ts';
import type { Among } from './among.ts';
import { holdStorage, refundPushConfigs } from './storage.ts';

/** Maximum rows that a sweep removes. */
const BATCH = 500;

const COLUMNS = columnsOf(pushConfigs);
const OF = 'task_id = $1 and key_id = $2 and id = $3';
const GET = `select ${COLUMNS} from push_configs where ${OF} and expires_at > $4`;
const LIST = `select ${COLUMNS} from push_configs where task_id = $1 and expires_at > $2`;
const LIST_OF_KEY = `${LIST} and key_id = $3 order by id`;
const { task_id, key_id, id, created_at } = parametersOf(pushConfigs);
const MAX = `$${pushConfigs.names.length + 1}`;
const SET = `
  ${insertIfSql(
    pushConfigs,
    `exists (select 1 from messages where id = ${task_id}) and (select count(*) from push_configs
      where task_id = ${task_id} and key_id = ${key_id} and id <> ${id} and expires_at > ${created_at}) < ${MAX}`,
  )}
  returning id`;
const EXPIRED = `select task_id, key_id, id from push_configs where expires_at <= $1 order by expires_at limit ${BATCH}`;
const cellsFor = ({ task_id: task, key_id: key, id: name }: PushConfigKey): readonly Cell[] => [task, key, name];

/** Steps that delete the rows for which `where` holds and give their bytes back, in a transaction that holds the storage. */
const dropWhere = (where: string, ...cells: readonly Cell[]): readonly WriteStep[] => [
  ...refundPushConfigs(where, ...cells),
  step(`delete from push_configs where ${where} returning id`, ...cells),
];

/** Steps that delete the configurations of these messages. */
export const dropPushConfigs = (among: Among, ...cells: readonly Cell[]): readonly WriteStep[] =>
  dropWhere(among('task_id'), ...cells);

/** Deletes up to `max` of a namespace; true when there may be more. */
export async function purgePushConfigs(db: Db, namespaceId: string, max: number): Promise<boolean> {
  const some = `(task_id, key_id, id) in
    (select task_id, key_id, id from push_configs where namespace_id = $1 order by task_id, key_id, id limit ${max})`;
  const written = await db.write([holdStorage(), ...dropWhere(some, namespaceId)], 'erase');
  return (written.at(-1)?.length ?? 0) >= max;
}

export function makePushConfigs(db: Db): PushConfigs {
  const remove = async (of: PushConfigKey): Promise<void> => {
    await db.write([holdStorage(), ...dropWhere(OF, ...cellsFor(of))], 'erase');
  };
  return {
    async set(config, max) {
      const cells = cellsOf(pushConfigs, config);
      const written = await db.write(
        [
          holdStorage(),
          // What is replaced is removed first, so that it gives its bytes back.
          ...dropWhere(OF, ...cellsFor(config)),
          step(SET, ...cells, max),
          step('select id from messages where id = $1', config.task_id),
        ],
        'erase',
      );
      const [stored, task] = written.slice(-2);
      if (task?.length === 0) return 'gone';
      return stored?.length === 1 ? 'stored' : 'full';
    },
    async get(of, now) {
      const [row] = await db.read(GET, [...cellsFor(of), now]);
      return row && rowOf(pushConfigs, row);
    },
    async list({ task_id: task, key_id: key }, now) {
      const rows =
        key === undefined
          ? await db.read(`${LIST} order by key_id, id`, [task, now])
          : await db.read(LIST_OF_KEY, [task, now, key]);
      return rows.map((row) => rowOf(pushConfigs, row));
    },
    remove,
    async sweep(now) {
      const written = await db.write(
        [holdStorage(), ...dropWhere(`(task_id, key_id, id) in (${EXPIRED})`, now)],
        'erase',
      );
      return written.at(-1)?.length ?? 0;
    },
  };
}
