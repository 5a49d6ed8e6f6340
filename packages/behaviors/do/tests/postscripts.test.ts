import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
/** The steps of a plan as text; undefined when something is asked. */
const stepsOf = (says: string): string | undefined => {
  const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
  return plan.kind === 'plan' ? JSON.stringify(plan.steps) : undefined;
};
const lines = (text: string): readonly string[] => text.trim().split('\n');

const REQUESTS = lines(`
What is 15% of 2,400?
Please add up 12, 18, 31 and 44.
Put these in alphabetical order: Walter, Imke, Sven, Carla
How many kilometres is 26 miles?
Could you count the words in this: the boats lie still in the harbour`);
/** What stands between a request and its postscript. */
const ENDINGS = [
  '\n',
  '\n\n',
  '\nThanks, Lou\n',
  '\n\nAll the best\nSiobhan\n\n',
  '\n\nMany thanks,\nIngrid Vale\nHarbour Office\n',
];
const CHANGES = lines(`
sorry, make that 14 instead of the first one
one of those is wrong, it should be 41
leave out the last one
only the first two please
not that one, the other
round it up to the next ten, as we always do
Carla is not coming after all, so she does not count
I need it the other way round`);
const REMINDER = 'Please remind me on Friday at 15:00 to ring the plumber.';
const CHANGES_OF_REMINDER = lines(`
they shut at two on Fridays! Make it 11:00 instead
it is Thursday, not Friday
better at 11:00 than at three
please tell Ann about it too
unless it rains
I am in New York this week`);
const TALK = lines(`
no hurry, whenever you get round to it
my sister says hi
it has been raining here all week
hope you are well`);

test('a postscript that changes a request is never passed over, wherever it stands', () => {
  const changed = [...REQUESTS.map((request) => [request, CHANGES] as const), [REMINDER, CHANGES_OF_REMINDER] as const];
  for (const [request, changes] of changed) {
    const whole = stepsOf(request);
    assert.ok(whole !== undefined, request);
    for (const ending of ENDINGS)
      for (const change of changes)
        for (const mark of [
          'PS ',
          'P.S. ',
          'ps: ',
          'PPS ',
          ...(ending.includes('\n') && ending.length > 2 ? ['', '('] : []),
        ]) {
          const mail = `${request}${ending}${mark}${change}${mark === '(' ? ')' : ''}`;
          assert.notEqual(stepsOf(mail), whole, mail);
        }
  }
});

test('a postscript of small talk changes nothing', () => {
  for (const request of [...REQUESTS, REMINDER])
    for (const ending of ENDINGS)
      for (const talk of TALK) {
        const mail = `${request}${ending}PS ${talk}`;
        assert.equal(stepsOf(mail), stepsOf(request), mail);
      }
});

test('a postscript is a part of the letter that is worked on, and of words that are sent', () => {
  const letter = 'Dear all,\nwe meet at five.\n\nBest,\nTom\n\nPS bring your own shoes';
  assert.match(stepsOf(`put this in capitals:\n${letter}`) ?? '', /"op":"case".*bring your own shoes/);
  assert.match(stepsOf(`how many words are in this?\n\n${letter}`) ?? '', /"op":"count".*bring your own shoes/);
  assert.match(stepsOf('send bob@example.com: the meeting is at 5\nPS bring the keys') ?? '', /PS bring the keys/);
});

test('an instruction below a signature is one more', () => {
  assert.match(
    stepsOf('sort: pear, fig, apple\n\nthanks\n\nAnn\n\noh and the other way round') ?? '',
    /"op":"sort".*"op":"reverse"/,
  );
});
