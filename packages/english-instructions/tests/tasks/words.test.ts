import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { makeTasks } from '../../tasks/index.ts';
import { stepWords } from '../../tasks/task.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });

/** What a step would do, as the approver sees it. */
const words = (name: string, input: Json, time_zone = 'UTC') => {
  const task = tasks.find((one) => one.name === name);
  assert.ok(task);
  return stepWords(task, input, time_zone);
};

test('every task with effects has words for what it would do', () => {
  for (const { name, effects, says } of tasks) if (effects !== 'none') assert.ok(says, name);
});

for (const [name, input, does, text] of [
  [
    'remind',
    { text: 'buy bulbs', at: '2026-11-23T10:00:00+01:00', time_zone: 'Europe/Berlin' },
    'Remind you Monday, November 23, 2026, at 10:00 (Europe/Berlin)',
    'buy bulbs',
  ],
  ['remind', { text: 'stretch', rule: '0 9 * * 1-5' }, 'Remind you every weekday at 09:00 (UTC)', 'stretch'],
  ['remind', { text: 'x', rule: 'every Friday at 17:00' }, 'Remind you every Friday at 17:00 (UTC)', 'x'],
  ['remind', { text: 'x', at: 'tomorrow at 9' }, 'Remind you tomorrow at 9 (UTC)', 'x'],
  ['remind', { text: 'x', rule: 'sometimes' }, 'Remind you sometimes (UTC)', 'x'],
  ['remind', { text: 'x', rule: '0 9 * * *', time_zone: 'Mars/Olympus' }, 'Remind you 0 9 * * * (Mars/Olympus)', 'x'],
  ['send', { to: 'tasks@ada', body: 'hello\nthere' }, 'Send to tasks@ada', 'hello\nthere'],
  [
    'send',
    { to: 'tasks@ada', body: '{{2}}', subject: 'Total' },
    'Send to tasks@ada, with the subject “Total”',
    '[the result of step 2]',
  ],
  [
    'send',
    { to: 'tasks@ada', body: 'a \\{{2}} and {{1.total}}' },
    'Send to tasks@ada',
    'a {{2}} and [total of step 1]',
  ],
  [
    'schedule',
    { op: 'add', instructions: 'calculate 2+2', at: '2026-11-23T09:00:00+00:00' },
    'Do this Monday, November 23, 2026, at 09:00 (UTC)',
    'calculate 2+2',
  ],
  ['schedule', { op: 'cancel', all: true, only: 'reminders' }, 'Cancel all reminders', undefined],
  ['schedule', { op: 'cancel', query: 'Ann', only: 'reminders' }, 'Cancel the reminder about', 'Ann'],
  ['schedule', { op: 'cancel', id: 'sch_1' }, 'Cancel the schedule sch_1', undefined],
  ['remember', { name: 'milk', text: 'milk is white' }, 'Remember as “milk”', 'milk is white'],
  ['forget', { all: true }, 'Forget all notes', undefined],
  ['forget', { name: 'milk' }, 'Forget the note', 'milk'],
  ['recall', { query: 'milk' }, 'Read the notes about', 'milk'],
  ['fetch', { url: 'https://a.example/', as: 'title' }, 'Fetch the title of', 'https://a.example/'],
  ['run', { code: '1 + input', input: 2 }, 'Run a script', '1 + input\n\n// input:\n2'],
] as const) {
  test(`says what a step would do: ${name} ${JSON.stringify(input)}`, () => {
    assert.deepEqual(words(name, input), text === undefined ? { does } : { does, text });
  });
}

test('of an input that the task would not take nothing is said', () => {
  assert.equal(words('remind', { text: 7 }), undefined);
  assert.equal(words('send', null), undefined);
  assert.equal(words('calculate', { expression: '1' }), undefined);
});
