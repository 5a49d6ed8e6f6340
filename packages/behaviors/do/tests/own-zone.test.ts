import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';
import { makeDo } from '../index.ts';
import { contextOf, messageOf } from './context.ts';

const tasks = testTasks();
const behavior = makeDo({
  tasks,
  limits: { steps: 50, ms: 5_000, output_bytes: 65_536, total_bytes: 262_144, memory_bytes: 32 << 20 },
  mailDomain: 'mailroom.test',
  get: () => Promise.reject(new Error('There is no outside here.')),
  sign: async () => 'signed',
});
after(() => behavior.close?.());

const asked: string[] = [];
const withNote = (text: string | undefined) => ({
  services: {
    notes: {
      get: async (_: unknown, name: string) => {
        asked.push(name);
        return text === undefined ? undefined : { name, text, updated_at: NOW };
      },
      find: async () => [],
      count: async () => 0,
    },
  },
});
async function said(body: string, note: string | undefined): Promise<string> {
  const outcome = await behavior.handle(messageOf(body), contextOf(withNote(note)));
  return outcome.kind === 'reply' ? (outcome.body ?? '') : JSON.stringify(outcome);
}

test('times are those of the zone that the sender asked to remember', async () => {
  assert.match(await said('what time is it', 'Europe/Berlin'), /9:00 AM \(Europe\/Berlin/);
  assert.match(await said('what time is it', 'New York'), /3:00 AM \(America\/New_York/);
});

test('without such a note, and with one that names no zone, times are those of the mailbox', async () => {
  assert.match(await said('what time is it', undefined), /8:00 AM \(UTC/);
  assert.match(await said('what time is it', 'the blue one'), /8:00 AM \(UTC/);
});

test('the note is not looked up for what has no time in it', async () => {
  asked.length = 0;
  assert.match(await said('uppercase: hello', 'Europe/Berlin'), /HELLO/);
  assert.deepEqual(asked, []);
});

for (const says of [
  'my time zone is Europe/Berlin',
  'set my timezone to Europe/Berlin',
  "I'm in Europe/Berlin time zone",
])
  test(`a zone is remembered: ${JSON.stringify(says)}`, () => {
    const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
    assert.deepEqual(plan.kind === 'plan' && plan.steps, [
      { task: 'remember', input: { name: 'time zone', text: 'Europe/Berlin' } },
    ]);
  });

test('what follows in the same message is read in the zone that it names', () => {
  const says = 'my time zone is Asia/Tokyo. remind me tomorrow at 9 to call Ann';
  const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
  assert.match(JSON.stringify(plan), /T09:00:00\+09:00/);
});
