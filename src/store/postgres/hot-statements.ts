import type { Effect } from '../../core/entities/effect.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Handlings } from '../../core/ports/handlings.ts';
import type { Acceptance, Accepted, Settlement } from '../../core/ports/messages.ts';
import { HANDED_WRITE_MS } from '../../core/ports/messages.ts';
import type { Millis } from '../../core/values/clock.ts';
import type { Cell, Db, HoldMailbox, Row, WriteStep } from '../db.ts';
import { step } from '../db.ts';
import { columnsOf, quotedColumn } from '../schema/table.ts';
import { messages } from '../schema/tables.ts';
import { EMAIL_TERMS, emailSql, pushEmail } from '../statements/accepted-email.ts';
import { isByHand, waitByHand } from '../statements/by-hand.ts';
import { effectSteps } from '../statements/effects.ts';
import { pushAcceptance, REPLY, settlementCells, TERMS } from '../statements/message-row.ts';
import { IS_HELD, messageFrom, SELECT_MESSAGE } from '../statements/messages.ts';
import { insertPushes } from '../statements/pushes.ts';
import type { Statement } from './connection.ts';
import { CHANNEL, payloadOf } from './notices.ts';

/** Runs a statement that writes, durably. */
export type Run = (statement: Statement) => Promise<readonly Row[]>;

/** The columns of a row in the JSON parameter that holds a batch, in order. */
export type Columns = readonly (readonly [name: string, type: string])[];

const OF_MESSAGE: Columns = Object.entries(messages.columns).map(([name, { type }]) => [name, type]);
/** The terms of an acceptance or an answer that are no texts. */
const INTEGERS = new Set<string>([
  'owed',
  'leased_until',
  'answer_by',
  'claimed_until',
  'max_waiting',
  'once_expires_at',
]);
export const termsOf = (names: readonly string[]): Columns =>
  names.map((name) => [name, INTEGERS.has(name) ? 'bigint' : 'text'] as const);
const OF_ACCEPTANCE: Columns = [...OF_MESSAGE, ...termsOf(TERMS)];
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
      ${columns.map((column, at) => `${cellAt(column, at)} as ${quotedColumn(column[0])}`).join(', ')}
    from jsonb_array_elements($1::jsonb) with ordinality as t(e, n)
  )`;

/** Inserts the replies of messages, see `REPLY`. */
const insertReplies = (reply: typeof REPLY): string => `
  insert into messages (${columnsOf(messages)}) select ${messages.names.map((name) => reply[name as keyof typeof REPLY]).join(', ')}`;
const INSERT_REPLIES = insertReplies(REPLY);
const REPLIED = 'returning id, to_mailbox_id, settled_at';

const EVENT = 'insert into events (namespace_id, mailbox_id, type, message_id, at, arrived, took_ms)';
/** Events of the replies in `replied`: `of` gives the mailboxes that received one. */
const notifiedReplied = (of: string): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.received', r.id, r.settled_at, 0, null
  from replied r join ${of} b on b.id = r.to_mailbox_id`;
/**
 * Events of accepted messages: of their arrival, or of the settlement they arrived with. One that a program answered
 * under a claim has both.
 */
const notifiedAccepted = (accepted: string): string => `
  ${EVENT}
  select b.namespace_id, b.id, 'message.' || case when step.ends then a.status else 'received' end, a.id,
    case when step.ends then a.settled_at else a.created_at end,
    case when step.ends and a.claim is not null then 0 else 1 end,
    case when step.ends then a.settled_at - a.created_at end
  from ${accepted} a join boxes b on b.id = a.to_mailbox_id
    join (values (false), (true)) as step (ends)
      on case when step.ends then a.status <> 'submitted' else a.status = 'submitted' or a.claim is not null end
  order by a.n, step.ends`;
/** Events of the messages in `ended`, each with its result and with its duration by the expression `took`. */
const notifiedEnded = (ended: string, took = 's.settled_at - s.created_at'): string => `
  ${EVENT} select b.namespace_id, b.id, 'message.' || s.status, s.id, s.settled_at, 0, ${took}
  from ${ended} s join mailboxes b on b.id = s.to_mailbox_id`;

