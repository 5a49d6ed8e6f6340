import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { jsonDepth, MAX_JSON_DEPTH, wellFormedJson } from '../foreign-json.ts';
import { ASYNC_SCRIPT, type Machine, MODULE, NoMemory, SCRIPT, type Value } from './machine.ts';

/** A script for a sandbox thread. */
export interface Job {
  readonly code: string;
  /** JSON. */
  readonly input: string;
  /** A JSON list. */
  readonly args: string;
  readonly limits: SandboxLimits;
}

export interface SandboxLimits {
  /** Maximum time from the start on the thread. */
  readonly ms: number;
  /** Maximum memory of the script. */
  readonly memory_bytes: number;
  /** Maximum bytes of the result as JSON. */
  readonly output_bytes: number;
  /** Maximum bytes of all console lines; more is cut. */
  readonly log_bytes: number;
}

const PROBLEMS = ['timeout', 'memory', 'output', 'syntax', 'thrown', 'full', 'crashed'] as const;
export type Problem = (typeof PROBLEMS)[number];

export interface Failed {
  readonly kind: Problem;
  readonly message: string;
  /** The engine's stack of a thrown error. */
  readonly stack?: string;
  /** The line of a syntax error, from 1. */
  readonly line?: number;
}

/** `value` is JSON. */
export type Outcome = { readonly logs: readonly string[] } & ({ readonly value: string } | { readonly failed: Failed });

/** Addresses of the prelude's functions, which are the same after each reset. */
export interface Prelude {
  readonly begin: Value;
  readonly finish: Value;
  readonly describe: Value;
  readonly logs: Value;
}

/** Memory reserved for describing an error when none is left. */
const RESERVE_BYTES = 1 << 20;
/** Maximum time for describing an error, in ms, because a script may have put its own code into it. */
const DESCRIBE_MS = 50;
const MAX_DESCRIBED = 32_768;

class Failure extends Error {
  readonly failed: Failed;
  constructor(failed: Failed) {
    super(failed.message);
    this.failed = failed;
  }
}

const TIMEOUT = (ms: number): Failed => ({ kind: 'timeout', message: `The script took longer than ${ms} ms.` });
const MEMORY = (bytes: number): Failed => ({
  kind: 'memory',
  message: `The script needs more than ${Math.floor(bytes / 2 ** 20)} MiB of memory.`,
});

/** Runs a script on a new or reset machine. Never throws. */
export function runJob(machine: Machine, prelude: Prelude, job: Job): Outcome {
  const { ms, memory_bytes, log_bytes } = job.limits;
  const deadline = performance.now() + ms;
  machine.deadline = deadline;
  machine.memory_limit = memory_bytes;
  try {
    const value = evaluated(machine, prelude, job, deadline);
    return { value, logs: logsOf(machine, prelude, log_bytes) };
  } catch (error) {
    if (error instanceof Failure) return { failed: error.failed, logs: logsOf(machine, prelude, log_bytes) };
    machine.breakDown();
    if (machine.interrupted) return { failed: TIMEOUT(ms), logs: [] };
    if (error instanceof NoMemory) return { failed: MEMORY(memory_bytes), logs: [] };
    if (error instanceof RangeError) {
      return { failed: { kind: 'thrown', message: 'Too much recursion.' }, logs: [] };
    }
    return {
      failed: { kind: 'crashed', message: `The script broke its engine: ${(error as Error).message}` },
      logs: [],
    };
  }
}

function evaluated(machine: Machine, prelude: Prelude, { code, input, args, limits }: Job, deadline: number): string {
  const words = crypto.getRandomValues(new Int32Array(4));
  const given = [machine.string(input), machine.string(args), machine.number(limits.log_bytes)];
  const seed = [...words].map((word) => machine.number(word));
  const check = (value: Value): Value => {
    if (machine.interrupted) throw new Failure(TIMEOUT(limits.ms));
    if (machine.isException(value)) throw thrown(machine, prelude, machine.exception(), limits);
    return value;
  };
  const awaited = (value: Value): Value => {
    if (machine.promise(value) === undefined) return value;
    machine.settle(value);
    if (machine.interrupted) throw new Failure(TIMEOUT(limits.ms));
    const state = machine.promise(value);
    if (state === 'pending') {
      throw new Failure({ kind: 'thrown', message: 'The script waits for something that never happens.' });
    }
    if (state === 'rejected') throw thrown(machine, prelude, machine.promised(value), limits);
    return machine.promised(value);
  };

  check(machine.call(prelude.begin, ...given, ...seed));
  const { promise, pick } = started(machine, prelude, code, limits, deadline);
  let result = awaited(promise);
  if (pick !== undefined) {
    const picked = check(machine.property(result, pick));
    if (pick === 'value' || !machine.isUndefined(picked)) result = awaited(picked);
  }
  if (machine.isFunction(result)) {
    // For `(input) => …`, a script that is a function, its return value is the result.
    const global = check(machine.evaluate('input', SCRIPT));
    result = awaited(check(machine.call(result, global)));
  }
  const json = check(machine.call(prelude.finish, result));
  const tooLong = `The result is longer than ${limits.output_bytes} bytes of JSON.`;
  const text = machine.text(json, limits.output_bytes);
  if (text === undefined || Buffer.byteLength(text) > limits.output_bytes) {
    throw new Failure({ kind: 'output', message: tooLong });
  }
  if (jsonDepth(text) > MAX_JSON_DEPTH) {
    throw new Failure({ kind: 'output', message: `The result is nested deeper than ${MAX_JSON_DEPTH} levels.` });
  }
  return wellFormedJson(text);
}

