import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { json, openAgentServer } from '../../../../../tests/harness/agent-server.ts';
import { type Answer, HELLO, unique } from '../../../../../tests/harness/client.ts';
import type { Node } from '../../../../../tests/harness/nodes.ts';
import { isProblem } from '../../../../../tests/harness/problem.ts';
import { assertSoon } from '../../../../../tests/harness/soon.ts';
import { until } from '../../../../../tests/harness/until.ts';
import type { Envelope, Mailbox, Namespace, ThreadItem } from '../../../../../tests/harness/wire.ts';
import { amount } from '../../../../../tests/soak/length.ts';
import { a, b, c, gatedBox, hello, home, nodes, rowsOf, turn } from './shared.ts';

/** Retries of one message that all nodes get at once. */
const RETRIES = amount(60, 200);

test('what one node made every node serves at once', async () => {
  for (let i = 0; i < amount(2, 6); i++) {
    const [one, two, three] = [turn(i), turn(i + 1), turn(i + 2)];
    const its = await one.client.newNamespace();
    const { address } = await two.client.newMailbox(its);
    const key = await three.client.newKey(its, { scopes: ['mail:send', 'messages:read'] });
    const sent = await one.client.send(key.secret, { to: address, body: 'One', sync: true });
    assert.equal(sent.status, 200, sent.text);
    const { thread_id } = sent.body;
    const more = await two.client.send(key.secret, { to: address, body: 'Two', sync: true, thread_id });
    assert.equal(more.status, 200, more.text);
    assert.deepEqual((await three.client.read(key.secret, sent.body.id)).body, sent.body);
    const items = await three.client.all<ThreadItem>(`/mail/threads/${thread_id}`, its.key);
    assert.deepEqual(
      items.map((item) => [item.kind, item.in_reply_to]),
      [
        ['message', null],
        ['reply', sent.body.id],
        ['message', more.body.in_reply_to],
        ['reply', more.body.id],
      ],
    );
    const got = await two.client.all<Envelope>(`/mailboxes/${address}/messages`, its.key);
    assert.deepEqual(
      got.map((message) => message.id),
      [more.body.id, sent.body.id],
    );
  }
});

test('who waits on one node hears well within a second what another node settled', async (t) => {
  const times: number[] = [];
  for (let i = 0; i < amount(5, 12); i++) {
    const body = unique();
    const sent = await turn(i).client.send(home.key, { to: gatedBox, body });
    assert.equal(sent.status, 202, sent.text);
    const { node: runner } = await nodes.gates.began(body);
    const others = nodes.but(runner);
    const waiting = others.map(async (node) => {
      const answer = await node.client.read(home.key, sent.body.id, '?wait=20');
      return { answer, at: Date.now() };
    });
    // Both wait before the message settles, since each has answered a later request.
    for (const node of others) await node.client.read(home.key, sent.body.id);
    nodes.gates.open(body);
    const { at: ended } = await nodes.gates.sees((noted) => noted.body === body && noted.step === 'ended');
    for (const { answer, at } of await Promise.all(waiting)) {
      assert.equal(answer.body.status, 'completed', answer.text);
      assert.equal(answer.body.reply?.body, runner);
      times.push(at - ended);
    }
  }
  times.sort((x, y) => x - y);
  t.diagnostic(`notified after ${times[times.length >> 1]} ms (median), ${times.at(-1)} ms (longest)`);
  await assertSoon(times.at(-1) ?? 0, 1_000, 'the last to hear');
  await assertSoon(times[times.length >> 1] ?? 0, 300, 'half of them');
});

test('canceling through one node ends the run on another within a second', async () => {
  for (let i = 0; i < amount(2, 6); i++) {
    const body = unique();
    const sent = await turn(i).client.send(home.key, { to: gatedBox, body });
    const { node: runner } = await nodes.gates.began(body);
    const [by, waits] = nodes.but(runner) as [Node, Node];
    const waiting = waits.client.read(home.key, sent.body.id, '?wait=20');
    const canceled = await by.client.api<Envelope>('POST', `/mail/messages/${sent.body.id}/cancel`, { key: home.key });
    const startedAt = Date.now();
    assert.equal(canceled.body.status, 'canceled', canceled.text);
    const aborted = await nodes.gates.sees((noted) => noted.body === body && noted.step === 'aborted');
    assert.equal(aborted.node, runner);
    await assertSoon(aborted.at - startedAt, 1_000, 'the end of the run after the cancel was answered');
    assert.equal((await waiting).body.status, 'canceled');
  }
});

