import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const now = Date.parse('2026-11-25T09:10:00Z');
/** What the last step is given; undefined when something is asked. */
const inputOf = (says: string) => {
  const plan = planOf(says, { tasks, now, time_zone: 'UTC', max_steps: 50, before: false });
  return plan.kind === 'plan' ? plan.steps.at(-1)?.input : undefined;
};

const MEANT: readonly (readonly [says: string, input: Readonly<Record<string, unknown>>])[] = [
  ['I need to know which day of the week Christmas 2027 is.', { what: 'weekday', date: 'christmas 2027' }],
  ['Could you let me know if 3 June 2028 is a Sunday?', { what: 'weekday', date: 'june 3, 2028', to: 'sunday' }],
  ['For planning: in which calendar week is 12 March 2027', { what: 'week', date: 'march 12, 2027' }],
  ['My sister in Toronto calls at 8 pm her time, when is that in Vienna?', { from: '8 pm Toronto time', to: 'Vienna' }],
  ['Got to phone Sydney, what is the local time there?', { what: 'now', place: 'Sydney' }],
  ['She was born 4 July 1988; when does she turn 50?', { what: 'add', date: 'july 4, 1988', length: '50 years' }],
  ['Go back 3 months from 31 May 2027.', { what: 'add', date: 'may 31, 2027', length: '-3 months' }],
  [
    'The recipe takes 45 minutes and we eat at 18:30. When must I start?',
    { what: 'add', date: '18:30', length: '-45 minutes' },
  ],
  ['What is the weight of a 12 kg suitcase in pounds?', { from: '12 kg', to: 'pounds' }],
  ['4,500 MB\n\nHow many gigabytes is that?', { from: '4500 MB', to: 'GB' }],
  ['date: 100 days before 1 March 2027', { what: 'add', date: 'march 1, 2027', length: '-100 days' }],
  ['Tally these up for my invoice: 59.90 + 120 + 17.35', { expression: '59.90 + 120 + 17.35' }],
  ['12 of 48 people came. What percentage is that?', { expression: '12 / 48 * 100', percent: true }],
  ['Our shop: 238 gross, VAT 19%. What is the net amount?', { expression: '238 / 1.19' }],
  ['for my homework: which decimal number is the binary 101101?', { from: '101101 binary', to: 'decimal' }],
  ['I found MCMXCIX on a wall, what year is that?', { from: 'MCMXCIX', to: 'decimal' }],
  [
    'How long is a seminar from 13:15 to 15:50 minus a 20 minute coffee break?',
    { expression: '2 h + 35 min - 20 minute' },
  ],
  ["2028 is a leap year, isn't it?", { what: 'leap', date: '2028' }],
  ["what's 12 x 14? laptop is dead", { expression: '12 * 14' }],
  ['true or false: 7 x 8 = 54', { expression: '7 * 8 == 54' }],
];
for (const [says, input] of MEANT)
  test(`is read by what it is about: ${JSON.stringify(says)}`, () => {
    assert.deepEqual({ ...inputOf(says), ...input }, inputOf(says));
  });

test('a column whose name is short for a word is meant by it', () => {
  const { column, by } = inputOf('Sum the concentration per customer\ncust,conc\nA,2.5\nB,1.0\nA,3.5') ?? {};
  assert.deepEqual([column, by], ['conc', 'cust']);
});

for (const says of [
  'what time does the shop in Athens open if it is 9 am in London',
  'It is 9 am in London. When does the train to Paris leave?',
  'I leave Berlin at 16:00 and land in New York at 19:00, what time is it there?',
  'How many hours do I work in 3 weeks?',
  'Anna was born on 3 August 1972 and died on 4 May 2020. How old is she?',
  'The warranty began on 17 August 2025 and lasts 24 months, but was extended. When does it expire?',
  'How many days are there from 1 December 2026 to 15 December 2026 except Mondays?',
  'The parcel weighs 3 kg. What does the box weigh in pounds?',
  'Our call is at 9 am in London and 10 am in Paris, what time is it in Tokyo?',
  'Frobnicate, what weekday is 3 May 2027',
  'Remind me on the 31st of November at 10 to chase it',
  'Remind me on Monday 31 November at 10 to pay',
  'remind me on the 12th of Ferbuary at 10 to pay',
  'remind me tomorrow at a quarter',
  'The film starts at 20:00 and lasts 120 minutes including 20 minutes of ads. When does it end?',
  'how long is a seminar from 13:15 to 15:50 minus a 20 minute coffee break each hour',
  "what's 20 * 30? prices are net",
  'total: 76.20, people: 3, work out what everyone owes',
  'The total of these is to be noted for me as petty cash:\n12.50\n8.20',
  'convert 5 km to miles and',
  'I drove 200 km with 15 litres. How many miles was that?',
])
  test(`is asked about, for it may mean something else: ${JSON.stringify(says)}`, () => {
    assert.equal(inputOf(says), undefined);
  });

test('a word that limits what is asked of days and amounts is never ignored', () => {
  const limits = ['not', 'twice', 'only', 'except Bob', 'half'];
  let turn = 0;
  for (const [says] of MEANT) {
    const whole = JSON.stringify(inputOf(says));
    for (const { index } of says.matchAll(/ |$/g)) {
      // What a request is for limits nothing of it.
      if (/^for my(?: homework)?$/.test(says.slice(0, index))) continue;
      const more = `${says.slice(0, index)} ${limits[turn++ % limits.length]}${says.slice(index)}`;
      assert.notEqual(JSON.stringify(inputOf(more)), whole, more);
    }
  }
});
