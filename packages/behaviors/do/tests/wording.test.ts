import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { planOf } from '@mailroom/english-instructions/planner/index';
import type { Planned } from '@mailroom/english-instructions/planner/plan';
import { testTasks } from '../../../../tests/harness/behaviors.ts';
import { amount } from '../../../../tests/soak/length.ts';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = testTasks();
const plan = (body: string, answers?: readonly (readonly [number, string])[]): Planned =>
  planOf(body, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false, ...(answers && { answers }) });

const ANN = 'ann@acme.mailroom.test';
/** Ways to say something that holds a text `§`, by the task and the input that is to hold it. */
const FORMS: readonly (readonly [task: string, input: string, ...forms: readonly string[]])[] = [
  [
    'send',
    'body',
    ...['send ANN §', 'send ANN: §', 'send an email to ANN saying §', 'email ANN that §', 'e-mail ANN saying §'],
    ...['mail ANN §', 'write to ANN: §', 'write to ANN that §', 'write ANN saying §', 'tell ANN §', 'tell ANN that §'],
    ...['tell ANN: §', 'ask ANN §', 'ask ANN: §', 'ask ANN to §', 'let ANN know that §', 'message ANN §'],
    ...[
      'send "§" to ANN',
      'send § to ANN',
      'please send ANN a message saying §',
      'Hi! Can you send ANN a note that says §',
    ],
    ...[
      'send ANN "§"',
      'write to ANN saying "§"',
      'send this to ANN:\n§',
      'notify ANN that §',
      'drop ANN a line saying §',
    ],
    ...['could you tell ANN that §', 'send ANN a message: §', 'send an email to ANN with the text §'],
    ...['forward this to ANN:\n\n§', 'send this to ANN:\n```\n§\n```', 'let ANN know: §', 'inform ANN that §'],
    ...['send “§” to ANN', 'send a message to ANN that says §', 'I want you to tell ANN that §'],
  ],
  [
    'remind',
    'text',
    ...['remind me tomorrow at 9 to §', 'remind me tomorrow at 9 that §', 'remind me tomorrow at 9: §'],
    ...['remind me in 20 minutes to §', 'remind me every friday at 17:00 to §', 'tomorrow at 9 remind me to §'],
    ...['remind me tomorrow to §', 'set a reminder for tomorrow at 9 to §', 'remind me on monday to §'],
    ...['please remind me at 17:00 about §', "don't let me forget tomorrow at 9 to §"],
  ],
  [
    'remember',
    'text',
    ...['remember that §', 'remember: §', 'remember §', 'remember to §', 'note that §', 'note: §', 'note to self: §'],
    ...['keep in mind that §', 'make a note that §', 'write this down: §', 'remember my plan: §'],
    ...['make a note called plan with the text §', 'save this as plan: §', 'remember this:\n§', 'add to my notes: §'],
  ],
  [
    'schedule',
    'instructions',
    ...['every monday at 9 send ANN: §', 'every monday 9am send ANN §', 'tomorrow at 9, tell ANN that §'],
    ...['every day at 8: email ANN saying §', 'at 18:00 today ask ANN §', 'send ANN "§" every monday at 9'],
    ...['schedule for tomorrow at 9: send ANN: §', 'every weekday at 9, remember that §'],
  ],
];

const WORDS =
  'hello|last line|sort it|the first word|the shop is open|buy|milk and eggs|we meet|I am late|send|safety|the report is done|come home|call Bob|it works|the motto is safety|no|message received|note the change|to do|for sale|the message is lost|the text is short|how to tie a knot|why|Größe|買う|-5 is cold|:) it works|my dog is sick|carry on|log in|<b>bold</b>|Спасибо|مرحبا'.split(
    '|',
  );
const ENDS =
  'thanks|and thank you|please|now|right now|today|asap|thank you|thx|at once|immediately|for me|if you can|cheers|best regards|and thanks|tomorrow|tonight|at 5|at noon|on Friday|every day|later|twice|3 times|again|would you please|with thanks|for the next 3 days|until Monday|in Berlin|as report|by Friday|under the bridge|to my notes'.split(
    '|',
  );
const BETWEEN =
  'and|, then|; then|, and|. Then|; |. |! |? |, |: | - | -> |and remind me tomorrow at 9 to swim|, then calculate 2+2|. What is 2+2?|and send it to bob@acme.mailroom.test|. Forget everything.|and tell me the answer|, please remember that|or|but|if|unless|"quoted"|“quoted”|\'quoted\'|bob@acme.mailroom.test|https://x.example/a|step 2|the result of step 1|{{1}}|{{input}}|😀|👍🏽|  |\t|5|3 emails|12:30|2. |- |#1|*|`code`|{"a": 1}|it|this|with subject Hi|no, wait|sorry|tomorow|thrusday|in base64|5 + 3|10% of 80|--|cc bob@acme.mailroom.test|. thanks. And more'.split(
    '|',
  );
