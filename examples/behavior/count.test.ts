import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkBehavior, testMessage } from '@mailroom/behavior/check';
import make from './index.ts';

test('it keeps the promises of a behavior', async () => {
  await checkBehavior(make);
});

test('it counts words, and the seconds at the speed of its settings', async () => {
  const { message, context } = testMessage('One two three', { speed: 60 });
  const outcome = await make().handle(message, context);
  assert.deepEqual(outcome, { kind: 'reply', body: '3 words, 3 seconds aloud.', data: { words: 3, seconds: 3 } });
});
