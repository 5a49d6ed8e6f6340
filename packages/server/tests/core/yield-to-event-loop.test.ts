import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import { CHUNK_BYTES } from '../../core/entities/attachment.ts';
import { bytesOf } from '../../core/files/attached-files.ts';

/** The turns of the event loop that `read` passes to `note`, of so many reads at once. */
async function turnsOf(reads: number, read: (note: () => void) => Promise<void>): Promise<readonly number[]> {
  let turn = 0;
  let reading = true;
  const count = (): void => {
    turn++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await Promise.all(Array.from({ length: reads }, () => read(() => turns.push(turn))));
  reading = false;
  return turns;
}

/** The turn in which each piece of so many long reads began. */
const turnsOfPieces = (reads: number, pieces: number): Promise<readonly number[]> =>
  turnsOf(reads, async (note) => {
    for (let piece = 0; piece < pieces; piece++) {
      await yieldToEventLoop();
      note();
    }
  });

test('of many files that are read at once, one chunk is read in each turn', async () => {
  const turns = await turnsOf(8, async (note) => {
    const blobs = {
      chunk: async () => {
        note();
        return new Uint8Array(CHUNK_BYTES);
      },
    };
    for await (const chunk of bytesOf({ blob_id: 'blob' }, blobs, 0, 5 * CHUNK_BYTES - 1))
      assert.equal(chunk.length, CHUNK_BYTES);
  });
  assert.equal(turns.length, 40);
  assert.equal(new Set(turns).size, 40);
});

test('of many that yield at once, one goes on in each turn of the event loop', async () => {
  const turns = await turnsOfPieces(8, 5);
  assert.equal(turns.length, 40);
  assert.equal(new Set(turns).size, 40);
});

test('those that yield go on in the order in which they came', async () => {
  const order: string[] = [];
  const read = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await yieldToEventLoop();
      order.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(read));
  assert.equal(order.join(''), 'abcabcabc');
});

test('one that yields alone goes on in the next turn', async () => {
  assert.deepEqual(await turnsOfPieces(1, 3), [1, 2, 3]);
});