test('a retry through another node attaches to the message that still runs, and both get its one answer', async () => {
  for (const sync of [true, false]) {
    const body = unique();
    const headers = { 'idempotency-key': unique('once-'), prefer: 'wait=30' };
    const sends = (node: Node) => node.client.send(home.key, { to: gatedBox, body, sync }, headers);
    const first = sends(a);
    const { node: runner } = await nodes.gates.began(body);
    // Until the outcome is written other nodes may run it too, and the first outcome counts: see the next test.
    await until(
      5_000,
      () => rowsOf(body),
      (rows) => rows === 1,
    );
    const later = [b, c].map(sends);
    if (sync) await Promise.all([b, c].map((node) => node.client.all('/mail/messages', home.key)));
    else for (const answer of await Promise.all(later)) assert.equal(answer.body.id, (await first).body.id);
    nodes.gates.open(body);
    const [made, ...again] = (await Promise.all([first, ...later])) as [Answer<Envelope>, ...Answer<Envelope>[]];
    for (const answer of again) assert.equal(answer.headers.get('idempotency-replayed'), 'true');
    if (sync) {
      assert.equal(made.body.reply?.body, runner);
      for (const answer of again) assert.deepEqual([answer.status, answer.body], [200, made.body], answer.text);
    }
    assert.equal(nodes.gates.noted().filter((noted) => noted.body === body && noted.step === 'began').length, 1);
    assert.equal(await rowsOf(body), 1);
  }
});

test('sent at the same moment through three nodes with one key it is one message, and all get the same answer', async () => {
  for (let round = 0; round < amount(4, 10); round++) {
    const fields = { to: gatedBox, body: unique(), sync: true, data: { ms: round * 20 } };
    const headers = { 'idempotency-key': unique('once-') };
    const answers = await Promise.all(nodes.all.map((node) => node.client.send(home.key, fields, headers)));
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body], [200, answers[0]?.body], `${fields.data.ms} ms: ${answer.text}`);
    }
    assert.equal(answers.filter((answer) => answer.headers.get('idempotency-replayed') !== 'true').length, 1);
    assert.equal(await rowsOf(fields.body), 1);
  }
});

test(`${RETRIES} retries at once over three nodes make one message`, async () => {
  for (const sync of [true, false]) {
    const fields = { to: hello, body: unique(), sync };
    const headers = { 'idempotency-key': unique('once-') };
    const answers = await Promise.all(
      Array.from({ length: RETRIES }, (_, i) => turn(i).client.send(home.key, fields, headers)),
    );
    for (const answer of answers) assert.ok(sync ? answer.status === 200 : answer.status < 300, answer.text);
    assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 1);
    const fresh = answers.filter((answer) => answer.headers.get('idempotency-replayed') !== 'true');
    assert.equal(fresh.length, 1, 'one of them made it');
    assert.equal(await rowsOf(fields.body), 1);
  }
});

test('a key used again for another text is refused by another node', async () => {
  const headers = { 'idempotency-key': unique('once-') };
  assert.equal((await a.client.send(home.key, { to: hello, body: 'One' }, headers)).status, 202);
  isProblem(await b.client.send(home.key, { to: hello, body: 'Two' }, headers), 'idempotency_mismatch');
});

test('a namespace name taken through three nodes at the same moment is given once', async () => {
  for (let round = 0; round < amount(4, 15); round++) {
    const name = unique('same-');
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        turn(i).client.api<{ namespace: Namespace; key: { secret: string } }>('POST', '/namespaces', {
          body: { name },
        }),
      ),
    );
    const [given, ...more] = answers.filter((answer) => answer.status === 201);
    assert.ok(given !== undefined && more.length === 0, answers.map((answer) => answer.text).join('\n'));
    for (const answer of answers) if (answer !== given) isProblem(answer, 'namespace_taken');
    for (const node of nodes.all) {
      assert.equal((await node.client.api('GET', '/me', { key: given.body.key.secret })).status, 200);
    }
  }
});

