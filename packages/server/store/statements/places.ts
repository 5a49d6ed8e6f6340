import { TRASH } from '../../core/entities/label.ts';
import type { PlaceCounts, Places } from '../../core/ports/places.ts';
import type { Db } from '../db.ts';

const MAX_COUNT = 100;
/** Messages that were sent, among which those that wait are counted. */
const SENT_AMONG = 1_000;
/** Copies for several recipients wait for the one message that was sent. */
const COUNTS = `
  select (
    select count(*) from (
      select d.id from drafts d where d.namespace_id = $1 and d.message_id is null
        and not exists (select 1 from mailboxes b where b.id = d.mailbox_id and b.deleted_at is not null)
      limit ${MAX_COUNT}) draft
  ) as drafts, (
    select count(*) from (
      select distinct coalesce(sent.copy_of, sent.id) as id from (
        select m.id, m.copy_of from messages m where m.sender_namespace_id = $1 and m.kind = 'message'
        order by m.id desc limit ${SENT_AMONG}
      ) sent where exists (select 1 from handlings h where h.message_id = sent.id) limit ${MAX_COUNT}) waiting
  ) as sent, (
    select count(*) from (
      select distinct m.thread_id from labels l join messages m on m.id = l.message_id
      where l.label = '${TRASH}' and l.mailbox_id in (
        select b.id from mailboxes b where b.namespace_id = $1 and b.deleted_at is null union all select $1)
      limit ${MAX_COUNT}) thrown
  ) as trash, (
    select count(*) from (
      select 1 from conversations c where c.namespace_id = $1 and c.state = 'later' limit ${MAX_COUNT}) put_off
  ) as later`;
const ASSIGNED = `
  select assignee, count(*) as count from conversations
  where namespace_id = $1 and assignee is not null and state <> 'done' group by assignee`;

export const makePlaces = (db: Db): Places => ({
  async counts(namespaceId) {
    const [row] = await db.read(COUNTS, [namespaceId]);
    const rows = await db.read(ASSIGNED, [namespaceId]);
    const assigned = Object.fromEntries(rows.map(({ assignee, count }) => [assignee as string, Number(count)]));
    const [drafts, sent, trash, later] = [row?.drafts, row?.sent, row?.trash, row?.later].map(Number);
    return { drafts, sent, trash, later, assigned } as PlaceCounts;
  },
});
