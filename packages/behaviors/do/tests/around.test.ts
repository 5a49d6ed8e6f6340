import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { amount, everyNth } from '../../../../tests/soak/length.ts';
import { type Example, NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
/** The steps of a plan as text; undefined when something is asked. */
const stepsOf = (says: string): string | undefined => {
  const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
  return plan.kind === 'plan' ? JSON.stringify(plan.steps) : undefined;
};

const FOLDER = new URL('../../../english-instructions/tests/tasks/examples/', import.meta.url);
const OF_WORDS = new Set('remind schedule send remember recall forget json fetch run'.split(' '));

async function examplesOf(isWanted: (task: string) => boolean): Promise<readonly string[]> {
  const files = readdirSync(FOLDER).filter((name) => isWanted(name.replace('.ts', '')));
  const lists = await Promise.all(files.map((name) => import(new URL(name, FOLDER).href)));
  const all = lists.flatMap((list) => Object.values(list).flat() as readonly Example[]);
  return all.filter(({ it }) => it === undefined).map(({ says }) => says);
}

const LIMITING = ['not', 'twice', 'only', 'except Bob', 'unless it rains', 'until June'];

test('a word that limits what is said is never ignored, wherever it stands', async () => {
  let turn = 0;
  for (const says of everyNth(await examplesOf((task) => OF_WORDS.has(task)), 5)) {
    const whole = stepsOf(says);
    for (const { index } of whole === undefined ? [] : says.slice(0, 120).matchAll(/ |$/g)) {
      if (/:[ \n]|["“]/.test(says.slice(0, index))) continue;
      const more = `${says.slice(0, index)} ${LIMITING[turn++ % LIMITING.length]}${says.slice(index)}`;
      assert.notEqual(stepsOf(more), whole, more);
    }
  }
  assert.ok(turn > amount(100, 500));
});

const computed = await examplesOf((task) => ['calculate', 'convert', 'time'].includes(task));

for (const around of [
  '🙏 {}',
  '{} 😅',
  '🚀🚀 {} 🏃🏽‍♀️',
  'lol {}',
  'hmm, {} :)',
  '{}\n\nSent from my iPhone',
  'Hey,\n{}\n\nGet Outlook for iOS',
])
  test(`what is written around an instruction changes nothing: ${JSON.stringify(around)}`, () => {
    for (const says of everyNth(computed, 5, around.length)) {
      const whole = stepsOf(says);
      if (whole !== undefined && !/[:\n]/.test(says))
        assert.equal(stepsOf(around.replace('{}', () => says)), whole, says);
    }
  });

test('emoji and interjections in what is sent or kept stay as they are', () => {
  assert.match(stepsOf('send bob@acme.example.com: see you 🎉 lol') ?? '', /see you 🎉 lol/);
  assert.match(stepsOf('remind me tomorrow at 9 to bring cake 🎂') ?? '', /bring cake 🎂/);
  assert.match(stepsOf('reverse "a 😀"') ?? '', /a 😀/);
});

test('what a phone adds is no part of what is sent', () => {
  const sent = stepsOf('send bob@acme.example.com: see you');
  assert.equal(stepsOf('send bob@acme.example.com: see you\n\nSent from my iPhone'), sent);
  assert.equal(stepsOf('Sent from my iPhone'), undefined);
});

/** A slip of the fingers in one word. */
const SLIPS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  (word, at) => word.slice(0, at) + word[at] + word.slice(at),
];

test('a slip in a word of an instruction gives what the right word gives, or a question', () => {
  let same = 0;
  let all = 0;
  for (const says of [
    'convert 100 celsius to fahrenheit',
    'calculate 12 multiplied by 4',
    'what is the average of 4, 8 and 15',
  ])
    for (const { 0: word, index } of says.matchAll(/[a-z]{6,}/g))
      for (const slip of SLIPS)
        for (let at = 1; at < word.length - 1; at += amount(3, 1)) {
          const mistyped = says.slice(0, index) + slip(word, at) + says.slice(index + word.length);
          const read = stepsOf(mistyped);
          all++;
          if (read === stepsOf(says)) same++;
          else assert.equal(read, undefined, mistyped);
        }
  assert.ok(same / all > 0.8, `${same} of ${all}`);
});

test('a slip is never corrected in a text, and asked about where others would be written to', () => {
  assert.match(stepsOf('uppercase helo wrold') ?? '', /helo wrold/);
  const reminder = stepsOf('remind me tomorrow at 9 to cal Ann');
  assert.match(reminder ?? '', /cal Ann/);
  assert.equal(stepsOf('remnd me tomorow at 9 to cal Ann'), reminder);
  assert.equal(stepsOf('snd bob@acme.example.com teh text hello'), undefined);
});

for (const says of [
  'what is the weather in Paris',
  "what's the gold price",
  'tell me the latest news',
  'what is the exchange rate',
])
  test(`the world is out of reach, and no note answers for it: ${says}`, () => {
    const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
    assert.ok(plan.kind === 'unclear' && /out of my reach/.test(plan.question), JSON.stringify(plan));
  });
