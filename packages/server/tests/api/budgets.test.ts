import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { DAY } from '@mailroom/behavior/values/clock';
import type { Home } from '../../../../tests/harness/client.ts';
import type { Said } from '../../../../tests/harness/model-server.ts';
import { byTurn, calls, openModelService, receiptOf } from '../../../../tests/harness/model-service.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { until } from '../../../../tests/harness/until.ts';
import { webhookEndpoint } from '../../../../tests/harness/webhook-endpoint.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

/** What a run reserves. */
const RESERVED = 1_000;
const { inside, url, client, model, pages, send, decide, outcomeOf } = await openModelService({
  MODEL_TOKENS: String(RESERVED),
  WEBHOOK_NETWORKS: '127.0.0.1',
});
const { api, newNamespace, newMailbox, newKey } = client;
let home: Home;
before(async () => {
  home = await newNamespace();
});

interface Usage {
  readonly items: readonly {
    readonly date: string;
    readonly runs: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly tokens: number;
    readonly reserved: number;
    readonly budget: number | null;
  }[];
}
const assistant = async (budget: object | null, settings: object = {}): Promise<string> =>
  (await newMailbox(home, { behavior: { name: 'assistant', settings }, budget })).address;
const usageOf = async (address: string, query = ''): Promise<Usage['items']> =>
  (await api<Usage>('GET', `/mailboxes/${address}/usage${query}`, { key: home.key })).body.items;
const ask = async (to: string, body = 'Hi', key = home.key): Promise<Envelope> => (await send(key, { to, body })).body;
const eventsOf = async (address: string): Promise<readonly string[]> => {
  const types: string[] = [];
  for (let after = ''; ; ) {
    const path = `/events?limit=200${after && `&after=${after}`}`;
    const { body } = await api<{ items: { id: string; type: string; mailbox: string }[] }>('GET', path, home);
    const last = body.items.at(-1);
    if (last === undefined) return types.toSorted();
    after = last.id;
    for (const { type, mailbox } of body.items)
      if (type.startsWith('mailbox.budget') && mailbox === address) types.push(type);
  }
};
const uses = (input: number, output: number) => [{ text: 'Hello.', usage: { input, output } }];
const codeOf = ({ status, error }: Envelope) => [status, error?.code];
const REJECTED = ['rejected', 'budget_exceeded'];
const COMPLETED = ['completed', undefined];
/** To the start of the next UTC day. */
const nextDay = (): void => inside.pass(DAY - (inside.now() % DAY));

describe('the setting', () => {
  const patch = (address: string, budget: unknown) =>
    api<{ budget?: unknown }>('PATCH', `/mailboxes/${address}`, { key: home.key, body: { budget } });

  test('is merged by field, taken away by null or {}, and shown as the lists of senders are', async () => {
    const address = await assistant({ tokens_per_day: 5_000 });
    const whole = (day: number | null, sender: number | null) => ({
      tokens_per_day: day,
      tokens_per_sender_per_day: sender,
    });
    const read = async (key?: string) =>
      (await api<{ budget?: unknown }>('GET', `/mailboxes/${address}`, key === undefined ? {} : { key })).body.budget;
    assert.deepEqual(await read(home.key), whole(5_000, null));
    assert.deepEqual((await patch(address, { tokens_per_sender_per_day: 1 })).body.budget, whole(5_000, 1));
    assert.deepEqual((await patch(address, { tokens_per_day: null })).body.budget, whole(null, 1));
    const reader = await newKey(home, { scopes: ['messages:read'] });
    assert.deepEqual([await read(), await read(reader.secret)], [undefined, undefined]);
    assert.equal((await patch(address, { tokens_per_sender_per_day: null })).body.budget, null);
    for (const none of [null, {}]) {
      assert.deepEqual((await patch(address, { tokens_per_day: 7 })).body.budget, whole(7, null));
      assert.equal((await patch(address, none)).body.budget, null);
    }
  });

  test('that is no whole number from 1 on is refused, and says at which field', async () => {
    const address = await assistant(null);
    for (const wrong of [0, -1, 1.5, '100', 1e13, true, []]) {
      isProblem(await patch(address, { tokens_per_day: wrong }), 'validation_error', '/budget/tokens_per_day');
      const field = { tokens_per_sender_per_day: wrong };
      isProblem(await patch(address, field), 'validation_error', '/budget/tokens_per_sender_per_day');
    }
    isProblem(await patch(address, { tokens_a_day: 1 }), 'validation_error', '/budget/tokens_a_day');
    isProblem(await patch(address, 100), 'validation_error', '/budget');
  });

  test('of a behavior that asks no model is refused', async () => {
    const { address } = await newMailbox(home);
    const refused = await patch(address, { tokens_per_day: 100 });
    isProblem(refused, 'validation_error', '/budget');
    assert.match(refused.text, /asks no language model/);
    assert.equal((await patch(address, null)).status, 200);
    const body = { local_part: 'greets', behavior: { name: 'hello' }, budget: { tokens_per_day: 1 } };
    const made = await api('POST', `/namespaces/${home.name}/mailboxes`, { key: home.key, body });
    isProblem(made, 'validation_error', '/budget');
  });
});

