import type { Millis } from '@mailroom/behavior/values/clock';
import { firstOf } from '@mailroom/behavior/values/ids';
import type { ThreadOf, Threads } from '../../core/ports/threads.ts';
import { type Db, step } from '../db.ts';
import { isByHand, waitByHand } from './by-hand.ts';
import { holdMailbox } from './living.ts';
import { OF_THREAD } from './messages.ts';
import { conversationsOf, makeConversations } from './thread-list.ts';

const TAKE = `
  insert into taken_threads (thread_id, mailbox_id, answer_within_ms, taken_at)
  select $1, id, cast($3 as bigint), cast($4 as bigint) from mailboxes where id = $2 and deleted_at is null
  on conflict (thread_id, mailbox_id) do nothing returning thread_id`;
const GIVE = 'delete from taken_threads where thread_id = $1 and mailbox_id = $2 returning thread_id';
const FIND = 'select taken_at, answer_within_ms from taken_threads where thread_id = $1 and mailbox_id = $2';

/** The unsettled messages of the thread `$1` that the mailbox `$2` received; `$3` is the id of its first message. */
const UNSETTLED = `message_id in (
  select id from messages where id = $3 and thread_id = $1 and to_mailbox_id = $2 and status = 'submitted'
  union all
  select id from messages where ${OF_THREAD} and to_mailbox_id = $2 and status = 'submitted')`;
const TAKEN = 'exists (select 1 from taken_threads where thread_id = $1 and mailbox_id = $2 and taken_at = $4)';
const MARK = `
  update handlings set by_hand_ms = (
    select answer_within_ms from taken_threads where thread_id = $1 and mailbox_id = $2)
  where by_hand_ms = 0 and ${UNSETTLED} and ${TAKEN}`;
/** What a behavior or a program still works at ends with it: the new fence and the missing claim refuse its answer. */
const WAIT = `
  update handlings set ${waitByHand('cast($4 as bigint)')}
  where ${isByHand()} and ${UNSETTLED} and ${TAKEN} and (waiting_for is null or waiting_for = 'answer')
  returning message_id`;

/** Whether they wait again for a program at once; what is pushed is handled again, which adds its delivery. */
const WAITS_ON = `exists (select 1 from mailboxes b where b.id = $2 and b.status = 'online' and coalesce(b.webhook, '') <> 'on')
  and cast($5 as bigint) is not null`;
const RETURN = `
  update handlings set claim = null, progress = null, attempt = 0,
    waiting_for = case when ${WAITS_ON} then 'answer' end,
    answerable_at = case when ${WAITS_ON} then cast($4 as bigint) end,
    due_at = (select case when b.status = 'online' then
      case when ${WAITS_ON} then cast($5 as bigint) else cast($4 as bigint) end end from mailboxes b where b.id = $2)
  where by_hand_ms > 0 and leased = 0 and waiting_for = 'answer' and ${UNSETTLED}
    and (claim is null or answerable_at <= $4)`;
const UNMARK = `update handlings set by_hand_ms = 0 where by_hand_ms > 0 and ${UNSETTLED}`;

/** About the first message of the thread that is left; written before the change, under the condition that there is one. */
const event = (type: string, condition: string): string => `
  insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
  select b.namespace_id, b.id, '${type}', coalesce(
    (select id from messages where id = $3 and thread_id = $1),
    (select min(id) from messages where ${OF_THREAD} and to_mailbox_id = $2)), cast($4 as bigint), 0
  from mailboxes b where b.id = $2 and b.deleted_at is null and ${condition}`;
const IS_TAKEN = 'exists (select 1 from taken_threads where thread_id = $1 and mailbox_id = $2)';
const TAKEN_OVER = event('thread.taken_over', `not ${IS_TAKEN}`);
const HANDED_BACK = event('thread.handed_back', IS_TAKEN);

/** Both lock the mailbox first, as a message that arrives does, so that each message is either found or finds the thread. */
export function makeThreads(db: Db): Threads {
  const cells = ({ thread_id, mailbox_id }: ThreadOf, now: Millis) =>
    [thread_id, mailbox_id, firstOf(thread_id), now] as const;
  return {
    conversations: makeConversations(db),
    conversationsOf: (of, ids) => conversationsOf(db, of, ids),

    async takeOver(thread, answer_within_ms, now) {
      const all = cells(thread, now);
      const results = await db.write(
        [
          holdMailbox(thread.mailbox_id),
          step(TAKEN_OVER, ...all),
          step(TAKE, thread.thread_id, thread.mailbox_id, answer_within_ms, now),
          step(MARK, ...all),
          step(WAIT, ...all),
        ],
        'beside',
      );
      if (results[2]?.length !== 1) return undefined;
      return (results[4] ?? []).map((row) => row.message_id as string);
    },
    async handBack(thread, now, answer_by) {
      const all = cells(thread, now);
      const results = await db.write(
        [
          holdMailbox(thread.mailbox_id),
          step(HANDED_BACK, ...all),
          step(GIVE, thread.thread_id, thread.mailbox_id),
          step(RETURN, ...all, answer_by ?? null),
          step(UNMARK, thread.thread_id, thread.mailbox_id, firstOf(thread.thread_id)),
        ],
        'beside',
      );
      return results[2]?.length === 1;
    },
    async takenOver({ thread_id, mailbox_id }) {
      const [row] = await db.read(FIND, [thread_id, mailbox_id]);
      return row && { taken_at: row.taken_at as Millis, answer_within_ms: row.answer_within_ms as Millis };
    },
  };
}
