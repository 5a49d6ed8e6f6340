import assert from 'node:assert/strict';

const ROUNDS = 3;

/** CPU time of this process over all its threads, in ms, independent of other processes. */
async function cpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** A constant amount of work similar to processing text. */
function reference(): void {
  const words = Array.from({ length: 20_000 }, (_, index) => ((index * 48_271) % 65_537).toString(36));
  const text = words.sort().join(' ');
  assert.equal(text.replace(/[a-f]+/g, '').split(' ').length, words.length);
}

/** CPU time of the reference work on this machine now, about 10 ms where the limits were chosen. */
async function measure(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cpu(reference));
  return Math.min(...rounds);
}

let unit: number | undefined;

/**
 * AssertionError when the work takes more than this many times the CPU time of a fixed piece of work. CPU time, not
 * wall-clock time, makes the result independent of the machine's speed and load. The work is repeated before the
 * assertion fails.
 */
export async function assertEffort(max: number, what: string, work: () => unknown): Promise<void> {
  const taken: number[] = [];
  unit ??= await measure();
  for (let round = 0; round < ROUNDS; round++) {
    const times = (await cpu(work)) / unit;
    if (times <= max) return;
    taken.push(Math.round(times));
    unit = await measure();
  }
  assert.fail(`${what} takes ${taken.join(', ')} times the reference, not ${max}`);
}
