import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../../core/entities/message.ts';
import type { AnswerTerms, GivenClaims } from '../../core/ports/answers.ts';
import type { Settlement } from '../../core/ports/messages.ts';
import type { Row } from '../db.ts';
import { ANSWERABLE, mayAnswer } from '../statements/answers.ts';
import { ANSWER_TERMS, answerCells } from '../statements/message-row.ts';
import { IS_HELD, messageFrom, SELECT_MESSAGE } from '../statements/messages.ts';
import { type Run, termsOf } from './batch-statements.ts';
import { OF_SETTLEMENT, settling } from './settle-statements.ts';

/** The key is taken only for what is settled then: both read the same snapshot, under the lock of the handling. */
const TAKE_KEYS = `
took as (
  insert into idempotency (scope, key, hash, ref, expires_at)
  select i.once_scope, i.once_key, i.once_hash,
    case when i.reply_body is null then i.id else substr(i.id, 1, 23) || '1' end, i.once_expires_at
  from locked l join input i on i.id = l.message_id
  join mailboxes b on b.id = l.mailbox_id and b.deleted_at is null
  join messages m on m.id = i.id and m.status = 'submitted'
  where i.once_scope is not null
  order by i.once_scope, i.once_key
  on conflict (scope, key) do nothing
  returning substr(ref, 1, 23) as of
),`;
const KEY_WORKS = `(i.key_id is null or exists (
  select 1 from keys k
  where k.id = i.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > i.settled_at)
))`;
/** The holder is the claim; by hand (null) any sender of an answer while it waits. */
const ANSWER = settling(
  [...OF_SETTLEMENT, ...termsOf(ANSWER_TERMS)],
  `${mayAnswer('i.claim', 'i.settled_at')} and ${KEY_WORKS}`,
  TAKE_KEYS,
  '(i.once_scope is null or substr(i.id, 1, 23) in (select of from took))',
  'case when i.claim is null then 1 else 0 end',
  'i.answered_by',
);

export interface Answering {
  readonly id: string;
  readonly claim: string | null;
  readonly settlement: Settlement;
  readonly terms: AnswerTerms;
}

/** As `Answers.answer`, of several messages. */
export async function answer(run: Run, batch: readonly Answering[]): Promise<readonly boolean[]> {
  const cells = batch.map(({ id, claim, settlement, terms }) => answerCells(id, claim, settlement, terms));
  const rows = await run({ name: 'answer', text: ANSWER, values: [JSON.stringify(cells)] });
  const settled = new Set(rows.map(({ id }) => id));
  return batch.map(({ id }) => settled.has(id));
}

/** Each claim for one of the messages that wait longest; rows that another call takes now are left to it. */
const CLAIM = `
with found as materialized (
  select message_id from handlings where mailbox_id = $1 and answerable_at <= $2 and ${ANSWERABLE}
  order by answerable_at, message_id limit cardinality($3::text[]) for update skip locked
),
given as (
  update handlings h set claim = ($3::text[])[f.nth], answerable_at = $4, progress = null
  from (select message_id, row_number() over (order by message_id) as nth from found) f
  where h.message_id = f.message_id
  returning h.message_id, h.claim
)
select n.next, g.message_id as claimed_id, g.claim, c.*
from (
  select min(answerable_at) as next from handlings
  where mailbox_id = $1 and answerable_at is not null and ${ANSWERABLE}
) n
left join given g on true
left join (${SELECT_MESSAGE} where ${IS_HELD} and m.id in (select message_id from given)) c on c.id = g.message_id
order by g.message_id`;

/** As `Answers.claim`. */
export async function claimAnswers(
  run: Run,
  mailboxId: string,
  claims: readonly string[],
  now: Millis,
  until: Millis,
): Promise<GivenClaims> {
  const rows = await run({ name: 'claim_answers', text: CLAIM, values: [mailboxId, now, claims, until] });
  const given = rows.filter(({ claimed_id }) => claimed_id !== null);
  return {
    claims: given.map((row) => ({
      message_id: row.claimed_id as string,
      claim: row.claim as string,
      message: claimedFrom(row),
    })),
    next: (rows[0]?.next as Millis | null | undefined) ?? undefined,
  };
}

/** The statement sees the message as it was before the claim. The files of a message are read when it is looked up. */
const claimedFrom = (row: Row): Message | undefined =>
  row.id === null || row.has_files === 1 ? undefined : messageFrom({ ...row, working: 1, progress: null });
