import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import type { Directory } from '../../../core/access/directory.ts';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import type { Session } from '../../../core/access/sessions.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import type { StoredEvent } from '../../../core/entities/event.ts';
import { boundTo, type Key, reaches } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Review } from '../../../core/entities/review.ts';
import { UNTOUCHED } from '../../../core/entities/standing.ts';
import type { EventFeed } from '../../../core/notify/event-feed.ts';
import type { Writers, Writing } from '../../../core/notify/writers.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { CallItems } from '../../../core/reports/call-items.ts';
import type { Finding } from '../../../core/reports/finding.ts';
import type { StopSignals } from '../../../http/connections/drain.ts';
import { html } from '../../../http/html.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Call, Route } from '../../../http/route.ts';
import { SSE_HEADERS, SSE_HEARTBEAT } from '../../../http/sse.ts';
import { orEvery } from '../../../http/ticks.ts';
import { PAGE_HEADERS } from '../headers.ts';
import { fullOf } from '../pieces.ts';
import type { Context } from './context.ts';
import { figuresOf } from './failures.ts';
import { type Filter, filterOf, fits, isOfConversations, search } from './filter.ts';
import { hitsIn } from './hits.ts';
import { drawn, ListRows } from './list-rows.ts';
import { hiddenSince, LiveCalls } from './live-calls.ts';
import { liveEvent, OUT } from './live-events.ts';
import { seenOf, seenText } from './meanwhile.ts';
import { Senders } from './senders.ts';
import { Shared } from './shared.ts';
import { addressList, type Side, unreadCount, waitingTexts } from './shell.ts';
import { type Signed, signedIn } from './sign-in-form.ts';

/** What a page of what waits needs to know that it shows something else by now. */
const noticeOf = ({ id, status }: Review) => ({ id, status });

/** How often the session is checked, in milliseconds. */
const SURE_MS = 4 * SECOND;
/** The figures are drawn at most this often, in milliseconds. */
const FIGURES_MS = 3 * SECOND;
const TICK_MS = SECOND;
/** Streams that a session may have open on a node. */
const MAX_SESSION = 10;
/** Streams that all sessions of a namespace may have open on a node. */
const MAX_NAMESPACE = 20;
/** How long figures are shared between the streams that show the same, in milliseconds. */
const FIGURES_LIFE_MS = SECOND;
/** How long a row is shared between the streams that show it, in milliseconds. */
const ROW_LIFE_MS = 5 * SECOND;

interface LiveParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly labels: MessageLabels;
  readonly conversationDesk: Pick<ConversationDesk, 'members'>;
  readonly feed: EventFeed;
  readonly finding: Pick<Finding, 'spans'>;
  readonly writers: Writers;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** The longest silence of a stream. */
  readonly heartbeat_ms: Millis;
  readonly stop: Pick<StopSignals, 'begun'>;
  readonly callItems: Pick<CallItems, 'of'>;
}

/** What sessions share that see the same: all of a namespace, or some mailboxes, by a role. */
const viewOf = (key: Key): string => [...key.scopes, ...(boundTo(key) ?? [])].join(' ');

/**
 * The live stream of the console: `row` for each message that changed, `review` for each message that waits to leave and was
 * changed or decided on, `writing` when others
 * write an answer or stop, `figures` when the numbers changed, `call` when something begins to wait while the tab is
 * hidden since the time in `?hidden=`, `time` first for who asks with `?time` what time it is, `out` when the session
 * ended. Continues after `Last-Event-ID`, or after the position in `?after=` for a script that reconnects by
 * itself.
 */
