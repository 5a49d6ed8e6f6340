import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, connect } from '../../../../tests/harness/client.ts';
import { newFolder, PROOF_MAIN, removeFolder, startService } from '../../../../tests/harness/service.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { lostBy } from './lost-deliveries.ts';

const ENV = { WEBHOOK_NETWORKS: '127.0.0.1', RATE_LIMITS: 'off' };

/** Starts a service on SQLite, kills it midway, and starts it again. */
async function lostOnSqlite(
  main?: string,
  env: Record<string, string> = {},
  batches?: Parameters<typeof lostBy>[3],
): Promise<readonly string[]> {
  const folder = newFolder();
  await using endpoint = await webhookEndpoint();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => removeFolder(folder));
  const first = await startService({ folder, env: { ...ENV, ...env }, ...(main !== undefined && { main }) });
  const next = async (): Promise<Client> => {
    const service = stack.use(await startService({ folder, env: ENV }));
    return connect(service.url);
  };
  return await lostBy({ client: connect(first.url), kill: () => first.kill() }, next, endpoint, batches);
}

test('killed while it delivers, it delivers every event of an acknowledged message after the next start', async () => {
  assert.deepEqual(await lostOnSqlite(), []);
});

test('the same with a webhook that takes batches', async () => {
  assert.deepEqual(await lostOnSqlite(undefined, {}, { batch: 10, requests: 3 }), []);
});

test(
  'a service that moves the place in the log before the deliveries are written is found out',
  LONG_ONLY,
  async () => {
    assert.notDeepEqual(await lostOnSqlite(PROOF_MAIN, { DEFECT: 'late-deliveries' }), []);
  },
);
