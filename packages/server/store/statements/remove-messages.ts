import { firstIdAt, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Messages } from '../../core/ports/messages.ts';
import { type Db, step } from '../db.ts';
import { batchEnd } from './batch.ts';
import { dropWithMessages, dropWithRange } from './message-parts.ts';
import { OF_THREAD } from './messages.ts';
import { holdStorage, refundMessages } from './storage.ts';

/** Selects old messages by id, which gives the time of creation; a message settles later than that. */
const OLD_END = batchEnd('id > $1 and id < $2', '$3');
const RETIRED = 'from messages where id > $1 and id <= $2 and settled_at < $3';
const isRetired = (id: string): string => `exists (select 1 from messages o where o.id = ${id} and o.settled_at < $3)`;
const RETIRE = `delete ${RETIRED} returning id`;

/** Walks the primary key, so that no further index slows every message. */
export const makeRetire =
  (db: Db): Messages['retire'] =>
  async (settledBefore, after, max) => {
    const [end] = await db.read(OLD_END, [after, firstIdAt('msg', settledBefore), max]);
    const next = (end?.id as string | null | undefined) ?? null;
    if (next === null) return { retired: 0, next };
    const written = await db.write(
      [
        holdStorage(),
        ...refundMessages('id > $1 and id <= $2 and settled_at < $3', after, next, settledBefore),
        ...dropWithRange(isRetired, after, next, settledBefore),
        step(RETIRE, after, next, settledBefore),
      ],
      'expire',
    );
    return { retired: written.at(-1)?.length ?? 0, next };
  };

/**
 * The message `$1`, once it has settled, with its replies that no mailbox received; `$2` is its thread, `$3` its reply. A
 * reply itself only once its author or the message that it answers is gone.
 */
const REMOVED = `
  select m.id from messages m where m.id = $1 and m.status <> 'submitted' and (m.kind = 'message'
    or m.from_mailbox_id is null or not exists (select 1 from messages q where q.id = m.in_reply_to))
  union all
  select id from messages where id = $3 and in_reply_to = $1 and kind = 'reply' and to_mailbox_id is null
  union all
  select id from messages where ${OF_THREAD.replace('$1', '$2')} and in_reply_to = $1 and kind = 'reply' and to_mailbox_id is null`;
const REMOVE = `delete from messages where id in (${REMOVED}) returning id`;
const LABELS_OF_KEPT = `
  delete from labels where message_id = $1
    and mailbox_id = (select to_mailbox_id from messages where id = $1 and kind = 'reply')`;
/** The mailbox that wrote the reply keeps it. */
const KEEP_FOR_AUTHOR = `
  update messages set to_mailbox_id = null, "to" = null
  where id = $1 and kind = 'reply' and to_mailbox_id is not null returning id`;

export const makeRemove =
  (db: Db): Messages['remove'] =>
  async ({ id, thread_id }) => {
    const cells = [id, thread_id, replyIdOf(id)];
    const written = await db.write(
      [
        holdStorage(),
        ...refundMessages(`m.id in (${REMOVED})`, ...cells),
        ...dropWithMessages(REMOVED, ...cells),
        step(REMOVE, ...cells),
        step(LABELS_OF_KEPT, id),
        step(KEEP_FOR_AUTHOR, id),
      ],
      'erase',
    );
    const [removed, , kept] = written.slice(-3);
    return (removed?.length ?? 0) + (kept?.length ?? 0) > 0;
  };
