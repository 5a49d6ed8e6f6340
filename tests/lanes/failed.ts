// A reporter of the test runner: it writes what failed at the top of the run, a line each. In a lane that is the path of
// a test file; a test file with a process of its own, and a lane that ended early, have the name of their file here.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { ROOT } from './lanes.ts';

const TEST_FILE = /\.test\.ts$/;

/** The names, each once, relative to the repository. */
export default async function* failed(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names = new Set<string>();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.nesting > 0) continue;
    names.add(TEST_FILE.test(data.name) ? data.name : relative(ROOT, data.file ?? data.name));
  }
  for (const name of names) yield `${name}\n`;
}
