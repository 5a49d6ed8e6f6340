import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Budget } from '../../core/entities/budget.ts';
import { type Mailbox, type MailboxSummary, type MailboxWithSecret, statusAt } from '../../core/entities/mailbox.ts';
import { isUnrestricted } from '../../core/entities/outgoing.ts';
import type { Metadata } from '../../core/entities/recipients.ts';
import type { MailboxRules } from '../../core/entities/rules.ts';
import type { Idempotency } from '../../core/ports/idempotency.ts';
import type { Mailboxes, MailboxFields } from '../../core/ports/mailboxes.ts';
import { type Cell, type Db, pageOf, params, type Row, step, type WriteStep } from '../db.ts';
import {
  cellsOf,
  columnsBut,
  columnsOf,
  insertIfSql,
  parameterAfter,
  parametersOf,
  type RowOf,
  rowOf,
} from '../schema/table.ts';
import { mailboxes } from '../schema/tables.ts';
import type { Searches } from '../search/searches.ts';
import { addWebhook, dropWebhook } from './agent-webhooks.ts';
import { readIdempotencyKey, replayedBy, takeIdempotencyKey } from './idempotency.ts';
import { holdMailbox } from './living.ts';
import { stopAccounts } from './made-by-members.ts';
import { mailboxEvent } from './mailbox-event.ts';
import { mailboxRows } from './mailbox-rows.ts';

/** The verified domains of its namespace, which have no space. */
const DOMAINS = `(select string_agg(d.domain, ' ' order by d.domain) from domains d
  where d.namespace_id = mailboxes.namespace_id and d.status = 'verified') as domains`;
/** All columns but those that may be long and that no list reads. */
const SUMMARY = `${columnsBut(mailboxes, 'settings', 'senders_allow', 'senders_block', 'rules')}, ${DOMAINS}`;
const COLUMNS = `${columnsOf(mailboxes)}, ${DOMAINS}`;
const MAILBOX = parametersOf(mailboxes);

const domainsOf = ({ domains }: Row): readonly string[] => (domains as string | null)?.split(' ') ?? [];

/** Fields that are kept as JSON text, each with whether a value says nothing and so is kept as null. */
const SAYS_NOTHING = {
  metadata: (pairs: Metadata) => Object.keys(pairs).length === 0,
  outgoing: isUnrestricted,
  rules: ({ items }: MailboxRules) => items.length === 0,
  budget: (budget: Budget | null) => budget === null,
} as const;
type JsonField = keyof typeof SAYS_NOTHING;
const JSON_FIELDS = Object.keys(SAYS_NOTHING) as JsonField[];

const jsonCell = (name: JsonField, value: unknown): string | null =>
  value === undefined || value === null || SAYS_NOTHING[name](value as never) ? null : JSON.stringify(value);

/** The stored fields, without those that are null, may be left out, or are no part of the row that was read. */
function shown(row: Row): Omit<MailboxSummary, 'domains'> {
  const { settings_key_id, limited_since, try_out, sign_answers, ...stored } = rowOf(mailboxes, row);
  const fields: Record<string, unknown> = { ...stored };
  for (const name of JSON_FIELDS) {
    const text = row[name];
    if (typeof text === 'string') fields[name] = JSON.parse(text);
    else delete fields[name];
  }
  return {
    ...(fields as unknown as MailboxSummary),
    ...(settings_key_id !== null && { settings_key_id }),
    ...(limited_since !== null && { limited_since }),
    try_out: try_out === 1,
    ...(sign_answers === 1 && { sign_answers: true }),
  };
}

function summaryFrom(row: Row, clock: Clock): MailboxSummary {
  const stored = shown(row);
  return { ...stored, domains: domainsOf(row), status: statusAt(stored, clock()) };
}

function mailboxFrom(row: Row, clock: Clock): Mailbox {
  const { settings, senders_allow, senders_block, ...stored } = summaryFrom(row, clock) as MailboxSummary & Texts;
  return {
    ...stored,
    settings: JSON.parse(settings) as Mailbox['settings'],
    senders: { allow: JSON.parse(senders_allow), block: JSON.parse(senders_block) },
  };
}
type Texts = Pick<RowOf<typeof mailboxes>, 'settings' | 'senders_allow' | 'senders_block'>;

const cellsOfMailbox = ({ settings, senders, ...rest }: Mailbox): Cell[] =>
  cellsOf(mailboxes, {
    ...rest,
    settings_key_id: rest.settings_key_id ?? null,
    limited_since: rest.limited_since ?? null,
    ...jsonCells(rest),
    try_out: rest.try_out ? 1 : 0,
    sign_answers: rest.sign_answers === true ? 1 : 0,
    settings: JSON.stringify(settings),
    senders_allow: JSON.stringify(senders.allow),
    senders_block: JSON.stringify(senders.block),
  });

