import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Node, startNodes } from '../../../../tests/harness/nodes.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

// Long form of: ../web/called.test.ts, nodes.test.ts.

// A member whose node dies while they are called gets the mail from another one, and gets it once.

const KILLS = amount(1, 50);
const MEMBERS = amount(2, 24);
const PATIENCE_MS = 120_000;
const AGO_MS = 20 * 60_000;

const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const nodes = await startNodes({ postgres, count: 2, env: { LEASE_SECONDS: '2' } });
after(() => nodes[Symbol.asyncDispose]());
const client = () => (nodes.all.find(({ up }) => up) as Node).client;
const behavior = { name: 'agent' };

/** A namespace with a member and an address at which something waits; the member's account is a mailbox of `home`. */
async function member(home: {
  readonly key: string;
  readonly name: string;
  readonly id: string;
  readonly keyId: string;
}) {
  const inbox = await client().newMailbox(home, { behavior });
  const theirs = await client().newNamespace();
  const desk = await client().newMailbox(theirs, { behavior });
  const [local] = inbox.address.split('@');
  const [account] = await nodes.sql(
    `select id from mailboxes where local_part = '${local}' and namespace = '${home.name}'`,
  );
  await nodes.sql(`insert into members (namespace_id, account_id, key_id, created_at)
    values ('${theirs.id}', '${account?.id}', '${theirs.keyId}', ${Date.now()})`);
  assert.equal((await client().send(home.key, { to: desk.address, body: 'Is anyone there?' })).status, 202);
  return { inbox: inbox.address, namespace: theirs };
}

test('of two nodes, one of them killed again and again, each member gets one mail', async () => {
  const home = await client().newNamespace();
  const members: Awaited<ReturnType<typeof member>>[] = [];
  for (let made = 0; made < MEMBERS; made++) members.push(await member(home));
  const planned = () => nodes.sql("select id from jobs where kind = 'waiting'");
  await until(PATIENCE_MS, planned, ({ length }) => length >= MEMBERS);
  // All of it waited long enough, and is due on both nodes at once.
  await nodes.sql(`update messages set created_at = created_at - ${AGO_MS}`);
  await nodes.sql(`update jobs set due_at = ${Date.now() - 1} where kind = 'waiting'`);
  for (let kill = 0; kill < KILLS; kill++) {
    const node = nodes.all[kill % 2] as Node;
    await pause(randomInt(100));
    await node.kill();
    await node.start();
  }
  const callsOf = async (address: string): Promise<number> => {
    const { body } = await client().api<Page<Envelope>>('GET', `/mailboxes/${address}/messages`, { key: home.key });
    return body.items.filter(({ subject }) => subject?.includes('waits for you in') === true).length;
  };
  const counts = () => Promise.all(members.map(({ inbox }) => callsOf(inbox)));
  await until(PATIENCE_MS, counts, (calls) => calls.every((count) => count >= 1));
  // A second mail would come with the next look of a node, which a lease delays.
  await pause(10_000);
  assert.deepEqual(await counts(), Array(MEMBERS).fill(1));
});
