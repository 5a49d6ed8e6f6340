import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Given, json, openAgentServer } from '../../../../tests/harness/agent-server.ts';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Mailbox } from '../../../../tests/harness/wire.ts';
import { amount, everyNth } from '../../../../tests/soak/length.ts';
import { verifyWebhook } from '../../../client/src/webhook.ts';

interface Agent extends Mailbox {
  readonly webhook_secret?: string;
  readonly webhook?: {
    readonly status: 'on' | 'off';
    readonly failing_since: string | null;
    readonly disabled_at: string | null;
    readonly last_error: string | null;
  };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const inside = await startInside({ env: { WEBHOOK_NETWORKS: '127.0.0.1' } });
const { api, newNamespace, newMailbox, newKey, send, read } = inside.client;
const home = await newNamespace();
const other = await newNamespace();

const newAgent = async (webhook_url: string, settings: object = {}, of: Home = home): Promise<Agent> =>
  (await newMailbox(of, { behavior: { name: 'agent', settings: { webhook_url, ...settings } } })) as Agent;
const show = async (address: string): Promise<Agent> =>
  (await api<Agent>('GET', `/mailboxes/${address}`, { key: home.key })).body;
const ask = (to: string, fields: object = {}, wait = 60) =>
  send(other.key, { to, body: unique('a question'), sync: true, ...fields }, { prefer: `wait=${wait}` });
const post = async (to: string): Promise<string> => (await send(other.key, { to, body: unique('a question') })).body.id;
const settled = async (id: string): Promise<Envelope> =>
  (
    await until(
      30_000,
      async () => (await read(other.key, id)).body,
      ({ settled_at }) => settled_at !== null,
    )
  ).seen;
const outcome = ({ status, error, reply }: Envelope) => [status, error?.code ?? null, reply?.body ?? null];

test('a message is pushed signed, and the response is the reply in the same exchange', async () => {
  await using program = await openAgentServer();
  const agent = await newAgent(program.url);
  assert.equal(agent.status, 'online');
  assert.match(agent.webhook_secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(agent.webhook, { status: 'on', failing_since: null, disabled_at: null, last_error: null });
  const file = Buffer.from('a,b\n1,2\n').toString('base64');
  program.answer(({ message }) =>
    json({
      body: `**${message.body}**`,
      data: { n: 1 },
      attachments: [{ filename: 'table.csv', content_type: 'text/csv', content: file }],
    }),
  );
  const first = await ask(agent.address, { body: 'Ada’s question 🙂', data: { x: [1] } });
  assert.deepEqual([first.status, ...outcome(first.body)], [200, 'completed', null, '**Ada’s question 🙂**']);
  assert.deepEqual(
    [first.body.reply?.data, first.body.reply?.attachments?.map(({ filename }) => filename)],
    [{ n: 1 }, ['table.csv']],
  );
  await ask(agent.address, { thread_id: first.body.thread_id });
  const [one, two] = program.received;
  assert.ok(one !== undefined && two !== undefined);
  assert.equal(one.headers['webhook-id'], first.body.id);
  const event = await verifyWebhook<{ type: string }>(
    { headers: one.headers, body: one.body },
    agent.webhook_secret ?? '',
    { now: inside.now() },
  );
  assert.equal(event.type, 'message.received');
  assert.deepEqual([one.message.body, one.message.data, one.thread], ['Ada’s question 🙂', { x: [1] }, []]);
  assert.deepEqual(
    two.thread.map(({ body }) => body),
    ['Ada’s question 🙂', '**Ada’s question 🙂**'],
  );
  assert.equal(one.answer_url, `${inside.url}/api/v1/mail/messages/${first.body.id}/answer`);
});

test('the secret is shown once, and only the owner sees how the webhook does', async () => {
  await using program = await openAgentServer();
  const agent = await newAgent(program.url);
  const secret = agent.webhook_secret as string;
  const texts = [
    (await api('GET', `/mailboxes/${agent.address}`, { key: home.key })).text,
    (await api('GET', `/namespaces/${home.name}/mailboxes`, { key: home.key })).text,
    (
      await api('PATCH', `/mailboxes/${agent.address}`, {
        key: home.key,
        body: { behavior: { settings: { webhook_url: program.url, by_hand: true } } },
      })
    ).text,
    (await api('GET', `/namespaces/${home.name}/export`, { key: home.key })).text,
    inside.lines.join('\n'),
  ];
  assert.deepEqual(
    texts.filter((text) => text.includes(secret)),
    [],
  );
  const theirs = await api<Agent>('GET', `/mailboxes/${agent.address}`, { key: other.key });
  assert.deepEqual([theirs.body.webhook, theirs.body.behavior.settings], [undefined, undefined]);
});

test('text is an answer too, and a JSON answer can ask back, reject and fail', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  const cases: readonly (readonly [Given, readonly unknown[]])[] = [
    [{ type: 'text/plain; charset=utf-8', body: 'Grüße' }, ['completed', null, 'Grüße']],
    [{ type: 'text/markdown', body: '# Hi', status: 201 }, ['completed', null, '# Hi']],
    [json({ body: 'Which one?', status: 'input_required' }), ['input_required', null, 'Which one?']],
    [json({ status: 'rejected', error: 'Not for you.' }), ['rejected', 'rejected', null]],
    [json({ status: 'failed', error: 'Out of ideas.' }), ['failed', 'behavior_failed', null]],
    [{ type: 'application/vnd.acme+json', body: '{"body":"yes"}' }, ['completed', null, 'yes']],
  ];
  for (const [given, expected] of cases) {
    program.answer(() => given);
    assert.deepEqual(outcome((await ask(address)).body), expected);
  }
});

test('with 202, 204 or an empty 200 the answer comes later, by hand or under the claim that was sent', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  const { secret: key } = await newKey(home, { scopes: ['mail:answer'], mailbox: address });
  for (const [at, given] of [
    { status: 202 },
    { status: 204 },
    { status: 200, type: 'text/plain', body: '' },
  ].entries()) {
    program.answer(() => given);
    const sending = ask(address);
    const { seen: pushed } = await until(
      30_000,
      async () => program.received[at],
      (one) => one !== undefined,
    );
    assert.ok(pushed !== undefined);
    const path = new URL(pushed.answer_url).pathname.replace('/api/v1', '');
    const claimed = await api<{ items: unknown[] }>('POST', `/mailboxes/${address}/claim`, { key, body: { wait: 0 } });
    assert.deepEqual(claimed.body.items, [], 'no other program gets it');
    const claim = at === 0 ? {} : { claim: pushed.claim };
    const answered = await api('POST', path, { key, body: { ...claim, body: `later ${at}` } });
    assert.equal(answered.status, 200, answered.text);
    assert.deepEqual(outcome((await sending).body), ['completed', null, `later ${at}`]);
  }
  assert.equal(program.received.length, 3);
});

