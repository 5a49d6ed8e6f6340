import type { MessageIdOf, MessageIds } from '../../core/ports/message-ids.ts';
import { type Cell, type Db, params, step, type WriteStep } from '../db.ts';
import { insertIfSql, rowOf } from '../schema/table.ts';
import { messageIds } from '../schema/tables.ts';
import type { Among } from './among.ts';

/** Maximum messages that are found for one id. */
const MAX_MESSAGES = 20;

/** Whether a living mailbox of the namespace received or wrote the message. */
const heldBy = (namespace: string, message: string): string => `exists (
  select 1 from messages m join mailboxes b on b.id = m.to_mailbox_id or b.id = m.from_mailbox_id
  where m.id = ${message} and b.namespace_id = ${namespace} and b.deleted_at is null)`;

const ADD = `${insertIfSql(messageIds, heldBy('$1', '$3'))} on conflict do nothing`;

/** Deletes the Message-IDs of these messages, before these are deleted. */
export const dropMessageIds = (among: Among, ...cells: readonly Cell[]): readonly WriteStep[] => [
  step(`delete from message_ids where ${among('message_id')}`, ...cells),
];

/** Deletes up to `max` Message-IDs of a namespace, which was deleted; true when there may be more. */
export async function purgeMessageIds(db: Db, namespaceId: string, max: number): Promise<boolean> {
  const [dropped] = await db.write(
    [
      step(
        `delete from message_ids where (namespace_id, rfc_id, message_id) in
          (select namespace_id, rfc_id, message_id from message_ids where namespace_id = $1 limit ${max})
         returning message_id`,
        namespaceId,
      ),
    ],
    'erase',
  );
  return (dropped?.length ?? 0) >= max;
}

/** Records that these ids stand for a message in a namespace, in the transaction of a fact. */
export const addMessageIds = (namespaceId: string, messageId: string, rfcIds: readonly string[]): WriteStep[] =>
  rfcIds
    .filter((rfcId) => !rfcId.startsWith(`<${messageId}@`))
    .map((rfcId) => step(ADD, namespaceId, rfcId, messageId));

export function makeMessageIds(db: Db): MessageIds {
  return {
    async add(namespaceId, messageId, rfcIds) {
      const steps = addMessageIds(namespaceId, messageId, rfcIds);
      if (steps.length > 0) await db.write(steps);
    },
    async find(namespaceId, rfcIds) {
      if (rfcIds.length === 0) return [];
      const { values, p } = params();
      const namespace = p(namespaceId);
      const each = rfcIds.map(
        (rfcId) => `select * from (select rfc_id, message_id from message_ids i
          where namespace_id = ${namespace} and rfc_id = ${p(rfcId)} and ${heldBy(namespace, 'i.message_id')}
          order by message_id desc limit ${MAX_MESSAGES}) newest`,
      );
      const rows = await db.read(each.join(' union '), values);
      return rows.map((row): MessageIdOf => rowOf(messageIds, row));
    },
  };
}
