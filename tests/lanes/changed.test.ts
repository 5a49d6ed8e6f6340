import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reaching } from './changed.ts';

const FILES = [
  'tests/floors.test.ts',
  'packages/server/tests/api/send.test.ts',
  'packages/server/tests/store/sqlite.test.ts',
  'tests/readme.test.ts',
];
const reached = (...changed: readonly string[]): string[] => reaching(FILES, new Set(changed));

test('a change is reached by the tests that import it, start it, read it, or do so by way of other files', () => {
  assert.deepEqual(reached('packages/server/tests/store/sqlite.test.ts'), [
    'packages/server/tests/store/sqlite.test.ts',
  ]);
  // It is a thread of its own, which its caller names by a URL.
  assert.ok(reached('packages/server/store/sqlite/writer.ts').includes('packages/server/tests/store/sqlite.test.ts'));
  assert.ok(
    reached('packages/behaviors/hello/index.ts').includes('packages/server/tests/api/send.test.ts'),
    'the service is a process of its own',
  );
  assert.ok(reached('README.md').includes('tests/readme.test.ts'));
  assert.deepEqual(reached('.gitignore', 'there-is-none.ts'), []);
});
