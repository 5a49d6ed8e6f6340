import type { Decider } from '@mailroom/behavior/message';
import type { Clock } from '@mailroom/behavior/values/clock';
import type { Claim } from '../../core/ports/claim.ts';
import type { Handlings, Question } from '../../core/ports/handlings.ts';
import type { Messages } from '../../core/ports/messages.ts';
import { type Db, type HoldMailbox, type Row, step, type WriteStep } from '../db.ts';
import { depthOf } from './jobs.ts';
import { queuePushes } from './pushes.ts';

const CLAIMED = 'message_id = $1 and fence = $2 and leased = 1';
const REPORT = `update handlings set progress = $3 where ${CLAIMED} returning message_id`;
const SAVE = `update handlings set state = $3 where ${CLAIMED} returning message_id`;
const KEPT = `
  select h.state, h.plan, h.decides,
    case when h.approved = 1 and (h.behavior is null or h.behavior = b.behavior) then 1 else 0 end as approved
  from handlings h left join mailboxes b on b.id = h.mailbox_id where h.message_id = $1`;
const COUNT_WAITING = 'select count(*) as count from (select 1 from handlings where mailbox_id = $1 limit $2) s';
const COUNT_ASKING = `
  select count(*) as count from (
    select 1 from handlings
    where mailbox_id = $1 and waiting_for = 'approval' and (behavior is null or behavior = $2) limit $3) s`;

const TO_ASK = `
  select message_id as id, fence from handlings where to_ask = 1 and message_id > $1 order by message_id limit $2`;
const QUESTION = 'select message_id as id, fence from handlings where to_ask = 1 and message_id = $1';
const questionFrom = ({ id, fence }: Row): Question => ({ id: id as string, fence: fence as number });
const ASKED = 'update handlings set to_ask = 0 where message_id = $1 and fence = $2';

/** The less frequent operations; claiming, renewing and giving back differ by database. */
export function makeHandlingReads(db: Db, clock: Clock): Omit<Handlings, 'claim' | 'claimSuspect' | 'renew' | 'later'> {
  const depth = depthOf(db, 'handlings', clock);
  return {
    depth,
    async report({ id, fence }, progress) {
      const [kept] = await db.write([step(REPORT, id, fence, progress)], 'beside');
      return kept?.length === 1;
    },
    async save({ id, fence }, state) {
      const [kept] = await db.write([step(SAVE, id, fence, state)], 'beside');
      return kept?.length === 1;
    },
    async kept(id) {
      const [row] = await db.read(KEPT, [id]);
      if (row === undefined) return undefined;
      return {
        state: row.state as string | null,
        plan: row.plan as string | null,
        decides: (row.decides as Decider | null) ?? 'recipient',
        approved: row.approved === 1,
      };
    },
    async countWaiting(mailboxId, max) {
      const [row] = await db.read(COUNT_WAITING, [mailboxId, max]);
      return row?.count as number;
    },
    async countAsking(mailboxId, behavior, max) {
      const [row] = await db.read(COUNT_ASKING, [mailboxId, behavior, max]);
      return row?.count as number;
    },
    async toAsk(after, max) {
      return (await db.read(TO_ASK, [after, max])).map(questionFrom);
    },
    async questionOf(id) {
      const [row] = await db.read(QUESTION, [id]);
      return row && questionFrom(row);
    },
    async asked({ id, fence }) {
      await db.write([step(ASKED, id, fence)], 'beside');
    },
    async nextDue() {
      const [row] = await db.read('select min(due_at) as due_at from handlings where due_at is not null', []);
      return (row?.due_at as number | null | undefined) ?? undefined;
    },
  };
}

const LIVING = `
  from messages m join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null where m.status = 'submitted'`;
/** Waiting for a person does not count as an attempt. The new fence ends the claim that asked. */
const SUSPEND = `
  update handlings set leased = 0, fence = fence + 1, attempt = 0, suspect = 0, due_at = null, progress = null,
    approved = 0, to_ask = 1, waiting_for = $3, plan = $4, decides = $5, behavior = $6, state = coalesce($7, state),
    asked_namespace_id = (select m.sender_namespace_id from messages m where m.id = $1 and $5 = 'sender')
  where ${CLAIMED} and exists (select 1 ${LIVING} and m.id = $1)
  returning message_id`;
/** Locks the handling without changing it, so that the claim holds until the end of the transaction. */
const HOLD = `update handlings set leased = leased where ${CLAIMED}`;
const INSERT_EVENT = `
  insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
  select b.namespace_id, b.id, 'message.waiting', m.id, $3, 0 ${LIVING}
    and m.id in (select message_id from handlings where ${CLAIMED})`;

const APPROVE = `
  update handlings set approved = 1, to_ask = 0, waiting_for = null, asked_namespace_id = null, due_at = (
    select case when b.status = 'online' then cast($3 as bigint) end from mailboxes b where b.id = handlings.mailbox_id)
  where message_id = $1 and waiting_for = 'approval' and plan = $2
    and exists (
      select 1 from mailboxes b where b.id = handlings.mailbox_id and b.deleted_at is null
        and (handlings.behavior is null or handlings.behavior = b.behavior))
  returning message_id`;

/**
 * A refusal with effects first takes the handling, with a fence that no claim has, so that an earlier approval prevents
 * the effects.
 */
export const takePlan = (id: string, plan: string): WriteStep =>
  step(
    `update handlings set fence = -1 where message_id = $1 and waiting_for is not null and plan = $2
     returning message_id`,
    id,
    plan,
  );
export const refusing = (id: string): Pick<Claim, 'id' | 'fence'> => ({ id, fence: -1 });

const WAIT_FOR_ANSWER = `
  update handlings set leased = 0, fence = fence + 1, attempt = 0, suspect = 0, due_at = $4, progress = null,
    waiting_for = 'answer', claim = null, answerable_at = case when by_hand_ms > 0 then null else cast($3 as bigint) end
  where ${CLAIMED} and exists (select 1 ${LIVING} and m.id = $1)
  returning message_id`;

/** Suspending and resuming; a refusal is a settlement, which differs by database. */
export function makeSuspension(db: Db, hold: HoldMailbox): Pick<Messages, 'suspend' | 'approve'> {
  return {
    async suspend({ id, fence }, suspension, now) {
      if (suspension.for === 'answer') {
        const waiting = step(WAIT_FOR_ANSWER, id, fence, now, suspension.deadline);
        const pushed = queuePushes('h.message_id = $2', now, id);
        const written = await db.write([...hold(id), waiting, pushed], 'beside');
        return written.at(-2)?.length === 1;
      }
      const { for: event, plan, by = 'recipient', behavior, state } = suspension;
      const decides = by === 'recipient' ? null : by;
      const results = await db.write(
        [
          ...hold(id),
          step(HOLD, id, fence),
          step(INSERT_EVENT, id, fence, now),
          step(SUSPEND, id, fence, event, plan, decides, behavior ?? null, state),
        ],
        'beside',
      );
      return results.at(-1)?.length === 1;
    },
    async approve(id, plan, now) {
      const results = await db.write([...hold(id), step(APPROVE, id, plan, now)], 'beside');
      return results.at(-1)?.length === 1;
    },
  };
}
