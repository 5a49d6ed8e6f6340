import type { Effect } from '@mailroom/behavior/effect';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim } from '../../core/ports/claim.ts';
import { step, type WriteStep } from '../db.ts';
import { INSERT_SCHEDULE, scheduleCells, scheduleParameters } from './schedules.ts';

/**
 * The message of the claim in parameters 1 and 2, if the claim may still settle it; otherwise no row, and nothing is
 * written. The sender must exist too: a deleted one keeps nothing.
 */
const SETTLING = `
  from messages m
  join handlings h on h.message_id = m.id and h.fence = $2
  join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  left join namespaces n on n.id = m.sender_namespace_id
  left join mailboxes s on m.sender_kind = 'mailbox' and s.id = m.sender_id
  where m.id = $1 and m.status = 'submitted' and m.sender_id is not null
    and n.deleted_at is null and s.deleted_at is null`;
/** The same format as `ownerOf`. */
const OWNER = `m.to_mailbox_id, m.sender_kind || ':' || m.sender_id`;

const WRITE_NOTE = `
  insert into notes (mailbox_id, owner, sender_namespace_id, name, body, updated_at)
  select ${OWNER}, m.sender_namespace_id, $3, $4, $5 ${SETTLING}
  on conflict (mailbox_id, owner, name) do update set body = excluded.body, updated_at = excluded.updated_at`;
const DROP_NOTE = `
  delete from notes where (mailbox_id, owner) in (select ${OWNER} ${SETTLING}) and name = $3`;

const SCHEDULE = `${INSERT_SCHEDULE} select ${OWNER}, m.sender_namespace_id, ${scheduleParameters(3)} ${SETTLING}`;
const INSERT_SCHEDULE_JOB = `insert into jobs (id, kind, due_at) select $3, 'schedule', $4 ${SETTLING}`;

const OWN = `id = $3 and (mailbox_id, owner) in (select ${OWNER} ${SETTLING})`;
/** Deletes the job before the schedule, in the order in which the scheduler locks them. */
const DELETE_SCHEDULE_JOB = `
  delete from jobs where id = $3 and kind = 'schedule' and exists (select 1 from schedules where ${OWN})`;
const DROP_SCHEDULE = `delete from schedules where ${OWN}`;

function stepsOf(effect: Effect, { id, fence }: Pick<Claim, 'id' | 'fence'>, now: Millis): readonly WriteStep[] {
  switch (effect.kind) {
    case 'note':
      return effect.text === null
        ? [step(DROP_NOTE, id, fence, effect.name)]
        : [step(WRITE_NOTE, id, fence, effect.name, effect.text, now)];
    case 'schedule': {
      const { schedule } = effect;
      return [
        step(SCHEDULE, id, fence, ...scheduleCells(schedule)),
        step(INSERT_SCHEDULE_JOB, id, fence, schedule.id, schedule.next_at),
      ];
    }
    case 'unschedule':
      return [step(DELETE_SCHEDULE_JOB, id, fence, effect.id), step(DROP_SCHEDULE, id, fence, effect.id)];
  }
}

/**
 * The effects of a settlement in their order, before the settlement in the same transaction: each step writes only if the
 * claim may still settle, for the message's sender in its mailbox.
 */
export const effectSteps = (claim: Pick<Claim, 'id' | 'fence'>, effects: readonly Effect[], now: Millis): WriteStep[] =>
  effects.flatMap((effect) => stepsOf(effect, claim, now));
