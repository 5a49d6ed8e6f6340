import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { LONG_FILE, ROOT } from './lanes.ts';

const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('each test file that only `npm run soak` runs names those that show the same in short form', () => {
  const files = globSync(['tests/**/*.test.ts', 'packages/**/tests/**/*.test.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules'],
  });
  const long = files.flatMap((file) => {
    const names = LONG_FILE.exec(text(file))?.[1];
    return names === undefined ? [] : names.split(', ').map((name) => [file, join(dirname(file), name)] as const);
  });
  assert.notEqual(long.length, 0);
  for (const [file, short] of long) {
    assert.ok(existsSync(join(ROOT, short)), `${file} names ${short}, which is not there`);
    assert.ok(!LONG_FILE.test(text(short)), `${file} names ${short}, which is a long form itself`);
  }
});
