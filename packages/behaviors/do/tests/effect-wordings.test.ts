import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@mailroom/behavior/values/json';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string) => planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
const onlyStep = (says: string): { readonly task: string; readonly input: JsonObject } | undefined => {
  const plan = planned(says);
  return plan.kind === 'plan' && plan.steps.length === 1
    ? (plan.steps[0] as { task: string; input: JsonObject })
    : undefined;
};
const asked = (says: string): void => assert.equal(planned(says).kind, 'unclear', says);
const TO = 'ann@acme.example.com';

describe('a reminder is asked for in many words, at any place', () => {
  const calls = [
    'remind me',
    'nag me',
    'give me a nudge',
    'send me a reminder',
    "I'd like to be reminded",
    'I need a reminder',
    'could I get a reminder',
    'drop me a reminder',
    'set up a reminder',
    'may I have a heads-up',
    'warn me',
  ];
  for (const call of calls)
    test(call, () => {
      const expected = { text: 'ring the vet', at: '2026-11-23T09:30:00+00:00', time_zone: 'UTC' };
      for (const says of [
        `${call} on Monday at 9:30 to ring the vet`,
        `On Monday at 9:30 ${call} to ring the vet`,
        `ring the vet - ${call} on Monday at 9:30`,
        `ring the vet.\n${call} on Monday at 9:30, please`,
      ])
        assert.deepEqual(onlyStep(says)?.input, expected, says);
    });
  for (const says of [
    'Ann will remind me tomorrow at 9',
    "Please don't remind me tomorrow at 9",
    'I asked Bob to remind me at 5 pm today',
    'Bob said remind me at 5',
    'Pills at 7 in the morning and I keep forgetting them. Remind me daily.',
    'Note: buy milk\nRemind me tomorrow at 9',
    'warn me if it rains',
    'let me know at 5 pm if the shop is closed',
    'Remind me on Monday at 9, no, at noon or so, to call Ann',
    'give me a shout',
  ])
    test(`asks: ${says}`, () => asked(says));
  test('a time is never taken for a part of it', () => {
    const at = (says: string) => onlyStep(says)?.input.at;
    assert.equal(at('remind me to buy milk on Saturday at eleven in the morning'), '2026-11-21T11:00:00+00:00');
    assert.equal(at('remind me to buy milk at 1800 today'), '2026-11-20T18:00:00+00:00');
    assert.equal(at('in forty-five minutes remind me to eat'), '2026-11-20T08:45:00+00:00');
    asked('remind me to be there on Friday late in the evening');
    asked('remind me saturday arvo at 3 to pick up the kids');
    asked('remind me on friday lunch-ish at noon to call Ann');
    assert.equal(onlyStep('remind me saturday: meeting at 3 to talk')?.input.text, 'meeting at 3 to talk');
  });
});

describe('a figure to be kept stands with its words and its value', () => {
  for (const [says, words] of [
    ['remind me tomorrow at 9 of the sum of 128.40 and 76.35', 'the sum of 128.40 and 76.35: {{1}}'],
    ['remind me tomorrow at 9 what 47 times 23 comes to', 'what 47 times 23 comes to: {{1}}'],
    ['remember how many feet are in 5 miles', 'how many feet are in 5 miles: {{1}}'],
  ] as const)
    test(says, () => {
      const plan = planned(says);
      assert.ok(plan.kind === 'plan');
      assert.equal(plan.steps.at(-1)?.input.text, words);
    });
  test('what is to be done, and what cannot be worked out', () => {
    assert.equal(onlyStep('remind me tomorrow at 9 to divide 5 by 3')?.input.text, 'divide 5 by 3');
    assert.equal(onlyStep('remind me tomorrow at 9 of the meeting in room 5')?.input.text, 'the meeting in room 5');
    asked('remind me tomorrow at 9 what 15 crates at 24 bottles make');
  });
});

describe('what is stated and is to be kept or passed on', () => {
  for (const end of [
    'Save that, please.',
    'Can you store this?',
    'Put that in my notes.',
    'please keep it in mind',
    'jot it down in my notes',
  ])
    test(end, () => assert.deepEqual(onlyStep(`My locker is 212. ${end}`)?.input, { name: 'locker', text: '212' }));
  test('a calculation is kept by its result, and one sentence is passed on', () => {
    assert.notEqual(onlyStep('What is 5+5? Remember that.')?.task, 'remember');
    assert.deepEqual(onlyStep(`Lunch is ready. Can you tell ${TO}?`)?.input, { to: TO, body: 'Lunch is ready.' });
    assert.notEqual(onlyStep(`Sum 5 and 6. Send that to ${TO}`)?.task, 'send');
    asked(`The lift is broken. The stairs are wet. Pass that on to ${TO}`);
    asked(`Could you tell ${TO} that we are closed? My phone is dead today.`);
  });
  for (const says of ['which nuts is my aunt allergic to', 'Where did I put the spare key?', 'staging port??'])
    test(`recalls: ${says}`, () => assert.equal(onlyStep(says)?.task, 'recall'));
});

describe('a correction of one word or figure stands for it', () => {
  for (const [says, meant] of [
    ['Convert 12 miles, sorry, 12 kilometres into metres.', 'Convert 12 kilometres into metres'],
    ["What's 15% of 80 - no wait, make it 20%.", "What's 20% of 80"],
    ['Add 46 and 58. Correction: 46 and 68.', 'Add 46 and 68'],
    ['Turn GOOD NIGHT into title case. No, lower case, actually.', 'Turn GOOD NIGHT into lower case'],
    ['Sort these from A to Z – no, from Z to A: lemon, apricot', 'Sort these from Z to A: lemon, apricot'],
    ['Divide 144 by 8 (not 8, 9).', 'Divide 144 by 9'],
    ['remind me at 17:00, sorry, 18:00 to call mum', 'remind me at 18:00 to call mum'],
    ['convert 5 km, no wait, 6 km to miles', 'convert 6 km to miles'],
  ] as const)
    test(says, () => {
      const [plan, other] = [planned(says), planned(meant)];
      assert.ok(plan.kind === 'plan' && other.kind === 'plan');
      assert.deepEqual(plan.steps, other.steps);
    });
  for (const says of [
    'Multiply 5 by 6 and round to 2 decimals, no, 3',
    'Remind me to buy 5, no, 6 eggs tomorrow at 9',
    'convert 100 usd, no wait, 100 pounds to kg',
    'First 3 letters, no, last 4 letters of "abcdef"',
    'Add 5 and 6, no wait, leave out the 5',
  ])
    test(`asks: ${says}`, () => asked(says));
});

describe('small talk around a request is no part of it', () => {
  const lines = ['I hope you are having a good week.', 'Lovely weather today, isn’t it.', 'Sorry to bother you again!'];
  for (const line of lines)
    test(line, () => {
      assert.deepEqual(
        onlyStep(`Hi there!\n${line} Could you add 5 and 6 for me?\nMuch obliged,\nBob`),
        onlyStep('add 5 and 6'),
      );
      const text = onlyStep(`${line} Please remind me tomorrow at 9 to call Ann.`)?.input.text;
      assert.equal(text, 'call Ann.');
    });
  for (const says of [
    'by length, please sort these: aaa, b, cc',
    'note that why and remind me tomorrow at 9 to swim',
    `tell ${TO} that we won\nThanks for all the fish`,
    'Ignore the 5. Could you add 5 and 6 for me?',
    'Only the even ones please. Could you add 5 and 6?',
  ])
    test(`asks: ${says}`, () => asked(says));
});
