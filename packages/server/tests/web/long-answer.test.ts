import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '../../core/entities/message.ts';
import { reply } from '../../transports/web/turns.ts';

const messageOf = (body: string): Message =>
  ({ id: 'msg_1', status: 'completed', body: 'Hi', reply: { body, data: null } }) as unknown as Message;

test('a page shows the beginning of a very long answer and says where all of it is', async () => {
  const short = await reply(messageOf('x'.repeat(65_536)), { behavior: 'hello' });
  assert.doesNotMatch(short.text, /can read all of it/);
  const long = await reply(messageOf(`${'x'.repeat(65_535)}😀${'y'.repeat(900_000)}`), { behavior: 'do' });
  assert.ok(long.text.length < 70_000, `${long.text.length} characters`);
  assert.ok(long.text.isWellFormed());
  assert.match(long.text, /The first 65,536 of 965,537 characters\..*GET \/api\/v1\/mail\/messages\/msg_1/);
});
