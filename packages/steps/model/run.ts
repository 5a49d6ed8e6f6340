import { randomUUID } from 'node:crypto';
import {
  BudgetError,
  type Call,
  type LanguageModel,
  ModelError,
  type ModelStep as Said,
  type Tool,
  type Turn,
} from '@mailroom/behavior/model';
import { SECOND } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Json } from '@mailroom/behavior/values/json';
import { lateText } from '@mailroom/behavior/values/time-limit';
import type { Step } from '@mailroom/english-instructions/plan/index';
import { errorOf, fits } from '@mailroom/english-instructions/plan/validate';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import { plannedOutside } from '../outside/planned.ts';
import { type Checkpoint, WORTH_KEEPING_MS } from '../running/checkpoint.ts';
import { Execution } from '../running/execution.ts';
import type { MessageParts } from '../running/execution-parts.ts';
import { impossibleIn } from '../running/possible.ts';
import type { ModelReceipt, StepReceipt } from '../running/receipt.ts';
import { resultText, toolName, toolsOf } from './prompt.ts';
import { firstState, type ModelLimits, type ModelState } from './state.ts';
import type { Taint } from './taint.ts';

/** Calls in a row that cannot be made, after which the run ends. */
const MAX_WRONG = 3;
/** Maximum tokens of one answer, and the minimum worth asking for. */
const ANSWER_TOKENS = 8_192;
const FEW_TOKENS = 16;
/** Maximum characters of an answer, in case the server does not respect the token limit. */
const MAX_ANSWER = 100_000;

export interface AgentParts {
  /** Undefined where the model is no longer configured. */
  readonly model: LanguageModel | undefined;
  readonly limits: ModelLimits;
  readonly system: string;
  /** The earlier thread and the message. */
  readonly turns: readonly Turn[];
  readonly taint: Taint;
  readonly execution: Omit<MessageParts, 'kept' | 'before'>;
  /** The names of the task itself and of the tasks that a procedure uses. */
  readonly inside: (task: string) => readonly string[];
  /** Tasks that always need approval. */
  readonly approval: readonly string[];
  /** Fingerprints of the procedures that these steps call, because they may change meanwhile; undefined when none is called. */
  readonly procedures: (steps: readonly Step[]) => Json | undefined;
}

/** How a run ended, or what it waits for. */
export type AgentEnd =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'wait'; readonly for: 'approval'; readonly plan: Json; readonly state: Json }
  /** A used budget, a model whose calls make no sense, or a step that may have happened. */
  | { readonly kind: 'ended'; readonly detail: string; readonly code?: 'budget_exceeded' }
  | { readonly kind: 'down'; readonly error: ModelError };

type Judged = { readonly task: Task; readonly step: Step } | { readonly error: string };

/**
 * A model that uses tasks as its tools. Its calls run one by one under the sender's rights and the limits of any plan, and
 * their results go back to it until it makes no more calls. Calls that need the owner's approval never run before it is
 * given.
 */
export class AgentRun {
  readonly execution: Execution;
  readonly #parts: AgentParts;
  readonly #tools: readonly Tool[];
  /** The tasks by the names of their tools. */
  readonly #names: ReadonlyMap<string, string>;
  /** The step that an earlier process was running, which is the first call made here. */
  #running: number | null;
  /** Whether a procedure changed after the owner approved the plan. */
  #changed = false;
  readonly #began = performance.now();
  #state: ModelState;
  #keptAt = performance.now();

