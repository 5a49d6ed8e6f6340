import type { Context, Incoming, Outcome } from '@mailroom/behavior';
import type { Signer } from '@mailroom/behavior/host';
import type { ThreadMessage } from '@mailroom/behavior/message';
import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { type Json, JsonText } from '@mailroom/behavior/values/json';
import type { Plan, Step } from '@mailroom/english-instructions/plan/index';
import { type Task, type TaskContext, TaskError } from '@mailroom/english-instructions/tasks/task';
import type { Party } from '@mailroom/steps/rights';
import type { ExecutionLimits } from '@mailroom/steps/running/execution-parts';
import type { Listener } from '@mailroom/workers/batch-thread';
import { PoolError } from '@mailroom/workers/pool';
import { standsAlone } from '../owner/available-tasks.ts';
import type { Settings } from '../owner/settings.ts';
import { type Before, type Earlier, NOTHING_BEFORE } from '../reading/thread.ts';
import { outcomeOf } from '../running/outcome.ts';
import { Lanes, type LanesOptions } from './lanes.ts';
import type { Job, Saying, ThreadData, WorkerRequest, WorkerResult } from './wire.ts';

export interface PlannerThreadsOptions extends Pick<LanesOptions, 'quick_ms' | 'alone_ms'> {
  readonly limits: ExecutionLimits;
  /** How long a thread may be silent beyond the time of a step, as it may have to start first on a busy machine. */
  readonly slack_ms?: Millis;
  /** Replaces `./worker.ts` as the threads' module; tests use one with a defect. */
  readonly script?: URL;
}

/** What the result of a message depends on beside the message. */
export interface Given {
  /** The mailbox's full address. */
  readonly mailbox: string;
  readonly party: Party;
  readonly before: Before;
  /** The signer of its receipt. */
  readonly signer: Signer;
  /** Runs a plan that needs more than the thread has. */
  readonly execute: (plan: Plan) => Outcome | Promise<Outcome>;
}

const SLACK_MS = 20 * SECOND;
const WORKER = new URL('./worker.ts', import.meta.url);
const HEAP_MB = 256;

/** A message while a thread works on it. */
class Watching implements Listener<Saying> {
  readonly #context: Context<Settings>;

  constructor(context: Context<Settings>) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  onReport(saying: Saying): void {
    if ('report' in saying) this.#context.report(saying.report);
    // The thread does not wait for the checkpoint; without it the work is repeated after a restart.
    else this.#context.services.save(saying.checkpoint).catch(() => undefined);
  }
}

/**
 * The threads that read messages and run tasks that need nothing else. Long instructions delay neither other work nor HTTP
 * requests, and a crash of these threads does not end the process.
 */
export class PlannerThreads {
  readonly #lanes: Lanes<WorkerRequest, WorkerResult, Saying>;
  readonly #texts = new WeakMap<Settings, string>();
  /** Those that the threads have; there are several after a key was replaced. */
  readonly #signers = new Map<string, Signer>();

