import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Shared } from '../../src/transports/web/console/shared.ts';

test('what many ask for is made once, anew when its life is over, and at once when it could not be made', async () => {
  const shared = new Shared<number>(40);
  let made = 0;
  const make = async (): Promise<number> => ++made;
  const asked = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => shared.get('a', make)));
  assert.deepEqual(new Set(all.map(({ value }) => value)), new Set([1]));
  assert.ok((all[0]?.begun ?? 0) >= asked);
  assert.equal((await shared.get('b', make)).value, 2);
  await pause(250);
  assert.equal((await shared.get('a', make)).value, 3);
  const broken = (): Promise<number> => Promise.reject(new Error('not now'));
  await assert.rejects(shared.get('c', broken), /not now/);
  assert.equal((await shared.get('c', make)).value, 4);
});

test('what was slow to make lives longer', async () => {
  const shared = new Shared<number>(0);
  let made = 0;
  const slow = async (): Promise<number> => {
    await pause(30);
    return ++made;
  };
  await shared.get('a', slow);
  await pause(60);
  assert.equal((await shared.get('a', slow)).value, 1);
});
