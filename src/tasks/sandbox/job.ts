import { withoutTrailing } from '../../core/values/trailing.ts';
import { jsonDepth, MAX_JSON_DEPTH, wellFormedJson } from '../foreign-json.ts';
import { ASYNC_SCRIPT, type Machine, MODULE, NoMemory, SCRIPT, type Value } from './machine.ts';

/** A script for a sandbox thread. */
export interface Job {
  readonly code: string;
  /** JSON. */
  readonly input: string;
  /** JSON, a list. */
  readonly args: string;
  readonly limits: SandboxLimits;
}

export interface SandboxLimits {
  /** From when it starts on its thread. */
  readonly ms: number;
  /** Of all that the script holds. */
  readonly memory_bytes: number;
  /** Of the result as JSON. */
  readonly output_bytes: number;
  /** Of all console lines; what is more is cut. */
  readonly log_bytes: number;
}

export const PROBLEMS = ['timeout', 'memory', 'output', 'syntax', 'thrown', 'full', 'crashed'] as const;
export type Problem = (typeof PROBLEMS)[number];

export interface Failed {
  readonly kind: Problem;
  readonly message: string;
  /** As the script's engine writes it, of a thrown error. */
  readonly stack?: string;
  /** Where the syntax is wrong, from 1. */
  readonly line?: number;
}

/** `value` is JSON. */
export type Outcome = { readonly logs: readonly string[] } & ({ readonly value: string } | { readonly failed: Failed });

/** The functions of the prelude; they lie where they lay when the machine was new. */
export interface Prelude {
  readonly begin: Value;
  readonly finish: Value;
  readonly describe: Value;
  readonly logs: Value;
}

/** So that an error can still be described when there was no memory left. */
const RESERVE_BYTES = 1 << 20;
/** How long describing an error may take, in ms: a script may have put code of its own into it. */
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

/** Runs a script on a machine that is new, or as new. Never throws. */
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
    // `(input) => …`: a script that is a function means its value.
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
  /** The property of what it comes to that is the result: of a module its default, or all if it has none. */
  readonly pick?: 'value' | 'default';
}

/** The text as an object literal, a script, a function's body or a module: the first of these that it can be. */
function started(machine: Machine, prelude: Prelude, code: string, limits: SandboxLimits, deadline: number): Started {
  const ways: { code: string; flags: number; pick?: Started['pick'] }[] = [];
  if (/^\s*\{/.test(code)) ways.push({ code: `(${code}\n)`, flags: ASYNC_SCRIPT, pick: 'value' });
  ways.push({ code, flags: ASYNC_SCRIPT, pick: 'value' });
  if (/\breturn\b/.test(code)) ways.push({ code: `(async function () {${code}\n})()`, flags: SCRIPT });
  if (/\b(?:export|import)\b/.test(code)) ways.push({ code, flags: MODULE, pick: 'default' });
  let failed: Failure | undefined;
  for (const way of ways) {
    // Telling what was wrong with the way before has limits of its own.
    machine.deadline = deadline;
    machine.memory_limit = limits.memory_bytes;
    const promise = machine.evaluate(way.code, way.flags);
    if (machine.interrupted) throw new Failure(TIMEOUT(limits.ms));
    if (!machine.isException(promise)) return way.pick === undefined ? { promise } : { promise, pick: way.pick };
    // All that runs of these comes as a promise: what is thrown at once is about the text.
    failed = thrown(machine, prelude, machine.exception(), limits);
    if (failed.failed.kind !== 'thrown') throw failed;
  }
  const { message = '', stack = '' } = failed?.failed ?? {};
  const line = Number(/script:(\d+)/.exec(stack)?.[1] ?? 1);
  throw new Failure({ kind: 'syntax', message: `${message.replace(/^SyntaxError: /, '')} (line ${line})`, line });
}

/** What to tell of a value that was thrown. It may be made to be read slowly, or to be long. */
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

/** The console's lines, also when the script failed; what is beyond the room for them is cut. */
function logsOf(machine: Machine, prelude: Prelude, max: number): string[] {
  try {
    // It runs nothing of the script, and has to run after the script's time is over.
    machine.deadline = undefined;
    // Six for an escape of a character, four for the signs around a line that is empty.
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

/** As much of a line as `bytes` hold, and a sign that there was more. */
function cutTo(line: string, bytes: number): string {
  const kept = Buffer.from(line).subarray(0, bytes).toString('utf8');
  return `${withoutTrailing(kept, '\ufffd…')}…`;
}
