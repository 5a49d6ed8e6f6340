import { eventIdOf, eventPlaceOf, FIRST_EVENT } from '@mailroom/behavior/values/ids';
import type { Claim } from '../../core/ports/claim.ts';
import type { Jobs } from '../../core/ports/jobs.ts';
import { type Cell, type Db, step, type WriteStep } from '../db.ts';
import type { Objects } from '../objects/objects.ts';
import { dropWebhook } from './agent-webhooks.ts';
import { dropAudit } from './audit.ts';
import { batchEnd } from './batch.ts';
import { sweepBlobs } from './blob-sweep.ts';
import { purgeConversations } from './conversations.ts';
import { dropSuppressions } from './deliveries.ts';
import { purgeDrafts } from './drafts.ts';
import type { Order } from './event-order.ts';
import { noteChanged } from './index-changes.ts';
import { purgeLabels } from './labels.ts';
import { purgeMessageIds } from './message-ids.ts';
import { dropWithMessages } from './message-parts.ts';
import { purgeAccounts } from './purge-accounts.ts';
import { purgePushConfigs } from './push-configs.ts';
import { dropStorage, holdStorage, refundKept, refundMessages, refundSettings } from './storage.ts';

/** Maximum rows that one batch touches. */
const BATCH = 500;

/** Maximum drafts of one batch, which may be of half a megabyte each. */
const DRAFTS = 50;

const HELD = 'select place from jobs where id = $1 and fence = $2 and leased = 1';
const DONE = 'delete from jobs where id = $1 and fence = $2';
const KEEP_PLACE = 'update jobs set place = $3 where id = $1 and fence = $2';

/** A reply is deleted once neither its author nor its recipient is left; until then the other one keeps it. */
const RECEIVED_END = batchEnd('to_mailbox_id = $1', BATCH);
const RECEIVED = 'to_mailbox_id = $1 and id <= $2';
const RECEIVED_ALONE = `${RECEIVED} and (kind = 'message' or from_mailbox_id is null)`;
const DROP_HANDLINGS = `
  delete from handlings where message_id in (select id from messages where ${RECEIVED} and kind = 'message')`;
const DROP_RECEIVED = `delete from messages where ${RECEIVED_ALONE}`;
const BLANK_RECEIVED = `update messages set to_mailbox_id = null, "to" = null where ${RECEIVED}`;
const MORE_RECEIVED = 'select 1 as more from messages where to_mailbox_id = $1 limit 1';
/** What it wrote: replies, and mail to addresses outside, which no mailbox received. */
const WROTE = "from_mailbox_id = $1 and (kind = 'reply' or to_mailbox_id is null)";
const ANSWERED_END = batchEnd(WROTE, BATCH);
const ANSWERED = `${WROTE} and id <= $2`;
const ANSWERED_ALONE = `${ANSWERED} and to_mailbox_id is null`;
const DROP_ANSWERED = `delete from messages where ${ANSWERED_ALONE}`;
const BLANK_ANSWERED = `update messages set sender_id = null, "from" = null, from_mailbox_id = null where ${ANSWERED}`;
const MORE_ANSWERED = `select 1 as more from messages where ${WROTE} limit 1`;
/** Keeps the row with its address, so that a deleted mailbox answers 410. */
const BLANK_MAILBOX = `
  update mailboxes set display_name = null, description = '', settings = '{}', senders_allow = '[]', senders_block = '[]',
    metadata = null, outgoing = null, rules = null, budget = null
  where id = $1 and deleted_at is not null`;
const DROP_TAKEN_THREADS = 'delete from taken_threads where mailbox_id = $1';
const DROP_REVIEWS = 'delete from reviews where mailbox_id = $1';
const DROP_CONTACTS = 'delete from contacts where mailbox_id = $1';
const DROP_USAGE = 'delete from model_usage where mailbox_id = $1';
const DROP_KEPT_SETTINGS = 'delete from kept_settings where mailbox_id = $1';

/** Mail to addresses outside is deleted with the mailbox that wrote it. */
const SENT_INSIDE = "sender_namespace_id = $1 and kind = 'message' and to_mailbox_id is not null";
const SENT_END = batchEnd(SENT_INSIDE, BATCH);
const SENT = `${SENT_INSIDE} and id <= $2`;
/** What it sent to mailboxes that are deleted, with the replies that no other mailbox holds. */
const SENT_TO_DELETED = `
  select x.id, x.reply_id from messages x join mailboxes b on b.id = x.to_mailbox_id
  where x.sender_namespace_id = $1 and x.kind = 'message' and x.id <= $2 and b.deleted_at is not null`;