/** Notifies the nodes of accepted messages when this is committed. */
const notify = (accepted: string): string =>
  `select count(pg_notify('${CHANNEL}', a.notice)) as n from ${accepted} a where a.notice is not null`;
/** Whether a message `i` that another node handed over was created too long ago. */
const IS_LATE = `i.created_at < extract(epoch from clock_timestamp()) * 1000 - ${HANDED_WRITE_MS}`;
/** Two nodes that write the same messages wait for each other in this order. */
const IN_ORDER = 'order by id';

/**
 * Accepts messages. Mailboxes are locked against deletion until the commit, so that the purge of a deleted one finds
 * everything it received; keys are not locked, as a revocation is ordered before or after this statement. Of two messages
 * with the same idempotency key, in this batch or in another, the row of `idempotency` decides which one is written.
 */
const acceptSql = (columns: Columns, notified = false, also = ''): string => `
with ${input(columns)},
boxes as materialized (
  select b.id, b.namespace_id, b.status, b.webhook, b.deleted_at, b.local_part, b.namespace from mailboxes b
  where b.id in (select to_mailbox_id from input union select from_mailbox_id from input)
  order by b.id for share
),
working as materialized (
  select k.id, k.expires_at from keys k
  where k.id in (select key_id from input union select answer_key_id from input) and k.revoked_at is null
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
      when i.answer_key_id is not null and not exists (
        select 1 from working k where k.id = i.answer_key_id and (k.expires_at is null or k.expires_at > i.settled_at)
      ) then 'answer_refused'
      ${notified ? `when i.notice is not null and ${IS_LATE} then 'answer_refused'` : ''}
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
  insert into messages (${columnsOf(messages)}) select ${columnsOf(messages, 'a')} from accepted a ${notified ? IN_ORDER : ''}
),
${notified ? `notified as materialized (${notify('accepted')}),` : ''}
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
where ${notified ? '(select n from notified) >= 0 and ' : ''}(
  a.n is null or (a.status = 'submitted' and (a.taken_ms is not null or not a.online))
)`;
const ACCEPT = acceptSql(OF_ACCEPTANCE);
const OF_NOTIFIED: Columns = [...OF_ACCEPTANCE, ['notice', 'text']];
/** As `ACCEPT`, where nodes are notified of some of the messages. */
const ACCEPT_NOTIFIED = acceptSql(OF_NOTIFIED, true);

const emailCell = (name: string): string =>
  name === 'message_id'
    ? 'a.id'
    : name === 'mailbox_id'
      ? 'b.id'
      : name === 'namespace_id'
        ? 'b.namespace_id'
        : `a.${name}`;
/** As `ACCEPT`, where some of the messages came by e-mail. */
const ACCEPT_EMAILS = acceptSql(
  [...OF_NOTIFIED, ...termsOf(EMAIL_TERMS)],
  true,
  `,
known_emails as (${emailSql.known(emailCell, 'from accepted a where a.authentication is not null')}),
named as (${emailSql.named(emailCell, 'from accepted a join boxes b on b.id = a.to_mailbox_id where a.authentication is not null and a.rfc_id is not null')} on conflict do nothing),
labelled as (${emailSql.labelled(emailCell, 'from accepted a join boxes b on b.id = a.to_mailbox_id where a.email_label is not null')})`,
);

/**
 * The common case of `ACCEPT`: settled, no idempotency key, and not sent as a mailbox. Keys and mailboxes are checked
 * once for the batch; when one fails, nothing is written and `ACCEPT` finds out which messages are affected.
 */
const acceptSettledSql = (columns: Columns, notified: boolean): string => `
with ${input(columns)},
boxes as materialized (
  select id, namespace_id, local_part, namespace from mailboxes
  where id = any($2) and deleted_at is null order by id for share
),
sound as materialized (
  select (select count(*) from boxes) = cardinality($2::text[]) and (
    select count(*) from keys
    where id = any($3) and revoked_at is null and (expires_at is null or expires_at > $4)
  ) = cardinality($3::text[]) ${notified ? `and not exists (select 1 from input i where i.notice is not null and ${IS_LATE})` : ''}
  as sound
),
inserted as (
  insert into messages (${columnsOf(messages)}) select ${columnsOf(messages, 'i')} from input i
  where (select sound from sound) ${notified ? IN_ORDER : ''}
),
replied as (
  ${INSERT_REPLIES} from input m join boxes b on b.id = m.to_mailbox_id
  left join boxes f on f.id = m.from_mailbox_id
  where m.reply_body is not null and (select sound from sound)
),
told as (${notifiedAccepted('(select i.* from input i where (select sound from sound))')})
select case when sound then 1 else 0 end as sound from sound
${notified ? `where (select n from (${notify('(select i.* from input i where (select sound from sound))')}) as notified) >= 0` : ''}`;
const ACCEPT_SETTLED = acceptSettledSql(OF_ACCEPTANCE, false);
/** As `ACCEPT_SETTLED`, where nodes are notified of some of the messages. */
const ACCEPT_SETTLED_NOTIFIED = acceptSettledSql(OF_NOTIFIED, true);