test('redirects, 408, 429 and 5xx are tried again after the pauses, not before what Retry-After says', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  for (const status of everyNth([302, 408, 500, 503], 2)) {
    const tried = program.received.length;
    program.answer(() => ({ status, headers: { location: 'http://127.0.0.1:1/' } }));
    const id = await post(address);
    await until(
      30_000,
      async () => program.received.length,
      (count) => count === tried + 1,
    );
    program.answer(() => json({ body: `after ${status}` }));
    await until(
      30_000,
      async () => (await show(address)).webhook?.last_error ?? '',
      (error) => error.includes(`${status}`),
    );
    inside.pass(10_000);
    assert.deepEqual(outcome(await settled(id)), ['completed', null, `after ${status}`]);
    assert.equal(program.received.at(-1)?.headers['webhook-id'], program.received.at(-2)?.headers['webhook-id']);
  }
  const { seen } = await until(
    30_000,
    () => show(address),
    ({ webhook }) => webhook?.failing_since === null,
  );
  assert.equal(seen.webhook?.last_error, null);

  const tried = program.received.length;
  program.answer(() => ({ status: 429, headers: { 'retry-after': '300' } }));
  const id = await post(address);
  await until(
    30_000,
    async () => (await inside.store.deliveries.byId(id))?.status,
    (status) => status === 'deferred',
  );
  const delivery = await inside.store.deliveries.byId(id);
  assert.ok((delivery?.due_at ?? 0) >= inside.now() + 4 * MINUTE);
  assert.equal(program.received.length, tried + 1);
  program.answer(() => json({ body: 'at last' }));
  inside.pass(6 * MINUTE);
  assert.deepEqual(outcome(await settled(id)), ['completed', null, 'at last']);
});

