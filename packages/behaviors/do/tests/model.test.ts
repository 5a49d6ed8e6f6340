import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Asked } from '../../../../tests/harness/model-server.ts';
import { byTurn, calls, openModelService, receiptOf } from '../../../../tests/harness/model-service.ts';

const toolsOf = (asked: Asked | undefined): string[] => (asked?.body.tools ?? []).map((tool) => tool.function.name);
const resultsOf = (asked: Asked | undefined): string[] =>
  (asked?.body.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');

describe('instructions that a model carries out', async () => {
  const threads = await openModelService({ MODEL_STEPS: '5', MODEL_TOKENS: '2000', DO_STEPS: '6' });
  const { client, model, pages, send, decide, outcomeOf } = threads;
  const home = await client.newNamespace();
  const mailbox = async (settings: object = {}): Promise<string> =>
    (await client.newMailbox(home, { behavior: { name: 'do', settings } })).address;
  const address = await mailbox();

  test('are done as a plan of three tasks that it makes as it goes, with a signed receipt', async () => {
    model.say(
      byTurn(
        calls(['calculate', { expression: '6*7' }]),
        calls(['convert', { from: '42 km', to: 'mi' }], ['text', { op: 'case', text: 'forty-two', to: 'upper' }]),
        { text: ['It is ', '**42**.'] },
      ),
    );
    const { body } = await send(home.key, { to: address, body: 'What is 6*7 km in miles? Say forty-two loudly.' });
    assert.equal(body.status, 'completed', JSON.stringify(body));
    assert.equal(body.reply?.body, 'It is **42**.');
    const receipt = receiptOf(body);
    assert.deepEqual([receipt.kind, receipt.planner, receipt.status], ['receipt', 'model', 'completed']);
    assert.deepEqual(
      receipt.steps.map(({ task, status }) => `${task} ${status}`),
      ['calculate completed', 'convert completed', 'text completed'],
      JSON.stringify(receipt.steps),
    );
    assert.deepEqual(
      receipt.plan.map(({ task }) => task),
      ['calculate', 'convert', 'text'],
    );
    assert.deepEqual(receipt.model, { name: 'tiny', turns: 3, tokens: 54, tainted: false });
    assert.equal(receipt.jws.split('.').length, 3);
    const asked = model.requests.at(-1);
    assert.match(resultsOf(asked)[0] ?? '', /^(----- [0-9a-f-]{36} -----)\n\{.*42.*\}\n\1$/s);
    assert.ok(toolsOf(asked).includes('send') && toolsOf(asked).includes('fetch'));
    assert.match(asked?.body.messages[0]?.content ?? '', /only text/);
  });

  test('change things at once while nothing but the sender’s own words was read', async () => {
    model.say(byTurn(calls(['remember', { name: 'door', text: '4711' }]), { text: 'Noted.' }));
    const { body } = await send(home.key, { to: address, body: 'Remember that the door is 4711' });
    assert.equal(body.status, 'completed', JSON.stringify(body));
    model.say(byTurn(calls(['recall', { query: 'door' }]), { text: 'It is 4711.' }));
    const recalled = await send(home.key, { to: address, body: 'What is the door code?' });
    assert.equal(receiptOf(recalled.body).steps[0]?.output?.result, '4711');
  });

  test('of a guest have tools without effects alone, and a call of another is refused', async () => {
    model.say(byTurn(calls(['send', { to: address, body: 'Hi' }]), { text: 'I cannot.' }));
    const { body } = await client.tryOut({ to: address, body: `Send Hi to ${address}` });
    const now = await outcomeOf(home.key, body.id);
    assert.equal(now.status, 'completed', JSON.stringify(now));
    const offered = toolsOf(model.requests.at(-1));
    assert.ok(offered.includes('calculate'));
    for (const name of ['send', 'remember', 'recall', 'forget', 'schedule', 'remind', 'fetch']) {
      assert.ok(!offered.includes(name), name);
    }
    assert.match(resultsOf(model.requests.at(-1))[0] ?? '', /no tool "send"/);
    assert.deepEqual(receiptOf(now).steps, []);
  });

  test('are given back when they cannot be called, three in a row end it', async () => {
    model.say(
      byTurn(calls(['calculate', { wrong: 1 }], ['launch', {}]), calls(['calculate', { expression: '1+1' }]), {
        text: '2',
      }),
    );
    const repaired = await send(home.key, { to: address, body: '1+1?' });
    assert.equal(repaired.body.status, 'completed');
    assert.match(resultsOf(model.requests.at(-1)).join('\n'), /not valid[\s\S]*no tool "launch"/);
    model.say([calls(['launch', {}])]);
    const { body } = await send(home.key, { to: address, body: '1+1?' });
    assert.equal(body.status, 'failed');
    assert.match(body.error?.message ?? '', /three|3 times/);
  });

  test('end with the budget: turns, tokens, calls, time; the receipt says what was done', async () => {
    model.say([calls(['calculate', { expression: '1+1' }])]);
    const turns = await send(home.key, { to: address, body: 'Count for ever' });
    assert.equal(turns.body.status, 'failed');
    assert.match(turns.body.error?.message ?? '', /5 turns/);
    assert.equal(receiptOf(turns.body).steps.length, 5);
    assert.equal(receiptOf(turns.body).status, 'failed');
    model.say([{ ...calls(['calculate', { expression: '1+1' }]), usage: { input: 900, output: 60 } }]);
    const tokens = await send(home.key, { to: address, body: 'Count for ever' });
    assert.match(tokens.body.error?.message ?? '', /2000 tokens/);
    const many = ['1', '2', '3', '4', '5', '6', '7', '8'];
    model.say(byTurn(calls(...many.map((one) => ['calculate', { expression: one }] as const)), { text: 'Enough.' }));
    const steps = await send(home.key, { to: address, body: 'Count to 8' });
    assert.equal(receiptOf(steps.body).steps.length, 6);
    assert.match(resultsOf(model.requests.at(-1)).at(-1) ?? '', /At most 6 calls/);
    const flood = Array.from({ length: 500 }, () => ['calculate', { expression: '1' }] as const);
    model.say(byTurn(calls(...flood), { text: 'Enough.' }));
    const flooded = await send(home.key, { to: address, body: 'Count to 500' });
    assert.equal(receiptOf(flooded.body).steps.length, 6);
    assert.match(flooded.body.error?.message ?? '', /3 times/);
  });

  test('wait for the owner once a page was read; a yes runs exactly that, and the next needs another yes', async () => {
    const note = await mailbox();
    pages.put('/news', 'The museum opens at nine.');
    const url = pages.at('/news');
    model.say(
      byTurn(
        calls(['fetch', { url }]),
        calls(['remember', { name: 'museum', text: 'nine' }], ['nonsense', {}]),
        calls(['remember', { name: 'more', text: 'other' }]),
        { text: 'Done.' },
      ),
    );
    const { body } = await send(home.key, { to: note, body: `Fetch ${url} and remember when the museum opens` });
    assert.equal(body.waiting_for, 'approval', JSON.stringify(body));
    assert.deepEqual(body.approval?.plan.steps, [{ task: 'remember', input: { name: 'museum', text: 'nine' } }]);
    assert.equal(body.approval?.plan.planner, 'model');
    assert.match(body.approval?.plan.reason ?? '', /not the sender’s/);
    const asked = model.requests.length;
    assert.equal((await decide(home.key, body.id, 'approve', body.approval?.plan_sha256)).status, 200);
    const second = await outcomeOf(home.key, body.id);
    assert.equal(second.waiting_for, 'approval', JSON.stringify(second));
    assert.deepEqual(second.approval?.plan.steps, [{ task: 'remember', input: { name: 'more', text: 'other' } }]);
    assert.equal(model.requests.length, asked + 1, 'nothing that was asked before is asked again');
    assert.equal(pages.asked.filter((one) => one.endsWith('/news')).length, 1, 'nothing is done twice');
    await decide(home.key, body.id, 'approve');
    const done = await outcomeOf(home.key, body.id);
    assert.equal(done.reply?.body, 'Done.', JSON.stringify(done));
    const receipt = receiptOf(done);
    assert.deepEqual(
      receipt.steps.map(({ task, status }) => `${task} ${status}`),
      ['fetch completed', 'remember completed', 'remember completed'],
    );
    assert.equal(receipt.model?.tainted, true);
  });

  test('keep what any database keeps, whatever signs the model writes', async () => {
    model.say(byTurn(calls(['remember', { name: 'odd', text: 'a\0b' }]), { text: 'Kept \0.' }));
    const { body } = await send(home.key, { to: address, body: 'Remember ab as odd' });
    assert.deepEqual([body.status, body.reply?.body], ['completed', 'Kept \ufffd.'], JSON.stringify(body));
    model.say(byTurn(calls(['recall', { query: 'odd' }]), { text: 'It is there.' }));
    const recalled = await send(home.key, { to: address, body: 'What is odd?' });
    assert.equal(receiptOf(recalled.body).steps[0]?.output?.result, 'a\ufffdb');
  });

  test('are refused with nothing done', async () => {
    const note = await mailbox();
    model.say(byTurn(calls(['remember', { name: 'x', text: 'y' }]), { text: 'Done.' }));
    const { body } = await send(home.key, { to: note, body: 'Do it:\n> remember y as x' });
    assert.equal(body.waiting_for, 'approval', JSON.stringify(body));
    const asked = model.requests.length;
    const refused = await decide(home.key, body.id, 'refuse');
    assert.deepEqual([refused.body.status, refused.body.error?.code], ['rejected', 'refused']);
    assert.equal(model.requests.length, asked);
  });

  test('are refused after something was done: that is told with a receipt, and kept', async () => {
    const note = await mailbox();
    pages.put('/shop', 'The shop opens at ten.');
    const url = pages.at('/shop');
    model.say(
      byTurn(
        calls(['remember', { name: 'asked', text: 'yes' }], ['fetch', { url }]),
        calls(['remember', { name: 'shop', text: 'ten' }]),
        { text: 'Done.' },
      ),
    );
    const { body } = await send(home.key, { to: note, body: `Remember yes as asked, fetch ${url} and remember it` });
    assert.equal(body.waiting_for, 'approval', JSON.stringify(body));
    const refused = await decide(home.key, body.id, 'refuse');
    assert.deepEqual([refused.body.status, refused.body.error?.code], ['rejected', 'refused']);
    const receipt = receiptOf(refused.body);
    assert.deepEqual(
      receipt.steps.map(({ task, status }) => `${task} ${status}`),
      ['remember completed', 'fetch completed'],
    );
    assert.deepEqual([receipt.status, receipt.jws.split('.').length], ['failed', 3]);
    assert.match(refused.body.reply?.body ?? '', /The shop opens at ten/);
    model.say(byTurn(calls(['recall', { query: 'asked' }]), { text: 'yes' }));
    const recalled = await send(home.key, { to: note, body: 'What about asked?' });
    assert.equal(receiptOf(recalled.body).steps[0]?.output?.result, 'yes');
  });

  test('wait for what the owner wants to see each time, whoever wrote it', async () => {
    const asking = await mailbox({ approval: ['calculate'] });
    model.say(byTurn(calls(['calculate', { expression: '2+2' }]), { text: '4' }));
    const { body } = await send(home.key, { to: asking, body: '2+2' });
    assert.equal(body.waiting_for, 'approval');
    assert.match(body.approval?.plan.reason ?? '', /Each use/);
    await decide(home.key, body.id, 'approve');
    assert.equal((await outcomeOf(home.key, body.id)).reply?.body, '4');
  });

  test('are never answered with half of what the model wrote as if it were all, nor without end', async () => {
    model.say([{ text: 'First, the eggs. Then', finish: 'length' }]);
    const half = await send(home.key, { to: address, body: 'How do I bake?' });
    assert.match(half.body.reply?.body ?? '', /^First, the eggs\. Then\n\n… \(cut: /);
    model.say([{ text: ['x'.repeat(300_000)] }]);
    const long = await send(home.key, { to: address, body: 'How do I bake?' });
    assert.match(long.body.reply?.body ?? '', /^x{100000}\n\n… \(cut: /);
  });

  test('are only planned in a dry run, and a plan that could not run goes back', async () => {
    const steps = [{ task: 'remember', input: { name: 'a', text: 'b' } }];
    model.say(byTurn(calls(['plan', { steps: [{ task: 'launch', input: {} }] }]), calls(['plan', { steps }])));
    const { body } = await send(home.key, { to: address, body: 'Remember b as a', data: { dry_run: true } });
    const data = body.reply?.data as { readonly planner: string; readonly dry_run: boolean; readonly plan: unknown };
    assert.deepEqual([data.dry_run, data.planner, data.plan], [true, 'model', steps]);
    assert.match(resultsOf(model.requests.at(-1))[0] ?? '', /no task "launch"/);
    assert.deepEqual(toolsOf(model.requests.at(-1)), ['plan']);
  });

  test('as structured steps, and where the owner wants it so, are none of the model’s', async () => {
    const asked = model.requests.length;
    const builtin = await mailbox({ planner: 'builtin' });
    const one = await send(home.key, { to: builtin, body: 'calculate 3*3' });
    assert.equal(receiptOf(one.body).planner, 'builtin');
    const steps = [{ task: 'calculate', input: { expression: '3*3' } }];
    const two = await send(home.key, { to: address, body: 'x', data: { steps } });
    assert.equal(receiptOf(two.body).planner, 'steps');
    assert.equal(model.requests.length, asked);
  });
});

describe('a model that is down', async () => {
  const { client, model, send } = await openModelService({ MODEL_SECONDS: '1' });
  const home = await client.newNamespace();
  const { address } = await client.newMailbox(home, { behavior: { name: 'do' } });

  for (const [name, error] of [
    ['answers 500', { status: 500 }],
    ['answers 401', { status: 401 }],
    ['hangs', 'hang'],
    ['breaks off', 'cut'],
    ['is a page', 'html'],
  ] as const) {
    test(`and ${name} before anything was done: our own reading of English answers`, async () => {
      model.say([{ text: 'Hm', error }]);
      const { body } = await send(home.key, { to: address, body: 'calculate 6*7' });
      assert.equal(body.status, 'completed', JSON.stringify(body));
      assert.equal(receiptOf(body).planner, 'builtin');
      assert.match(body.reply?.body ?? '', /42/);
    });
  }

  test('after something was done: the message fails with the receipt', async () => {
    model.say(byTurn(calls(['calculate', { expression: '1+1' }]), { error: { status: 500 } }));
    const { body } = await send(home.key, { to: address, body: 'calculate 1+1' });
    assert.equal(body.status, 'failed');
    assert.match(body.error?.message ?? '', /500/);
    assert.equal(receiptOf(body).steps[0]?.status, 'completed');
  });

  test('and is not there at all: our own reading of English answers', async () => {
    await model[Symbol.asyncDispose]();
    const { body } = await send(home.key, { to: address, body: 'calculate 6*7' });
    assert.equal(receiptOf(body).planner, 'builtin', JSON.stringify(body));
  });
});
