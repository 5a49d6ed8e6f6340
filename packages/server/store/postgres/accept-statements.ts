import { forwardJobOf } from '../../core/ports/claim.ts';
import type { Acceptance, Accepted } from '../../core/ports/messages.ts';
import type { Cell, Row } from '../db.ts';
import { columnsOf } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { EMAIL_TERMS, emailSql, pushEmail } from '../statements/accepted-email.ts';
import { pushAcceptance, TERMS } from '../statements/message-row.ts';
import { insertPushes } from '../statements/pushes.ts';
import {
  type Columns,
  INSERT_REPLIES,
  input,
  notifiedAccepted,
  notifiedReplied,
  OF_MESSAGE,
  REPLIED,
  type Run,
  termsOf,
} from './batch-statements.ts';

const OF_ACCEPTANCE: Columns = [...OF_MESSAGE, ...termsOf(TERMS)];

/**
 * Accepts messages. Mailboxes are locked against deletion until the commit, so that the purge of a deleted one finds
 * everything it received; keys are not locked, as a revocation is ordered before or after this statement. Of two messages
 * with the same idempotency key, in this batch or in another, the row of `idempotency` decides which one is written.
 */
const acceptSql = (columns: Columns, also = ''): string => `
with ${input(columns)},
boxes as materialized (
  select b.id, b.namespace_id, b.status, b.webhook, b.deleted_at, b.local_part, b.namespace from mailboxes b
  where b.id in (select to_mailbox_id from input union select from_mailbox_id from input)
  order by b.id for share
),
working as materialized (
  select k.id, k.expires_at from keys k
  where k.id in (select key_id from input) and k.revoked_at is null
),
waiting as materialized (
  select w.mailbox_id, (
    select count(*) from (select 1 from handlings h where h.mailbox_id = w.mailbox_id limit w.most) q
  ) as count
  from (
    select to_mailbox_id as mailbox_id, max(max_waiting) as most from input where status = 'submitted'
    group by to_mailbox_id
  ) w
),
checked as materialized (
  select i.*, b.status = 'online' as online,
    -- The first message of a thread gives it its id. The mailbox is locked by now.
    case when i.status = 'submitted' and substr(i.thread_id, 5) <> substr(i.id, 5) and b.id is not null
      then taken_ms(i.thread_id, b.id) end as taken_ms,
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
      and w.count + row_number() over (partition by i.to_mailbox_id, i.status order by i.n) > i.max_waiting as crowded
  from input i left join boxes b on b.id = i.to_mailbox_id left join waiting w on w.mailbox_id = i.to_mailbox_id
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
inserted as (
  insert into messages (${columnsOf(messages)}) select ${columnsOf(messages, 'a')} from accepted a
),
replied as (
  ${INSERT_REPLIES} from accepted m join boxes b on b.id = m.to_mailbox_id left join boxes f on f.id = m.from_mailbox_id
  where m.reply_body is not null
  ${REPLIED}
),
told as (${notifiedAccepted('accepted')}),
told_replied as (${notifiedReplied('boxes')}),
queued as (
  insert into handlings
    (message_id, mailbox_id, due_at, leased, fence, attempt, waiting_for, answerable_at, claim, by_hand_ms)
  select a.id, a.to_mailbox_id,
    case
      when a.taken_ms is not null then a.created_at + a.taken_ms
      when a.online then coalesce(a.answer_by, a.leased_until, a.created_at)
    end,
    l.leased, l.leased, l.leased,
    case when a.taken_ms is not null or (a.online and a.answer_by is not null) then 'answer' end,
    case when a.taken_ms is null and a.online and a.answer_by is not null
      then coalesce(a.claimed_until, a.created_at) end,
    case when a.taken_ms is null and a.online and a.answer_by is not null then a.claim end,
    coalesce(a.taken_ms, 0)
  from accepted a,
    lateral (
      select case
        when a.taken_ms is null and a.online and a.answer_by is null and a.leased_until is not null then 1 else 0
      end as leased
    ) l
  where a.status = 'submitted'
),
pushed as (
  ${insertPushes({ message: 'a.id', mailbox: 'b.id', namespace: 'b.namespace_id', now: 'a.created_at', deadline: 'a.answer_by' })}
  from accepted a join boxes b on b.id = a.to_mailbox_id and b.webhook = 'on'
  where a.status = 'submitted' and a.online and a.answer_by is not null and a.taken_ms is null
)${also}
select c.n, case when a.n is null then 0 else 1 end as accepted, c.refused, k.ref, k.hash,
  case when a.taken_ms is not null then 1 else 0 end as taken
from checked c left join accepted a on a.n = c.n left join known k on k.n = c.n
where a.n is null or (a.status = 'submitted' and (a.taken_ms is not null or not a.online))`;
const ACCEPT = acceptSql(OF_ACCEPTANCE);

const emailCell = (name: string): string =>
  name === 'message_id'
    ? 'a.id'
    : name === 'mailbox_id'
      ? 'b.id'
      : name === 'namespace_id'
        ? 'b.namespace_id'
        : `a.${name}`;
