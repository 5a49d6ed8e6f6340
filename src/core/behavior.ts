import type { TSchema } from 'typebox';
import type { Clock, Millis } from './clock.ts';
import type { Json } from './json.ts';
import type { Mailbox } from './mailbox.ts';
import type { Sender } from './message.ts';

/** What a behavior is handed of a message. */
export interface Incoming {
  readonly id: string;
  readonly thread_id: string;
  readonly in_reply_to: string | null;
  readonly subject: string | null;
  readonly body: string;
  readonly data: Json;
  /** What stood behind `+` in the address it was sent to. */
  readonly tag: string | null;
  readonly created_at: Millis;
}

/** How handling a message ended. What it returns is committed in one transaction. */
export type Outcome =
  | { readonly kind: 'reply'; readonly body: string; readonly data?: Json }
  /** Asks back: `body` is the question, a new message in the thread goes on. */
  | { readonly kind: 'input_required'; readonly body: string; readonly data?: Json }
  /** The sender's doing (`rejected`), or ours (`failed`); `detail` is shown to the sender. */
  | { readonly kind: 'reject' | 'fail'; readonly detail: string }
  /** Not now: it is handled again after `after_ms`, and failed with `detail` when that was tried too often. */
  | { readonly kind: 'retry'; readonly after_ms: Millis; readonly detail: string };

/** All that a behavior may touch. Everything outward is handed in. */
export interface Context<S> {
  readonly mailbox: Mailbox;
  readonly settings: S;
  readonly sender: Sender;
  readonly clock: Clock;
  /** Aborts when the message is canceled, runs out of time, or the process stops. */
  readonly signal: AbortSignal;
  /** Says in up to 200 characters what it is doing, for whoever waits; as often as it likes. */
  report(text: string): void;
}

/** What it does, for people who choose one: a message and an answer as they really are. */
export interface Example {
  readonly body: string;
  readonly reply: string;
  /** The answer's structured part, where it has one. */
  readonly data?: Json;
}

/** An automated agent's manner of answering. One object, in the literal list of `behaviors/index.ts`. */
export interface Behavior<S = unknown> {
  /** Its name on the wire, by custom the local part of its first mailbox. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of its settings: validates them, and is shown as `settings_schema`. */
  readonly settings: TSchema;
  readonly example: Example;
  /**
   * Answers a message; at once if it can, so that the exchange is one write. What it throws counts as a failure of ours
   * and is tried again. It may run more than once for a message; only one outcome is ever kept.
   */
  handle(message: Incoming, context: Context<S>): Outcome | Promise<Outcome>;
  /** Someone is about to write: what takes long to get ready may begin now. */
  prepare?(): void;
  /** Frees what it holds (threads, connections) when the service stops. */
  close?(): Promise<void>;
}
