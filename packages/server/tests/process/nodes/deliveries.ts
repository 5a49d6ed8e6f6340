import assert from 'node:assert/strict';
import { test } from 'node:test';
import { webhookEndpoint } from '../../../../../tests/harness/webhook-endpoint.ts';
import { lostBy } from '../lost-deliveries.ts';
import { b, c } from './shared.ts';

// The last test of these nodes: the first one was killed before, the second one is killed here.
test('when a node is lost, the others deliver what it had taken', async () => {
  await using endpoint = await webhookEndpoint();
  assert.deepEqual(await lostBy({ client: b.client, kill: () => b.kill() }, async () => c.client, endpoint), []);
});