const jsonCells = (mailbox: Pick<Mailbox, JsonField>) =>
  Object.fromEntries(JSON_FIELDS.map((name) => [name, jsonCell(name, mailbox[name])])) as Record<
    JsonField,
    string | null
  >;

/** Inserts the mailbox if its namespace lives, the address is free, and `condition` holds. */
export const insertMailbox = (mailbox: Mailbox, condition = '', ...more: Cell[]): WriteStep => {
  const lives = `exists (select 1 from namespaces where id = ${MAILBOX.namespace_id} and deleted_at is null)`;
  const sql = `${insertIfSql(mailboxes, `${lives} ${condition}`)}
    on conflict (namespace_id, local_part) where deleted_at is null do nothing returning id`;
  return step(sql, ...cellsOfMailbox(mailbox), ...more);
};

const IS_MINE = `and exists (select 1 from idempotency
  where scope = ${parameterAfter(mailboxes, 1)} and key = ${parameterAfter(mailboxes, 2)} and ref = ${MAILBOX.id})`;
/** The condition that fewer live in its namespace than the parameter says. */
const hasRoom = (max: string): string =>
  `and (select count(*) from mailboxes where namespace_id = ${MAILBOX.namespace_id} and deleted_at is null) < ${max}`;
const ADDRESS_LIVES = 'select 1 from mailboxes where namespace_id = $1 and local_part = $2 and deleted_at is null';

/** Examines at most one deleted row, however often an address was deleted and created again. */
const LIVING = `(select id from mailboxes where namespace_id = (select n.id from namespaces n where n.name = $1)
  and local_part = $2 and deleted_at is null)`;
const LAST = '(select max(id) from mailboxes where namespace = $1 and local_part = $2)';

const RELEASE_IDEMPOTENCY_KEY = `
  delete from idempotency where scope = $1 and key = $2 and ref = $3
  and not exists (select 1 from mailboxes where id = $3)`;

const NAMESPACE_LIVES = 'select 1 from namespaces where id = $1 and deleted_at is null';

/** Columns that may change, each with its conversion for the database. */
const CHANGES: { readonly [name in keyof Mailbox]?: (value: never) => Cell } = {
  display_name: (value: string | null) => value,
  description: (value: string) => value,
  behavior: (value: string) => value,
  settings: (value: Mailbox['settings']) => JSON.stringify(value),
  status: (value: string) => value,
  online_until: (value: Millis | null) => value,
  webhook: (value: string | null) => value,
  settings_key_id: (value: string | null) => value,
  limited_since: (value: Millis | null) => value,
  visibility: (value: string) => value,
  access: (value: string) => value,
  try_out: (value: boolean) => (value ? 1 : 0),
  wake: (value: string) => value,
  sign_answers: (value: boolean) => (value ? 1 : 0),
};

/**
 * Holds waiting messages; those being handled continue, and those that wait for an approval keep waiting, as do those that
 * are answered by hand because their thread was taken over.
 */
const HOLD = `
  update handlings set due_at = null
  where mailbox_id = $1 and leased = 0 and (by_hand_ms = 0 or coalesce(waiting_for, 'none') <> 'answer')`;
const LET_GO = `
  update handlings set due_at = $2, waiting_for = null, answerable_at = null
  where mailbox_id = $1 and due_at is null and coalesce(waiting_for, 'answer') = 'answer'`;
/** Messages that wait for an answer from outside are handled by the new behavior, unless their thread was taken over. */
const STOP_WAITING = `
  update handlings set waiting_for = null, claim = null, answerable_at = null, progress = null,
    due_at = case when due_at is null then null else cast($3 as bigint) end
  where mailbox_id = $1 and waiting_for = 'answer' and by_hand_ms = 0
    and exists (select 1 from mailboxes where id = $1 and behavior <> $2 and deleted_at is null)`;

/** Keeps the settings of the previous behavior, unless they are empty. */
const KEEP_SETTINGS = `
  insert into kept_settings (mailbox_id, behavior, settings)
  select id, behavior, settings from mailboxes
  where id = $1 and deleted_at is null and behavior <> $2 and settings <> '{}'
  on conflict (mailbox_id, behavior) do update set settings = excluded.settings`;
