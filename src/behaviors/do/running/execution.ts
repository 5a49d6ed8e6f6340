import type { Effect } from '../../../core/entities/effect.ts';
import type { Millis } from '../../../core/values/clock.ts';
import { rfc3339, SECOND } from '../../../core/values/clock.ts';
import { AppError } from '../../../core/values/error.ts';
import type { Json, JsonObject } from '../../../core/values/json.ts';
import { lateText } from '../../../core/values/time-limit.ts';
import { TimeSlice } from '../../../core/values/time-slice.ts';
import type { Task } from '../../../tasks/task.ts';
import { TaskError } from '../../../tasks/task.ts';
import type { Plan, Step } from '../plan/index.ts';
import { filled, references, UnresolvedError } from '../plan/references.ts';
import { errorOf, fits } from '../plan/validate.ts';
import type { ExecutionLimits, ExecutionParts } from './execution-parts.ts';
import type { StepReceipt, StepStatus } from './receipt.ts';
import { Staged } from './staged.ts';
import { StepContext } from './step-context.ts';

/** Where a run is, as it is kept between two processes. */
export type Checkpoint = {
  readonly plan: Json;
  readonly steps: readonly StepReceipt[];
  readonly effects: readonly Effect[];
  /** The number of a step whose effect may have happened. */
  readonly running: number | null;
  /** What `{{0}}` means, where a step uses it: the thread may come to something else meanwhile. */
  readonly before?: JsonObject;
  /** Of a run that a model leads: where it is. */
  readonly model?: Json;
};

/** Work that took so long is worth keeping. */
export const WORTH_KEEPING_MS: Millis = 200;
/** Runs the steps of a plan, one after the other, and writes down what happens. */
export class Execution {
  readonly steps: StepReceipt[];
  #staged: Staged;
  readonly #parts: ExecutionParts;
  readonly #outputs = new Map<number, JsonObject>();
  #total = 0;
  readonly #began = performance.now();
  readonly #turn = new TimeSlice();
  #kept = this.#began;

  constructor(parts: ExecutionParts, from?: Pick<Checkpoint, 'plan' | 'steps' | 'effects'>) {
    this.#parts = parts;
    this.steps = [...(from?.steps ?? [])];
    this.#staged = new Staged(parts.context.services, parts.context.clock, from?.effects);
    if (parts.before !== undefined) this.#outputs.set(0, parts.before);
    const planned = (from?.plan as Plan | undefined)?.steps ?? [];
    for (const [at, { step, status, input, output }] of this.steps.entries()) {
      if (status !== 'completed') continue;
      this.#outputs.set(step, output as JsonObject);
      const asPlanned = JSON.stringify(planned[at]?.input) === JSON.stringify(input);
      this.#total += sizeOf(output) + (asPlanned ? 0 : sizeOf(input));
    }
  }

  get limits(): ExecutionLimits {
    return this.#parts.limits;
  }

  /** What the completed steps leave to be written. */
  get staged(): Staged {
    return this.#staged;
  }

  /** Why it goes no further, if it does not. */
  get failed(): StepReceipt | undefined {
    return this.steps.find(({ status }) => status === 'failed' || status === 'unknown');
  }

  /** The steps of `plan` that are not done yet, in order, until one fails. At once if all of them are. */
  run(plan: Plan, running: number | null = null): void | Promise<void> {
    for (let at = this.steps.length; at < plan.steps.length && this.failed === undefined; at++) {
      const step = plan.steps[at] as Step;
      const done = this.#step(step, at + 1, plan, running);
      if (done instanceof Promise) return done.then(() => this.#after(plan, at + 1, this.#began));
      if (this.#turn.over && at + 1 < plan.steps.length) {
        this.#report((plan.steps[at + 1] as Step).task, at + 2, plan.steps.length);
        return this.#after(plan, at + 1, this.#kept);
      }
    }
    this.#skipRest(plan);
  }

  /** One more step whose input is meant as it stands; how it ended. What failed before does not hold it up. */
  async call(step: Step, running: number | null = null): Promise<StepReceipt> {
    const number = this.steps.length + 1;
    const plan: Plan = {
      planner: 'model',
      steps: [...this.steps.map(({ task, input }) => ({ task, input })), step] as Step[],
    };
    await this.#step(step, number, plan, running, true);
    return this.steps.at(-1) as StepReceipt;
  }

  /** The step that an earlier process was at cannot be made any more: it may have happened. */
  lost(step: Step): StepReceipt {
    this.#unknown(step, this.steps.length + 1);
    return this.steps.at(-1) as StepReceipt;
  }

  /** Goes on behind a wait, or a turn that is over. What took long since `since` is kept first. */
  async #after(plan: Plan, done: number, since: number): Promise<void> {
    if (done < plan.steps.length && this.failed === undefined) {
      if (performance.now() - since > WORTH_KEEPING_MS) await this.keep(plan, null);
      // Whoever canceled it is heard in between.
      if (this.#turn.over) await this.#turn.yieldToEventLoop();
      const late = this.#late();
      const next = plan.steps[done] as Step;
      if (late !== undefined) this.#fail(next, done + 1, this.#parts.tasks.get(next.task)?.effects ?? 'none', late);
    }
    await this.run(plan);
  }

  /** Why the message has no time left, when it has none: what was done is told. Ended otherwise nothing is, and it throws. */
  #late(): string | undefined {
    const { signal } = this.#parts.context;
    const late = lateText(signal);
    if (late === undefined) signal.throwIfAborted();
    return late;
  }

