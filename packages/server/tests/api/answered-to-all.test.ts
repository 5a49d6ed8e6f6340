import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '@mailroom/behavior/values/error';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { replaced } from '../process/proof/wrap.ts';

const MINUTE_MS = 60_000;
/** Whether no message is accepted, as of a database that is away for a moment. */
let isAway = false;
const inside = await startInside({
  wrap: (store) => ({
    ...store,
    messages: replaced(store.messages, {
      accept: async (acceptance) => {
        if (isAway) throw new AppError('unavailable', 'The database is away.');
        return store.messages.accept(acceptance);
      },
    }),
  }),
});
const { api, newNamespace, newMailbox, send, all, read } = inside.client;

test('an answer to all that is refused, and a further one, keep nothing of an earlier answer from those who wait for it', async () => {
  const [home, desks, others] = [await newNamespace(), await newNamespace(), await newNamespace()];
  const [from, desk] = [await newMailbox(home), await newMailbox(desks, { behavior: { name: 'agent' } })];
  const other = await newMailbox(others);
  const sent = { from: from.address, to: [desk.address], cc: [other.address], body: 'What do you think?' };
  const { id } = (await send(home.key, sent)).body;
  const { body } = await api<{ items: { claim: string; message: Envelope }[] }>(
    ...(['POST', `/mailboxes/${desk.address}/claim`, { key: desks.key }] as const),
  );
  const [claimed] = body.items;
  const answer = (fields: object) =>
    api('POST', `/mail/messages/${claimed?.message.id}/answer`, {
      key: desks.key,
      body: { reply_all: true, ...fields },
    });
  isAway = true;
  assert.equal((await answer({ body: 'I agree.' })).status, 200);
  assert.equal((await answer({ body: 'One more thing.' })).status, 200);
  isAway = false;
  isProblem(await answer({ claim: claimed?.claim, body: 'A program agrees.' }), 'claim_lost');
  const copies = async (): Promise<string[]> =>
    (await all<Envelope>(`/mailboxes/${other.address}/messages`, others.key)).map((message) => message.body);
  assert.deepEqual(await copies(), ['What do you think?']);
  inside.pass(2 * MINUTE_MS);
  const { seen } = await until(30_000, copies, ({ length }) => length >= 3);
  assert.deepEqual(seen.sort(), ['I agree.', 'One more thing.', 'What do you think?']);
  assert.equal((await read(home.key, id)).body.reply?.body, 'I agree.');
});
