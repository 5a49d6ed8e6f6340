import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, HELLO, unique } from '../../../../../tests/harness/client.ts';
import type { Node } from '../../../../../tests/harness/nodes.ts';
import { isProblem } from '../../../../../tests/harness/problem.ts';
import { until } from '../../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../../tests/harness/wire.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { a, b, c, home, nodes } from './shared.ts';

// Changes made through one node while the other nodes have the old value cached.
const HEEDED_MS = 1_000;

const ask = (node: Node, to: string): Promise<Answer<Envelope>> =>
  node.client.send(home.key, { to, body: unique(), sync: true });
/** Makes every node cache it. */
const warm = async (to: string): Promise<void> => {
  for (const node of nodes.all) assert.equal((await ask(node, to)).status, 200);
};

test('a key revoked through one node is refused by the others on the very next request', async () => {
  const { address: to } = await a.client.newMailbox(home);
  for (let round = 0; round < amount(4, 40); round++) {
    const key = await a.client.newKey(home, { scopes: ['mail:send', 'messages:read'] });
    const sends = (node: Node) => node.client.send(key.secret, { to, body: unique(), sync: true });
    const reads = (node: Node) => node.client.api('GET', '/me', { key: key.secret });
    for (const node of [b, c, b, c]) {
      assert.equal((await reads(node)).status, 200);
      assert.equal((await sends(node)).status, 200);
    }
    const gone = await a.client.api('DELETE', `/keys/${key.id}`, { key: home.key });
    assert.equal(gone.status, 204, gone.text);
    const [first, second] = round % 2 === 0 ? [reads, sends] : [sends, reads];
    for (const answer of await Promise.all([first(b), second(c)])) isProblem(answer, 'invalid_key');
    for (const answer of await Promise.all([second(b), first(c)])) isProblem(answer, 'invalid_key');
  }
});

test('a key in constant use on every node does nothing that was begun after it was revoked', async () => {
  const { address: to } = await a.client.newMailbox(home);
  for (let round = 0; round < amount(1, 10); round++) {
    const key = await a.client.newKey(home, { scopes: ['mail:send', 'messages:read'] });
    let revoked = Number.POSITIVE_INFINITY;
    let over = false;
    const late: string[] = [];
    let changesBefore = 0;
    const use = async (node: Node, sending: boolean): Promise<void> => {
      while (!over) {
        const began = performance.now();
        const answer = sending
          ? await node.client.send(key.secret, { to, body: unique() })
          : await node.client.api('GET', '/mail/messages', { key: key.secret });
        if (began < revoked) changesBefore++;
        else if (answer.status !== 401) late.push(`${node.name}: ${answer.status}`);
      }
    };
    const users = nodes.all.flatMap((node) => [use(node, true), use(node, false)]);
    await until(
      10_000,
      () => Promise.resolve(changesBefore),
      (count) => count > 60,
    );
    const gone = await a.client.api('DELETE', `/keys/${key.id}`, { key: home.key });
    revoked = performance.now();
    assert.equal(gone.status, 204, gone.text);
    for (let i = 0; i < 5; i++) {
      for (const node of nodes.all) isProblem(await node.client.api('GET', '/me', { key: key.secret }), 'invalid_key');
    }
    over = true;
    await Promise.all(users);
    assert.deepEqual(late, []);
  }
});

test('a mailbox paused through one node is held on the others within a second, and answered when resumed', async () => {
  for (let round = 0; round < amount(1, 4); round++) {
    const { address: to } = await a.client.newMailbox(home);
    await warm(to);
    await a.client.change(home.key, to, { status: 'paused' });
    const held: Envelope[] = [];
    for (const node of [b, c]) {
      const { seen } = await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 202,
      );
      held.push(seen.body);
    }
    for (let i = 0; i < 10; i++) {
      for (const node of nodes.all) {
        const answer = await ask(node, to);
        assert.equal(answer.status, 202, 'it stays paused');
        held.push(answer.body);
      }
    }
    const waiting = held.map((message) => b.client.read(home.key, message.id, '?wait=20'));
    await c.client.change(home.key, to, { status: 'online' });
    for (const node of [a, b])
      await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 200,
      );
    for (const answer of await Promise.all(waiting)) assert.equal(answer.body.status, 'completed', answer.text);
  }
});

