import { isOutside } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Finding } from '../../core/entities/finding.ts';
import type { LeavingMessage, RefusedDecision, Review, ReviewTexts } from '../../core/entities/review.ts';
import type { ReviewQuery, Reviews } from '../../core/ports/reviews.ts';
import { type Db, pageOf, params, type Row, step } from '../db.ts';
import { columnsOf, insertIfSql, parametersOf, rowOf } from '../schema/table.ts';
import { contacts, reviews } from '../schema/tables.ts';
import { mayAnswer } from './answers.ts';
import { dropAttachments } from './attachments.ts';
import { mailboxLives } from './living.ts';
import { releaseSteps } from './outgoing-mail.ts';
import { giveBackSteps } from './recipient-days.ts';
import { reviewEvent, reviewSteps } from './review-steps.ts';
import { holdStorage } from './storage.ts';

const COLUMNS = columnsOf(reviews);
const NEW = parametersOf(reviews);

const LIVES = `exists (select 1 from messages m join mailboxes b on b.id = m.to_mailbox_id and b.deleted_at is null
  where m.id = $1 and m.status = 'submitted')`;
/** The new fence ends the run or the claim that had it. */
const WAIT = `
  leased = 0, fence = fence + 1, attempt = 0, suspect = 0, due_at = null, progress = null, approved = 0, to_ask = 0,
  waiting_for = 'review', plan = $2, decides = null, asked_namespace_id = null, claim = null, answerable_at = null`;
const HOLD_RUN = `update handlings set ${WAIT} where message_id = $1 and fence = $3 and leased = 1 and ${LIVES}`;
const HOLD_ANSWER = `
  update handlings set ${WAIT} where message_id = $1 and ${LIVES}
    and exists (select 1 from handlings h where h.message_id = $1 and ${mayAnswer('cast($3 as text)', 'cast($4 as bigint)')})`;
const INSERT_FURTHER = `${insertIfSql(
  reviews,
  `exists (select 1 from messages m where m.id = ${NEW.message_id}) and ${mailboxLives(NEW.mailbox_id)}`,
)} returning id`;
const PENDING = "id = $1 and status = 'pending' and hash = $2";
const CHANGE = `
  update reviews set message = $3, hash = $4, findings = $5, carries = $6, changed_by = $7, original = $8, to_ask = 1
  where ${PENDING} returning id`;
const CHANGE_WAITING = `
  update handlings set plan = $3 where waiting_for = 'review' and plan = $2
    and message_id in (select message_id from reviews where id = $1 and hash = $3 and kind <> 'further')`;
const CHANGE_MESSAGE = `
  update messages set subject = $3, body = $4, mail = $5
  where id in (select message_id from reviews where id = $1 and hash = $2 and kind = 'send')`;
const DECIDE = `
  update reviews set status = $3, decided_by = $4, decided_at = $5, reason = $6, receipt = $7, own_hash = $8,
    carries = coalesce($9, carries), to_ask = 0
  where ${PENDING} returning id`;
const CHANGED = `${reviewEvent('review.changed', '$2')} and status = 'pending' and hash = $3`;
const DECIDED = `${reviewEvent('review.decided', 'decided_at')} and status <> 'expired' and decided_at = $2`;
const EXPIRED = `${reviewEvent('review.expired', 'decided_at')} and status = 'expired' and decided_at = $2`;
const REFUSE = `
  update reviews set refusals = $3 where id = $1 and coalesce(refusals, '') = cast($2 as text) returning id`;
const REFUSED = `${reviewEvent('review.decision_refused', '$2')} and refusals = $3`;
const DUE_NOW = `update jobs set due_at = $2 where id = $1 and leased = 0`;
const WITHDRAW = `
  update reviews set status = 'expired', decided_at = $2, to_ask = 0 where message_id = $1 and status = 'pending'`;
const WITHDRAWN = `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select namespace_id, mailbox_id, 'review.expired', id, $2, 0 from reviews
  where message_id = $1 and status = 'expired' and decided_at = $2`;
const OF_WITHDRAWN = "status = 'expired' and message_id = $1";
const REFUSALS = 'select refusals from reviews where id = $1';
const BY_ID = `select ${COLUMNS} from reviews where id = $1 and ${mailboxLives('mailbox_id')}`;
const OF_LEAVING = `
  select ${COLUMNS} from reviews where (reply_id = $1 or (message_id = $1 and kind = 'send'))
    order by id desc limit 1`;
