import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Sender } from '@mailroom/behavior/message';
import type { Json } from '@mailroom/behavior/values/json';
import { type Task, TaskError, task } from '@mailroom/english-instructions/tasks/task';
import { FetchFailed } from '@mailroom/server/net/guarded-fetch';
import { Type } from 'typebox';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { makeDo } from '../index.ts';
import type { Settings } from '../owner/settings.ts';
import { contextOf, messageOf, proofIn } from './context.ts';

/** An outside effect that must not be repeated; `happened` counts it. */
let happened = 0;
const Any = Type.Object({ result: Type.Unknown() });
const launch = task({
  name: 'launch',
  description: 'Happens once.',
  input: Type.Object({}),
  output: Any,
  effects: 'writes',
  repeatable: false,
  examples: [],
  read: () => undefined,
  run: () => ({ result: ++happened }),
  show: () => 'Launched.',
});
const broken = task({
  name: 'broken',
  description: 'Fails.',
  input: Type.Object({}),
  output: Any,
  effects: 'none',
  repeatable: true,
  examples: [],
  read: () => undefined,
  run: () => {
    throw new TaskError('It is out of order.');
  },
  show: () => '',
});
const asleep = task({
  name: 'asleep',
  description: 'Never ends.',
  input: Type.Object({}),
  output: Any,
  effects: 'none',
  repeatable: true,
  examples: [],
  read: () => undefined,
  run: () => new Promise<never>(() => {}),
  show: () => '',
});

const tasks: readonly Task[] = [...testTasks(), launch, broken, asleep];
const limits = { steps: 50, ms: 300, output_bytes: 1_000, total_bytes: 1_500, memory_bytes: 32 << 20 };
const behavior = makeDo({
  tasks,
  limits,
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new FetchFailed('There is no outside here.')),
  sign: async (payload) => `signed ${payload.length}`,
});
after(() => behavior.close?.());

// Loading on first use takes longer than a step may take here.
for (const code of ['calculate 1+1', '```js\n1\n```']) {
  const end = performance.now() + 20_000;
  while ((await behavior.handle(messageOf(code), contextOf())).kind !== 'reply' && performance.now() < end);
}

const steps = (...names: (string | { task: string; input: Json })[]): Json => ({
  steps: names.map((one) => (typeof one === 'string' ? { task: one, input: {} } : one)),
});
const doing = (data: Json, situation: Parameters<typeof contextOf>[0] = {}) =>
  behavior.handle(messageOf('x', { data }), contextOf(situation));
const GUEST: Sender = { kind: 'guest', id: 'thr_1', namespace_id: null, key_id: null, from: null };
const OTHER: Sender = { kind: 'key', id: 'key_2', namespace_id: 'ns_other', key_id: 'key_2', from: null };

test('the example answers as it is shown', async () => {
  const { body, reply } = behavior.example ?? assert.fail();
  const outcome = await behavior.handle(messageOf(body), contextOf());
  assert.equal(outcome.kind === 'reply' && outcome.body, reply);
});

describe('of steps that turn one text into another', () => {
  const answer = async (body: string, data: Json = null): Promise<string> => {
    const outcome = await behavior.handle(messageOf(body, { data }), contextOf());
    return outcome.kind === 'reply' ? outcome.body : outcome.kind;
  };

  test('the last is shown alone', async () => {
    assert.equal(await answer('initials of John Ronald'), '`JR`');
    assert.equal(await answer('unique words in: a b a c'), '- a\n- b\n- c');
    assert.equal(await answer('uppercase “hello” and reverse it'), '`OLLEH`');
  });

  test('one of which something else is told is shown as well, and each that was written as a step', async () => {
    assert.match(await answer('uppercase “hello” and count the letters of it'), /HELLO[\s\S]*5/);
    const given = { task: 'text', input: { op: 'case', to: 'upper', text: 'hello' } };
    const taken = { task: 'text', input: { op: 'reverse', text: '{{1}}' } };
    assert.match(await answer('x', { steps: [given, taken] }), /HELLO[\s\S]*OLLEH/);
  });
});

