import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTelling } from '@mailroom/english-instructions/planner/account';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { ANSWERS } from '../../../english-instructions/tests/tasks/corpus/answers.ts';
import { FACTS } from '../../../english-instructions/tests/tasks/corpus/facts.ts';
import { QUANTITIES } from '../../../english-instructions/tests/tasks/corpus/quantities.ts';
import { TIMES } from '../../../english-instructions/tests/tasks/corpus/times.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
function stepsOf(says: string): string | undefined {
  const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
  return plan.kind === 'plan' ? JSON.stringify(plan.steps) : undefined;
}

const EXAMPLES: readonly string[] = [
  ...tasks.flatMap(({ examples }) => examples),
  ...[...ANSWERS, ...FACTS].map(([says]) => says).filter((says) => !says.includes(' || ')),
  ...[QUANTITIES, TIMES].flatMap((all) => Object.values(all).flat()),
];

/** Words without which an instruction says the same, because they name what is there or say what is plain. */
const REDUNDANT = new Set(
  [
    // Things and people that figures belong to.
    'price shipping tip guest people orders eggs fee dinner friends city sales apples bill rent cans shirt colors animals',
    'fractions exam profit shift bought b everyone budget euros dollars pizza ppl scores buy room word son passport ages salary',
    // Kinds of data, and forms of it.
    'column json csv age rows characters table hash object format notation decimal places called side side',
    // What the other words say too.
    'pay total time keep work per rounded date saying run fairly among off month evenly year original ways rise born left',
    'drive speed ascending decode power appears appear percentage equal often interest starts day spent spend remains got earn valid salary m',
    // Courtesies, and names of whom a mail is to.
    'assistant team thx advance',
  ].flatMap((line) => line.split(' ')),
);
const WORD = /(?<![\p{L}\d'’-])\p{L}[\p{L}'’-]*/gu;

test('a word of an example that changes nothing when it is taken away is a name, or says what is plain without it', () => {
  const ignored: string[] = [];
  let count = 0;
  for (const says of EXAMPLES) {
    const whole = stepsOf(says);
    if (whole === undefined) continue;
    for (const { 0: word, index } of (says.split(/\n|: /)[0] as string).matchAll(WORD)) {
      const lower = word.toLowerCase();
      if (index === 0 || !isTelling(lower) || REDUNDANT.has(lower)) continue;
      count++;
      const rest = `${says.slice(0, index).trimEnd()} ${says.slice(index + word.length).trimStart()}`.trim();
      if (stepsOf(rest) === whole) ignored.push(`“${word}” of ${says}`);
    }
  }
  assert.deepEqual(ignored, []);
  assert.ok(count > 600, `${count} words were taken away`);
});