/** The duration of an answer; null when an owner had to decide, as that time does not count. */
const TOOK =
  'case when exists (select 1 from taken t where t.id = s.id and not t.asked) then s.settled_at - s.created_at end';
/**
 * Settles as the holder of the handling: `whose` is the condition on the handling `h` and the row `i` of the input;
 * `first` is a further part of the statement, after the handlings are `locked`, and `only` its condition on `i`. `byHand`
 * says of a row whether a person wrote the reply.
 */
export const settling = (columns: Columns, whose: string, first = '', only = 'true', byHand = '0'): string => `
with ${input(columns)},
locked as materialized (
  select h.message_id, h.mailbox_id from handlings h join input i on i.id = h.message_id and ${whose}
  order by h.message_id for update of h
),${first}
taken as (
  delete from handlings h using locked l, input i
  where h.message_id = l.message_id and i.id = h.message_id and ${whose} and ${only}
  returning h.message_id as id, h.mailbox_id, coalesce(h.waiting_for = 'approval', false) or h.approved = 1 as asked
),
settled as (
  update messages m set status = i.status, error_code = i.error_code, error_message = i.error_message,
    settled_at = i.settled_at, reply_id = case when i.reply_body is not null then ${REPLY.id} end,
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
told as (${notifiedEnded('settled', TOOK)}),
told_replied as (${notifiedReplied('addressees')})
select id from settled`;
/** The holder is the claim with its fence. */
const SETTLE = settling(OF_SETTLEMENT, 'i.fence = h.fence');
/** The holder is the refusal of exactly this plan, while the message waits for it. */
const REFUSE = settling(OF_REFUSAL, 'h.waiting_for is not null and h.plan = i.plan');

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

/** Maximum number of mailboxes that one claim visits on each side of the last one served. */
const VISITS = 256;
/** The mailboxes with messages that are due at some time, in order, on one side of the last one served. */
const mailboxes = (name: string, side: '>' | '<='): string => `
${name}(mailbox_id, place) as (
  (select h.mailbox_id, 1 from handlings h
   where h.due_at is not null and h.suspect = 0 and h.mailbox_id > ${side === '>' ? '$4' : "''"}
   order by h.mailbox_id limit 1)
  union all
  select next.mailbox_id, a.place + 1 from ${name} a, lateral (
    select h.mailbox_id from handlings h
    where h.due_at is not null and h.suspect = 0 and h.mailbox_id > a.mailbox_id order by h.mailbox_id limit 1
  ) next where a.place < ${VISITS}${side === '>' ? '' : ' and next.mailbox_id <= $4'}
)`;
const BY_HAND = isByHand('h.');
const WHAT = `
    case
      when b.id is null or b.deleted_at is not null then 'drop'
      when ${BY_HAND} and h.waiting_for is null then 'wait'
      when b.status <> 'online' and not (${BY_HAND}) then 'hold'
      when h.leased = 1 then 'suspect'
      else 'take'
    end as what`;
/**
 * Handlings in `due` of deleted mailboxes are removed, those of threads that were taken over wait, those of paused
 * mailboxes are held, those whose node lost the lease become
 * suspects, and the others are leased. A suspect that has a lease was handled alone.
 */