/** The current behavior's settings are stored in the mailbox itself. */
const DROP_KEPT = 'delete from kept_settings where mailbox_id = $1 and behavior = $2';
const KEPT_SETTINGS = `
  select behavior, settings from kept_settings
  where mailbox_id = $1 and exists (select 1 from mailboxes where id = $1 and deleted_at is null) order by behavior`;

const LIMIT = `
  update mailboxes set limited_since = $2 where id = $1 and limited_since is null and deleted_at is null returning id`;
const OFFLINE = 'select id from mailboxes where id = $1 and online_until <= $2';
const SEEN = `update mailboxes set online_until = $2
  where id = $1 and online_until is not null and deleted_at is null returning id`;
const DELETE = `
  update mailboxes set deleted_at = $2, updated_at = $2 where id = $1 and deleted_at is null returning id`;
/** The deleted mailbox, as an account, owns nothing any more. */
const STOP_MEMBERS = stopAccounts('select id from mailboxes where id = $1 and deleted_at = $2', '$2');
/** `mailbox:` removes what it received, `from:` blanks it as the sender of what others received. */
const PURGE_LATER = `
  insert into jobs (id, kind, subject, due_at)
  select $3 || id, 'purge', $3 || id, $2 from mailboxes where id = $1 and deleted_at = $2
  on conflict (id) do nothing`;

/**
 * Runs before the behavior changes. The mailbox is locked first, so that nothing is kept of one that is deleted
 * meanwhile.
 */
const keepSettings = (id: string, behavior: string | undefined, now: Millis): readonly WriteStep[] =>
  behavior === undefined
    ? []
    : [
        holdMailbox(id),
        step(KEEP_SETTINGS, id, behavior),
        step(DROP_KEPT, id, behavior),
        step(STOP_WAITING, id, behavior, now),
      ];

function change(id: string, fields: MailboxFields, now: Millis): readonly WriteStep[] {
  const { values, p } = params();
  const where = `where id = ${p(id)} and deleted_at is null returning ${COLUMNS}`;
  const sets = [`updated_at = ${p(now)}`];
  for (const [name, toCell] of Object.entries(CHANGES)) {
    const value = fields[name as keyof Mailbox];
    if (value === undefined) continue;
    const cell = p(toCell(value as never));
    if (name !== 'try_out') sets.push(`${name} = ${cell}`);
    else {
      // A concurrent change of the access must not leave a try-out on a mailbox for keys only.
      const access = fields.access === undefined ? 'access' : `'${fields.access === 'key' ? 'key' : 'public'}'`;
      sets.push(`try_out = case when ${access} = 'key' then 0 else cast(${cell} as integer) end`);
    }
  }
  for (const name of JSON_FIELDS)
    if (fields[name] !== undefined) sets.push(`${name} = ${p(jsonCell(name, fields[name]))}`);
  for (const list of ['allow', 'block'] as const) {
    const entries = fields.senders?.[list];
    if (entries !== undefined) sets.push(`senders_${list} = ${p(JSON.stringify(entries))}`);
  }
  const steps = [step(`update mailboxes set ${sets.join(', ')} ${where}`, ...values)];
  if (fields.status === 'online') steps.push(step(LET_GO, id, now));
  else if (fields.status !== undefined) steps.push(step(HOLD, id));
  if (fields.webhook === null) steps.push(dropWebhook(id));
  steps.push(mailboxEvent('mailbox.updated', id, now, 'and deleted_at is null'));
  return steps;
}

/** Those of `ids` that ever existed, including deleted ones. */
export async function mailboxesByIds(db: Db, ids: readonly string[], clock: Clock): Promise<readonly MailboxSummary[]> {
  if (ids.length === 0) return [];
  const { values, p } = params();
  const rows = await db.read(`select ${SUMMARY} from mailboxes where id in (${ids.map(p).join(', ')})`, values);
  return rows.map((row) => summaryFrom(row, clock));
}

