import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import { filled } from '@mailroom/english-instructions/plan/references';
import { planOf } from '@mailroom/english-instructions/planner/index';
import type { Previous } from '@mailroom/english-instructions/tasks/clause';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { ANSWERS, QUESTIONS } from '../../../english-instructions/tests/tasks/corpus/answers.ts';
import { AROUND, NOT_AROUND } from '../../../english-instructions/tests/tasks/corpus/around.ts';
import { CAPABILITIES, NOT_CAPABILITIES } from '../../../english-instructions/tests/tasks/corpus/capabilities.ts';
import { CHOICES } from '../../../english-instructions/tests/tasks/corpus/choices.ts';
import { DATES, NOT_DATES } from '../../../english-instructions/tests/tasks/corpus/dates.ts';
import { FACTS, NO_FACTS } from '../../../english-instructions/tests/tasks/corpus/facts.ts';
import { MEASURED, NOT_MEASURED } from '../../../english-instructions/tests/tasks/corpus/measured.ts';
import { MODIFIED, NOT_MODIFIED } from '../../../english-instructions/tests/tasks/corpus/modified.ts';
import { NAMED, NOT_NAMED } from '../../../english-instructions/tests/tasks/corpus/named.ts';
import { NOT_ORDERS, ORDERS } from '../../../english-instructions/tests/tasks/corpus/orders.ts';
import { NOT_PHRASES, PHRASES } from '../../../english-instructions/tests/tasks/corpus/phrases.ts';
import { NOT_TOLD, TOLD } from '../../../english-instructions/tests/tasks/corpus/told.ts';
import { NOT_WORDED, WORDED } from '../../../english-instructions/tests/tasks/corpus/worded.ts';
import { context, NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
const planned = (says: string, previous?: Previous) =>
  planOf(says, {
    tasks,
    now: NOW,
    time_zone: 'UTC',
    max_steps: 50,
    before: previous !== undefined,
    ...(previous !== undefined && { previous }),
  });

/** The shown results of the last message of a thread; undefined when a question is asked. */
async function answered(thread: string): Promise<string | undefined> {
  let previous: Previous | undefined;
  let last: JsonObject = {};
  let shown: string[] = [];
  for (const says of thread.split(' || ')) {
    const plan = planned(says, previous);
    if (plan.kind !== 'plan') return undefined;
    shown = [];
    const outputs = new Map<number, JsonObject>(previous === undefined ? [] : [[0, last]]);
    for (const [at, { task: name, input }] of plan.steps.entries()) {
      const task = tasks.find((one) => one.name === name);
      assert.ok(task);
      const own = filled(input, task.input, { outputs }, 65_536);
      last = (await task.run(own, context())) as JsonObject;
      outputs.set(at + 1, last);
      previous = { task: name, input: own, result: last.result as Json };
      shown.push(task.show(last, own));
    }
  }
  return shown.join('\n');
}

/** Ambiguous instructions, or ones with words that the task cannot respect; none is answered. */
for (const says of [
  // A word before one number, or before everything after it.
  'double 4 plus 3',
  'twice 6 minus 1',
  'square root of 16 plus 9',
  'sqrt 16 + 9',
  // A list of one number, with the rest elsewhere.
  'the product of 3 and 4 plus 2',
  'average of 10 and 20 plus 5',
  // Lists followed by more words.
  'sort b, a, a, c uniquely',
  'alphabetize: pear, apple, fig - and drop the last one',
  'sort: b, a, c but not a',
  'reverse: a, b, c without b',
  'pick one of: red, green, blue but not green',
  'shuffle: a, b, c except the first',
  // JSON is no list of words.
  'first element of {"list":[5,6]}',
  'last item of {"a":[1,2],"b":[3]}',
  'length of {"a":[1,2,3],"b":[4]}',
  'count the words in "a b c" and the letters',
  'reverse "abc" and then some',
  // A format after an unquoted text.
  'sha1 of abc in uppercase',
  'base64 encode hello as a url',
  'md5 of hello world with a salt',
  // A quotation is the whole text, so that the words beside it say something else.
  "encode 'hi' twice in base64",
  'hex color for rgb 255 0 128',
  // Words that may say what is meant by another one.
  'second to last day of the month',
  'order these by size: small, large, medium',
  'make a list called trip with socks, hat',
  'first two names: [{"name":"Al","age":31},{"name":"Bo","age":25},{"name":"Cy","age":1}]',
  'roll a dice || twice',
  // The last number of a list is no instruction of its own.
  'total of 5, 10 and 15 with 10% discount',
  // What is pasted is never left out, and a form of the text is none of its words.
  'strip whitespace from both ends: "  hi  "',
  'vowels of banana in uppercase',
  'number of words minus 1: a b c',
  '5 - 3 in percent',
  ...QUESTIONS,
  ...NO_FACTS,
  ...NOT_AROUND,
  ...NOT_ORDERS,
  ...NOT_MODIFIED,
  ...NOT_PHRASES,
  ...NOT_TOLD,
  ...NOT_WORDED,
  ...NOT_MEASURED,
  ...NOT_CAPABILITIES,
  ...NOT_DATES,
  ...NOT_NAMED,
]) {
  test(`does not answer what it cannot tell: ${JSON.stringify(says)}`, async () => {
    assert.equal(await answered(says), undefined);
  });
}

/** Instructions, and what the answer has to say. */
for (const [says, wanted] of [
  ['100 - 10% - 5%', /\*\*85\.5\*\*/],
  ['100 minus 10 percent minus 5 percent', /\*\*85\.5\*\*/],
  ['200 + 10% - 10%', /\*\*198\*\*/],
  ['50 kg + 10% + 10%', /\*\*60\.5 kg\*\*/],
  ['17 % 5', /\*\*2\*\*/],
  ['split a bill of 96 between 4 with a 20% tip', /\*\*28\.8\*\*/],
  ['divide 50 by 2 plus a 10% tip', /\*\*27\.5\*\*/],
  ['sum of 3 km, 200 m and 1 mile in meters', /4,?809\.344/],
  ['average of 10, 20 and 60', /\*\*30\*\*/],
  ['sqrt(16) + 9', /\*\*13\*\*/],
  ['double 45', /\*\*90\*\*/],
  ['how many items are in {"items":[1,2,3]}', /\*\*3\*\*/],
  ['how many users in {"total": 9, "users": [{"a": 1}, {"a": 2}]}', /\*\*2\*\*/],
  ['number of keys in {"a":{"x":1},"b":2}', /\*\*2\*\*/],
  ['sort Monday, Friday, Tuesday', /Monday\n- Tuesday\n- Friday/],
  ['sort march, january, february', /january\n- february\n- march/],
  ['sort 5pm, 9am, noon', /9am\n- noon\n- 5pm/],
  ['sort 22:00, 9:15, 10:30', /9:15\n- 10:30\n- 22:00/],
  ['sort the times 10:30, 9:15, 22:00', /^- 9:15\n- 10:30\n- 22:00$/],
  ['sort 10kg, 9kg, 100g', /100g\n- 9kg\n- 10kg/],
  ['sort versions 1.10, 1.9, 1.2', /^- 1\.2\n- 1\.9\n- 1\.10$/],
  ['sort alphabetically: Monday, Friday, Tuesday', /Friday\n- Monday\n- Tuesday/],
  ['sort 03/04/2026, 01/12/2025, 02/02/2026', /month first/],
  ['sort 31/01/2026, 01/02/2026', /31\/01\/2026\n- 01\/02\/2026(?![\s\S]*month first)/],
  ['days until 03/04/2027', /104 days[\s\S]*month first/],
  ['what day is 03/04/2026', /March 4, 2026[\s\S]*month first/],
  ['what day is 31/12/2026', /December 31, 2026\*\*$/],
  ['days between 03/04/2026 and 05/04/2026', /month first/],
  ['first day of next month', /December 1, 2026/],
  ['last day of next month', /December 31, 2026/],
  ['first day of february 2028', /February 1, 2028/],
  ['pad 7 to 3 digits', /007/],
  ['count the paragraphs:\n\nfirst one\n\nsecond one', /\*\*2\*\* paragraphs/],
  ['replace a with b and c with d in "aacc"', /`bbdd`$/],
  ...FACTS,
  ...AROUND,
  ...NAMED,
  ...ORDERS,
  ...MODIFIED,
  ...PHRASES,
  ...TOLD,
  ...WORDED,
  ...MEASURED,
  ...CAPABILITIES,
  ...DATES,
  ...CHOICES,
  ...ANSWERS,
] as const) {
  test(`answers as it is meant: ${JSON.stringify(says)}`, async () => {
    assert.match((await answered(says)) ?? 'a question', wanted);
  });
}

test('that a note was not found is not sent in its place', () => {
  const plan = planned('send ann@acme.example.com my best regards');
  assert.ok(plan.kind === 'plan' && plan.steps.length === 2, JSON.stringify(plan));
  const { input } = plan.steps[1] as (typeof plan.steps)[number];
  const send = tasks.find(({ name }) => name === 'send');
  assert.ok(send);
  const results = (found: number) => ({ outputs: new Map([[1, { result: 'x', found }]]) });
  assert.throws(() => filled(input, send.input, results(0), 1_000), /found nothing/);
  assert.equal(filled(input, send.input, results(1), 1_000).body, 'x');
});