describe('a step that fails', () => {
  test('ends the run: what had been done is told, what came after is not done', async () => {
    const outcome = await doing(steps({ task: 'calculate', input: { expression: '6*7' } }, 'broken', 'launch'));
    assert.equal(outcome.kind, 'fail');
    if (outcome.kind !== 'fail' || !('data' in outcome)) return;
    const receipt = proofIn(outcome);
    assert.deepEqual(
      receipt.steps.map(({ status }) => status),
      ['completed', 'failed', 'skipped'],
    );
    assert.equal(outcome.detail, 'Step 2 (broken): It is out of order.');
    assert.match(outcome.body, /42/);
    assert.equal(happened, 0);
  });

  for (const [how, failing, detail] of [
    ['by its time', 'asleep', /Step 2 \(asleep\): It took longer/],
    ['later on', { task: 'run', input: { code: 'throw new Error("no")' } }, /Step 2 \(run\): .*no/],
    ['behind a wait', { task: 'fetch', input: { url: 'https://example.com/' } }, /Step 2 \(fetch\): /],
    ['at its input', { task: 'calculate', input: { expression: '{{1.none}}' } }, /Step 2 \(calculate\): /],
  ] as const) {
    test(`${how} ends the run as well: nothing after it is done`, async () => {
      const before = happened;
      const outcome = await doing(steps({ task: 'run', input: { code: '6*7' } }, failing, 'launch', 'launch'));
      assert.equal(outcome.kind, 'fail', JSON.stringify(outcome));
      assert.match(outcome.kind === 'fail' ? outcome.detail : '', detail);
      assert.deepEqual(
        proofIn(outcome).steps.map(({ status }) => status),
        ['completed', 'failed', 'skipped', 'skipped'],
      );
      assert.equal(happened, before);
    });
  }

  test('by its time ends in its time', async () => {
    const from = performance.now();
    const outcome = await doing(steps('asleep'));
    assert.match(outcome.kind === 'fail' ? outcome.detail : '', /longer than 0.3 s/);
    assert.ok(performance.now() - from < 5_000);
  });

  test('by the size of its result, alone or together with others, says the limit', async () => {
    const long = { task: 'text', input: { op: 'say', text: 'a'.repeat(2_000) } };
    const alone = await doing(steps(long));
    assert.match(alone.kind === 'fail' ? alone.detail : '', /1000 are allowed/);
    const half = { task: 'text', input: { op: 'say', text: 'a'.repeat(600) } };
    const together = await doing(steps(half, half, half));
    assert.match(together.kind === 'fail' ? together.detail : '', /together/);
    const refers = { task: 'text', input: { op: 'count', text: '{{1}}' } };
    const broughtIn = await doing(steps(half, refers, refers, refers));
    assert.match(broughtIn.kind === 'fail' ? broughtIn.detail : '', /together/);
  });
});

test('what the sender wrote is no result: only what references bring into a step counts with those', async () => {
  const long = { task: 'text', input: { op: 'count', text: 'a'.repeat(900) } };
  assert.equal((await doing(steps(long, long, long))).kind, 'reply');
});

test('a run that is canceled ends at once, and the cancellation is no failure of the step', async () => {
  const abort = new AbortController();
  const outcome = doing(steps('asleep'), { signal: abort.signal });
  abort.abort(new Error('canceled'));
  await assert.rejects(Promise.resolve(outcome), /canceled/);
});

