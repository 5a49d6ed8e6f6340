import type { TSchema } from 'typebox';
import type { Effect } from './effect.ts';
import type { Looks } from './looks.ts';
import type { BehaviorMailbox } from './mailbox.ts';
import type { AttachedFile, Channel, Decider, Sender, ThreadMessage } from './message.ts';
import type { NoteReader, Owner } from './note.ts';
import type { OutsideAsked, OutsideView } from './outside.ts';
import type { Planning, ScheduleReader } from './schedule.ts';
import type { Clock, Millis } from './values/clock.ts';
import type { FieldError } from './values/error.ts';
import type { Json, JsonText } from './values/json.ts';

/** A message as a behavior receives it. */
export interface Incoming {
  readonly id: string;
  readonly thread_id: string;
  readonly in_reply_to: string | null;
  /** The failed message that this one repeats. */
  readonly retry_of: string | null;
  readonly subject: string | null;
  readonly body: string;
  readonly data: Json;
  /** The part after `+` in the address it was sent to. */
  readonly tag: string | null;
  readonly created_at: Millis;
  /** The transport it arrived by. */
  readonly channel: Channel;
  /** The length of the chain of messages that caused it. */
  readonly hops: number;
  /** Whether it waited for an answer from outside until its deadline. */
  readonly timed_out?: boolean;
}

/** The files of a message. A preview has none. */
export interface AttachedFiles {
  readonly list: readonly AttachedFile[];
  /**
   * The bytes of a file of the message, or of an earlier message in its thread, chunk by chunk. AppError `not_found` when
   * there is no such file, or it was deleted.
   */
  open(id: string): AsyncIterable<Uint8Array>;
}

/** A file that a behavior returns with its reply. */
export interface ReplyFile {
  /** A new id (`att_…`), for a reply whose data names it. */
  readonly id?: string;
  readonly filename: string;
  readonly content_type: string;
  readonly content: Uint8Array;
}

/** What had been done of a message that failed on the way; stored and shown to its sender. */
export interface Done {
  readonly body: string;
  readonly data: Json | JsonText;
  readonly effects?: readonly Effect[];
}

/** A secret for one reader, with a note stored in its place. */
export interface OneTimeSecret {
  readonly body: string;
  readonly data?: Json;
}

/** The result of handling a message. It is committed in one transaction, `effects` included. */
export type Outcome =
  | {
      readonly kind: 'reply';
      readonly body: string;
      readonly data?: Json | JsonText;
      readonly effects?: readonly Effect[];
      /** Stored before the reply; when there is no room for them, the message fails with `storage_full`. */
      readonly attachments?: readonly ReplyFile[];
      /**
       * A secret that the sender sees once: in the same exchange, or when it first reads the message before `until`.
       * `body` and `data` are the note that is stored and shown in its place.
       */
      readonly sealed?: OneTimeSecret & { readonly until: Millis };
    }
  /** A question in `body`; the sender continues with a new message in the thread. */
  | { readonly kind: 'input_required'; readonly body: string; readonly data?: Json }
  /** `reject`: caused by the sender; `fail`: caused by the service. `detail` is shown to the sender. */
  | { readonly kind: 'reject' | 'fail'; readonly detail: string; readonly code?: 'answer_timeout' | 'budget_exceeded' }
  /** Suspended until it is answered from outside; at the deadline it is handled again, as `timed_out`. */
  | { readonly kind: 'wait'; readonly for: 'answer'; readonly deadline: Millis }
  /** It failed after some of it had been done. */
  | ({ readonly kind: 'fail'; readonly detail: string; readonly code?: 'budget_exceeded' } & Done)
  /**
   * Suspended until an owner decides on `plan`; after approval the message is handled again, with the plan as `approved`
   * and `state` as `checkpoint`. `by` says whose owner: the recipient mailbox's by default, or that of the mailbox the
   * message was sent as. `done` is what had been done before, which a refusal shows; it is kept with `state`, which is an
   * object.
   */
  | {
      readonly kind: 'wait';
      readonly for: 'approval';
      readonly plan: Json;
      readonly state?: Json;
      readonly by?: Decider;
      readonly done?: Done;
    }
  /** Handled again after `after_ms`; fails with `detail`, and what is `done`, after too many attempts. */
  | { readonly kind: 'retry'; readonly after_ms: Millis; readonly detail: string; readonly done?: Done };

