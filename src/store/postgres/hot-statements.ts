import type { Effect } from '../../core/entities/effect.ts';
import type { Acceptance, Accepted, Claim, JobKind, Settlement } from '../../core/ports/store.ts';
import type { Millis } from '../../core/values/clock.ts';
import type { Cell, Db, HoldMailbox, Row, WriteStep } from '../db.ts';
import { step } from '../db.ts';
import { effectSteps } from '../statements/effects.ts';
import {
  MESSAGE_COLUMNS,
  messageFrom,
  pushMessage,
  pushTerms,
  SELECT_MESSAGE,
  settlementCells,
} from '../statements/messages.ts';
import type { Statement } from './connection.ts';

/** Runs a statement that writes, durably. */
type Run = (statement: Statement) => Promise<readonly Row[]>;

/** The columns of a row in the JSON parameter that holds a batch, in order. */
type Columns = readonly (readonly [name: string, type: 'text' | 'bigint' | 'integer'])[];

const INTEGERS = new Set(['hops', 'created_at', 'settled_at']);
const OF_MESSAGE: Columns = MESSAGE_COLUMNS.split(',').map((column) => {
  const name = column.trim();
  return [name, INTEGERS.has(name) ? 'bigint' : 'text'];
});
const OF_ACCEPTANCE: Columns = [
  ...OF_MESSAGE,
  ['leased_until', 'bigint'],
  ['max_waiting', 'bigint'],
  ['once_scope', 'text'],
  ['once_key', 'text'],
  ['once_hash', 'text'],
  ['once_expires_at', 'bigint'],
];
const OF_SETTLEMENT: Columns = [
  ['id', 'text'],
  ['fence', 'integer'],
  ['status', 'text'],
  ['error_code', 'text'],
  ['error_message', 'text'],
  ['reply_body', 'text'],
  ['reply_data', 'text'],
  ['settled_at', 'bigint'],
];
const OF_REFUSAL: Columns = OF_SETTLEMENT.map((column) => (column[0] === 'fence' ? ['plan', 'text'] : column));

const cellAt = ([, type]: Columns[number], at: number): string =>
  type === 'text' ? `e->>${at}` : `(e->>${at})::${type}`;

/**
 * `input`: the rows of parameter 1, an array of arrays, with `n` from 1. Measured as cheaper for both sides than one
 * array per column or one parameter per cell (7 of 10 µs on the client, and no slower on the server).
 */
const input = (columns: Columns): string => `
  input as materialized (
    select n::integer as n,
      ${columns.map((column, at) => `${cellAt(column, at)} as ${column[0]}`).join(', ')}
    from jsonb_array_elements($1::jsonb) with ordinality as t(e, n)
  )`;

const columnsOf = (alias: string): string => OF_MESSAGE.map(([name]) => `${alias}.${name}`).join(', ');

/** The filed copy of a message's reply: `m` is the message, `b` its mailbox. */
const FILED = `
  insert into messages (${MESSAGE_COLUMNS})
  select substr(m.id, 1, 23) || '1', m.thread_id, m.id, null, m.from_mailbox_id, m."from",
    b.local_part || '@' || b.namespace, 'mailbox', b.id, null, null, m.channel, m.hops, m.subject, m.reply_body,
    m.reply_data, 'completed', null, null, null, null, null, m.settled_at, m.settled_at, null`;
const FILED_ID = 'returning id, mailbox_id, settled_at';

const EVENT = 'insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms)';
/** Events of the copies in `filed`: `of` gives the mailboxes they are filed with. */
const notifiedFiled = (of: string): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.received', f.id, f.settled_at, 0, null
  from filed f join ${of} b on b.id = f.mailbox_id`;
/** Events of the messages in `ended`, each with its result and with its duration by the expression `took`. */
const notifiedEnded = (ended: string, took = 's.settled_at - s.created_at'): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.' || s.status, s.id, s.settled_at, 0, ${took}
  from ${ended} s join mailboxes b on b.id = s.mailbox_id`;

