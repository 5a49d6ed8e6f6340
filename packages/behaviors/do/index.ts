import type { Behavior, Context, Incoming, Outcome } from '@mailroom/behavior';
import type { Host, Signer } from '@mailroom/behavior/host';
import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutgoing } from '@mailroom/behavior/message';
import type { LanguageModel } from '@mailroom/behavior/model';
import { fullAddress } from '@mailroom/behavior/values/address';
import { threadOf } from '@mailroom/behavior/values/ids';
import { isObject, type Json } from '@mailroom/behavior/values/json';
import type { Plan, Step } from '@mailroom/english-instructions/plan/index';
import { trust } from '@mailroom/english-instructions/plan/validate';
import { type Task, taskView } from '@mailroom/english-instructions/tasks/task';
import { sharedTasks, stepsOptions } from '@mailroom/steps/host';
import type { ModelLimits } from '@mailroom/steps/model/state';
import { outsideHooks, type Remotes } from '@mailroom/steps/outside/remotes';
import { partyOf } from '@mailroom/steps/rights';
import type { Checkpoint } from '@mailroom/steps/running/checkpoint';
import { Execution } from '@mailroom/steps/running/execution';
import type { ExecutionLimits, Get, MessageParts } from '@mailroom/steps/running/execution-parts';
import { impossibleIn } from '@mailroom/steps/running/possible';
import { type Signing, signed } from '@mailroom/steps/running/receipt';
import { sends, sensitivePart } from '@mailroom/steps/sensitive';
import { type ByModelParts, byModel, planByModel } from './by-model.ts';
import { EXAMPLE } from './example.ts';
import { looks } from './looks.ts';
import { type AvailableTask, AvailableTasks, insideOf, standsAlone } from './owner/available-tasks.ts';
import { withRemotes, withReview } from './owner/outside.ts';
import { Settings } from './owner/settings.ts';
import { settingsErrors } from './owner/settings-errors.ts';
import { attachedText } from './reading/attached.ts';
import { isHelp } from './reading/help.ts';
import { askedOf, dataError, isDry, needsApproval, Reader, withoutDry } from './reading/index.ts';
import { inOwnZone, isTimely } from './reading/own-zone.ts';
import { lossText, type Question } from './reading/question.ts';
import { asItStood, type Before, beforeOf, type CalledOff, NOTHING_BEFORE, withInstruction } from './reading/thread.ts';
import { lossesOf } from './running/losses.ts';
import { endedOf, outcomeOf } from './running/outcome.ts';
import { PlannerThreads } from './threads/planner-threads.ts';

export interface DoOptions extends Signing {
  /** The tasks of this build. */
  readonly tasks: readonly Task[];
  readonly limits: ExecutionLimits;
  readonly get: Get;
  /** Signs receipts on a planner thread, which then also reads and runs most messages; without it they run on this thread. */
  readonly signer?: () => Signer;
  /** The planner threads, closed together with this behavior; by default own ones. They need a `signer`. */
  readonly threads?: PlannerThreads | undefined;
  /** Plans the instructions in place of the built-in planner. */
  readonly model?: LanguageModel | undefined;
  readonly model_limits?: ModelLimits;
  /** Servers and agents of others; without it none can be used. */
  readonly outside?: Remotes | undefined;
}

/** The defaults of `model_limits`. */
const MODEL_LIMITS: ModelLimits = { steps: 12, tokens: 20_000, ms: 60_000 };

export default function makeTasksBehavior(host: Host): Behavior {
  const options = stepsOptions(host);
  const tasks = sharedTasks(host);
  const threads = host.shared('threads that plan', () => new PlannerThreads(options));
  tasks.offLoop = threads.tasks(tasks.all);
  const signer = (): Signer => host.receipts.signer();
  return makeDo({ ...options, tasks: tasks.all, threads, signer, model: host.model }) as Behavior;
}

/** The behavior `do`: runs tasks from instructions step by step and signs a receipt of what happened. */
export function makeDo(options: DoOptions): Behavior<Settings> {
  const runner = new Doing(options);
  return {
    name: 'do',
    title: 'Tasks',
    description:
      'Runs tasks from instructions: calculates, converts, fetches, reminds, and says step by step what it did.',
    looks,
    tasks: options.tasks.map(taskView),
    settings: Settings,
    asksModel: true,
    example: EXAMPLE,
    settingsErrors: (settings) => settingsErrors(settings, runner.builtin),
    sensitive: ({ outside = [], procedures = [] }) => {
      const tasks = procedures.flatMap(({ steps = [] }) => steps.map(({ task }) => task));
      return sensitivePart(outside, sends(tasks) ? { procedures } : {});
    },
    ...outsideHooks<Settings>(options.outside),
    handle: (message, context) => runner.handle(message, context),
    prepare: () => runner.prepare(),
    close: () => runner.close(),
  };
}

