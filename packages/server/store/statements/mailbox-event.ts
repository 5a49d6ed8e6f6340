import type { Millis } from '@mailroom/behavior/values/clock';
import type { EventType } from '../../core/entities/event.ts';
import { step, type WriteStep } from '../db.ts';

/**
 * The event of a change of a mailbox, for the transaction of the change; `where` names the row by its parameters from 4
 * on.
 */
export const mailboxEvent = (type: EventType, id: string, time: Millis, where = ''): WriteStep =>
  step(
    `insert into events (namespace_id, mailbox_id, type, at, arrived)
     select namespace_id, id, $2, $3, 0 from mailboxes where id = $1 ${where}`,
    id,
    type,
    time,
  );
