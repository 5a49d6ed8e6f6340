import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inTurns, TooMany } from '../../core/values/in-turns.ts';

/** What is handed over of `text`, which comes in pieces of these sizes. */
async function pieces(text: string, sizes: readonly number[], max_events = 100): Promise<string[]> {
  const bytes = Buffer.from(text);
  const source = async function* () {
    for (let [at, turn] = [0, 0]; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      yield bytes.subarray(at, at + size);
      at += size;
    }
  };
  const handed: Buffer[] = [];
  for await (const chunk of inTurns(source(), { max_events })) handed.push(Buffer.from(chunk));
  assert.equal(Buffer.concat(handed).toString(), text);
  return handed.map(String);
}

test('every byte is handed over, however they come', async () => {
  const part = fc.constantFrom('data: {"a":[1,2]}', '\n', '\r\n', '\r', ': ping', '"\\"{,', 'ü', '[[', '{}');
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(part), sizes, async (parts, each) => void (await pieces(parts.join(''), each))),
  );
});

test('events come a few at a time, whatever ends their lines', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const events = `data: {}${end}${end}`.repeat(100);
    const handed = await pieces(events, [events.length]);
    for (const piece of handed) assert.ok(piece.split('data').length - 1 <= 17, `${piece.length} characters`);
    await assert.rejects(pieces(events, [events.length], 99), TooMany);
  }
});

test('a body that comes byte by byte is refused after ten pieces for each event that it may have', async () => {
  await pieces('x'.repeat(1_000), [1]);
  await assert.rejects(pieces('x'.repeat(1_001), [1]), /1,000 pieces/);
});

test('a document of more than 10,000 values is refused, and one long text is not', async () => {
  await assert.rejects(pieces(`[${'{},'.repeat(10_000)}{}]`, [4096]), TooMany);
  await assert.rejects(pieces('['.repeat(10_001), [1], 2_000), /values/);
  await pieces(JSON.stringify({ text: '{[,:"\\'.repeat(50_000) }), [4096]);
});
