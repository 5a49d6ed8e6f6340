import type { Behavior, Context, Incoming, Outcome } from './behavior.ts';
import type { Clock, Millis } from './clock.ts';
import { SECOND } from './clock.ts';
import type { Mailbox } from './mailbox.ts';
import type { Message, Sender } from './message.ts';
import type { Progress } from './progress.ts';
import type { Settlement } from './store.ts';

/** How often a message is handled before it fails for good. */
export const ATTEMPTS_MOST = 5;

/** What is told to the log when a behavior breaks; the sender gets a sentence without its inside. */
export type OnError = (message: Message, error: unknown) => void;

/** Not settled: to be tried again. */
export type Retry = Extract<Outcome, { kind: 'retry' }>;

const BROKEN: Retry = { kind: 'retry', after_ms: SECOND, detail: 'The mailbox broke while it handled this message.' };
const ENDED: Retry = { kind: 'retry', after_ms: SECOND, detail: 'The handling of this message was ended.' };

/** What a behavior is handed; what few look at is made when they do. */
class Handling implements Context<unknown> {
  readonly mailbox: Mailbox;
  readonly settings: unknown;
  readonly clock: Clock;
  readonly #message: Message;
  readonly #makeSignal: () => AbortSignal;
  readonly #progress: Progress | undefined;
  #reported = false;
  #over = false;
  #signal: AbortSignal | undefined;

  constructor(
    message: Message,
    mailbox: Mailbox,
    clock: Clock,
    makeSignal: () => AbortSignal,
    progress: Progress | undefined,
  ) {
    this.mailbox = mailbox;
    this.settings = mailbox.settings;
    this.clock = clock;
    this.#message = message;
    this.#makeSignal = makeSignal;
    this.#progress = progress;
  }

  get sender(): Sender {
    const { sender_kind: kind, sender_id: id, sender_namespace_id: namespace_id, key_id, from } = this.#message;
    return { kind, id, namespace_id, key_id, from };
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  report(text: string): void {
    if (this.#over) return;
    this.#reported = true;
    this.#progress?.add(this.#message, text);
  }

  /** The run came to its outcome. */
  end(): void {
    this.#over = true;
    if (this.#reported) this.#progress?.end(this.#message.id);
  }

  /** Whether it was told to end, and had looked. */
  get told(): boolean {
    return this.#signal?.aborted === true;
  }
}

/** How a behavior is called and what becomes of its outcome. */
export class Runner {
  readonly #behaviors: ReadonlyMap<string, Behavior>;
  readonly #clock: Clock;
  readonly #onError: OnError;
  /** Where what they report goes; nowhere when it is left out. */
  readonly progress: Progress | undefined;

  constructor(behaviors: readonly Behavior[], clock: Clock, onError: OnError, progress?: Progress) {
    this.#behaviors = new Map(behaviors.map((behavior) => [behavior.name, behavior]));
    this.#clock = clock;
    this.#onError = onError;
    this.progress = progress;
  }

  has(behavior: string): boolean {
    return this.#behaviors.has(behavior);
  }

  /**
   * Handles a message. Never throws: what a behavior throws becomes a `retry`. A plain outcome if it needed no wait.
   * `signal` is asked for only when the behavior looks at it: most answer at once and need no timer.
   */
  handle(message: Message, mailbox: Mailbox, signal: () => AbortSignal): Outcome | Promise<Outcome> {
    const behavior = this.#behaviors.get(mailbox.behavior);
    if (behavior === undefined) {
      return { kind: 'reject', detail: `This build does not have the behavior "${mailbox.behavior}".` };
    }
    const context = new Handling(message, mailbox, this.#clock, signal, this.progress);
    // What ends because it was told to is not broken.
    const broke = (error: unknown): Outcome => {
      context.end();
      return context.told ? ENDED : this.#broke(message, error);
    };
    const came = (outcome: Outcome): Outcome => {
      context.end();
      return outcome;
    };
    try {
      const outcome = behavior.handle(incoming(message), context);
      return outcome instanceof Promise ? outcome.then(came, broke) : came(outcome);
    } catch (error) {
      return broke(error);
    }
  }

  /** The settlement an outcome means, or when to try again; an outcome that cannot be written is a break as well. */
  settlement(outcome: Outcome, message: Message, mailbox: Mailbox): Settlement | Retry {
    const settled_at = this.#clock();
    const nothing = { error_code: null, error_message: null, reply_body: null, reply_data: null, settled_at };
    switch (outcome.kind) {
      case 'reply':
      case 'input_required':
        try {
          return {
            ...nothing,
            status: outcome.kind === 'reply' ? 'completed' : 'input_required',
            reply_body: outcome.body,
            reply_data: outcome.data === undefined ? null : JSON.stringify(outcome.data),
          };
        } catch (error) {
          return this.#broke(message, error);
        }
      case 'reject': {
        const error_code = this.has(mailbox.behavior) ? 'rejected' : 'behavior_unavailable';
        return { ...nothing, status: 'rejected', error_code, error_message: outcome.detail };
      }
      case 'fail':
        return { ...nothing, status: 'failed', error_code: 'behavior_failed', error_message: outcome.detail };
      case 'retry':
        return outcome;
    }
  }

  #broke(message: Message, error: unknown): Retry {
    this.#onError(message, error);
    return BROKEN;
  }
}

function incoming(message: Message): Incoming {
  const plus = message.to.indexOf('+');
  return {
    id: message.id,
    thread_id: message.thread_id,
    in_reply_to: message.in_reply_to,
    subject: message.subject,
    body: message.body,
    data: message.data === null ? null : JSON.parse(message.data),
    tag: plus < 0 ? null : message.to.slice(plus + 1, message.to.indexOf('@')),
    created_at: message.created_at,
  };
}

/** When to try again: what was asked for, doubled twice with each attempt, with up to a quarter of jitter. */
export function backoff(after_ms: Millis, attempt: number, random: () => number = Math.random): Millis {
  // No number at all is no time either, and a job without a time would be held for ever.
  const wanted = after_ms > 0 ? after_ms : 0;
  return Math.round(Math.min(wanted * 4 ** (attempt - 1), 15 * 60 * SECOND) * (1 + random() / 4));
}
