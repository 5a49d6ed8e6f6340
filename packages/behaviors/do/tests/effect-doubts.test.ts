import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string) => planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
const steps = (says: string): readonly string[] => {
  const plan = planned(says);
  return plan.kind === 'plan' ? plan.steps.map(({ task }) => task) : [];
};
const asked = (says: string): void => assert.deepEqual(steps(says), [], says);

const TIMES = ['on Monday at 11:15', 'tomorrow at 9', 'at 5 pm', 'every Friday at 8', 'on Monday'];
const TO = 'ann@acme.example.com';

describe('a message with a time beside it is not sent at once', () => {
  const heads = ['Message to', 'Send to', 'Mail', 'Write to', 'Tell', 'Send a message to'];
  const links = [', to go out', ', to be sent', ', due', '', ', scheduled for'];
  for (const head of heads)
    test(head, () => {
      for (const link of links)
        for (const time of TIMES) {
          const says = `${head} ${TO}${link} ${time}: The samples are ready.`;
          assert.ok(!steps(says).includes('send'), says);
        }
    });
  for (const verb of ['Send', 'Tell', 'Mail', 'Write'])
    for (const time of TIMES) test(`${verb}, ${time}`, () => asked(`${verb} ${TO} that ${time} the shop opens.`));
  test('a day within the text is a part of it', () => {
    for (const text of ['the shop opens tomorrow at 9', 'we meet on Friday', 'my boss was here on Monday'])
      assert.deepEqual(steps(`Tell ${TO} that ${text}.`), ['send'], text);
  });
});

describe('a courtesy alone is no text', () => {
  const courtesies = [
    'please',
    'for me',
    'for me, would you?',
    'for me please',
    'now',
    'asap',
    'right now, please',
    'if you can',
  ];
  const heads = [
    `Write to ${TO}`,
    `Send ${TO}`,
    `Tell ${TO}`,
    `Let ${TO} know`,
    `Send a message to ${TO}`,
    'Remind me tomorrow at 9',
    'Every Monday at 9 remind me',
    'Remember',
    'Make a note',
    'Note this down',
    `Tomorrow at 9 write to ${TO}`,
  ];
  for (const head of heads)
    test(head, () => {
      for (const courtesy of courtesies) {
        asked(`${head} ${courtesy}`);
        asked(`${head}, ${courtesy}`);
      }
      asked(`${head}, thanks`);
    });
  test('thanks and requests may be what is sent', () => {
    for (const text of ['thanks', 'thank you so much', 'please call me', 'now is a good time', 'for me it is fine'])
      assert.deepEqual(steps(`Tell ${TO} ${text}`), ['send'], text);
  });
});

describe('a question behind words that are kept or sent is no part of them without a word', () => {
  const heads = [
    'Note that my seat is 14C',
    'Remember my seat is 14C',
    'note: my seat is 14C',
    'Remind me tomorrow at 9 to call Ann',
    'Remind me to call Ann tomorrow at 9',
    `Tell ${TO} that I am late`,
    `Send ${TO}: I am late`,
    `Tomorrow at 9 send ${TO}: I am late`,
  ];
  const joints = [', then', ' and then', '; then', ', also', ' and', '. Then', ', after that'];
  const asks = [
    'tell me how long 3.5 hours is in minutes',
    'tell me what 5 + 5 is',
    'convert 5 miles to km',
    'calculate 5 + 5',
  ];
  for (const head of heads)
    test(head, () => {
      for (const joint of joints)
        for (const ask of asks) {
          const plan = planned(`${head}${joint} ${ask}.`);
          if (plan.kind === 'plan')
            for (const { input } of plan.steps)
              for (const text of [input.text, input.body, input.instructions])
                assert.ok(typeof text !== 'string' || !text.includes(ask), `${head}${joint} ${ask}`);
        }
    });
  test('what someone else is to do, and quoted words, stay', () => {
    assert.deepEqual(steps(`Send ${TO} "I am late, then tell me what 5 + 5 is"`), ['send']);
    assert.deepEqual(steps(`Ask ${TO} to add 3 and 4 and convert 5 miles to km`), ['send']);
    assert.deepEqual(steps('Remind me tomorrow at 9 to call Ann and ask how she is'), ['remind']);
    assert.deepEqual(steps('Remember that Bob likes tea and that he calculates well'), ['remember']);
  });
});
