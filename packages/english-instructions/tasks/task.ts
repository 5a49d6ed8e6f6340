import type { StepWords, TaskView } from '@mailroom/behavior';
import type { OutsideResult } from '@mailroom/behavior/outside';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import type { Clause, Reading } from './clause.ts';

/**
 * The effects of a task. `none`: its answer follows from its input, the clock and randomness. `reads`: it reads something
 * outside of the message. `writes`: it changes something. Guests get those of `none` only.
 */
export const EFFECTS = ['none', 'reads', 'writes'] as const;
export type Effects = (typeof EFFECTS)[number];

/** Limits of one step; each is a setting of the service. */
export interface Limits {
  readonly ms: Millis;
  /** Maximum bytes of its output as JSON. */
  readonly output_bytes: number;
  /** Maximum memory of a script. */
  readonly memory_bytes: number;
}

/** A fetched page or answer of an API. */
export interface Fetched {
  /** The URL after all redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; '' when missing. */
  readonly media_type: string;
  /** Decoded by the named charset, UTF-8 by default. */
  readonly text: string;
  /** Whether the text was cut at the size limit. */
  readonly cut: boolean;
}

/** A stored note: `name` in lower case with single spaces. */
export interface NoteView {
  readonly name: string;
  readonly text: string;
  readonly updated_at: Millis;
}

/** The notes of this sender in this mailbox; later steps see a change at once, and it is stored when the message ends. */
export interface Notebook {
  get(name: string): Promise<NoteView | undefined>;
  /** Notes with `query` in name or text, in any case; all for ''. By name, up to 100. */
  find(query: string): Promise<readonly NoteView[]>;
  /** Throws TaskError when there are too many notes or the text is too long. */
  put(name: string, text: string): Promise<void>;
  remove(name: string): Promise<boolean>;
}

export interface ScheduleView {
  readonly id: string;
  readonly name: string;
  /** The instructions that run. */
  readonly instructions: string;
  /** A cron expression of five fields, and behind it `every 2 weeks from DATE` or `until DATE`; null for a single time. */
  readonly rule: string | null;
  readonly time_zone: string;
  readonly next_at: Millis;
}

/** The schedules of this sender in this mailbox; a change is seen at once and stored when the message ends. */
export interface Agenda {
  list(): Promise<readonly ScheduleView[]>;
  /** Throws TaskError when there are too many. `data`: structured instructions that run instead of the text. */
  add(wanted: Omit<ScheduleView, 'id'> & { readonly data?: Json }): Promise<ScheduleView>;
  remove(id: string): Promise<boolean>;
}

/** What one of several mailboxes made of a message. */
export interface RecipientAnswer {
  readonly from: string;
  /** As of `Answer`. */
  readonly status: string;
  readonly body: string | null;
  readonly data: Json;
  readonly error: string | null;
}

/** The result of a message to another mailbox, or to several, of which `status` is of all and the rest of the first. */
export interface Answer {
  readonly message_id: string;
  readonly from: string;
  /** A final status; or `submitted` or `working` when no answer came in time. */
  readonly status: string;
  readonly body: string | null;
  readonly data: Json;
  readonly error: string | null;
  /** Of a message to several: those in To, in their order. */
  readonly answers?: readonly RecipientAnswer[];
}

/** What a step writes to other mailboxes, whose addresses are whole. */
export interface OwnMail {
  readonly to: string | readonly string[];
  readonly cc?: readonly string[];
  readonly body: string;
  readonly subject: string | null;
}

/** A tool of a server or agent of others. */
export interface OutsideToolOf {
  /** The name that the owner gave the server or agent. */
  readonly server: string;
  readonly kind: 'mcp' | 'a2a';
  readonly tool: string;
  /** Where calls go, without a query. */
  readonly url: string;
  /** The fingerprint of the tool and the URL. */
  readonly sha256: string;
  /** Whether each use needs the owner's approval. */
  readonly approval: boolean;
  /** Whether the owner waived approvals, also after a model has read text that is not the sender's. */
  readonly waived: boolean;
}

