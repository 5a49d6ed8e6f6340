import type { TSchema } from 'typebox';
import type { Planning } from '../delivery/effect-limits.ts';
import type { OneTimeSecret } from '../delivery/one-time-secrets.ts';
import type { Effect } from '../entities/effect.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Channel, Decider, Message, Sender } from '../entities/message.ts';
import type { Owner } from '../entities/note.ts';
import type { Clock, Millis } from '../values/clock.ts';
import type { FieldError } from '../values/error.ts';
import type { Json, JsonText } from '../values/json.ts';
import type { Notes, Schedules } from './store.ts';

/** What a behavior is handed of a message. */
export interface Incoming {
  readonly id: string;
  readonly thread_id: string;
  readonly in_reply_to: string | null;
  /** The failed message that this one is sent again for. */
  readonly retry_of: string | null;
  readonly subject: string | null;
  readonly body: string;
  readonly data: Json;
  /** What stood behind `+` in the address it was sent to. */
  readonly tag: string | null;
  readonly created_at: Millis;
  /** By which way it came in. */
  readonly channel: Channel;
  /** How many messages caused it, one by the other. */
  readonly hops: number;
}

/** What had been done of a message that goes no further: told to its sender, and written. */
export interface Done {
  readonly body: string;
  readonly data: Json | JsonText;
  readonly effects?: readonly Effect[];
}

/** How handling a message ended. What it returns is committed in one transaction, `effects` included. */
export type Outcome =
  | {
      readonly kind: 'reply';
      readonly body: string;
      readonly data?: Json | JsonText;
      readonly effects?: readonly Effect[];
      /**
       * A secret: told to the sender once, in the same exchange or when it first reads the message until `until`. `body` and
       * `data` are the note that is stored and shown in its place.
       */
      readonly sealed?: OneTimeSecret & { readonly until: Millis };
    }
  /** Asks back: `body` is the question, a new message in the thread goes on. */
  | { readonly kind: 'input_required'; readonly body: string; readonly data?: Json }
  /** The sender's doing (`rejected`), or ours (`failed`); `detail` is shown to the sender. */
  | { readonly kind: 'reject' | 'fail'; readonly detail: string }
  /** It failed on the way. */
  | ({ readonly kind: 'fail'; readonly detail: string } & Done)
  /**
   * An owner is to decide on `plan`: after a yes it is handled again, with the plan as `approved`. `by`: whose; the
   * mailbox's own when it is left out, else that of the mailbox the message was sent as. `done`: what a no leaves, when
   * something had been done by then; it is kept with the checkpoint, which is an object.
   */
  | {
      readonly kind: 'approval';
      readonly plan: Json;
      readonly checkpoint?: Json;
      readonly by?: Decider;
      readonly done?: Done;
    }
  /** Not now: it is handled again after `after_ms`, and failed with `detail`, and what is `done`, when that was tried too often. */
  | { readonly kind: 'retry'; readonly after_ms: Millis; readonly detail: string; readonly done?: Done };

/** A message that a behavior writes, as its mailbox. */
export interface Ask {
  /** A full address. */
  readonly to: string;
  readonly body: string;
  readonly subject?: string | null;
  readonly data?: Json;
  /** How long to wait for the answer. */
  readonly ms: Millis;
}

/** What of the service a behavior can reach beyond its message. Whoever only previews it reaches nothing. */
export interface Services {
  /** What an earlier run of this message kept with `save`, or with an approval. */
  checkpoint(): Promise<Json | undefined>;
  /** The plan that the owner who was asked said yes to, exactly as it was asked. */
  approved(): Promise<Json | undefined>;
  /** Makes the message durable if it is not yet, and `state` with it; a later run gets it as `checkpoint`. */
  save(state: Json): Promise<void>;
  /**
   * Whether this message is the first to take `what`, a name within its mailbox: of many at once one is, and stays it when it
   * is handled again. Makes the message durable first.
   */
  first(what: string): Promise<boolean>;
  /** The thread's messages before this one, oldest first: the last 20. */
  thread(): Promise<readonly Message[]>;
  /** Whose notes and schedules they are: the sender's, in this mailbox. Undefined when the sender was deleted. */
  readonly owner: Owner | undefined;
  readonly notes: Notes;
  readonly schedules: Schedules;
  /** What the sender may plan still. */
  planning(): Promise<Planning>;
  /**
   * Writes to another mailbox, as this one, and waits for the answer: `step` makes a run after a crash attach to it
   * instead of writing twice. Makes the message durable first. AppError as of `post.send`, and `rate_limited`.
   */
  ask(step: string, ask: Ask): Promise<Message>;
}

/** All that a behavior may touch. Everything outward is handed in. */
export interface Context<S> {
  readonly mailbox: Mailbox;
  readonly settings: S;
  readonly sender: Sender;
  /**
   * Whose turn it takes where callers take turns: the namespace that answers for who wrote, or a guest's network; of a message
   * that another one caused, that one's.
   */
  readonly caller?: string;
  readonly clock: Clock;
  /**
   * Aborts when the message is canceled, runs out of time, or the process stops. Of one that is out of time (`lateText`) a
   * behavior may still tell what it had done, if it does so at once.
   */
  readonly signal: AbortSignal;
  /** Says in up to 200 characters what it is doing, for whoever waits; as often as it likes. */
  report(text: string): void;
  /** Shows whoever watches here the whole of what is written of the reply so far; kept nowhere, the outcome alone counts. */
  stream(text: string): void;
  /** Whether it was handled before: by a process that ended, or until its owner decided. Only then is anything kept. */
  readonly again: boolean;
  readonly services: Services;
}

/** What it does, for people who choose one: a message and an answer as they really are. */
export interface Example {
  readonly body: string;
  readonly reply: string;
  /** The answer's structured part, where it has one. */
  readonly data?: Json;
}

/** What a step would do, for people who are to allow it. */
export interface StepWords {
  /** As "Remind you on Friday at 9:00"; what is behind it is `text`. */
  readonly does: string;
  /** What is sent, kept, said or run, whole and as it is. */
  readonly text?: string;
}

/** Something a behavior can be told to do, as it is shown. */
export interface TaskView {
  readonly name: string;
  readonly description: string;
  /** `none`: follows from its input, the clock and chance. `reads`: looks outside. `writes`: changes something. */
  readonly effects: 'none' | 'reads' | 'writes';
  /** JSON Schemas. */
  readonly input_schema: TSchema;
  readonly output_schema: TSchema;
  /** Messages to try. */
  readonly examples: readonly string[];
  /** What it would do with an input, in a zone where the input names none; undefined when its name and input say it. */
  readonly says?: ((input: Json, time_zone: string) => StepWords | undefined) | undefined;
}

/** An automated agent's manner of answering. One object, in the literal list of `behaviors/index.ts`. */
export interface Behavior<S = unknown> {
  /** Its name on the wire, by custom the local part of its first mailbox. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What it can be told to do, for those that run tasks. */
  readonly tasks?: readonly TaskView[];
  /** JSON Schema of its settings: validates them, and is shown as `settings_schema`. */
  readonly settings: TSchema;
  readonly example: Example;
  /** What is wrong with settings that fit the schema: each with its pointer into them. */
  settingsErrors?(settings: S): readonly FieldError[];
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
