// Plans yield to requests.
import '@mailroom/workers/low-priority';
import { workerData } from 'node:worker_threads';
import type { Services } from '@mailroom/behavior';
import type { Signer } from '@mailroom/behavior/host';
import { compactJwsNow } from '@mailroom/behavior/jws';
import type { Sender } from '@mailroom/behavior/message';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import type { Json } from '@mailroom/behavior/values/json';
import type { Plan } from '@mailroom/english-instructions/plan/index';
import { trust } from '@mailroom/english-instructions/plan/validate';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { type TaskContext, TaskError } from '@mailroom/english-instructions/tasks/task';
import { Execution } from '@mailroom/steps/running/execution';
import type { ExecutionParts, Within } from '@mailroom/steps/running/execution-parts';
import { signed } from '@mailroom/steps/running/receipt';
import { serveBatches, type Work } from '@mailroom/workers/serve';
import { AvailableTasks, insideOf, standsAlone } from '../owner/available-tasks.ts';
import type { Settings } from '../owner/settings.ts';
import { Reader } from '../reading/index.ts';
import { beforeOf, NOTHING_BEFORE } from '../reading/thread.ts';
import { endedOf, type FinishedRun } from '../running/outcome.ts';
import type { FollowJob, Job, LaterJob, Saying, StepJob, ThreadData, WorkerRequest, WorkerResult } from './wire.ts';

const MAX_KNOWN = 256;

const given = workerData as ThreadData;
const { limits } = given;
const signers = new Map(given.signers.map((signer) => [signer.header, signer]));

// Tasks with threads of their own are read here but run elsewhere, so none of those threads starts.
const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 1 });
for (const { input } of tasks) trust(input);
const available = new AvailableTasks(tasks);
const reader = new Reader(available, limits.steps);
const HERE: ReadonlySet<string> = new Set(tasks.filter(standsAlone).map(({ name }) => name));

/** Whether all tasks of the plan, also within procedures, can run on this thread. */
function isHere({ steps }: Plan, settings: Settings): boolean {
  const taught = new Set(settings.procedures?.map(({ name }) => name));
  return steps.every(({ task }) => {
    const [own, ...inside] = insideOf(task, settings);
    return taught.has(task) ? inside.every((name) => HERE.has(name)) : HERE.has(own as string);
  });
}

const parsed = new Map<string, Settings>();
function settingsOf(text: string): Settings {
  let settings = parsed.get(text);
  if (settings === undefined) {
    settings = JSON.parse(text) as Settings;
    if (parsed.size >= MAX_KNOWN) parsed.clear();
    parsed.set(text, settings);
  }
  return settings;
}

function signerOf(header: string): Signer {
  const signer = signers.get(header);
  if (signer === undefined) throw new Error('This thread was not given the signer of the receipt.');
  return signer;
}

const unreachable = (): never => {
  throw new Error('A task without effects reached for something outside.');
};
const NO_SENDER: Sender = { kind: 'guest', id: null, namespace_id: null, key_id: null, from: null };

/**
 * The context of an execution on this thread: a clock and the message's poster. There is one per message, so it stays
 * small.
 */
class Inside implements Within, Services {
  readonly clock: Clock;
  readonly #work: Work<Saying>;

  constructor(clock: Clock, work: Work<Saying>) {
    this.clock = clock;
    this.#work = work;
  }

  get sender(): Sender {
    return NO_SENDER;
  }

  get services(): Services {
    return this;
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  report(report: string): void {
    this.#work.say({ report });
  }

  async save(checkpoint: Json): Promise<void> {
    this.#work.say({ checkpoint });
  }

  checkpoint(): never {
    return unreachable();
  }

  approved(): never {
    return unreachable();
  }

  planning(): never {
    return unreachable();
  }

  first(): never {
    return unreachable();
  }

  thread(): never {
    return unreachable();
  }

  ask(): never {
    return unreachable();
  }

  checkRecipient(): never {
    return unreachable();
  }

  get owner(): never {
    return unreachable();
  }

  get notes(): never {
    return unreachable();
  }

  get schedules(): never {
    return unreachable();
  }
}
const MESSAGE: ExecutionParts['message'] = { thread_id: '', hops: 0 };

type Unsigned =
  | Extract<WorkerResult, { kind: string } | null>
  | (FinishedRun & { readonly kind: 'unsigned'; readonly signer: Signer });

function begin(
  [id, body, data, now, postedAt, mailbox, text, party, earlier, header]: Job,
  work: Work<Saying>,
): Unsigned | Promise<Unsigned> {
  const history = earlier ?? NOTHING_BEFORE;
  // The poster's clock may differ from this thread's, and time may have passed since.
  const clock = (): Millis => now + Math.floor(performance.timeOrigin + performance.now() - postedAt);
  const message = { id, body, data };
  const settings = settingsOf(text);
  const read = reader.read({ message, settings, party, before: history, now });
  if ('kind' in read) return { kind: 'outcome', outcome: read };
  if (!isHere(read, settings)) return { kind: 'plan', plan: read };
  const mine = available.of(settings, party).tasks;
  const execution = new Execution({
    message: MESSAGE,
    context: new Inside(clock, work),
    tasks: mine,
    limits,
    time_zone: settings.time_zone ?? 'UTC',
    mailDomain: '',
    get: unreachable,
    before: history.output,
  });
  const ended = (): Unsigned => ({
    kind: 'unsigned',
    ...endedOf(execution, read, { message, mailbox, now: clock() }, mine),
    signer: signerOf(header),
  });
  const done = execution.run(read);
  return done instanceof Promise ? done.then(ended) : ended();
}

function end(unsigned: Unsigned): WorkerResult {
  if (unsigned?.kind !== 'unsigned') return unsigned;
  const { body, detail, receipt, signer: signs } = unsigned;
  return [body, detail, signed(receipt, compactJwsNow(signs, receipt)).text];
}

const isJob = (asked: Job | FollowJob | StepJob | LaterJob | Signer): asked is Job => Array.isArray(asked);

const follow = ({ message, thread, now, settings: text, party }: FollowJob): Unsigned => {
  const settings = settingsOf(text);
  return { kind: 'before', before: beforeOf(message, thread, settings, now, available.of(settings, party).all) };
};

const later = ({ instructions, now, settings: text, party }: LaterJob): Unsigned => {
  const steps = reader.stepsLater(instructions, { settings: settingsOf(text), party, now });
  return { kind: 'later', steps: steps ?? null };
};

async function step({ task: name, input, now, time_zone, limits: max }: StepJob): Promise<Unsigned> {
  const task = tasks.find((one) => one.name === name);
  if (task === undefined) throw new Error(`There is no task "${name}" here.`);
  const { signal } = new AbortController();
  const nothing = { fetch: unreachable, ask: unreachable } as const;
  const context = { clock: () => now, time_zone, limits: max, signal, ...nothing } as unknown as TaskContext;
  try {
    return { kind: 'output', output: (await task.run(input as never, context)) as Json };
  } catch (error) {
    if (error instanceof TaskError) return { kind: 'fault', message: error.message };
    throw error;
  }
}

serveBatches<WorkerRequest, Unsigned, WorkerResult, Saying>((request, work) => {
  if (request === 'prepare') for (const task of tasks) if (HERE.has(task.name)) task.prepare?.();
  if (request === 'prepare') return null;
  if (isJob(request)) return begin(request, work);
  if ('kind' in request)
    return request.kind === 'follow' ? follow(request) : request.kind === 'later' ? later(request) : step(request);
  signers.set(request.header, request);
  return null;
}, end);
