import type { Millis } from '@mailroom/behavior/values/clock';
import { firstIdAt } from '@mailroom/behavior/values/ids';
import type { Actor } from '../../core/entities/actor.ts';
import type { MemberNotices } from '../../core/entities/notices.ts';
import type { NoticeChoices, OwnMatter } from '../../core/ports/notices.ts';
import { type Db, params, type Row, step } from '../db.ts';
import { cellsOf, insertIfSql, parameterAfter, parametersOf } from '../schema/table.ts';
import { deliveries } from '../schema/tables.ts';
import { deliveryRow } from './deliveries.ts';
import { isTrashed } from './labels.ts';
import { isLiving } from './members.ts';

const OF = `
  select account_id, notify_browser, notify_minutes, called_at from members
  where namespace_id = $1 and ${isLiving('$2')} order by created_at, account_id`;
const SET = `
  update members set notify_browser = $3, notify_minutes = $4 where namespace_id = $1 and account_id = $2
  returning account_id`;
/** The mail is named, so that one of two claims at the same moment knows that it lost. */
const CLAIM = `
  update members set called_at = $4, called_by = $5
  where namespace_id = $1 and account_id = $2 and coalesce(called_at, 0) = $3 and notify_minutes is not null`;
const MAIL = parametersOf(deliveries).id;
const [NAMESPACE, ACCOUNT] = [parameterAfter(deliveries, 1), parameterAfter(deliveries, 2)];
const CLAIMED = `exists (
  select 1 from members where namespace_id = ${NAMESPACE} and account_id = ${ACCOUNT} and called_by = ${MAIL})`;
const ADD = `${insertIfSql(deliveries, CLAIMED)} on conflict (id) do nothing returning id`;
/** A job that is at work looks again by itself before its time. */
const planSql = (where: string, now: string): string => `
  insert into jobs (id, kind, due_at)
  select 'waiting ' || namespace_id, 'waiting', cast(${now} as bigint) + 60000 * min(notify_minutes) from members
  where notify_minutes is not null ${where} group by namespace_id
  on conflict (id) do update set due_at = excluded.due_at where jobs.leased = 0 and jobs.due_at > excluded.due_at`;

const ASSIGNED = `
  select mailbox_id, thread_id, assignee, updated_at from conversations
  where namespace_id = $1 and assignee is not null and state = 'open' and updated_at >= $2`;
const MENTIONED = `
  select mailbox_id, thread_id, author, mentions, created_at from thread_notes
  where namespace_id = $1 and mentions <> '[]' and created_at >= $2`;

/** Of what a program answered until it left, a person is waited for since then. */
const OPEN = `
  select 0 as at, h.message_id as id from handlings h
  join mailboxes b on b.id = h.mailbox_id and b.deleted_at is null
  where b.namespace_id = $1 and h.waiting_for in ('answer', 'approval') and (h.message_id >= $2 or b.online_until >= $3)
    and h.message_id > $4
  order by h.message_id limit $5`;
const FAILED = `
  select m.settled_at as at, m.id from mailboxes b join messages m on m.to_mailbox_id = b.id
  where b.namespace_id = $1 and b.deleted_at is null and m.status = 'failed' and (m.settled_at, m.id) > ($2, $3)
    and not ${isTrashed('= b.id')}
  order by m.settled_at, m.id limit $4`;
const ASKED = `
  select m.settled_at as at, m.id from messages m
  where m.sender_namespace_id = $1 and m.status = 'input_required' and m.kind = 'message'
    and (m.settled_at, m.id) > ($2, $3)
    and not ${isTrashed('in (select o.id from mailboxes o where o.namespace_id = $1 union all select $1)')}
  order by m.settled_at, m.id limit $4`;

const noticesFrom = ({ account_id, notify_browser, notify_minutes, called_at }: Row): MemberNotices => ({
  account_id: account_id as string,
  browser: notify_browser === 1,
  mail_minutes: notify_minutes as number | null,
  called_at: called_at as Millis | null,
});

const assignedFrom = ({ mailbox_id, thread_id, assignee, updated_at }: Row): OwnMatter => ({
  kind: 'assigned',
  mailbox_id: mailbox_id as string,
  thread_id: thread_id as string,
  account_id: assignee as string,
  since: updated_at as Millis,
});

/** Who names themselves calls no one. */
function mentionedFrom({ mailbox_id, thread_id, author, mentions, created_at }: Row): readonly OwnMatter[] {
  const { id: writer } = JSON.parse(author as string) as Actor;
  const named = (JSON.parse(mentions as string) as readonly string[]).filter((account_id) => account_id !== writer);
  return named.map((account_id) => ({
    kind: 'mentioned',
    mailbox_id: mailbox_id as string,
    thread_id: thread_id as string,
    account_id,
    since: created_at as Millis,
  }));
}

export function makeNotices(db: Db): NoticeChoices {
  return {
    async of(namespaceId, now) {
      return (await db.read(OF, [namespaceId, now])).map(noticesFrom);
    },
    async waiting(source, { namespace_id, since }, after, max) {
      const { at, id } = after ?? { at: since, id: '' };
      const rows = await (source === 'open'
        ? db.read(OPEN, [namespace_id, firstIdAt('msg', since), since, id, max])
        : db.read(source === 'failed' ? FAILED : ASKED, [namespace_id, at, id, max]));
      return rows.map((row) => ({ at: row.at as Millis, id: row.id as string }));
    },
    async ownMatters(namespaceId, since) {
      const [assigned, noted] = await Promise.all(
        [ASSIGNED, MENTIONED].map((sql) => db.read(sql, [namespaceId, since])),
      );
      return [...(assigned ?? []).map(assignedFrom), ...(noted ?? []).flatMap(mentionedFrom)];
    },
    async set(namespaceId, accountId, { browser, mail_minutes }) {
      const [rows] = await db.write([step(SET, namespaceId, accountId, browser ? 1 : 0, mail_minutes)], 'beside');
      return rows?.length === 1;
    },
    async call({ namespace_id, account_id, after, at }, mail) {
      const claim = step(CLAIM, namespace_id, account_id, after ?? 0, at, mail.id);
      const cells = cellsOf(deliveries, deliveryRow(mail));
      const [, added] = await db.write([claim, step(ADD, ...cells, namespace_id, account_id)], 'beside');
      return added?.length === 1;
    },
    async plan(namespaceIds, now) {
      if (namespaceIds === null) return void (await db.write([step(planSql('', '$1'), now)], 'beside'));
      const { values, p } = params();
      // The time comes last, so that the read has every parameter that it is given.
      const among = `and namespace_id in (${namespaceIds.map(p).join(', ')})`;
      const [found] = await db.read(`select 1 from members where notify_minutes is not null ${among} limit 1`, values);
      if (found !== undefined)
        await db.write([step(planSql(among, `$${values.length + 1}`), ...values, now)], 'beside');
    },
  };
}
