import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchJob } from '../../core/values/batch-job.ts';

/** A pause that a test does not wait for. */
const LONG_MS = 3_600_000;

test('a job that is behind is told so, and pauses no longer than its batches take', async () => {
  const told: boolean[] = [];
  const batch = async (behind: boolean): Promise<boolean> => {
    told.push(behind);
    return told.length < 20;
  };
  await using job = new BatchJob(batch, LONG_MS, -1);
  await job.run();
  assert.deepEqual(new Set(told), new Set([true]));
  assert.equal(told.length, 20);
});

test('a job that is not behind pauses between its batches, and a stop ends the pause', async () => {
  const told: boolean[] = [];
  const job = new BatchJob(async (behind) => told.push(behind) > 0, LONG_MS);
  const running = job.run();
  await new Promise((resolve) => setImmediate(resolve));
  await job[Symbol.asyncDispose]();
  await running;
  assert.deepEqual(told, [false]);
});

test('each pass begins without a backlog', async () => {
  const told: boolean[] = [];
  await using job = new BatchJob(async (behind) => told.push(behind) < 0, 0);
  for (let pass = 0; pass < 3; pass++) await job.run();
  assert.deepEqual(told, [false, false, false]);
});
