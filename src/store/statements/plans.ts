import type { Claim, Messages } from '../../core/ports/store.ts';
import type { Db, HoldMailbox, WriteStep } from '../db.ts';
import { step } from '../db.ts';

/** Waiting for a person does not count as an attempt. The new fence ends the claim that asked. */
const SUSPEND = `
  update jobs set leased = 0, fence = fence + 1, attempt = 0, due_at = null, progress = null, parked = 1, plan = $3, decides = $5,
    behavior = $6,
    checkpoint = coalesce($4, checkpoint)
  where id = $1 and fence = $2 and leased = 1 and kind = 'handle' and exists (
    select 1 from messages m join mailboxes b on b.id = m.mailbox_id and b.deleted_at is null
    where m.id = $1 and m.status = 'submitted')
  returning id`;
/** Selects the job if this claim suspended it just now; a job suspended earlier has another fence. */
const SUSPENDED = `
  messages.waiting_for is null and messages.status = 'submitted' and exists (
    select 1 from jobs j where j.id = messages.id and j.parked = 1 and j.fence = $2 + 1)`;
const INSERT_EVENT = `
  insert into events (namespace_id, mailbox_id, type, message_id, at, arrived)
  select b.namespace_id, b.id, 'message.waiting', messages.id, $3, 0
  from messages join mailboxes b on b.id = messages.mailbox_id where messages.id = $1 and ${SUSPENDED}`;
const WAIT = `update messages set waiting_for = 'approval' where id = $1 and ${SUSPENDED}`;

const APPROVE = `
  update jobs set parked = 2, due_at = (
    select case when b.status = 'online' then cast($3 as bigint) end from mailboxes b where b.id = jobs.mailbox_id)
  where id = $1 and parked = 1 and plan = $2
    and exists (
      select 1 from mailboxes b where b.id = jobs.mailbox_id and b.deleted_at is null
        and (jobs.behavior is null or jobs.behavior = b.behavior))
  returning id`;
const GO_ON = `
  update messages set waiting_for = null
  where id = $1 and waiting_for is not null and exists (select 1 from jobs where id = $1 and parked = 2)`;

/**
 * A refusal with effects first takes the job, with a fence that no claim has, so that an earlier approval prevents the
 * effects.
 */
export const takePlan = (id: string, plan: string): WriteStep =>
  step('update jobs set fence = -1 where id = $1 and parked = 1 and plan = $2 returning id', id, plan);
export const refusing = (id: string): Pick<Claim, 'id' | 'fence'> => ({ id, fence: -1 });

/** Asking an owner about a plan, and approving it; a refusal is a settlement, which differs by database. */
export function makePlans(db: Db, hold: HoldMailbox): Pick<Messages, 'suspend' | 'approve'> {
  return {
    async suspend({ id, fence }, plan, checkpoint, now, by = 'recipient', behavior) {
      const decides = by === 'recipient' ? null : by;
      const results = await db.write(
        [
          ...hold(id),
          step(SUSPEND, id, fence, plan, checkpoint, decides, behavior ?? null),
          step(INSERT_EVENT, id, fence, now),
          step(WAIT, id, fence),
        ],
        'beside',
      );
      return results.at(-3)?.length === 1;
    },
    async approve(id, plan, now) {
      const results = await db.write([...hold(id), step(APPROVE, id, plan, now), step(GO_ON, id)], 'beside');
      return results.at(-2)?.length === 1;
    },
  };
}
