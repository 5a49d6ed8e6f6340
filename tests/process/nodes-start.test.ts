import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startNodes } from '../harness/nodes.ts';
import { sharedPostgres } from '../harness/postgres.ts';
import { runMain } from '../harness/service.ts';
import type { Mailbox } from '../harness/wire.ts';
import { amount } from '../soak/length.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.js');
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

test('nodes started at the same moment on an empty database make one house, with one owner key, and all serve it', async () => {
  for (let round = 0; round < amount(1, 2); round++) {
    await using five = await startNodes({ postgres, count: 5, together: true, main: MAIN });
    const tellers = five.all.filter((node) => node.stdout().includes('owner key of agents is in'));
    assert.equal(tellers.length, 1, 'one of them says where the key is');
    for (const node of five.all) {
      assert.equal(node.logs(), '');
      assert.equal((await node.client.api('GET', '/me', { key: five.house.key })).status, 200);
      assert.equal((await node.client.api('GET', '//readyz')).status, 200);
      const boxes = await node.client.all<Mailbox>('/namespaces/agents/mailboxes', five.house.key);
      assert.deepEqual(boxes.map((box) => box.local_part).sort(), ['auth', 'do', 'hello', 'proofread']);
    }
    assert.equal((await five.sql('select id from namespaces')).length, 1);
    assert.equal((await five.sql('select id from mailboxes')).length, 4);
    assert.equal((await five.sql('select id from keys')).length, 1);
  }
});

test('a node that starts later finds the house, and has no key to tell', async () => {
  await using two = await startNodes({ postgres, count: 2, main: MAIN });
  const [first, later] = two.all;
  assert.match(first?.stdout() ?? '', /owner key of agents is in/);
  assert.doesNotMatch(later?.stdout() ?? '', /owner key/);
  assert.equal((await later?.client.api('GET', '/me', { key: two.house.key }))?.status, 200);
});

test('a node whose PostgreSQL is not there says so in one line that names the setting, and ends', async () => {
  const url = new URL(await postgres.newDatabase());
  url.password = 'a-secret';
  const noDatabase = new URL(url);
  noDatabase.pathname = '/no_such_database';
  const noServer = new URL(url);
  // No server listens on this reserved port (IANA, tcpmux).
  noServer.port = '1';
  for (const { href } of [noDatabase, noServer]) {
    const running = runMain([], { PORT: '0', DATABASE_URL: href });
    assert.deepEqual(await running.exited, { code: 1, signal: null });
    assert.match(running.stderr(), /^mailroom: .*DATABASE_URL.*\n$/);
    assert.doesNotMatch(running.stderr(), /a-secret/);
  }
});
