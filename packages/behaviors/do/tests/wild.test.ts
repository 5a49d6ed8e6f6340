import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { makeDo } from '../index.ts';
import { contextOf, messageOf, proofIn } from './context.ts';
import { ASKED } from './wild/asked.ts';
import { COMBINED } from './wild/combined.ts';
import { EFFECTS } from './wild/effects.ts';
import { NUMBERS } from './wild/numbers.ts';
import { TEXTS } from './wild/texts.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const behavior = makeDo({
  tasks,
  limits: { steps: 50, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: async () => 'signed',
});
after(() => behavior.close?.());

const effects = new Map(tasks.map((task) => [task.name, task.effects]));

for (const { says, tasks: wanted, result, matches, plans } of [...NUMBERS, ...TEXTS, ...EFFECTS, ...COMBINED]) {
  test(`is understood: ${JSON.stringify(says)}`, async () => {
    const planned = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
    assert.equal(planned.kind, 'plan', JSON.stringify(planned));
    const steps = planned.kind === 'plan' ? planned.steps : [];
    assert.deepEqual(
      steps.map(({ task }) => task),
      wanted,
      JSON.stringify(steps),
    );
    if (plans !== undefined) assert.match(JSON.stringify(steps), plans);
    if (wanted.some((name) => effects.get(name) !== 'none')) return;
    const outcome = await behavior.handle(messageOf(says), contextOf());
    assert.equal(outcome.kind, 'reply', JSON.stringify(outcome));
    if (outcome.kind !== 'reply') return;
    const last = proofIn(outcome).steps.at(-1) as { output: { result: Json } } | undefined;
    if (result !== undefined) assert.deepEqual(last?.output.result, result);
    if (matches !== undefined) assert.match(`${JSON.stringify(last?.output)}\n${outcome.body}`, matches);
  });
}

for (const says of ASKED) {
  test(`is asked about: ${JSON.stringify(says)}`, () => {
    const planned = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
    assert.equal(planned.kind, 'unclear', JSON.stringify(planned));
  });
}

test('after a result a sign before a number is no list mark', () => {
  const planned = planOf('* 3', { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: true });
  assert.deepEqual(planned, { kind: 'plan', steps: [{ task: 'calculate', input: { expression: '({{0}}) * 3' } }] });
});
