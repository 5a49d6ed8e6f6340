import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { settingsTable } from '@mailroom/server/commands/help';
import { settings } from '@mailroom/server/config';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const readme = read('README.md');

test('docs/settings.md lists every setting as the service reads it', () => {
  assert.ok(
    read('docs/settings.md').includes(settingsTable()),
    `docs/settings.md wants this table:\n${settingsTable()}`,
  );
});

test('the README names only settings that there are, with their defaults', () => {
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:none|`([^`]*)`) \|/gm)];
  assert.equal(rows.length, 12);
  for (const [, name = '', byDefault] of rows)
    assert.equal((settings as Record<string, { default: string | undefined }>)[name]?.default, byDefault, name);
});

test('the README takes two minutes, and ARCHITECTURE.md ten', () => {
  const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
  assert.ok(words(readme) <= 900);
  assert.ok(words(read('ARCHITECTURE.md')) <= 700);
});

test('every file that docs/flow.md names is there', () => {
  const names = [...read('docs/flow.md').matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name);
  const folders = ['', ...new Set(names.filter((name) => name.includes('/')).map((name) => dirname(name)))];
  const isThere = (name: string): boolean =>
    (name.includes('/') ? [''] : folders).some((folder) => existsSync(join(ROOT, 'packages', folder, name)));
  assert.ok(names.length > 40);
  assert.deepEqual(
    names.filter((name) => !isThere(name)),
    [],
  );
});