const LEASED = `
dropped as (delete from handlings where message_id in (select message_id from due where what = 'drop')),
waited as (
  update handlings set ${waitByHand('$2::bigint')}, suspect = greatest(suspect, leased)
  where message_id in (select message_id from due where what = 'wait')
),
held as (
  update handlings set leased = 0, suspect = greatest(suspect, leased), attempt = attempt - leased, due_at = null
  where message_id in (select message_id from due where what = 'hold')
),
suspected as (
  update handlings set leased = 0, suspect = 1, attempt = attempt - 1, crashes = crashes + suspect, due_at = $2::bigint
  where message_id in (select message_id from due where what = 'suspect')
),
leased as (
  update handlings h set leased = 1, fence = h.fence + 1, attempt = h.attempt + 1, due_at = $2::bigint + $3::bigint
  from due d where d.message_id = h.message_id and d.what = 'take'
  returning h.message_id, h.mailbox_id, h.fence, h.attempt, h.crashes
)`;
/**
 * Mailboxes take turns: the first due message of each, beginning after the mailbox served last, then the second of each.
 * A row that another node took meanwhile is `lost`.
 */
const CLAIM = `
with recursive ${mailboxes('later', '>')}, ${mailboxes('earlier', '<=')},
turns as materialized (
  select mailbox_id, 0 as lap, place from later union all select mailbox_id, 1, place from earlier where mailbox_id <= $4
),
picked as materialized (
  select p.message_id, t.mailbox_id, p.nth, t.lap, t.place from turns t cross join lateral (
    select q.message_id, row_number() over (order by q.due_at, q.message_id) as nth from (
      select h.message_id, h.due_at from handlings h
      where h.mailbox_id = t.mailbox_id and h.due_at is not null and h.suspect = 0 and h.due_at <= $2
      order by h.due_at, h.message_id limit $1
    ) q
  ) p where t.mailbox_id <> all($5::text[]) order by p.nth, t.lap, t.place limit $1
),
due as materialized (
  select h.message_id, ${WHAT}
  from handlings h left join mailboxes b on b.id = h.mailbox_id
  where h.message_id in (select message_id from picked) and h.due_at <= $2
  order by h.message_id for update of h skip locked
),
${LEASED}
select coalesce(d.what, 'lost') as what, p.mailbox_id as turn, l.message_id as claimed_id, l.mailbox_id as claimed_in,
  l.fence, l.attempt, c.*
from picked p left join due d on d.message_id = p.message_id left join leased l on l.message_id = p.message_id
left join (${SELECT_MESSAGE} where ${IS_HELD} and m.id in (select message_id from leased)) c on c.id = l.message_id
order by p.nth, p.lap, p.place`;

const CLAIM_SUSPECT = `
with due as materialized (
  select h.message_id, ${WHAT}
  from handlings h left join mailboxes b on b.id = h.mailbox_id
  where h.suspect = 1 and h.due_at <= $2 order by h.crashes, h.due_at limit $1 for update of h skip locked
),
${LEASED}
select d.what, '' as turn, l.message_id as claimed_id, l.mailbox_id as claimed_in, l.fence, l.attempt, l.crashes, c.*
from due d left join leased l on l.message_id = d.message_id
left join (${SELECT_MESSAGE} where ${IS_HELD} and m.id in (select message_id from leased)) c on c.id = l.message_id`;

const RENEW = `
update handlings h set due_at = $2
from (
  select k.message_id, k.fence from handlings k
  join (select e->>0 as id, (e->>1)::integer as fence from jsonb_array_elements($1::jsonb) e) i
    on i.id = k.message_id and i.fence = k.fence
  where k.leased = 1 order by k.message_id for update of k
) held
where h.message_id = held.message_id and h.fence = held.fence returning h.message_id as id`;

const LATER = `
with handling as materialized (
  select h.message_id, b.id is null or b.deleted_at is not null as gone,
    b.status is not null and b.status <> 'online' and not (${BY_HAND}) as held,
    ${BY_HAND} and h.waiting_for is null as taken
  from handlings h left join mailboxes b on b.id = h.mailbox_id
  where h.message_id = $1 and h.fence = $2 and h.leased = 1 for update of h
),
dropped as (delete from handlings where message_id in (select message_id from handling where gone)),
waited as (
  update handlings set ${waitByHand('$3::bigint')}
  where message_id in (select message_id from handling where taken and not gone)
  returning message_id
),
released as (
  update handlings h set leased = 0, suspect = 0, due_at = case when c.held then null else $3::bigint end, progress = null
  from handling c where c.message_id = h.message_id and not c.gone and not c.taken returning h.message_id
)
select message_id from waited union all select message_id from released`;