const SIGNS = [
  '',
  '',
  '',
  '',
  '.',
  '!',
  '?',
  '!!',
  '...',
  ' :)',
  ' 😀',
  ',',
  ';',
  '…',
  '. Thanks, Ann',
  '\nThanks\nAnn',
];
/** A line of its own that is something to do is an instruction, so no text contains it. */
const DONE = /\n[-1. >]*(?:note|send|call|remember|remind)\b/;
const LINES = ['\n', '\n\n', '\n- ', '\n1. ', '\n  ', '\n> '];

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function textOf(number: () => number): string {
  const pick = (list: readonly string[]): string => list[Math.floor(number() * list.length)] as string;
  let text = pick(WORDS);
  for (let more = Math.floor(number() * 3); more > 0; more--) {
    const kind = number();
    if (kind < 0.5) text += ` ${pick(BETWEEN)} ${pick(WORDS)}`;
    else text += kind < 0.65 ? pick(LINES) + pick(WORDS) : ` ${pick(ENDS)}`;
  }
  if (number() < 0.6) text += ` ${pick(ENDS)}`;
  if (number() < 0.1) text = `${pick(ENDS)} ${text}`;
  return (text + pick(SIGNS)).trim();
}

const CLOSING = 'Thanks[.,!]*(?:[\\s,]+\\p{Lu}\\p{L}*)*[.!]*$';
const CLOSINGS = [new RegExp(`(?<=\\.)[ \\t]+${CLOSING}`, 'u'), new RegExp(`\\s*\\n\\s*${CLOSING}`, 'u')];

/** What may arrive: the text, without a closing behind a full stop or on a line of its own, or a "to" that links it. */
const mayArrive = (text: string): readonly string[] =>
  [text, ...CLOSINGS.map((closing) => text.replace(closing, ''))].flatMap((one) => [
    one,
    one.replace(/^(?:to|for) /, ''),
    `"${one}"`,
  ]);

function arrives(task: string, text: string, value: string, body: string): boolean {
  return mayArrive(text).some((wanted) => {
    if (value === wanted) return true;
    // "The door code is 4711" names its subject.
    if (task === 'remember')
      return value !== '' && wanted.endsWith(value) && /(?:\b(?:is|are)|:)\s*$/.test(wanted.slice(0, -value.length));
    return task === 'schedule' && body.includes(value) && (value.endsWith(wanted) || value.includes(`"${wanted}"`));
  });
}

const literalOf = (value: Json | undefined): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? '')).replaceAll('\\{{', '{{');

for (const [task, input, ...forms] of FORMS) {
  test(`a text in any form of ${task} arrives byte for byte, or its sender is asked`, () => {
    const number = numbersFrom(task.length);
    const lost: string[] = [];
    let planned = 0;
    for (let turn = amount(5, 600); turn > 0; turn--) {
      for (const form of forms) {
        const text = textOf(number);
        if (DONE.test(text)) continue;
        const body = form.replace('ANN', ANN).replace('§', () => text);
        const result = plan(body);
        if (result.kind !== 'plan') continue;
        planned += 1;
        const [step, ...more] = result.steps;
        const value = literalOf(step?.input[input]);
        if (more.length > 0 || step?.task !== task || !arrives(task, text, value, body))
          lost.push(`${JSON.stringify(body)} → ${JSON.stringify(result.steps)}`);
      }
    }
    assert.deepEqual(lost, []);
    assert.ok(planned > (amount(5, 600) * forms.length) / 4, `${planned} of them were planned`);
  });
}

const keptOf = (planned: Planned): unknown => {
  const [step] = planned.kind === 'plan' ? planned.steps : [];
  return step === undefined ? planned.kind : (step.input.body ?? step.input.text ?? step.input.instructions);
};

