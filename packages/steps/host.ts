import type { Host } from '@mailroom/behavior/host';
import { SECOND } from '@mailroom/behavior/values/clock';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import type { ModelLimits } from './model/state.ts';
import { remotesOf } from './outside/remotes.ts';
import type { ExecutionLimits } from './running/execution-parts.ts';

/** The settings of the operator that behaviors with tasks read. */
interface OperatorSettings {
  readonly DO_STEPS: number;
  readonly DO_STEP_SECONDS: number;
  readonly DO_STEP_OUTPUT: number;
  readonly DO_OUTPUT: number;
  readonly DO_MEMORY: number;
  readonly LIMIT_REPLY: number;
  readonly FETCH_BYTES: number;
  readonly SANDBOX_WORKERS: number;
  readonly SANDBOX_QUEUE: number;
  readonly RUN_SECONDS: number;
  readonly MODEL_STEPS: number;
  readonly MODEL_TOKENS: number;
}

const read = ({ settings }: Pick<Host, 'settings'>): OperatorSettings => settings as unknown as OperatorSettings;

/** The limits of a message, as the operator set them. */
export function limitsOf(host: Pick<Host, 'settings'>): ExecutionLimits {
  const settings = read(host);
  return {
    steps: settings.DO_STEPS,
    ms: settings.DO_STEP_SECONDS * SECOND,
    output_bytes: settings.DO_STEP_OUTPUT,
    total_bytes: settings.DO_OUTPUT,
    reply_bytes: settings.LIMIT_REPLY,
    memory_bytes: settings.DO_MEMORY,
  };
}

/** All tasks, some of which have threads; behaviors share them. */
export class SharedTasks {
  readonly all: readonly Task[];
  #offLoop: readonly Task[] | undefined;

  constructor(all: readonly Task[]) {
    this.all = all;
  }

  /** The tasks as they run beside the event loop, where a behavior has brought threads for that. */
  get offLoop(): readonly Task[] {
    return this.#offLoop ?? this.all;
  }

  set offLoop(tasks: readonly Task[]) {
    this.#offLoop = tasks;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map(async (task) => task.close?.()));
  }
}

export function sharedTasks(host: Host): SharedTasks {
  const { SANDBOX_WORKERS: sandbox_workers, SANDBOX_QUEUE: sandbox_queue } = read(host);
  return host.shared('tasks', () => new SharedTasks(makeTasks({ sandbox_workers, sandbox_queue })));
}

/** What all behaviors with tasks use of the service. */
export function stepsOptions(host: Host) {
  const { DO_STEP_SECONDS, FETCH_BYTES, MODEL_STEPS, MODEL_TOKENS, RUN_SECONDS } = read(host);
  // Leaves the answer without a model the time it needs.
  const model_limits: ModelLimits = { steps: MODEL_STEPS, tokens: MODEL_TOKENS, ms: RUN_SECONDS * 0.8 * SECOND };
  return {
    limits: limitsOf(host),
    mailDomain: host.mailDomain,
    get: host.fetch({ ms: DO_STEP_SECONDS * SECOND, bytes: FETCH_BYTES, redirects: 5 }),
    sign: (payload: string) => host.receipts.sign(payload),
    outside: remotesOf(host),
    model_limits,
  };
}
