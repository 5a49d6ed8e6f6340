import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();

test('the program of the guide works as it is printed', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/mcp.md'), 'utf8');
  const [, code = ''] = /```js\n(.*?)```/s.exec(guide) ?? [];
  // Beside the tests, because a program finds packages above its own folder.
  const file = join(import.meta.dirname, `printed-${process.pid}.mjs`);
  try {
    await writeFile(file, code.replace('http://localhost:8080', service.url));
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    assert.match(stdout, /^She has two cats\./);
  } finally {
    await rm(file, { force: true });
  }
});
