import { test } from 'node:test';
import { run } from './driver.ts';
import { everyCase } from './suite.ts';

const cases = await everyCase();
const results = cases.map(({ task }) => run(task));
for (const [place, { name, check }] of cases.entries())
  test(`TypeScript, ${name}`, async () => check(await (results[place] as Promise<never>)));