const COUNT = `
  select count(*) as count from (
    select 1 from reviews where namespace_id = $1 and status = 'pending' and mailbox_id = coalesce(cast($2 as text), mailbox_id)
      and ${mailboxLives('mailbox_id')} limit $3) s`;
const TO_ASK = `select ${COLUMNS} from reviews where to_ask = 1 and id > $1 order by id limit $2`;
const ASKED = 'update reviews set to_ask = 0 where id = $1 and hash = $2';
const ADD_CONTACT = `
  insert into contacts (mailbox_id, address, approved_at) values ($1, $2, $3) on conflict do nothing`;
/** Whether the mailbox with this address wrote to that one. */
const WROTE_INSIDE = `
  select 1 as wrote from messages where to_mailbox_id = $1 and kind = 'message' and from_mailbox_id = (
    select id from mailboxes where namespace_id = (select n.id from namespaces n where n.name = $3) and local_part = $2
      and deleted_at is null)
  limit 1`;
/** Whether one of the last mails from this address was verified. */
const WROTE_OUTSIDE = `
  select 1 as wrote from (
    select id from messages where to_mailbox_id = $1 and sender_kind = 'email' and lower(sender_id) = $2
    order by id desc limit 1000) m
  join emails e on e.message_id = m.id
  where e.authentication like '%"verified":true%'
  limit 1`;
const KNOWN = `
  select m.sender_id as address from (
    select id, sender_kind, sender_id from messages where to_mailbox_id = $1 order by id desc limit 200) m
  join emails e on e.message_id = m.id
  where m.sender_kind = 'email' and m.sender_id is not null and e.authentication like '%"verified":true%'
  union select address from contacts where mailbox_id = $1`;
const UNWRITTEN =
  'select r.reply_id from reviews r where r.id = $1 and not exists (select 1 from messages m where m.id = r.reply_id)';

function reviewFrom(row: Row): Review {
  const { message, original, findings, refusals, to_ask: _, ...rest } = rowOf(reviews, row);
  return {
    ...rest,
    message: JSON.parse(message) as LeavingMessage,
    original: original === null ? null : (JSON.parse(original) as ReviewTexts),
    findings: JSON.parse(findings) as Finding[],
    refusals: JSON.parse(refusals ?? '[]') as RefusedDecision[],
  };
}

/** Those of the living mailboxes, in any order. */
export async function reviewsByIds(db: Pick<Db, 'read'>, ids: readonly string[]): Promise<readonly Review[]> {
  const wanted = ids.filter((id) => id.startsWith('rev_'));
  if (wanted.length === 0) return [];
  const { values, p } = params();
  const sql = `select ${COLUMNS} from reviews where id in (${wanted.map(p).join(', ')}) and ${mailboxLives('mailbox_id')}`;
  return (await db.read(sql, values)).map(reviewFrom);
}

