import assert from 'node:assert/strict';

const ROUNDS = 3;

/** CPU time of this process, all its threads, in ms: what others do on the machine is not in it. */
async function cpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Work that is always the same, of the kind that text is put through. */
function reference(): void {
  const words = Array.from({ length: 20_000 }, (_, index) => ((index * 48_271) % 65_537).toString(36));
  const text = words.sort().join(' ');
  assert.equal(text.replace(/[a-f]+/g, '').split(' ').length, words.length);
}

/** What this machine takes for the reference at the moment, about 10 ms where the bounds were found. */
async function measure(): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await cpu(reference));
  return Math.min(...rounds);
}

let unit: number | undefined;

/**
 * AssertionError when the work takes more than so many times what a fixed piece of work takes on this machine. No clock:
 * a slow machine is slow at both, and a busy one spends its time elsewhere. The work is done again before it is blamed.
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