test('a mailbox made through three nodes at the same moment is made once', async () => {
  for (let round = 0; round < amount(4, 15); round++) {
    const body = { local_part: unique('same'), behavior: HELLO };
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        turn(i).client.api<Mailbox>('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body }),
      ),
    );
    const refused = answers.filter((answer) => answer.status !== 201);
    assert.equal(refused.length, 5, answers.map((answer) => answer.text).join('\n'));
    for (const answer of refused) isProblem(answer, 'mailbox_taken');
  }
});

test('a guest goes on with their thread on every node', async () => {
  const { address: held } = await a.client.newPaused(home);
  for (let i = 0; i < amount(2, 6); i++) {
    const [one, two, three] = [turn(i), turn(i + 1), turn(i + 2)];
    const tried = await one.client.tryOut({ to: hello, body: 'One' });
    assert.equal(tried.status, 200, tried.text);
    const { thread_id, thread_token } = tried.body;
    const more = await two.client.tryOut({ to: hello, body: 'Two', thread_id, thread_token });
    assert.equal(more.status, 200, more.text);
    assert.equal(more.body.thread_id, thread_id);
    assert.equal((await three.client.read(thread_token, more.body.id)).status, 200);
    assert.equal((await three.client.all<ThreadItem>(`/mail/threads/${thread_id}`, thread_token)).length, 4);

    const waits = await one.client.tryOut({ to: held, body: 'Held' });
    assert.equal(waits.status, 202, waits.text);
    const canceled = await two.client.api<Envelope>('POST', `/mail/messages/${waits.body.id}/cancel`, {
      key: waits.body.thread_token,
    });
    assert.equal(canceled.body.status, 'canceled', canceled.text);
    assert.equal((await three.client.read(waits.body.thread_token, waits.body.id)).body.status, 'canceled');
    isProblem(await three.client.read(thread_token, waits.body.id), 'message_not_found');
  }
});

test('a program that waits on one node answers what is sent on another, and no node gives its message to two', async () => {
  const { address } = await a.client.newMailbox(home, { behavior: { name: 'agent' } });
  const claim = (node: Node, wait: number) =>
    node.client.api<{ items: { message: Envelope; claim: string }[] }>('POST', `/mailboxes/${address}/claim`, {
      key: home.key,
      body: { wait },
    });
  const waiting = claim(b, 30);
  await until(
    2_000,
    () => c.client.api<Mailbox>('GET', `/mailboxes/${address}`),
    ({ body }) => body.status === 'online',
  );
  const sending = a.client.send(home.key, { to: address, body: 'across', sync: true });
  const [item] = (await waiting).body.items;
  assert.equal(item?.message.body, 'across');
  const id = item?.message.id as string;
  const answered = await c.client.api<Envelope>('POST', `/mail/messages/${id}/answer`, {
    key: home.key,
    body: { claim: item?.claim, body: 'back' },
  });
  assert.equal(answered.status, 200, answered.text);
  const { status, body } = await sending;
  assert.deepEqual([status, body.reply?.body], [200, 'back']);

  // At once, with a key that repeats it, with an answer that no notice holds, and when its node is about to write it.
  const cases = [
    ['quick', 0, 'once'],
    ['long '.repeat(4_000), 0, undefined],
    ...Array.from({ length: amount(4, 40) }, (_, i) => [`late ${i}`, 236 + i, `late ${i}`] as const),
  ] as const;
  const { address: writer } = await a.client.newMailbox(home);
  for (const [text, wait, name] of cases) {
    const sent = { to: address, from: writer, body: unique(), sync: true };
    const headers = name === undefined ? {} : { 'Idempotency-Key': `${address} ${name}` };
    const send = (node: Node) =>
      node.client.api<Envelope>('POST', '/mail/send', { key: home.key, body: sent, headers });
    const calling = claim(b, 30);
    const waits = send(a);
    const [one] = (await calling).body.items;
    await pause(wait);
    const path = `/mail/messages/${one?.message.id}/answer`;
    const back = await b.client.api<Envelope>('POST', path, { key: home.key, body: { claim: one?.claim, body: text } });
    assert.equal(back.status, 200, back.text);
    const ended = await waits;
    assert.deepEqual([ended.status, ended.body.id, ended.body.reply?.body], [200, one?.message.id, text]);
    assert.equal(ended.body.replies_count, 1);
    assert.deepEqual((await c.client.read(home.key, ended.body.id)).body, ended.body);
    const again = await b.client.api('POST', path, { key: home.key, body: { claim: one?.claim, body: text } });
    assert.equal(again.status, 200, again.text);
    if (name !== undefined) assert.equal((await send(c)).body.id, ended.body.id);
    const [newest] = (
      await c.client.api<{ items: Envelope[] }>('GET', `/mailboxes/${writer}/messages`, { key: home.key })
    ).body.items;
    assert.deepEqual([newest?.in_reply_to, newest?.body], [ended.body.id, text]);
  }
  for (let i = 0; i < 12; i++) await a.client.send(home.key, { to: address, body: `${i}` });
  const taken = (await Promise.all(Array.from({ length: 24 }, (_, i) => claim(turn(i), 0)))).flatMap(
    (answer) => answer.body.items,
  );
  assert.equal(new Set(taken.map(({ message }) => message.id)).size, taken.length);
});

