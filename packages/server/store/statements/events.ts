import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { eventIdOf, eventPlaceOf, FIRST_EVENT } from '@mailroom/behavior/values/ids';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import { type EmailDeliveryView, emailDeliveryViews } from '../../core/entities/email.ts';
import type { EventType, StoredEvent } from '../../core/entities/event.ts';
import type { MailboxSummary } from '../../core/entities/mailbox.ts';
import type { EventPage, EventQuery, Events, Tally, TallyPage } from '../../core/ports/events.ts';
import { type Db, params, type Row, step } from '../db.ts';
import { threadEventsOf } from './conversation-events.ts';
import { deliveriesOf } from './deliveries.ts';
import { domainsByIds } from './domains.ts';
import type { Order } from './event-order.ts';
import { mailboxEvent } from './mailbox-event.ts';
import { mailboxesByIds } from './mailboxes.ts';
import type { MessageReads } from './messages.ts';
import { reviewsByIds } from './reviews.ts';
import { storageByIds } from './storage.ts';
import { webhooksByIds } from './webhooks.ts';

/** Maximum events that a page examines. */
const SCAN = 4_000;
/** Maximum events examined before yielding. */
const SLICE = 500;

const TRIM = `
  delete from events where at < $1 and seq in (select seq from events order by seq limit $2) returning seq`;

const isDelivery = ({ type }: Row): boolean => (type as string).startsWith('delivery.');

/** By message, the deliveries of those that these events are about, oldest first. */
async function emailsOf(db: Db, events: readonly Row[]): Promise<ReadonlyMap<string, EmailDeliveryView[]>> {
  const ids = [...new Set(events.filter(isDelivery).map((row) => row.message_id as string))];
  const found = ids.length === 0 ? [] : await deliveriesOf(db, ids);
  const of = Map.groupBy(found, ({ message_id }) => message_id as string);
  return new Map([...of].map(([id, deliveries]) => [id, emailDeliveryViews(deliveries)]));
}

const idOf = (row: Row): string => eventIdOf(row.tx as number, row.seq as number);

