import { SECOND } from '../../../core/clock.ts';
import { AppError } from '../../../core/error.ts';
import type { StoredEvent } from '../../../core/event.ts';
import { isId } from '../../../core/ids.ts';
import type { Mailbox } from '../../../core/mailbox.ts';
import type { Call, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT, sseEvent } from '../../../http/sse.ts';
import { orEvery } from '../../../http/ticks.ts';
import { PAGE_HEADERS } from '../headers.ts';
import { hidden } from '../routes.ts';
import { figures } from './charts.ts';
import type { Context } from './context.ts';
import { type Signed, signedIn } from './door.ts';
import { type Filter, filterOf, fits } from './filter.ts';
import { row } from './rows.ts';
import { Senders } from './senders.ts';
import { addressList } from './shell.ts';

/** How often it is looked whether the session is still good, and the figures are drawn anew at most. */
const SURE_MS = 4 * SECOND;
const FIGURES_MS = 3 * SECOND;
const TICK_MS = SECOND;
/** Streams that one session may have open on a node. */
const STREAMS_MOST = 20;

/**
 * What happens to the inbox as it happens: `row` for each message that changed, `figures` when the numbers did, `out` when
 * the session ended. Goes on after `Last-Event-ID`, or after the place in `?after=` for a script that counts the wait down.
 */
export function liveRoute(context: Context): Route {
  const { parts } = context;
  const { clock, cookie, sessions, stop } = parts;
  const open = new Map<string, number>();

  function enter(hash: string): void {
    const before = open.get(hash) ?? 0;
    if (before >= STREAMS_MOST) {
      throw new AppError('rate_limited', 'Too many pages of this console are open. Close one.', {
        retry_after_ms: 10 * SECOND,
      });
    }
    open.set(hash, before + 1);
  }
  function leave(hash: string): void {
    const left = (open.get(hash) ?? 1) - 1;
    if (left > 0) open.set(hash, left);
    else open.delete(hash);
  }

  async function* stream(id: string, signed: Signed, filter: Filter, after: string | null, gone: AbortSignal) {
    const { hash, namespace } = signed.session;
    enter(hash);
    const over = new AbortController();
    try {
      const place = after ?? (await parts.feed.now(namespace.id));
      yield `id: ${place}\n\n`;
      const signal = AbortSignal.any([gone, stop.begun, over.signal]);
      const senders = new Senders(parts.store, namespace.id);
      let [said, sure, drawn, changed] = [clock(), clock(), 0, false];
      const of = { namespace_id: namespace.id };
      for await (const events of orEvery(parts.feed.follow(of, place, signal), Math.min(TICK_MS, parts.heartbeat_ms))) {
        const now = clock();
        if (now - sure >= SURE_MS || now < sure) {
          if (!(await good(id))) {
            yield sseEvent({ event: 'out', data: '{}' });
            return;
          }
          sure = now;
        }
        let text = events === undefined ? '' : await told(events, filter, senders);
        changed ||= events !== undefined;
        if (changed && (now - drawn >= FIGURES_MS || now < drawn)) {
          text += await numbers(signed, filter);
          [drawn, changed] = [now, false];
        }
        if (text === '' && now - said >= parts.heartbeat_ms) text = SSE_HEARTBEAT;
        if (text === '') continue;
        said = now;
        yield text;
      }
    } finally {
      over.abort();
      leave(hash);
    }
  }

  async function good(id: string): Promise<boolean> {
    try {
      return (await sessions.find(id)) !== undefined;
    } catch (error) {
      // While the store is away nothing happens that it could be told of.
      if (error instanceof AppError && error.code === 'unavailable') return true;
      throw error;
    }
  }

  /** A message that changed twice is told once, as it stands now. */
  async function told(events: readonly StoredEvent[], filter: Filter, senders: Senders): Promise<string> {
    const last = new Map<string, StoredEvent>();
    for (const event of events) {
      const key = 'message' in event ? event.message.id : event.id;
      last.delete(key);
      last.set(key, event);
    }
    let text = '';
    for (const event of last.values()) {
      const mailbox = await parts.directory.mailboxById(event.mailbox_id);
      if (mailbox === undefined || !('message' in event)) text += `id: ${event.id}\n\n`;
      else text += await changedRow(event, mailbox, filter, senders);
    }
    return text;
  }

  async function changedRow(
    event: StoredEvent & { message: unknown },
    mailbox: Mailbox,
    filter: Filter,
    senders: Senders,
  ) {
    const { message } = event as Extract<StoredEvent, { message: unknown }>;
    const sender = await senders.of(message);
    const shown = row(message, { root: '', filter, sender, mailbox, open: false, now: clock() });
    const { id, thread_id } = message;
    const data = { id, thread: thread_id, fits: fits(message, mailbox, filter), html: shown.text };
    return sseEvent({ id: event.id, event: 'row', data: JSON.stringify(data) });
  }

  async function numbers(signed: Signed, filter: Filter): Promise<string> {
    const side = await context.side(signed);
    const mailbox = side.mailboxes.find(({ local_part }) => local_part === filter.mailbox);
    const statistic = await context.statistics.of(signed.session.namespace.id, filter.span, mailbox?.id);
    const data = {
      strip: figures(statistic, filter.span).text,
      nav: addressList(side, '', filter.mailbox).text,
      failed: statistic.total.failed,
    };
    return sseEvent({ event: 'figures', data: JSON.stringify(data) });
  }

  return route({
    ...hidden('GET', '/console/live'),
    async handle(call) {
      const { cookie: header, 'last-event-id': last } = call.headers;
      const signed = await signedIn(call, parts);
      const id = cookie.read(header === undefined ? undefined : String(header), call.secure);
      const headers = { ...PAGE_HEADERS, ...SSE_HEADERS };
      if (signed === undefined || id === undefined) {
        return { status: 200, headers, body: sseEvent({ event: 'out', data: '{}' }) };
      }
      const { query } = call as Pick<Call, 'query'>;
      const after = [last, query.after].map(String).find((one) => isId('evt', one)) ?? null;
      return { status: 200, headers, body: stream(id, signed, filterOf(query), after, call.gone()) };
    },
  });
}
