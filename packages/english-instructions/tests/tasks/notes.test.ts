import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { forget } from '../../tasks/notes/forget.ts';
import { recall } from '../../tasks/notes/recall.ts';
import { remember } from '../../tasks/notes/remember.ts';
import { TaskError } from '../../tasks/task.ts';
import { FORGET } from './examples/forget.ts';
import { RECALL } from './examples/recall.ts';
import { REMEMBER } from './examples/remember.ts';
import { clause, context, examplesOf } from './harness.ts';
import { notebook } from './memory.ts';

const some = () => notebook({ 'door code': '4711', report: 'All well', "ann's phone": '555-1234' });

describe('remember', () => examplesOf(remember, REMEMBER, context({ notes: notebook() })));
describe('recall', () => examplesOf(recall, RECALL, context({ notes: some() })));
describe('forget', () => examplesOf(forget, FORGET, context({ notes: some() })));

const FOREIGN = [
  'calculate 2+2',
  'translate this to French',
  'delete the first line',
  'remove duplicates',
  'remove all notes from a chord', // music
  'sort these lines',
  'save it as pdf',
  'show it as a table',
  'list the files',
  'what time is it in Tokyo',
  'what is 2+2',
  'what is 5% of 80',
  'what day is it on 3 May 2027',
  'who are you',
  'summarize my notes',
  'keep only the first two columns',
  'notes',
  'convert 3 miles to km',
  'find all addresses in this',
  'show me the weather',
  'drop the last column',
  'remind me to call Ann at 5',
  'forget it',
  'fetch https://example.com/notes',
  'write a poem about notes',
  'check the spelling',
];

test('notes leave to others what is not theirs', () => {
  for (const says of FOREIGN) {
    for (const one of [remember, recall, forget]) {
      const reading = one.read(clause(says));
      assert.ok(reading === undefined, `${one.name} claims ${JSON.stringify(says)}: ${JSON.stringify(reading)}`);
    }
  }
});

test('“what is …” alone could well be meant for another', () => {
  assert.equal(recall.read(clause('what is the door code'))?.sure, 0.5);
  assert.ok((recall.read(clause('what is my door code'))?.sure ?? 0) > 0.5);
});

test('an answer to a question back makes the whole instruction', () => {
  const first = remember.read(clause('remember my shoe size'));
  assert.ok(first !== undefined && 'ask' in first);
  const meant = remember.read(clause(first.answered('43')));
  assert.ok(meant !== undefined && 'input' in meant);
  assert.deepEqual(meant.input, { name: 'shoe size', text: '43' });
});

test('what is remembered is recalled until it is forgotten', async () => {
  const within = context({ notes: notebook() });
  await remember.run({ name: '  Door   CODE ', text: '4711' }, within);
  assert.deepEqual(await recall.run({ query: 'my door code' }, within), { result: '4711', found: 1 });
  assert.deepEqual(await recall.run({ query: '471' }, within), { result: '4711', found: 1 });
  assert.deepEqual(await recall.run({}, within), { result: [{ name: 'door code', text: '4711' }], found: 1 });
  await remember.run({ name: 'door code', text: '4712' }, within);
  assert.deepEqual(await recall.run({ query: 'door code' }, within), { result: '4712', found: 1 });
  await forget.run({ name: 'Door code' }, within);
  assert.deepEqual(await recall.run({ query: 'door code' }, within), {
    result: 'I have no note about “door code”.',
    found: 0,
  });
  assert.deepEqual(await recall.run({}, within), { result: 'I have no notes of yours.', found: 0 });
});

test('of several notes none is forgotten by a name they share; all are when it is said', async () => {
  const notes = notebook({ 'ann phone': '1', 'ann birthday': '2', bob: '3' });
  const within = context({ notes });
  await assert.rejects(
    async () => forget.run({ name: 'ann' }, within),
    (error) => {
      assert.ok(error instanceof TaskError);
      assert.match(error.message, /“ann birthday”, “ann phone”\. Which one\?/);
      return true;
    },
  );
  await assert.rejects(async () => forget.run({}, within), TaskError);
  await assert.rejects(async () => forget.run({ name: 'bob', all: true }, within), TaskError);
  assert.deepEqual(await forget.run({ all: true }, within), {
    result: 'I forgot all 3 notes.',
    forgotten: ['ann birthday', 'ann phone', 'bob'],
  });
  await assert.rejects(async () => remember.run({ name: ' ', text: 'x' }, within), TaskError);
  await assert.rejects(async () => remember.run({ name: 'x', text: ' ' }, within), TaskError);
});

test('long text is bailed out of, whatever it looks like', async () => {
  for (const says of [
    `what is my ${'door '.repeat(3_000)}`,
    `remember ${'x is '.repeat(3_000)}`,
    `forget ${'a '.repeat(8_000)}`,
  ]) {
    for (const one of [remember, recall, forget]) assert.equal(one.read(clause(says)), undefined);
  }
  const hard = [`remember ${'is '.repeat(650)}`, `what is my ${'- '.repeat(900)}!`, `forget ${'my note '.repeat(240)}`];
  await assertEffort(10, 'hard to read', () => {
    for (const says of hard) for (const one of [remember, recall, forget]) one.read(clause(says));
  });
});

test('remember: what is added to a note stands below what it has', async () => {
  const notes = notebook({ 'shopping list': 'bread' });
  await remember.run({ name: 'Shopping List', text: 'eggs', append: true }, context({ notes }));
  await remember.run({ name: 'to do', text: 'call Ann', append: true }, context({ notes }));
  assert.equal((await notes.get('shopping list'))?.text, 'bread\neggs');
  assert.equal((await notes.get('to do'))?.text, 'call Ann');
});