/**
 * Accepts messages. Mailboxes are locked against deletion until the commit, so that the purge of a deleted one finds
 * everything it received; keys are not locked, as a revocation is ordered before or after this statement. Of two messages
 * with the same idempotency key, in this batch or in another, the row of `idempotency` decides which one is written.
 */
const ACCEPT = `
with ${input(OF_ACCEPTANCE)},
boxes as materialized (
  select b.id, b.namespace_id, b.status, b.deleted_at, b.local_part, b.namespace from mailboxes b
  where b.id in (select mailbox_id from input union select from_mailbox_id from input)
  order by b.id for share
),
working as materialized (
  select k.id, k.expires_at from keys k where k.id in (select key_id from input) and k.revoked_at is null
),
waiting as materialized (
  select w.mailbox_id, (
    select count(*) from (select 1 from jobs j where j.mailbox_id = w.mailbox_id limit w.most) q
  ) as count
  from (select mailbox_id, max(max_waiting) as most from input where status = 'submitted' group by mailbox_id) w
),
checked as materialized (
  select i.*, b.status = 'online' as online,
    case
      when i.key_id is not null and not exists (
        select 1 from working k where k.id = i.key_id and (k.expires_at is null or k.expires_at > i.created_at)
      ) then 'invalid_key'
      when b.id is null or b.deleted_at is not null then 'mailbox_gone'
      when i.from_mailbox_id is not null and not exists (
        select 1 from boxes f where f.id = i.from_mailbox_id and f.deleted_at is null
      ) then 'sender_not_allowed'
    end as refused,
    i.status = 'submitted'
      and w.count + row_number() over (partition by i.mailbox_id, i.status order by i.n) > i.max_waiting as crowded
  from input i left join boxes b on b.id = i.mailbox_id left join waiting w on w.mailbox_id = i.mailbox_id
),
contenders as (
  select c.*, row_number() over (partition by once_scope, once_key order by n) as turn
  from checked c where once_scope is not null and refused is null and not crowded
),
took as (
  insert into idempotency (scope, key, hash, ref, expires_at)
  select once_scope, once_key, once_hash, id, once_expires_at from contenders where turn = 1
  order by once_scope, once_key
  on conflict (scope, key) do update set
    hash = case when idempotency.expires_at <= $2 then excluded.hash else idempotency.hash end,
    ref = case when idempotency.expires_at <= $2 then excluded.ref else idempotency.ref end,
    expires_at = case when idempotency.expires_at <= $2 then excluded.expires_at else idempotency.expires_at end
  returning scope, key, ref, hash
),
known as (
  select c.n, coalesce(t.ref, o.ref) as ref, coalesce(t.hash, o.hash) as hash
  from checked c
  left join took t on t.scope = c.once_scope and t.key = c.once_key
  left join idempotency o
    on c.crowded and t.ref is null and o.scope = c.once_scope and o.key = c.once_key and o.expires_at > c.created_at
  where c.once_scope is not null and c.refused is null
),
accepted as materialized (
  select c.* from checked c left join known k on k.n = c.n
  where c.refused is null and not c.crowded and (c.once_scope is null or k.ref = c.id)
),
inserted as (insert into messages (${MESSAGE_COLUMNS}) select ${columnsOf('a')} from accepted a),
filed as (
  ${FILED} from accepted m join boxes b on b.id = m.mailbox_id
  where m.from_mailbox_id is not null and m.reply_body is not null
  ${FILED_ID}
),
told as (
  ${EVENT}
  select b.namespace_id, b.id, 'message.' || case when a.status = 'submitted' then 'received' else a.status end, a.id,
    coalesce(a.settled_at, a.created_at), 1, a.settled_at - a.created_at
  from accepted a join boxes b on b.id = a.mailbox_id order by a.n
),
told_filed as (${notifiedFiled('boxes')}),
queued as (
  insert into jobs (id, kind, mailbox_id, due_at, leased, fence, attempt)
  select a.id, 'handle', a.mailbox_id, case when a.online then coalesce(a.leased_until, a.created_at) end,
    l.leased, l.leased, l.leased
  from accepted a,
    lateral (select case when a.online and a.leased_until is not null then 1 else 0 end as leased) l
  where a.status = 'submitted'
)
select c.n, case when a.n is null then 0 else 1 end as accepted, c.refused, k.ref, k.hash
from checked c left join accepted a on a.n = c.n left join known k on k.n = c.n
where a.n is null or (a.status = 'submitted' and not a.online)`;