export function makeMailboxes(db: Db, searches: Searches, clock: Clock): Mailboxes {
  return {
    async create(mailbox: MailboxWithSecret, idempotency?: Idempotency, max = Number.MAX_SAFE_INTEGER) {
      const lives = step(NAMESPACE_LIVES, mailbox.namespace_id);
      const taken = step(ADDRESS_LIVES, mailbox.namespace_id, mailbox.local_part);
      const created = mailboxEvent('mailbox.created', mailbox.id, mailbox.created_at);
      const refused = (living?: readonly Row[], other?: readonly Row[]) => ({
        kind: living?.length ? (other?.length ? ('taken' as const) : ('full' as const)) : ('gone' as const),
      });
      if (idempotency === undefined) {
        const [insertedRows, living, other] = await db.write([
          insertMailbox(mailbox, hasRoom(parameterAfter(mailboxes, 1)), max),
          lives,
          taken,
          created,
          ...addWebhook(mailbox),
        ]);
        return insertedRows?.length ? { kind: 'created' } : refused(living, other);
      }
      const [, insertedRows, , first, living, other] = await db.write([
        takeIdempotencyKey(idempotency, mailbox.id, mailbox.created_at),
        insertMailbox(
          mailbox,
          `${IS_MINE} ${hasRoom(parameterAfter(mailboxes, 3))}`,
          idempotency.scope,
          idempotency.key,
          max,
        ),
        step(RELEASE_IDEMPOTENCY_KEY, idempotency.scope, idempotency.key, mailbox.id),
        readIdempotencyKey(idempotency),
        lives,
        taken,
        created,
        ...addWebhook(mailbox),
      ]);
      if (insertedRows?.length) return { kind: 'created' };
      return replayedBy(first, mailbox.id) ?? refused(living, other);
    },
    async byAddress(localPart, namespace) {
      const [row] = await db.read(`select ${COLUMNS} from mailboxes where id = coalesce(${LIVING}, ${LAST})`, [
        namespace,
        localPart,
      ]);
      return row && mailboxFrom(row, clock);
    },
    async byId(id) {
      const [row] = await db.read(`select ${COLUMNS} from mailboxes where id = $1`, [id]);
      return row && mailboxFrom(row, clock);
    },
    async change(id, fields, now) {
      const keep = keepSettings(id, fields.behavior, now);
      const changed = (await db.write([...keep, ...change(id, fields, now)], 'beside'))[keep.length];
      return changed?.[0] && mailboxFrom(changed[0], clock);
    },
    async seen(id, until, now) {
      const [before, written] = await db.write([step(OFFLINE, id, now), step(SEEN, id, until)], 'beside');
      return written?.length === 1 && before?.length === 1;
    },
    async keptSettings(id) {
      const rows = await db.read(KEPT_SETTINGS, [id]);
      return new Map(
        rows.map(({ behavior, settings }) => [
          behavior as string,
          JSON.parse(settings as string) as Mailbox['settings'],
        ]),
      );
    },
    async limit(id, now) {
      const where = 'and limited_since is null and deleted_at is null';
      const [, , limited] = await db.write(
        [holdMailbox(id), mailboxEvent('mailbox.limited', id, now, where), step(LIMIT, id, now)],
        'beside',
      );
      return limited?.length === 1;
    },
    async delete(id, now) {
      const [, deleted] = await db.write([
        mailboxEvent('mailbox.deleted', id, now, 'and deleted_at is null'),
        step(DELETE, id, now),
        ...STOP_MEMBERS.map((sql) => step(sql, id, now)),
        step(PURGE_LATER, id, now, 'mailbox:'),
        step(PURGE_LATER, id, now, 'from:'),
      ]);
      return deleted?.length === 1;
    },
    async ids(namespaceId) {
      const rows = await db.read(
        'select id from mailboxes where namespace_id = $1 and deleted_at is null order by id',
        [namespaceId],
      );
      return rows.map((row) => row.id as string);
    },
    async byIds(ids) {
      return (await mailboxesByIds(db, ids, clock)).filter(({ deleted_at }) => deleted_at === null);
    },
    async pageEnd(filter, after, size) {
      const { sql, params: values } = mailboxRows('id', filter, after, size + 1);
      const ends = await db.read(`select id from (${sql}) ids order by id limit 2 offset ${size - 1}`, values);
      return ends.length === 2 ? (ends[0]?.id as string) : null;
    },
    async page(filter, after, size, caller) {
      const { query } = filter;
      if (query === undefined) {
        const { sql, params: values } = mailboxRows(SUMMARY, filter, after, size + 1);
        return pageOf(
          (await db.read(sql, values)).map((each) => summaryFrom(each, clock)),
          size,
        );
      }
      const { found, place } = await searches.run(
        query,
        (at, max) => ({ kind: 'mailboxes', of: { ...filter, query }, after: at ?? after ?? '', max }),
        { max: size + 1 },
        caller,
      );
      const byId = new Map((await mailboxesByIds(db, found, clock)).map((mailbox) => [mailbox.id, mailbox]));
      const pageIds = found.slice(0, size);
      const items = pageIds
        .map((id) => byId.get(id))
        .filter((mailbox) => mailbox?.deleted_at === null) as MailboxSummary[];
      return { items, next: pageIds.length < found.length ? (pageIds.at(-1) ?? null) : place };
    },
  };
}
