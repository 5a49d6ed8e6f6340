import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Outcome, Services } from '@mailroom/behavior';
import type { Effect } from '@mailroom/behavior/effect';
import type { Json } from '@mailroom/behavior/values/json';
import { type Effects, type Task, TaskError, task } from '@mailroom/english-instructions/tasks/task';
import type { Checkpoint } from '@mailroom/steps/running/checkpoint';
import type { StepReceipt } from '@mailroom/steps/running/receipt';
import { Type } from 'typebox';
import { chance } from '../../../../tests/harness/chance.ts';
import { makeDo } from '../index.ts';
import { contextOf, messageOf, proofIn, type Situation } from './context.ts';

// Random plans that complete, crash at each possible point, or are canceled, compared with a small model of what a run
// promises. `SEED` repeats one.
// of what a run promises. `SEED` repeats one.
const SEED = Number(process.env.SEED ?? 20_261_122);
const PLANS = 100;
/** Long enough for a step that only waits for its turn on a busy machine. */
const STEP_MS = 200;
const OUTPUT = 300;
const TOTAL = 600;

/** The kinds of test steps: synchronous or after a wait, with a note or without, and their ends. */
interface Act {
  readonly n: number;
  readonly waits: number;
  readonly ends: 'well' | 'badly' | 'never' | 'broken';
  readonly size: number;
  readonly notes: boolean;
  /** An earlier result, which is used by this step. */
  readonly with?: string;
  readonly [name: string]: Json;
}
const Input = Type.Object(
  {
    n: Type.Integer(),
    waits: Type.Integer(),
    ends: Type.String(),
    size: Type.Integer(),
    notes: Type.Boolean(),
    with: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** The numbers of the steps that ran. */
interface World {
  readonly ran: number[];
  /** Aborts the run, during a step or while a checkpoint is stored. */
  cancel?: { readonly during: number; readonly by: AbortController };
}
let world: World = { ran: [] };

function acting(name: string, effects: Effects, repeatable: boolean): Task {
  return task({
    name,
    description: name,
    input: Input,
    output: Type.Object({ result: Type.String() }),
    effects,
    repeatable,
    examples: [],
    read: () => undefined,
    show: ({ result }) => result,
    run(input, context) {
      const { n, waits, ends, size, notes } = input as unknown as Act;
      const { ran, cancel } = world;
      ran.push(n);
      const end = (): { result: string } => {
        if (ends === 'badly') throw new TaskError('It is out of order.');
        if (ends === 'broken') throw new RangeError('A fault of ours.');
        return { result: 'r'.repeat(size) };
      };
      if (waits === 0 && !notes && ends !== 'never') return end();
      const note = async (which: string): Promise<void> => {
        if (notes) await context.notes.put(`${which} ${n}`, 'x');
      };
      const goOn = async (): Promise<{ result: string }> => {
        for (let at = 0; at < waits; at++) await turn();
        await note('begun');
        if (cancel?.during === n) {
          cancel.by.abort(new Error('canceled'));
          await turn();
        }
        if (ends !== 'never') return end();
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
        // A task that does not heed its signal continues.
        await note('late');
        return end();
      };
      return goOn();
    },
  });
}
const KINDS = {
  thinks: ['none', true],
  looks: ['reads', true],
  writes: ['writes', true],
  once: ['writes', false],
} as const;
type Kind = keyof typeof KINDS;
const behavior = makeDo({
  tasks: (Object.keys(KINDS) as Kind[]).map((name) => acting(name, KINDS[name][0], KINDS[name][1])),
  limits: { steps: 20, ms: STEP_MS, output_bytes: OUTPUT, total_bytes: TOTAL, memory_bytes: 1 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: async () => 'a.b.c',
});
after(() => behavior.close?.());

interface Planned {
  readonly task: Kind;
  readonly input: Act;
}

function planOf(random: () => number): Planned[] {
  const below = (max: number): number => Math.floor(random() * max);
  const one = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const length = 1 + below(7);
  // Most plans fail once, at a random step.
  const wrong = below(length + 2);
  return Array.from({ length }, (_, at) => ({
    task: one(Object.keys(KINDS) as Kind[]),
    input: {
      n: at + 1,
      waits: one([0, 0, 1, 3]),
      ends: at === wrong ? (random() < 0.1 ? 'never' : one(['badly', 'badly', 'badly', 'broken'] as const)) : 'well',
      size: one([0, 10, 100, 250, random() < 0.1 ? 300 : 20]),
      notes: random() < 0.4,
      ...(at > 0 && random() < 0.3 ? { with: `{{${1 + below(at)}}}` } : {}),
    },
  }));
}

type ExpectedStep = Pick<StepReceipt, 'step' | 'status'> & { readonly error: RegExp | null };
interface Expected {
  /** An internal error: the message is only tried again. */
  readonly breaks: boolean;
  readonly steps: readonly ExpectedStep[];
  readonly notes: readonly string[];
  /** The steps that run, beginning after `from`. */
  readonly runs: readonly number[];
}

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The promised result. `from`: the number of steps done before; `running`: a step that may have happened. */
function expected(plan: readonly Planned[], from = 0, running: number | null = null): Expected {
  const [steps, notes, runs]: [ExpectedStep[], string[], number[]] = [[], [], []];
  let total = 0;
  let over = false;
  for (const [at, { task: kind, input }] of plan.entries()) {
    const step = at + 1;
    if (over) {
      steps.push({ step, status: 'skipped', error: null });
      continue;
    }
    if (running === step && kind === 'once') {
      steps.push({ step, status: 'unknown', error: /may have taken effect/ });
      over = true;
      continue;
    }
    if (step > from) runs.push(step);
    if (input.ends === 'broken') return { breaks: true, steps, notes, runs };
    const [output, of] = [{ result: 'r'.repeat(input.size) }, Number(/\d+/.exec(input.with ?? '')?.[0])];
    const brought = input.with === undefined ? 0 : bytes({ ...input, with: 'r'.repeat(plan[of - 1]?.input.size ?? 0) });
    const wrong =
      input.ends === 'badly'
        ? /out of order/
        : input.ends === 'never'
          ? /longer than/
          : bytes(output) > OUTPUT
            ? /are allowed/
            : total + bytes(output) + brought > TOTAL
              ? /together/
              : null;
    over = wrong !== null;
    steps.push({ step, status: over ? 'failed' : 'completed', error: wrong });
    if (!over) total += bytes(output) + brought;
    if (!over && input.notes) notes.push(`begun ${step}`);
  }
  return { breaks: false, steps, notes, runs };
}

interface Saved {
  readonly checkpoint: Checkpoint;
  /** The steps that had run by then. */
  readonly ran: readonly number[];
}
interface Ran {
  /** Undefined: the run threw or was ended. */
  readonly outcome: Outcome | undefined;
  readonly ran: readonly number[];
  readonly saved: readonly Saved[];
  readonly reports: readonly string[];
}

async function run(plan: readonly Planned[], from?: Checkpoint, situation: Situation = {}): Promise<Ran> {
  const ran: number[] = [];
  const [saved, reports]: [Saved[], string[]] = [[], []];
  world = { ran, ...(world.cancel === undefined ? {} : { cancel: world.cancel }) };
  const notes = { get: async () => undefined, find: async () => [], count: async () => 0 };
  const save = async (state: Json): Promise<void> => {
    saved.push({ checkpoint: JSON.parse(JSON.stringify(state)) as Checkpoint, ran: [...ran] });
  };
  const services = { notes, save, checkpoint: async () => from as unknown as Json } as Partial<Services>;
  const message = messageOf('x', { data: { steps: plan as unknown as Json } });
  const report = (text: string): unknown => reports.push(text);
  const context = contextOf({
    again: from !== undefined,
    report,
    ...situation,
    services: { ...services, ...situation.services },
  });
  let outcome: Outcome | undefined;
  try {
    outcome = await behavior.handle(message, context);
  } catch (error) {
    if (!(error instanceof RangeError) && context.signal.reason !== error) throw error;
  }
  return { outcome, ran, saved, reports };
}

const notesOf = (effects: readonly Effect[] = []): string[] =>
  effects.map((effect) => (effect.kind === 'note' ? effect.name : effect.kind));

/** Checks the actual result against the promised one. */
function check(actual: Ran, promised: Expected, label: string): void {
  const { outcome } = actual;
  assert.deepEqual(actual.ran, promised.runs, `${label}: what ran`);
  if (promised.breaks) {
    assert.equal(outcome, undefined, `${label}: it breaks`);
    return;
  }
  assert.ok(outcome !== undefined && (outcome.kind === 'reply' || outcome.kind === 'fail'), label);
  const { steps, status, plan } = proofIn(outcome);
  assert.deepEqual(
    steps.map((step) => [step.step, step.status]),
    promised.steps.map((step) => [step.step, step.status]),
    `${label}: ${JSON.stringify(steps)}`,
  );
  const wrong = promised.steps.find(({ error }) => error !== null);
  assert.deepEqual([status, outcome.kind], wrong === undefined ? ['completed', 'reply'] : ['failed', 'fail'], label);
  if (outcome.kind === 'fail' && wrong?.error != null) {
    assert.match(outcome.detail, wrong.error, label);
    assert.ok(outcome.detail.startsWith(`Step ${wrong.step} (${plan[wrong.step - 1]?.task}): `), outcome.detail);
  }
  for (const [at, { status, output, error, started_at, duration_ms, effects, task }] of steps.entries()) {
    assert.equal(task, plan[at]?.task, label);
    assert.equal(effects, KINDS[task as Kind][0], label);
    assert.equal(output !== null, status === 'completed', `${label}: only what is completed has an output`);
    assert.equal(error !== null, status === 'failed' || status === 'unknown', label);
    const began = status === 'completed' || status === 'failed';
    assert.deepEqual([started_at !== null, duration_ms !== null], [began, began], label);
  }
  const effects = 'effects' in outcome ? outcome.effects : [];
  assert.deepEqual(notesOf(effects), promised.notes, `${label}: what is written is what completed steps made`);
  for (const report of actual.reports) {
    const [, number, of, name] = /^(?:Step (\d+) of (\d+): |Running )(.+)$/.exec(report) ?? [];
    assert.equal(Number(of ?? 1), plan.length, report);
    assert.equal(plan[Number(number ?? 1) - 1]?.task, name, report);
  }
}

describe(`plans by chance (SEED=${SEED})`, () => {
  const random = chance(SEED);
  const plans = Array.from({ length: PLANS }, () => planOf(random));
  const label = (at: number, how: string): string => `SEED=${SEED}, plan ${at}, ${how}: ${JSON.stringify(plans[at])}`;

  test('run to their end as promised, and go on as promised from each point where a crash may end them', async () => {
    for (const [at, plan] of plans.entries()) {
      const whole = await run(plan);
      check(whole, expected(plan), label(at, 'whole'));
      const points = whole.saved.entries();
      for (const [which, { checkpoint, ran }] of points) {
        const { steps, running } = checkpoint;
        const how = label(at, `from the checkpoint ${which} (${steps.length} steps, running ${running})`);
        assert.ok(ran.length === steps.length && notesOf(checkpoint.effects).length <= steps.length, how);
        const again = await run(plan, checkpoint);
        check(again, expected(plan, steps.length, running), how);
        // It crashed at the latest before writing the next checkpoint.
        const before = whole.saved[which + 1]?.ran ?? whole.ran;
        const both = [...before, ...again.ran];
        const single = both.filter((n) => plan[n - 1]?.task === 'once');
        assert.equal(
          new Set(single).size,
          single.length,
          `${how}: ${both.join(' ')}: nothing happens twice that may not`,
        );
      }
    }
  });

  test('that failed and crashed before that was written are not gone on with', async () => {
    for (const [at, plan] of plans.entries()) {
      const { outcome, ran } = await run(plan);
      if (outcome?.kind !== 'fail') continue;
      const { steps, planner } = proofIn(outcome);
      const effects = 'effects' in outcome ? outcome.effects : [];
      const done = steps.filter(({ status }) => status !== 'skipped');
      const state = { plan: { planner, steps: plan } as unknown as Json, effects: effects ?? [], running: null };
      const again = await run(plan, { ...state, steps: done });
      check(again, { ...expected(plan, plan.length), runs: [] }, label(at, `failed after ${ran.join(' ')}`));
    }
  });

  test('that are canceled while a step waits, or while it is written down, begin nothing more', async () => {
    for (const [at, plan] of plans.entries()) {
      const waiting = plan.findIndex(({ input }) => input.waits > 0);
      if (waiting >= 0) {
        const by = new AbortController();
        world.cancel = { during: waiting + 1, by };
        const { ran, outcome } = await run(plan, undefined, { signal: by.signal });
        delete world.cancel;
        assert.ok(
          ran.every((n) => n <= waiting + 1),
          label(at, `canceled in ${waiting + 1}: ${ran.join(' ')}`),
        );
        const last = ran.at(-1) === plan.length;
        assert.ok(outcome === undefined || last || !by.signal.aborted, label(at, 'what was canceled comes to nothing'));
      }
      const by = new AbortController();
      let atSave: number | undefined;
      const save = async (): Promise<void> => {
        atSave ??= world.ran.length;
        await turn();
        by.abort(new Error('canceled'));
      };
      const { ran, outcome } = await run(plan, undefined, { signal: by.signal, services: { save } });
      if (atSave === undefined) continue;
      assert.equal(outcome, undefined, label(at, 'canceled as it was written down'));
      assert.equal(ran.length, atSave, label(at, `canceled as it was written down: ${ran.join(' ')}`));
    }
  });
});
