import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reader } from '@mailroom/proofread/reader';
import type { Task } from '@mailroom/proofread/worker';
import { Pool, PoolError } from '@mailroom/workers/pool';
import type { Reading } from '../reading.ts';
import { openProofread } from './open.ts';

const script = new URL('./faulty-worker.ts', import.meta.url);
const AMERICAN = { dialect: 'american', inferred: false } as const;
const never = new AbortController().signal;

function open(options: { run_ms?: number; max_queue?: number; workers?: number } = {}) {
  const { run_ms = 5_000, max_queue = 100, workers = 1 } = options;
  const crashed = new SharedArrayBuffer(4);
  const pool = new Pool<Task, Reading>({ name: 'test', script, data: crashed, workers, max_queue, run_ms });
  return { pool, reader: new Reader(pool, workers), [Symbol.asyncDispose]: () => pool.close() };
}

test('a text whose thread dies is answered by the one that replaces it', async () => {
  await using it = open();
  assert.equal((await it.reader.read('die once', AMERICAN, never)).words, 2);
});

test('a text that takes too long on its thread fails, and the next one is answered', async () => {
  await using it = open({ run_ms: 1_000 });
  const slow = it.reader.read('hang', AMERICAN, never);
  const next = it.reader.read('one two three', AMERICAN, never);
  await assert.rejects(slow, (error) => error instanceof PoolError && error.reason === 'timeout');
  assert.equal((await next).words, 3);
});

test('a long piece that takes too long is read again in smaller ones', async () => {
  await using it = open({ run_ms: 1_000 });
  const text = 'hang if long. '.repeat(60);
  assert.equal((await it.reader.read(text, AMERICAN, never)).words, 180);
});

test('a text whose thread had no processor time is read later, and only one that took too long fails', async () => {
  await using it = open({ run_ms: 1_000 });
  await using proofread = openProofread({ pool: it.pool });
  const busy = await proofread.handle('sleep');
  assert.deepEqual([busy.kind, 'after_ms' in busy && busy.after_ms >= 1_000], ['retry', true]);
  assert.match('detail' in busy ? busy.detail : '', /busy/);
  const slow = await proofread.handle('hang');
  assert.deepEqual([slow.kind, 'detail' in slow && /took too long/.test(slow.detail)], ['fail', true]);
});

test('a short text sent behind a long one is answered long before it', async () => {
  await using it = open();
  const done: string[] = [];
  const long = it.reader.read('This is a sentence. '.repeat(12_000), AMERICAN, never).then(() => done.push('long'));
  const short = Array.from({ length: 20 }, () =>
    it.reader.read('One two.', AMERICAN, never).then(() => done.push('short')),
  );
  await Promise.all([long, ...short]);
  assert.equal(done.length, 21);
  assert.equal(done.at(-1), 'long');
});

test('a long text is read to its end while short ones keep coming', async () => {
  await using it = open();
  let shortOnes = 0;
  let running = true;
  const keepComing = async (): Promise<void> => {
    while (running) {
      await it.reader.read('One two.', AMERICAN, never);
      shortOnes += 1;
    }
  };
  const coming = [keepComing(), keepComing(), keepComing()];
  const { words } = await it.reader.read('This is a sentence. '.repeat(2_000), AMERICAN, never);
  running = false;
  await Promise.all(coming);
  assert.equal(words, 8_000);
  assert.ok(shortOnes > 0);
});

test('a canceled text stops being read', async () => {
  await using it = open();
  const abort = new AbortController();
  const reading = it.reader.read('This is a sentence. '.repeat(12_000), AMERICAN, abort.signal);
  await it.reader.read('One two.', AMERICAN, never);
  abort.abort(new Error('canceled'));
  await assert.rejects(reading, /canceled/);
  assert.equal((await it.reader.read('One two.', AMERICAN, never)).words, 2);
  assert.equal(it.pool.queued, 0);
});

test('texts beyond what may wait are told to come again', async () => {
  await using few = open({ max_queue: 2 });
  await using it = openProofread({ pool: few.pool });
  const outcomes = await Promise.all(Array.from({ length: 6 }, async () => it.handle('A short text.')));
  const kinds = outcomes.map((outcome) => outcome.kind);
  assert.deepEqual(kinds, ['reply', 'reply', 'retry', 'retry', 'retry', 'retry']);
  const retry = outcomes[2];
  assert.ok(retry?.kind === 'retry' && retry.after_ms >= 1_000);
});

test('a closed behavior asks to try again, as the service is stopping', async () => {
  const it = openProofread({ workers: 1 });
  await it.behavior.close?.();
  assert.equal((await it.handle('A short text.')).kind, 'retry');
});
