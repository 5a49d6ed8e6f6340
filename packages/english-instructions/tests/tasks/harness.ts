import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '@mailroom/behavior/values/json';
import { Check, Errors } from 'typebox/value';
import type { Clause, Reading } from '../../tasks/clause.ts';
import type { Task, TaskContext } from '../../tasks/task.ts';

/** A Friday, the reference day of the examples. */
export const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);

/** An instruction and its result. */
export interface Example {
  /** As the planner passes it: no list mark, no "please". A colon with a space begins data. */
  readonly says: string;
  /** A pasted block. */
  readonly data?: string;
  readonly language?: string;
  /** The input that is read, or the beginning of the question. */
  readonly input?: { readonly [name: string]: Json };
  readonly asks?: string;
  /** The output's `result`; a function where it is random. */
  readonly result?: Json | ((result: never) => boolean);
  /** The result of the step before, which "it" means. */
  readonly it?: Json;
}

/** Cuts an instruction as the planner does. */
export function clause(says: string, more: Partial<Clause> = {}): Clause {
  const colon = /^([^:\n]*?[^:\s]):(?:\s+|$)/.exec(says);
  const own = colon !== null && more.data === undefined;
  const rest = own ? says.slice(colon[0].length) : '';
  return {
    text: own ? (colon[1] as string) : says,
    data: rest === '' ? undefined : rest,
    language: undefined,
    it: undefined,
    now: NOW,
    time_zone: 'UTC',
    ...more,
  };
}

/** A context without access to the outside. */
export function context(more: Partial<TaskContext> = {}): TaskContext {
  const nothing = (): never => assert.fail('This task has no effects and may not look outward');
  return {
    clock: () => NOW,
    time_zone: 'UTC',
    signal: new AbortController().signal,
    limits: { ms: 5_000, output_bytes: 65_536, memory_bytes: 32 << 20 },
    notes: { get: nothing, find: nothing, put: nothing, remove: nothing },
    agenda: { list: nothing, add: nothing, remove: nothing },
    fetch: nothing,
    ask: nothing,
    ...more,
  };
}

const filled = (value: Json, it: Json): Json => {
  if (typeof value === 'string') {
    if (value === '{{1}}') return it;
    return value.replaceAll('{{1}}', typeof it === 'string' ? it : JSON.stringify(it));
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, it));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, it)]));
  }
  return value;
};

const frozen = <T extends Json>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

/** One test per example: the reading, its validity by the input's schema, and the result. */
export function examplesOf(made: Task, examples: readonly Example[], within: TaskContext = context()): void {
  for (const { says, data, language, input, asks, result, it } of examples) {
    test(`${made.name}: ${JSON.stringify(says)}`, async () => {
      const more = {
        ...(data === undefined ? {} : { data }),
        ...(language === undefined ? {} : { language }),
        ...(it === undefined ? {} : { it: 1 }),
      };
      const reading = made.read(clause(says, more)) as Reading | undefined;
      assert.ok(reading, 'it is understood');
      assert.ok(reading.sure >= 0.5, `it is sure enough: ${reading.sure}`);
      if (asks !== undefined) {
        assert.ok('ask' in reading && reading.ask.startsWith(asks), `it asks: ${JSON.stringify(reading)}`);
        return;
      }
      assert.ok('input' in reading, `it asks nothing: ${JSON.stringify(reading)}`);
      if (input !== undefined) assert.deepEqual(reading.input, input);
      const given = filled(reading.input as Json, it ?? null);
      assert.ok(Check(made.input, given), JSON.stringify([given, Errors(made.input, given)]));
      if (result === undefined) return;
      // An owner's procedure passes a value stored with the mailbox.
      const output = (await made.run(frozen(given), within)) as { readonly result: Json };
      assert.ok(Check(made.output, output), JSON.stringify([output, Errors(made.output, output)]));
      if (typeof result === 'function') assert.ok(result(output.result as never), JSON.stringify(output));
      else assert.deepEqual(output.result, result);
      assert.notEqual(made.show(output, given).trim(), '');
    });
  }
}