  #report(task: string, number: number, of: number): void {
    this.#parts.context.report(of === 1 ? `Running ${task}` : `Step ${number} of ${of}: ${task}`);
  }

  #skipRest({ steps }: Plan): void {
    for (let at = this.steps.length; at < steps.length; at++) {
      const { task, input } = steps[at] as Step;
      const effects = this.#parts.tasks.get(task)?.effects ?? 'none';
      const nothing = { output: null, started_at: null, duration_ms: null, error: null };
      this.steps.push({ step: at + 1, task, input, ...nothing, status: 'skipped', effects });
    }
  }

  /** One step; its place in the receipt is filled when it ends. */
  #step(step: Step, number: number, plan: Plan, running: number | null, literal = false): void | Promise<void> {
    const task = this.#parts.tasks.get(step.task);
    // Only what has effects is written down before it runs.
    const happened = running === number && (task === undefined || !task.repeatable);
    if (happened) return this.#unknown(step, number);
    if (task === undefined) return this.#fail(step, number, 'none', 'It may not be used here.');
    let input: JsonObject;
    try {
      input = literal
        ? step.input
        : filled(step.input, task.input, { outputs: this.#outputs }, this.#parts.limits.total_bytes);
    } catch (error) {
      if (error instanceof UnresolvedError) return this.#fail(step, number, task.effects, error.message);
      throw error;
    }
    if (!fits(task.input, input)) {
      // It did when it began.
      if (running === number) return this.#unknown(step, number);
      return this.#fail(step, number, task.effects, errorOf(task.input, input));
    }
    if (task.effects === 'writes') return this.#guarded(step, number, task, input, plan, literal);
    return this.#perform(step, number, task, input, literal ? 1 : plan.steps.length);
  }

  /** What may happen is written down before it does. */
  async #guarded(
    step: Step,
    number: number,
    task: Task,
    input: JsonObject,
    plan: Plan,
    literal: boolean,
  ): Promise<void> {
    await this.keep(plan, number);
    // Canceled while that was written: it is not begun.
    const late = this.#late();
    if (late !== undefined) return this.#fail(step, number, task.effects, late);
    await this.#perform(step, number, task, input, literal ? 1 : plan.steps.length);
  }

  #perform(step: Step, number: number, task: Task, input: JsonObject, of: number): void | Promise<void> {
    const at = this.#parts.context.clock();
    const began = performance.now();
    const stepContext = new StepContext(this.#parts, this.#staged, number);
    const end = (output: unknown): void => {
      if (this.#end(step, number, task, input, output as JsonObject, at, began)) this.#staged = stepContext.staged;
    };
    const broke = (error: unknown): void => {
      const late = this.#late();
      // An earlier run of it wrote something else to another mailbox.
      const paraphrases = error instanceof AppError && error.code === 'idempotency_mismatch';
      const why = late ?? whyOf(error, this.#parts.limits.ms);
      if (why === undefined) throw error;
      if (late !== undefined && stepContext.asked) this.#unknown(step, number, `${late} ${PERHAPS}`);
      else if (paraphrases) this.#unknown(step, number);
      else this.#push(step, number, task, input, null, { at, began }, 'failed', why);
    };
    try {
      const output = task.run(input, stepContext);
      if (!(output instanceof Promise)) return end(output);
      this.#report(task.name, number, of);
      return this.#timed(output, stepContext).then(end, broke);
    } catch (error) {
      broke(error);
    }
  }

  /** Ends what takes longer than a step may, whether it heeds its signal or not. */
  async #timed<T>(work: Promise<T>, stepContext: StepContext): Promise<T> {
    const { signal } = this.#parts.context;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (reason: unknown) => (): void => {
      // First: what is stopped may say otherwise why it ended.
      reject(reason);
      stepContext.stop.abort(reason);
    };
    const { ms } = this.#parts.limits;
    const late = end(new OutOfTime());
    const look = (): void => {
      const left = ms - stepContext.ran;
      if (left > 0) timer = setTimeout(look, Math.min(ms, Math.ceil(left)));
      else late();
    };
    let timer = setTimeout(look, ms);
    const canceled = (): void => end(signal.reason)();
    signal.addEventListener('abort', canceled, { once: true });
    if (signal.aborted) canceled();
    try {
      return await Promise.race([work, ended]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', canceled);
    }
  }

  /** Whether it is completed. */
  #end(
    step: Step,
    number: number,
    task: Task,
    input: JsonObject,
    output: JsonObject,
    at: Millis,
    began: number,
  ): boolean {
    const { output_bytes, total_bytes } = this.#parts.limits;
    const size = sizeOf(output);
    const total = this.#total + size + (step.input === input ? 0 : sizeOf(input));
    const tooLong =
      size > output_bytes
        ? `Its result has ${size} bytes as JSON; ${output_bytes} are allowed.`
        : total > total_bytes
          ? `The results together have more than ${total_bytes} bytes as JSON.`
          : null;
    if (tooLong !== null) {
      this.#push(step, number, task, input, null, { at, began }, 'failed', tooLong);
      return false;
    }
    this.#total = total;
    this.#outputs.set(number, output);
    this.#push(step, number, task, input, output, { at, began }, 'completed', null);
    return true;
  }

  #push(
    step: Step,
    number: number,
    task: Task,
    input: Json,
    output: Json,
    ran: { readonly at: Millis; readonly began: number } | null,
    status: StepStatus,
    error: string | null,
  ): void {
    this.steps.push({
      step: number,
      task: step.task,
      input,
      output,
      started_at: ran === null ? null : rfc3339(ran.at),
      duration_ms: ran === null ? null : Math.round((performance.now() - ran.began) * 1000) / 1000,
      status,
      effects: task.effects,
      error,
    });
  }

  /** It may have done what it does, and it cannot be done again. */
  #unknown({ task, input }: Step, number: number, error = UNKNOWN): void {
    const effects = this.#parts.tasks.get(task)?.effects ?? 'writes';
    const nothing = { output: null, started_at: null, duration_ms: null };
    this.steps.push({ step: number, task, input, ...nothing, status: 'unknown', effects, error });
  }

  #fail(step: Step, number: number, effects: Task['effects'], error: string): void {
    const nothing = { output: null, started_at: null, duration_ms: null };
    this.steps.push({ step: number, task: step.task, input: step.input, ...nothing, status: 'failed', effects, error });
  }

  /** Where it is, for a later process; `running`: the number of the step that begins now. */
  checkpoint(plan: Plan, running: number | null): Json {
    const { steps, staged } = this;
    const before = references(plan.steps.map(({ input }) => input)).includes(0) ? this.#parts.before : undefined;
    const model = this.#parts.kept?.();
    const checkpoint: Checkpoint = {
      plan: plan as unknown as Json,
      steps,
      effects: staged.effects,
      running,
      ...(before === undefined ? {} : { before }),
      ...(model === undefined ? {} : { model }),
    };
    return checkpoint as unknown as Json;
  }

  /** Writes it down. */
  async keep(plan: Plan, running: number | null): Promise<void> {
    this.#kept = performance.now();
    try {
      await this.#parts.context.services.save(this.checkpoint(plan, running));
    } catch (error) {
      // Out of time it is not gone on with: what it came to is all there will be.
      if (this.#late() === undefined) throw error;
    }
  }
}

const UNKNOWN =
  'The service stopped while this step ran: it may have happened, and it cannot safely be done again. Look, and send what is left anew.';

const PERHAPS = 'This step may have happened: look, and send what is left anew.';

class OutOfTime extends Error {}

/** What people are told of a step that broke; undefined when it is a fault of ours. */
function whyOf(error: unknown, ms: Millis): string | undefined {
  if (error instanceof OutOfTime) return `It took longer than ${ms / SECOND} s.`;
  if (error instanceof TaskError) return error.message;
  if (error instanceof AppError) return OURS.has(error.code) ? undefined : error.message;
  // Of the parts below the tasks: they say what went wrong in a sentence too.
  if (error instanceof Error && SAID.has(error.name)) return error.message;
  return undefined;
}
/** They pass: the message is tried again. */
const OURS: ReadonlySet<string> = new Set(['unavailable', 'internal']);
const SAID: ReadonlySet<string> = new Set(['SandboxError', 'FetchRefused', 'FetchFailed']);

/** Bytes of the value as JSON, or infinite when it is none. */
function sizeOf(value: Json): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
