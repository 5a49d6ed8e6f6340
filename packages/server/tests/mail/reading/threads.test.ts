import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PoolError } from '@mailroom/workers/pool';
import { until } from '../../../../../tests/harness/until.ts';
import { ReaderThreads } from '../../../mail/reading/reader-threads.ts';
import { startReading } from './harness.ts';
import type { Deed } from './turns-worker.ts';

const CPU_MS = 200;
const reasonOf = (error: unknown): string => (error instanceof PoolError ? error.reason : String(error));

function threadsOf(
  threads: number,
  together = 16,
  silent_ms = 60_000,
): ReaderThreads<Deed, string | undefined> & AsyncDisposable {
  const readers = new ReaderThreads<Deed, string | undefined>({
    script: new URL('./turns-worker.ts', import.meta.url),
    data: CPU_MS,
    threads,
    together,
    max_queue: 8,
    cpu_ms: CPU_MS,
    silent_ms,
    rest_ms: 50,
    resource_limits: {},
  });
  return Object.assign(readers, { [Symbol.asyncDispose]: () => readers.close() });
}

test('mails of a domain whose name server is silent hold up no other mail, and are not verified', async () => {
  const zone = {
    'silent.example': 'TIMEOUT',
    '_dmarc.silent.example': 'TIMEOUT',
    'example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
  } as const;
  await using reading = await startReading(zone, { threads: 2, dns_timeout_ms: 60_000 });
  const mail = (from: string): string => `From: ${from}\nSubject: Hello\n\nHello.\n`;
  // Both threads have started, which takes longer than reading.
  await Promise.all(['b@example.com', 'c@example.com'].map((from) => reading.read(mail(from))));
  let waiting = 50;
  const silent = Array.from({ length: waiting }, async (_, at) => {
    const from = `a${at}@silent.example`;
    const read = await reading.read(mail(from), { ip: `192.0.2.${at + 10}`, from });
    waiting -= 1;
    return read;
  });
  const good = await reading.read(mail('anna@example.com'));
  assert.equal(good.authentication.spf, 'pass');
  assert.ok(waiting > 0, 'it waited for all of the others');
  for (const { authentication, policy } of await Promise.all(silent))
    assert.deepEqual(
      [authentication.spf, authentication.dmarc, authentication.verified, policy],
      ['temperror', 'temperror', false, 'none'],
    );
});

test('a thread that read much ends once it has no task, which gives back its memory, and another one starts', async () => {
  await using threads = threadsOf(1);
  for (let n = 0; n < 2; n++) {
    assert.equal(await threads.run({ kind: 'answer' }, '', undefined, 25_000_000), 'answer');
    assert.equal(threads.started, 1);
    await until(
      10_000,
      async () => threads.started,
      (count) => count === 0,
    );
  }
});

test('tasks that wait do so together, however many there are', async () => {
  await using threads = threadsOf(1);
  const results = await Promise.all(Array.from({ length: 16 }, () => threads.run({ kind: 'wait', ms: 50 }, '')));
  assert.deepEqual(results, Array(16).fill('wait'));
});

test('a task that hangs fails alone, whatever it shares its thread with', async () => {
  await using threads = threadsOf(1);
  const waiting = Array.from({ length: 8 }, () => threads.run({ kind: 'wait', ms: 100 }, 'a'));
  const hanging = threads.run({ kind: 'hang' }, 'b').catch(reasonOf);
  assert.deepEqual(await Promise.all(waiting), Array(8).fill('wait'));
  assert.equal(await hanging, 'timeout');
  assert.equal(await threads.run({ kind: 'answer' }, 'b'), 'answer');
});

test('a task is not blamed for a thread that only says nothing, as on a machine that gives it no time', async () => {
  await using threads = threadsOf(1, 16, 300);
  // Neither a thread nor its watch keeps a process alive.
  const alive = setTimeout(() => {}, 60_000);
  assert.equal(await threads.run({ kind: 'wait', ms: 60_000 }, '').catch(reasonOf), 'full');
  clearTimeout(alive);
});

test('a task that ends its thread fails alone, whatever it shares it with', async () => {
  await using threads = threadsOf(2);
  const waiting = Array.from({ length: 20 }, () => threads.run({ kind: 'wait', ms: 100 }, 'a'));
  const dying = threads.run({ kind: 'die' }, 'b').catch(reasonOf);
  assert.deepEqual(await Promise.all(waiting), Array(20).fill('wait'));
  assert.equal(await dying, 'crashed');
});

test('a task that works in pieces is stopped when they are too much together, and its thread goes on', async () => {
  await using threads = threadsOf(1);
  const working = threads.run({ kind: 'work' }, 'b');
  const others = Array.from({ length: 4 }, () => threads.run({ kind: 'wait', ms: 100 }, 'a'));
  assert.equal(await working, undefined);
  assert.deepEqual(await Promise.all(others), Array(4).fill('wait'));
});

test('a caller has a quarter of the queue, and others the rest', async () => {
  await using threads = threadsOf(1, 1);
  const begun = threads.run({ kind: 'wait', ms: 100 }, 'a');
  const own = Array.from({ length: 3 }, () => threads.run({ kind: 'wait', ms: 1 }, 'a').catch(reasonOf));
  const other = threads.run({ kind: 'answer' }, 'b');
  assert.deepEqual(await Promise.all(own), ['wait', 'wait', 'full']);
  assert.deepEqual([await begun, await other], ['wait', 'answer']);
});

test('tasks that wait or run when the threads are closed are rejected', async () => {
  await using threads = threadsOf(1, 1);
  const ended = Array.from({ length: 3 }, () => threads.run({ kind: 'wait', ms: 60_000 }, '').catch(reasonOf));
  await threads.close();
  assert.deepEqual(await Promise.all(ended), Array(3).fill('closed'));
  await assert.rejects(threads.run({ kind: 'answer' }, ''), PoolError);
});
