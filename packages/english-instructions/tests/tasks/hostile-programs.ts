import type { Json } from '@mailroom/behavior/values/json';
import { amount } from '../../../../tests/soak/length.ts';
import type { Problem, SandboxLimits } from '../../tasks/sandbox/index.ts';

/** The limits of each hostile program. */
export const LIMITS: SandboxLimits = {
  ms: amount(100, 200),
  memory_bytes: 32 << 20,
  output_bytes: 16_384,
  log_bytes: 2_048,
};

/** A generous limit for programs that end well, because scripts yield to other work on a busy machine. */
export const PATIENT: SandboxLimits = { ...LIMITS, ms: 5_000 };

/** A hostile program and its allowed ends: one of these problems, or exactly this value. */
export interface Hostile {
  readonly name: string;
  readonly code: string;
  readonly ends?: readonly Problem[];
  readonly value?: Json;
}

const stopped: readonly Problem[] = ['timeout'];
const big: readonly Problem[] = ['memory', 'timeout', 'thrown'];
const wrong: readonly Problem[] = ['thrown'];

const LOOPS: readonly Hostile[] = [
  { name: 'an endless loop', code: 'while (true);', ends: stopped },
  {
    name: 'an endless loop in try and finally',
    code: 'for (;;) try { for (;;); } finally { continue; }',
    ends: stopped,
  },
  {
    name: 'a loop that catches whatever stops it',
    code: 'const go = () => { try { for (;;); } catch { go(); } finally { go(); } }; go()',
    ends: stopped,
  },
  { name: 'an endless generator', code: 'function* all() { for (;;) yield 1; } [...all()].length', ends: big },
  { name: 'a generator that never yields', code: 'function* none() { for (;;); } none().next()', ends: stopped },
  {
    name: 'a flood of promises that settle',
    code: 'const more = () => Promise.resolve().then(more); await more()',
    ends: stopped,
  },
  {
    name: 'promises that double',
    code: 'const more = () => { queueMicrotask(more); queueMicrotask(more); }; more(); await new Promise(() => {})',
    ends: big,
  },
  { name: 'an await in an endless loop', code: 'for (;;) await null', ends: stopped },
  { name: 'a promise that never settles', code: 'await new Promise(() => {})', ends: wrong },
  { name: 'a thenable that calls itself', code: 'const it = { then(go) { go(it); } }; await it', ends: big },
  { name: 'a getter without end in what it returns', code: '({ get x() { for (;;); } })', ends: stopped },
  { name: 'a toJSON without end', code: '({ toJSON() { for (;;); } })', ends: stopped },
  { name: 'an error whose message has no end', code: 'throw { get message() { for (;;); } }', ends: wrong },
  {
    name: 'an error whose name, stack and text have no end',
    code: 'const t = () => { for (;;); }; throw { get name() { t(); }, get stack() { t(); }, toString: t }',
    ends: wrong,
  },
  { name: 'a toString without end in the console', code: 'console.log({ toJSON() { for (;;); } })', ends: stopped },
  {
    name: 'time watched until it moves for ever',
    code: 'const end = Date.now() + 1e9; while (Date.now() < end);',
    ends: stopped,
  },
];

