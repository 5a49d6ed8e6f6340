import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../planner/index.ts';
import { makeTasks } from '../../tasks/index.ts';
import { NOW } from './harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string) => planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
const stepOf = (says: string) => {
  const plan = planned(says);
  return plan.kind === 'plan' && plan.steps.length === 1 ? plan.steps[0] : undefined;
};

/** What is said on Friday 2026-11-20, what the reminder says, and its time or rule. */
for (const [says, text, when] of [
  [
    'my passport runs out on 15 january, remind me two days ahead of that',
    'my passport runs out on 15 january',
    '2027-01-13T09:00:00+00:00',
  ],
  [
    'my passport runs out on 15 january, remind me two days ahead of that to renew it',
    'renew it',
    '2027-01-13T09:00:00+00:00',
  ],
  ['mot is due 12 february. remind me a week before', 'mot is due 12 february', '2027-02-05T09:00:00+00:00'],
  [
    "anna's birthday is 3 march, remind me the day before at 10am",
    "anna's birthday is 3 march",
    '2027-03-02T10:00:00+00:00',
  ],
  [
    'my train is at 17:32 tomorrow - please remind me 40 minutes before',
    'my train is at 17:32 tomorrow',
    '2026-11-21T16:52:00+00:00',
  ],
  ['flight is on saturday at 6am. remind me the night before to pack', 'pack', '2026-11-20T20:00:00+00:00'],
  ['i need to ring the vet tomorrow at 11, remind me', 'ring the vet', '2026-11-21T11:00:00+00:00'],
  ['remind me the sunday before christmas to wrap presents', 'wrap presents', '2026-12-20T09:00:00+00:00'],
  ['remind me to wrap presents the sunday before christmas', 'wrap presents', '2026-12-20T09:00:00+00:00'],
  ['remind me on the last day of the month at 5pm to pay', 'pay', '2026-11-30T17:00:00+00:00'],
  ['remind me on the last day of each month at 5pm to pay', 'pay', '0 17 L * *'],
  ['remind me every month on the last day to pay', 'pay', '0 9 L * *'],
  ['remind me at noon, not at one, to eat', 'eat', '2026-11-20T12:00:00+00:00'],
  ['remind me thurs 6pm football', 'football', '2026-11-26T18:00:00+00:00'],
  ['remind me at half 7 tonight to call nan', 'call nan', '2026-11-20T19:30:00+00:00'],
  ['reminder - 1 dec - renew car insurance', 'renew car insurance', '2026-12-01T09:00:00+00:00'],
  ['remind me: dentist - thursday 3 dec 10:15', 'dentist', '2026-12-03T10:15:00+00:00'],
  ["don't forget to remind me tomorrow at 8 to bring the charger", 'bring the charger', '2026-11-21T08:00:00+00:00'],
  ['make sure i call the school tomorrow at 8:30', 'call the school', '2026-11-21T08:30:00+00:00'],
] as const)
  test(`${JSON.stringify(says)} reminds of ${JSON.stringify(text)} at ${when}`, () => {
    const { task, input } = stepOf(says) ?? {};
    const { at, rule, ...more } = (input ?? {}) as Record<string, unknown>;
    assert.deepEqual([task, more.text, at ?? rule], ['remind', text, when]);
  });

for (const [says, instructions, at] of [
  [
    'email lucia@example.org on monday at 8am - the keys are under the mat',
    'the keys are under the mat',
    '2026-11-23T08:00:00+00:00',
  ],
  ['email bob@example.com tonight at 8 "door code is 4411"', 'door code is 4411', '2026-11-20T20:00:00+00:00'],
  ['schedule an email to ben@example.com for monday 4pm: see you', 'see you', '2026-11-23T16:00:00+00:00'],
] as const)
  test(`${JSON.stringify(says)} is sent at ${at}`, () => {
    const { task, input } = stepOf(says) ?? {};
    const step = (input ?? {}) as Record<string, unknown>;
    assert.deepEqual([task, step.at], ['schedule', at]);
    assert.match(String(step.instructions), new RegExp(`^send .*@example\\.\\w+: ${instructions}$`));
  });

for (const says of [
  'my passport does not run out on 15 january, remind me two days before',
  'my passport runs out on 15 january, remind me an hour before',
  'the match is on saturday or sunday, remind me a day before',
  'rent is due every month, remind me two days before',
  'the exam is on 14 dec at 10am except for me. remind me 1 hour before',
  'email bob@example.com on monday at 8am or 9am: hi',
  'email bob@example.com on monday - lunch at 8am',
])
  test(`${JSON.stringify(says)} is asked about`, () => assert.equal(planned(says).kind, 'unclear'));
