import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '@mailroom/english-proofreader/edits';
import { check } from './threads.ts';

/** By what they show: faulty sentences, each with what a careful editor makes of it. */
export type Corrected = Readonly<Record<string, readonly (readonly [faulty: string, right: string])[]>>;
/** By what they show: sentences without a mistake. */
export type Right = Readonly<Record<string, readonly string[]>>;

/** A test for each sentence: the faulty ones become the right ones, and the right ones stay as they are. */
export function testSentences(corrected: Corrected, right: Right): void {
  for (const [name, pairs] of Object.entries(corrected)) {
    describe(name, () => {
      for (const [faulty, wanted] of pairs) {
        test(faulty, async () => {
          const { edits } = await check(faulty, 'american');
          assert.equal(applyEdits(faulty, edits), wanted, JSON.stringify(edits));
          // A reason is a statement, and names words.
          for (const { explanation } of edits) assert.match(explanation, /^(?!.*“”)[^?]+[.!]$/);
        });
      }
    });
  }
  for (const [name, texts] of Object.entries(right)) {
    describe(`left alone: ${name}`, () => {
      for (const text of texts) {
        test(text, async () => {
          assert.deepEqual((await check(text, 'american')).edits, []);
        });
      }
    });
  }
}