describe('after a crash', () => {
  const plan = {
    planner: 'steps',
    steps: [
      { task: 'launch', input: {} },
      { task: 'calculate', input: { expression: '1+1' } },
    ],
  };
  const done = {
    step: 1,
    task: 'launch',
    input: {},
    output: { result: 7 },
    started_at: '2026-11-20T08:00:00.000Z',
    duration_ms: 1,
    status: 'completed',
    effects: 'writes',
    error: null,
  };
  const resumed = (checkpoint: Json) =>
    behavior.handle(messageOf('x'), contextOf({ again: true, services: { checkpoint: async () => checkpoint } }));

  test('it goes on at the first step that is not done', async () => {
    const before = happened;
    const outcome = await resumed({ plan, steps: [done], effects: [], running: null });
    assert.equal(outcome.kind, 'reply');
    const receipt = proofIn(outcome);
    assert.deepEqual(receipt.steps[0], done);
    assert.deepEqual(receipt.steps[1]?.output && (receipt.steps[1].output as { result: number }).result, 2);
    assert.equal(happened, before);
  });

  test('a step that may have happened and cannot be done again is unknown, and the message fails with that', async () => {
    const before = happened;
    const outcome = await resumed({ plan, steps: [], effects: [], running: 1 });
    assert.equal(outcome.kind, 'fail');
    if (outcome.kind !== 'fail' || !('data' in outcome)) return;
    const receipt = proofIn(outcome);
    assert.deepEqual(
      receipt.steps.map(({ status }) => status),
      ['unknown', 'skipped'],
    );
    assert.match(outcome.detail, /may have taken effect/);
    assert.equal(happened, before);
  });

  test('what a step with effects is about to do is written down before it does it', async () => {
    const kept: unknown[] = [];
    const before = happened;
    const save = async (state: Json): Promise<void> => {
      kept.push((state as { running: number }).running, happened - before);
    };
    const outcome = await doing(steps('launch'), { services: { save } });
    assert.equal(outcome.kind, 'reply');
    assert.deepEqual(kept, [1, 0]);
  });
});

describe('who may do what', () => {
  const settings: Settings = { rights: { others: ['launch'], guests: ['calculate'] } };
  const allowed = async (sender: Sender, name: string, own: Settings = {}): Promise<boolean> => {
    const input = name === 'calculate' ? { expression: '1+1' } : {};
    return (await doing(steps({ task: name, input }), { sender, settings: own })).kind === 'reply';
  };
  test('by default strangers get what has no effects, the own namespace everything', async () => {
    for (const sender of [GUEST, OTHER]) {
      assert.equal(await allowed(sender, 'calculate'), true);
      assert.equal(await allowed(sender, 'launch'), false);
    }
    const own = await doing(steps('launch'));
    assert.equal(own.kind, 'reply');
  });

  test('settings widen it for other namespaces, and never for people without a key beyond what has no effects', async () => {
    assert.equal(await allowed(OTHER, 'launch', settings), true);
    assert.equal(await allowed(OTHER, 'calculate', settings), false);
    assert.equal(await allowed(GUEST, 'calculate', settings), true);
    assert.equal(await allowed(GUEST, 'launch', { rights: { guests: ['launch'] } }), false);
    assert.match(JSON.stringify(behavior.settingsErrors?.({ rights: { guests: ['launch'] } })), /without effects only/);
  });

  test('a task that needs approval, inside a procedure too, is not run before it', async () => {
    const before = happened;
    const procedures = [{ name: 'go', description: 'Goes.', steps: [{ task: 'launch' }] }];
    for (const name of ['launch', 'go']) {
      const outcome = await doing(steps(name), { settings: { approval: ['launch'], procedures } });
      assert.equal(outcome.kind, 'wait', name);
    }
    assert.equal(happened, before);
  });
});

