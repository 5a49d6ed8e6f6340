import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startInside } from '../harness/inside.ts';
import { startNodes } from '../harness/nodes.ts';
import { sharedPostgres } from '../harness/postgres.ts';
import { runMain } from '../harness/service.ts';
import type { Mailbox } from '../harness/wire.ts';
import { amount } from '../soak/length.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.js');
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

/** More than one of them finds the other's house half made. */
const NODES = amount(3, 5);

test('nodes started at the same moment on an empty database make one house with one owner key, a later one finds it, and all serve it', async () => {
  for (let round = 0; round < amount(1, 2); round++) {
    await using nodes = await startNodes({ postgres, count: NODES, together: true, main: MAIN });
    const tellers = nodes.all.filter((node) => node.stdout().includes('owner key of agents is in'));
    assert.equal(tellers.length, 1, 'one of them says where the key is');
    const [later] = tellers as [(typeof tellers)[number]];
    await later.stop();
    await later.start();
    assert.doesNotMatch(later.stdout(), /owner key/, 'a later start has no key to tell');
    for (const node of nodes.all) {
      assert.equal(node.logs(), '');
      assert.equal((await node.client.api('GET', '/me', { key: nodes.house.key })).status, 200);
      assert.equal((await node.client.api('GET', '//readyz')).status, 200);
      const boxes = await node.client.all<Mailbox>('/namespaces/agents/mailboxes', nodes.house.key);
      assert.deepEqual(boxes.map((box) => box.local_part).sort(), ['auth', 'do', 'hello', 'proofread']);
    }
    assert.equal((await nodes.sql('select id from namespaces')).length, 1);
    assert.equal((await nodes.sql('select id from mailboxes')).length, 4);
    assert.equal((await nodes.sql('select id from keys')).length, 1);
  }
});

test('a node whose PostgreSQL is not there says so in one line that names the setting, and ends', async () => {
  const url = new URL(await postgres.newDatabase());
  url.password = 'a-secret';
  const noDatabase = new URL(url);
  noDatabase.pathname = '/no_such_database';
  const noServer = new URL(url);
  // No server listens on this reserved port (IANA, tcpmux).
  noServer.port = '1';
  const running = runMain([], { PORT: '0', DATABASE_URL: noServer.href });
  assert.deepEqual(await running.exited, { code: 1, signal: null });
  assert.match(running.stderr(), /^mailroom: .*DATABASE_URL.*\n$/);
  assert.doesNotMatch(running.stderr(), /a-secret/);
  const isRight = ({ message }: Error): boolean => /^.*DATABASE_URL.*$/.test(message) && !message.includes('a-secret');
  await assert.rejects(startInside({ env: { DATABASE_URL: noDatabase.href } }), isRight);
});
