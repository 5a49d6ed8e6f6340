import { workerData } from 'node:worker_threads';
import type { Outside } from '../../core/behavior.ts';
import type { Millis } from '../../core/clock.ts';
import type { Signer } from '../../keyring/jws.ts';
import { compactJwsNow } from '../../keyring/jws.ts';
import { makeTasks } from '../../tasks/index.ts';
import { serveLane } from '../../workers/serve.ts';
import type { Ended } from './ended.ts';
import { endedOf } from './ended.ts';
import type { ExecutionParts } from './execution.ts';
import { Execution } from './execution.ts';
import { trust } from './fit.ts';
import { insideOf, KnownTasks } from './known.ts';
import type { Plan } from './plan.ts';
import { dataFault, Reader } from './reading.ts';
import { signed } from './receipt.ts';
import type { Settings } from './settings.ts';
import { NOTHING_BEFORE } from './thread.ts';
import type { Asked, Came, Job, ThreadData } from './wire.ts';

/** Settings that are known again by their text. */
const SETTINGS_MOST = 256;

const given = workerData as ThreadData;
const { limits } = given;
let signer: Signer = given.signer;

// Those that have threads of their own are read here and never run here: none of them starts.
const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 1 });
for (const { input } of tasks) trust(input);
const known = new KnownTasks(tasks);
const reader = new Reader(known, limits.steps);
/** What follows from its input alone. */
const HERE: ReadonlySet<string> = new Set(
  tasks.filter(({ effects, close }) => effects === 'none' && close === undefined).map(({ name }) => name),
);
const isHere = (plan: Plan, { procedures = [] }: Settings): boolean =>
  plan.steps.every(({ task }) => HERE.has(task) || procedures.some(({ name }) => name === task)) &&
  (procedures.length === 0 ||
    plan.steps.every(({ task }) => insideOf(task, { procedures }).every((name) => name === task || HERE.has(name))));

const parsed = new Map<string, Settings>();
function settingsOf(text: string): Settings {
  let settings = parsed.get(text);
  if (settings === undefined) {
    settings = JSON.parse(text) as Settings;
    if (parsed.size >= SETTINGS_MOST) parsed.clear();
    parsed.set(text, settings);
  }
  return settings;
}

const unreachable = (): never => {
  throw new Error('A task without effects reached for something outside.');
};
const NOWHERE: Outside = {
  checkpoint: unreachable,
  approved: unreachable,
  save: unreachable,
  thread: unreachable,
  ask: unreachable,
  get owner() {
    return unreachable();
  },
  get notes() {
    return unreachable();
  },
  get schedules() {
    return unreachable();
  },
};
const CONTEXT: Omit<ExecutionParts['context'], 'clock'> = {
  signal: new AbortController().signal,
  sender: { kind: 'guest', id: null, namespace_id: null, key_id: null, from: null },
  outside: NOWHERE,
  report: () => {},
};
const MESSAGE: ExecutionParts['message'] = { thread_id: '', hops: 0 };

/** What came of a message, unless it ran: that is to be signed. */
type Begun = Exclude<Came, { kind: 'ended' }> | (Ended & { readonly kind: 'unsigned'; readonly signer: Signer });

function begin(job: Job): Begun | Promise<Begun> {
  const { id, body, data, now, mailbox, party } = job;
  // The one who hands it over may have another clock than this thread.
  const began = performance.now();
  const clock = (): Millis => now + Math.floor(performance.now() - began);
  const message = { id, body, data };
  const settings = settingsOf(job.settings);
  const fault = dataFault(data);
  if (fault !== undefined) return { kind: 'outcome', outcome: { kind: 'reject', detail: fault } };
  const read = reader.read({ message, settings, party, before: NOTHING_BEFORE, now });
  if ('kind' in read) return { kind: 'outcome', outcome: read };
  if (!isHere(read, settings)) return { kind: 'plan', plan: read };
  const mine = known.of(settings, party).tasks;
  const execution = new Execution({
    message: MESSAGE,
    context: { ...CONTEXT, clock },
    tasks: mine,
    limits,
    time_zone: settings.time_zone ?? 'UTC',
    mailDomain: '',
    get: unreachable,
  });
  const ended = (): Begun => ({
    kind: 'unsigned',
    ...endedOf(execution, read, { message, mailbox, now: clock() }, mine),
    signer,
  });
  const done = execution.run(read);
  return done instanceof Promise ? done.then(ended) : ended();
}

function end(begun: Begun): Came {
  if (begun?.kind !== 'unsigned') return begun;
  const { body, detail, receipt, signer: signs } = begun;
  return { kind: 'ended', body, detail, data: signed(receipt, compactJwsNow(signs, receipt)).text };
}

serveLane<Asked, Begun, Came>((asked) => {
  if (asked === 'prepare') for (const task of tasks) if (HERE.has(task.name)) task.prepare?.();
  if (asked === 'prepare') return null;
  if ('id' in asked) return begin(asked);
  signer = asked;
  return null;
}, end);