/** As `ACCEPT`, where some of the messages came by e-mail, or rules applied to them. */
const ACCEPT_MORE = acceptSql(
  [...OF_ACCEPTANCE, ...termsOf(EMAIL_TERMS)],
  `,
known_emails as (${emailSql.known(emailCell, 'from accepted a where a.authentication is not null')}),
named as (${emailSql.named(emailCell, 'from accepted a join boxes b on b.id = a.to_mailbox_id where a.authentication is not null and a.rfc_id is not null')} on conflict do nothing),
labelled as (${emailSql.labelled(emailCell, 'from accepted a join boxes b on b.id = a.to_mailbox_id where a.email_label is not null')}),
labelled_by_rules as (
  insert into labels (mailbox_id, label, message_id)
  select a.to_mailbox_id, l.label, a.id
  from accepted a cross join lateral json_array_elements_text(a.rules::json -> 'labels') l (label)
  where a.rules is not null
),
labelled_by_findings as (
  insert into labels (mailbox_id, label, message_id)
  select distinct case when f ->> 'out' = 'true' then a.from_mailbox_id else a.to_mailbox_id end,
    'finding/' || (f ->> 'kind'), a.id
  from accepted a cross join lateral json_array_elements(a.findings::json) f
  where a.findings is not null
),
forwarded as (
  insert into jobs (id, kind, subject, due_at) select '${forwardJobOf('')}' || a.id, 'forward', a.id, a.created_at
  from accepted a where a.rules is not null and a.rules::json -> 'forward_to' is not null
)`,
);

/**
 * The common case of `ACCEPT`: settled, no idempotency key, and not sent as a mailbox. Keys and mailboxes are checked
 * once for the batch; when one fails, nothing is written and `ACCEPT` finds out which messages are affected.
 */
const ACCEPT_SETTLED = `
with ${input(OF_ACCEPTANCE)},
boxes as materialized (
  select id, namespace_id, local_part, namespace from mailboxes
  where id = any($2) and deleted_at is null order by id for share
),
sound as materialized (
  select (select count(*) from boxes) = cardinality($2::text[]) and (
    select count(*) from keys
    where id = any($3) and revoked_at is null and (expires_at is null or expires_at > $4)
  ) = cardinality($3::text[])
  as sound
),
inserted as (
  insert into messages (${columnsOf(messages)}) select ${columnsOf(messages, 'i')} from input i
  where (select sound from sound)
),
replied as (
  ${INSERT_REPLIES} from input m join boxes b on b.id = m.to_mailbox_id
  left join boxes f on f.id = m.from_mailbox_id
  where m.reply_body is not null and (select sound from sound)
),
told as (${notifiedAccepted('(select i.* from input i where (select sound from sound))')})
select case when sound then 1 else 0 end as sound from sound`;

const TAKEN: Accepted = { kind: 'accepted', held: false, taken: true };
const ACCEPTED: Accepted = { kind: 'accepted', held: false };
const HELD: Accepted = { kind: 'accepted', held: true };

const cellsOf = (acceptance: Acceptance): Cell[] => {
  const cells: Cell[] = [];
  pushAcceptance(cells, acceptance);
  return cells;
};

/** Whether the acceptance needs only the message's own row. */
export const isPlain = ({ message, idempotency, from_mailbox_id, email }: Acceptance): boolean =>
  idempotency === undefined &&
  email === undefined &&
  from_mailbox_id === null &&
  message.rules === undefined &&
  message.findings === undefined &&
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
    const at = message.settled_at ?? message.created_at;
    if (at > now) now = at;
  }
  const [checked] = await run({
    name: 'accept_settled',
    text: ACCEPT_SETTLED,
    values: [JSON.stringify(batch.map(cellsOf)), [...mailboxes], [...keys], now],
  });
  return checked?.sound === 1 ? Array<Accepted>(batch.length).fill(ACCEPTED) : accept(run, batch);
}

export async function accept(run: Run, batch: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const cells = batch.map(cellsOf);
  const now = Math.max(...batch.map(({ message }) => message.created_at));
  const more = batch.some(
    ({ email, message: { rules, findings } }) => email !== undefined || rules !== undefined || findings !== undefined,
  );
  if (more) for (const [at, { email }] of batch.entries()) pushEmail(cells[at] as Cell[], email);
  const [name, text] = more ? ['accept_more', ACCEPT_MORE] : ['accept', ACCEPT];
  const rows = await run({ name, text, values: [JSON.stringify(cells), now] });
  const results = Array<Accepted>(batch.length).fill(ACCEPTED);
  for (const row of rows) results[(row.n as number) - 1] = acceptedFrom(row);
  return results;
}

/** The result of a returned row; accepted messages that are due return no row. */
function acceptedFrom(row: Row): Accepted {
  if (row.accepted === 1) return row.taken === 1 ? TAKEN : HELD;
  if (row.refused !== null) return { kind: 'refused', code: row.refused } as Accepted;
  if (row.ref !== null) return { kind: 'replayed', id: row.ref as string, hash: row.hash as string };
  return { kind: 'refused', code: 'mailbox_full' };
}