interface Started {
  readonly promise: Value;
  /** The property of the script's value that is the result; of a module its default export, or all exports without one. */
  readonly pick?: 'value' | 'default';
}

/** Tries the text as an object literal, a script, a function body and a module, in this order. */
function started(machine: Machine, prelude: Prelude, code: string, limits: SandboxLimits, deadline: number): Started {
  const ways: { code: string; flags: number; pick?: Started['pick'] }[] = [];
  if (/^\s*\{/.test(code)) ways.push({ code: `(${code}\n)`, flags: ASYNC_SCRIPT, pick: 'value' });
  ways.push({ code, flags: ASYNC_SCRIPT, pick: 'value' });
  if (/\breturn\b/.test(code)) ways.push({ code: `(async function () {${code}\n})()`, flags: SCRIPT });
  if (/\b(?:export|import)\b/.test(code)) ways.push({ code, flags: MODULE, pick: 'default' });
  let failed: Failure | undefined;
  for (const way of ways) {
    // Describing the error of the attempt before has limits of its own.
    machine.deadline = deadline;
    machine.memory_limit = limits.memory_bytes;
    const promise = machine.evaluate(way.code, way.flags);
    if (machine.interrupted) throw new Failure(TIMEOUT(limits.ms));
    if (!machine.isException(promise)) return way.pick === undefined ? { promise } : { promise, pick: way.pick };
    // All of these run as promises, so an error thrown at once is about the text.
    failed = thrown(machine, prelude, machine.exception(), limits);
    if (failed.failed.kind !== 'thrown') throw failed;
  }
  const { message = '', stack = '' } = failed?.failed ?? {};
  const line = Number(/script:(\d+)/.exec(stack)?.[1] ?? 1);
  throw new Failure({ kind: 'syntax', message: `${message.replace(/^SyntaxError: /, '')} (line ${line})`, line });
}

/** Describes a thrown value, which may be made to be slow or long. */
function thrown(machine: Machine, prelude: Prelude, error: Value, limits: SandboxLimits): Failure {
  machine.memory_limit = limits.memory_bytes + RESERVE_BYTES;
  machine.deadline = performance.now() + DESCRIBE_MS;
  const described = machine.call(prelude.describe, error);
  const json = machine.isException(described) ? undefined : machine.text(described, MAX_DESCRIBED);
  if (json === undefined) {
    return new Failure({ kind: 'thrown', message: 'The script threw something that cannot be shown.' });
  }
  const [name, message, stack] = JSON.parse(wellFormedJson(json)) as [string, string, string];
  if (name === 'InternalError' && message === 'out of memory') return new Failure(MEMORY(limits.memory_bytes));
  const text = [name, message].filter((one) => one !== '').join(': ');
  return new Failure({
    kind: 'thrown',
    message: text === '' ? 'The script threw an error without a message.' : text,
    ...(stack === '' ? {} : { stack }),
  });
}

/** The console's lines, also after a failure; what exceeds their limit is cut. */
function logsOf(machine: Machine, prelude: Prelude, max: number): string[] {
  try {
    // It runs no code of the script, so it may run after the script's time is over.
    machine.deadline = undefined;
    // Six bytes for an escaped character, four for the signs around an empty line.
    const json = machine.text(machine.call(prelude.logs), max * 10 + 64);
    if (json === undefined) return [];
    const lines = JSON.parse(wellFormedJson(json)) as string[];
    const kept: string[] = [];
    let room = max;
    for (const line of lines) {
      const bytes = Buffer.byteLength(line) + 1;
      if (bytes > room) return [...kept, cutTo(line, room)];
      kept.push(line);
      room -= bytes;
    }
    return kept;
  } catch {
    machine.breakDown();
    return [];
  }
}

/** The part of a line that fits in `bytes`, with a sign that it was cut. */
function cutTo(line: string, bytes: number): string {
  const kept = Buffer.from(line).subarray(0, bytes).toString('utf8');
  return `${withoutTrailing(kept, '\ufffd…')}…`;
}