export function liveRoute(context: Context, parts: LiveParts): Route {
  const { clock, stop } = parts;
  const { sessions, cookie } = context;
  const open = new Map<string, number>();
  const rows = new ListRows(parts);
  const sides = new Shared<Side>(FIGURES_LIFE_MS);
  const drawings = new Shared<{ readonly text: string; readonly begun: number }>(FIGURES_LIFE_MS);
  const drawnRows = new Shared<string>(ROW_LIFE_MS);
  const liveCalls = new LiveCalls(parts);

  function enter({ hash, namespace }: Session): void {
    const full = (open.get(hash) ?? 0) >= MAX_SESSION || (open.get(namespace.id) ?? 0) >= MAX_NAMESPACE;
    if (full) {
      throw new AppError('rate_limited', 'Too many pages of this console are open. Close one of them.', {
        retry_after_ms: 10 * SECOND,
      });
    }
    for (const one of [hash, namespace.id]) open.set(one, (open.get(one) ?? 0) + 1);
  }
  function leave({ hash, namespace }: Session): void {
    for (const id of [hash, namespace.id]) {
      const left = (open.get(id) ?? 1) - 1;
      if (left > 0) open.set(id, left);
      else open.delete(id);
    }
  }

  async function* stream(
    id: string,
    signed: Signed,
    filter: Filter,
    {
      after,
      query,
      gone,
    }: { readonly after: string | null; readonly query: Call['query']; readonly gone: AbortSignal },
  ) {
    const { namespace } = signed.session;
    enter(signed.session);
    const over = new AbortController();
    const writing = new Map<string, Writing>();
    const unsubscribe = parts.writers.subscribe((one) => void writing.set(one.message.id, one));
    try {
      const place = after ?? (await parts.feed.now(namespace.id));
      yield `id: ${place}\n\n`;
      if (query.time !== undefined) yield liveEvent(signed.session.key, 'time', String(clock()));
      const signal = AbortSignal.any([gone, stop.begun, over.signal]);
      const senders = new Senders(parts, namespace.id);
      const hidden_at = hiddenSince(query.hidden, clock());
      const callsOf = liveCalls.of(signed.session.key, senders, hidden_at);
      // When the last change arrived that was not looked at for calls yet; what came before the stream is one.
      let uncalled: number | undefined = performance.now();
      let [heardAt, sure, drawn] = [clock(), clock(), 0];
      // When the last change arrived that the figures do not contain yet.
      let changed: number | undefined;
      let drawnText = '';
      const { key } = signed.session;
      const scope = { namespace_id: namespace.id, mailbox_ids: boundTo(key) ?? undefined };
      const tick = Math.min(TICK_MS, parts.heartbeat_ms);
      for await (const events of orEvery(parts.feed.subscribe(scope, place, signal), tick)) {
        const now = clock();
        context.isOpen(signed, hidden_at === undefined);
        // The key is checked before every event, since access ends with it; the session check costs more and is rarer.
        if (!(await parts.directory.works(signed.session.key))) {
          yield OUT;
          return;
        }
        if (now - sure >= SURE_MS || now < sure) {
          if (!(await good(id))) {
            yield OUT;
            return;
          }
          sure = now;
        }
        let text = events === undefined ? '' : await rowsOf(events, filter, senders, signed);
        if (events !== undefined) changed = uncalled = performance.now();
        if (uncalled !== undefined) {
          const calls = await callsOf();
          text += calls.text;
          if (calls.begun >= uncalled) uncalled = undefined;
        }
        if (changed !== undefined && (now - drawn >= FIGURES_MS || now < drawn)) {
          const figures = await numbers(signed, filter);
          if (figures.text !== drawnText) text += figures.text;
          [drawn, drawnText] = [now, figures.text];
          if (figures.begun >= changed) changed = undefined;
        }
        for (const [thread, { message, writers }] of writing) {
          writing.delete(thread);
          const mailbox = await parts.directory.mailboxById(message.mailbox_id);
          if (mailbox?.namespace_id !== namespace.id || !reaches(key, mailbox.id)) continue;
          const others = writers.filter(({ id: by }) => !signed.session.hash.startsWith(by));
          const names = others.map(({ owner_name }) => owner_name);
          text += liveEvent(key, 'writing', { id: thread, names, seen: seenText(seenOf(message)) });
        }
        // Waiting for the next tick would exceed the interval.
        if (text === '' && now - heardAt > parts.heartbeat_ms - tick) text = SSE_HEARTBEAT;
        if (text === '') continue;
        heardAt = now;
        yield text;
      }
    } finally {
      unsubscribe();
      over.abort();
      leave(signed.session);
    }
  }

  async function good(id: string): Promise<boolean> {
    try {
      return (await sessions.find(id)) !== undefined;
    } catch (error) {
      // Nothing can change while the store is unavailable.
      if (error instanceof AppError && error.code === 'unavailable') return true;
      throw error;
    }
  }

  /** A message that changed twice is sent once, in its current state. */
  async function rowsOf(
    events: readonly StoredEvent[],
    filter: Filter,
    senders: Senders,
    signed: Signed,
  ): Promise<string> {
    const last = new Map<string, StoredEvent>();
    for (const event of events) {
      const key = 'message' in event ? event.message.id : event.id;
      last.delete(key);
      last.set(key, event);
    }
    let text = '';
    for (const event of last.values()) {
      const mailbox = await parts.directory.mailboxById(event.mailbox_id);
      if ('review' in event) text += liveEvent(signed.session.key, 'review', noticeOf(event.review), event.id);
      else if (mailbox === undefined || !('message' in event || 'standing' in event)) text += `id: ${event.id}\n\n`;
      else {
        const { key: shownBy } = signed.session;
        const key = `${event.id} ${shownBy.account_id} ${viewOf(shownBy)} ${search(filter)}`;
        text += (await drawnRows.get(key, () => changedRow(event, mailbox, filter, senders, signed))).value;
      }
    }
    return text;
  }

  /** The newest message of a conversation that changed in a mailbox. */
  async function newestIn(event: StoredEvent): Promise<Message | undefined> {
    if (!('standing' in event)) return undefined;
    const { thread_id, mailbox_id } = event.standing;
    const ends = await parts.store.messages.endsOf([thread_id]);
    const those = ends.filter((one) => one.mailbox_id === mailbox_id || one.sender_id === mailbox_id);
    return those.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  }

  async function changedRow(event: StoredEvent, mailbox: Mailbox, filter: Filter, senders: Senders, signed: Signed) {
    const { namespace } = signed.session;
    const changed = 'message' in event ? event.message : await newestIn(event);
    if (changed === undefined) return `id: ${event.id}\n\n`;
    const message = await rows.headOf(changed, filter);
    const labeled = filter.mailbox === undefined ? undefined : await context.mailbox(signed, filter.mailbox);
    const mailboxesOf = (messages: readonly Message[]) => context.byId(messages.map(({ mailbox_id }) => mailbox_id));
    const spans = filter.query === undefined ? undefined : parts.finding.spans(filter.query);
    const hitsOf = spans && ((one: Message) => hitsIn(one, spans));
    const [shownRow] = await rows.of([message], { filter, mailbox: labeled, senders, signed, hitsOf, mailboxesOf });
    const labels = shownRow?.options.labels ?? [];
    const standing = shownRow?.options.standing ?? UNTOUCHED;
    const me = signed.session.key.account_id;
    const labeling = { labels, standing, me, namespaceId: namespace.id, mailDomain: parts.mailDomain };
    const data = {
      id: message.id,
      thread: message.thread_id,
      in: message.mailbox_id,
      fits:
        fits(message, mailbox, filter, labeling) &&
        !(isOfConversations(filter) && (await rows.isCall(message, namespace.id))),
      html: shownRow === undefined ? '' : drawn(shownRow),
    };
    return liveEvent(signed.session.key, 'row', data, event.id);
  }

  /** Figures that contain everything before `begun`. */
  async function numbers(signed: Signed, filter: Filter): Promise<{ readonly text: string; readonly begun: number }> {
    const { namespace, key: mine } = signed.session;
    const key = `${namespace.id} ${mine.account_id} ${viewOf(mine)} ${filter.span} ${filter.mailbox ?? ''}`;
    return (await drawings.get(key, () => draw(signed, filter))).value;
  }

  async function draw(signed: Signed, filter: Filter): Promise<{ readonly text: string; readonly begun: number }> {
    const { id } = signed.session.namespace;
    const now = performance.now();
    const { key: mine } = signed.session;
    const { value: shared, begun } = await sides.get(`${id} ${viewOf(mine)}`, () => context.side(signed));
    const side = { ...shared, me: mine.account_id };
    const mailbox = await context.mailbox(signed, filter.mailbox);
    const data = {
      nav: addressList(side, '', filter.mailbox).text,
      failed: (await figuresOf(signed, filter, mailbox && fullOf(mailbox, parts.mailDomain), parts.clock())).failed,
      waiting: waitingTexts(side),
      unread: html`${unreadCount(side)}`.text,
    };
    return { text: liveEvent(mine, 'figures', data), begun: Math.min(now, begun) };
  }

  return pageRoute('GET', '/console/live', {
    async handle(call) {
      const { cookie: header, 'last-event-id': last } = call.headers;
      const signed = await signedIn(call, context);
      const id = cookie.read(header === undefined ? undefined : String(header), call.secure);
      const headers = { ...PAGE_HEADERS, ...SSE_HEADERS };
      if (signed === undefined || id === undefined) {
        return { status: 200, headers, body: OUT };
      }
      const { query } = call as Pick<Call, 'query'>;
      const after = [last, query.after].map(String).find((one) => isId('evt', one)) ?? null;
      const position = { after, query, gone: call.gone() };
      return { status: 200, headers, body: stream(id, signed, filterOf(query), position) };
    },
  });
}
