import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { check } from '../../../tests/harness/threads.ts';
import { DIALECTS, type Dialect } from '../dialect.ts';

interface Clean {
  readonly dialect: Dialect;
  readonly sentence: string;
}

function read(): Clean[] {
  const clean: Clean[] = [];
  let dialect: Dialect = 'american';
  const lines = readFileSync(new URL('./clean-sentences.txt', import.meta.url), 'utf8').split('\n');
  for (const line of lines.slice(1)) {
    const heading = /^## .*\[(\w+)\]$/.exec(line);
    if (heading !== null) {
      const named = DIALECTS.find((name) => name === heading[1]);
      assert.ok(named, line);
      dialect = named;
    } else if (line !== '') clean.push({ dialect, sentence: line });
  }
  return clean;
}

test('of the clean sentences at most one is flagged', async () => {
  const clean = read();
  assert.ok(clean.length >= 220, `${clean.length} sentences`);
  const flagged: string[] = [];
  for (const { dialect, sentence } of clean) {
    const { language, edits } = await check(sentence, dialect);
    assert.equal(language, 'en', sentence);
    if (edits.length > 0) flagged.push(`${sentence} ${JSON.stringify(edits)}`);
  }
  assert.ok(flagged.length <= 1, flagged.join('\n'));
});
