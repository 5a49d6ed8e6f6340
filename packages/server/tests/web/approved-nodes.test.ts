import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';

const UNDO_MS = 60_000;
const WAIT_MS = 60_000;
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const env = { DATABASE_URL: await postgres.newDatabase(), UNDO_SECONDS: String(UNDO_MS / 1000) };
const first = await startInside({ env });
const second = await startInside({ env: { ...env, BASE_URL: first.url } });

test('an approval at one node is taken back at another, and leaves from it once the first has stopped', async () => {
  const { api, newNamespace, newMailbox, newKey, send } = second.client;
  const [home, other] = [await newNamespace(), await newNamespace()];
  const desk = await newMailbox(home, { outgoing: { review: 'always' } });
  const target = await newMailbox(other);
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  for (const body of ['The first.', 'The second.'])
    await send(secret, { from: desk.address, to: target.address, body });
  const reviews = async () =>
    (
      await api<Page<{ id: string; status: string }>>('GET', '/mail/reviews', { key: home.key })
    ).body.items.toReversed();
  const at = { first: visitorOf(first.client.url), second: visitorOf(second.client.url) };
  for (const who of [at.first, at.second]) assert.equal((await who.signIn(home.key)).status, 303);
  const paths = (await reviews()).map(({ id }) => `/console/reviews?open=${id}`);
  for (const path of paths) assert.equal((await at.first.send(path, {}, ['do', 'approve'], path)).status, 303);
  const [undone = ''] = paths;
  assert.match((await at.second.get(undone)).html, /Leaves in <span data-left>/);
  const [review] = await reviews();
  const undo = await at.second.send(undone, {}, ['undo', `approved:${review?.id}`], '/console/undo');
  assert.deepEqual([undo.status, undo.to], [303, undone]);
  await first.stop();
  second.pass(UNDO_MS + 1_000);
  await until(WAIT_MS, reviews, (all) => all.some(({ status }) => status === 'approved'));
  assert.deepEqual(
    (await reviews()).map(({ status }) => status),
    ['pending', 'approved'],
  );
});