  /** `from`: the checkpoint of an earlier process, or what was approved meanwhile. */
  constructor(parts: AgentParts, from?: Checkpoint) {
    this.#parts = parts;
    this.#tools = toolsOf(parts.execution.tasks);
    this.#names = new Map([...parts.execution.tasks.keys()].map((name) => [toolName(name), name]));
    this.#running = from?.running ?? null;
    this.#state = (from?.model as ModelState | undefined) ?? firstState(parts.turns, parts.taint.tainted);
    parts.taint.tainted ||= this.#state.tainted;
    this.execution = new Execution({ ...parts.execution, kept: () => this.#kept() as unknown as Json }, from);
  }

  /** The part of the receipt about the model. */
  get receipt(): ModelReceipt {
    const { asked, tokens } = this.#state;
    return { name: this.#parts.model?.name ?? '', turns: asked, tokens, tainted: this.#parts.taint.tainted };
  }

  /** The calls that were made. */
  get plan(): readonly Step[] {
    return this.execution.steps.map(({ task, input }) => ({ task, input: input as Step['input'] }));
  }

  /** Stores a checkpoint, from which a later process can continue. */
  async keep(): Promise<void> {
    this.#keptAt = performance.now();
    await this.execution.keep({ planner: 'model', steps: this.plan }, null);
  }

  /** Runs to an end. `approved`: the plan that the owner approved, if the run waited for that. */
  async run(approved?: Json): Promise<AgentEnd> {
    const { waiting, granted } = this.#state;
    if (waiting.length > 0) {
      const meant = this.#isFor(approved, waiting);
      const still = meant ? [] : this.#rest(waiting[0] as number);
      if (still.length > 0) return this.#asks(still);
      this.#change({ waiting: [], granted: meant ? waiting : [] });
    } else if (granted.length > 0 && !this.#isFor(approved, granted)) {
      this.#change({ granted: [] });
      this.#changed = true;
    }
    for (;;) {
      const { signal } = this.#parts.execution.context;
      const late = lateText(signal);
      if (late !== undefined) return { kind: 'ended', detail: late };
      signal.throwIfAborted();
      const end = await this.#next();
      if (end !== undefined) return end;
      if (performance.now() - this.#keptAt > WORTH_KEEPING_MS) await this.keep();
    }
  }

  /** Whether the owner approved exactly these calls. */
  #isFor(approved: Json | undefined, places: readonly number[]): boolean {
    const steps = this.#planOf(places, this.#state.turns.at(-1) as Turn & { role: 'assistant' });
    const { steps: given, procedures, outside } = (approved ?? {}) as { readonly [name: string]: Json };
    const now = [steps, this.#parts.procedures(steps), this.#outsideOf(steps)];
    return JSON.stringify([given, procedures, outside]) === JSON.stringify(now);
  }

  /** Makes the next call or the next model turn; returns the end when there is one. */
  async #next(): Promise<AgentEnd | undefined> {
    const { turns, results } = this.#state;
    const last = turns.at(-1);
    if (last?.role !== 'assistant') return this.#ask();
    if (results.length < last.calls.length) return this.#call(last.calls[results.length] as Call, results.length);
    if (last.calls.length === 0) return { kind: 'done', text: last.text };
    this.#change({ turns: [...turns, { role: 'tool', results }], results: [], granted: [] });
    if (this.#state.wrong < MAX_WRONG) return undefined;
    return {
      kind: 'ended',
      detail: `The model tried ${MAX_WRONG} times in a row to make a call that is not possible.`,
    };
  }

  async #ask(): Promise<AgentEnd | undefined> {
    const { model, limits, system, execution } = this.#parts;
    const { signal, report, stream } = boundTo(execution.context);
    const { turns, asked: turnCount, tokens } = this.#state;
    if (model === undefined) {
      return { kind: 'down', error: new ModelError('down', 'The model is no longer configured.') };
    }
    const left_ms = Math.ceil(limits.ms - this.#ms);
    if (turnCount >= limits.steps) return used(`${limits.steps} turns`);
    if (left_ms <= 0) return used(`${limits.ms / SECOND} s`);
    // The model will read at least as many tokens as in its last turn.
    const budget = limits.tokens - tokens - (turnCount === 0 ? 0 : this.#lastInput);
    if (budget < FEW_TOKENS) return used(`${limits.tokens} tokens`);
    report(turnCount === 0 ? 'Asking the model' : `Asking the model again (${turnCount + 1})`);
    const patience = AbortSignal.timeout(left_ms);
    let written = '';
    let step: Said;
    try {
      step = await model.step({
        system,
        messages: turns,
        tools: this.#tools,
        signal: AbortSignal.any([signal, patience]),
        max_tokens: Math.min(budget, ANSWER_TOKENS),
        onText: (delta) => {
          written += delta;
          stream(written);
        },
      });
    } catch (error) {
      // A run that is out of time ends before it begins anything else.
      if (lateText(signal) !== undefined) return undefined;
      signal.throwIfAborted();
      if (error instanceof ModelError) return { kind: 'down', error };
      // What was done before is told; without any of it the message is rejected.
      if (error instanceof BudgetError && this.execution.steps.length > 0)
        return { kind: 'ended', detail: error.message, code: 'budget_exceeded' };
      if (!patience.aborted) throw error;
      if (this.execution.steps.length > 0) return used(`${limits.ms / SECOND} s`);
      return { kind: 'down', error: new ModelError('down', `The model took longer than ${limits.ms / SECOND} s.`) };
    }
    this.#lastInput = step.tokens.input;
    // Calls beyond what can ever run get no answer, because each answer would be stored and sent back.
    const calls = step.calls.slice(0, 2 * this.#parts.execution.limits.steps);
    const turn: Turn = { role: 'assistant', text: wholeOf(step), calls };
    this.#change({
      turns: [...turns, turn],
      results: [],
      asked: turnCount + 1,
      tokens: tokens + step.tokens.input + step.tokens.output,
    });
    return undefined;
  }
  #lastInput = 0;

  /** Handles one call of the model's turn: runs it, refuses it with a reason for the model, or asks the owner. */
  async #call(call: Call, index: number): Promise<AgentEnd | undefined> {
    const { limits, taint } = this.#parts;
    const { results, wrong, granted } = this.#state;
    const { steps } = this.execution;
    const { id, name } = call;
    const resumed = this.#running === steps.length + 1 ? this.#running : null;
    this.#running = null;
    const judged = this.#judge(call, 0);
    if (resumed !== null && ('error' in judged || this.#changed)) {
      return unknown(this.execution.lost({ task: this.#names.get(name) ?? name, input: call.input as Step['input'] }));
    }
    if ('error' in judged) {
      const result = { id, name, output: judged.error, failed: true };
      this.#change({ results: [...results, result], wrong: wrong + 1 });
      return undefined;
    }
    if (this.#ms >= limits.ms) return used(`${limits.ms / SECOND} s`);
    // A step that had begun was allowed then; asking for approval again would lose that it may have happened.
    const free = resumed !== null || granted.includes(index);
    if (!free && this.#reason(judged) !== undefined) {
      const [ways, error] = await this.#possible(this.#rest(index));
      if (ways.length > 0) return this.#asks(ways);
      this.#change({ results: [...results, { id, name, output: error ?? '', failed: true }], wrong: wrong + 1 });
      return undefined;
    }
    const receipt = await this.execution.call(judged.step, resumed);
    taint.shown(judged.task, receipt);
    const failed = receipt.status !== 'completed';
    const output = resultText(receipt, `----- ${randomUUID()} -----`);
    this.#change({ results: [...results, { id, name, output, ...(failed && { failed }) }], wrong: 0 });
    return receipt.status === 'unknown' ? unknown(receipt) : undefined;
  }

  /** Whether a call can be made at all. `ahead`: the number of calls that will run before it. */
  #judge({ name, input, invalid }: Call, ahead: number): Judged {
    const { tasks, limits } = this.#parts.execution;
    if (invalid !== undefined) return { error: invalid };
    const task = tasks.get(this.#names.get(name) ?? name);
    if (task === undefined) return { error: `There is no tool "${name.slice(0, 64)}".` };
    if (!fits(task.input, input)) return { error: `The arguments are not valid: ${errorOf(task.input, input)}` };
    if (this.execution.steps.length + ahead >= limits.steps) {
      return { error: `At most ${limits.steps} calls are allowed for a message. Answer with what you have.` };
    }
    return { task, step: { task: task.name, input: input as Step['input'] } };
  }

  /** The reason that this call needs the owner's approval; undefined when it needs none. */
  #reason({ task, step }: Extract<Judged, { task: Task }>): string | undefined {
    const { inside, approval, taint } = this.#parts;
    const parts = inside(task.name);
    if (parts.some((name) => approval.includes(name))) return `Each use of "${task.name}" needs approval.`;
    if (task.outside?.approval === true) return `Each use of "${task.name}" needs approval.`;
    if (!taint.tainted) return undefined;
    if (task.effects === 'writes') {
      return 'The model has read text that is not the sender’s, and this step changes something.';
    }
    // What is sent to others could carry away what the model has read.
    if (task.outside?.waived === false && !taint.ownsArguments(step.input, task.input))
      return 'The model has read text that is not the sender’s, and this step sends something to others.';
    // A URL that the sender did not write could carry away what the model has read.
    if (!parts.includes('fetch') || (task.name === 'fetch' && taint.owns(step.input.url))) return undefined;
    return 'The model has read text that is not the sender’s, and the sender did not write this address.';
  }

  /** The calls of the last turn from this one on that can be made, which are approved together. */
  #rest(from: number): readonly number[] {
    const { calls } = this.#state.turns.at(-1) as Turn & { role: 'assistant' };
    const places: number[] = [];
    for (let at = from; at < calls.length; at++) {
      if (!('error' in this.#judge(calls[at] as Call, places.length))) places.push(at);
    }
    return places;
  }

  /** The first of these calls, up to one that can never work, and why that cannot. */
  async #possible(places: readonly number[]): Promise<readonly [readonly number[], string?]> {
    const steps = this.#planOf(places, this.#state.turns.at(-1) as Turn & { role: 'assistant' });
    for (const [at, step] of steps.entries()) {
      const error = await impossibleIn([step], this.#parts.execution);
      if (error !== undefined) return [places.slice(0, at), error];
    }
    return [places];
  }

  /** The tools of others that the steps call, as they are now. */
  #outsideOf(steps: readonly Step[]): Json | undefined {
    return plannedOutside(steps, (task) => this.#parts.execution.tasks.get(task));
  }

  #planOf(places: readonly number[], { calls }: Turn & { role: 'assistant' }): readonly Step[] {
    return places.map((at) => {
      const { name, input } = calls[at] as Call;
      return { task: this.#names.get(name) ?? name, input: input as Step['input'] };
    });
  }

  #asks(waiting: readonly number[]): AgentEnd {
    const last = this.#state.turns.at(-1) as Turn & { role: 'assistant' };
    const steps = this.#planOf(waiting, last);
    const [first] = waiting;
    const judged = first === undefined ? undefined : this.#judge(last.calls[first] as Call, 0);
    const reason = judged === undefined || 'error' in judged ? undefined : this.#reason(judged);
    this.#change({ waiting });
    const procedures = this.#parts.procedures(steps);
    const outside = this.#outsideOf(steps);
    const plan = {
      planner: 'model',
      steps,
      ...(procedures === undefined ? {} : { procedures }),
      ...(outside === undefined ? {} : { outside }),
      ...(reason === undefined ? {} : { reason }),
      instruction_sha256: sha256(this.#parts.execution.message.body),
    };
    const state = this.execution.checkpoint({ planner: 'model', steps: this.plan }, null);
    return { kind: 'wait', for: 'approval', plan: plan as unknown as Json, state };
  }

  get #ms(): number {
    return this.#state.ms + performance.now() - this.#began;
  }

  #kept(): ModelState {
    return { ...this.#state, tainted: this.#parts.taint.tainted, ms: Math.round(this.#ms) };
  }

  #change(changes: Partial<ModelState>): void {
    this.#state = { ...this.#state, ...changes };
  }
}

/** The result for a step that may have happened: only the sender can decide what to do. */
const unknown = ({ step, task, error }: StepReceipt): AgentEnd => ({
  kind: 'ended',
  detail: `Step ${step} (${task}): ${error ?? 'unknown.'}`,
});

/** The text of an answer, with a note when it was cut off. */
function wholeOf({ text, calls, finish }: Said): string {
  const over = text.length > MAX_ANSWER;
  if (!over && (finish !== 'length' || calls.length > 0 || text.trim() === '')) return text;
  return `${text.slice(0, MAX_ANSWER).toWellFormed()}\n\n… (cut: the answer was longer than the model may write)`;
}

const used = (what: string): AgentEnd => ({
  kind: 'ended',
  detail: `The model reached its limit for a message: ${what}.`,
});

/** The context's methods, bound to it. */
const boundTo = (context: MessageParts['context']) => ({
  signal: context.signal,
  report: (text: string): void => context.report(text),
  stream: (text: string): void => context.stream(text),
});