test('another 4xx fails the message, and its text is in the log only', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  const why = unique('Traceback-of-mine');
  for (const status of [400, 401, 404, 422]) {
    program.answer(() => ({ status, type: 'text/plain', body: why }));
    const { body, text } = await ask(address);
    assert.deepEqual(outcome(body), ['failed', 'behavior_failed', null]);
    assert.ok(!text.includes(why));
  }
  assert.equal(program.received.length, 4);
  assert.equal(inside.lines.filter((line) => line.includes(why)).length, 4);
  await until(
    30_000,
    async () => (await show(address)).webhook?.last_error ?? '',
    (error) => error.includes('422'),
  );
});

test('410 switches the webhook off with an event, and the setting switches it on, with what waited', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  program.answer(() => ({ status: 410 }));
  const waiting = [await post(address), await post(address)];
  const { seen: off } = await until(
    30_000,
    () => show(address),
    ({ webhook }) => webhook?.status === 'off',
  );
  assert.equal(off.status, 'offline');
  assert.match(off.webhook?.last_error ?? '', /410/);
  assert.ok(off.webhook?.disabled_at !== null);
  const events = await api<{ items: { type: string; mailbox: string }[] }>('GET', '/events?limit=200', {
    key: home.key,
  });
  const disabled = events.body.items.filter(
    ({ type, mailbox }) => type === 'mailbox.webhook_disabled' && mailbox === address,
  );
  assert.equal(disabled.length, 1);
  const later = await ask(address, {}, 30);
  assert.deepEqual([later.status, later.body.status], [202, 'submitted'], 'a sync send does not wait for it');
  const tried = program.received.length;
  inside.pass(MINUTE);
  program.answer(({ message }) => json({ body: `back: ${message.id}` }));
  const settings = { webhook_url: program.url };
  const on = await api<Agent>('PATCH', `/mailboxes/${address}`, { key: home.key, body: { behavior: { settings } } });
  assert.deepEqual([on.body.status, on.body.webhook?.status, on.body.webhook_secret], ['online', 'on', undefined]);
  for (const id of [...waiting, later.body.id])
    assert.deepEqual(outcome(await settled(id)), ['completed', null, `back: ${id}`]);
  assert.equal(program.received.length, tried + 3);
});

test('a mailbox whose webhook is switched off while it is read is shown offline', async (t) => {
  await using program = await openAgentServer();
  const { id, address } = await newAgent(program.url);
  const { agentWebhooks } = inside.store;
  const find = agentWebhooks.find.bind(agentWebhooks);
  t.mock.method(agentWebhooks, 'find', async (of: string) => {
    if (of === id) await agentWebhooks.disable(id, 'It is gone.', { now: inside.now() - 1, stays_online: false });
    return find(of);
  });
  const { status, webhook } = await show(address);
  assert.deepEqual([status, webhook?.status], ['offline', 'off']);
});

test('a webhook that failed for five days is switched off', async () => {
  const program = await openAgentServer();
  const { address } = await newAgent(program.url, { answer_within_seconds: 604_800, by_hand: true });
  await program[Symbol.asyncDispose]();
  const first = await post(address);
  const failed = (id: string) =>
    until(
      30_000,
      () => inside.store.deliveries.byId(id),
      (one) => one?.status === 'deferred' || one === undefined,
    );
  await failed(first);
  const failing = await show(address);
  assert.deepEqual([failing.webhook?.status, typeof failing.webhook?.failing_since], ['on', 'string']);
  assert.match(failing.webhook?.last_error ?? '', /refuses the connection|closed the connection/);
  inside.pass(5 * DAY + MINUTE);
  await failed(await post(address));
  const { seen } = await until(
    30_000,
    () => show(address),
    ({ webhook }) => webhook?.status === 'off',
  );
  assert.equal(seen.status, 'online', 'it is answered by hand too');
  // Both still wait, and can be answered.
  const answered = await api('POST', `/mail/messages/${first}/answer`, { key: home.key, body: { body: 'by hand' } });
  assert.equal(answered.status, 200, answered.text);
});