/** A message that a behavior sends from its mailbox. */
export interface Ask {
  /** Full addresses: one, or several that each get a copy of the one message. */
  readonly to: string | readonly string[];
  /** Those that get a copy to read. */
  readonly cc?: readonly string[];
  readonly body: string;
  readonly subject?: string | null;
  readonly data?: Json;
  /** How long to wait for the answer. */
  readonly ms: Millis;
}

/** What a behavior may use of the service beyond its message. A preview has no access to any of it. */
export interface Services {
  /** What an earlier run of this message stored with `save`, or with an approval. */
  checkpoint(): Promise<Json | undefined>;
  /** The plan that the asked owner approved, exactly as it was shown. */
  approved(): Promise<Json | undefined>;
  /** Makes the message durable if it is not yet, with `state`, which a later run gets as `checkpoint`. */
  save(state: Json): Promise<void>;
  /**
   * Whether this message is the first in its mailbox to take the name `what`: of concurrent messages one is, and it stays
   * so when it is handled again. Makes the message durable first.
   */
  first(what: string): Promise<boolean>;
  /** The last 20 messages of the thread before this one, oldest first. */
  thread(): Promise<readonly ThreadMessage[]>;
  /** The owner of the notes and schedules: the sender, in this mailbox. Undefined when the sender was deleted. */
  readonly owner: Owner | undefined;
  readonly notes: NoteReader;
  readonly schedules: ScheduleReader;
  /** What else the sender may schedule. */
  planning(): Promise<Planning>;
  /**
   * Sends a message to another mailbox, from this one, and waits for the answer. After a crash, the same `step` attaches
   * to the message sent before instead of sending a second one. Makes the message durable first. Of one to several the
   * answers are in `copies`. AppError as of `Submitter.send`, for all where one recipient refuses it, and `rate_limited`.
   */
  ask(step: string, ask: Ask): Promise<ThreadMessage>;
  /** Throws what `ask` to this address would throw now, without sending anything. */
  checkRecipient(address: string): Promise<void>;
}

/** Everything a behavior may use; it has no other access to the outside. */
export interface Context<S> {
  readonly mailbox: BehaviorMailbox;
  readonly settings: S;
  readonly sender: Sender;
  /**
   * The caller it counts for where callers take turns: the sender's namespace, a guest's network, or the caller of the
   * message that caused it.
   */
  readonly caller?: string;
  readonly clock: Clock;
  readonly attachments: AttachedFiles;
  /**
   * Aborts when the message is canceled, runs out of time, or the process stops. After a time limit (`lateText`) a
   * behavior may still report what it had done, if it does so at once.
   */
  readonly signal: AbortSignal;
  /** Reports in up to 200 characters what it is doing, for waiting clients; may be called as often as needed. */
  report(text: string): void;
  /** Shows watchers on this node the whole reply as written so far; it is not stored, only the outcome counts. */
  stream(text: string): void;
  /** Whether an earlier run, before a crash or a decision, handled it. Only then can anything be stored of it. */
  readonly again: boolean;
  readonly services: Services;
}

/** An example for people who choose a behavior: a real message and its real answer. */
export interface Example {
  readonly body: string;
  readonly reply: string;
  /** The structured part of the answer, where it has one. */
  readonly data?: Json;
}

/** What a step would do, for the people who approve it. */
export interface StepWords {
  /** Such as "Remind you on Friday at 9:00"; further content is in `text`. */
  readonly does: string;
  /** The complete text that is sent, kept, said or run. */
  readonly text?: string;
}

