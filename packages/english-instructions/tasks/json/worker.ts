import { type JSONValue, search } from '@jmespath-community/jmespath';
import { parseJson } from '@mailroom/behavior/values/json';
import { serve } from '@mailroom/workers/serve';

/** A query for a thread. */
export interface Query {
  readonly expression: string;
  /** Valid JSON. */
  readonly json: string;
  /** Maximum bytes of the result as JSON. */
  readonly max: number;
}

/** The result as JSON, or the reason for having none. */
export type QueryResult = { readonly json: string } | { readonly error: string } | { readonly too_long: true };

class TooLong extends Error {}

/** Removes prototypes, because the library also reads properties such as `constructor` from them. */
function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (const one of value) withoutPrototypes(one);
  else {
    Object.setPrototypeOf(value, null);
    for (const one of Object.values(value)) withoutPrototypes(one);
  }
  return value;
}

/**
 * The part of `room` that a value leaves. Measured before serializing, because nesting `[@,@]` thirty times needs two
 * references per level but makes a gigabyte of JSON.
 */
function weigh(value: unknown, room: number): number {
  let budget = room - 2;
  if (typeof value === 'string') budget -= value.length;
  else if (Array.isArray(value)) for (const one of value) budget = weigh(one, budget - 1);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) budget = weigh(one, budget - name.length - 4);
  }
  if (budget < 0) throw new TooLong();
  return budget;
}

function find({ expression, json, max }: Query): QueryResult {
  try {
    const result: unknown = search(withoutPrototypes(parseJson(json)) as JSONValue, expression) ?? null;
    weigh(result, max + 2);
    const written = JSON.stringify(result) ?? 'null';
    return Buffer.byteLength(written) > max ? { too_long: true } : { json: written };
  } catch (error) {
    if (error instanceof TooLong) return { too_long: true };
    if (error instanceof RangeError) return { error: 'It is nested too deeply, or makes something too long.' };
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// Objects made by the library itself have a prototype, which expressions must not reach.
Reflect.deleteProperty(Object.prototype, '__proto__');
find({ expression: 'a[?b > `1`].c', json: '{"a":[{"b":2,"c":3}]}', max: 100 });
serve(find);