/** A second answer to a question that was answered meanwhile. */
const ANSWERED: Outcome = {
  kind: 'reject',
  detail: 'Another answer to this question arrived at the same time and is used. Nothing was done for this one.',
};

const CALLED_OFF: { readonly [how in CalledOff]: string } = {
  'called off': 'All right. Nothing was done.',
  left: 'All right. Nothing was done about that. What was done before it stays as it is.',
};

/** Tasks that write to mailboxes, or plan what does. */
const REACHES: ReadonlySet<string> = new Set(['send', 'schedule']);
const neverDone = (why: string): Outcome => ({ kind: 'fail', detail: `${why} Nothing was done.` });

class Doing {
  readonly #options: DoOptions;
  readonly #known: AvailableTasks;
  readonly #reader: Reader;
  readonly #threads: PlannerThreads | undefined;

  constructor({ tasks, ...given }: DoOptions) {
    const { limits } = given;
    this.#threads = given.threads ?? (given.signer && new PlannerThreads({ limits }));
    const options = { ...given, tasks: this.#threads?.tasks(tasks) ?? tasks };
    this.#options = options;
    this.#known = new AvailableTasks(options.tasks);
    this.#reader = new Reader(this.#known, options.limits.steps);
    for (const { input } of options.tasks) trust(input);
  }

  get builtin() {
    return this.#known.builtin;
  }

  prepare(): void {
    const { tasks, model } = this.#options;
    const apart = model === undefined ? this.#threads : undefined;
    apart?.prepare();
    for (const task of tasks) if (apart === undefined || !standsAlone(task)) task.prepare?.();
  }

  async close(): Promise<void> {
    await Promise.all([this.#threads, ...this.#options.tasks].map(async (one) => one?.close?.()));
  }

  handle(received: Incoming, given: Context<Settings>): Outcome | Promise<Outcome> {
    const message = withInstruction(received);
    const context = withReview(given);
    return isTimely(message)
      ? inOwnZone(context).then((own) => this.#withTools(message, own))
      : this.#withTools(message, context);
  }

  #withTools(message: Incoming, context: Context<Settings>): Outcome | Promise<Outcome> {
    const { outside, model } = this.#options;
    if (outside === undefined || context.settings.outside === undefined) return this.#handle(message, context);
    const all = (model !== undefined && context.settings.planner !== 'builtin') || isHelp(message.body);
    return withRemotes(message, context, outside, all).then((known) => this.#handle(message, known));
  }

  #handle(message: Incoming, context: Context<Settings>): Outcome | Promise<Outcome> {
    const first = threadOf(message.id) === message.thread_id;
    if (!first || context.again) return this.#goOn(message, context);
    if (context.attachments.list.length > 0) return this.#withFile(message, context, NOTHING_BEFORE);
    return this.#begin(message, context, NOTHING_BEFORE);
  }

  /** Handles a message that ran before, or whose thread has earlier messages. */
  async #goOn(message: Incoming, context: Context<Settings>): Promise<Outcome> {
    const [checkpoint, approved] = await Promise.all([context.services.checkpoint(), context.services.approved()]);
    const history = await this.#before(message, context);
    if (typeof history === 'string') return { kind: 'reply', body: CALLED_OFF[history] };
    if ('kind' in history) return history;
    const from = checkpoint as unknown as Checkpoint | undefined;
    const plan = approved as unknown as Plan | undefined;
    // The model is no longer configured and the owner approved the built-in plan instead, so the model's state is not used.
    const ours = plan !== undefined && plan.planner !== 'model' && from?.model !== undefined;
    if (from !== undefined && !ours) return this.#resume(message, context, history, from, approved);
    if (plan === undefined) return this.#withFile(message, context, history);
    const { planner, steps } = plan;
    const asked = askedOf(plan, context.settings, message);
    if (JSON.stringify(asked) !== JSON.stringify(approved)) return { kind: 'wait', for: 'approval', plan: asked };
    return this.#execute(message, context, history, { planner, steps });
  }

  /** Begins with the text of the attached file, if there is one. */
  async #withFile(message: Incoming, context: Context<Settings>, history: Before): Promise<Outcome> {
    const attached = await attachedText(message, context.attachments, history);
    if (attached !== undefined && 'kind' in attached)
      return attached.kind === 'input_required'
        ? ((await this.#refusal(message, context, history)) ?? attached)
        : attached;
    return this.#begin(message, context, attached === undefined ? history : { ...history, ...attached });
  }

  /** The refusal of what the sender may not have done, whichever file it is about. */
  async #refusal(message: Incoming, context: Context<Settings>, before: Before): Promise<Outcome | undefined> {
    const pasted = before.pasted ?? { data: 'a,b\n1,2', language: 'csv' };
    const read = await this.#beginBuiltin({ ...message, data: { dry_run: true } }, context, { ...before, pasted });
    return read.kind === 'reject' ? read : undefined;
  }

  async #before(message: Incoming, context: Context<Settings>): Promise<Before | CalledOff | Outcome> {
    const all = await context.services.thread();
    const thread = all.filter((message) => !isOutgoing(message)).map(withInstruction);
    if (thread.length === 0) return NOTHING_BEFORE;
    const { settings, sender, mailbox } = context;
    const history =
      this.#threads === undefined
        ? beforeOf(message, thread, settings, context.clock(), this.#allOf(context).all)
        : await this.#threads.before(message, context, thread, partyOf(sender, mailbox));
    return typeof history === 'string' || 'kind' in history
      ? history
      : { ...history, thread: asItStood(thread, message) };
  }

  #allOf({ settings, sender, mailbox }: Context<Settings>): AvailableTask {
    return this.#known.of(settings, partyOf(sender, mailbox));
  }

  #begin(message: Incoming, context: Context<Settings>, history: Before): Outcome | Promise<Outcome> {
    const modelParts = this.#asksModel(message, context, history);
    if (modelParts === undefined) return this.#beginBuiltin(message, context, history);
    const error = dataError(message.data);
    if (error !== undefined) return { kind: 'reject', detail: error };
    const begun = isDry(message, history) ? planByModel(modelParts, withoutDry(message.body)) : byModel(modelParts);
    return begun.then((outcome) => {
      if (outcome !== undefined) return outcome;
      context.report('The model does not answer; continuing without it');
      return this.#beginBuiltin(message, context, history);
    });
  }

