import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool, PoolError, type PoolOptions } from '../pool.ts';
import type { Task } from './pool-worker.ts';
import { watched } from './watched.ts';

const script = new URL('./pool-worker.ts', import.meta.url);

const open = (options: Partial<PoolOptions> = {}) =>
  watched(
    new Pool<Task, unknown>({
      name: 'test',
      script,
      workers: 2,
      max_queue: 100,
      run_ms: 5_000,
      ...options,
    }),
  );

const failsWith = (reason: PoolError['reason']) => (error: unknown) =>
  error instanceof PoolError && error.reason === reason;
const echo = (value: unknown): Task => ({ do: 'echo', value });

test('many tasks are each answered with their own result', async () => {
  await using it = open();
  const numbers = Array.from({ length: 90 }, (_, n) => n);
  assert.deepEqual(await Promise.all(numbers.map((n) => it.threads.run(echo(n)))), numbers);
  assert.equal(it.threads.busy, 0);
  assert.equal(it.threads.queued, 0);
});

test('what a handler throws fails its own task and keeps the thread', async () => {
  await using it = open({ workers: 1 });
  await assert.rejects(it.threads.run({ do: 'throw', value: 'x' }), /thrown: x/);
  assert.equal(await it.threads.run(echo(1)), 1);
  assert.deepEqual(it.replacements, []);
});

test('a thread that exits is replaced and its task answered', async () => {
  await using it = open({ workers: 1 });
  const flag = new SharedArrayBuffer(4);
  assert.equal(await it.threads.run({ do: 'exit once', value: 'still', flag }), 'still');
  assert.deepEqual(it.replacements, [{ pool: 'test', reason: 'crash' }]);
});

test('a task that kills two threads fails, and the others are answered', async () => {
  await using it = open({ workers: 1 });
  const poison = it.threads.run({ do: 'exit' });
  const others = [1, 2, 3].map((n) => it.threads.run(echo(n)));
  await assert.rejects(poison, failsWith('crashed'));
  assert.deepEqual(await Promise.all(others), [1, 2, 3]);
  assert.equal(it.replacements.length, 2);
});

test('an exception outside of any handler counts as a crash', async () => {
  await using it = open({ workers: 1 });
  await assert.rejects(it.threads.run({ do: 'crash later' }), failsWith('crashed'));
  assert.equal(await it.threads.run(echo('after')), 'after');
});

test('a task that hangs is ended at its time bound while others are answered', async () => {
  await using it = open({ workers: 2, run_ms: 300 });
  const hanging = it.threads.run({ do: 'hang' });
  const others = Array.from({ length: 20 }, (_, n) => it.threads.run(echo(n)));
  await assert.rejects(hanging, failsWith('timeout'));
  assert.deepEqual(
    await Promise.all(others),
    Array.from({ length: 20 }, (_, n) => n),
  );
  assert.deepEqual(it.replacements, [{ pool: 'test', reason: 'timeout' }]);
});

test('a full queue refuses what is new and takes what goes on', async () => {
  await using it = open({ workers: 1, max_queue: 2 });
  const first = [it.threads.run(echo(1)), it.threads.run(echo(2))];
  await assert.rejects(it.threads.run(echo(3)), failsWith('full'));
  const goesOn = it.threads.run(echo(4), { admitted: true });
  assert.deepEqual(await Promise.all([...first, goesOn]), [1, 2, 4]);
});

test('waiting tasks are taken in the order in which they are due', async () => {
  await using it = open({ workers: 1 });
  const done: number[] = [];
  await Promise.all([30, 10, 20].map((due) => it.threads.run(echo(due), { due }).then(() => done.push(due))));
  assert.deepEqual(done, [10, 20, 30]);
});

test('an aborted task leaves the queue', async () => {
  await using it = open({ workers: 1 });
  const abort = new AbortController();
  const waiting = it.threads.run(echo(1), { signal: abort.signal });
  assert.equal(it.threads.queued, 1);
  abort.abort(new Error('not wanted'));
  await assert.rejects(waiting, /not wanted/);
  assert.equal(it.threads.queued, 0);
  await assert.rejects(it.threads.run(echo(1), { signal: abort.signal }), /not wanted/);
});