for (const [body, text] of [
  [`send an email to ${ANN} saying buy now`, 'buy now'],
  [`email ${ANN} that the shop is open now`, 'the shop is open now'],
  [`send ${ANN} hello and thank you`, 'hello and thank you'],
  ['remind me tomorrow at 9 to send thanks', 'send thanks'],
  ['remember that the motto is safety and thanks', 'safety and thanks'],
  [`send ${ANN} hello. Thanks!`, 'hello.'],
  [`tell ${ANN} that we won! 🎉`, 'we won! 🎉'],
  [`send ${ANN} "hello" please`, 'hello'],
  [`send ${ANN} hello\nThanks\nAnn`, 'hello'],
  [`tell ${ANN} I am late. See you at home.`, 'I am late. See you at home.'],
  [`send this to ${ANN}:\n1. one\n  2. two\n\n> three`, '1. one\n  2. two\n\n> three'],
  [`every monday at 9 send ${ANN} hello thanks`, `send ${ANN} hello thanks`],
  ['remind me to call Ann tomorrow at 9 please', 'call Ann'],
  ['remind me tomorrow to call Ann at 17:00', 'call Ann at 17:00'],
  [`message ${ANN} "a" and "b"`, '"a" and "b"'],
  [`tell ${ANN} that step 2 uses {{1}}`, 'step 2 uses \\{{1}}'],
  [`send ${ANN} message received`, 'message received'],
  [`send ${ANN}: it is here\nThanks for all you did last week`, 'it is here\nThanks for all you did last week'],
  [`tell ${ANN} that we won\nThanks for all the fish`, 'unclear'],
  [`tell ${ANN} that we won.\nThank you for your help!`, 'we won.'],
  [`send ${ANN}: dear Ann\nit is here\n\nThanks for all\nBob`, 'dear Ann\nit is here\n\nThanks for all\nBob'],
  [`send this to ${ANN}:\nfirst part\n--\nSecond Part`, 'first part\n--\nSecond Part'],
  [`send this to ${ANN}:\nfirst part\n-- \nSecond Part`, 'first part\n-- \nSecond Part'],
  [`send ${ANN} hello\n--\nBob Miller`, 'unclear'],
  [`send ${ANN} hello\n\n-- \nBob Miller`, 'hello'],
  [`tell ${ANN} that we won\n\nBest regards\nBob Miller\nACME Ltd\n+1 555 1234`, 'we won'],
  [`tell ${ANN} that we won\n\nBest regards\nBob Miller\nPin 4711`, 'unclear'],
  ['remember this:\nshopping\n\nThanks\nMilk Inc\nEgg Ltd', 'shopping\n\nThanks\nMilk Inc\nEgg Ltd'],
  ['remember: one\n--\ntwo', 'one\n--\ntwo'],
  [`send ${ANN}: hi\nlast line`, 'unclear'],
  [`send ${ANN}: my plan\nthen count the words`, 'unclear'],
  [`email ${ANN} saying: 3 4 1\nsort it`, 'unclear'],
  ['remember the list: milk\neggs\nsort it', 'unclear'],
  ['remind me tomorrow at 9: milk\neggs\nsort it', 'unclear'],
  ['remember that the plan is short\nbuy milk', 'unclear'],
  [`remember that the plan is short\nsend ${ANN}: hello`, 'unclear'],
  ['remind me tomorrow at 9 to swim\nremember that it is cold', 'unclear'],
  ['1. remind me tomorrow at 9 to swim\n2. remember that it is cold', 'swim'],
  [`every monday at 9 send ${ANN}: hi\n--\nBob Miller`, `send ${ANN}: hi\n--\nBob Miller`],
  [`send ${ANN} the text ping`, 'ping'],
  [`send the word ping to ${ANN}`, 'ping'],
  [`send ${ANN} 3 emails: buy`, 'unclear'],
  [`tell ${ANN} asap that the shop is open`, 'unclear'],
  [`tell ${ANN} now: the shop is open`, 'unclear'],
  [`send ${ANN} "hello" please now`, 'hello'],
  ["send bob@acme.mailroom.test's number to ann@acme.mailroom.test", 'unclear'],
  ['remember dress as a pirate', 'unclear'],
  [`send “-5” to ${ANN}`, '-5'],
  [`email ${ANN} -5`, '-5'],
  [`tell ${ANN} that -5 is cold`, '-5 is cold'],
  [`send ${ANN} a message that says :-)`, ':-)'],
  [`let ${ANN} know :)`, ':)'],
  [`inform ${ANN} that * x`, '* x'],
  [`send ${ANN} "<b>bold</b>"`, '<b>bold</b>'],
  ['remember "<b>bold</b>"', '<b>bold</b>'],
  [`let ${ANN} know: now`, 'now'],
  ['add no to my notes', 'no'],
  [`tell ${ANN} - hello`, 'hello'],
  [`drop ${ANN} a note: make a note`, 'make a note'],
  [`email ${ANN} my dog is sick`, 'my dog is sick'],
  [`email ${ANN} the sum of 2 and 3 is 6`, 'the sum of 2 and 3 is 6'],
  [`email ${ANN} the capital letters are missing`, 'the capital letters are missing'],
  [`email ${ANN} at 5pm`, 'unclear'],
  [`every monday at 9 tell ${ANN}`, 'unclear'],
  ['remind me to carry on tomorrow at 9', 'carry on'],
  ['remind me to check in at 5pm', 'check in'],
  ['remind me to log in in an hour', 'log in'],
  ['remind me to move on every day at 8', 'move on'],
  ['remind me to send this tomorrow at 9', 'send this'],
  ['remind me to send it this friday at 9', 'send it'],
  ['remind me to call Ann on friday at 9', 'call Ann'],
  ['remind me that the deadline is friday at 5pm', 'unclear'],
  [`remind ${ANN} that the meeting is tomorrow at 9`, 'unclear'],
  ['remind me that dinner is at 7 tomorrow', 'unclear'],
  ['remind me to -- tomorrow at 9', 'unclear'],
  ['remember the bike is under the bridge', 'under the bridge'],
] as const) {
  test(`the words are those that were written: ${JSON.stringify(body)}`, () => assert.equal(keptOf(plan(body)), text));
}

test('a reminder keeps its words when its sender says the time later', () => {
  const body = 'remind me to ask  Ann: why thanks?';
  const asked = plan(body);
  assert.equal(asked.kind, 'unclear');
  for (const text of ['ask Ann', 'send  thanks!'])
    assert.equal(
      keptOf(plan(`remind me to ${text}`, [[0, `remind me tomorrow at 9: ${text.replace(/\s+/g, ' ')}`]])),
      text,
    );
});
