import type { Behavior, Context, Incoming, Outcome } from '../../core/behavior.ts';
import { sha256 } from '../../core/hash.ts';
import { threadOf } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { isObject } from '../../core/json.ts';
import type { Model } from '../../model/model.ts';
import type { Task } from '../../tasks/task.ts';
import { taskView } from '../../tasks/task.ts';
import type { ModelLimits } from '../agent/state.ts';
import type { ByModelParts } from './by-model.ts';
import { byModel, planByModel } from './by-model.ts';
import { EXAMPLE } from './example.ts';
import type { Checkpoint, ExecutionLimits, ExecutionParts, Get } from './execution.ts';
import { Execution } from './execution.ts';
import { trust } from './fit.ts';
import type { Plan, Step, Tasks } from './plan.ts';
import { checkSteps } from './plan.ts';
import { planOf } from './planner/index.ts';
import { procedureTasks } from './procedures.ts';
import { questionOf, questionText } from './question.ts';
import type { Signing } from './receipt.ts';
import { receiptOf } from './receipt.ts';
import { planText, resultText } from './reply.ts';
import type { Party } from './rights.ts';
import { allowed, partyOf } from './rights.ts';
import { Settings } from './settings.ts';
import { settingsFaults } from './settings-faults.ts';
import type { Before } from './thread.ts';
import { beforeOf, NOTHING_BEFORE } from './thread.ts';

export interface DoOptions extends Signing {
  /** All that this build can do. */
  readonly tasks: readonly Task[];
  readonly limits: ExecutionLimits;
  readonly get: Get;
  /** Plans instructions in place of our own reading of English. */
  readonly model?: Model | undefined;
  readonly model_limits?: ModelLimits;
}

/** Where nobody said otherwise. */
export const MODEL_LIMITS: ModelLimits = { steps: 12, tokens: 20_000, ms: 60_000 };

const DRY = /^\s*(?:plan|dry[ -]run|what would you do(?: with| about)?)\s*:\s*/i;

/** The behavior `do`: runs tasks from instructions, step by step, and proves what happened. */
export function makeDo(options: DoOptions): Behavior<Settings> {
  const builtin: Tasks = new Map(options.tasks.map((task) => [task.name, task]));
  const runner = new Doing(options, builtin);
  return {
    name: 'do',
    title: 'Tasks',
    description:
      'Runs tasks from instructions: calculates, converts, fetches, reminds, and says step by step what it did.',
    tasks: options.tasks.map(taskView),
    settings: Settings,
    example: EXAMPLE,
    faults: (settings) => settingsFaults(settings, builtin),
    handle: (message, context) => runner.handle(message, context),
    prepare() {
      for (const task of options.tasks) task.prepare?.();
    },
    async close() {
      await Promise.all(options.tasks.map(async (task) => task.close?.()));
    },
  };
}

class Doing {
  readonly #options: DoOptions;
  readonly #builtin: Tasks;
  /** By settings and party: made once for as long as the settings are the same object. */
  readonly #known = new WeakMap<Settings, Map<Party, { readonly all: readonly Task[]; readonly tasks: Tasks }>>();

  constructor(options: DoOptions, builtin: Tasks) {
    this.#options = options;
    this.#builtin = builtin;
    for (const { input } of options.tasks) trust(input);
  }

  handle(message: Incoming, context: Context<Settings>): Outcome | Promise<Outcome> {
    const first = threadOf(message.id) === message.thread_id;
    if (first && !context.again) return this.#begin(message, context, NOTHING_BEFORE);
    return this.#goOn(message, context);
  }

  /** It ran before, or the thread has something before it. */
  async #goOn(message: Incoming, context: Context<Settings>): Promise<Outcome> {
    const [checkpoint, approved] = await Promise.all([context.outside.checkpoint(), context.outside.approved()]);
    const before = await beforeOf(message, context, this.#allOf(context).all);
    if (before === 'called off') return { kind: 'reply', body: 'All right. Nothing was done.' };
    if (checkpoint !== undefined) {
      return this.#resume(message, context, before, checkpoint as unknown as Checkpoint, approved);
    }
    if (approved === undefined) return this.#begin(message, context, before);
    const { planner, steps } = approved as unknown as Plan;
    return this.#execute(message, context, before, { planner, steps });
  }

