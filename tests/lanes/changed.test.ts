import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reaching } from './changed.ts';

const FILES = ['tests/floors.test.ts', 'tests/api/send.test.ts', 'tests/store/sqlite.test.ts', 'tests/readme.test.ts'];
const reached = (...changed: readonly string[]): string[] => reaching(FILES, new Set(changed));

test('a change is reached by the tests that import it, start it, read it, or do so by way of other files', () => {
  assert.deepEqual(reached('tests/store/sqlite.test.ts'), ['tests/store/sqlite.test.ts']);
  // It is a thread of its own, which its caller names by a URL.
  assert.ok(reached('src/store/sqlite/writer.ts').includes('tests/store/sqlite.test.ts'));
  assert.ok(
    reached('src/behaviors/hello/index.ts').includes('tests/api/send.test.ts'),
    'the service is a process of its own',
  );
  assert.ok(reached('README.md').includes('tests/readme.test.ts'));
  assert.deepEqual(reached('.gitignore', 'there-is-none.ts'), []);
});