/**
 * The common case of `ACCEPT`: settled, no idempotency key, and not sent as a mailbox. Keys and mailboxes are checked
 * once for the batch; when one fails, nothing is written and `ACCEPT` finds out which messages are affected.
 */
const ACCEPT_SETTLED = `
with boxes as materialized (
  select id, namespace_id from mailboxes where id = any($2) and deleted_at is null order by id for share
),
sound as materialized (
  select (select count(*) from boxes) = cardinality($2::text[]) and (
    select count(*) from keys
    where id = any($3) and revoked_at is null and (expires_at is null or expires_at > $4)
  ) = cardinality($3::text[]) as sound
),
inserted as (
  insert into messages (${MESSAGE_COLUMNS})
  select ${OF_MESSAGE.map(cellAt).join(', ')} from jsonb_array_elements($1::jsonb) e
  where (select sound from sound)
  returning id, mailbox_id, status, created_at, settled_at
),
told as (
  ${EVENT}
  select b.namespace_id, b.id, 'message.' || i.status, i.id, i.settled_at, 1, i.settled_at - i.created_at
  from inserted i join boxes b on b.id = i.mailbox_id
)
select case when sound then 1 else 0 end as sound from sound`;

/** The duration of an answer; null when an owner had to decide, as that time does not count. */
const TOOK =
  'case when exists (select 1 from taken t where t.id = s.id and t.parked = 0) then s.settled_at - s.created_at end';
/** Settles as the holder of the job: `whose` is the condition on the job `j` and the row `i` of the input. */
const settling = (columns: Columns, whose: string): string => `
with ${input(columns)},
locked as materialized (
  select j.id from jobs j join input i on i.id = j.id and ${whose} order by j.id for update of j
),
taken as (
  delete from jobs j using locked l, input i where j.id = l.id and i.id = j.id and ${whose}
  returning j.id, j.mailbox_id, j.parked
),
settled as (
  update messages m set status = i.status, waiting_for = null, error_code = i.error_code,
    error_message = i.error_message, reply_body = i.reply_body, reply_data = i.reply_data, settled_at = i.settled_at
  from input i join taken t on t.id = i.id join mailboxes b on b.id = t.mailbox_id and b.deleted_at is null
  where m.id = i.id and m.status = 'submitted'
  returning m.*
),
addressees as materialized (
  select b.id, b.namespace_id from mailboxes b
  where b.id in (select from_mailbox_id from settled where reply_body is not null) and b.deleted_at is null
  order by b.id for share
),
filed as (
  ${FILED} from settled m join mailboxes b on b.id = m.mailbox_id join addressees f on f.id = m.from_mailbox_id
  where m.reply_body is not null
  ${FILED_ID}
),
told as (${notifiedEnded('settled', TOOK)}),
told_filed as (${notifiedFiled('addressees')})
select id from settled`;
/** The holder is the claim with its fence. */
const SETTLE = settling(OF_SETTLEMENT, 'i.fence = j.fence');
/** The holder is the refusal of exactly this plan, while the job waits for it. */
const REFUSE = settling(OF_REFUSAL, 'j.parked = 1 and j.plan = i.plan');

