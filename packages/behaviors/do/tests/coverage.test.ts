import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { everyNth } from '../../../../tests/soak/length.ts';
import { ANSWERS } from '../../../english-instructions/tests/tasks/corpus/answers.ts';
import { QUANTITIES } from '../../../english-instructions/tests/tasks/corpus/quantities.ts';
import { TIMES } from '../../../english-instructions/tests/tasks/corpus/times.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string) => planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });

/** An instruction, and the words that the question about it must contain. */
const NAMED: readonly (readonly [says: string, names: string])[] = [
  // Limits that no task respects.
  ['count the lines without comments:\n# one\ntwo', 'without'],
  ['extract the emails that end in .org from: a@b.org, c@d.com', 'end'],
  ['sort everything but the header:\nname\nb\na', 'but'],
  ['remove duplicates but keep the last one: a, b, a', 'but'],
  // Limits that would become part of a text.
  ['replace a with o except at the end in banana', 'except'],
  ['reverse hello without the vowels', 'without'],
  ['base64 encode only the first line of hello', 'only'],
  ['remove the "x" but not the last one from: x y x', 'but'],
  ['say hello in a cheerful tone', 'in a cheerful tone'],
  // Words that the grammar knows no meaning for, and words of the instruction that would become a part of the text.
  ['number the lines from 0, skipping empty ones: a b', 'skipping empty ones'],
  ['pick 3 from a, b, c, d with repeats', 'with repeats'],
  ['md5 of hello uppercase', 'uppercase'],
];
for (const [says, names] of NAMED) {
  test(`asks about what nothing would be done with: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    assert.equal(plan.kind, 'unclear', JSON.stringify(plan));
    if (plan.kind === 'unclear') assert.ok(plan.question.includes(names), plan.question);
  });
}

const SENT = 'ann@acme.example.com';
for (const says of [
  `send ${SENT} hi, but only on Friday`,
  `send ${SENT} hi unless it rains`,
  `send hi to ${SENT} if it is after 5`,
  `tell ${SENT} that I am late, if she has not left yet`,
  `send ${SENT} hello twice`,
  `send ${SENT} a note on Monday that the lift is broken`,
  `tell ${SENT} tomorrow at 8 that I am ill`,
  `send ${SENT} hello at 5`,
  `email ${SENT} every week until May`,
  `ask ${SENT} in a polite tone to call back`,
  `send ${SENT} hello, but not before noon`,
  'remind me tomorrow at 9 to call Ann unless she calls',
  'remind me tomorrow at 9 to call Ann if it rains',
  'remind me to stretch, but only on workdays at 10, except in May',
  'remind me at 9 until Friday to stretch',
  'remind me tomorrow at 9 to drink water every hour',
  'remind me tomorrow at 9 or at 10 to stretch',
  'remind me for the next two weeks at 8 to take the pills',
  'remind me from Monday to Wednesday at 8 to take the pills until noon',
  'remind me starting tomorrow at 9 to jog',
  'remind me between 3 and 4 tomorrow to call the bank',
  'remind me to call Ann before noon tomorrow',
  'remind me tomorrow at 9 to water the plants twice',
  'remind me at 5 to leave, 15 minutes before',
  'remind me on friday the 13th to hide',
  'remind me every quarter end to file',
  'remind me to check the oven in 10 and the rice in 20 minutes',
  'forget everything except the door code',
  'remind me tomorrow at 27:15 to sleep',
  'remind me at 9:75 to sleep',
  'remind me at 14 pm to sleep',
  'remind me after lunch to sleep',
  // A day or a time that may belong to the reminder or to its text.
  'remind me at 9 to call Ann on Friday',
  'remind me at 8 about the meeting tomorrow',
  'at 9 remind me to ask Bob on Monday about the key',
  'remind me at noon to call Ann next Tuesday',
  'remind me to book a table for Friday',
  'remind me to order a cake for 7pm tomorrow',
  'remind me to hand in the form by Friday',
  'remind me tomorrow to buy milk and call Ann at 5pm',
  // How long it repeats, and a duration without a unit.
  'remind me every 10 minutes for an hour to stretch',
  'remind me every day at 8 for a week to take the pills',
  'remind me every hour for two days to drink',
  'set a timer for 5',
  'start a timer for 20',
  // How often, in which way, to whom else and whether something is sent.
  `send "hi" three times to ${SENT}`,
  `send "hi" to ${SENT} and not to Bob`,
  `tell ${SENT} nothing`,
  `tell ${SENT} in French that I am late`,
  `tell ${SENT} politely that I am late`,
  `tell ${SENT} briefly: I am late`,
  `let ${SENT} know in a few words that I am late`,
  `tell ${SENT} that I am late in German`,
  `send ${SENT} hello in spanish`,
  `send ${SENT} hello in uppercase`,
  `remember that the code is 55 and email it to ${SENT}`,
  `let ${SENT} know I am late as soon as Bob arrives`,
  `let ${SENT} know once the build passes`,
  `tell ${SENT} I am on my way when the train stops`,
  'remind me of milk at 10am and bread at 11am',
  `email ${SENT} about the party`,
  `email ${SENT} asking for the report`,
  `write ${SENT} an apology`,
  `tell ${SENT} again that I am late`,
  `tell ${SENT} that I said hi but don't mention Bob`,
  `ask ${SENT} for the time and convert it to Tokyo time`,
  `ask ${SENT} the same question twice`,
  `send ${SENT} "a" and "b" separately`,
  `send ${SENT} everything above`,
  `every day at 9 send ${SENT} hi for a week`,
  `every hour tell ${SENT} to drink for the next two days`,
  `send ${SENT} a poem`,
  `send ${SENT} some kind words`,
  `send a short summary to ${SENT}`,
  `send ${SENT} hi cc bob@acme.example.com`,
  `tell ${SENT} that I am late but not bob@acme.example.com`,
  `ask ${SENT} who it is and give me the answer in uppercase`,
]) {
  test(`does nothing on a condition or at a time that it cannot keep: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    assert.ok(plan.kind !== 'plan' || plan.steps.every(isRefused), JSON.stringify(plan));
  });
}
/** A rule in words that is not possible is refused with the reason. */
const isRefused = ({ input }: { readonly input: object }): boolean =>
  'rule' in input && !/^[\d*]/.test(String(input.rule)) && /until|except|but| for /.test(String(input.rule));

/** Limits that are respected, quoted or can only be text. */
for (const [says, wanted] of [
  [`send ${SENT} "only if it rains, and not before noon"`, 'only if it rains, and not before noon'],
  [`send ${SENT}: every day but Friday, until May`, 'every day but Friday, until May'],
  [`tell ${SENT} that I will be there before the last train leaves`, 'I will be there before the last train leaves'],
  [`ask ${SENT} if the shop is open on Monday`, 'the shop is open on Monday'],
  [`reply to ${SENT} with thanks`, '"thanks"'],
  [`tomorrow at 9 send ${SENT}: good morning`, '2026-11-21T09:00:00+00:00'],
  [`send ${SENT} a message tomorrow at 9: good morning`, '2026-11-21T09:00:00+00:00'],
  ['remind me tomorrow at 9 to take the pills before breakfast', 'take the pills before breakfast'],
  ['remind me tomorrow at 9 to read the first chapter, not the second', 'read the first chapter, not the second'],
  ['remind me every weekday except Friday at 9 to stretch', '1,2,3,4'],
  ['remind me at 9 on the last Friday of every month to pay', '5L'],
  ['remind me tomorrow at 9 to ask Bob to call on Friday', 'ask Bob to call on Friday'],
  ['remind me at 9 that the office is closed on Friday', 'the office is closed on Friday'],
  ['remind me at 9: call Ann on Friday', 'call Ann on Friday'],
  ['remind me tomorrow to call Ann on Friday', 'call Ann on Friday'],
  ['remind me in 20 minutes to call Ann on Friday', 'call Ann on Friday'],
  ['remind me at 10:00 to watch the 9pm show', 'watch the 9pm show'],
  ['set a reminder to call Ann for tomorrow at 9', '"call Ann"'],
  [`tell ${SENT} that I will call once I am home`, 'I will call once I am home'],
  [`tell ${SENT} that the poem in Milan was really nice`, 'the poem in Milan was really nice'],
  [`tell ${SENT}: politely said, no`, 'politely said, no'],
  [`send ${SENT}: a poem`, 'a poem'],
  [`send ${SENT} a big thanks for yesterday's help`, 'a big thanks'],
  [`tell ${SENT} my address is bob@acme.example.com`, 'my address is bob@acme.example.com'],
  ['the first two words of: hello big world', '"count":2'],
  ['uppercase "every second one"', 'every second one'],
  ['uppercase: not before noon', 'not before noon'],
  ['replace only the first a with o in: banana', '"only_first":true'],
  ['capitalize every word in: hello world', '"each"'],
  ['I have 12 kg of flour, how many pounds is that?', '12 kg'],
  ['shuffle these speakers: Kim, Luca', 'Kim'],
] as const) {
  test(`accounts for every word: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    assert.equal(plan.kind, 'plan', JSON.stringify(plan));
    assert.ok(JSON.stringify(plan).includes(wanted), JSON.stringify(plan));
  });
}

for (const [says, texts, times] of [
  ['remind me at 9 to call Ann and at 10:30 to call Bob', ['call Ann', 'call Bob'], ['T09:00', 'T10:30']],
  [
    'remind me tomorrow at 8 to pack and on Sunday at 7 to leave',
    ['pack', 'leave'],
    ['2026-11-21T08:00', '2026-11-22T07:00'],
  ],
  ['remind me to run on monday and thursday at 7', ['run', 'run'], ['2026-11-23T07:00', '2026-11-26T07:00']],
  [
    'remind me tomorrow morning and evening to take pills',
    ['take pills', 'take pills'],
    ['2026-11-21T09:00', '2026-11-21T20:00'],
  ],
  [
    'remind me at noon tomorrow and again at 4pm to stretch',
    ['stretch', 'stretch'],
    ['2026-11-21T12:00', '2026-11-21T16:00'],
  ],
  [
    'I need two reminders:\n\n- 1 December 10:00: ring the florist\n- Monday 8:30: bins',
    ['ring the florist', 'bins'],
    ['2026-12-01T10:00', '2026-11-23T08:30'],
  ],
] as const) {
  test(`sets each of two reminders in a sentence: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    const steps = plan.kind === 'plan' ? plan.steps.map(({ input }) => input as { text: string; at: string }) : [];
    assert.deepEqual(
      steps.map(({ text }) => text),
      texts,
      JSON.stringify(plan),
    );
    for (const [at, time] of times.entries()) assert.ok(steps[at]?.at.includes(time), JSON.stringify(steps));
  });
}

