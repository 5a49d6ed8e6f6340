import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { BatchThread, type BatchThreadOptions } from '../batch-thread.ts';
import { PoolError } from '../pool.ts';
import type { Task } from './batch-worker.ts';
import { watched } from './watched.ts';

const open = (options: Partial<BatchThreadOptions> = {}) =>
  watched(
    new BatchThread<Task, unknown>({
      name: 'test',
      script: new URL('./batch-worker.ts', import.meta.url),
      run_ms: 60_000,
      ...options,
    }),
  );

const ended = (reason: PoolError['reason']) => (error: unknown) =>
  error instanceof PoolError && error.reason === reason;

test('each of many tasks gets its own result, whether it ends at once or later', async () => {
  await using opened = open();
  const wanted = Array.from({ length: 500 }, (_, n) => n);
  const results = await Promise.all(
    wanted.map((n) => opened.threads.run({ do: n % 7 === 0 ? 'later' : 'echo', value: n })),
  );
  assert.deepEqual(results, wanted);
});

test('what one task throws fails that one and no other of its batch', async () => {
  await using opened = open();
  const [before, thrown, after] = await Promise.allSettled([
    opened.threads.run({ do: 'echo', value: 1 }),
    opened.threads.run({ do: 'throw', value: 2 }),
    opened.threads.run({ do: 'echo', value: 3 }),
  ]);
  assert.deepEqual(
    [before, after].map((one) => one?.status === 'fulfilled' && one.value),
    [1, 3],
  );
  assert.match(String(thrown?.status === 'rejected' && thrown.reason), /thrown: 2/);
});

test('a thread that dies fails what it worked on, the others end with it, and the next task starts another with what there is to hand it then', async () => {
  let starts = 0;
  await using opened = open({ data: () => ++starts });
  assert.equal(await opened.threads.run({ do: 'started with' }), 1);
  const lost = [opened.threads.run({ do: 'exit' }), opened.threads.run({ do: 'echo', value: 'lost' })];
  for (const [at, one] of lost.entries()) await assert.rejects(one, ended(at === 0 ? 'crashed' : 'ended'));
  assert.equal(await opened.threads.run({ do: 'started with' }), 2);
  assert.deepEqual(opened.replacements, [{ pool: 'test', reason: 'crash' }]);
});

test('a thread that is stuck is ended after its time and replaced; what it had answered is answered', async () => {
  await using opened = open({ run_ms: 1_000 });
  assert.equal(await opened.threads.run({ do: 'echo', value: 'before' }), 'before');
  await assert.rejects(opened.threads.run({ do: 'hang' }), ended('timeout'));
  assert.equal(await opened.threads.run({ do: 'echo', value: 'after' }), 'after');
  assert.deepEqual(opened.replacements, [{ pool: 'test', reason: 'timeout' }]);
});

test('a thread that is busy is not taken for stuck, however long what waits has waited', async () => {
  await using opened = open({ run_ms: 1_000 });
  assert.equal(await opened.threads.run({ do: 'echo', value: 'before' }), 'before');
  const results = Array.from({ length: 12 }, (_, n) => opened.threads.run({ do: 'busy', value: n, ms: 100 }));
  assert.equal((await Promise.all(results)).length, 12);
  assert.deepEqual(opened.replacements, []);
});

test('a task that takes too much processor time in one go ends its thread alone', async () => {
  await using opened = open({ slice_ms: 500 });
  assert.equal(await opened.threads.run({ do: 'echo', value: 'before' }), 'before');
  const [first, hung, behind] = await Promise.allSettled([
    opened.threads.run({ do: 'busy', value: 'first', ms: 50 }),
    opened.threads.run({ do: 'hang' }),
    opened.threads.run({ do: 'echo', value: 'behind' }),
  ]);
  assert.equal(first?.status, 'fulfilled');
  assert.ok(hung?.status === 'rejected' && ended('timeout')(hung.reason));
  assert.ok(behind?.status === 'rejected' && ended('ended')(behind.reason));
  assert.deepEqual(opened.replacements, [{ pool: 'test', reason: 'timeout' }]);
});

test('waiting takes no processor time, however long', async () => {
  await using opened = open({ slice_ms: 20 });
  const results = Array.from({ length: 10 }, (_, n) => opened.threads.run({ do: 'later', value: n }));
  assert.equal((await Promise.all(results)).length, 10);
  assert.deepEqual(opened.replacements, []);
});

test('a process that stood still takes the answers that came meanwhile', async () => {
  await using opened = open({ run_ms: 1_000 });
  assert.equal(await opened.threads.run({ do: 'echo', value: 'before' }), 'before');
  const answer = opened.threads.run({ do: 'echo', value: 'meanwhile' });
  await new Promise(setImmediate);
  // This thread answers nothing, without the processor time of a loop.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  assert.equal(await answer, 'meanwhile');
  assert.deepEqual(opened.replacements, []);
});

test('what is ready does not wait for one that takes long', async () => {
  await using opened = open();
  assert.equal(await opened.threads.run({ do: 'echo', value: 'before' }), 'before');
  const order: unknown[] = [];
  const tasks: Task[] = [
    { do: 'busy', value: 'first', ms: 50 },
    { do: 'busy', value: 'second', ms: 800 },
  ];
  const record = (value: unknown): void => void order.push([value, performance.now() - from < 800]);
  const from = performance.now();
  await Promise.all(tasks.map((task) => opened.threads.run(task).then(record)));
  assert.deepEqual(order, [
    ['first', true],
    ['second', false],
  ]);
});

test('one that does not start is given up after three tries, and each task is told', async () => {
  await using opened = open({ data: () => 'never starts' });
  for (let tries = 1; tries <= 3; tries++) {
    assert.equal(opened.threads.broken, false);
    await assert.rejects(opened.threads.run({ do: 'echo', value: tries }), ended('crashed'));
  }
  assert.equal(opened.threads.broken, true);
});

test('what cannot be handed over fails, and the thread goes on', async () => {
  await using opened = open();
  const none = opened.threads.run({ do: 'echo', value: () => {} });
  await assert.rejects(none, /could not be cloned/);
  assert.equal(await opened.threads.run({ do: 'echo', value: 'after' }), 'after');
  assert.deepEqual(opened.replacements, []);
});

test('a closed one rejects what waits and what comes', async () => {
  await using opened = open();
  const waits = opened.threads.run({ do: 'hang' });
  const closed = opened.threads.close();
  await assert.rejects(waits, ended('closed'));
  await closed;
  await assert.rejects(opened.threads.run({ do: 'echo', value: 1 }), ended('closed'));
  assert.deepEqual(opened.replacements, []);
});

test('a process with an idle thread ends', async () => {
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { BatchThread } from ${at('../batch-thread.ts')};
    const thread = new BatchThread({ name: 'test', script: new URL(${at('./batch-worker.ts')}), run_ms: 60_000 });
    console.log(await thread.run({ do: 'echo', value: 'done' }));`;
  const options = { timeout: 30_000 };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  assert.equal(stdout, 'done\n');
});
