import type { Effect } from '@mailroom/behavior/effect';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim } from '../../core/ports/claim.ts';
import type { Settlement } from '../../core/ports/messages.ts';
import { type Db, type HoldMailbox, step, type WriteStep } from '../db.ts';
import { waitAfterAnswers } from '../statements/conversations.ts';
import { effectSteps } from '../statements/effects.ts';
import { answererCell, REPLY, settlementCells } from '../statements/message-row.ts';
import {
  type Columns,
  input,
  insertReplies,
  notifiedEnded,
  notifiedReplied,
  REPLIED,
  type Run,
} from './batch-statements.ts';

export const OF_SETTLEMENT: Columns = [
  ['id', 'text'],
  ['fence', 'integer'],
  ['status', 'text'],
  ['error_code', 'text'],
  ['error_message', 'text'],
  ['reply_body', 'text'],
  ['reply_data', 'text'],
  ['settled_at', 'bigint'],
];
const OF_REFUSAL: Columns = [
  ...OF_SETTLEMENT.map((column): Columns[number] => (column[0] === 'fence' ? ['plan', 'text'] : column)),
  ['by_hand', 'integer'],
  ['answered_by', 'text'],
];

/** The duration of an answer; null when an owner had to decide, as that time does not count. */
const TOOK =
  'case when exists (select 1 from taken t where t.id = s.id and not t.asked) then s.settled_at - s.created_at end';
/** After an answer by hand the other side has the turn. */
const WAITED = `
waited as (${waitAfterAnswers(
  `select b.namespace_id, b.id, s.thread_id, max(s.settled_at) as answered_at
   from settled s join mailboxes b on b.id = s.to_mailbox_id
   where s.reply_by_hand = 1 and s.reply_body is not null group by b.namespace_id, b.id, s.thread_id order by b.id, s.thread_id`,
)}),`;
/**
 * Settles as the holder of the handling: `whose` is the condition on the handling `h` and the row `i` of the input;
 * `first` is a further part of the statement, after the handlings are `locked`, and `only` its condition on `i`. `byHand`
 * says of a row whether a person wrote the reply, `by` who gave it.
 */
export const settling = (
  columns: Columns,
  whose: string,
  first = '',
  only = 'true',
  byHand = '0',
  by = 'null',
): string => `
with ${input(columns)},
locked as materialized (
  select h.message_id, h.mailbox_id from handlings h join input i on i.id = h.message_id and ${whose}
  order by h.message_id for update of h
),${first}
taken as (
  delete from handlings h using locked l, input i
  where h.message_id = l.message_id and i.id = h.message_id and ${whose} and ${only}
  returning h.message_id as id, h.mailbox_id, coalesce(h.waiting_for in ('approval', 'review'), false) or h.approved = 1 as asked
),
settled as (
  update messages m set status = i.status, error_code = i.error_code, error_message = i.error_message,
    settled_at = i.settled_at, answered_by = ${by}, reply_id = case when i.reply_body is not null then ${REPLY.id} end,
    replies_count = case when i.reply_body is not null then 1 else 0 end
  from input i join taken t on t.id = i.id join mailboxes b on b.id = t.mailbox_id and b.deleted_at is null
  where m.id = i.id and m.status = 'submitted'
  returning m.*, i.reply_body, i.reply_data, ${byHand} as reply_by_hand
),
addressees as materialized (
  select b.id, b.namespace_id from mailboxes b
  where b.id in (select from_mailbox_id from settled where reply_body is not null) and b.deleted_at is null
  order by b.id for share
),
replied as (
  ${insertReplies({ ...REPLY, by_hand: 'm.reply_by_hand' })} from settled m join mailboxes b on b.id = m.to_mailbox_id
  left join addressees f on f.id = m.from_mailbox_id
  where m.reply_body is not null
  ${REPLIED}
),
told as (${notifiedEnded('settled', TOOK)}),${byHand === '0' ? '' : WAITED}
told_replied as (${notifiedReplied('addressees')})
select id from settled`;
/** The holder is the claim with its fence. */
const SETTLE = settling(OF_SETTLEMENT, 'i.fence = h.fence');
/** The holder is the refusal of exactly this plan, while the message waits for it. */
const REFUSE = settling(
  OF_REFUSAL,
  'h.waiting_for is not null and h.plan = i.plan',
  '',
  'true',
  'i.by_hand',
  'i.answered_by',
);

/** Locks the message before the effects, so that the settlement sees the same message and holder as they did. */
const HOLD_MESSAGE = `
select 1 as held from handlings h join messages m on m.id = h.message_id
where h.message_id = $1 and h.fence = $2 for update of h, m`;
/** Locks the mailbox before the handling, in the order in which changes of a mailbox lock them. */
const HOLD_MAILBOX = `
select 1 as held from mailboxes where id = (select mailbox_id from handlings where message_id = $1) for share`;

/** Locks the handling before the message, in the order of a settlement, so that the two cannot deadlock. */
const CANCEL = `
with found as materialized (
  select m.id from messages m join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  where m.id = $1 and m.status = 'submitted'
),
dropped as (delete from handlings where message_id in (select id from found) returning message_id),
canceled as (
  update messages set status = 'canceled', settled_at = $2
  where id in (select id from found) and (select count(*) from dropped) >= 0 and status = 'submitted'
  returning id, to_mailbox_id, status, created_at, settled_at
),
told as (${notifiedEnded('canceled')})
select id from canceled`;

export interface Settling {
  readonly claim: Pick<Claim, 'id' | 'fence'>;
  readonly settlement: Settlement;
}

export async function settle(run: Run, batch: readonly Settling[]): Promise<readonly boolean[]> {
  const cells = batch.map(({ claim, settlement }) => settlementCells(claim, settlement));
  const rows = await run({ name: 'settle', text: SETTLE, values: [JSON.stringify(cells)] });
  const settled = new Set(rows.map(({ id }) => id));
  return batch.map(({ claim }) => settled.has(claim.id));
}

export const holdMailbox: HoldMailbox = (job) => [step(HOLD_MAILBOX, job)];

/** The effects of a settlement and the settlement in one transaction, under the same condition. */
export async function settleWith(
  db: Db,
  settling: Settling,
  effects: readonly Effect[],
  first: readonly WriteStep[] = [],
): Promise<boolean> {
  const { claim, settlement } = settling;
  const results = await db.write(
    [
      ...holdMailbox(claim.id),
      ...first,
      step(HOLD_MESSAGE, claim.id, claim.fence),
      ...effectSteps(claim, effects, settlement.settled_at),
      step(SETTLE, JSON.stringify([settlementCells(claim, settlement)])),
    ],
    'beside',
  );
  return results.at(-1)?.length === 1;
}

export async function refuse(run: Run, id: string, plan: string, settlement: Settlement): Promise<boolean> {
  const cells = [
    ...settlementCells({ id, fence: 0 }, settlement).with(1, plan),
    byHandCell(settlement),
    answererCell(settlement),
  ];
  const rows = await run({ name: 'refuse', text: REFUSE, values: [JSON.stringify([cells])] });
  return rows.length === 1;
}

/** Whether a person wrote the reply. */
const byHandCell = ({ reply }: Settlement): 0 | 1 => (reply?.by_hand === true ? 1 : 0);

export async function cancel(run: Run, id: string, now: Millis): Promise<boolean> {
  const rows = await run({ name: 'cancel', text: CANCEL, values: [id, now] });
  return rows.length === 1;
}
