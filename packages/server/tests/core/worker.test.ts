import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Leased, type Queue, Worker } from '../../core/runs/worker.ts';
import { until } from './house.ts';

interface Work {
  readonly id: string;
  readonly due_at: number;
}

/** Work in memory with so many slots, and what was claimed, run and given back of it. */
function opened(
  slots: number,
  handle: (work: Work, signal: AbortSignal) => Promise<void> = async () => {},
  claim_ms = 0,
) {
  const waiting: Work[] = [];
  const claimed: number[] = [];
  const errors: unknown[] = [];
  const [done, released]: [string[], string[]] = [[], []];
  let used = 0;
  let broken = 0;
  const release = (): void => {
    used--;
  };
  const queue: Queue<Work> = {
    async claim(now) {
      if (broken-- > 0) throw new Error('unavailable');
      const due = waiting.filter(({ due_at }) => due_at <= now);
      const leased: Leased<Work>[] = due.slice(0, slots - used).map((claim) => ({ claim, slot: { release } }));
      for (const { claim } of leased) waiting.splice(waiting.indexOf(claim), 1);
      used += leased.length;
      claimed.push(leased.length);
      const next = waiting.map(({ due_at }) => due_at).filter((at) => at > now);
      if (claim_ms > 0) await pause(claim_ms);
      return { leased, more: due.length > leased.length, next: next.length === 0 ? undefined : Math.min(...next) };
    },
    renew: async (claims) => claims.map(({ id }) => id),
    release: async ({ id }) => void released.push(id),
  };
  const worker = new Worker(
    {
      queue,
      handle: async ({ claim }, { signal }) => {
        await handle(claim, signal);
        done.push(claim.id);
      },
      clock: Date.now,
    },
    { lease_ms: 60_000, poll_ms: 60_000, onError: (error) => void errors.push(error) },
  );
  const add = (id: string, after_ms = 0): void => void waiting.push({ id, due_at: Date.now() + after_ms });
  const breakNext = (): void => {
    broken = 1;
  };
  return { worker, add, claimed, done, released, errors, breakNext, used: () => used };
}

test('work is claimed when it becomes due, without a notice', async () => {
  const { worker, add, done } = opened(4);
  add('now');
  add('soon', 30);
  worker.check();
  await until(() => done.length === 2);
  assert.deepEqual(done, ['now', 'soon']);
  await worker.stop(0);
});

test('work that becomes due while others are claimed is claimed next, and not a whole poll later', async () => {
  const { worker, add, done } = opened(4, undefined, 100);
  add('now');
  add('soon', 50);
  worker.check();
  await until(() => done.length === 2);
  assert.deepEqual(done, ['now', 'soon']);
  await worker.stop(0);
});

test('what had no slot is claimed as others end, and no claim is made while nothing ends', async () => {
  const ends: (() => void)[] = [];
  const { worker, add, claimed, done } = opened(2, () => new Promise((resolve) => ends.push(resolve)));
  for (let i = 0; i < 5; i++) add(`${i}`);
  worker.check();
  await until(() => ends.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(claimed, [2, 0]);
  while (done.length < 5) {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.deepEqual(done, ['0', '1', '2', '3', '4']);
  await worker.stop(0);
});

test('at the stop what runs has its grace, and the rest is aborted and given back', async () => {
  const quick = Promise.withResolvers<void>();
  const aborted: string[] = [];
  const { worker, add, done, released, used } = opened(2, ({ id }, signal) =>
    id === 'quick'
      ? quick.promise
      : new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            aborted.push(id);
            reject(signal.reason);
          }),
        ),
  );
  add('quick');
  add('slow');
  worker.check();
  await until(() => worker.running === 2);
  setTimeout(quick.resolve, 5);
  await worker.stop(100);
  assert.deepEqual([done, aborted, released], [['quick'], ['slow'], ['slow']]);
  await until(() => used() === 0);
  add('late');
  worker.check();
  assert.equal(worker.claiming, false);
});

test('a claim that fails is reported, and the next one claims', async () => {
  const { worker, add, done, errors, breakNext } = opened(1);
  add('one');
  breakNext();
  worker.check();
  await until(() => !worker.claiming);
  assert.deepEqual([done.length, errors.length], [0, 1]);
  worker.check();
  await until(() => done.length === 1);
  await worker.stop(0);
});
