import type { Millis } from '@mailroom/behavior/values/clock';
import type { Claim } from '../../core/ports/claim.ts';
import type { Handlings } from '../../core/ports/handlings.ts';
import type { Row } from '../db.ts';
import { isByHand, waitByHand } from '../statements/by-hand.ts';
import { IS_HELD, messageFrom, SELECT_MESSAGE } from '../statements/messages.ts';
import type { Run } from './batch-statements.ts';

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
 * mailboxes are held, those whose node lost the lease become suspects, and the others are leased. A crash counts against
 * those that were suspects already, which are handled one at a time.
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

/** Claims for one node, each continuing with the mailbox after the last one served. */
export function makeClaim(run: Run): Handlings['claim'] {
  let turn = '';
  return async (max, now, lease, except = []) => {
    const claims: Claim[] = [];
    for (let [tidied, lost] = [0, 0]; claims.length < max && tidied < TIDY && lost < MAX_LOST; ) {
      const maxRows = max - claims.length;
      const rows = await run({ name: 'claim', text: CLAIM, values: [maxRows, now, lease, turn, except] });
      turn = (rows.at(-1)?.turn as string | undefined) ?? turn;
      for (const row of rows) {
        if (row.what === 'take') claims.push(claimFrom(row));
        else if (row.what !== 'lost') tidied++;
      }
      if (rows.some(({ what }) => what === 'lost')) lost++;
      // With a lease of 0 ms the messages just claimed would be due again.
      else if (rows.length < maxRows || lease <= 0) break;
    }
    return claims;
  };
}

export async function claimSuspect(run: Run, now: Millis, lease: Millis): Promise<Claim | undefined> {
  for (let tidied = 0; tidied < TIDY; tidied++) {
    const [row] = await run({ name: 'claim_suspect', text: CLAIM_SUSPECT, values: [1, now, lease] });
    if (row === undefined) return undefined;
    if (row.what === 'take') return { ...claimFrom(row), crashes: row.crashes as number };
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