test('a pool that kills on abort stops a running task', async () => {
  await using it = open({ workers: 1, kill_on_abort: true, run_ms: 60_000 });
  const flag = new SharedArrayBuffer(4);
  const abort = new AbortController();
  const running = it.threads.run({ do: 'hang', flag }, { signal: abort.signal });
  const started = Atomics.waitAsync(new Int32Array(flag), 0, 0);
  if (started.async) await started.value;
  abort.abort(new Error('stop'));
  await assert.rejects(running, /stop/);
  assert.equal(await it.threads.run(echo('free')), 'free');
  assert.deepEqual(it.replacements, [{ pool: 'test', reason: 'abort' }]);
});

test('threads that never start fail the tasks instead of starting for ever', async () => {
  await using it = open({ workers: 1, data: 'never starts' });
  await assert.rejects(it.threads.run(echo(1)), failsWith('crashed'));
});

test('a thread that gets no processor time while it starts is waited for, one that starts for ever is not', async () => {
  await using late = open({ workers: 1, data: 'starts late', start_ms: 200 });
  assert.equal(await late.threads.run(echo(1)), 1);
  assert.deepEqual(late.replacements, []);
  await using endless = open({ workers: 1, data: 'starts for ever', start_ms: 200 });
  await assert.rejects(endless.threads.run(echo(1)), failsWith('crashed'));
});

test('closing rejects what waits and what runs, and everything after', async () => {
  await using it = open({ workers: 1 });
  const tasks = [it.threads.run({ do: 'hang' }), it.threads.run(echo(1))];
  const ended = Promise.all(tasks.map((task) => assert.rejects(task, failsWith('closed'))));
  await it.threads.close();
  await ended;
  await assert.rejects(it.threads.run(echo(1)), failsWith('closed'));
});

test('no thread starts before there is work', async () => {
  await using it = open();
  assert.equal(it.threads.busy + it.threads.queued, 0);
  await it.threads.close();
});

test('callers take turns, and one that fills its part of the queue is refused what others are not', async () => {
  await using it = open({ workers: 1, max_queue: 8 });
  const done: string[] = [];
  const run = (caller: string, n: number) => it.threads.run(echo(n), { caller }).then(() => done.push(`${caller}${n}`));
  const taken = [run('a', 1), run('a', 2)];
  await assert.rejects(run('a', 3), failsWith('full'));
  taken.push(run('b', 1), run('b', 2));
  await Promise.all(taken);
  assert.deepEqual(done, ['a1', 'b1', 'a2', 'b2']);
});

test('a caller has half of the threads at most while others wait, and a guest always', async () => {
  await using it = open({ workers: 2, run_ms: 2_000 });
  const guests = [1, 2].map(() =>
    assert.rejects(it.threads.run({ do: 'wait', value: 30_000 }, { caller: 'guest:x' }), failsWith('timeout')),
  );
  assert.equal(await it.threads.run(echo('other'), { caller: 'b' }), 'other');
  assert.equal(it.threads.busy, 1);
  await Promise.all(guests);
});

test('a task that takes too much processor time is ended; one that only waits is not', async () => {
  await using it = open({ workers: 2, run_ms: 60_000, cpu_ms: 200 });
  const waiting = it.threads.run({ do: 'wait', value: 2_500 });
  await assert.rejects(it.threads.run({ do: 'hang' }), failsWith('timeout'));
  assert.equal(await waiting, 2_500);
  assert.deepEqual(it.replacements, [{ pool: 'test', reason: 'timeout' }]);
});

test('a time-out says whether the task worked, or its thread had no processor time', async () => {
  await using it = open({ workers: 2, run_ms: 1_000 });
  const silentOf = async (task: Task): Promise<boolean> => {
    const error = await it.threads.run(task).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(failsWith('timeout')(error));
    return (error as PoolError).silent;
  };
  assert.deepEqual(await Promise.all([silentOf({ do: 'hang' }), silentOf({ do: 'wait', value: 30_000 })]), [
    false,
    true,
  ]);
});

test('what is moved to a thread is gone here, and is not run again when the thread dies', async () => {
  await using it = open({ workers: 1 });
  const bytes = new Uint8Array(1_000);
  assert.equal(await it.threads.run({ do: 'size', bytes }, { transfer: [bytes.buffer] }), 1_000);
  assert.equal(bytes.length, 0);
  const others = new Uint8Array(1_000);
  const poison = it.threads.run({ do: 'exit', bytes: others }, { transfer: [others.buffer] });
  await assert.rejects(poison, failsWith('crashed'));
  assert.deepEqual(it.replacements, [{ pool: 'test', reason: 'crash' }]);
});
