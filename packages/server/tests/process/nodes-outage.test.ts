import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, type Ask, unique } from '../../../../tests/harness/client.ts';
import { type Node, startNodes } from '../../../../tests/harness/nodes.ts';
import { startPostgres } from '../../../../tests/harness/postgres.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';

// PostgreSQL stops and comes back while several nodes run.
const NODES = amount(2, 3);
const BACK_MS = 10_000;
/** Messages that are accepted under load before and after it stops. */
const LOAD = amount(50, 100);
/** A node that is ready must serve within this time. */
const SENDS_MS = 1_000;
/** Requests during the outage must be answered within this time. */
const ANSWER_MS = 5_000;

const postgres = await startPostgres();
after(() => postgres[Symbol.asyncDispose]());
const skip = !postgres.ours && 'the server of TEST_DATABASE_URL is not ours to stop';
// A claim whose confirmation was lost in the stop is due again when its lease has expired.
const nodes = await startNodes({ postgres, count: NODES, env: { LEASE_SECONDS: '5' } });
after(() => nodes[Symbol.asyncDispose]());
const [a, b] = nodes.all as [Node, Node];
const c = nodes.all.at(-1) as Node;
const home = await a.client.newNamespace();
const { address: hello } = await a.client.newMailbox(home);
const { address: gatedBox } = await a.client.newMailbox(home, { behavior: { name: 'gated' } });
const { address: paused } = await a.client.newPaused(home);

const json = (body: object): Ask => ({ key: home.key, body });
/** Sends one request, which must be answered within `ANSWER_MS`. */
async function answered<T>(node: Node, method: string, path: string, ask: Ask): Promise<Answer<T>> {
  const from = performance.now();
  const answer = await node.client.api<T>(method, path, ask);
  const ms = performance.now() - from;
  await assertSoon(ms, ANSWER_MS, `${method} ${path} on ${node.name}, answered ${answer.status},`);
  return answer;
}
const ready = async (node: Node): Promise<number> => (await answered(node, 'GET', '//readyz', {})).status;
const allReady = async (): Promise<number[]> => Promise.all(nodes.all.map(ready));

/** `npm test` stops it in one of the two modes for each test. */
const otherMode = (short: boolean): string | false => !LONG && !short && 'it is part of npm run soak';