const FREE_REPLIES = `
  update messages set sender_namespace_id = null where id in (select reply_id from messages where ${SENT})`;
const BLANK_SENT = `
  update messages set sender_id = null, "from" = null, from_mailbox_id = null, key_id = null, sender_namespace_id = null,
    sender_agent = null, answered_by = null
  where ${SENT}`;
/** What its keys wrote to several recipients as no mailbox: those have copies. */
const SENT_ALONE =
  "sender_namespace_id = $1 and kind = 'message' and to_mailbox_id is null and from_mailbox_id is null";
const SENT_ALONE_END = batchEnd(SENT_ALONE, BATCH);
const DROP_SENT_ALONE = `delete from messages where ${SENT_ALONE} and id <= $2`;
const MORE_SENT_ALONE = `select 1 as more from messages where ${SENT_ALONE} limit 1`;
const MORE_SENT = `select 1 as more from messages where ${SENT_INSIDE} limit 1`;

const DELETED = 'exists (select 1 from namespaces where id = $1 and deleted_at is not null)';

/** Maximum events that one batch examines; they are found by their namespace, in the order of the log. */
const EVENTS_BATCH = 5_000;
const eventsEnd = ({ place }: Order): string => `
  select tx, seq, count(*) over () as count from (
    select tx, seq from events where namespace_id = $1 and ${place('>', '$2', '$3')} order by tx, seq limit ${EVENTS_BATCH}
  ) bite order by tx desc, seq desc limit 1`;
/** Keeps the event of the mailbox's deletion. */
const dropEvents = ({ place }: Order): string => `
  delete from events where namespace_id = $1 and ${place('>', '$2', '$3')} and ${place('<=', '$4', '$5')}
    and mailbox_id = $6 and type <> 'mailbox.deleted'`;
const DROP_ALL_EVENTS = `
  delete from events where ${DELETED} and seq in
    (select seq from events where namespace_id = $1 limit ${EVENTS_BATCH})
  returning seq`;

/** Callers' idempotency keys are texts too. They are deleted before the keys by which they are found. */
const DELETE_IDEMPOTENCY_KEY = `
  delete from idempotency where ${DELETED} and (scope, key) in
    (select scope, key from idempotency where scope in (select id from keys where namespace_id = $1) limit ${BATCH})
  returning key`;
/** A key of a deleted namespace is refused whether or not its row exists. */
const DROP_KEYS = `
  delete from keys where ${DELETED} and id in (select id from keys where namespace_id = $1 limit ${BATCH}) returning id`;
/** In a deleted namespace every address answers 410. */
const BLANK_ADDRESSES = `
  update mailboxes set local_part = '' where ${DELETED} and id in
    (select id from mailboxes where namespace_id = $1 and local_part <> '' limit ${BATCH})
  returning id`;
/** The name stays taken. */
const BLANK_NAMESPACE = 'update namespaces set display_name = null where id = $1 and deleted_at is not null';

/** Notes in a mailbox are deleted with it, and with their owner. */
const someNotes = (where: string): string => `${where} and (mailbox_id, owner, name) in
    (select mailbox_id, owner, name from notes where ${where} order by mailbox_id, owner, name limit ${BATCH})`;
const dropNotes = (where: string): string => `delete from notes where ${someNotes(where)} returning name`;
const schedulesOf = (where: string): string => `select id from schedules where ${where} limit ${BATCH}`;
const KEPT_IN = 'mailbox_id = $1';
const KEPT_FOR = `sender_namespace_id = $1 and ${DELETED}`;
const KEPT_AS = 'sender_namespace_id = $1 and owner = $2';

const NAMESPACE_OF = 'select namespace_id from mailboxes where id = $1';
const LIVING_NAMESPACE_OF = `
  select b.namespace_id from mailboxes b join namespaces n on n.id = b.namespace_id and n.deleted_at is null
  where b.id = $1`;