test('a thread that is taken over through one node waits for a person on each, and handed back is answered on each', async () => {
  const first = await a.client.send(home.key, { to: hello, body: 'Hello', sync: true });
  const { thread_id } = first.body;
  const act = (node: Node, what: string) =>
    node.client.api('POST', `/mail/threads/${thread_id}/${what}`, { key: home.key });
  for (let round = 0; round < 3; round++) {
    const [one, two, three] = [turn(round), turn(round + 1), turn(round + 2)];
    assert.equal((await act(one, 'take-over')).status, 200);
    const body = unique();
    const sending = two.client.send(home.key, { to: hello, thread_id, body, sync: true });
    const { seen } = await until(
      10_000,
      () => three.client.all<Envelope>(`/mailboxes/${hello}/messages?status=submitted`, home.key),
      (waiting) => waiting.some((message) => message.body === body),
    );
    const id = seen.find((message) => message.body === body)?.id;
    const answer = { key: home.key, body: { body: `By hand: ${body}` } };
    assert.equal((await three.client.api('POST', `/mail/messages/${id}/answer`, answer)).status, 200);
    const { status, body: sent } = await sending;
    assert.deepEqual([status, sent.reply?.body], [200, `By hand: ${body}`]);
    const open = await one.client.send(home.key, { to: hello, thread_id, body: unique() });
    assert.deepEqual([open.status, open.body.waiting_for], [202, 'answer']);
    assert.equal((await act(two, 'hand-back')).status, 200);
    const ended = await three.client.read(home.key, open.body.id, '?wait=20');
    assert.equal(ended.body.reply?.body, HELLO.settings.introduction);
  }
});

test('what a killed node was pushing another node pushes again, and a webhook is off on every node', async () => {
  await using program = await openAgentServer();
  const settings = { webhook_url: program.url };
  const { address } = await a.client.newMailbox(home, { behavior: { name: 'agent', settings } });
  const quick = await b.client.send(home.key, { to: address, body: 'quick', sync: true });
  assert.deepEqual([quick.status, quick.body.reply?.body], [200, 'You wrote: quick']);
  program.answer(() => ({ hang: true }));
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push((await c.client.send(home.key, { to: address, body: `${i}` })).body.id);
  await until(
    10_000,
    async () => program.received.length,
    (count) => count === 7,
  );
  await c.kill();
  program.answer(({ message }) => json({ body: `again ${message.body}` }));
  for (const [i, id] of ids.entries()) {
    const { seen } = await until(
      120_000,
      async () => (await a.client.read(home.key, id, '?wait=20')).body,
      ({ settled_at }) => settled_at !== null,
    );
    assert.deepEqual([seen.status, seen.reply?.body, seen.replies_count], ['completed', `again ${i}`, 1]);
  }
  await c.start();
  program.answer(() => ({ status: 410 }));
  await b.client.send(home.key, { to: address, body: 'gone' });
  for (const node of nodes.all) {
    await until(
      10_000,
      () => node.client.api<Mailbox>('GET', `/mailboxes/${address}`),
      ({ body }) => body.status === 'offline',
    );
  }
});