for (const mode of ['fast', 'immediate'] as const) {
  test(`while PostgreSQL is stopped (${mode}) every node says so, and nothing acknowledged is lost`, {
    skip: skip || otherMode(mode === 'fast'),
  }, async () => {
    const promised: { readonly before: Envelope; readonly held: boolean }[] = [];
    for (let i = 0; i < amount(10, 30); i++) {
      const node = nodes.all[i % NODES] as Node;
      for (const [to, sync] of [
        [hello, true],
        [hello, false],
        [paused, false],
      ] as const) {
        const answer = await node.client.send(home.key, { to, body: unique(), sync });
        assert.ok(answer.status < 300, answer.text);
        promised.push({ before: answer.body, held: to === paused });
      }
    }
    const running = unique();
    const long = await b.client.send(home.key, { to: gatedBox, body: running });
    await nodes.gates.began(running);
    const waiting = c.client.read(home.key, long.body.id, '?wait=60');
    await c.client.read(home.key, long.body.id);

    await postgres.stop(mode);
    for (const node of nodes.all) {
      await until(
        ANSWER_MS,
        () => ready(node),
        (status) => status === 503,
      );
      isProblem(await answered(node, 'GET', '//readyz', {}), 'unavailable');
      assert.equal((await answered(node, 'GET', '//livez', {})).status, 200);
    }
    const refused: { readonly text: string; readonly headers: Record<string, string> }[] = [];
    for (let i = 0; i < 12; i++) {
      const node = nodes.all[i % NODES] as Node;
      const text = unique();
      const headers = { 'idempotency-key': unique('once-') };
      const fields = { to: i % 4 === 3 ? paused : hello, body: text, sync: i % 2 === 0 };
      isProblem(await answered(node, 'POST', '/mail/send', { ...json(fields), headers }), 'unavailable');
      refused.push({ text, headers });
    }
    for (const node of nodes.all) {
      isProblem(await answered(node, 'POST', '/mail/try', { body: { to: hello, body: 'Hi' } }), 'unavailable');
      isProblem(await answered(node, 'POST', '/namespaces', { body: { name: unique() } }), 'unavailable');
      isProblem(await answered(node, 'GET', '/mail/messages', { key: home.key }), 'unavailable');
      isProblem(await answered(node, 'GET', `/mail/messages/${long.body.id}`, { key: home.key }), 'unavailable');
      isProblem(await answered(node, 'POST', '/keys', json({ scopes: ['mail:send'] })), 'unavailable');
      isProblem(
        await answered(node, 'POST', `/mail/messages/${long.body.id}/cancel`, { key: home.key }),
        'unavailable',
      );
    }
    // Outcomes that cannot be written during the outage are written later.
    nodes.gates.open(running);
    assert.ok((await allReady()).every((status) => status === 503));

    await postgres.start();
    for (const node of nodes.all)
      await until(
        BACK_MS,
        () => ready(node),
        (status) => status === 200,
      );
    for (const node of nodes.all) {
      // Each connection of a node reconnects by itself.
      const sends = () =>
        answered<Envelope>(node, 'POST', '/mail/send', json({ to: hello, body: unique(), sync: true }));
      await until(SENDS_MS, sends, (answer) => answer.status === 200);
    }
    for (const { before, held } of promised) {
      const now = await b.client.read(home.key, before.id, held ? '' : '?wait=30');
      assert.equal(now.status, 200, `${before.id} was acknowledged and is lost: ${now.text}`);
      if (before.settled_at !== null) assert.deepEqual(now.body, before);
      else assert.equal(now.body.status, held ? 'submitted' : 'completed', now.text);
    }
    const settled = await a.client.read(home.key, long.body.id, '?wait=60');
    assert.equal(settled.body.status, 'completed', settled.text);
    // A caller that waited through the outage is answered with the settlement, or has to ask again.
    const answer = await waiting;
    if (answer.status === 200) assert.deepEqual(answer.body, settled.body);
    else isProblem(answer, 'unavailable');
    for (const { text, headers } of refused) {
      const rows = (): Promise<unknown[]> => nodes.sql(`select id from messages where body = '${text}'`);
      assert.deepEqual(await rows(), [], 'what was refused is not there');
      const again = await c.client.send(home.key, { to: hello, body: text, sync: true }, headers);
      assert.equal(again.status, 200, again.text);
      assert.equal((await rows()).length, 1);
    }
  });

  test(`under load, PostgreSQL stopped (${mode}) and started makes no answer but success and 503`, {
    skip: skip || otherMode(mode === 'immediate'),
  }, async (t) => {
    let over = false;
    const counts = new Map<number, number>();
    const promised: Envelope[] = [];
    const tried: { readonly fields: Record<string, unknown>; readonly key: string; id?: string }[] = [];
    const load = async (worker: number): Promise<void> => {
      for (let i = worker; !over; i++) {
        const node = nodes.all[i % NODES] as Node;
        const fields = { to: [hello, hello, paused][i % 3] as string, body: unique(), sync: i % 2 === 0 };
        const key = unique('once-');
        const attempt: (typeof tried)[number] = { fields, key };
        const ask = { ...json(fields), headers: { 'idempotency-key': key } };
        const answer = await answered<Envelope>(node, 'POST', '/mail/send', ask);
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        if (answer.status < 300) {
          promised.push(answer.body);
          attempt.id = answer.body.id;
        } else isProblem(answer, 'unavailable');
        tried.push(attempt);
        // Refusals take no time, and would be all that the machine does.
        await pause(answer.status < 300 ? 0 : 20);
      }
    };
    const workers = Promise.all(Array.from({ length: 9 }, (_, i) => load(i)));
    const enough = (count: number) =>
      until(
        20_000,
        () => Promise.race([workers, Promise.resolve(promised.length)]),
        (sofar) => Number(sofar) > count,
      );
    try {
      await enough(LOAD);
      await postgres.stop(mode);
      await until(ANSWER_MS, allReady, (statuses) => statuses.every((status) => status === 503));
      await postgres.start();
      const { ms } = await until(BACK_MS, allReady, (statuses) => statuses.every((status) => status === 200));
      t.diagnostic(`all were ready ${Math.round(ms)} ms after PostgreSQL was`);
      await enough(promised.length + LOAD);
    } finally {
      over = true;
      await workers;
    }
    t.diagnostic(`answers: ${JSON.stringify(Object.fromEntries(counts))}`);
    assert.ok((counts.get(503) ?? 0) > 0, 'there was no request during the outage');
    for (const promise of promised) {
      const now = await a.client.read(home.key, promise.id, promise.to === paused ? '' : '?wait=30');
      assert.equal(now.status, 200, `${promise.id} was acknowledged and is lost: ${now.text}`);
      if (promise.settled_at !== null) assert.deepEqual(now.body, promise);
      else assert.equal(now.body.status, promise.to === paused ? 'submitted' : 'completed', now.text);
    }
    for (const { fields, key, id } of tried) {
      const again = await b.client.send(home.key, fields, { 'idempotency-key': key });
      assert.ok(again.status < 300, again.text);
      if (id !== undefined) assert.equal(again.body.id, id);
    }
    const twice = await nodes.sql(`select body from messages where kind = 'message' group by body having count(*) > 1`);
    assert.deepEqual(twice, []);
  });
}
