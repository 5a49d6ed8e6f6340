import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check, Errors } from 'typebox/value';
import { assertEffort } from '../../../../tests/harness/effort.ts';
import { send } from '../../tasks/send.ts';
import { type OwnMail, TaskError } from '../../tasks/task.ts';
import { SEND } from './examples/send.ts';
import { clause, context, examplesOf } from './harness.ts';
import { answering } from './memory.ts';

describe('send', () => examplesOf(send, SEND, context({ ask: answering() })));

const ABC = ['a@y.example', 'b@y.example', 'c@y.example'];
const message = { to: 'x@y.example', body: 'hi' };

test('the message is written with its subject, and the answer is handed on', async () => {
  const written: unknown[] = [];
  const ask = async (mail: OwnMail) => {
    written.push(mail);
    return answering({ data: { total: 4 }, from: 'z@y.example' })(mail);
  };
  const output = await send.run({ ...message, subject: 'S' }, context({ ask }));
  assert.deepEqual(output, {
    result: 'You wrote: hi',
    message_id: 'msg_1',
    status: 'completed',
    from: 'z@y.example',
    data: { total: 4 },
  });
  await send.run(message, context({ ask }));
  assert.deepEqual(written, [
    { ...message, subject: 'S' },
    { ...message, subject: null },
  ]);
});

test('no answer in time is said; a failure fails the step with its message', async () => {
  const result = async (more: Parameters<typeof answering>[0]) =>
    ((await send.run(message, context({ ask: answering(more) }))) as { readonly result: string }).result;
  assert.equal(await result({ status: 'working', body: null }), 'Sent to x@y.example; no answer has come yet.');
  assert.equal(await result({ status: 'completed', body: null }), 'x@y.example answered without a text (completed).');
  assert.equal(await result({ status: 'input_required', body: 'Which one?' }), 'Which one?');
  const refused = (more: Parameters<typeof answering>[0], text: string) =>
    assert.rejects(
      async () => result(more),
      (error) => error instanceof TaskError && error.message === text,
    );
  await refused({ status: 'failed', body: null, error: 'It broke.' }, 'It broke.');
  await refused({ status: 'rejected', body: 'No.' }, 'No.');
  await refused({ status: 'failed', body: null }, 'x@y.example could not answer: its message is failed.');
  await assert.rejects(async () => send.run({ ...message, body: ' ' }, context({ ask: answering() })), TaskError);
});

test('one message goes to all recipients, and the answer of each stands below its address', async () => {
  const answers = [
    { from: 'a@y.example', status: 'completed', body: 'Yes.', data: { n: 1 }, error: null },
    { from: 'b@y.example', status: 'failed', body: null, data: null, error: 'It broke.' },
    { from: 'c@y.example', status: 'working', body: null, data: null, error: null },
  ];
  const written: unknown[] = [];
  const ask = async (mail: OwnMail) => {
    written.push(mail);
    return answering({ ...answers[0], status: 'working', answers })(mail);
  };
  const input = { to: ABC, cc: ['d@y.example'], body: 'hi' };
  const output = (await send.run(input, context({ ask }))) as { readonly result: string };
  assert.equal(
    output.result,
    'a@y.example:\nYes.\n\nb@y.example: It broke.\n\nSent to c@y.example; no answer has come yet.',
  );
  assert.ok(Check(send.output, output), JSON.stringify(Errors(send.output, output)));
  assert.deepEqual(written, [{ ...input, subject: null }]);
  assert.match(send.show(output, input), /^To a@y\.example, b@y\.example and c@y\.example, cc d@y\.example:/);
  assert.equal(
    send.says?.(input, 'UTC').does,
    'Send to a@y.example, b@y.example and c@y.example, cc d@y.example',
    'who approves it sees all recipients',
  );
  await assert.rejects(
    async () => send.run(input, context({ ask: answering({ status: 'failed', answers: answers.slice(1) }) })),
    /b@y\.example: It broke\./,
  );
});

