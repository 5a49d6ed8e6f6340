import type { Millis } from '@mailroom/behavior/values/clock';
import type { Answers } from '../../core/ports/answers.ts';
import { type Db, step } from '../db.ts';
import { columnsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { REOPEN_OF_REPLY, waitAfterAnswers } from './conversations.ts';
import { noteChanged } from './index-changes.ts';
import { answererCell, hasFile, REPLY } from './message-row.ts';

/**
 * Whether the handling `h` may be answered under a claim, or by hand where the claim is null: only so while its thread is
 * taken over. A message that is held
 * because its mailbox is paused may be answered by hand too.
 */
export const mayAnswer = (claim: string, now: string): string => `(
  (${claim} is not null and (h.claim = ${claim}
    or (h.waiting_for = 'answer' and h.by_hand_ms = 0 and (h.claim is null or h.answerable_at <= ${now}))))
  or (${claim} is null and (h.waiting_for = 'answer' or (h.waiting_for is null and h.leased = 0 and h.due_at is null))))`;

export const ANSWERABLE = "waiting_for = 'answer' and leased = 0 and due_at is not null and by_hand_ms = 0";
/** Those that can be claimed now come first. */
const FIND = `
  select message_id, answerable_at from handlings
  where mailbox_id = $1 and answerable_at is not null and ${ANSWERABLE} order by answerable_at, message_id limit $2`;
const CLAIM = `
  update handlings set claim = $2, answerable_at = $3, progress = null
  where message_id = $1 and answerable_at <= $4 and ${ANSWERABLE} returning message_id, claim`;
/** Under the same claim it is taken again, as by a push that a crash interrupted. */
const TAKE = `
  update handlings set claim = $2, answerable_at = $3, progress = null
  where message_id = $1 and (answerable_at <= $4 or claim = $2) and ${ANSWERABLE} and answerable_at is not null
  returning message_id`;
const HELD = "message_id = $1 and claim = $2 and waiting_for = 'answer'";
const RENEW = `
  update handlings set answerable_at = $3, progress = coalesce($4, progress) where ${HELD} returning message_id`;
const RELEASE = `
  update handlings set claim = null, answerable_at = case when by_hand_ms > 0 then null else cast($3 as bigint) end,
    progress = null
  where ${HELD} returning message_id`;
const HOLDER =
  "select claim, answerable_at, by_hand_ms from handlings where message_id = $1 and waiting_for = 'answer'";

const FURTHER: typeof REPLY = {
  ...REPLY,
  id: '$2',
  body: '$3',
  data: '$4',
  created_at: 'cast($5 as bigint)',
  settled_at: 'cast($5 as bigint)',
  by_hand: 'cast($6 as integer)',
  answered_by: 'cast($7 as text)',
  has_file: hasFile('$2'),
};
const SETTLED = "m.id = $1 and m.kind = 'message' and m.status not in ('submitted', 'canceled')";
const INSERT_REPLY = `
  insert into messages (${columnsOf(messages)})
  select ${messages.names.map((name) => FURTHER[name as keyof typeof FURTHER]).join(', ')}
  from messages m join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  left join mailboxes f on f.id = m.from_mailbox_id and f.deleted_at is null
  where ${SETTLED} and m.replies_count = coalesce(cast($8 as integer), m.replies_count) returning id`;
/** Locks the message, so that of two replies whose authors saw the same ones the second finds the first. */
const HOLD = 'update messages set replies_count = replies_count where id = $1';
const COUNT_REPLY = `
  update messages set replies_count = replies_count + 1
  where id = $1 and exists (select 1 from messages r where r.id = $2 and r.in_reply_to = $1)`;
const NOTIFY = `
  insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
  select f.namespace_id, f.id, 'message.received', r.id, r.created_at, 0
  from messages r join mailboxes f on f.id = r.to_mailbox_id where r.id = $1`;

const WAIT = waitAfterAnswers(
  `select b.namespace_id, b.id, r.thread_id, r.created_at as answered_at
   from messages r join mailboxes b on b.id = r.from_mailbox_id where r.id = $1 and r.by_hand = 1`,
);

/** The operations that are alike on both databases; settling differs. */
export function makeAnswers(db: Db): Omit<Answers, 'answer'> {
  const changesRow = async (sql: string, ...cells: readonly (string | number | null)[]): Promise<boolean> => {
    const [rows] = await db.write([step(sql, ...cells)], 'beside');
    return rows?.length === 1;
  };
  return {
    async claim(mailboxId, claims, now, until) {
      const found = await db.read(FIND, [mailboxId, claims.length]);
      const next = found[0]?.answerable_at as Millis | undefined;
      const due = found.filter(({ answerable_at }) => (answerable_at as Millis) <= now);
      if (due.length === 0) return { claims: [], next };
      const ids = due.map((row) => row.message_id as string).sort();
      const steps = ids.map((id, at) => step(CLAIM, id, claims[at] as string, until, now));
      const taken = (await db.write(steps, 'beside')).flat();
      return {
        claims: taken.map((row) => ({ message_id: row.message_id as string, claim: row.claim as string })),
        next,
      };
    },
    take: ({ message_id, claim }, now, until) => changesRow(TAKE, message_id, claim, until, now),
    renew: ({ message_id, claim }, until, progress) => changesRow(RENEW, message_id, claim, until, progress ?? null),
    release: ({ message_id, claim }, at) => changesRow(RELEASE, message_id, claim, at),
    async holder(id) {
      const [row] = await db.read(HOLDER, [id]);
      if (row === undefined) return undefined;
      const { claim, answerable_at, by_hand_ms } = row;
      return {
        ...{ claim: claim as string | null, answerable_at: answerable_at as Millis | null },
        taken_over: (by_hand_ms as number) > 0,
      };
    },
    async reply({ id }, given, seen) {
      const { body, data, at: answeredAt, by_hand, answered_by } = given;
      const results = await db.write(
        [
          ...(seen === undefined ? [] : [step(HOLD, id)]),
          step(
            INSERT_REPLY,
            id,
            given.id,
            body,
            data,
            answeredAt,
            by_hand === true ? 1 : 0,
            answererCell({ answered_by }),
            seen ?? null,
          ),
          step(COUNT_REPLY, id, given.id),
          step(NOTIFY, given.id),
          step(REOPEN_OF_REPLY, given.id),
          step(WAIT, given.id),
          noteChanged('select id from messages where id = $1', given.id),
        ],
        'beside',
      );
      return results.some(([row]) => row?.id === given.id);
    },
  };
}
