import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingsTable } from '../src/commands/help.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README lists every setting as the service reads it', () => {
  assert.ok(readme.includes(settingsTable()), `README.md wants this table under Settings:\n${settingsTable()}`);
});