const NATIVE: readonly Hostile[] = [
  { name: 'a regular expression that backtracks', code: '/^(a+)+$/.test("a".repeat(40) + "b")', ends: stopped },
  {
    name: 'nested quantifiers over a long text',
    code: '/(x*)*(y*)*(x*)*z/.test("xy".repeat(5000))',
    ends: big,
    value: false,
  },
  {
    name: 'a pattern of a million letters',
    code: 'new RegExp("(a?)".repeat(200000)).test("a".repeat(1000))',
    ends: big,
  },
  { name: 'a replacement over and over', code: 'let s = "aaaa"; for (;;) s = s.replace(/a/g, "aa")', ends: big },
  {
    name: 'sorting with a comparator that lies',
    code: 'for (;;) Array.from({ length: 2e5 }, Math.random).sort(() => Math.random() - 0.5)',
    ends: big,
  },
  {
    name: 'sorting a sparse array of 4 billion',
    code: 'const a = []; a.length = 4294967295; a.sort(); a.indexOf(1)',
    ends: big,
  },
  {
    name: 'indexOf in what has 2^53 elements',
    code: 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
    ends: big,
  },
  { name: 'joining 2^32 nothings', code: 'new Array(4294967295).join("abc")', ends: big },
  { name: 'filling 2^53 places', code: 'Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)', ends: big },
  { name: 'reversing 2^53 places', code: 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })', ends: big },
  {
    name: 'includes in a typed array, again and again',
    code: 'const t = new Uint8Array(2e7); for (;;) t.includes(1)',
    ends: big,
  },
  {
    name: 'indexOf in a long text, again and again',
    code: 'const s = "a".repeat(1e7); for (;;) s.indexOf("ab")',
    ends: big,
  },
  { name: 'a quadratic indexOf', code: '"a".repeat(4e6).indexOf("a".repeat(2e6) + "b")', ends: big },
  { name: 'a power of big integers', code: '(3n ** 200000n) ** 5n % 7n', ends: [...big, 'output'] },
  { name: 'powers of big integers that grow', code: 'let n = 3n; for (;;) n = n * n', ends: big },
  { name: 'a big integer as decimal', code: '(2n ** 1000000n).toString().length', ends: big },
  {
    name: 'JSON of a shared structure',
    code: 'let x = [1]; for (let i = 0; i < 40; i++) x = [x, x]; JSON.stringify(x)',
    ends: big,
  },
  {
    name: 'parsing JSON over and over',
    code: 'const s = "[" + "1,".repeat(2e6) + "1]"; for (;;) JSON.parse(s)',
    ends: big,
  },
  { name: 'padEnd to the longest', code: 'let a = []; for (;;) a.push("x".padEnd(2 ** 29, "ab"))', ends: big },
  { name: 'a spread into a call', code: 'Math.max(...new Array(5e7))', ends: big },
  { name: 'normalizing a long text', code: 'for (;;) "ﷺ".repeat(300000).normalize("NFKD")', ends: big },
  { name: 'decoding a long text', code: 'for (;;) decodeURIComponent("%F0%9F%98%80".repeat(300000))', ends: big },
];

const MEMORY: readonly Hostile[] = [
  { name: 'an array that grows', code: 'const a = []; for (;;) a.push({})', ends: big },
  { name: 'a text that doubles', code: 'let s = "x"; for (;;) s += s', ends: big },
  {
    name: 'a text that doubles, with wide letters',
    code: 'let s = "✓"; const all = []; for (;;) { s += s; all.push(s + 1) }',
    ends: big,
  },
  { name: 'buffers', code: 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))', ends: big },
  { name: 'one buffer of 2 GB', code: 'new ArrayBuffer(2 ** 31 - 1)', ends: big },
  { name: 'a resizable buffer', code: 'new ArrayBuffer(1, { maxByteLength: 2 ** 31 }).resize(2 ** 31)', ends: big },
  { name: 'a shared buffer of 1 GB', code: 'new SharedArrayBuffer(2 ** 30)', ends: big },
  { name: 'typed arrays', code: 'const a = []; for (;;) a.push(new Float64Array(1e6).fill(1))', ends: big },
  { name: 'a map that grows', code: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])', ends: big },
  { name: 'symbols', code: 'const a = []; for (let i = 0; ; i++) a.push(Symbol.for("s".repeat(100) + i))', ends: big },
  { name: 'property names', code: 'const o = {}; for (let i = 0; ; i++) o["k".repeat(50) + i] = i', ends: big },
  { name: 'closures', code: 'let f = () => 0; for (;;) { const g = f; f = () => g; }', ends: big },
  {
    name: 'functions made of text',
    code: 'const a = []; for (let i = 0; ; i++) a.push(new Function("return " + i))',
    ends: big,
  },
  {
    name: 'memory errors that are caught',
    code: 'const a = []; for (;;) try { for (;;) a.push("x".repeat(1e5)) } catch {}',
    ends: big,
  },
  { name: 'an array made with a length', code: 'Array.from({ length: 1e9 })', ends: big },
  { name: 'garbage as fast as it goes', code: 'for (;;) new Array(1e5).fill({})', ends: big },
  { name: 'a text cut into its letters', code: '"x".repeat(2e7).split("")', ends: big },
  { name: 'concatenation by flat', code: 'let a = [1]; for (;;) a = [a, a].flat()', ends: big },
  { name: 'errors with long messages', code: 'throw new Error("x".repeat(1e7))', ends: big },
  { name: 'a cycle of garbage', code: 'for (;;) { const a = { b: new Uint8Array(1e5) }; a.a = a; }', ends: big },
];

