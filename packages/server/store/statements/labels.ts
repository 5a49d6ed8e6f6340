import type { Finding } from '../../core/entities/finding.ts';
import { GONE, TRASH } from '../../core/entities/label.ts';
import type { Message } from '../../core/entities/message.ts';
import type { Labels } from '../../core/ports/labels.ts';
import type { Messages } from '../../core/ports/messages.ts';
import { type Cell, type Db, params, type Row, step, type WriteStep } from '../db.ts';
import type { Among } from './among.ts';

/** The labels of the message `m` in all mailboxes as text; neither ids nor labels have a comma or a space. */
export const LABELS = `
  (select string_agg(l.mailbox_id || ' ' || l.label, ',') from labels l where l.message_id = m.id) as labels`;

/** The labels of a row with `LABELS`. */
export function labelsFrom({ labels }: Row): Pick<Message, 'labels'> {
  if (labels == null) return {};
  const all = (labels as string).split(',').map((one) => {
    const [mailbox_id = '', label = ''] = one.split(' ');
    return { mailbox_id, label };
  });
  return { labels: all };
}

/** Names of labels that are read of a mailbox, and in all. */
const MAX_NAMES = 50;
/** Jumps in the index from one name to the next, past all messages that have it. */
const namesOf = (mailboxes: string): string => `
  with recursive named(mailbox_id, label, nth) as (
    select b.id, (select min(l.label) from labels l where l.mailbox_id = b.id), 1
    from mailboxes b where b.id in (${mailboxes}) and b.deleted_at is null
    union all
    select n.mailbox_id, (select min(l.label) from labels l where l.mailbox_id = n.mailbox_id and l.label > n.label), n.nth + 1
    from named n where n.label is not null and n.nth < ${MAX_NAMES}
  )
  select distinct label from named where label is not null order by label limit ${MAX_NAMES}`;

/** Labels that do not count among a message's. */
const SERVICE = "'trash', 'gone', 'spam', 'cc', 'quarantine'";
const OF = `select m.read, ${LABELS} from messages m where m.id = $1`;

/** SQL for whether a message is in the trash of one of the views, or gone from it. */
export const isTrashed = (views: string, message = 'm.id'): string =>
  `exists (select 1 from labels d where d.mailbox_id ${views} and d.label in ('${TRASH}', '${GONE}') and d.message_id = ${message})`;

/** SQL for whether a message is in the trash of one of the views. */
export const isInTrash = (views: string): string =>
  `exists (select 1 from labels d where d.mailbox_id ${views} and d.label = '${TRASH}' and d.message_id = m.id)`;

const PUT = `
  insert into labels (mailbox_id, label, message_id)
  select $1, '${TRASH}', id from messages where id = $2
    and not exists (select 1 from labels where mailbox_id = $1 and label = '${GONE}' and message_id = $2)
  on conflict do nothing returning label`;
const PUT_JOB = `
  insert into jobs (id, kind, due_at) select $3, 'trash', cast($4 as bigint)
  where exists (select 1 from labels where mailbox_id = $1 and label = '${TRASH}' and message_id = $2)
  on conflict (id) do nothing`;
const TAKE = `delete from labels where mailbox_id = $1 and label = '${TRASH}' and message_id = $2 returning label`;
const SET_GONE = `
  insert into labels (mailbox_id, label, message_id) select $1, '${GONE}', id from messages where id = $2
  on conflict do nothing`;
const jobOf = (view: string, messageId: string): string => `${view} ${messageId}`;

const LABEL = `
  insert into labels (mailbox_id, label, message_id) select $1, $2, id from messages where id = $3 on conflict do nothing`;

const FIND = 'update messages set findings = $2 where id = $1';

/** Adds evidence on a message that was written, with its labels in this mailbox. */
export const makeAddFindings =
  (db: Db): Messages['addFindings'] =>
  async (id, mailboxId, findings) => {
    await db.write([step(FIND, id, JSON.stringify(findings)), ...labelByFindings(mailboxId, id, findings)], 'beside');
  };