/** Maximum number of messages of deleted or held mailboxes that one claim handles. */
const TIDY = 1_000;
/** How often a claim is repeated when other nodes took all it had picked. */
const MAX_LOST = 3;

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
  message.status !== 'submitted' &&
  message.status !== 'working';

/** Adds the notice of each, if any has one or `always`; whether it did. */
function pushNotices(cells: readonly Cell[][], batch: readonly Acceptance[], always = false): boolean {
  if (!always && batch.every(({ notice }) => notice === undefined)) return false;
  for (const [at, { notice }] of batch.entries()) cells[at]?.push(notice === undefined ? null : payloadOf(notice));
  return true;
}

/** Writes exchanges that are already settled: one row each. */
export async function acceptSettled(run: Run, batch: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const mailboxes = new Set<string>();
  const keys = new Set<string>();
  let now = 0;
  for (const { message, answer_key_id } of batch) {
    mailboxes.add(message.mailbox_id);
    if (message.key_id !== null) keys.add(message.key_id);
    if (answer_key_id !== undefined) keys.add(answer_key_id);
    const at = message.settled_at ?? message.created_at;
    if (at > now) now = at;
  }
  const cells = batch.map(cellsOf);
  const notified = pushNotices(cells, batch);
  const [checked] = await run({
    name: notified ? 'accept_settled_notified' : 'accept_settled',
    text: notified ? ACCEPT_SETTLED_NOTIFIED : ACCEPT_SETTLED,
    values: [JSON.stringify(cells), [...mailboxes], [...keys], now],
  });
  return checked?.sound === 1 ? Array<Accepted>(batch.length).fill(ACCEPTED) : accept(run, batch);
}

export async function accept(run: Run, batch: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const cells = batch.map(cellsOf);
  const now = Math.max(...batch.map(({ message }) => message.created_at));
  const emails = batch.some(({ email }) => email !== undefined);
  const notified = pushNotices(cells, batch, emails);
  if (emails) for (const [at, { email }] of batch.entries()) pushEmail(cells[at] as Cell[], email);
  const [name, text] = emails
    ? ['accept_emails', ACCEPT_EMAILS]
    : notified
      ? ['accept_notified', ACCEPT_NOTIFIED]
      : ['accept', ACCEPT];
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

/** Claims for one node, each continuing with the mailbox after the last one served. */
export function makeClaim(run: Run): Handlings['claim'] {
  let turn = '';
  return async (max, now, lease, except = []) => {
    const claims: Claim[] = [];
    for (let [tidied, lost] = [0, 0]; claims.length < max && tidied < TIDY && lost < MAX_LOST; ) {
      const asked = max - claims.length;
      const rows = await run({ name: 'claim', text: CLAIM, values: [asked, now, lease, turn, except] });
      turn = (rows.at(-1)?.turn as string | undefined) ?? turn;
      for (const row of rows) {
        if (row.what === 'take') claims.push(claimFrom(row));
        else if (row.what !== 'lost') tidied++;
      }
      if (rows.some(({ what }) => what === 'lost')) lost++;
      // With a lease of 0 ms the messages just claimed would be due again.
      else if (rows.length < asked || lease <= 0) break;
    }
    return claims;
  };
}

export async function claimSuspect(run: Run, now: Millis, lease: Millis): Promise<Claim | undefined> {
  for (let tidied = 0; tidied < TIDY; tidied++) {
    const [row] = await run({ name: 'claim_suspect', text: CLAIM_SUSPECT, values: [1, now, lease] });
    if (row === undefined) return undefined;
    if (row.what === 'take') return { ...claimFrom(row), suspect: true, crashes: row.crashes as number };
  }
  return undefined;
}

const claimFrom = (row: Row): Claim => ({
  id: row.claimed_id as string,
  kind: 'handle',
  subject: row.claimed_in as string,
  fence: row.fence as number,
  attempt: row.attempt as number,
  // The files of a message are read when it is looked up.
  ...(row.id === null || row.has_files === 1 ? {} : { message: messageFrom({ ...row, working: 1 }) }),
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