const DEPTH: readonly Hostile[] = [
  { name: 'recursion', code: 'const f = () => f(); f()', ends: wrong },
  { name: 'recursion through getters', code: 'const o = { get x() { return this.x; } }; o.x', ends: wrong },
  { name: 'recursion through toString', code: 'const o = { toString() { return "" + o; } }; "" + o', ends: wrong },
  {
    name: 'recursion through a proxy',
    code: 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x',
    ends: big,
  },
  {
    name: 'parentheses without end',
    code: `${'('.repeat(200_000)}1${')'.repeat(200_000)}`,
    ends: ['syntax', 'thrown', 'memory', 'crashed', 'timeout'],
  },
  {
    name: 'an array literal without end',
    code: `${'['.repeat(200_000)}1${']'.repeat(200_000)}`,
    ends: ['syntax', 'thrown', 'memory', 'crashed', 'timeout'],
  },
  { name: 'JSON nested without end', code: 'JSON.parse("[".repeat(1e6) + "]".repeat(1e6))', ends: big },
  { name: 'a pattern nested without end', code: 'new RegExp("(".repeat(1e5) + ")".repeat(1e5))', ends: big },
  { name: 'a deep result', code: 'let x = []; for (let i = 0; i < 2000; i++) x = [x]; x', ends: ['output', 'thrown'] },
  {
    name: 'a chain of prototypes',
    code: 'let o = {}; for (let i = 0; i < 3e5; i++) o = Object.create(o); o.x',
    ends: [...big, 'output'],
    value: null,
  },
];

const OUTPUT: readonly Hostile[] = [
  { name: 'a long result', code: '"x".repeat(1e6)', ends: ['output', ...stopped] },
  { name: 'a result of wide letters', code: '"✓".repeat(16000)', ends: ['output', ...stopped] },
  { name: 'a result that is a cycle', code: 'const a = {}; a.a = a; a', ends: wrong },
  { name: 'a flood of the console', code: 'for (;;) console.log("x".repeat(1000))', ends: stopped },
  { name: 'one line without end', code: 'console.log("x".repeat(1e6)); 1', value: 1 },
  { name: 'many empty lines', code: 'for (let i = 0; i < 1e4; i++) console.log(""); 1', value: 1 },
  {
    name: 'a proxy as the result',
    code: 'new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => "k" + i) })',
    ends: [...big, 'output'],
    value: {},
  },
  {
    name: 'a proxy that throws at everything',
    code: 'new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no"); } })',
    ends: wrong,
  },
  {
    name: 'a thrown proxy',
    code: 'throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; } })',
    ends: wrong,
  },
  {
    name: 'JSON.stringify overwritten',
    code: 'JSON.stringify = () => "x".repeat(1e7); globalThis.JSON = null; 7',
    value: 7,
  },
  {
    name: 'prototypes overwritten',
    code: 'const all = [Array, String, Function, Object].flatMap((p) => Reflect.ownKeys(p.prototype).map((k) => [p.prototype, k])); const no = () => { throw 1; }; for (let i = 0; i < all.length; i += 1) try { all[i][0][all[i][1]] = no; } catch {} ; 7',
    value: 7,
  },
  {
    name: 'setters on every index',
    code: 'Object.defineProperty(Array.prototype, 0, { set() { for (;;); } }); console.log("a", "b"); 7',
    value: 7,
  },
  {
    name: 'what stores cannot keep',
    code: '["\\u0000", "\\ud800", "\\\\u0000"]',
    value: ['\ufffd', '\ufffd', '\\u0000'],
  },
  { name: 'a prototype in the result', code: 'JSON.parse(\'{"__proto__": {"polluted": 1}}\').polluted ?? 0', value: 0 },
];

