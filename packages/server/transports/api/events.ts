import { type Clock, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import type { JsonText } from '@mailroom/behavior/values/json';
import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import { EventView, eventText, type StoredEvent } from '../../core/entities/event.ts';
import { boundTo } from '../../core/entities/key.ts';
import type { EventFeed } from '../../core/notify/event-feed.ts';
import type { EventQuery } from '../../core/ports/events.ts';
import type { Store } from '../../core/ports/store.ts';
import { writeCursor } from '../../core/values/page.ts';
import type { StreamParts } from '../../http/connections/streams.ts';
import { wantsStream } from '../../http/media.ts';
import { type Answer, operation, type Route } from '../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseEvent } from '../../http/sse.ts';
import { orEvery } from '../../http/ticks.ts';
import { pageQuery, pageText, QueryOf, readPage } from './parts.ts';

const PATH = '/api/v1/events';
/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;
/** How often an idle stream checks that its key still works. */
const KEY_MS = 2 * SECOND;

const After = Type.Optional(
  Type.String({
    description: 'The id of an event; returns the events after it. Ids sort in the order of their events.',
  }),
);
const EventPage = Type.Object(
  {
    items: Type.Array(EventView),
    next_cursor: Type.String({
      description: 'Pass it as `cursor` for the following events. It is never null, so you can ask again later.',
    }),
  },
  { $id: 'EventPage' },
);

/** The events of a namespace's mailboxes and messages, as pages or as a stream. */
export interface EventParts extends StreamParts {
  readonly store: Pick<Store, 'events'>;
  readonly directory: Directory;
  readonly feed: EventFeed;
  readonly clock: Clock;
  readonly mailDomain: string;
}

export function eventRoutes(parts: EventParts): readonly Route[] {
  const { store, directory, feed, clock, mailDomain, stop, streams } = parts;

  /**
   * Streams events from now on or after `after`. Ends when the key stops working; the client's next request then gets
   * the error.
   */
  async function* stream(caller: Caller & { kind: 'key' }, query: EventQuery, after: string | null, gone: AbortSignal) {
    const { key } = caller;
    const over = new AbortController();
    try {
      const from = after ?? (await feed.now(query.namespace_id));
      // Sends the cursor first, so that a client which disconnects before the first event misses none.
      yield `retry: ${RETRY_MS}\nid: ${from}\n\n`;
      const signal = AbortSignal.any([gone, stop.begun, over.signal]);
      let writeTime = clock();
      const tick = Math.min(KEY_MS, parts.heartbeat_ms);
      for await (const events of orEvery(feed.subscribe(query, from, signal), tick)) {
        const now = clock();
        // Checked before each event, so that a revoked key receives none.
        if (!(await directory.works(key))) return;
        if (events !== undefined) {
          yield events.map((event) => written(event, eventText(event, mailDomain))).join('');
          writeTime = now;
        } else if (now - writeTime > parts.heartbeat_ms - tick || now < writeTime) {
          // The next tick would come too late.
          yield SSE_HEARTBEAT;
          writeTime = now;
        }
      }
    } finally {
      over.abort();
    }
  }

  return [
    operation('GET', PATH, 'listEvents', {
      tag: 'Events',
      summary: 'Follow what happens',
      description:
        'Every event of the namespace’s mailboxes and their messages, in order, kept for 30 days unless the operator sets another time; a key bound to a mailbox gets the events of that mailbox. The answer is a page, oldest first, starting after `after` or `cursor`, or with the oldest event. `next_cursor` is never null: use it to get the events that happened since. With `Accept: text/event-stream` the answer is a stream of server-sent events, starting now or after `Last-Event-ID` or `after`; each has its id, its type as `event`, and the event as one line of JSON. The stream ends when the service restarts or the key stops working: connect again with the last id, and no event is missed or repeated. A message answered on arrival has only its final event; one that waits has `message.received` first. `data` is the state at the time of the answer, and deleted objects no longer appear.',
      access: 'messages:read',
      query: QueryOf({ ...pageQuery, after: After }),
      headers: { 'Last-Event-ID': 'For a stream: the id of the last event received; the stream continues after it.' },
      answers: {
        200: {
          description: 'A page of events, oldest first; or the stream.',
          schema: EventPage,
          streams: true,
          headers: ['Link'],
        },
      },
      problems: ['rate_limited'],
      async handle({ caller, query, headers, gone }): Promise<Answer> {
        if (caller.kind !== 'key') throw new AppError('missing_key', 'Send an API key.');
        const { namespace_id } = caller.key;
        const eventQuery = { namespace_id, mailbox_ids: boundTo(caller.key) ?? undefined };
        const after = readAfter(query);
        if (wantsStream(headers.accept)) {
          const last = headers['last-event-id'];
          const from = last === undefined || last === '' ? after : placeOf(String(last), '/Last-Event-ID');
          const over = streams.open(caller, gone());
          return {
            status: 200,
            headers: { ...SSE_HEADERS, vary: 'accept' },
            body: stream(caller, eventQuery, from, over),
          };
        }
        const { size } = readPage(query.limit === undefined ? {} : { limit: query.limit });
        const page = await store.events.page(eventQuery, after, size);
        const next_cursor = writeCursor(page.next);
        const items = page.items.map((event) => eventText(event, mailDomain));
        const { after: _, ...rest } = query;
        const search = new URLSearchParams({ ...rest, cursor: next_cursor });
        const link: Record<string, string> = page.more ? { link: `<${PATH}?${search}>; rel="next"` } : {};
        return { status: 200, body: pageText(items, next_cursor), headers: { ...link, vary: 'accept' } };
      },
    }),
  ];
}

const written = ({ id, type }: StoredEvent, { text }: JsonText): string => sseEvent({ id, event: type, data: text });

function readAfter({ after, cursor }: { readonly after?: string; readonly cursor?: string }): string | null {
  if (after !== undefined && cursor !== undefined) throw invalid('/after', 'Give after or cursor, not both.');
  if (after !== undefined) return placeOf(after, '/after');
  return cursor === undefined ? null : placeOf(readPage({ cursor }).after ?? '', '/cursor');
}

function placeOf(id: string, pointer: string): string {
  if (isId('evt', id)) return id;
  throw invalid(pointer, 'This is not the id of an event (evt_…). Use an id exactly as received, or leave it out.');
}