/** Labels a message by its evidence, after it was written. */
export const labelByFindings = (
  mailboxId: string,
  messageId: string,
  findings: readonly Pick<Finding, 'kind'>[] = [],
): readonly WriteStep[] =>
  [...new Set(findings.map(({ kind }) => kind))].map((kind) => step(LABEL, mailboxId, `finding/${kind}`, messageId));

/** Deletes the labels of these messages, before these are deleted. */
export const dropLabels = (among: Among, ...cells: readonly Cell[]): readonly WriteStep[] => [
  step(`delete from labels where ${among('message_id')}`, ...cells),
];

/** Deletes up to `max` labels of a mailbox; true when there may be more. */
export async function purgeLabels(db: Db, mailboxId: string, max: number): Promise<boolean> {
  const [dropped] = await db.write(
    [
      step(
        `delete from labels where (mailbox_id, label, message_id) in
          (select mailbox_id, label, message_id from labels where mailbox_id = $1 limit ${max}) returning label`,
        mailboxId,
      ),
    ],
    'erase',
  );
  return (dropped?.length ?? 0) >= max;
}

export function makeLabels(db: Db): Labels {
  return {
    async change(mailboxId, messageId, { add, remove, read }, max) {
      const { values, p } = params();
      const [mailbox, message] = [p(mailboxId), p(messageId)];
      const here = `mailbox_id = ${mailbox} and message_id = ${message}`;
      const named = ["''", ...[...add, ...remove].map(p)].join(', ');
      // The labels that are neither added nor removed decide, so that every step of this transaction agrees.
      const fits = `(select count(*) from labels where ${here} and label not in (${named}, ${SERVICE})
        and label not like 'finding/%') + ${add.length} <= ${p(max)}`;
      const bound = values.length;
      const withCells = (sql: (q: (value: Cell) => string) => string): WriteStep => {
        const cells = values.slice(0, bound);
        return step(
          sql((value) => `$${cells.push(value)}`),
          ...cells,
        );
      };
      const steps = [withCells(() => `select case when ${fits} then 1 else 0 end as fits`)];
      if (remove.length > 0)
        steps.push(
          withCells((q) => `delete from labels where ${here} and label in (${remove.map(q).join(', ')}) and ${fits}`),
        );
      for (const label of add) {
        steps.push(
          withCells(
            (q) => `insert into labels (mailbox_id, label, message_id)
              select ${mailbox}, ${q(label)}, ${message}
              where ${fits} and exists (select 1 from messages where id = ${message}) on conflict do nothing`,
          ),
        );
      }
      // After the labels: the removal of a message locks its rows in this order too.
      if (read !== undefined) {
        const to = read ? 1 : 0;
        steps.push(
          withCells(
            () => `update messages set read = ${to}
              where id = ${message} and to_mailbox_id = ${mailbox} and read <> ${to} and ${fits}`,
          ),
        );
      }
      const [[first] = [], ...results] = await db.write([...steps, step(OF, messageId)]);
      const [now = {}] = results.at(-1) ?? [];
      return first?.fits === 1 ? { labels: [], ...labelsFrom(now), read: now.read === 1 } : 'full';
    },

    async trash(view, messageId, until) {
      const [put] = await db.write([
        step(PUT, view, messageId),
        step(PUT_JOB, view, messageId, jobOf(view, messageId), until),
      ]);
      return put?.length === 1;
    },

    async restore(view, messageId) {
      const [taken] = await db.write([
        step(TAKE, view, messageId),
        step('delete from jobs where id = $1', jobOf(view, messageId)),
      ]);
      return taken?.length === 1;
    },

    async gone(view, messageId) {
      await db.write([step(TAKE, view, messageId), step(SET_GONE, view, messageId)]);
    },

    async names(mailboxIds) {
      if (mailboxIds.length === 0) return [];
      const { values, p } = params();
      const rows = await db.read(namesOf(mailboxIds.map(p).join(', ')), values);
      return rows.map(({ label }) => label as string);
    },
  };
}