const SENT_AS = "from_mailbox_id = $1 and kind = 'message' and to_mailbox_id is not null";
const SENT_AS_END = batchEnd(SENT_AS, BATCH);
const BLANK_SENT_AS = `
  update messages set sender_id = null, "from" = null, from_mailbox_id = null
  where ${SENT_AS} and id <= $2`;
const MORE_SENT_AS = `select 1 as more from messages where ${SENT_AS} limit 1`;

/**
 * One batch of a deletion. `mailbox:<id>`: what it received, senders' notes and schedules in it, its sign-in data and
 * events. `sender:<namespace id>`: the sender of what its keys sent, its notes and schedules elsewhere, its events and
 * sign-in data. `from:<mailbox id>`: the sender of what was sent as it, and its notes and schedules elsewhere. Every
 * batch may be repeated, so a node that lost the claim does no harm.
 */
export function makePurge(db: Db, order: Order, objects?: Objects): Jobs['purge'] {
  const [endOfBatch, drop] = [eventsEnd(order), dropEvents(order)];
  const accounts = purgeAccounts(db, BATCH);

  /** Whether the last of the steps returned rows. */
  async function more(...steps: readonly WriteStep[]): Promise<boolean> {
    const returned = await db.write(steps, 'erase');
    return (returned.at(-1)?.length ?? 0) > 0;
  }

  const end = async (sql: string, ...params: readonly Cell[]): Promise<string | undefined> => {
    const [row] = await db.read(sql, params);
    return (row?.id as string | null | undefined) ?? undefined;
  };

  /** Deletes notes, and schedules with their jobs. */
  async function kept(where: string, ...cells: readonly Cell[]): Promise<boolean> {
    const notes = await db.write(
      [holdStorage(), ...refundKept('notes', someNotes(where), ...cells), step(dropNotes(where), ...cells)],
      'erase',
    );
    if ((notes.at(-1)?.length ?? 0) >= BATCH) return true;
    const ids = (await db.read(schedulesOf(where), cells)).map((row) => row.id as string);
    if (ids.length === 0) return false;
    const these = `(${ids.map((_, at) => `$${at + 1}`).join(', ')})`;
    await db.write(
      [
        holdStorage(),
        ...refundKept('schedules', `id in ${these}`, ...ids),
        step(`delete from jobs where kind = 'schedule' and id in ${these}`, ...ids),
        step(`delete from schedules where id in ${these}`, ...ids),
      ],
      'erase',
    );
    return ids.length >= BATCH;
  }

  async function received(id: string): Promise<boolean> {
    const to = await end(RECEIVED_END, id);
    if (to !== undefined) {
      const rest = await more(
        holdStorage(),
        ...refundMessages(RECEIVED_ALONE, id, to),
        ...dropWithMessages(`select id from messages where ${RECEIVED_ALONE}`, id, to),
        step(DROP_HANDLINGS, id, to),
        step(DROP_RECEIVED, id, to),
        step(BLANK_RECEIVED, id, to),
        step(MORE_RECEIVED, id),
      );
      if (rest) return true;
    }
    const last = await end(ANSWERED_END, id);
    if (last === undefined) return false;
    return more(
      holdStorage(),
      ...refundMessages(ANSWERED_ALONE, id, last),
      ...dropWithMessages(`select id from messages where ${ANSWERED_ALONE}`, id, last),
      step(DROP_ANSWERED, id, last),
      step(BLANK_ANSWERED, id, last),
      step(MORE_ANSWERED, id),
    );
  }

  async function sent(id: string): Promise<boolean> {
    const to = await end(SENT_END, id);
    if (to !== undefined) {
      // Storage is given back before the rows go, because afterwards no row says who paid for it.
      const going = refundMessages(`m.id in (select id from (${SENT_TO_DELETED}) g)`, id, to);
      const replies = refundMessages(
        `m.to_mailbox_id is null and m.id in (select reply_id from (${SENT_TO_DELETED}) g)`,
        id,
        to,
      );
      const noted = noteChanged(`select id from messages where ${SENT}`, id, to);
      const blank = [step(FREE_REPLIES, id, to), noted, step(BLANK_SENT, id, to), step(MORE_SENT, id)];
      if (await more(holdStorage(), ...going, ...replies, ...blank)) return true;
    }
    const alone = await end(SENT_ALONE_END, id);
    if (alone !== undefined) {
      const parts = dropWithMessages(`select id from messages where ${SENT_ALONE} and id <= $2`, id, alone);
      if (await more(holdStorage(), ...parts, step(DROP_SENT_ALONE, id, alone), step(MORE_SENT_ALONE, id))) return true;
    }
    const parts = [DELETE_IDEMPOTENCY_KEY, DROP_KEYS, BLANK_ADDRESSES, DROP_ALL_EVENTS, dropSuppressions(BATCH)];
    for (const rest of [...parts, ...dropAudit(BATCH)]) {
      const [touched] = await db.write([step(rest, id)], 'erase');
      if ((touched?.length ?? 0) >= BATCH) return true;
    }
    if (await purgeDrafts(db, 'namespace_id', id, DRAFTS)) return true;
    if (await purgeMessageIds(db, id, BATCH)) return true;
    if (await purgePushConfigs(db, id, BATCH)) return true;
    return kept(KEPT_FOR, id);
  }

  /** A deleted namespace's events are deleted together, with the `sender:` job. */
  async function events(claim: Claim, mailboxId: string, place: string): Promise<boolean> {
    const [mailbox] = await db.read(LIVING_NAMESPACE_OF, [mailboxId]);
    if (mailbox === undefined) return false;
    const namespaceId = mailbox.namespace_id as string;
    const from = eventPlaceOf(place);
    const [last] = await db.read(endOfBatch, [namespaceId, from.tx, from.seq]);
    if (last === undefined) return false;
    const [tx, seq] = [last.tx as number, last.seq as number];
    await db.write(
      [
        step(drop, namespaceId, from.tx, from.seq, tx, seq, mailboxId),
        step(KEEP_PLACE, claim.id, claim.fence, eventIdOf(tx, seq)),
      ],
      'erase',
    );
    return last.count === EVENTS_BATCH;
  }

  async function sentAs(mailboxId: string): Promise<boolean> {
    const to = await end(SENT_AS_END, mailboxId);
    if (to !== undefined) {
      const noted = noteChanged(`select id from messages where ${SENT_AS} and id <= $2`, mailboxId, to);
      if (await more(noted, step(BLANK_SENT_AS, mailboxId, to), step(MORE_SENT_AS, mailboxId))) return true;
    }
    const [mailbox] = await db.read(NAMESPACE_OF, [mailboxId]);
    if (mailbox === undefined) return false;
    if (await purgeDrafts(db, 'mailbox_id', mailboxId, DRAFTS)) return true;
    return kept(KEPT_AS, mailbox.namespace_id as string, `mailbox:${mailboxId}`);
  }

  return async (claim) => {
    const [held] = await db.read(HELD, [claim.id, claim.fence]);
    if (held === undefined) return 'lost';
    const colon = claim.subject.indexOf(':');
    const subjectId = claim.subject.slice(colon + 1);
    const last = [step(DONE, claim.id, claim.fence)];
    switch (claim.subject.slice(0, colon)) {
      case 'mailbox':
        if (await received(subjectId)) return 'more';
        if (await sweepBlobs(db, objects, 0)) return 'more';
        if (await kept(KEPT_IN, subjectId)) return 'more';
        if (await purgeLabels(db, subjectId, BATCH)) return 'more';
        if (await purgeConversations(db, subjectId, BATCH)) return 'more';
        if (await accounts.ofMailbox(subjectId)) return 'more';
        if (await events(claim, subjectId, (held.place as string | null) ?? FIRST_EVENT)) return 'more';
        last.unshift(
          holdStorage(),
          ...refundSettings(subjectId),
          step(BLANK_MAILBOX, subjectId),
          step(DROP_KEPT_SETTINGS, subjectId),
          step(DROP_REVIEWS, subjectId),
          step(DROP_CONTACTS, subjectId),
          step(DROP_USAGE, subjectId),
          step(DROP_TAKEN_THREADS, subjectId),
          dropWebhook(subjectId),
        );
        break;
      case 'sender':
        if (await sent(subjectId)) return 'more';
        if (await accounts.ofNamespace(subjectId)) return 'more';
        last.unshift(holdStorage(), dropStorage(subjectId), step(BLANK_NAMESPACE, subjectId));
        break;
      default:
        if (await sentAs(subjectId)) return 'more';
    }
    await db.write(last, 'erase');
    return 'done';
  };
}