  constructor({ limits, slack_ms = SLACK_MS, script = WORKER, ...times }: PlannerThreadsOptions) {
    this.#lanes = new Lanes({
      ...times,
      name: 'do',
      script,
      data: (): ThreadData => ({ limits, signers: [...this.#signers.values()] }),
      run_ms: limits.ms + slack_ms,
      resource_limits: { maxOldGenerationSizeMb: HEAP_MB },
    });
  }

  /** The outcome of a message that is handled for the first time. */
  begin(
    message: Pick<Incoming, 'id' | 'body' | 'data'>,
    context: Context<Settings>,
    { mailbox, party, before: history, signer, execute }: Given,
  ): Promise<Outcome> {
    if (this.#lanes.broken) return Promise.resolve(AWAY);
    const text = this.#textOf(context.settings);
    const postedAt = performance.timeOrigin + performance.now();
    const earlier = history === NOTHING_BEFORE ? null : earlierOf(history);
    const { id, body, data } = message;
    const job: Job = [id, body, data, context.clock(), postedAt, mailbox, text, party, earlier, signer.header];
    this.#hand(signer);
    return this.#lanes
      .run(callerOf(context), job, new Watching(context))
      .then((result) => outcomeFrom(result, execute), given);
  }

  /** What the thread says about a message that follows earlier ones, or its outcome. */
  async before(message: Incoming, context: Context<Settings>, thread: readonly ThreadMessage[], party: Party) {
    if (this.#lanes.broken) return AWAY;
    const { id, thread_id, in_reply_to, hops, subject, body, retry_of } = message;
    const follower = { id, thread_id, in_reply_to, hops, subject, body, retry_of };
    const settings = this.#textOf(context.settings);
    const job = { kind: 'follow', message: follower, thread, now: context.clock(), settings, party } as const;
    try {
      const result = await this.#lanes.run(callerOf(context), job);
      if (result !== null && 'kind' in result && result.kind === 'before') return result.before;
      throw new Error('The thread answered something else.');
    } catch (error) {
      return given(error);
    }
  }

  /** The steps of instructions that run later; undefined where they cannot be told. */
  async stepsLater(
    instructions: string,
    context: Context<Settings>,
    party: Party,
  ): Promise<readonly Step[] | undefined> {
    const settings = this.#textOf(context.settings);
    const job = { kind: 'later', instructions, now: context.clock(), settings, party } as const;
    try {
      const result = await this.#lanes.run(callerOf(context), job);
      return result !== null && 'kind' in result && result.kind === 'later' ? (result.steps ?? undefined) : undefined;
    } catch (error) {
      if (error instanceof PoolError && error.reason !== 'closed') return undefined;
      throw error;
    }
  }

  /** The tasks, of which those that need only their input run on the threads. */
  tasks(tasks: readonly Task[]): readonly Task[] {
    return tasks.map((task) => {
      const { inline } = task;
      if (standsAlone(task)) return { ...task, run: (input, context) => this.#step(task.name, input as Json, context) };
      if (task.effects !== 'none' || inline === undefined) return task;
      return {
        ...task,
        run: (input, context) =>
          inline(input) ? this.#step(task.name, input as Json, context) : task.run(input, context),
      };
    });
  }

  prepare(): void {
    this.#lanes.post('prepare');
  }

  close(): Promise<void> {
    return this.#lanes.close();
  }

  async #step(name: string, input: Json, context: TaskContext): Promise<unknown> {
    const { caller = '', clock, time_zone, limits } = context;
    if (this.#lanes.broken) throw new Error('The threads for tasks do not start.');
    const { ms, output_bytes, memory_bytes } = limits;
    const step = { kind: 'step', task: name, input, now: clock(), time_zone } as const;
    // The threads have a time limit of their own for what runs there.
    const go = context.pause?.();
    try {
      const result = await this.#lanes.run(caller, { ...step, limits: { ms, output_bytes, memory_bytes } });
      if (result === null || !('kind' in result)) throw new Error('The thread answered something else.');
      if (result.kind === 'output') return result.output;
      if (result.kind === 'fault') throw new TaskError(result.message);
      throw new Error('The thread answered something else.');
    } catch (error) {
      if (!(error instanceof PoolError) || error.reason === 'closed') throw error;
      throw new TaskError(TROUBLES[error.reason]);
    } finally {
      go?.();
    }
  }

  #hand(signer: Signer): void {
    if (this.#signers.has(signer.header)) return;
    this.#signers.set(signer.header, signer);
    this.#lanes.post(signer);
  }

  #textOf(settings: Settings): string {
    let text = this.#texts.get(settings);
    if (text === undefined) {
      text = JSON.stringify(settings);
      this.#texts.set(settings, text);
    }
    return text;
  }
}

/** Guests that cannot be distinguished share one turn. */
const callerOf = ({ caller, sender }: Context<Settings>): string => caller ?? sender.namespace_id ?? 'guests';

const earlierOf = ({ output, step, result, planned, body, about, answers, pasted, file }: Before): Earlier => ({
  output,
  step,
  ...(result !== undefined && { result }),
  ...(planned !== undefined && { planned }),
  ...(body !== undefined && { body }),
  ...(about !== undefined && { about }),
  ...(answers !== undefined && { answers }),
  ...(pasted !== undefined && { pasted }),
  ...(file !== undefined && { file }),
});

const TROUBLES: { readonly [reason in Exclude<PoolError['reason'], 'closed'>]: string } = {
  timeout: 'This took too long and was stopped. Nothing was done.',
  crashed: 'Reading this message failed twice. Nothing was done. Send it in parts.',
  ended: 'Reading this message was interrupted. Nothing was done. Send it again.',
  full: 'Too many of your messages wait to be read. Nothing was done. Send it again later.',
};
const FULL_MS = 5 * SECOND;
/** The message is read nowhere else, because hostile text would block that thread too. */
const AWAY: Outcome = {
  kind: 'retry',
  after_ms: FULL_MS,
  detail: 'The thread that reads messages does not start. Nothing was done.',
};

/** The outcome of a message that the threads could not handle; unexpected errors are rethrown. */
function given(error: unknown): Outcome {
  if (!(error instanceof PoolError) || error.reason === 'closed') throw error;
  const detail = TROUBLES[error.reason];
  return error.reason === 'full' ? { kind: 'retry', after_ms: FULL_MS, detail } : { kind: 'fail', detail };
}

function outcomeFrom(result: WorkerResult, execute: Given['execute']): Outcome | Promise<Outcome> {
  if (result === null) throw new Error('The thread answered nothing.');
  if ('kind' in result) {
    if (result.kind === 'outcome') return result.outcome;
    if (result.kind === 'plan') return execute(result.plan);
    throw new Error('The thread answered something else.');
  }
  const [body, detail, receipt] = result;
  return outcomeOf({ body, detail }, new JsonText(receipt), []);
}
