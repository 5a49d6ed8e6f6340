// Other programs: Python.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { finished } from '../old-node.ts';
import type { Result } from './scenario.ts';
import { everyCase } from './suite.ts';

const DRIVER = join(import.meta.dirname, 'driver.py');
const CLIENT = join(import.meta.dirname, '../../../../clients/python');
const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on the PATH';

for (const [name, args] of [
  ['Python', []],
  ['asyncio', ['--async']],
] as const)
  test(name, { skip, timeout: 40_000 }, async (context) => {
    const cases = await everyCase();
    const input = cases.map(({ task }) => `${JSON.stringify(task)}\n`).join('');
    const env = { PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
    const { status, stdout, stderr } = await finished('python3', [DRIVER, ...args], env, { input });
    assert.equal(status, 0, stderr);
    const results: readonly Result[] = JSON.parse(stdout);
    assert.equal(results.length, cases.length);
    for (const [place, one] of cases.entries()) await context.test(one.name, () => one.check(results[place] as Result));
  });
