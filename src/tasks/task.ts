import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { StepWords, TaskView } from '../core/ports/behavior.ts';
import type { Clock, Millis } from '../core/values/clock.ts';
import type { Json } from '../core/values/json.ts';
import type { Clause, Reading } from './clause.ts';

/**
 * What a task does to the world. `none`: its answer follows from its input, the clock and chance. `reads`: it looks at
 * something outside of the message. `writes`: it changes something. Guests get those of `none` alone.
 */
export const EFFECTS = ['none', 'reads', 'writes'] as const;
export type Effects = (typeof EFFECTS)[number];

/** What one step may use; each is a setting of the service. */
export interface Limits {
  readonly ms: Millis;
  /** Of its output as JSON. */
  readonly output_bytes: number;
  /** Of a script. */
  readonly memory_bytes: number;
}

/** A page or an API's answer. */
export interface Fetched {
  /** Where it was found after all redirects. */
  readonly url: string;
  readonly status: number;
  /** Without parameters, in lower case; '' when it did not say. */
  readonly media_type: string;
  /** Decoded by the charset it named, UTF-8 by default. */
  readonly text: string;
  /** There was more than may be read. */
  readonly cut: boolean;
}

/** A note as it is kept: `name` in lower case with single spaces. */
export interface NoteView {
  readonly name: string;
  readonly text: string;
  readonly updated_at: Millis;
}

/** The notes of this sender in this mailbox; a change is seen by later steps at once and kept when the message ends. */
export interface Notebook {
  get(name: string): Promise<NoteView | undefined>;
  /** Those with `query` in name or text, in any case; all when it is ''. By name, up to 100. */
  find(query: string): Promise<readonly NoteView[]>;
  /** Throws TaskError when there are too many or it is too long. */
  put(name: string, text: string): Promise<void>;
  /** False when there was none. */
  remove(name: string): Promise<boolean>;
}

export interface ScheduleView {
  readonly id: string;
  readonly name: string;
  /** The instructions that run. */
  readonly instructions: string;
  /** A cron expression of five fields; null: once. */
  readonly rule: string | null;
  readonly time_zone: string;
  readonly next_at: Millis;
}

/** What this sender has planned in this mailbox; a change is seen at once and kept when the message ends. */
export interface Agenda {
  list(): Promise<readonly ScheduleView[]>;
  /** Throws TaskError when there are too many. `data`: structured instructions that run in place of the text. */
  add(wanted: Omit<ScheduleView, 'id'> & { readonly data?: Json }): Promise<ScheduleView>;
  /** False when there is none of this id. */
  remove(id: string): Promise<boolean>;
}

/** What came of a message to another mailbox. */
export interface Answer {
  readonly message_id: string;
  readonly from: string;
  /** A settled status; or `submitted` or `working` when no answer came in time. */
  readonly status: string;
  readonly body: string | null;
  readonly data: Json;
  readonly error: string | null;
}

/** What a task may touch. Everything outward is handed in; a task of effects `none` uses nothing below `limits`. */
export interface TaskContext {
  readonly clock: Clock;
  /** IANA name, for what names no zone. */
  readonly time_zone: string;
  /** Aborts when the step's time is over or the message is canceled. */
  readonly signal: AbortSignal;
  readonly limits: Limits;
  readonly notes: Notebook;
  readonly agenda: Agenda;
  /** The step waits for a thread, until what is returned is called: waiting takes none of its time. */
  pause?(): () => void;
  /** Whose message it is, as `Context` has it. */
  readonly caller?: string;
  /** GET of a public http(s) address, guarded. Throws TaskError with a sentence for people. */
  fetch(url: string, accept: string): Promise<Fetched>;
  /** Writes to another mailbox here and waits for its answer; a step that is repeated asks once. Throws TaskError. */
  ask(to: string, body: string, subject: string | null): Promise<Answer>;
}

/** A step failed by its input or by what it met; the message is for people: what is wrong, and how to mend it. */
export class TaskError extends Error {
  override readonly name = 'TaskError';
}

/**
 * Something the endpoint can do. Its input and output are JSON objects by their schemas; what "it" means for the next
 * step is the output's property `result`, so every output has one.
 */
export interface Task<I extends TSchema = TSchema, O extends TSchema = TSchema> {
  /** Its name in `steps` and for the model. */
  readonly name: string;
  /** One or two sentences: for people who choose, and for the model. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly effects: Effects;
  /** Whether a step that may have happened can simply be done again; so can what is kept only when the message ends. */
  readonly repeatable: boolean;
  /** Instructions as people write them; each is understood by `read`. */
  readonly examples: readonly string[];
  /** Whether it reads what has no word of its own (`isSum`): who does not is not asked about it. */
  readonly sums?: true;
  /** What of this task an instruction means, if anything. Quick (some µs for what it does not know) and never throws. */
  read(clause: Clause): Reading | undefined;
  /** At once if it can. Throws TaskError. */
  run(input: Static<I>, context: TaskContext): Static<O> | Promise<Static<O>>;
  /** Of a task with threads of its own: whether it does this input without them, on the thread it is called on. */
  readonly inline?: (input: Static<I>) => boolean;
  /** What it would delete for good, by name: its sender is asked first. Throws TaskError as `run` does; changes nothing. */
  loses?(input: Static<I>, context: TaskContext): Promise<readonly string[]>;
  /** What it would do with an input, for who is to allow it: of what has effects. Its strings may hold references to steps. */
  says?(input: Static<I>, time_zone: string): StepWords;
  /** The output for people, as Markdown. */
  show(output: Static<O>, input: Static<I>): string;
  /** Somebody is about to write: what takes long to load may begin. */
  prepare?(): void;
  close?(): Promise<void>;
}

/** A task with its input and output typed by its schemas, as one of the list. */
export const task = <I extends TSchema, O extends TSchema>(made: Task<I, O>): Task => made as unknown as Task;

/** As it is listed. */
export const taskView = ({ name, description, effects, input, output, examples, says }: Task): TaskView => ({
  name,
  description,
  effects,
  input_schema: input,
  output_schema: output,
  examples,
  says: says && ((given, time_zone) => stepWords({ says, input }, given, time_zone)),
});

/** What a step would do with an input that nobody has checked; undefined where the task has no words for it. */
export function stepWords(
  { says, input: schema }: Pick<Task, 'says' | 'input'>,
  input: Json,
  time_zone: string,
): StepWords | undefined {
  if (says === undefined || !Check(schema, input)) return undefined;
  const { does, text } = says(input, time_zone);
  return { does: referring(does), ...(text !== undefined && { text: referring(text) }) };
}

/** With "[the result of step 2]" in place of a reference. */
const referring = (text: string): string =>
  text.replace(
    /(\\?)\{\{\s*(\d{1,4})((?:\.[A-Za-z0-9_]{1,64})*)\s*\}\}/g,
    (whole, escaped: string, n: string, path: string) =>
      escaped === ''
        ? `[${path === '' ? 'the result' : path.slice(1)} of ${n === '0' ? 'the last answer' : `step ${n}`}]`
        : whole.slice(1),
  );