for (const [says, wanted] of [
  ['Remind me tomorrow at 10 to buy bulbs. Then remind me on Monday at 8 to jog.', ['remind buy bulbs', 'remind jog.']],
  ['remind me at 10 to buy bulbs. They are for the hall.', ['remind buy bulbs. They are for the hall.']],
  ['remind me at 10 to buy bulbs, then to call Ann', ['remind buy bulbs, then to call Ann']],
] as const) {
  test(`a sentence behind a reminder that is nothing to do is a part of it: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    const steps = plan.kind === 'plan' ? plan.steps : [];
    const actual = steps.map(({ task, input }) => {
      const { text, body, instructions, expression } = input as Readonly<Record<string, string | undefined>>;
      return `${task} ${text ?? body ?? instructions ?? expression}`;
    });
    assert.deepEqual(actual, wanted, JSON.stringify(plan));
  });
}

for (const [says, understood, rest] of [
  ['convert 5 km to miles unless it is Sunday', 'convert 5 km to miles', 'unless it is Sunday'],
  ['flip a coin on Sunday', 'flip a coin', 'on Sunday'],
] as const)
  test(`the question points at the first part that cannot be placed: ${JSON.stringify(says)}`, () => {
    const plan = planned(says);
    assert.equal(plan.kind === 'unclear' && plan.question, `I understand “${understood}”; what is “${rest}”?`);
  });

const CALM = /^(?:hi|dear|hey|hello|fyi|subject|thx|thanks|q)\b/i;
const EXAMPLES: readonly string[] = [
  ...tasks.flatMap(({ examples }) => examples),
  ...ANSWERS.map(([says]) => says).filter((says) => !says.includes(' || ')),
  ...[QUANTITIES, TIMES].flatMap((all) => Object.values(all).flat()),
].filter((says) => !CALM.test(says));
/** The places between two words before what is pasted. */
const gapsOf = (says: string): readonly number[] =>
  Array.from((says.split(/\n|: /)[0] ?? '').matchAll(/(?<=\p{L}) (?=\p{L})/gu), ({ index }) => index);

test('a limiting word put anywhere into an example changes what is done, or is asked about', () => {
  for (const [at, says] of everyNth([...EXAMPLES.entries()], 5)) {
    const gaps = gapsOf(says);
    const plan = planned(says);
    if (plan.kind !== 'plan' || gaps.length === 0) continue;
    for (const [nth, word] of ['never', 'twice', 'except', 'unless'].entries()) {
      const gap = gaps[(at + nth) % gaps.length] as number;
      const limited = planned(`${says.slice(0, gap)} ${word}${says.slice(gap)}`);
      if (limited.kind === 'plan') assert.notDeepEqual(limited.steps, plan.steps, `“${word}” at ${gap} of ${says}`);
    }
  }
});
