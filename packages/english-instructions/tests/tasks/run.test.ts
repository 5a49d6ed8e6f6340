import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeRun } from '../../tasks/run.ts';
import { Sandbox } from '../../tasks/sandbox/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { RUN } from './examples/run.ts';
import { clause, context, examplesOf } from './harness.ts';

const sandbox = new Sandbox({ workers: 1, max_queue: 50 });
after(() => sandbox.close());
const run = makeRun(sandbox);

examplesOf(run, RUN);

test('it leaves alone what is no script, however it begins', () => {
  for (const says of [
    'run it',
    'run 5 miles',
    'run this by Anna',
    'test',
    'evaluate: 2+2',
    'calculate 1+1',
    'execute',
    'run',
    'what is this',
    'what does it do',
    'evaluate the expression 2+2',
    'try this: a longer walk',
    'run errands with Bob',
  ]) {
    const reading = run.read(clause(says));
    assert.ok(reading === undefined || 'ask' in reading, `${says}: ${JSON.stringify(reading)}`);
  }
  assert.equal(run.read(clause('translate this', { data: '1 + 1', language: 'js' })), undefined);
  assert.equal(run.read(clause('run: errands with Bob, then home.')), undefined);
  assert.equal(run.read(clause('what is this', { data: 'A text about a walk.' })), undefined);
});

test('an answered question is an instruction that is understood', () => {
  const reading = run.read(clause('run this script on [1]'));
  assert.ok(reading !== undefined && 'ask' in reading);
  assert.equal(reading.answered('input[0]'), 'run this script on [1]:\ninput[0]');
  const again = run.read(clause('run this script on [1]', { data: 'input[0]' }));
  assert.deepEqual(again, { sure: 0.95, input: { code: 'input[0]', input: [1] } });
});

test('what is wrong is said with its line and the console', async () => {
  const says = async (code: string, limits = context().limits): Promise<string> =>
    await Promise.resolve(run.run({ code }, context({ limits }))).then(
      () => assert.fail('it should fail'),
      (error: unknown) => {
        assert.ok(error instanceof TaskError);
        return error.message;
      },
    );
  assert.equal(
    await says('const a = 1;\nlet b = ;'),
    "The script is not valid JavaScript: unexpected token in expression: ';' (line 2)",
  );
  assert.equal(await says('\nnull.x'), "TypeError: cannot read property 'x' of null (line 2)");
  assert.match(
    await says('console.log("so far"); throw new Error("no")'),
    /^Error: no \(line 1\)\n\nConsole until then:\n\n```\nso far\n```$/,
  );
  const limits = { ms: 100, memory_bytes: 8 << 20, output_bytes: 1000 };
  assert.equal(await says('for (;;);', limits), 'The script took longer than 100 ms.');
  assert.equal(await says('"x".repeat(2000)', limits), 'The result is longer than 1000 bytes of JSON.');
  assert.match(
    await says('const a = []; for (;;) a.push(a.length + "")', { ...limits, ms: 2_000 }),
    /more than 8 MiB of memory/,
  );
});

test('what it came to is shown as text or JSON, with the console, and cannot break out of its fence', async () => {
  const shows = async (code: string): Promise<string> => run.show(await run.run({ code }, context()), { code });
  assert.equal(await shows('6 * 7'), '42');
  assert.equal(await shows('"plain text"'), 'plain text');
  assert.equal(await shows('[1]'), '```json\n[\n  1\n]\n```');
  assert.equal(await shows('null'), 'The script ran and came to nothing.');
  assert.equal(await shows('console.log("hi")'), 'Console:\n\n```\nhi\n```');
  assert.equal(await shows('"```\\n# heading"'), '````\n```\n# heading\n````');
});

for (const code of [
  'const t = Date.now(); while (Date.now() - t < 400); 7',
  'const t = Date.now(); while (Date.now() - t < 400); return 7',
  '(() => { const t = Date.now(); while (Date.now() - t < 400); return 7 })()',
  'const t = Date.now(); await null; while (Date.now() - t < 400); return 7',
]) {
  test(`a script may take as long as a step may, in every form: ${code}`, async () => {
    assert.deepEqual(await run.run({ code }, context()), { result: 7, logs: [] });
  });
}