/** Locks the message before the effects, so that the settlement sees the same message and holder as they did. */
const HOLD_MESSAGE = `
select 1 as held from jobs j join messages m on m.id = j.id where j.id = $1 and j.fence = $2 for update of j, m`;
/** Locks the mailbox before the job, in the order in which changes of a mailbox lock them. */
const HOLD_MAILBOX = `
select 1 as held from mailboxes where id = (select mailbox_id from jobs where id = $1) for share`;

/** Locks the job before the message, in the order of a settlement, so that the two cannot deadlock. */
const CANCEL = `
with found as materialized (
  select m.id from messages m join mailboxes b on b.id = m.mailbox_id and b.deleted_at is null
  where m.id = $1 and m.status = 'submitted'
),
dropped as (delete from jobs where id in (select id from found) returning id),
canceled as (
  update messages set status = 'canceled', waiting_for = null, settled_at = $2
  where id in (select id from found) and (select count(*) from dropped) >= 0 and status = 'submitted'
  returning id, mailbox_id, status, created_at, settled_at
),
told as (${notifiedEnded('canceled')})
select id from canceled`;

/** Jobs of deleted mailboxes are removed, those of paused ones held, the others leased: each row is one of the three. */
const CLAIM = `
with due as materialized (
  select j.id, j.due_at,
    case
      when j.mailbox_id is null then 'take'
      when b.id is null or b.deleted_at is not null then 'drop'
      when b.status <> 'online' then 'hold'
      else 'take'
    end as what
  from jobs j left join mailboxes b on b.id = j.mailbox_id
  where j.due_at <= $2 order by j.due_at, j.id limit $1 for update of j skip locked
),
dropped as (delete from jobs where id in (select id from due where what = 'drop')),
held as (update jobs set leased = 0, due_at = null where id in (select id from due where what = 'hold')),
leased as (
  update jobs j set leased = 1, fence = j.fence + 1, attempt = j.attempt + 1, due_at = $2 + $3
  from due d where d.id = j.id and d.what = 'take'
  returning j.id, j.kind, coalesce(j.subject, j.id) as subject, j.fence, j.attempt
)
select d.what, l.id as job_id, l.kind as job_kind, l.subject as job_subject, l.fence, l.attempt, c.*
from due d left join leased l on l.id = d.id
left join (${SELECT_MESSAGE} where m.id in (select id from leased)) c on c.id = l.id
order by d.due_at, d.id`;

const RENEW = `
update jobs j set due_at = $2
from (
  select k.id, k.fence from jobs k
  join (select e->>0 as id, (e->>1)::integer as fence from jsonb_array_elements($1::jsonb) e) i
    on i.id = k.id and i.fence = k.fence
  where k.leased = 1 order by k.id for update of k
) h
where j.id = h.id and j.fence = h.fence returning j.id`;

const LATER = `
with job as materialized (
  select j.id, j.mailbox_id is not null and (b.id is null or b.deleted_at is not null) as gone,
    b.status is not null and b.status <> 'online' as held
  from jobs j left join mailboxes b on b.id = j.mailbox_id
  where j.id = $1 and j.fence = $2 and j.leased = 1 for update of j
),
dropped as (delete from jobs where id in (select id from job where gone))
update jobs j set leased = 0, due_at = case when job.held then null else $3::bigint end,
  progress = case when j.kind = 'purge' then j.progress end
from job where job.id = j.id and not job.gone returning j.id`;

/** Maximum number of jobs of deleted or held mailboxes that one claim handles. */
const TIDY = 1_000;

const ACCEPTED: Accepted = { kind: 'accepted', held: false };
const HELD: Accepted = { kind: 'accepted', held: true };

const messageCells = (acceptance: Acceptance): Cell[] => {
  const cells: Cell[] = [];
  pushMessage(cells, acceptance);
  return cells;
};

