import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readHere } from './reading/harness.ts';

const SAMPLES = join(import.meta.dirname, './samples');

/** The address of MAIL FROM, as the last server writes it (RFC 5321, section 4.4). */
const pathOf = (mail: string): string => /^Return-Path: <(.*)>$/m.exec(mail)?.[1] ?? assert.fail(mail);

// The folder of each sample is the reason for which it gets no answer; those of people get one.
const files = globSync('*/*.eml', { cwd: SAMPLES }).sort();
assert.ok(files.length > 40);
for (const file of files) {
  const reason = dirname(file) === 'people' ? null : dirname(file);
  test(`a mail as ${file} ${reason === null ? 'may be answered' : `gets no automatic answer: ${reason}`}`, async () => {
    const mail = readFileSync(join(SAMPLES, file), 'utf8');
    assert.equal((await readHere(mail, pathOf(mail))).automatic, reason);
  });
}