test('who waits on another node for a mailbox that is deleted is told so at once', async () => {
  const agent = { behavior: { name: 'agent', settings: { by_hand: true } } };
  const { address: to } = await a.client.newMailbox(home, agent);
  const sending = b.client.send(home.key, { to, body: 'Anyone?', sync: true }, { prefer: 'wait=60' });
  const path = `/mailboxes/${to}`;
  const { seen } = await until(
    20_000,
    () => c.client.api<{ items: { id: string }[] }>('GET', `${path}/messages`, { key: home.key }),
    ({ body }) => body.items.length === 1,
  );
  const reading = c.client.read(home.key, String(seen.body.items[0]?.id), '?wait=60');
  const gone = await a.client.api('DELETE', path, { key: home.key });
  assert.equal(gone.status, 204, gone.text);
  isProblem(await sending, 'mailbox_gone');
  isProblem(await reading, 'message_not_found');
});

test('a mailbox deleted through one node is gone from the others within a second', async () => {
  for (let round = 0; round < amount(1, 4); round++) {
    const { address: to } = await a.client.newMailbox(home);
    await warm(to);
    const gone = await a.client.api('DELETE', `/mailboxes/${to}`, { key: home.key });
    assert.equal(gone.status, 204, gone.text);
    for (const node of [b, c]) {
      const { seen } = await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 410,
      );
      isProblem(seen, 'mailbox_gone');
      await until(
        HEEDED_MS,
        () => node.client.api('GET', `/mailboxes/${to}`),
        (answer) => answer.status === 410,
      );
    }
  }
});

test('a mailbox made anew through one node is served by the others within a second', async () => {
  const local_part = unique('anew');
  const { address: to } = await a.client.newMailbox(home, { local_part });
  await warm(to);
  for (let round = 0; round < amount(1, 3); round++) {
    assert.equal((await a.client.api('DELETE', `/mailboxes/${to}`, { key: home.key })).status, 204);
    for (const node of [b, c])
      await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 410,
      );
    await b.client.newMailbox(home, { local_part });
    for (const node of [a, c])
      await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 200,
      );
  }
});

test('a namespace deleted through one node is gone from the others within a second, its keys at once', async () => {
  for (let round = 0; round < amount(1, 4); round++) {
    const its = await a.client.newNamespace();
    const { address: to } = await a.client.newMailbox(its);
    for (const node of nodes.all) {
      assert.equal((await node.client.send(its.key, { to, body: 'Hi', sync: true })).status, 200);
      assert.equal((await ask(node, to)).status, 200);
    }
    const gone = await a.client.api('DELETE', `/namespaces/${its.name}`, { key: its.key });
    assert.equal(gone.status, 204, gone.text);
    for (const node of [b, c]) isProblem(await node.client.api('GET', '/me', { key: its.key }), 'invalid_key');
    for (const node of [b, c]) {
      await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.status === 410,
      );
      await until(
        HEEDED_MS,
        () => node.client.api('GET', `/namespaces/${its.name}`),
        (seen) => seen.status === 410,
      );
    }
  }
});

test('changed settings of a behavior are seen on the others within a second, and never the old ones again', async () => {
  const { address: to } = await a.client.newMailbox(home);
  await warm(to);
  for (let round = 0; round < amount(3, 6); round++) {
    const introduction = unique('I am now ');
    const by = nodes.all[round % 3] as Node;
    await by.client.change(home.key, to, {
      behavior: { name: 'hello', settings: { ...HELLO.settings, introduction } },
    });
    for (const node of nodes.but(by.name)) {
      await until(
        HEEDED_MS,
        () => ask(node, to),
        (answer) => answer.body.reply?.body === introduction,
      );
    }
    for (let i = 0; i < 6; i++) {
      assert.equal((await ask(nodes.all[i % 3] as Node, to)).body.reply?.body, introduction);
    }
  }
});
