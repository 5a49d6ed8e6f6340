import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim, Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { rfc3339, SECOND } from '../values/clock.ts';
import { MAX_REPLY } from './reply-limit.ts';

/** Maximum characters of a report. */
const MAX_TEXT = 200;
/** Reports that are kept of a message: the latest. */
const MAX_REPORTS = 20;
/** A report within this time of the one before replaces it. */
const MERGE_MS: Millis = 100;
/** The first report is written after this time, when the message is durable or settled; later ones once a second. */
const FIRST_MS: Millis = 150;
const WRITE_MS: Millis = SECOND;

interface Run {
  readonly message: Message;
  readonly reports: { readonly text: string; readonly at: Millis }[];
  timer: NodeJS.Timeout | undefined;
  written: number;
  /** The reply as written so far. */
  draft: string | undefined;
}

/**
 * Reports of behaviors about the messages they work on. Watchers on this node get them at once; they are also written
 * with the message's claim, for other nodes and later requests.
 */
export class Progress {
  readonly #store: Store;
  readonly #bus: EventBus;
  readonly #clock: Clock;
  readonly #runs = new Map<string, Run>();
  #claimOf: (id: string) => Claim | undefined = () => undefined;

  constructor(parts: { readonly store: Store; readonly bus: EventBus; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#bus = parts.bus;
    this.#clock = parts.clock;
  }

  /** Sets how to find the claim under which a message is handled. */
  claimedBy(claimOf: (id: string) => Claim | undefined): void {
    this.#claimOf = claimOf;
  }

  add(message: Message, text: string): void {
    const run = this.#runOf(message);
    const said = tidy(text);
    const last = run.reports.at(-1);
    if (said === '' || last?.text === said) return;
    const at = this.#clock();
    if (last !== undefined && at - last.at < MERGE_MS) run.reports.pop();
    run.reports.push({ text: said, at });
    if (run.reports.length > MAX_REPORTS) run.reports.shift();
    this.#publish(run);
    this.#schedule(run, run.written === 0 ? FIRST_MS : WRITE_MS);
  }

  /** Shows the reply as written so far, to watchers on this node only. */
  stream(message: Message, text: string): void {
    const run = this.#runOf(message);
    run.draft = text.length > MAX_REPLY ? text.slice(0, MAX_REPLY) : text;
    this.#publish(run);
  }

  #runOf(message: Message): Run {
    let run = this.#runs.get(message.id);
    if (run === undefined) {
      run = { message, reports: [], timer: undefined, written: 0, draft: undefined };
      this.#runs.set(message.id, run);
    }
    return run;
  }

  #publish(run: Run): void {
    const { message, draft } = run;
    if (!this.#bus.watched(message.id)) return;
    this.#bus.publishProgress({ ...message, status: 'working', progress: written(run), draft });
  }

  /** The run has ended: its reports are dropped. */
  end(id: string): void {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    clearTimeout(run.timer);
    this.#runs.delete(id);
  }

  #schedule(run: Run, ms: Millis): void {
    run.timer ??= setTimeout(() => {
      run.timer = undefined;
      void this.#write(run);
    }, ms).unref();
  }

  async #write(run: Run): Promise<void> {
    const claim = this.#claimOf(run.message.id);
    run.written++;
    // The message is not durable so far, or is a preview's.
    if (claim === undefined) return this.#schedule(run, WRITE_MS);
    try {
      await this.#store.jobs.report(claim, written(run));
    } catch {
      // The next report or the settlement replaces this one, so neither waits for it.
    }
  }
}

/** The reports as JSON text. */
const written = ({ reports }: Run): string =>
  JSON.stringify(reports.map(({ text, at }) => ({ text, at: rfc3339(at) })));

/** A single line of well-formed text that every store can hold. */
const tidy = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
