import type { Millis } from '@mailroom/behavior/values/clock';
import { type Cell, step, type WriteStep } from '../db.ts';
import { columnsOf } from '../schema/table.ts';
import { deliveries } from '../schema/tables.ts';

/** The SQL expressions from which the delivery of a message to its mailbox's webhook is made. */
interface PushOf {
  readonly message: string;
  readonly mailbox: string;
  readonly namespace: string;
  readonly now: string;
  readonly deadline: string;
}

/** Of a message there is one delivery at a time. The message is read when it is sent, so the payload is empty. */
const pushRow = ({ message, mailbox, namespace, now, deadline }: PushOf): string => {
  const cells: { readonly [name in keyof typeof deliveries.columns]: string } = {
    id: message,
    kind: "'agent'",
    namespace_id: namespace,
    message_id: message,
    event_id: 'null',
    target: mailbox,
    destination: `${namespace} || '/' || ${mailbox}`,
    payload: "''",
    status: "'queued'",
    error: 'null',
    due_at: now,
    leased: '0',
    fence: '0',
    attempt: '0',
    created_at: now,
    updated_at: now,
    expires_at: deadline,
  };
  return deliveries.names.map((name) => cells[name as keyof typeof cells]).join(', ');
};

/** An insert of such deliveries, whose source follows. */
export const insertPushes = (of: PushOf): string =>
  `insert into deliveries (${columnsOf(deliveries)}) select ${pushRow(of)}`;

const QUEUED = insertPushes({
  message: 'h.message_id',
  mailbox: 'b.id',
  namespace: 'b.namespace_id',
  now: 'cast($1 as bigint)',
  deadline: 'h.due_at',
});

/** Queues those of the handlings `h` that wait for an answer in a mailbox whose webhook is on; `where` uses $2 and more. */
export const queuePushes = (where: string, now: Millis, ...cells: readonly Cell[]): WriteStep =>
  step(
    `${QUEUED} from handlings h join mailboxes b on b.id = h.mailbox_id and b.webhook = 'on' and b.deleted_at is null
     where ${where} and h.waiting_for = 'answer' and h.leased = 0 and h.due_at is not null
       and h.answerable_at is not null
     on conflict (id) do update set due_at = excluded.due_at, expires_at = excluded.expires_at
       where deliveries.leased = 0`,
    now,
    ...cells,
  );