describe('a budget', () => {
  test('of 20 messages at once exactly those are answered for which some is left', async () => {
    const address = await assistant({ tokens_per_day: 2 * RESERVED + 1 });
    const held = Promise.withResolvers<void>();
    model.say(async () => {
      await held.promise;
      return { text: 'Hello.', usage: { input: 40, output: 2 } };
    });
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => client.send(home.key, { to: address, body: 'Hi' })),
    );
    await until(
      10_000,
      async () => (await eventsOf(address)).length,
      (count) => count === 1,
    );
    held.resolve();
    const ends = await Promise.all(sent.map(({ body }) => outcomeOf(home.key, body.id)));
    const kinds = ends.map((one) => codeOf(one).join());
    assert.deepEqual(
      [COMPLETED, REJECTED].map((kind) => kinds.filter((one) => one === kind.join()).length),
      [3, 17],
    );
    const [{ runs, tokens, reserved, budget } = {}] = await usageOf(address);
    assert.deepEqual([runs, tokens, reserved, budget], [3, 126, 0, 2_001]);
    // What was given back is there for the next.
    assert.deepEqual(codeOf(await ask(address)), COMPLETED);
    assert.deepEqual(await eventsOf(address), ['mailbox.budget_spent']);
  });

  test('that is used up says so to the sender and on the page, until the day ends', async () => {
    const address = await assistant({ tokens_per_day: 1_000 });
    model.say(uses(790, 10));
    assert.deepEqual(codeOf(await ask(address)), COMPLETED);
    assert.deepEqual(await eventsOf(address), ['mailbox.budget_nearly_spent']);
    assert.deepEqual(codeOf(await ask(address)), COMPLETED);
    const both = ['mailbox.budget_nearly_spent', 'mailbox.budget_spent'];
    assert.deepEqual(await eventsOf(address), both);
    const requests = model.requests.length;
    const refused = await ask(address);
    assert.deepEqual(codeOf(refused), REJECTED);
    const text = refused.error?.message ?? '';
    assert.match(text, /^Today's budget of \S+ is used up: .* 1,000 tokens .* It begins again at 00:00 UTC\./);
    const page = await fetch(`${url}/${address}`, {
      method: 'POST',
      body: new URLSearchParams({ body: 'Hi', once: crypto.randomUUID() }),
      headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    });
    const html = await page.text();
    assert.match(html, /answers no more today/);
    assert.match(html, /It begins again at 00:00 UTC\./);
    assert.equal(model.requests.length, requests);
    assert.deepEqual(await eventsOf(address), both);
    nextDay();
    assert.deepEqual(codeOf(await ask(address)), COMPLETED);
    assert.deepEqual(
      (await usageOf(address)).map(({ runs, tokens }) => [runs, tokens]),
      [
        [1, 800],
        [2, 1_600],
      ],
    );
    assert.deepEqual(await eventsOf(address), [...both, 'mailbox.budget_nearly_spent'].toSorted());
  });

  test('that is used up is told to webhooks, once a day', async () => {
    await using endpoint = await webhookEndpoint();
    const hook = { url: endpoint.url, types: ['mailbox.budget_nearly_spent', 'mailbox.budget_spent'] };
    const made = await api('POST', '/webhooks', { key: home.key, body: hook });
    assert.equal(made.status, 201, made.text);
    const address = await assistant({ tokens_per_day: 100 });
    model.say(uses(100, 0));
    await ask(address);
    for (let n = 0; n < 3; n++) assert.deepEqual(codeOf(await ask(address)), REJECTED);
    const posted = await endpoint.got(2);
    assert.deepEqual(
      posted.map(({ body }) => [body.type, body.mailbox]),
      [
        ['mailbox.budget_nearly_spent', address],
        ['mailbox.budget_spent', address],
      ],
    );
    assert.equal(endpoint.posted.length, 2);
  });

  test('of each sender ends for that one alone', async () => {
    const address = await assistant({ tokens_per_sender_per_day: 500 });
    const other = await newNamespace();
    model.say(uses(500, 0));
    assert.deepEqual(codeOf(await ask(address)), COMPLETED);
    // Another key of the namespace is the same sender.
    const key = (await newKey(home, { scopes: ['mail:send', 'messages:read'] })).secret;
    const refused = await ask(address, 'Hi', key);
    assert.deepEqual(codeOf(refused), REJECTED);
    assert.match(refused.error?.message ?? '', /^Your budget for today at .* to one sender may take 500 tokens/);
    assert.deepEqual(codeOf(await ask(address, 'Hi', other.key)), COMPLETED);
    const guest = async () => (await client.tryOut({ to: address, body: 'Hi' }, { prefer: 'wait=30' })).body;
    assert.deepEqual(codeOf(await guest()), COMPLETED);
    assert.deepEqual(codeOf(await guest()), REJECTED);
    assert.deepEqual(await eventsOf(address), []);
    nextDay();
    assert.deepEqual(codeOf(await ask(address, 'Hi', key)), COMPLETED);
  });

  test('is given back by a model that does not answer, at each attempt', async () => {
    const address = await assistant({ tokens_per_day: 100 });
    model.say([{ error: { status: 400 } }]);
    for (let n = 0; n < 3; n++) assert.deepEqual(codeOf(await ask(address)), ['failed', 'behavior_failed']);
    let tries = 0;
    // The client itself asks a second time.
    model.say(() => (++tries <= 2 ? { error: { status: 503 } } : { text: 'Hello.', usage: { input: 20, output: 5 } }));
    const { body } = await client.send(home.key, { to: address, body: 'Hi' });
    await until(
      10_000,
      async () => tries,
      (count) => count >= 2,
    );
    inside.pass(60_000);
    assert.deepEqual(codeOf(await outcomeOf(home.key, body.id)), COMPLETED);
    const [{ runs, tokens, reserved } = {}] = await usageOf(address);
    assert.deepEqual([runs, tokens, reserved], [5, 25, 0]);
  });

  test('counts by an estimate what a model wrote before it broke off or was stopped', async () => {
    const address = await assistant({ tokens_per_day: 100_000 });
    model.say([
      { text: 'x'.repeat(400), error: 'cut' },
      { text: 'Hello.', usage: { input: 1, output: 1 } },
    ]);
    const { body } = await client.send(home.key, { to: address, body: 'Hi' });
    await until(
      10_000,
      () => usageOf(address),
      ([day]) => day !== undefined && day.reserved === 0,
    );
    const [cut] = await usageOf(address);
    assert.ok((cut?.output_tokens ?? 0) >= 100 && (cut?.input_tokens ?? 0) > 20, JSON.stringify(cut));
    inside.pass(60_000);
    await outcomeOf(home.key, body.id);
    model.say([{ text: ['Once upon a time', ' there was'], pause_ms: 300, error: 'stall' }]);
    const stopped = (await client.send(home.key, { to: address, body: 'Tell me a story' })).body;
    await until(
      10_000,
      () => usageOf(address),
      ([day]) => day?.reserved === RESERVED,
    );
    const tokensBefore = (await usageOf(address))[0]?.tokens ?? 0;
    assert.equal((await api('POST', `/mail/messages/${stopped.id}/cancel`, { key: home.key })).status, 200);
    await until(
      10_000,
      () => usageOf(address),
      ([day]) => day !== undefined && day.reserved === 0 && day.tokens > tokensBefore + 20,
    );
  });

  test('that ends between two runs of a message keeps what the first had done', async () => {
    const address = await assistant({ tokens_per_day: 1_000 }, { tasks: ['fetch', 'remember'] });
    pages.put('/hours', 'Open from nine.');
    const used = (said: Said): Said => ({ ...said, usage: { input: 10, output: 0 } });
    model.say(
      byTurn(
        used(calls(['fetch', { url: pages.at('/hours') }])),
        used(calls(['remember', { name: 'hours', text: 'nine' }])),
        used({ text: 'Done.' }),
      ),
    );
    const waiting = (await send(home.key, { to: address, body: `Keep ${pages.at('/hours')}` })).body;
    assert.equal(waiting.waiting_for, 'approval');
    await client.change(home.key, address, { budget: { tokens_per_day: 1 } });
    await decide(home.key, waiting.id, 'approve', waiting.approval?.plan_sha256);
    const end = await outcomeOf(home.key, waiting.id);
    assert.deepEqual(codeOf(end), ['failed', 'budget_exceeded']);
    assert.match(end.error?.message ?? '', /It begins again at 00:00 UTC/);
    assert.deepEqual(
      receiptOf(end).steps.map(({ task, status }) => [task, status]),
      [
        ['fetch', 'completed'],
        ['remember', 'completed'],
      ],
    );
    assert.equal((await usageOf(address))[0]?.reserved, 0);
  });

  test('ends what a plan by the model does, and what a model corrects', async () => {
    model.say(uses(50, 0));
    for (const behavior of [{ name: 'do' }, { name: 'proofread', settings: { engine: 'model' } }]) {
      const { address } = await newMailbox(home, { behavior, budget: { tokens_per_day: 40 } });
      assert.equal((await ask(address, 'I has a apple.')).error?.code, undefined);
      assert.deepEqual(codeOf(await ask(address, 'I has two apple.')), REJECTED);
    }
  });
});

describe('the usage', () => {
  test('of a mailbox without a budget is counted too, newest day first, for as many days as asked', async () => {
    const address = await assistant(null);
    assert.deepEqual(await usageOf(address), []);
    const days: string[] = [];
    for (let day = 0; day < 3; day++) {
      model.say(uses(10 * (day + 1), 1));
      await ask(address);
      days.unshift(new Date(inside.now()).toISOString().slice(0, 10));
      if (day < 2) nextDay();
    }
    const items = await usageOf(address, '?days=90');
    assert.deepEqual(
      items.map(({ date, runs, input_tokens, output_tokens, tokens, budget }) => [
        date,
        runs,
        input_tokens,
        output_tokens,
        tokens,
        budget,
      ]),
      [
        [days[0], 1, 30, 1, 31, null],
        [days[1], 1, 20, 1, 21, null],
        [days[2], 1, 10, 1, 11, null],
      ],
    );
    assert.deepEqual((await usageOf(address, '?days=2')).length, 2);
    for (const wrong of ['0', '91', 'x', '-1', '1.5']) {
      const refused = await api('GET', `/mailboxes/${address}/usage?days=${wrong}`, { key: home.key });
      isProblem(refused, 'validation_error', '/days');
    }
  });
});
