import { type Clock, DAY, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import type { EventType } from '../entities/event.ts';
import type { Tally } from '../ports/events.ts';
import type { Store } from '../ports/store.ts';
import { Histogram } from '../values/histogram.ts';

/** The last 24 hours by the hour, or the last 30 days by the UTC day, including the current one. */
export type Span = '24h' | '30d';
const SPANS: Readonly<Record<Span, { readonly step: Millis; readonly count: number }>> = {
  '24h': { step: HOUR, count: 24 },
  '30d': { step: DAY, count: 30 },
};

/**
 * The results of messages. Times run from arrival to answer, for answered messages that did not wait for an owner's
 * approval.
 */
interface Figures {
  readonly arrived: number;
  readonly failed: number;
  /** Answered, including with a question. */
  readonly answered: number;
  readonly median_ms: number | null;
  readonly p95_ms: number | null;
}
interface Bucket extends Figures {
  readonly from: Millis;
  readonly to: Millis;
}
export interface Statistic {
  readonly buckets: readonly Bucket[];
  readonly total: Figures;
  /** Living mailboxes with events, the busiest first, up to 50; only the requested one when one was given. */
  readonly mailboxes: readonly (Figures & { readonly mailbox_id: string })[];
  /** How many messages arrived in each mailbox, without a limit on mailboxes. */
  readonly arrived: ReadonlyMap<string, number>;
  /** How often messages of a mailbox went in circles, of those where they did: at most once a minute each. */
  readonly loops: ReadonlyMap<string, number>;
}

/** Events counted at a time, which takes some milliseconds of the main thread. */
const BATCH = 1_000;
/** How far the order of commits and the order of times may differ. */
const SLACK_MS = HOUR;
/** Namespaces that are cached. */
const MAX_NAMESPACES = 64;
/** Maximum number of mailboxes with figures. */
const MAX_MAILBOXES = 50;
/** Cells summed at a time. */
const CELLS_BATCH = 2_000;

const LOOP: EventType = 'mailbox.loop_detected';

class Cell {
  arrived = 0;
  failed = 0;
  answered = 0;
  loops = 0;
  readonly times = new Histogram();

  add({ arrived, type, took_ms }: Tally): void {
    if (arrived) this.arrived++;
    if (type === LOOP) this.loops++;
    if (type === 'message.failed') this.failed++;
    const answered = type === 'message.completed' || type === 'message.input_required';
    if (answered) this.answered++;
    if (answered && took_ms !== null) this.times.add(took_ms);
  }

  addAll(other: Cell): void {
    this.arrived += other.arrived;
    this.failed += other.failed;
    this.answered += other.answered;
    this.times.addAll(other.times);
  }

  figures(): Figures {
    const { arrived, failed, answered, times } = this;
    return {
      arrived,
      failed,
      answered,
      median_ms: times.quantile(0.5),
      p95_ms: times.quantile(0.95),
    };
  }
}

/** What was counted of a namespace so far: every event between two cursors of its log, each once. */
interface Counted {
  last: string | null;
  /** By the beginning of the step, then by mailbox. */
  readonly cells: Map<Millis, Map<string, Cell>>;
  busy: Promise<unknown>;
}

/** Counts events. The log is read once, from its end back to the beginning of the span; later only new events are read. */
export class Statistics {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #counted = new Map<string, Counted>();

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The figures of a namespace, or of one of its mailboxes. Rejects when the store cannot be read. */
  async of(namespaceId: string, span: Span, mailboxIds?: readonly string[]): Promise<Statistic> {
    const { step, count } = SPANS[span];
    const counted = this.#remembered(`${namespaceId} ${span}`);
    // Concurrent requests share one count.
    const work = counted.busy.then(() => this.#count(counted, namespaceId, span));
    counted.busy = work.catch(() => {});
    const begin = await work;
    const living = await this.#living(namespaceId, mailboxIds);
    const total = new Cell();
    const arrived = new Map<string, number>();
    const loops = new Map<string, number>();
    const buckets: Bucket[] = [];
    let summed = 0;
    for (let nth = 0; nth < count; nth++) {
      const from = begin + nth * step;
      const sum = new Cell();
      for (const [id, cell] of counted.cells.get(from) ?? []) {
        if (!living.has(id)) continue;
        sum.addAll(cell);
        arrived.set(id, (arrived.get(id) ?? 0) + cell.arrived);
        if (cell.loops > 0) loops.set(id, (loops.get(id) ?? 0) + cell.loops);
        if (++summed % CELLS_BATCH === 0) await yieldToEventLoop();
      }
      total.addAll(sum);
      buckets.push({ from, to: from + step, ...sum.figures() });
    }
    const busiest = [...arrived].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
    const mailboxes = busiest.slice(0, MAX_MAILBOXES).map(([mailbox_id]) => {
      const sum = new Cell();
      for (let nth = 0; nth < count; nth++) {
        const cell = counted.cells.get(begin + nth * step)?.get(mailbox_id);
        if (cell !== undefined) sum.addAll(cell);
      }
      return { mailbox_id, ...sum.figures() };
    });
    return { buckets, total: total.figures(), mailboxes, arrived, loops };
  }

  /** Counts what is missing of the span; returns when the span begins. */
  async #count(counted: Counted, namespaceId: string, span: Span): Promise<Millis> {
    const { step, count } = SPANS[span];
    const now = this.#clock();
    const begin = Math.floor(now / step) * step - (count - 1) * step;
    for (const from of counted.cells.keys()) if (from < begin) counted.cells.delete(from);
    if (counted.last === null) await this.#back(counted, namespaceId, step, begin);
    else await this.#forth(counted, namespaceId, step, begin, counted.last);
    return begin;
  }

  /** Counts from the end of the log back to the beginning of the span. */
  async #back(counted: Counted, namespaceId: string, step: Millis, begin: Millis): Promise<void> {
    // A count that was interrupted starts from the beginning.
    counted.cells.clear();
    let last: string | null = null;
    for (let cursor: string | null = null; ; ) {
      const page = await this.#store.events.tally(namespaceId, { before: cursor }, BATCH);
      add(counted, page.items, step, begin);
      last ??= page.last;
      cursor = page.first;
      if (!page.more || (page.items.at(-1)?.at ?? 0) < begin - SLACK_MS) break;
      await yieldToEventLoop();
    }
    counted.last = last;
  }

  /** Counts the events since the last count. */
  async #forth(counted: Counted, namespaceId: string, step: Millis, begin: Millis, last: string): Promise<void> {
    for (let after = last; ; ) {
      const page = await this.#store.events.tally(namespaceId, { after }, BATCH);
      add(counted, page.items, step, begin);
      after = page.last ?? after;
      counted.last = after;
      if (!page.more) return;
      await yieldToEventLoop();
    }
  }

  async #living(namespaceId: string, mailboxIds: readonly string[] | undefined): Promise<ReadonlySet<string>> {
    const ids = await this.#store.mailboxes.ids(namespaceId);
    return new Set(mailboxIds === undefined ? ids : ids.filter((id) => mailboxIds.includes(id)));
  }

  #remembered(key: string): Counted {
    const counted = this.#counted.get(key) ?? { last: null, cells: new Map(), busy: Promise.resolve() };
    this.#counted.delete(key);
    this.#counted.set(key, counted);
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > MAX_NAMESPACES && oldest !== undefined) this.#counted.delete(oldest);
    return counted;
  }
}

function add({ cells }: Counted, items: readonly Tally[], step: Millis, begin: Millis): void {
  for (const item of items) {
    const from = Math.floor(item.at / step) * step;
    if (from < begin || !(item.type.startsWith('message.') || item.type === LOOP)) continue;
    let then = cells.get(from);
    if (then === undefined) {
      then = new Map();
      cells.set(from, then);
    }
    let cell = then.get(item.mailbox_id);
    if (cell === undefined) {
      cell = new Cell();
      then.set(item.mailbox_id, cell);
    }
    cell.add(item);
  }
}
