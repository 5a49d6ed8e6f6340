import { Type } from 'typebox';
import type { Caller } from '../../core/access/caller.ts';
import type { StoredEvent } from '../../core/entities/event.ts';
import { EventView, eventText } from '../../core/entities/event.ts';
import type { EventQuery } from '../../core/ports/store.ts';
import { SECOND } from '../../core/values/clock.ts';
import { AppError, invalid } from '../../core/values/error.ts';
import { isId } from '../../core/values/ids.ts';
import type { JsonText } from '../../core/values/json.ts';
import { writeCursor } from '../../core/values/page.ts';
import { wantsStream } from '../../http/media.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Route } from '../../http/route.ts';
import { route } from '../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseEvent } from '../../http/sse.ts';
import { orEvery } from '../../http/ticks.ts';
import { pageQuery, pageText, readPage } from './parts.ts';

const PATH = '/api/v1/events';
/** How long a client waits before it reconnects. */
const RETRY_MS = 2_000;
/** How often an idle stream checks that its key still works. */
const KEY_MS = 2 * SECOND;

const After = Type.Optional(
  Type.String({ description: 'The id of an event: those after it. An id sorts as its event happened.' }),
);
const EventPage = Type.Object(
  {
    items: Type.Array(EventView),
    next_cursor: Type.String({
      description: 'Pass it as `cursor` for what follows; it is always there, so that it can be asked again later.',
    }),
  },
  { $id: 'EventPage' },
);

/** The events of a namespace's mailboxes and messages, as pages or as a stream. */
export function eventRoutes(parts: Parts): readonly Route[] {
  const { store, directory, feed, clock, mailDomain, stop, streams } = parts;

  /**
   * Streams events from now on or after `after`. Ends when the key stops working; the client's next request then gets
   * the error.
   */
  async function* stream(caller: Caller & { kind: 'key' }, of: EventQuery, after: string | null, gone: AbortSignal) {
    const { key } = caller;
    const over = new AbortController();
    try {
      const from = after ?? (await feed.now(of.namespace_id));
      // Sends the cursor first, so that a client which disconnects before the first event misses none.
      yield `retry: ${RETRY_MS}\nid: ${from}\n\n`;
      const signal = AbortSignal.any([gone, stop.begun, over.signal]);
      let said = clock();
      const tick = Math.min(KEY_MS, parts.heartbeat_ms);
      for await (const events of orEvery(feed.subscribe(of, from, signal), tick)) {
        const now = clock();
        // Checked before each event, so that a revoked key receives none.
        if (!(await directory.works(key))) return;
        if (events !== undefined) {
          yield events.map((event) => written(event, eventText(event, mailDomain))).join('');
          said = now;
        } else if (now - said > parts.heartbeat_ms - tick || now < said) {
          // The next tick would come too late.
          yield SSE_HEARTBEAT;
          said = now;
        }
      }
    } finally {
      over.abort();
    }
  }

  return [
    route({
      method: 'GET',
      path: PATH,
      id: 'listEvents',
      tag: 'Events',
      summary: 'Follow what happens',
      description:
        'All that happens to the namespace’s mailboxes and what they receive, in order, for 30 days unless the operator says otherwise; with a key that is bound to a mailbox, of that mailbox. A page, oldest first, after `after` or `cursor`, else from the oldest on. Its `next_cursor` is always there: ask with it again to hear what happened since. With `Accept: text/event-stream` a stream of server-sent events: from now on, or after `Last-Event-ID` or `after`; each with its id, its type as `event`, and the event as one line of JSON. The stream ends when the service restarts or the key stops working: connect again with the last id, and nothing is missed or told twice. A message that is answered as it arrives has its end only; one that waits has `message.received` first. `data` shows how things stand when they are told, and what is deleted is told no more.',
      access: 'messages:read',
      query: Type.Object({ ...pageQuery, after: After }, { additionalProperties: false }),
      headers: { 'Last-Event-ID': 'Of a stream: the id of the last event that was received; those after it follow.' },
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
        const { namespace_id, mailbox_id } = caller.key;
        const of = { namespace_id, ...(mailbox_id === null ? {} : { mailbox_id }) };
        const after = readAfter(query);
        if (wantsStream(headers.accept)) {
          const last = headers['last-event-id'];
          const from = last === undefined || last === '' ? after : placeOf(String(last), '/Last-Event-ID');
          const left = gone();
          streams.open(caller, left);
          return { status: 200, headers: { ...SSE_HEADERS, vary: 'accept' }, body: stream(caller, of, from, left) };
        }
        const { size } = readPage(query.limit === undefined ? {} : { limit: query.limit });
        const page = await store.events.page(of, after, size);
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
  throw invalid(pointer, 'This is no id of an event (evt_…). Take it as it came, or leave it out.');
}