test('long answers of several are shortened so that the step that sent them does not fail', async () => {
  const answers = ABC.map((from) => ({
    from,
    status: 'completed',
    body: '👋'.repeat(20_000),
    data: ['x'.repeat(20_000)],
    error: null,
  }));
  const output = (await send.run({ to: ABC, body: 'hi' }, context({ ask: answering({ answers }) }))) as {
    readonly result: string;
  };
  assert.ok(Buffer.byteLength(JSON.stringify(output)) <= context().limits.output_bytes);
  for (const address of ABC) assert.ok(output.result.includes(`${address}:\n👋`));
  assert.ok(output.result.isWellFormed());
});

test('an answer to a question back makes the whole instruction', () => {
  const input = (says: string, answer: string, it?: number) => {
    const first = send.read(clause(says, it === undefined ? {} : { it }));
    assert.ok(first !== undefined && 'ask' in first, says);
    const reading = send.read(clause(first.answered(answer), it === undefined ? {} : { it }));
    return reading !== undefined && 'input' in reading ? reading.input : reading;
  };
  assert.deepEqual(input('send it to Ann', 'ann@acme.example', 1), { to: 'ann@acme.example', body: '{{1}}' });
  assert.deepEqual(input('email the result', 'ann@acme.example', 1), { to: 'ann@acme.example', body: '{{1}}' });
  assert.deepEqual(input('send x@y.example', 'hi'), message);
  assert.deepEqual(input('send x@y.example with subject S', 'hi'), { ...message, subject: 'S' });
  assert.deepEqual(input('send hi to a@y.example or b@y.example', 'a@y.example'), { to: 'a@y.example', body: 'hi' });
  assert.deepEqual(input('send a@y.example, b@y.example and c@y.example', 'hi'), { to: ABC, body: 'hi' });
  assert.deepEqual(input('send a@y.example and b@y.example, cc c@y.example', 'hi'), {
    to: ABC.slice(0, 2),
    cc: ABC.slice(2),
    body: 'hi',
  });
  assert.deepEqual(input('tell a@y.example, b@y.example is late', 'b is late'), {
    to: ABC.slice(0, 2),
    body: 'b is late',
  });
});

test('text that was pasted or quoted names nobody to write to', () => {
  const reading = send.read(clause('forward this to ann@acme.example', { data: 'Write to bob@acme.example:\n"now"' }));
  assert.deepEqual(reading, { sure: 1, input: { to: 'ann@acme.example', body: 'Write to bob@acme.example:\n"now"' } });
  assert.deepEqual(send.read(clause('send "write to bob@acme.example" to x@y.example')), {
    sure: 0.95,
    input: { to: 'x@y.example', body: 'write to bob@acme.example' },
  });
});

const FOREIGN = [
  'extract the addresses from a@b.example and c@d.example',
  'is a@b.example valid',
  'write a poem about a@b.example',
  'write a poem',
  'send me a quote',
  'email me',
  'ask a question',
  'tell me a joke',
  'mail merge these rows',
  'let x be 5',
  'post https://example.com/',
  'submit',
  'message in a bottle',
  'forward slashes to backslashes',
  'drop the last column',
  'pass',
  'what is the domain of a@b.example',
  'calculate 2+2',
  'translate "send x@y.example hi" to French',
  'hash a@b.example with md5',
  'write "a@b.example" in upper case',
];

test('send leaves to others what is not theirs, and long text at once', async () => {
  for (const says of FOREIGN) {
    const reading = send.read(clause(says));
    assert.ok(reading === undefined, `${says}: ${JSON.stringify(reading)}`);
  }
  await assertEffort(10, 'long text', () => {
    assert.equal(send.read(clause(`send ${'a@b.example '.repeat(1_300)}`)), undefined);
    for (const says of [
      `send ${'a'.repeat(1_900)}`,
      `send ${'a@'.repeat(900)}`,
      `ask ${'a@b.c '.repeat(300)}`,
      `email ${'subject '.repeat(240)}`,
      `tell ${'" '.repeat(900)}`,
      `send ${'a.b@'.repeat(450)}`,
      `send ${'a@b.example, '.repeat(140)}cc x@y.example "hi"`,
      `send ${'a@b.example cc '.repeat(120)}`,
    ]) {
      send.read(clause(says));
    }
  });
});