test('an answer that cannot be used is tried again, and delays nobody', async () => {
  await using hostile = await openAgentServer();
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  const cases: readonly (readonly [Given, RegExp])[] = [
    [json({ body: 'x'.repeat(10 * 1024 * 1024) }), /longer than/],
    [{ type: 'text/html', body: '<h1>Maintenance</h1>' }, /as text\/html/],
    [{ body: 'no type' }, /without a media type/],
    [{ type: 'application/json', body: '{"body":' }, /cannot be used/],
    [{ type: 'application/json', body: '"text"' }, /cannot be used/],
    [{ type: 'application/json', body: '{"body":"\\u0000"}' }, /cannot be used/],
    [{ type: 'application/json', body: '{"body":"\\ud800"}' }, /cannot be used/],
    [{ type: 'application/json', body: '{"body":"a","body":"b"}' }, /cannot be used/],
    [json({ body: 'x', status: 'working' }), /cannot be used/],
    [json({ body: 'x', else: 1 }), /cannot be used/],
    [json({ status: 'completed' }), /has a body/],
    [json({ body: 'x', attachments: [{ filename: 'a', content: '!' }] }), /base64/],
    [{ type: 'text/plain', body: 'x'.repeat(1024 * 1024 + 1) }, /bytes/],
  ];
  await Promise.all(
    cases.map(async ([given, why]) => {
      const agent = await newAgent(hostile.url);
      hostile.answer((pushed) => cases[Number(pushed.message.body)]?.[0] ?? given);
      const sent = await send(other.key, { to: agent.address, body: `${cases.findIndex(([one]) => one === given)}` });
      const { seen } = await until(
        60_000,
        () => show(agent.address),
        ({ webhook }) => webhook?.last_error !== null,
      );
      assert.match(seen.webhook?.last_error ?? '', why);
      assert.equal((await read(other.key, sent.body.id)).body.settled_at, null);
      assert.deepEqual(outcome((await ask(address, { body: 'hi' })).body), ['completed', null, 'You wrote: hi']);
    }),
  );
});

test('an endpoint that never answers takes no slot from another', async () => {
  await using hanging = await openAgentServer();
  await using program = await openAgentServer();
  hanging.answer(() => ({ hang: true }));
  const [slow, quick] = [await newAgent(hanging.url), await newAgent(program.url)];
  const many = amount(30, 80);
  await Promise.all(Array.from({ length: many }, () => post(slow.address)));
  await until(
    30_000,
    async () => hanging.received.length,
    (count) => count === 2,
  );
  const sent = await Promise.all(Array.from({ length: 20 }, () => ask(quick.address)));
  assert.deepEqual(new Set(sent.map(({ body }) => body.status)), new Set(['completed']));
  assert.ok(hanging.received.length < many, 'those of the slow one still wait for their turn');
});

test('URLs that cannot be webhooks are refused, and nothing changes', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  for (const webhook_url of [
    'ftp://example.com/',
    'javascript:alert(1)',
    'example.com/hook',
    'https://ada:secret@example.com/',
    'https://example.com/#part',
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'http://example.com/',
    '',
    7,
    null,
  ]) {
    const behavior = { name: 'agent', settings: { webhook_url } };
    const created = await api('POST', `/namespaces/${home.name}/mailboxes`, {
      key: home.key,
      body: { local_part: unique(), behavior },
    });
    isProblem(created, 'validation_error');
    assert.match(created.text, /\/behavior\/settings\/webhook_url/);
    isProblem(await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { behavior } }), 'validation_error');
  }
  assert.equal((await show(address)).behavior.settings?.webhook_url, program.url);
});

test('a secret that was replaced signs for a day more, and without the setting there is none', async () => {
  await using program = await openAgentServer();
  const { address, webhook_secret: old = '' } = await newAgent(program.url);
  const rotated = await api<{ webhook_secret: string }>('POST', `/mailboxes/${address}/webhook/rotate`, {
    key: home.key,
  });
  assert.equal(rotated.status, 200, rotated.text);
  const verified = async (secret: string): Promise<boolean> => {
    const { headers, body } = program.received.at(-1) ?? assert.fail();
    return verifyWebhook({ headers, body }, secret, { now: inside.now() }).then(
      () => true,
      () => false,
    );
  };
  await ask(address);
  assert.deepEqual([await verified(rotated.body.webhook_secret), await verified(old)], [true, true]);
  inside.pass(DAY + MINUTE);
  await ask(address);
  assert.deepEqual([await verified(rotated.body.webhook_secret), await verified(old)], [true, false]);
  const theirs = await api('POST', `/mailboxes/${address}/webhook/rotate`, { key: other.key });
  isProblem(theirs, 'access_denied');
  const without = await api<Agent>('PATCH', `/mailboxes/${address}`, {
    key: home.key,
    body: { behavior: { settings: {} } },
  });
  assert.deepEqual([without.body.status, without.body.webhook], ['offline', undefined]);
  isProblem(await api('POST', `/mailboxes/${address}/webhook/rotate`, { key: home.key }), 'not_found');
  const again = await api<Agent>('PATCH', `/mailboxes/${address}`, {
    key: home.key,
    body: { behavior: { settings: { webhook_url: program.url } } },
  });
  assert.match(again.body.webhook_secret ?? '', /^whsec_/);
});

