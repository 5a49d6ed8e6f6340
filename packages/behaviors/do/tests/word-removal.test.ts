import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTelling } from '@mailroom/english-instructions/planner/account';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { PLAIN_WORDS } from '@mailroom/english-instructions/planner/plain-words';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { amount, everyNth } from '../../../../tests/soak/length.ts';
import { ANSWERS } from '../../../english-instructions/tests/tasks/corpus/answers.ts';
import { CHOICES } from '../../../english-instructions/tests/tasks/corpus/choices.ts';
import { FACTS } from '../../../english-instructions/tests/tasks/corpus/facts.ts';
import { PARTS } from '../../../english-instructions/tests/tasks/corpus/parts.ts';
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
  ...[...ANSWERS, ...FACTS, ...CHOICES].map(([says]) => says).filter((says) => !says.includes(' || ')),
  ...[QUANTITIES, TIMES, PARTS].flatMap((all) => Object.values(all).flat()),
];

/** Words of these examples that name what is there or say what is plain, beside those that any instruction may have. */
const REDUNDANT = new Set(
  `b m exam called side characters shift shirt cans colors animals off among per dinner city son team advance saying run tags
guest orders eggs ways apples power fractions two shares oven pens booking sweets report bonus bob assistant`.split(
    /\s+/,
  ),
);
const WORD = /(?<![\p{L}\d'’-])\p{L}[\p{L}'’-]*/gu;

test('a word of an example that changes nothing when it is taken away is a name, or says what is plain without it', () => {
  const ignored: string[] = [];
  let count = 0;
  for (const says of everyNth(EXAMPLES, 6)) {
    const whole = stepsOf(says);
    if (whole === undefined) continue;
    for (const { 0: word, index } of (says.split(/\n|: /)[0] as string).matchAll(WORD)) {
      const lower = word.toLowerCase();
      if (index === 0 || !isTelling(lower) || PLAIN_WORDS.has(lower) || REDUNDANT.has(lower)) continue;
      count++;
      const rest = `${says.slice(0, index).trimEnd()} ${says.slice(index + word.length).trimStart()}`.trim();
      if (stepsOf(rest) === whole) ignored.push(`“${word}” of ${says}`);
    }
  }
  assert.deepEqual(ignored, []);
  assert.ok(count > amount(80, 600), `${count} words were taken away`);
});