/** What a task may use. All access to the outside is passed in; a task of effects `none` uses nothing below `limits`. */
export interface TaskContext {
  readonly clock: Clock;
  /** IANA name, for times without a zone. */
  readonly time_zone: string;
  /** Aborts when the step's time is over or the message is canceled. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly notes: Notebook;
  readonly agenda: Agenda;
  /** Stops the step's clock while it waits for a thread, until the returned function is called. */
  pause?(): () => void;
  /** The party for fair sharing, as in `Context`. */
  readonly caller?: string;
  /** GET of a public http(s) URL through the network guard. Throws TaskError with a sentence for people. */
  fetch(url: string, accept: string): Promise<Fetched>;
  /**
   * Writes to another mailbox of this service, or one message to several, and waits for the answers of those in `to`; a
   * repeated step asks once. Throws TaskError.
   */
  ask(mail: OwnMail): Promise<Answer>;
  /**
   * Checks instructions that will run later: the rights of their sender, and the mailboxes they write to. Throws TaskError
   * when they can never work. Left out where nothing can be looked up.
   */
  checkLater?(instructions: string): Promise<void>;
  /** Calls a tool of others, where the owner lists any; a repeated step has the same id. Throws OutsideError. */
  outside?(tool: OutsideToolOf, input: JsonObject): Promise<OutsideResult>;
}

/** A step failed because of its input or a condition outside; the message tells people what is wrong and how to fix it. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
}

/** An input that holds the sender's own words, which arrive as they were written. */
export interface Words {
  readonly input: string;
  /** What may stand behind them on their line, such as the recipient; a courtesy behind a time need not be named. */
  readonly behind?: RegExp;
  /** Texts of the task itself, which stand in for words that are left out. */
  readonly own?: readonly string[];
}

/**
 * An operation of the service with a JSON object as input and output. Every output has a property `result`, which is what
 * "it" means for the next step.
 */
export interface Task<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** Its name in `steps` and for the model. */
  readonly name: string;
  /** One or two sentences for people and for the model. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly effects: Effects;
  /** Present for a tool of others. */
  readonly outside?: OutsideToolOf;
  /** Whether a step that may have happened can safely be repeated; changes stored only when the message ends can. */
  readonly repeatable: boolean;
  /** Instructions as people write them, all of which `read` understands. */
  readonly examples: readonly string[];
  /** Present for a task that sends or keeps what its sender wrote. */
  readonly words?: Words;
  /** Whether it reads text without a task's own words (`isSum`); other tasks are not tried on it. */
  readonly sums?: true;
  /** How this task understands an instruction. Takes some µs for unrelated text and never throws. */
  read(clause: Clause): Reading | undefined;
  /** Synchronous if possible. Throws TaskError. */
  run(input: Static<I>, context: TaskContext): Static<O> | Promise<Static<O>>;
  /** For a task with threads of its own: whether it runs this input without them, on the calling thread. */
  readonly inline?: (input: Static<I>) => boolean;
  /**
   * The names of what it would delete permanently, which its sender has to confirm. Throws TaskError as `run` does; changes
   * nothing.
   */
  loses?(input: Static<I>, context: TaskContext): Promise<readonly string[]>;
  /** What it would do with an input, for approval; for tasks with effects. Its strings may contain references to steps. */
  says?(input: Static<I>, time_zone: string): StepWords;
  /** The output for people, as Markdown. */
  show(output: Static<O>, input: Static<I>): string;
  /** Loads what takes long, because a message is about to arrive. */
  prepare?(): void;
  close?(): Promise<void>;
}

/** A task typed by its schemas, as an element of the list. */
export const task = <I extends TSchema, O extends TSchema>(made: Task<I, O>): Task => made as unknown as Task;

/** The public view of a task. */
export const taskView = ({ name, description, effects, input, output, examples, says }: Task): TaskView => ({
  name,
  description,
  effects,
  input_schema: input,
  output_schema: output,
  examples,
  says: says && ((given, time_zone) => stepWords({ says, input }, given, time_zone)),
});

/** What a step would do with an input that is not validated; undefined where the task has no words for it. */
export function stepWords(
  { says, input: schema }: Pick<Task, 'says' | 'input'>,
  input: Json,
  time_zone: string,
): StepWords | undefined {
  if (says === undefined || !Check(schema, input)) return undefined;
  const { does, text } = says(input, time_zone);
  return { does: referring(does), ...(text !== undefined && { text: referring(text) }) };
}

const referring = (text: string): string =>
  text.replace(
    /(\\?)\{\{\s*(\d{1,4})((?:\.[A-Za-z0-9_]{1,64})*)\s*\}\}/g,
    (whole, escaped: string, n: string, path: string) =>
      escaped === ''
        ? `[${path === '' ? 'the result' : path.slice(1)} of ${n === '0' ? 'the last answer' : `step ${n}`}]`
        : whole.slice(1),
  );
