import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../../../tests/harness/threads.ts';
import { applyEdits } from '../edits.ts';
import { RULES } from '../rules/index.ts';

test('each rule has an id of its own, with sentences that it corrects and others that it leaves', () => {
  const ids = RULES.map(({ id }) => id);
  assert.deepEqual([...new Set(ids)], ids);
  for (const { id, fixes, leaves } of RULES) {
    assert.match(id, /^[a-z]+(?:-[a-z]+)*$/);
    assert.ok(Object.keys(fixes).length > 0 && leaves.length > 0, id);
  }
});

for (const { id, doubt = false, fixes, leaves } of RULES) {
  describe(id, () => {
    for (const [wrong, right] of Object.entries(fixes)) {
      test(`${doubt ? 'doubts' : 'corrects'}: ${wrong}`, async () => {
        const { edits, doubts } = await check(wrong, 'american');
        const found = doubt ? doubts.map((one) => ({ ...one, replacement: one.suggestions[0] as string })) : edits;
        assert.deepEqual([...new Set(found.map(({ rule }) => rule))], [id]);
        assert.equal(applyEdits(wrong, found as typeof edits), right);
        // A reason is a statement, and names words.
        for (const { explanation } of found) assert.match(explanation, /^(?!.*“”)[^?]+[.!]$/);
        const ignored = await check(wrong, 'american', { ignore: [id] });
        assert.ok([...ignored.edits, ...ignored.doubts].every(({ rule }) => rule !== id));
      });
    }
    for (const sentence of leaves) {
      test(`leaves: ${sentence}`, async () => {
        const { edits, doubts } = await check(sentence, 'american');
        assert.deepEqual([...edits, ...(doubt ? doubts : [])], []);
      });
    }
  });
}