  /** What the model needs to carry out the message; undefined when the built-in planner handles it. */
  #asksModel(message: Incoming, context: Context<Settings>, history: Before): ByModelParts | undefined {
    const { model } = this.#options;
    const structured = isObject(message.data) && message.data.steps !== undefined;
    // An answer to a question of the built-in planner continues that planner's plan.
    const ours = history.answers !== undefined || context.settings.planner === 'builtin';
    // Only the built-in planner reads the text of an attached file.
    const own = ours || history.pasted !== undefined;
    return model === undefined || structured || own ? undefined : this.#modelParts(message, context, history);
  }

  #modelParts(message: Incoming, context: Context<Settings>, { thread = [] }: Before): ByModelParts {
    const { model, model_limits: limits = MODEL_LIMITS, sign } = this.#options;
    const inside = (name: string): readonly string[] => insideOf(name, context.settings);
    return { model, limits, message, context, thread, execution: this.#partsOf(message, context), sign, inside };
  }

  #beginBuiltin(message: Incoming, context: Context<Settings>, history: Before): Outcome | Promise<Outcome> {
    const { settings, sender, mailbox } = context;
    const party = partyOf(sender, mailbox);
    const { signer, mailDomain } = this.#options;
    if (this.#threads !== undefined && signer !== undefined) {
      return this.#threads
        .begin(message, context, {
          mailbox: fullAddress(addressOf(mailbox), mailDomain),
          party,
          before: history,
          signer: signer(),
          execute: (plan) => this.#agreed(message, context, history, plan),
        })
        .then((outcome) => this.#unlessImpossible(outcome, message, context));
    }
    const read = this.#reader.read({ message, settings, party, before: history, now: context.clock() });
    return 'kind' in read
      ? this.#unlessImpossible(read, message, context)
      : this.#agreed(message, context, history, read);
  }

  /** What waits for the owner's approval, or the reason why it can never work. */
  #unlessImpossible(outcome: Outcome, message: Incoming, context: Context<Settings>): Outcome | Promise<Outcome> {
    if (outcome.kind !== 'wait' || outcome.for !== 'approval') return outcome;
    const { steps } = outcome.plan as unknown as Plan;
    return impossibleIn(steps, this.#partsOf(message, context)).then((why) =>
      why === undefined ? outcome : neverDone(why),
    );
  }

  /** Asks the sender to confirm by name what a plan deletes; a sender who wrote structured steps is not asked. */
  #agreed(message: Incoming, context: Context<Settings>, history: Before, plan: Plan): Outcome | Promise<Outcome> {
    const parts = this.#partsOf(message, context);
    const deletes = plan.planner === 'builtin' && plan.steps.some(({ task }) => parts.tasks.get(task)?.loses);
    // A single step says itself why it cannot be done, and has done nothing.
    if (!deletes && (plan.steps.length === 1 || !plan.steps.some(({ task }) => REACHES.has(task))))
      return this.#execute(message, context, history, plan);
    return impossibleIn(plan.steps, parts).then((why) => {
      if (why !== undefined) return neverDone(why);
      return deletes
        ? this.#confirmed(message, context, history, plan)
        : this.#execute(message, context, history, plan);
    });
  }

  #confirmed(message: Incoming, context: Context<Settings>, history: Before, plan: Plan): Promise<Outcome> {
    return lossesOf(plan, this.#partsOf(message, context)).then((loses) => {
      const { agreed, about = message.id, answers = [] } = history;
      if (loses.length === 0 || JSON.stringify(loses) === JSON.stringify(agreed))
        return this.#execute(message, context, history, plan);
      const { text, ...none } = { text: lossText(loses), refers: null, suggestions: [] };
      const question: Question = { kind: 'question', about, instruction: 0, text, ...none, answers, loses };
      return { kind: 'input_required', body: text, data: { question, plan: plan.steps } as unknown as Json };
    });
  }

  #resume(
    message: Incoming,
    context: Context<Settings>,
    history: Before,
    checkpoint: Checkpoint,
    approved: Json | undefined,
  ): Outcome | Promise<Outcome> {
    const { plan, running } = checkpoint;
    if (checkpoint.model !== undefined) {
      const went = byModel(this.#modelParts(message, context, history), checkpoint, approved);
      return went.then((outcome) => outcome ?? this.#beginBuiltin(message, context, history));
    }
    const whole = plan as unknown as Plan;
    const wanted = askedOf(whole, context.settings, message);
    const left = { ...whole, steps: whole.steps.slice(checkpoint.steps.length) };
    // The owner may have changed the list of tasks that need approval since the run began.
    if (needsApproval(left, context.settings) && JSON.stringify(wanted) !== JSON.stringify(approved)) {
      return { kind: 'wait', for: 'approval', plan: wanted };
    }
    return this.#execute(message, context, history, whole, checkpoint, running);
  }

  #execute(
    message: Incoming,
    context: Context<Settings>,
    history: Before,
    plan: Plan,
    from?: Checkpoint,
    running: number | null = null,
  ): Outcome | Promise<Outcome> {
    const { question } = history;
    const { tasks } = this.#allOf(context);
    const changes = plan.steps.some(({ task }) => tasks.get(task)?.effects === 'writes');
    // A sender who retries an answer wants it done again.
    if (question === undefined || from !== undefined || message.retry_of !== null || !changes) {
      return this.#run(message, context, history, plan, from, running);
    }
    const first = context.services.first(`answer ${question}`);
    return first.then((is) => (is ? this.#run(message, context, history, plan) : ANSWERED));
  }

  #run(
    message: Incoming,
    context: Context<Settings>,
    history: Before,
    plan: Plan,
    from?: Checkpoint,
    running: number | null = null,
  ): Outcome | Promise<Outcome> {
    const execution = new Execution(
      { ...this.#partsOf(message, context), before: from?.before ?? history.output },
      from,
    );
    const done = execution.run(plan, running);
    if (done instanceof Promise) return done.then(() => this.#outcome(message, context, plan, execution));
    return this.#outcome(message, context, plan, execution);
  }

  #partsOf(message: Incoming, context: Context<Settings>): MessageParts {
    const { limits, mailDomain, get, outside: remotes } = this.#options;
    const { tasks } = this.#allOf(context);
    const { time_zone = 'UTC', outside: listed = [] } = context.settings;
    const outside = remotes?.caller(listed, context.mailbox, message.id, limits);
    const stepsLater = async (instructions: string): Promise<readonly Step[] | undefined> => {
      const { settings, clock } = context;
      const party = partyOf(context.sender, context.mailbox);
      return this.#threads === undefined
        ? this.#reader.stepsLater(instructions, { settings, party, now: clock() })
        : this.#threads.stepsLater(instructions, context, party);
    };
    return { message, context, tasks, limits, time_zone, mailDomain, get, outside, stepsLater };
  }

  async #outcome(message: Incoming, context: Context<Settings>, plan: Plan, execution: Execution): Promise<Outcome> {
    const mailbox = fullAddress(addressOf(context.mailbox), this.#options.mailDomain);
    const subject = { message, mailbox, now: context.clock() };
    const { receipt, ...ended } = endedOf(execution, plan, subject, this.#allOf(context).tasks);
    return outcomeOf(ended, signed(receipt, await this.#options.sign(receipt)), execution.staged.effects);
  }
}
