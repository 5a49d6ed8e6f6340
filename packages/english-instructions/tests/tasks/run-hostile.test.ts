import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { makeRun } from '../../tasks/run.ts';
import { Sandbox } from '../../tasks/sandbox/index.ts';
import { TaskError } from '../../tasks/task.ts';
import { context } from './harness.ts';

// Scripts as messages carry them, given to the task directly; packages/server/tests/api/do-hostile.test.ts sends some as messages.
const sandbox = new Sandbox({ workers: 1, max_queue: 10 });
after(() => sandbox.close());
const task = makeRun(sandbox);
/** The limits of a step, with less time. */
const LIMITS = { ms: 500, output_bytes: 65_536, memory_bytes: 32 << 20 };
/** As a mailbox is asked. */
const run = async (code: string): Promise<{ readonly result: unknown } | TaskError> =>
  Promise.resolve(task.run({ code }, context({ limits: LIMITS }))).then(
    (output) => output as { readonly result: unknown },
    (error: unknown) => {
      assert.ok(error instanceof TaskError, String(error));
      return error;
    },
  );

for (const code of everyNth(
  [
    'NaN',
    'undefined',
    'const a = {}; a.a = a; return a',
    '10n',
    '({ a: 10n })',
    '"\\ud800"',
    '({ "\\udfff": "\\ud800x" })',
    'Infinity',
    '-0',
    '() => 1',
    'Symbol("a")',
    'new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 } })',
    '({ toJSON() { throw new Error("boom") } })',
    '({ toJSON() { return this } })',
    '({ get a() { while (true) {} } })',
    'throw null',
    'throw { toString() { while (true) {} } }',
    'throw new Proxy({}, {})',
    'new Map([[1, 2]])',
    'new Date(NaN)',
    'new Uint8Array(10)',
    'Object.create(null)',
    '({ "__proto__": 1, ["__proto__"]: { polluted: true }, constructor: 2 })',
    'JSON.parse(\'{"__proto__": {"polluted": true}}\')',
    'let o = []; for (let i = 0; i < 5000; i++) o = [o]; return o',
    'let o = {}; for (let i = 0; i < 100000; i++) o = { o }; return o',
    'Promise.resolve(5)',
    'new Promise(() => {})',
    'Promise.reject(5)',
    'async function f() { return await f() } return f()',
    '"\\u0000"',
    '({ "\\u0000": 1 })',
    'eval("1+1")',
    'Function("return 1")()',
    'globalThis.constructor.constructor("return process")()',
    'process.exit(0)',
    'require("fs").readFileSync("/etc/passwd", "utf8")',
    'import("fs")',
    'Object.prototype.result = 1; Array.prototype.toJSON = () => "evil"; JSON.stringify = () => "}"; return [1]',
    'return {result: 1',
    '/(a+)+$/.test("a".repeat(40) + "!")',
    'new SharedArrayBuffer(10)',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    'console.log("x".repeat(1e6)); for (let i = 0; i < 1e5; i++) console.log(i); return 1',
  ],
  3,
)) {
  test(`a script gets a clear answer: ${code}`, async () => {
    const ended = await run(code);
    if (ended instanceof TaskError) assert.notEqual(ended.message.trim(), '');
    const text = JSON.stringify(ended instanceof TaskError ? ended.message : ended);
    assert.doesNotMatch(text, /root:x|polluted":true,"polluted/);
    assert.equal(text.isWellFormed(), true, text);
  });
}

for (const code of everyNth(
  [
    'while (true) {}',
    'const a = []; while (true) a.push(new Array(1e5).fill(1))',
    'let s = "x"; while (true) s += s',
    '"x".repeat(2 ** 29)',
    'new ArrayBuffer(2 ** 32)',
    'new Array(2 ** 32 - 1).fill(0)',
    '(function f() { f() })()',
    '"x".repeat(70000)',
    'Array.from({ length: 1e5 }, (_, i) => i)',
    '"😀".repeat(17000)',
  ],
  3,
)) {
  test(`a bomb of time, memory or output ends with a reason and leaves the sandbox quick: ${code}`, async () => {
    const ended = await run(code);
    assert.ok(ended instanceof TaskError, JSON.stringify(ended));
    assert.notEqual(ended.message.trim(), '');
    const from = performance.now();
    assert.deepEqual(await run('1+1'), { result: 2, logs: [] });
    await assertSoon(performance.now() - from, 3_000, 'the next script');
  });
}
