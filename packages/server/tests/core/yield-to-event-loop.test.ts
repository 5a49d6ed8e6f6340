import assert from 'node:assert/strict';
import { test } from 'node:test';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';

/** The turn of the event loop in which each piece of so many long reads began. */
async function turnsOfPieces(reads: number, pieces: number): Promise<readonly number[]> {
  let turn = 0;
  let reading = true;
  const count = (): void => {
    turn++;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const read = async (): Promise<void> => {
    for (let piece = 0; piece < pieces; piece++) {
      await yieldToEventLoop();
      turns.push(turn);
    }
  };
  await Promise.all(Array.from({ length: reads }, read));
  reading = false;
  return turns;
}

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
