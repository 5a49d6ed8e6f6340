import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from '@mailroom/behavior';
import type { Message } from '../../core/entities/message.ts';
import { held, home, openHouse, settledOf, submission } from './house.ts';

test('what is written of a reply is shown to who watches, beside the reports, and is kept nowhere', async () => {
  await using house = await openHouse();
  const alice = await home(house);
  const work = held();
  let context: Context<unknown> | undefined;
  house.handle = (message, given) => {
    context = given;
    return work.handle(message, given);
  };
  const { message } = await house.post.send(submission(alice, alice));
  await work.begun;
  context?.stream('Nobody sees');
  const seen: Message[] = [];
  const leave = house.bus.watch(message.id, (now) => seen.push(now));
  context?.stream('Nobody sees this');
  context?.report('Half of it');
  context?.stream('A');
  assert.deepEqual(
    seen.map(({ draft, progress }) => [
      draft,
      (JSON.parse(progress ?? '[]') as { text: string }[]).map(({ text }) => text),
    ]),
    [
      ['Nobody sees this', []],
      ['Nobody sees this', ['Half of it']],
      ['A', ['Half of it']],
    ],
  );
  const stored = await house.store.messages.byId(message.id);
  assert.equal(stored?.draft, undefined);
  assert.ok(!JSON.stringify(stored).includes('Nobody'));
  work.release();
  const settled = await settledOf(house, message.id);
  const before = seen.length;
  context?.stream('Too late');
  assert.equal(seen.length, before);
  assert.equal(settled?.draft, undefined);
  assert.equal(seen.at(-1)?.status, 'completed');
  leave();
});
