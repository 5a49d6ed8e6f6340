import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { type Peer, startPeers } from '../../../../tests/harness/peers.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';

const LIMIT = 5;
const limits = { RATE_LIMITS: 'on', LIMIT_OIDC_PER_MINUTE: String(LIMIT) };
const peers = await startPeers(['one.test', 'two.test'], (domain) => (domain === 'two.test' ? limits : {}), '127.0.10');
after(() => peers[Symbol.asyncDispose]());
const [one, two] = peers.all as [Peer, Peer];

test('each message of a batch counts, and what is over the limit waits', async () => {
  const [from, to] = await Promise.all(
    [one, two].map(
      async ({ inside, home }) => (await inside.client.newMailbox(home, { behavior: { name: 'agent' } })).address,
    ),
  );
  const bodies = Array.from({ length: 3 * LIMIT }, () => unique());
  const sent = await Promise.all(
    bodies.map((body) => one.inside.client.send(one.home.key, { from, to, body }, { prefer: 'wait=1' })),
  );
  const received = async (): Promise<string[]> =>
    (
      await two.inside.client.api<Page<Envelope>>('GET', `/mailboxes/${to}/messages`, { key: two.home.key })
    ).body.items.map(({ body }) => body);
  const statuses = (): Promise<(string | undefined)[]> =>
    Promise.all(
      sent.map(async ({ body: { id } }) => {
        const { body } = await one.inside.client.read(one.home.key, id);
        return (body as { deliveries?: { status: string }[] }).deliveries?.[0]?.status;
      }),
    );
  await until(60_000, statuses, (all) => all.every((status) => status === 'sent' || status === 'deferred'));
  const [taken, left] = [(await received()).length, (await statuses()).filter((status) => status === 'sent').length];
  // The limit grows back while a slow machine sends.
  assert.ok(taken >= LIMIT && taken < bodies.length, String(taken));
  assert.equal(left, taken);
});
