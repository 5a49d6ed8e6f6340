import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

const MAIN = join(import.meta.dirname, '../../main.js');
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());

/** More than one of them finds the other's house half made. */
const NODES = amount(2, 5);

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