describe('procedures', () => {
  const procedures: Settings['procedures'] = [
    {
      name: 'quote-price',
      description: 'The price with tax.',
      parameters: {
        type: 'object',
        properties: { net: { type: 'number' }, for: { type: 'string', default: 'you' } },
        required: ['net'],
      },
      steps: [
        { task: 'calculate', input: { expression: '{{input.net}} * 1.19' } },
        { task: 'text', input: { op: 'say', text: '{{input.for}}: {{1}} EUR' } },
      ],
    },
    {
      name: 'double',
      description: 'Twice as much.',
      parameters: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      script: 'return input.x * 2',
    },
  ];
  const settings: Settings = { procedures };
  const said = async (body: string): Promise<unknown> => {
    const outcome = await behavior.handle(messageOf(body), contextOf({ settings }));
    if (outcome.kind !== 'reply') return outcome;
    return proofIn(outcome)
      .steps.map(({ output }) => (output as { result: Json }).result)
      .at(-1);
  };

  test('are called by name, with named values, with one, and with pasted JSON', async () => {
    assert.equal(await said('quote price with net 100, for: two chairs'), 'two chairs: 119 EUR');
    assert.equal(await said('Quote-price net=100'), 'you: 119 EUR');
    assert.equal(await said('quote price:\n```json\n{"net": 200, "for": "Ann"}\n```'), 'Ann: 238 EUR');
    assert.equal(await said('double 21'), 42);
    assert.equal(await said('calculate 3*7, then double it'), 42);
  });

  test('ask for what they need', async () => {
    const outcome = (await said('quote price')) as { kind: string; body: string };
    assert.equal(outcome.kind, 'input_required');
    assert.match(outcome.body, /What is net\?/);
  });

  test('can be a step, and a wrong value is told before anything runs', async () => {
    const good = await doing(steps({ task: 'double', input: { x: 4 } }), { settings });
    assert.equal(good.kind, 'reply');
    const bad = await doing(steps('launch', { task: 'double', input: { x: 'four' } }), { settings });
    assert.equal(bad.kind, 'reject');
    assert.match(bad.kind === 'reject' ? bad.detail : '', /\/data\/steps\/1\/input/);
  });

  test('that are wrong are refused with the place', () => {
    const wrong = (procedure: object): string =>
      JSON.stringify(behavior.settingsErrors?.({ procedures: [{ description: 'x', ...procedure }] as never }));
    assert.match(wrong({ name: 'calculate', script: '1' }), /already/);
    assert.match(wrong({ name: 'a' }), /either steps or a script/);
    assert.match(wrong({ name: 'a', steps: [{ task: 'nothing' }] }), /no task \\"nothing\\"/);
    assert.match(wrong({ name: 'a', steps: [{ task: 'run', input: { code: '{{2}}' } }] }), /not before it/);
    assert.match(wrong({ name: 'a', steps: [{ task: 'run', input: { code: '{{input.x}}' } }] }), /no parameter/);
  });
});

describe('structured steps that are wrong run nothing', () => {
  for (const [what, data, why] of [
    ['no list', { steps: 'calculate' }, /must be a list/],
    ['an empty list', { steps: [] }, /no step/],
    ['10,000 of them', { steps: Array(10_000).fill({ task: 'launch', input: {} }) }, /10000 steps; 50/],
    ['an unknown task', steps('launch', 'lunch'), /no task "lunch"/],
    ['a name of the prototype', steps('launch', '__proto__'), /no task/],
    ['a step that refers to itself', steps('launch', { task: 'run', input: { code: '{{2}}' } }), /not before it/],
    ['a step that refers to a later one', steps({ task: 'run', input: { code: '{{2}}' } }, 'launch'), /not before it/],
    ['a field too many', steps('launch', { task: 'run', input: {}, when: 1 } as never), /"when" is neither/],
    ['an input of the wrong form', steps('launch', { task: 'calculate', input: { expression: 7 } }), /expression/],
  ] as const) {
    test(what, async () => {
      const before = happened;
      const outcome = await doing(data as Json);
      assert.equal(outcome.kind, 'reject');
      assert.match(outcome.kind === 'reject' ? outcome.detail : '', why);
      assert.equal(happened, before);
    });
  }
});
