import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const server = join(import.meta.dirname, '../..');
const LATER = /(?<!typeof )\bimport\(\s*'([^'.][^']*)'\s*\)(?!\.\w)/g;

test('what a request loads when it first needs it is loaded ahead', () => {
  const ahead = readFileSync(join(server, 'service/load-ahead.ts'), 'utf8');
  const files = ['http', 'transports', 'net'].flatMap((room) =>
    readdirSync(join(server, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(server, room, file)),
  );
  const later = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LATER)].map(([, name]) => String(name)),
  );
  assert(later.length > 10);
  assert.deepEqual(
    [...new Set(later)].filter((name) => !name.startsWith('node:') && !ahead.includes(`'${name}'`)),
    [],
  );
});
