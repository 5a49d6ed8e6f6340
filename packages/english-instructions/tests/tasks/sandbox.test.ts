import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, test } from 'node:test';
import { WORKER_REPLACED } from '@mailroom/workers/pool';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import { Sandbox, SandboxError, type SandboxLimits, type Script } from '../../tasks/sandbox/index.ts';
import { LIMITS, PATIENT } from './hostile-programs.ts';

const never = new AbortController().signal;
const sandbox = new Sandbox({ workers: 1, max_queue: 20 });
after(() => sandbox.close());

const INPUT = { x: 21 };
const run = async (script: Script | string, limits: Partial<SandboxLimits> = {}, signal = never) =>
  await sandbox.run(
    typeof script === 'string' ? { code: script, input: INPUT } : script,
    { ...PATIENT, ...limits },
    signal,
  );
const failure = async (ran: Promise<unknown>): Promise<SandboxError> => {
  const error = await ran.then(
    () => assert.fail('it should fail'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SandboxError, String(error));
  return error;
};

test('a script is an expression, statements, a function, its body or a module', async () => {
  for (const [code, value] of [
    ['input.x * 2', 42],
    ['const twice = input.x * 2; twice', 42],
    ['return input.x * 2', 42],
    ['if (input.x > 20) return "more"; return "less"', 'more'],
    ['await Promise.resolve(input.x)', 21],
    ['const x = await 1; return x + 1', 2],
    ['(input) => input.x', 21],
    ['async (input) => input.x', 21],
    ['{ a: 1, b: [input.x] }', { a: 1, b: [21] }],
    ['export default input.x', 21],
    ['export const a = 1; export const b = 2', { a: 1, b: 2 }],
    ['const x = 1', null],
    ['undefined', null],
    ['2n ** 64n', '18446744073709551616'],
    ['// nothing', null],
    ['"ä€😀"', 'ä€😀'],
    ['input.x // the last', 21],
  ] as const) {
    assert.deepEqual((await run(code)).value, value, code);
  }
});

test('input, arguments and the console', async () => {
  const ran = await run({ code: 'console.log("sum", { of: input }, args); args[0] + input', input: 'é', args: ['ü'] });
  assert.deepEqual(ran, { value: 'üé', logs: ['sum {"of":"é"} ["ü"]'] });
  assert.equal((await run({ code: 'input' })).value, null);
});

test('chance differs from job to job, and time is that of the world', async () => {
  const numbers = await Promise.all(Array.from({ length: 10 }, () => run('Math.random()')));
  assert.equal(new Set(numbers.map(({ value }) => value)).size, 10);
  assert.ok(numbers.every(({ value }) => (value as number) >= 0 && (value as number) < 1));
  assert.ok(Math.abs(((await run('Date.now()')).value as number) - Date.now()) < 5_000);
});

test('the console is cut at its room, and is there when the script fails', async () => {
  const { logs } = await run('for (let i = 0; i < 1e5; i++) console.log("line", i)', { log_bytes: 100 });
  assert.equal(logs[0], 'line 0');
  assert.ok(logs.at(-1)?.endsWith('…'));
  assert.ok(Buffer.byteLength(logs.join('\n')) < 110);
  const wide = await run('console.log("✓".repeat(90))', { log_bytes: 100 });
  assert.equal(wide.logs.join(), `${'✓'.repeat(33)}…`);
  assert.deepEqual((await failure(run('console.log("here"); null.x'))).logs, ['here']);
  assert.deepEqual((await failure(run('console.log("here"); for (;;);', LIMITS))).logs, ['here']);
});

test('errors say what is wrong and where', async () => {
  const syntax = await failure(run('const a = 1;\nconst b = ;'));
  assert.equal(syntax.kind, 'syntax');
  assert.equal(syntax.line, 2);
  assert.equal((await failure(run('const a = 1;\n\nreturn a +;'))).line, 3);
  const thrown = await failure(run('const f = () => { throw new TypeError("no"); };\nf()'));
  assert.deepEqual([thrown.kind, thrown.message], ['thrown', 'TypeError: no']);
  assert.match(thrown.guest_stack ?? '', /script:1/);
  assert.doesNotMatch(thrown.guest_stack ?? '', /node|worker|mailroom|\.ts/i);
  assert.equal((await failure(run('throw "text"'))).message, 'text');
  assert.equal((await failure(run('JSON.parse("{")'))).kind, 'thrown');
});

test('a job that has to be killed leaves a thread for the next', async () => {
  await sandbox.warm();
  let killed = 0;
  const count = (): void => void killed++;
  subscribe(WORKER_REPLACED, count);
  const endless = 'new Array(4294967295).join("abc")';
  assert.equal((await failure(run(endless, LIMITS))).kind, 'timeout');
  unsubscribe(WORKER_REPLACED, count);
  assert.equal(killed, 1);
  const from = performance.now();
  assert.equal((await run('1 + 1')).value, 2);
  await assertSoon(performance.now() - from, 500, 'the next');
});

test('an abort ends a running and a waiting job, with its own reason', async () => {
  const cancel = new AbortController();
  const running = run('for (;;);', { ms: 60_000 }, cancel.signal);
  const waiting = run('1', {}, cancel.signal);
  const next = run('2');
  setTimeout(() => cancel.abort(new Error('enough')), 50);
  await assert.rejects(running, /enough/);
  await assert.rejects(waiting, /enough/);
  assert.equal((await next).value, 2);
});

test('what is beyond the queue is refused, and all that waits is run in order', async () => {
  await using small = {
    sandbox: new Sandbox({ workers: 1, max_queue: 3 }),
    [Symbol.asyncDispose]: () => small.sandbox.close(),
  };
  const done: number[] = [];
  const jobs = Array.from({ length: 6 }, async (_, n) => {
    const ran = await small.sandbox.run({ code: `${n}` }, PATIENT, never);
    done.push(ran.value as number);
  });
  const ended = await Promise.allSettled(jobs);
  assert.deepEqual(done, [0, 1, 2, 3]);
  const refused = ended.filter((one) => one.status === 'rejected').map(({ reason }) => (reason as SandboxError).kind);
  assert.deepEqual(refused, ['full', 'full']);
});

test('scripts that come while the threads start wait for them, and their time does not', async () => {
  await using cold = {
    sandbox: new Sandbox({ workers: 2, max_queue: 10 }),
    [Symbol.asyncDispose]: () => cold.sandbox.close(),
  };
  const warming = cold.sandbox.warm();
  const ran = await Promise.all(
    [1, 2, 3].map((n) => cold.sandbox.run({ code: `${n}` }, { ...LIMITS, ms: 100 }, never)),
  );
  assert.deepEqual(
    ran.map(({ value }) => value),
    [1, 2, 3],
  );
  await warming;
});

test('limits hold to the byte for results, whatever is beyond the queue of one', async () => {
  assert.equal(((await run('"x".repeat(98)', { output_bytes: 100 })).value as string).length, 98);
  assert.equal((await failure(run('"x".repeat(99)', { output_bytes: 100 }))).kind, 'output');
  assert.equal((await failure(run('new Uint8Array(6e6).length', { memory_bytes: 4 << 20 }))).kind, 'memory');
  assert.equal((await run('new Uint8Array(2e6).length', { memory_bytes: 4 << 20 })).value, 2_000_000);
});

test('endless scripts of one caller take their own turns only, and waiting takes none of a script’s time', async () => {
  await using stack = new AsyncDisposableStack();
  const fair = new Sandbox({ workers: 2, max_queue: 20 });
  stack.defer(() => fair.close());
  await fair.warm();
  const limits = { ...LIMITS, ms: 400 };
  let ended = 0;
  const endless = Array.from({ length: 5 }, () =>
    failure(fair.run({ code: 'for(;;);' }, limits, never, { caller: 'guest:1' })).then(({ kind }) => {
      ended += 1;
      return kind;
    }),
  );
  // A guest has at most half of the slots, and the other one stays free for others.
  const started: string[] = [];
  const others = ['ns_1', 'ns_2', 'guest:2'].map(async (caller) => {
    const ran = await fair.run({ code: '6*7' }, PATIENT, never, { caller, started: () => void started.push(caller) });
    assert.equal(ran.value, 42);
  });
  await Promise.all(others);
  assert.ok(ended < endless.length, `${ended} had ended before`);
  assert.equal(started.length, 3);
  // Each had its whole time, though most of them waited longer than that.
  assert.deepEqual(await Promise.all(endless), Array(5).fill('timeout'));
});

/** A sandbox with one thread, and its callers in the order in which their scripts began. */
async function oneThread(stack: AsyncDisposableStack) {
  const single = new Sandbox({ workers: 1, max_queue: 40 });
  stack.defer(() => single.close());
  await single.warm();
  const order: string[] = [];
  const run = (caller: string, code: string, ms = PATIENT.ms) =>
    single.run({ code }, { ...PATIENT, ms }, never, { caller, started: () => void order.push(caller) });
  return { run, order };
}

// That callers take turns is shown by the test above, and by workers/tests/pool.test.ts.
test(
  'with one thread, endless scripts of guests take a second of others at most, and those of all take turns',
  LONG_ONLY,
  async () => {
    await using stack = new AsyncDisposableStack();
    const { run, order } = await oneThread(stack);
    // Each guest has several scripts that never end, which may take a minute by their limit.
    const endless = ['guest:1', 'guest:1', 'guest:2', 'guest:2'].map((caller) =>
      failure(run(caller, 'for(;;);', 60_000)),
    );
    const own = await Promise.all(['ns_1', 'ns_1', 'ns_2'].map((caller) => run(caller, '6*7')));
    assert.deepEqual(
      own.map(({ value }) => value),
      [42, 42, 42],
    );
    // They ran after the one script that had begun before they came.
    assert.deepEqual(order.slice(0, 4), ['guest:1', 'ns_1', 'ns_2', 'ns_1']);
    const late = run('guest:3', '1');
    for (const ended of await Promise.all(endless)) {
      assert.equal(ended.kind, 'timeout');
      assert.match(ended.message, /1000 ms/);
    }
    assert.equal((await late).value, 1);
    // The one that was never served goes before those that were.
    assert.deepEqual(order.slice(4), ['guest:2', 'guest:3', 'guest:1', 'guest:2']);
  },
);

test(
  'with one thread, a short script waits for one that never ends, however many callers have such',
  LONG_ONLY,
  async () => {
    await using stack = new AsyncDisposableStack();
    const { run, order } = await oneThread(stack);
    const callers = Array.from({ length: 4 }, (_, at) => `ns_long${at}`);
    const endless = callers.flatMap((caller) => [1, 2].map(() => failure(run(caller, 'for(;;);', 1_100))));
    await Promise.all(endless.slice(0, 7));
    const more = callers.map((caller) => failure(run(caller, 'for(;;);', 1_100)));
    for (let nth = 0; nth < 3; nth++) {
      const place = order.length;
      await run('ns_short', '6*7');
      const others = order.slice(place).filter((caller) => caller !== 'ns_short');
      assert.ok(others.length <= 1, `${others.join()} before it`);
    }
    for (const { kind } of await Promise.all([...endless, ...more])) assert.equal(kind, 'timeout');
  },
);
