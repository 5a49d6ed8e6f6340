import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { ModelError, type StepRequest, type Tool, type Turn } from '@mailroom/behavior/model';
import { type ModelServer, openModelServer, type Said } from '../../../../tests/harness/model-server.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import { readConfig } from '../../config.ts';
import { MODEL_STEPPED, Model, type ModelStepped } from '../../model/model.ts';

const KEY = 'sk-very-secret-1234567890';
const PROMPT = 'the prompt that is private';
const WEATHER: Tool = {
  name: 'weather',
  description: 'The weather of a city.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Asserts that no logged form of the error holds the key or the prompt. */
function assertDiscreet(error: unknown): void {
  const shown = `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${String(error)}`;
  assert.ok(!shown.includes(KEY) && !shown.includes('Bearer'), `the key shows: ${shown}`);
  assert.ok(!shown.includes(PROMPT), `the prompt shows: ${shown}`);
}

describe('a model', () => {
  let server: ModelServer;
  before(async () => {
    server = await openModelServer();
  });
  beforeEach(() => server.say([{ text: 'Hello.' }]));
  after(() => server[Symbol.asyncDispose]());

  const ask = (wanted: Partial<StepRequest> = {}, step_ms = 20_000, base_url = server.url) =>
    new Model({ base_url, name: 'tiny', api_key: KEY, step_ms }).step({
      system: 'Be short.',
      messages: [{ role: 'user', text: PROMPT }],
      tools: [],
      signal: new AbortController().signal,
      max_tokens: 500,
      ...wanted,
    });

  /** The error it ends with, which is a `ModelError` without secrets. */
  const failure = async (
    said: Said | undefined,
    wanted: Partial<StepRequest> = {},
    step_ms?: number,
  ): Promise<ModelError> => {
    if (said !== undefined) server.say([said]);
    const error: unknown = await ask(wanted, step_ms).then(
      (step) => assert.fail(`it answered ${JSON.stringify(step)}`),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ModelError, inspect(error));
    assertDiscreet(error);
    return error;
  };

  test('answers with text that arrives in parts, and the request is what the wire wants', async () => {
    const deltas: string[] = [];
    // Each part is sent after the one before it arrived.
    const held = (place: number) =>
      until(
        10_000,
        async () => deltas.length,
        (count) => count === place,
      );
    server.say([{ text: ['Good ', 'mor', 'ning.'], held }]);
    const step = await ask({ onText: (delta) => deltas.push(delta), tools: [WEATHER] });
    assert.deepEqual(step, { text: 'Good morning.', calls: [], tokens: { input: 11, output: 7 }, finish: 'stop' });
    assert.deepEqual(deltas, ['Good ', 'mor', 'ning.']);
    const request = server.requests.at(-1);
    assert.equal(request?.headers.authorization, `Bearer ${KEY}`);
    assert.deepEqual(request?.body.messages, [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: PROMPT },
    ]);
    assert.equal(request?.body.model, 'tiny');
    assert.equal(request?.body.stream, true);
    assert.equal(request?.body.max_tokens, 500);
    assert.equal(request?.body.tools?.[0]?.function.name, 'weather');
    assert.match(JSON.stringify(request?.body.tools), /"required":\["city"\]/);
  });

  test('without a key none is sent', async () => {
    const model = new Model({ base_url: server.url, name: 'tiny', step_ms: 20_000 });
    await model.step({
      system: '',
      messages: [{ role: 'user', text: 'Hi' }],
      tools: [],
      signal: new AbortController().signal,
      max_tokens: 9,
    });
    assert.equal(server.requests.at(-1)?.headers.authorization, undefined);
  });

  test('asks for calls whose arguments came in pieces, and goes on from a conversation kept as JSON', async () => {
    server.say([
      {
        text: 'Let me look.',
        calls: [
          { name: 'weather', input: { city: 'Zürich' } },
          { name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      { text: 'Rain and sun.' },
    ]);
    const first = await ask({ tools: [WEATHER] });
    assert.equal(first.finish, 'calls');
    assert.equal(first.text, 'Let me look.');
    assert.deepEqual(first.calls, [
      { id: 'call_0', name: 'weather', input: { city: 'Zürich' } },
      { id: 'call_1', name: 'weather', input: { city: 'Oslo' } },
    ]);
    const turns: Turn[] = [
      { role: 'user', text: PROMPT },
      { role: 'assistant', text: first.text, calls: first.calls },
      {
        role: 'tool',
        results: [
          { id: 'call_0', name: 'weather', output: { sky: 'rain' } },
          { id: 'call_1', name: 'weather', output: 'No such city.', failed: true },
        ],
      },
    ];
    const second = await ask({ tools: [WEATHER], messages: JSON.parse(JSON.stringify(turns)) });
    assert.equal(second.text, 'Rain and sun.');
    const sent = server.requests.at(-1)?.body.messages ?? [];
    assert.deepEqual(
      sent.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool'],
    );
    assert.equal(sent[2]?.tool_calls?.[0]?.function.arguments, '{"city":"Zürich"}');
    assert.deepEqual([sent[3]?.tool_call_id, sent[3]?.content], ['call_0', '{"sky":"rain"}']);
    assert.deepEqual([sent[4]?.tool_call_id, sent[4]?.content], ['call_1', 'No such city.']);
  });

  test('calls that cannot be made are given back with what is wrong, and can be answered', async () => {
    server.say([
      {
        calls: [
          { name: 'weather', raw: '{"city": "Zür' },
          { name: 'launch the rockets', input: { now: true } },
          { name: 'weather', raw: '"Oslo"' },
          { name: 'weather', raw: '[1]' },
          { name: 'weather', raw: '{"__proto__": {"city": "Oslo"}}' },
          { name: 'weather', raw: '' },
          { name: 'toString', input: {} },
        ],
        finish: 'stop',
      },
      { text: 'I see.' },
    ]);
    const { calls, finish } = await ask({ tools: [WEATHER] });
    assert.equal(finish, 'calls');
    assert.deepEqual(
      calls.map(({ name, invalid }) => [name, invalid]),
      [
        ['weather', 'The arguments are not a JSON object.'],
        ['launch the rockets', 'There is no tool "launch the rockets".'],
        ['weather', 'The arguments are not a JSON object.'],
        ['weather', 'The arguments are not a JSON object.'],
        ['weather', 'The arguments are not a JSON object.'],
        ['weather', undefined],
        ['toString', 'There is no tool "toString".'],
      ],
    );
    assert.deepEqual(calls[5]?.input, {});
    const results = calls.map(({ id, name, invalid }) => ({
      id,
      name,
      output: invalid ?? 'Sun.',
      failed: invalid !== undefined,
    }));
    await ask({
      tools: [WEATHER],
      messages: [
        { role: 'user', text: PROMPT },
        { role: 'assistant', text: '', calls },
        { role: 'tool', results },
      ],
    });
    const sent = server.requests.at(-1)?.body.messages[2]?.tool_calls ?? [];
    for (const { function: made } of sent) {
      assert.match(made.name, /^[a-zA-Z0-9_-]{1,64}$/);
      assert.equal(typeof JSON.parse(made.arguments), 'object');
    }
  });

  test('two calls never share an id', async () => {
    server.say([
      {
        calls: [
          { id: 'x', name: 'weather', input: {} },
          { id: 'x', name: 'weather', input: {} },
          { id: '', name: 'weather' },
        ],
      },
    ]);
    const { calls } = await ask({ tools: [WEATHER] });
    assert.equal(new Set(calls.map(({ id }) => id)).size, 3);
    assert.ok(calls.every(({ id }) => id !== ''));
  });

  test('says that an answer was cut at its length, or withheld', async () => {
    server.say([
      { text: 'To be', finish: 'length' },
      { text: 'No.', finish: 'content_filter' },
    ]);
    assert.equal((await ask()).finish, 'length');
    assert.equal((await ask()).finish, 'other');
  });

  test('counts by itself where the server does not, or counts what is no number of tokens', async () => {
    for (const usage of [null, { input: -1e308, output: -5 }, { input: 0.5, output: 1e300 }]) {
      server.say([{ text: 'x'.repeat(400), usage }]);
      const { tokens } = await ask();
      assert.ok(tokens.output >= 100 && tokens.output < 110, `${tokens.output}`);
      assert.ok(tokens.input >= 10, `${tokens.input}`);
    }
  });

  test('a text of a megabyte is taken', async () => {
    server.say([{ text: Array.from({ length: 100 }, () => 'word '.repeat(2_000)) }]);
    assert.equal((await ask()).text.length, 1_000_000);
  });

  test('a server that is not there, and one that breaks off or says nothing in time, are down', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as { port: number };
    await new Promise((resolve) => closed.close(resolve));
    const error: unknown = await ask({}, 20_000, `http://127.0.0.1:${port}/v1`).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof ModelError);
    assert.equal(error.reason, 'down');
    assert.match(error.message, /ECONNREFUSED/);
    assertDiscreet(error);
    for (const problem of ['cut', 'end', 'html', 'error_chunk'] as const) {
      assert.equal((await failure({ text: 'Well', error: problem })).reason, 'down', problem);
    }
    for (const problem of ['hang', 'stall'] as const) {
      const late = await failure({ text: 'Well', error: problem }, {}, 500);
      assert.equal(late.reason, 'down', problem);
      assert.match(late.message, /longer than 0\.5 s/);
    }
  });

  test('a status is told; one that may pass is tried once more, one of our making is not', async () => {
    for (const [status, reason, tries] of [
      [500, 'down', 2],
      [503, 'down', 2],
      [429, 'down', 2],
      [401, 'down', 1],
      [403, 'down', 1],
      [404, 'down', 1],
      [307, 'down', 1],
      [400, 'refused', 1],
      [413, 'refused', 1],
      [422, 'refused', 1],
    ] as const) {
      const requestCount = server.requests.length;
      const error = await failure({ error: { status } });
      assert.equal(error.reason, reason, `${status}`);
      assert.equal(error.message, `The model's server answered ${status}.`);
      assert.equal(server.requests.length - requestCount, tries, `${status}`);
    }
    server.say([{ error: { status: 503 } }, { text: 'Now.' }]);
    assert.equal((await ask()).text, 'Now.');
  });

  test('what is no answer is garbled: chunks that are no JSON, text without end, and values too deep', async () => {
    assert.equal((await failure({ text: 'Well', error: 'not_json' })).reason, 'garbled');
    assert.equal((await failure({ error: 'endless' })).reason, 'garbled');
    const raw = `{"city":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;
    assert.equal((await failure({ calls: [{ name: 'weather', raw }] })).reason, 'garbled');
  });

  test('a conversation that misses a result is refused before it is sent', async () => {
    const requestCount = server.requests.length;
    const error = await failure(undefined, {
      messages: [
        { role: 'user', text: PROMPT },
        { role: 'assistant', text: '', calls: [{ id: 'a', name: 'weather', input: {} }] },
        { role: 'user', text: 'And?' },
      ],
    });
    assert.equal(error.reason, 'refused');
    assert.equal(server.requests.length, requestCount);
  });

  test('ends at the signal, long before its time is over, with its reason, and hangs up', async () => {
    for (const correction of [
      { error: 'hang' },
      { text: 'Well', error: 'stall' },
      { text: Array<string>(200).fill('and '), pause_ms: 50 },
    ] as const) {
      server.say([correction]);
      const { left, requests } = server;
      const countBefore = requests.length;
      const controller = new AbortController();
      const reason = new Error('canceled');
      const deltas: string[] = [];
      const asking = ask({ signal: controller.signal, onText: (delta) => deltas.push(delta) }, 60_000);
      const ended = assert.rejects(asking, (error) => error === reason);
      await until(
        10_000,
        async () => ('text' in correction ? deltas.length > 0 : requests.length > countBefore),
        (begun) => begun,
      );
      controller.abort(reason);
      await ended;
      await until(
        20_000,
        async () => server.left,
        (count) => count > left,
      );
    }
    await assert.rejects(ask({ signal: AbortSignal.abort('before') }), (error) => error === 'before');
  });

  test('does not wait for a second try that was asked for late', async () => {
    const controller = new AbortController();
    const asking = ask({ signal: controller.signal }, 20_000, 'http://127.0.0.1:9/v1');
    setTimeout(() => controller.abort(new Error('stop')), 200);
    const from = performance.now();
    await assert.rejects(asking, /stop/);
    await assertSoon(performance.now() - from, 1_200, 'the end');
  });

  test('tells a channel how each step ended, and nothing of what was said', async () => {
    const published: ModelStepped[] = [];
    const record = (message: unknown): void => void published.push(message as ModelStepped);
    subscribe(MODEL_STEPPED, record);
    try {
      await ask();
      await failure({ error: { status: 400 } });
      await failure({ error: { status: 401 } });
      server.say([{ error: 'hang' }]);
      const signal = AbortSignal.timeout(100);
      await assert.rejects(ask({ signal }), (error) => error === signal.reason);
    } finally {
      unsubscribe(MODEL_STEPPED, record);
    }
    assert.deepEqual(
      published.map(({ name, outcome, tokens }) => [name, outcome, tokens]),
      [
        ['tiny', 'answered', { input: 11, output: 7 }],
        ['tiny', 'refused', undefined],
        ['tiny', 'down', undefined],
        ['tiny', 'canceled', undefined],
      ],
    );
    assert.deepEqual(Object.keys(published[0] ?? {}), ['name', 'outcome', 'ms', 'tokens']);
  });

  test('shows its key to nobody who prints it', () => {
    const model = new Model({ base_url: server.url, name: 'tiny', api_key: KEY, step_ms: 1_000 });
    assert.equal(model.name, 'tiny');
    assertDiscreet(model);
  });
});

test('the scripted server answers in one piece too', async () => {
  await using server = await openModelServer([{ text: ['One ', 'piece.'], calls: [{ name: 'x', input: { a: 1 } }] }]);
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [] }),
  });
  const { choices } = (await response.json()) as { choices: { message: { content: string; tool_calls: unknown[] } }[] };
  assert.equal(choices[0]?.message.content, 'One piece.');
  assert.equal(choices[0]?.message.tool_calls.length, 1);
});

test('settings of the model: all or none, and nothing of a secret in what is wrong', () => {
  const url = 'http://localhost:11434/v1/';
  const config = readConfig({ MODEL_BASE_URL: url, MODEL_NAME: 'qwen3:8b', MODEL_API_KEY: KEY });
  assert.equal(config.MODEL_BASE_URL, 'http://localhost:11434/v1');
  assert.deepEqual(
    [config.MODEL_NAME, config.MODEL_API_KEY, config.MODEL_SECONDS, config.MODEL_TOKENS, config.MODEL_STEPS],
    ['qwen3:8b', KEY, 60, 20_000, 12],
  );
  assert.equal(readConfig({}).MODEL_BASE_URL, undefined);
  assert.throws(() => readConfig({ MODEL_BASE_URL: url }), /^ConfigError: MODEL_NAME must be set[^\n]*$/);
  assert.throws(() => readConfig({ MODEL_BASE_URL: 'ftp://x' }), /^ConfigError: MODEL_BASE_URL must be/);
  for (const wrong of [{ MODEL_API_KEY: 'two words s3cret' }, { MODEL_BASE_URL: 'https://me:s3cret@host/v1' }]) {
    assert.throws(
      () => readConfig(wrong),
      (error: Error) => /^MODEL_[A-Z_]+ must be/.test(error.message) && !error.message.includes('s3cret'),
    );
  }
});