export function makeReviews(db: Db): Reviews {
  const find = async (sql: string, id: string): Promise<Review | undefined> => {
    const [row] = await db.read(sql, [id]);
    return row && reviewFrom(row);
  };
  return {
    async hold(review, holder) {
      const { message_id, hash } = review;
      const hold =
        holder === undefined
          ? []
          : 'fence' in holder
            ? [step(HOLD_RUN, message_id, hash, holder.fence)]
            : [step(HOLD_ANSWER, message_id, hash, holder.claim, holder.now)];
      const results = await db.write(
        [...hold, ...reviewSteps(review, holder === undefined ? INSERT_FURTHER : undefined)],
        'beside',
      );
      return results[hold.length]?.length === 1;
    },
    byId: (id) => find(BY_ID, id),
    ofLeaving: (id) => find(OF_LEAVING, id),
    async page(query, before, size) {
      const { sql, values } = pageSql(query, before, size);
      const { items, next } = pageOf((await db.read(sql, values)).map(reviewFrom), size);
      return { items, next };
    },
    async countPending({ namespace_id, mailbox_id = null }, max) {
      const [row] = await db.read(COUNT, [namespace_id, mailbox_id, max]);
      return row?.count as number;
    },
    async change(id, before, { message, hash, original, findings, carries, changed_by }, now) {
      const { html, reply_to, headers, subject, body } = message;
      const mail = {
        ...(html !== null && { html }),
        ...(reply_to !== null && { reply_to }),
        ...(headers !== null && { headers }),
      };
      const [changed] = await db.write([
        step(
          CHANGE,
          ...[id, before, JSON.stringify(message), hash, JSON.stringify(findings), carries, changed_by],
          original === null ? null : JSON.stringify(original),
        ),
        step(CHANGED, id, now, hash),
        step(CHANGE_WAITING, id, before, hash),
        step(CHANGE_MESSAGE, id, hash, subject, body, Object.keys(mail).length === 0 ? null : JSON.stringify(mail)),
      ]);
      return changed?.length === 1;
    },
    async decide(id, hash, { status, decided_by, decided_at, reason, receipt }, own) {
      const time = decided_at as Millis;
      const [decided] = await db.write([
        step(DECIDE, id, hash, status, decided_by, time, reason, receipt, own?.own_hash ?? null, own?.carries ?? null),
        step(DECIDED, id, time),
        step(EXPIRED, id, time),
        step(DUE_NOW, id, time),
      ]);
      return decided?.length === 1;
    },
    async refused(id, refusal, max) {
      for (;;) {
        const [row] = await db.read(REFUSALS, [id]);
        const before = (row?.refusals as string | null | undefined) ?? '';
        const all = before === '' ? [] : (JSON.parse(before) as RefusedDecision[]);
        if (row === undefined || all.length >= max) return;
        const next = JSON.stringify([...all, refusal]);
        const [written] = await db.write(
          [step(REFUSE, id, before, next), step(REFUSED, id, refusal.at, next)],
          'beside',
        );
        if (written?.length === 1) return;
      }
    },
    async withdraw(messageId, now) {
      await db.write(
        [step(WITHDRAW, messageId, now), step(WITHDRAWN, messageId, now), ...giveBackSteps(OF_WITHDRAWN, messageId)],
        'beside',
      );
    },
    async giveBack({ id }) {
      await db.write(giveBackSteps('id = $1', id), 'beside');
    },
    async release(release) {
      const results = await db.write(releaseSteps(release));
      return results.at(-2)?.length === 1;
    },
    async done({ id }) {
      await db.write([holdStorage(), ...dropAttachments(UNWRITTEN, id), step('delete from jobs where id = $1', id)]);
    },
    async contacts(mailboxId, addresses) {
      if (addresses.length === 0) return new Set();
      const { values, p } = params();
      const rows = await db.read(
        `select address from ${contacts.name} where mailbox_id = ${p(mailboxId)} and address in (${addresses.map(p).join(', ')})`,
        values,
      );
      const known = new Set(rows.map(({ address }) => address as string));
      for (const address of addresses) {
        if (known.has(address)) continue;
        const wrote = isOutside(address)
          ? await db.read(WROTE_OUTSIDE, [mailboxId, address.toLowerCase()])
          : await db.read(WROTE_INSIDE, [mailboxId, ...address.split('@', 2)]);
        if (wrote.length > 0) known.add(address);
      }
      return known;
    },
    async knownDomains(mailboxId) {
      const rows = await db.read(KNOWN, [mailboxId]);
      const domains = rows.map(({ address }) => (address as string).slice((address as string).lastIndexOf('@') + 1));
      return [...new Set(domains)];
    },
    async addContacts(mailboxId, addresses, now) {
      if (addresses.length === 0) return;
      await db.write(
        addresses.map((address) => step(ADD_CONTACT, mailboxId, address, now)),
        'beside',
      );
    },
    async toAsk(after, max) {
      return (await db.read(TO_ASK, [after, max])).map(reviewFrom);
    },
    async asked({ id, hash }) {
      await db.write([step(ASKED, id, hash)], 'beside');
    },
  };
}

function pageSql({ namespace_id, mailbox_ids, status }: ReviewQuery, before: string | null, size: number) {
  const { values, p } = params();
  const where = [`namespace_id = ${p(namespace_id)}`, mailboxLives('mailbox_id')];
  if (mailbox_ids !== undefined) where.push(`mailbox_id in (${mailbox_ids.map(p).join(', ')})`);
  if (status !== undefined) where.push(`status = ${p(status)}`);
  if (before !== null) where.push(`id < ${p(before)}`);
  return {
    sql: `select ${COLUMNS} from reviews where ${where.join(' and ')} order by id desc limit ${p(size + 1)}`,
    values,
  };
}