const ESCAPES: readonly Hostile[] = [
  { name: 'process', code: 'process.exit(1)', ends: wrong },
  { name: 'require', code: 'require("fs").readFileSync("/etc/passwd", "utf8")', ends: wrong },
  { name: 'a dynamic import', code: 'await import("node:fs")', ends: wrong },
  {
    name: 'a static import',
    code: 'import fs from "node:fs"; export default fs.readFileSync("/etc/passwd", "utf8")',
    ends: ['syntax', 'thrown'],
  },
  {
    name: 'the constructor of a constructor',
    code: '({}).constructor.constructor("return typeof process")()',
    value: 'undefined',
  },
  {
    name: 'the constructor of the console',
    code: 'console.log.constructor("return typeof process + typeof require")()',
    value: 'undefinedundefined',
  },
  {
    name: 'the constructor of the input',
    code: 'input.constructor.constructor("return this.process")() ?? null',
    value: null,
  },
  {
    name: 'eval',
    code: '(0, eval)("typeof process + typeof fetch + typeof setTimeout")',
    value: 'undefinedundefinedundefined',
  },
  {
    name: 'an async constructor',
    code: 'await (async () => {}).constructor("return typeof process")()',
    value: 'undefined',
  },
  {
    name: 'a generator constructor',
    code: '[...(function* () {}).constructor("yield typeof process")()]',
    value: ['undefined'],
  },
  {
    name: 'the network',
    code: '[typeof fetch, typeof XMLHttpRequest, typeof WebSocket, typeof navigator].join()',
    value: 'undefined,undefined,undefined,undefined',
  },
  {
    name: 'files of the engine',
    code: '[typeof std, typeof os, typeof bjson, typeof load, typeof scriptArgs].join()',
    value: 'undefined,undefined,undefined,undefined,undefined',
  },
  {
    name: 'workers and timers',
    code: '[typeof Worker, typeof setTimeout, typeof setInterval, typeof postMessage].join()',
    value: 'undefined,undefined,undefined,undefined',
  },
  { name: 'WebAssembly', code: 'new WebAssembly.Memory({ initial: 65536 })', ends: wrong },
  {
    name: 'waiting on shared memory',
    code: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    ends: wrong,
  },
  {
    name: 'fine clocks',
    code: '[typeof performance, Number.isInteger(Date.now()), typeof WeakRef, typeof FinalizationRegistry].join()',
    value: 'undefined,true,undefined,undefined',
  },
  {
    name: 'the callers',
    code: '(function f() { return f.caller === null || f.caller === undefined; })()',
    ends: wrong,
    value: true,
  },
  {
    name: 'an error that prepares its stack',
    code: 'let seen = 0; Error.prepareStackTrace = (_, s) => { seen = s.map((x) => String(x.getFunction?.())).join(); }; try { null.x } catch (e) { e.stack } typeof process + String(seen).includes("process")',
    value: 'undefinedfalse',
  },
  {
    name: 'the host prelude closed by braces',
    code: '}); this.process = 1; (async function () { return typeof require',
    ends: ['syntax'],
    value: 'undefined',
  },
];

/** Pairs of jobs, of which the second must not find what the first leaves. */
const NEIGHBORS: readonly Hostile[] = [
  {
    name: 'leaving globals, symbols and prototypes',
    code: 'globalThis.left = 1; Symbol.for("left").x; Array.prototype.left = 1; Object.prototype.left = 1; Math.left = 1; JSON.parse = () => 1; 0',
    value: 0,
  },
  {
    name: 'looking for what was left',
    code: '[typeof left, [].left ?? 0, ({}).left ?? 0, Math.left ?? 0, JSON.parse("[2]")[0], Object.keys(globalThis).length < 5].join()',
    value: 'undefined,0,0,0,2,true',
  },
  {
    name: 'freezing everything',
    code: 'for (const k of Reflect.ownKeys(globalThis)) try { Object.freeze(globalThis[k]); Object.freeze(globalThis[k].prototype) } catch {} ; Object.freeze(globalThis); 0',
    value: 0,
  },
  { name: 'finding nothing frozen', code: 'Array.prototype.own = 3; globalThis.own = 1; [].own + own', value: 4 },
  {
    name: 'reading memory that was not written',
    code: 'const a = new Uint8Array(new ArrayBuffer(8e6)); let n = 0; for (let i = 0; i < a.length; i += 997) n += a[i]; n',
    value: 0,
  },
];

export const HOSTILE: readonly Hostile[] = [
  ...LOOPS,
  ...NATIVE,
  ...MEMORY,
  ...DEPTH,
  ...OUTPUT,
  ...ESCAPES,
  ...NEIGHBORS,
];