/** A task that a behavior can run, as it is shown. */
export interface TaskView {
  readonly name: string;
  readonly description: string;
  /**
   * `none`: the result follows from its input, the clock and chance. `reads`: reads from outside. `writes`: changes
   * something.
   */
  readonly effects: 'none' | 'reads' | 'writes';
  /** JSON Schemas. */
  readonly input_schema: TSchema;
  readonly output_schema: TSchema;
  /** Messages to try. */
  readonly examples: readonly string[];
  /**
   * What it would do with an input, in `time_zone` where the input names none; undefined when its name and input say
   * enough.
   */
  readonly says?: ((input: Json, time_zone: string) => StepWords | undefined) | undefined;
}

/** What of a mailbox's settings takes more than the right to change them. */
export interface Sensitive {
  /** `messages:read` for what has messages leave; `owner` for what lets others act for the namespace. */
  readonly scope: 'messages:read' | 'owner';
  /** The name of the setting. */
  readonly what: string;
  /** While it is the same, other settings may change. */
  readonly part: Json;
}

/** The most messages that a mailbox can be set to take on one UTC day. */
export const MAX_PER_DAY = 100_000;

/**
 * How a mailbox answers. A package or a folder that `BEHAVIORS` names has as its default export a function that makes one
 * of its `Host`.
 */
export interface Behavior<S = unknown> {
  /** Its name on the wire, by custom the local part of its first mailbox. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** How its addresses look on pages; without it they have its title and description, and a plain stamp. */
  readonly looks?: Looks;
  /** Its addresses make their namespace an OpenID provider, on whose pages people sign in. */
  readonly issuer?: true;
  /** The tasks it can run, for behaviors that run tasks. */
  readonly tasks?: readonly TaskView[];
  /** JSON Schema of its settings: validates them, and is shown as `settings_schema`. */
  readonly settings: TSchema;
  /** It asks the language model of its host, so that its mailboxes may have a budget of tokens. */
  readonly asksModel?: true;
  /** Left out where no answer is known before it is given. */
  readonly example?: Example;
  /**
   * Set where handling a message costs less than looking up whether it was sent before, and changes nothing: then a
   * repeated message is handled again, and recognized when it is to be written; and a message waits for no slot.
   */
  readonly immediate?: true;
  /** For a behavior whose messages are answered from outside: they are not run, but wait. */
  readonly answered?: {
    /** When a message that arrives now has waited too long. */
    by(settings: S, now: Millis): Millis;
    /** Whether it is online without a connected program and without a webhook. */
    alwaysOnline(settings: S): boolean;
    /** How many messages it takes on one UTC day; undefined for no limit of its own. */
    maxPerDay?(settings: S): number | undefined;
    /** The URL to which messages are pushed. */
    webhook(settings: S): string | undefined;
  };
  /** What is wrong with settings that match the schema, each with a pointer into them. */
  settingsErrors?(settings: S): readonly FieldError[];
  /** As `settingsErrors`, for what has to be looked up on the network. */
  targetErrors?(settings: S): Promise<readonly FieldError[]>;
  /** What of these settings has messages leave, or others act; undefined for nothing. */
  sensitive?(settings: S): Sensitive | undefined;
  /** Valid settings as they are stored, with their secrets sealed. AppError `validation_error`. */
  stored?(settings: S, mailbox: Pick<BehaviorMailbox, 'namespace_id'>): S;
  /** The servers and agents of others that its settings list, with their tools, for the owner. */
  outside?(
    settings: S,
    mailbox: Pick<BehaviorMailbox, 'namespace_id'>,
    asked: OutsideAsked,
  ): Promise<readonly OutsideView[]>;
  /**
   * Answers a message, at once if it can, so that the exchange is one write. An exception counts as a failure of the
   * service and is retried. It may run more than once for a message; only one outcome is ever stored.
   */
  handle(message: Incoming, context: Context<S>): Outcome | Promise<Outcome>;
  /** Called when a message is about to be written, so that slow preparations may begin. */
  prepare?(): void;
  /** Frees its threads and connections when the service stops. */
  close?(): Promise<void>;
}