export function makeEvents(
  db: Db,
  messages: Pick<MessageReads, 'byIds' | 'fitting'>,
  { sure, place: comparePlace, end }: Order,
  clock: Clock,
): Events {
  const newest = async (namespaceId: string): Promise<string | null> => {
    const sql = `select tx, seq from events where namespace_id = $1 and ${sure} order by tx desc, seq desc limit 1`;
    const [row] = await db.read(sql, [namespaceId]);
    return row === undefined ? null : idOf(row);
  };

  /** The position to read from when a cursor comes from an earlier state of this database. */
  async function settled(query: EventQuery, place: string): Promise<string> {
    const [last] = await db.read(end, []);
    if (place <= (last === undefined ? FIRST_EVENT : idOf(last))) return place;
    return (await newest(query.namespace_id)) ?? FIRST_EVENT;
  }

  async function rowsAfter(query: EventQuery, place: string, max: number): Promise<readonly Row[]> {
    const { tx, seq } = eventPlaceOf(place);
    const { values, p } = params();
    const sql = `
      select tx, seq, mailbox_id, type, message_id, subject_id, at from events
      where namespace_id = ${p(query.namespace_id)} and ${comparePlace('>', p(tx), p(seq))} and ${sure}
      order by tx, seq limit ${p(max)}`;
    return db.read(sql, values);
  }

  /** The first rows, as many as have the messages of one page. */
  async function fitting(rows: readonly Row[]): Promise<readonly Row[]> {
    const ids = new Set(rows.map((row) => row.message_id as string | null).filter((id) => id !== null));
    const fit = new Set(await messages.fitting([...ids]));
    const over = rows.findIndex(({ message_id }) => message_id !== null && !fit.has(message_id as string));
    return over < 0 ? rows : rows.slice(0, over);
  }

  /** The events with their subjects, without those of deleted subjects. */
  async function filled(rows: readonly Row[], namespaceId: string): Promise<StoredEvent[]> {
    const ids = new Set(rows.map((row) => row.message_id as string | null).filter((id) => id !== null));
    const others = rows.filter((row) => row.message_id === null);
    const boxIds = new Set(others.filter((row) => row.subject_id === null).map((row) => row.mailbox_id as string));
    const subjects = others.map((row) => row.subject_id as string | null).filter((id) => id !== null);
    const hooks = await webhooksByIds(db, subjects);
    const domains = await domainsByIds(db, subjects);
    const storages = await storageByIds(db, subjects);
    const reviews = await reviewsByIds(db, subjects);
    const threads = await threadEventsOf(db, others);
    const byId = new Map((await messages.byIds([...ids])).map((message) => [message.id, message]));
    const emailDeliveries = await emailsOf(db, rows);
    const boxes = new Map<string, MailboxSummary>();
    for (const box of await mailboxesByIds(db, [...boxIds], clock)) boxes.set(box.id, box);
    const events: StoredEvent[] = [];
    for (const row of rows) {
      const fields = {
        id: typeof row.id === 'string' ? row.id : idOf(row),
        type: row.type as EventType,
        namespace_id: namespaceId,
        mailbox_id: row.mailbox_id as string,
        at: row.at as Millis,
      };
      const message = byId.get(row.message_id as string);
      const deliveries = isDelivery(row) ? emailDeliveries.get(message?.id ?? '') : undefined;
      if (message !== undefined)
        events.push({ ...fields, message: deliveries === undefined ? message : { ...message, email: { deliveries } } });
      const webhook = hooks.find(({ id }) => id === row.subject_id);
      if (webhook !== undefined) events.push({ ...fields, webhook });
      const domain = domains.find(({ id }) => id === row.subject_id);
      if (domain !== undefined) events.push({ ...fields, domain });
      const storage = storages.find(({ id }) => id === row.subject_id);
      if (storage !== undefined) events.push({ ...fields, storage });
      const review = reviews.find(({ id }) => id === row.subject_id);
      if (review !== undefined) events.push({ ...fields, review });
      const thread = threads(row);
      if (thread !== undefined) events.push({ ...fields, ...thread });
      const mailbox = row.message_id === null && row.subject_id === null ? boxes.get(fields.mailbox_id) : undefined;
      if (mailbox === undefined) continue;
      if (mailbox.deleted_at === null || fields.type === 'mailbox.deleted') events.push({ ...fields, mailbox });
    }
    return events;
  }

  return {
    last: newest,

    async lastBefore(namespaceId, time) {
      // Backwards, since what is asked for is usually near the end.
      for (let place: string | null = null; ; await yieldToEventLoop()) {
        const { values, p } = params();
        const where = [`namespace_id = ${p(namespaceId)}`, sure];
        if (place !== null) {
          const { tx, seq } = eventPlaceOf(place);
          where.push(comparePlace('<', p(tx), p(seq)));
        }
        const rows = await db.read(
          `select tx, seq, at from events where ${where.join(' and ')} order by tx desc, seq desc limit ${SCAN}`,
          values,
        );
        const found = rows.find((row) => (row.at as Millis) < time);
        if (found !== undefined) return idOf(found);
        const oldest = rows.at(-1);
        if (oldest === undefined || rows.length < SCAN) return null;
        place = idOf(oldest);
      }
    },

    async entries(namespaceId, after, max) {
      const rows = await rowsAfter({ namespace_id: namespaceId }, after, max);
      return rows.map((row) => ({
        id: idOf(row),
        type: row.type as string,
        mailbox_id: row.mailbox_id as string,
        message_id: row.message_id as string | null,
        subject_id: row.subject_id as string | null,
        at: row.at as Millis,
      }));
    },

    filled: (entries, namespaceId) =>
      filled(
        entries.map((entry) => ({ ...entry })),
        namespaceId,
      ),

    async page(query, after, size): Promise<EventPage> {
      let place = after ?? FIRST_EVENT;
      const items: StoredEvent[] = [];
      for (let scanned = 0; scanned < SCAN; scanned += SLICE) {
        if (scanned > 0) await yieldToEventLoop();
        const freeCount = size - items.length;
        // Every event of a namespace matches, so one more than asked for shows whether there is more.
        const max = query.mailbox_ids === undefined ? Math.min(SLICE, freeCount + 1) : SLICE;
        const rows = await rowsAfter(query, place, max);
        const fits = (row: Row): boolean => query.mailbox_ids?.includes(row.mailbox_id as string) ?? true;
        const wanted = rows.filter(fits);
        const some = await fitting(wanted.slice(0, freeCount));
        items.push(...(await filled(some, query.namespace_id)));
        const cut = wanted.length > some.length;
        const last = cut ? some.at(-1) : rows.at(-1);
        if (last !== undefined) place = idOf(last);
        else if (scanned === 0) return { items, next: await settled(query, place), more: false };
        if (cut) return { items, next: place, more: true };
        if (rows.length < max) return { items, next: place, more: false };
        if (items.length >= size) break;
      }
      return { items, next: place, more: true };
    },

    async tally(namespaceId, from, max): Promise<TallyPage> {
      const { values, p } = params();
      const where = [`namespace_id = ${p(namespaceId)}`, sure];
      const back = 'before' in from;
      const place = back ? from.before : from.after;
      if (place !== null) {
        const { tx, seq } = eventPlaceOf(place);
        where.push(comparePlace(back ? '<' : '>', p(tx), p(seq)));
      }
      const way = back ? ' desc' : '';
      const rows = await db.read(
        `select tx, seq, mailbox_id, type, at, arrived, took_ms from events
         where ${where.join(' and ')} order by tx${way}, seq${way} limit ${p(max)}`,
        values,
      );
      const ends = [rows[0], rows.at(-1)].map((row) => (row === undefined ? null : idOf(row)));
      const [first = null, last = null] = back ? ends.reverse() : ends;
      const items = rows.map(
        (row): Tally => ({
          mailbox_id: row.mailbox_id as string,
          at: row.at as Millis,
          type: row.type as EventType,
          arrived: row.arrived === 1,
          took_ms: row.took_ms as number | null,
        }),
      );
      return { items, first, last, more: rows.length === max };
    },

    async loopDetected(ids, at) {
      await db.write(
        ids.map((id) => mailboxEvent('mailbox.loop_detected', id, at, 'and deleted_at is null')),
        'beside',
      );
    },

    async trim(before, max) {
      const [gone] = await db.write([step(TRIM, before, max)], 'beside');
      return gone?.length ?? 0;
    },
  };
}
