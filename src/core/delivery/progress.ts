import type { Message } from '../entities/message.ts';
import type { EventBus } from '../notify/event-bus.ts';
import type { Claim, Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { rfc3339, SECOND } from '../values/clock.ts';
import { MAX_REPLY } from './reply-limit.ts';

/** Characters of a report, */
const MAX_TEXT = 200;
/** reports that are kept of a message, the latest, */
const MAX_REPORTS = 20;
/** and the time in which a report takes the place of the one before. */
const MERGE_MS: Millis = 100;
/** The first is written after so long, by when the message is durable or settled; then one a second. */
const FIRST_MS: Millis = 150;
const WRITE_MS: Millis = SECOND;

interface Run {
  readonly message: Message;
  readonly reports: { readonly text: string; readonly at: Millis }[];
  timer: NodeJS.Timeout | undefined;
  written: number;
  /** What is written of the reply. */
  draft: string | undefined;
}

/**
 * What behaviors report of messages they work on: who watches here is told at once, and it is written with the message's
 * claim for the other nodes and for who asks later. Nothing is kept of a run that reports nothing.
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

  /** Who knows under which claim a message is worked on. */
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

  /** What is written of the reply so far: for who watches here, and for nobody else. */
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

  /** The run is over: what it reported is of no use any more. */
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
    // Not durable yet, or of no stored message at all.
    if (claim === undefined) return this.#schedule(run, WRITE_MS);
    try {
      await this.#store.jobs.report(claim, written(run));
    } catch {
      // The next report comes, or the settlement: neither waits for this one.
    }
  }
}

/** As it is shown. */
const written = ({ reports }: Run): string =>
  JSON.stringify(reports.map(({ text, at }) => ({ text, at: rfc3339(at) })));

/** One line that every store can hold. */
const tidy = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