/** Whether the acceptance needs only the message's own row. */
export const isPlain = ({ message, idempotency, from_mailbox_id }: Acceptance): boolean =>
  idempotency === undefined &&
  from_mailbox_id === null &&
  message.status !== 'submitted' &&
  message.status !== 'working';

/** Writes exchanges that are already settled: one row each. */
export async function acceptSettled(run: Run, batch: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const mailboxes = new Set<string>();
  const keys = new Set<string>();
  let now = 0;
  for (const { message } of batch) {
    mailboxes.add(message.mailbox_id);
    if (message.key_id !== null) keys.add(message.key_id);
    if (message.created_at > now) now = message.created_at;
  }
  const [checked] = await run({
    name: 'accept_settled',
    text: ACCEPT_SETTLED,
    values: [JSON.stringify(batch.map(messageCells)), [...mailboxes], [...keys], now],
  });
  return checked?.sound === 1 ? Array<Accepted>(batch.length).fill(ACCEPTED) : accept(run, batch);
}

export async function accept(run: Run, batch: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const cells = batch.map((one) => {
    const own = messageCells(one);
    pushTerms(own, one);
    return own;
  });
  const now = Math.max(...batch.map(({ message }) => message.created_at));
  const rows = await run({ name: 'accept', text: ACCEPT, values: [JSON.stringify(cells), now] });
  const results = Array<Accepted>(batch.length).fill(ACCEPTED);
  for (const row of rows) results[(row.n as number) - 1] = acceptedFrom(row);
  return results;
}

/** The result of a returned row; accepted messages that are due return no row. */
function acceptedFrom(row: Row): Accepted {
  if (row.accepted === 1) return HELD;
  if (row.refused !== null) return { kind: 'refused', code: row.refused } as Accepted;
  if (row.ref !== null) return { kind: 'replayed', id: row.ref as string, hash: row.hash as string };
  return { kind: 'refused', code: 'mailbox_full' };
}

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
  of: Settling,
  effects: readonly Effect[],
  first: readonly WriteStep[] = [],
): Promise<boolean> {
  const { claim, settlement } = of;
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
  const cells = settlementCells({ id, fence: 0 }, settlement).with(1, plan);
  const rows = await run({ name: 'refuse', text: REFUSE, values: [JSON.stringify([cells])] });
  return rows.length === 1;
}

export async function cancel(run: Run, id: string, now: Millis): Promise<boolean> {
  const rows = await run({ name: 'cancel', text: CANCEL, values: [id, now] });
  return rows.length === 1;
}

export async function claim(run: Run, max: number, now: Millis, lease: Millis): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (let tidied = 0; claims.length < max && tidied < TIDY; ) {
    const asked = max - claims.length;
    const rows = await run({ name: 'claim', text: CLAIM, values: [asked, now, lease] });
    for (const row of rows) {
      if (row.what === 'take') claims.push(claimFrom(row));
      else tidied++;
    }
    // With a lease of 0 ms the jobs just claimed would be due again.
    if (rows.length < asked || lease <= 0) break;
  }
  return claims;
}

const claimFrom = (row: Row): Claim => ({
  id: row.job_id as string,
  kind: row.job_kind as JobKind,
  subject: row.job_subject as string,
  fence: row.fence as number,
  attempt: row.attempt as number,
  ...(row.id === null ? {} : { message: messageFrom({ ...row, working: 1 }) }),
});

export async function renew(run: Run, claims: readonly Claim[], until: Millis): Promise<readonly string[]> {
  const cells = claims.map(({ id, fence }) => [id, fence]);
  const rows = await run({ name: 'renew', text: RENEW, values: [JSON.stringify(cells), until] });
  return rows.map(({ id }) => id as string);
}

export async function later(run: Run, { id, fence }: Claim, at: Millis): Promise<boolean> {
  const rows = await run({ name: 'later', text: LATER, values: [id, fence, at] });
  return rows.length === 1;
}