  #allOf({ settings, sender, mailbox }: Context<Settings>) {
    const party = partyOf(sender, mailbox);
    const parties = this.#known.get(settings) ?? new Map();
    this.#known.set(settings, parties);
    let found = parties.get(party);
    if (found === undefined) {
      const all = [...this.#options.tasks, ...procedureTasks(settings.procedures ?? [], this.#builtin)];
      found = { all, tasks: allowed(all, party, settings) };
      parties.set(party, found);
    }
    return found as { readonly all: readonly Task[]; readonly tasks: Tasks };
  }

  #begin(message: Incoming, context: Context<Settings>, before: Before): Outcome | Promise<Outcome> {
    const fault = dataFault(message.data);
    if (fault !== undefined) return { kind: 'reject', detail: fault };
    const asked = this.#asksModel(message, context, before);
    if (asked === undefined) return this.#beginBuiltin(message, context, before);
    const begun = isDry(message, before) ? planByModel(asked, message.body.replace(DRY, '')) : byModel(asked);
    return begun.then((outcome) => {
      if (outcome !== undefined) return outcome;
      context.report('The model does not answer; reading it without one');
      return this.#beginBuiltin(message, context, before);
    });
  }

  /** How a model is to carry it out; undefined when it is not for the model. */
  #asksModel(message: Incoming, context: Context<Settings>, before: Before): ByModelParts | undefined {
    const { model } = this.#options;
    const structured = isObject(message.data) && message.data.steps !== undefined;
    // What answers a question of ours goes on with the plan that asked.
    const ours = before.answers !== undefined || context.settings.planner === 'builtin';
    return model === undefined || structured || ours ? undefined : this.#modelParts(message, context, before);
  }

  #modelParts(message: Incoming, context: Context<Settings>, { thread = [] }: Before): ByModelParts {
    const { model, model_limits: limits = MODEL_LIMITS, sign } = this.#options;
    const inside = (name: string): readonly string[] => insideOf(name, context.settings);
    return { model, limits, message, context, thread, execution: this.#partsOf(message, context), sign, inside };
  }

  #beginBuiltin(message: Incoming, context: Context<Settings>, before: Before): Outcome | Promise<Outcome> {
    const told = before.body ?? message.body;
    const dry = isDry(message, before);
    const planned = this.#plan(message, context, before, told.replace(DRY, ''));
    if ('kind' in planned) return planned;
    const { planner, steps } = planned;
    if (dry) {
      const plan = { dry_run: true, instruction_sha256: sha256(message.body), planner, plan: steps };
      return { kind: 'reply', body: planText(planned), data: plan as unknown as Json };
    }
    if (this.#needsApproval(planned, context)) {
      return {
        kind: 'approval',
        plan: { planner, steps, instruction_sha256: sha256(message.body) } as unknown as Json,
      };
    }
    return this.#execute(message, context, before, planned);
  }

  #plan(message: Incoming, context: Context<Settings>, before: Before, body: string): Plan | Outcome {
    const { all, tasks } = this.#allOf(context);
    const { steps: most } = this.#options.limits;
    if (isObject(message.data) && message.data.steps !== undefined) {
      const known = (name: string): boolean => all.some((task) => task.name === name);
      const fault = checkSteps(message.data.steps, tasks, { most, pointer: '/data/steps', known });
      if (fault !== undefined) return { kind: 'reject', detail: `${fault.pointer}: ${fault.message}` };
      const steps = (message.data.steps as unknown as readonly Partial<Step>[]).map(({ task, input = {} }) => ({
        task,
        input,
      }));
      return { planner: 'steps', steps: steps as readonly Step[] };
    }
    const planned = planOf(body, {
      tasks: all,
      now: context.clock(),
      time_zone: context.settings.time_zone ?? 'UTC',
      steps_most: most,
      before: before.output !== undefined,
      ...(before.answers === undefined ? {} : { answers: new Map(before.answers) }),
    });
    if (planned.kind === 'too_much') return { kind: 'reject', detail: planned.detail };
    if (planned.kind === 'unclear') {
      const question = questionOf(planned, before.about ?? message.id, before.answers ?? []);
      return {
        kind: 'input_required',
        body: questionText(planned, context.sender.kind === 'guest'),
        data: { question, plan: planned.steps as unknown as Json },
      };
    }
    const forbidden = planned.steps.find(({ task }) => !tasks.has(task));
    if (forbidden !== undefined) return { kind: 'reject', detail: this.#forbidden(forbidden.task, context) };
    return { planner: 'builtin', steps: planned.steps };
  }

  #forbidden(task: string, { sender, mailbox }: Context<Settings>): string {
    const party = partyOf(sender, mailbox);
    if (party === 'guests') {
      return `"${task}" is not for people without a key here. Write with an API key of this mailbox's namespace. Nothing was done.`;
    }
    return `The owner of this mailbox has not allowed you "${task}". Nothing was done.`;
  }

  /** Whether the owner wants to see a plan with such a task first. */
  #needsApproval({ steps }: Plan, { settings }: Context<Settings>): boolean {
    const { approval = [] } = settings;
    if (approval.length === 0) return false;
    return steps.some(({ task }) => insideOf(task, settings).some((name) => approval.includes(name)));
  }

  /** Goes on where an earlier process stopped. */
  #resume(
    message: Incoming,
    context: Context<Settings>,
    before: Before,
    checkpoint: Checkpoint,
    approved: Json | undefined,
  ): Outcome | Promise<Outcome> {
    const { plan, steps, effects, running } = checkpoint;
    if (checkpoint.model !== undefined) {
      const went = byModel(this.#modelParts(message, context, before), checkpoint, approved);
      return went.then((outcome) => outcome ?? this.#beginBuiltin(message, context, before));
    }
    return this.#execute(message, context, before, plan as unknown as Plan, { steps, effects }, running);
  }

  #execute(
    message: Incoming,
    context: Context<Settings>,
    before: Before,
    plan: Plan,
    from?: Pick<Checkpoint, 'steps' | 'effects'>,
    running: number | null = null,
  ): Outcome | Promise<Outcome> {
    const execution = new Execution({ ...this.#partsOf(message, context), before: before.output }, from);
    const done = execution.run(plan, running);
    if (done instanceof Promise) return done.then(() => this.#outcome(message, context, plan, execution));
    return this.#outcome(message, context, plan, execution);
  }

  #partsOf(message: Incoming, context: Context<Settings>): ExecutionParts {
    const { limits, mailDomain, get } = this.#options;
    const { tasks } = this.#allOf(context);
    return { message, context, tasks, limits, time_zone: context.settings.time_zone ?? 'UTC', mailDomain, get };
  }

  async #outcome(message: Incoming, context: Context<Settings>, plan: Plan, execution: Execution): Promise<Outcome> {
    const { failed, steps, staged } = execution;
    const { planner } = plan;
    const what = { planner, plan: plan.steps, steps, status: failed === undefined ? 'completed' : 'failed' } as const;
    const data = (await receiptOf(what, message, context, this.#options)) as unknown as Json;
    const body = resultText(steps, this.#allOf(context).tasks);
    const { effects } = staged;
    if (failed === undefined) return { kind: 'reply', body, data, effects };
    const detail = `Step ${failed.step} (${failed.task}): ${failed.error ?? 'failed.'}`;
    return { kind: 'fail', detail, body, data, effects };
  }
}

/** What is wrong with the structured part, where it tells how to run: what is meant as a dry run is never run. */
function dataFault(data: Json): string | undefined {
  if (!isObject(data)) return undefined;
  if (data.dry_run !== undefined && typeof data.dry_run !== 'boolean') {
    return '/data/dry_run: This must be true or false. Nothing was done.';
  }
  const meant = Object.keys(data).find((name) => /^(?:dry[-_ ]?run|steps?)$/i.test(name) && !KNOWN.has(name));
  return meant && `/data/${meant}: This is written "dry_run" or "steps". Nothing was done.`;
}
const KNOWN: ReadonlySet<string> = new Set(['dry_run', 'steps']);

/** Whether only the plan is wanted. */
const isDry = ({ data, body }: Incoming, before: Before): boolean =>
  (isObject(data) && data.dry_run === true) || DRY.test(before.body ?? body);

/** The task itself and, of a procedure, those that it uses. */
function insideOf(name: string, { procedures = [] }: Settings): readonly string[] {
  const procedure = procedures.find((one) => one.name === name);
  if (procedure === undefined) return [name];
  return [name, ...(procedure.steps ?? [{ task: 'run' }]).map(({ task }) => task)];
}
