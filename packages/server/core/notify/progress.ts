import { MAX_REPLY } from '@mailroom/behavior/reply-limit';
import { type Clock, type Millis, rfc3339, SECOND } from '@mailroom/behavior/values/clock';
import type { Message } from '../entities/message.ts';
import { storedReports } from '../entities/own-progress.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { EventBus } from './event-bus.ts';

/** Maximum characters of a report. */
const MAX_TEXT = 200;
/** Reports that are kept of a message: the latest. */
const MAX_REPORTS = 20;
/** A report within this time of the one before replaces it. */
const MERGE_MS: Millis = 100;
/** The first report is written after this time, when the message is durable or settled; later ones once a second. */
const FIRST_MS: Millis = 150;
const WRITE_MS: Millis = SECOND;

interface ProgressParts {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
}

/**
 * Reports of behaviors about the messages they work on. Watchers on this node get them at once; they are also written
 * with the message's claim, for other nodes and later requests.
 */
export class Progress {
  readonly #parts: ProgressParts;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
  }

  /** The reports of one run; `claimed` is its claim, undefined while the message is not durable. */
  of(message: Message, claimed: () => Claim | undefined): RunProgress {
    return new RunProgress(this.#parts, message, claimed);
  }
}

/** The reports of one run. */
export class RunProgress {
  readonly #parts: ProgressParts;
  readonly #message: Message;
  readonly #claimed: () => Claim | undefined;
  readonly #reports: { readonly text: string; readonly at: Millis }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written = 0;
  /** The reply as written so far. */
  #draft: string | undefined;
  /** Whether the mailbox may hold what leaves it, so that its readers alone see them. */
  #own = false;
  #over = false;

  constructor(parts: ProgressParts, message: Message, claimed: () => Claim | undefined) {
    this.#parts = parts;
    this.#message = message;
    this.#claimed = claimed;
  }

  /** Reports what the run is doing; `own`: to readers of the mailbox alone. */
  add(text: string, own: boolean): void {
    if (this.#over) return;
    this.#own ||= own;
    const report = tidy(text);
    const last = this.#reports.at(-1);
    if (report === '' || last?.text === report) return;
    const at = this.#parts.clock();
    if (last !== undefined && at - last.at < MERGE_MS) this.#reports.pop();
    this.#reports.push({ text: report, at });
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift();
    this.#publish();
    this.#schedule(this.#written === 0 ? FIRST_MS : WRITE_MS);
  }

  /** Shows the reply as written so far, to watchers on this node only; `own` as of `add`. */
  stream(text: string, own: boolean): void {
    if (this.#over) return;
    this.#own ||= own;
    this.#draft = text.length > MAX_REPLY ? text.slice(0, MAX_REPLY) : text;
    this.#publish();
  }

  /** The run has ended: its reports are dropped. */
  end(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #publish(): void {
    const message = this.#message;
    const { bus } = this.#parts;
    if (!bus.watched(message.id)) return;
    const reports = reportsText(this.#reports);
    if (this.#own) bus.publishOwn({ ...message, status: 'working', own_progress: reports, own_draft: this.#draft });
    else bus.publishProgress({ ...message, status: 'working', progress: reports, draft: this.#draft });
  }

  #schedule(ms: Millis): void {
    if (this.#over) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#write();
    }, ms).unref();
  }

  async #write(): Promise<void> {
    const claim = this.#claimed();
    this.#written++;
    // The message is not durable so far.
    if (claim === undefined) return this.#schedule(WRITE_MS);
    try {
      await this.#parts.store.handlings.report(claim, storedReports(reportsText(this.#reports), this.#own));
    } catch {
      // The next report or the settlement replaces this one, so neither waits for it.
    }
  }
}

/** The reports as JSON text. */
const reportsText = (reports: readonly { readonly text: string; readonly at: Millis }[]): string =>
  JSON.stringify(reports.map(({ text, at }) => ({ text, at: rfc3339(at) })));

/** Progress reports with one more, as JSON text; the latest are kept. */
export function withReport(reports: string | null, text: string, now: Millis): string {
  const before = reports === null ? [] : (JSON.parse(reports) as { readonly text: string; readonly at: string }[]);
  return JSON.stringify([...before, { text: tidy(text), at: rfc3339(now) }].slice(-MAX_REPORTS));
}

/** A single line of well-formed text that every store can hold. */
const tidy = (text: string): string =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