test('what a webhook answers after a person did by hand is dropped, and the next message is pushed', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  const held = Promise.withResolvers<Given>();
  program.answer(() => held.promise);
  const id = await post(address);
  await until(
    30_000,
    async () => program.received.length,
    (count) => count === 1,
  );
  const byHand = await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body: 'by hand' } });
  assert.equal(byHand.status, 200, byHand.text);
  held.resolve(json({ body: 'pushed' }));
  await until(
    30_000,
    () => inside.store.deliveries.byId(id),
    (delivery) => delivery === undefined,
  );
  program.answer(({ message }) => ({ status: message.id === id ? 500 : 202 }));
  const next = await post(address);
  const { seen } = await until(
    30_000,
    async () => program.received,
    ({ length }) => length === 2,
  );
  assert.equal(seen[1]?.message.id, next);
  const { body } = await read(other.key, id);
  assert.deepEqual([...outcome(body), body.replies_count], ['completed', null, 'by hand', 1]);
});

test('what a webhook answers later, under the claim of its push, is refused after a person answered by hand', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  program.answer(() => ({ status: 202 }));
  const id = await post(address);
  const { seen: pushed } = await until(
    30_000,
    async () => program.received[0],
    (first) => first !== undefined,
  );
  const answer = (body: object) => api('POST', `/mail/messages/${id}/answer`, { key: home.key, body });
  assert.equal((await answer({ body: 'by hand' })).status, 200);
  isProblem(await answer({ claim: pushed?.claim, body: 'later' }), 'claim_lost');
  assert.equal((await read(other.key, id)).body.replies_count, 1);
});

test('a message whose push failed can be claimed, and its answer is the only one', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  program.answer(() => ({ status: 503 }));
  const id = await post(address);
  const claimed = await api<{ items: { claim: string }[] }>('POST', `/mailboxes/${address}/claim`, {
    key: home.key,
    body: { wait: 60 },
  });
  const claim = claimed.body.items[0]?.claim;
  inside.pass(10_000);
  program.answer(() => json({ body: 'pushed' }));
  const answered = await api('POST', `/mail/messages/${id}/answer`, {
    key: home.key,
    body: { claim, body: 'claimed' },
  });
  assert.equal(answered.status, 200, answered.text);
  inside.pass(2 * MINUTE);
  await until(
    30_000,
    () => inside.store.deliveries.byId(id),
    (one) => one === undefined,
  );
  const { body } = await read(other.key, id);
  assert.deepEqual([...outcome(body), body.replies_count], ['completed', null, 'claimed', 1]);
});

test('a paused address pushes nothing, and all when it is resumed', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url);
  await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { status: 'paused' } });
  const ids = [await post(address), await post(address)];
  inside.pass(MINUTE);
  assert.equal(program.received.length, 0);
  await api('PATCH', `/mailboxes/${address}`, { key: home.key, body: { status: 'online' } });
  for (const id of ids) assert.equal((await settled(id)).status, 'completed');
  assert.equal(program.received.length, 2);
});

test('a message that is not answered until its deadline fails, whether pushed or taken', async () => {
  await using program = await openAgentServer();
  const { address } = await newAgent(program.url, { answer_within_seconds: 60 });
  const ids: string[] = [];
  for (const status of [202, 503]) {
    program.answer(() => ({ status }));
    ids.push(await post(address));
    await until(
      30_000,
      async () => program.received.length,
      (count) => count === ids.length,
    );
  }
  inside.pass(2 * MINUTE);
  for (const id of ids) assert.deepEqual(outcome(await settled(id)), ['failed', 'answer_timeout', null]);
});
