import type { Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import { lateText } from '@mailroom/behavior/values/time-limit';
import { TimeSlice } from '@mailroom/behavior/values/time-slice';
import type { Plan, Step } from '@mailroom/english-instructions/plan/index';
import { filled, references, UnresolvedError } from '@mailroom/english-instructions/plan/references';
import { errorOf, fits } from '@mailroom/english-instructions/plan/validate';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import { type Checkpoint, type Ran, sizeOf, timesOf, WORTH_KEEPING_MS } from './checkpoint.ts';
import type { ExecutionLimits, ExecutionParts } from './execution-parts.ts';
import { outsideSource, type StepReceipt, type StepStatus } from './receipt.ts';
import { Staged } from './staged.ts';
import { StepContext } from './step-context.ts';
import { hasAnswered, OutOfTime, PERHAPS, REPEATABLE, UNKNOWN, whyOf } from './step-failure.ts';

/** Runs the steps of a plan in order and records what happens. */
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
    for (const [index, { step, status, input, output }] of this.steps.entries()) {
      if (status !== 'completed') continue;
      this.#outputs.set(step, output as JsonObject);
      const asPlanned = JSON.stringify(planned[index]?.input) === JSON.stringify(input);
      this.#total += sizeOf(output) + (asPlanned ? 0 : sizeOf(input));
    }
  }

  get limits(): ExecutionLimits {
    return this.#parts.limits;
  }

  /** What the completed steps will write. */
  get staged(): Staged {
    return this.#staged;
  }

  /** The step that failed, if one did. */
  get failed(): StepReceipt | undefined {
    return this.steps.find(({ status }) => status === 'failed' || status === 'unknown');
  }

  /** Runs the remaining steps of `plan` in order until one fails; synchronous when all of them are. */
  run(plan: Plan, running: number | null = null): void | Promise<void> {
    for (let index = this.steps.length; index < plan.steps.length && this.failed === undefined; index++) {
      const step = plan.steps[index] as Step;
      const done = this.#step(step, index + 1, plan, running);
      if (done instanceof Promise) return done.then(() => this.#after(plan, index + 1, this.#began));
      if (this.#turn.over && index + 1 < plan.steps.length) {
        this.#report((plan.steps[index + 1] as Step).task, index + 2, plan.steps.length);
        return this.#after(plan, index + 1, this.#kept);
      }
    }
    this.#skipRest(plan);
  }

  /** Runs one more step whose input is literal, even after a failure, and returns its receipt. */
  async call(step: Step, running: number | null = null): Promise<StepReceipt> {
    const number = this.steps.length + 1;
    const plan: Plan = {
      planner: 'model',
      steps: [...this.steps.map(({ task, input }) => ({ task, input })), step] as Step[],
    };
    await this.#step(step, number, plan, running, true);
    return this.steps.at(-1) as StepReceipt;
  }

  /** Records that the step an earlier process was running may have happened and cannot be repeated. */
  lost(step: Step): StepReceipt {
    this.#unknown(step, this.steps.length + 1);
    return this.steps.at(-1) as StepReceipt;
  }

  /** Continues after a wait or a finished time slice. Keeps a checkpoint first when the work since `since` took long. */
  async #after(plan: Plan, done: number, since: number): Promise<void> {
    if (done < plan.steps.length && this.failed === undefined) {
      if (performance.now() - since > WORTH_KEEPING_MS) await this.keep(plan, null);
      // Yielding lets a cancellation arrive.
      if (this.#turn.over) await this.#turn.yieldToEventLoop();
      const late = this.#late();
      const next = plan.steps[done] as Step;
      if (late !== undefined) this.#fail(next, done + 1, this.#parts.tasks.get(next.task)?.effects ?? 'none', late);
    }
    await this.run(plan);
  }

  /** The reason when the message's time is over; throws when it was aborted for another reason. */
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
    for (let index = this.steps.length; index < steps.length; index++) {
      const { task, input } = steps[index] as Step;
      const effects = this.#parts.tasks.get(task)?.effects ?? 'none';
      const nothing = { output: null, started_at: null, duration_ms: null, error: null };
      this.steps.push({
        step: index + 1,
        task,
        input,
        ...nothing,
        status: 'skipped',
        effects,
        ...this.#outsideOf(task),
      });
    }
  }

  /** Runs one step; its receipt is filled in when it ends. */
  #step(step: Step, number: number, plan: Plan, running: number | null, literal = false): void | Promise<void> {
    const task = this.#parts.tasks.get(step.task);
    // Only steps with effects need a checkpoint before they run.
    const began = running === number;
    if (task === undefined) {
      if (began) return this.#unknown(step, number);
      return this.#fail(step, number, 'none', 'You may not use this task here.');
    }
    let input: JsonObject;
    try {
      input = literal
        ? step.input
        : filled(step.input, task.input, { outputs: this.#outputs }, this.#parts.limits.total_bytes);
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error;
      if (began) return this.#unknown(step, number);
      return this.#fail(step, number, task.effects, error.message);
    }
    if (began && !task.repeatable) return this.#unknown({ task: step.task, input }, number);
    if (!fits(task.input, input)) {
      // It was checked when the step began.
      if (began) return this.#unknown({ task: step.task, input }, number);
      return this.#fail(step, number, task.effects, errorOf(task.input, input));
    }
    const of = { of: literal ? 1 : plan.steps.length, began };
    if (task.effects === 'writes') return this.#guarded(step, number, task, input, plan, of);
    return this.#perform(step, number, task, input, of);
  }

  /** Keeps a checkpoint before a step whose effect may happen. */
  async #guarded(
    step: Step,
    number: number,
    task: Task,
    input: JsonObject,
    plan: Plan,
    performed: Performed,
  ): Promise<void> {
    await this.keep(plan, number);
    // The message may have been canceled while the checkpoint was written.
    const late = this.#late();
    if (late !== undefined) return this.#fail(step, number, task.effects, late);
    await this.#perform(step, number, task, input, performed);
  }

  #perform(
    step: Step,
    number: number,
    task: Task,
    input: JsonObject,
    { of: stepCount, began: again }: Performed,
  ): void | Promise<void> {
    const startTime = this.#parts.context.clock();
    const began = performance.now();
    const stepContext = new StepContext(this.#parts, this.#staged, number);
    const end = (output: unknown): void => {
      if (this.#end(step, number, task, input, output as JsonObject, startTime, began))
        this.#staged = stepContext.staged;
    };
    const broke = (error: unknown): void => {
      const late = this.#late();
      // An earlier run of the step wrote something else to another mailbox.
      const paraphrases = error instanceof AppError && error.code === 'idempotency_mismatch';
      const why = late ?? whyOf(error, this.#parts.limits.ms);
      if (why === undefined) throw error;
      // A tool that answered said what it did; any other call may have happened, also in the process that began the step.
      const uncertain =
        (task.outside !== undefined && task.effects === 'writes' && (again || !hasAnswered(error))) ||
        (late !== undefined && stepContext.asked);
      const ran = { at: startTime, began };
      if (paraphrases) this.#unknown({ task: step.task, input }, number);
      else if (!uncertain) this.#push(step, number, task, input, null, ran, 'failed', why);
      else if (task.repeatable && task.outside !== undefined)
        this.#push(step, number, task, input, null, ran, 'failed', `${why} ${REPEATABLE}`);
      else this.#unknown({ task: step.task, input }, number, `${why} ${PERHAPS}`, ran);
    };
    try {
      const output = task.run(input, stepContext);
      if (!(output instanceof Promise)) return end(output);
      this.#report(task.name, number, stepCount);
      return this.#timed(output, stepContext).then(end, broke);
    } catch (error) {
      broke(error);
    }
  }

  /** Ends a step at its time limit, whether or not it heeds its signal. */
  async #timed<T>(work: Promise<T>, stepContext: StepContext): Promise<T> {
    const { signal } = this.#parts.context;
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const end = (reason: unknown) => (): void => {
      // Rejects before the task stops, because a stopped task may report another reason.
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

  /** Records the end of a step; returns whether it completed. */
  #end(
    step: Step,
    number: number,
    task: Task,
    input: JsonObject,
    output: JsonObject,
    startTime: Millis,
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
      this.#push(step, number, task, input, null, { at: startTime, began }, 'failed', tooLong);
      return false;
    }
    this.#total = total;
    this.#outputs.set(number, output);
    this.#push(step, number, task, input, output, { at: startTime, began }, 'completed', null);
    return true;
  }

  #push(
    step: Step,
    number: number,
    task: Task,
    input: Json,
    output: Json,
    ran: Ran,
    status: StepStatus,
    error: string | null,
  ): void {
    this.steps.push({
      step: number,
      task: step.task,
      input,
      output,
      ...timesOf(ran),
      status,
      effects: task.effects,
      error,
      ...(task.outside !== undefined && { outside: outsideSource(task.outside) }),
    });
  }

  /** Records that a step may have taken effect and cannot be repeated. */
  #unknown({ task, input }: Step, number: number, error = UNKNOWN, ran?: Ran): void {
    const effects = this.#parts.tasks.get(task)?.effects ?? 'writes';
    this.steps.push({
      step: number,
      task,
      input,
      output: null,
      ...timesOf(ran),
      status: 'unknown',
      effects,
      error,
      ...this.#outsideOf(task),
    });
  }

  #outsideOf(task: string): Pick<StepReceipt, 'outside'> {
    const outside = this.#parts.tasks.get(task)?.outside;
    return outside === undefined ? {} : { outside: outsideSource(outside) };
  }

  #fail(step: Step, number: number, effects: Task['effects'], error: string): void {
    const nothing = { output: null, started_at: null, duration_ms: null };
    const { task, input } = step;
    this.steps.push({
      step: number,
      task,
      input,
      ...nothing,
      status: 'failed',
      effects,
      error,
      ...this.#outsideOf(task),
    });
  }

  /** The state for a later process. `running`: the number of the step that begins now. */
  checkpoint(plan: Plan, running: number | null): Json {
    const { steps, staged } = this;
    const lastAnswer = references(plan.steps.map(({ input }) => input)).includes(0) ? this.#parts.before : undefined;
    const model = this.#parts.kept?.();
    const checkpoint: Checkpoint = {
      plan: plan as unknown as Json,
      steps,
      effects: staged.effects,
      running,
      ...(lastAnswer === undefined ? {} : { before: lastAnswer }),
      ...(model === undefined ? {} : { model }),
    };
    return checkpoint as unknown as Json;
  }

  /** Stores a checkpoint. */
  async keep(plan: Plan, running: number | null): Promise<void> {
    this.#kept = performance.now();
    try {
      await this.#parts.context.services.save(this.checkpoint(plan, running));
    } catch (error) {
      // A message that is out of time is not continued, so no checkpoint is stored.
      if (this.#late() === undefined) throw error;
    }
  }
}

interface Performed {
  /** The number of steps that progress is shown of. */
  readonly of: number;
  /** Whether an earlier process began the step. */
  readonly began: boolean;
}
