import { indentedJson, indentedLength } from '@mailroom/behavior/values/indented-json';
import type { Json } from '@mailroom/behavior/values/json';
import type { Static } from 'typebox';
import { readBy } from '../grammar/index.ts';
import { type Task, type TaskContext, TaskError, task } from '../task.ts';
import { fits, plainly, verbatim } from '../text/input.ts';
import { fromCsv, toCsv } from './csv.ts';
import { errorText, parse, tryParse } from './parse.ts';
import { Queries, type QueriesOptions } from './query.ts';
import { Input, Output } from './schema.ts';

/** The task `json`. Its queries run on threads of their own, by default one, which start with the first query. */
export function makeJsonTask(options: Partial<QueriesOptions> = {}): Task {
  const queries = new Queries({ workers: 1, ...options });
  const definition: Task<typeof Input, typeof Output> = {
    name: 'json',
    description:
      'Works on JSON: formats, minifies, validates with line and column, queries by JMESPath, lists keys, counts, converts to CSV and from CSV.',
    input: Input,
    output: Output,
    effects: 'none',
    repeatable: true,
    examples: [
      'is this valid json: {"a": 1}',
      'get .users[0].name from: {"users": [{"name": "Ann"}]}',
      'query items[?price > `10`].name: {"items": [{"name": "x", "price": 12}]}',
      'turn this csv into json: name,age\nAnn,31',
    ],
    read: readBy('json'),
    run: (input, context) => run(input, context, queries),
    inline: ({ op }) => op !== 'query',
    show,
    close: () => queries.close(),
  };
  return task(definition);
}

function run(
  { op, json, expression, indent = 2 }: Static<typeof Input>,
  { limits, signal, caller }: TaskContext,
  queries: Queries,
): Static<typeof Output> | Promise<Static<typeof Output>> {
  if (op === 'validate') {
    const parsed = tryParse(json);
    if (!('error' in parsed)) return { result: true };
    return { result: false, error: errorText(parsed.error), line: parsed.error.line, column: parsed.error.column };
  }
  if (op === 'from_csv') {
    const result = fromCsv(json, limits.output_bytes);
    return { result, rows: result.length };
  }
  const { value, text } = parse(json);
  switch (op) {
    case 'parse':
      return { result: value };
    case 'format':
      fits(indentedLength(text, indent), Math.max(limits.output_bytes, text.length));
      return { result: JSON.stringify(value, null, indent) };
    case 'minify':
      return { result: JSON.stringify(value) };
    case 'keys':
      return { result: namesOf(value) };
    case 'length':
      return { result: lengthOf(value) };
    case 'to_csv':
      return toCsv(value, limits.output_bytes);
    default: {
      if (expression === undefined || expression.trim() === '') throw new TaskError('A query needs an expression.');
      return queries.run(expression, text, limits.output_bytes, signal, caller).then((result) => ({ result }));
    }
  }
}

function namesOf(value: Json): string[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.keys(value);
  if (!Array.isArray(value)) throw new TaskError('Only objects, and lists of objects, have keys.');
  const names = new Set<string>();
  for (const one of value as readonly Json[]) {
    if (typeof one === 'object' && one !== null && !Array.isArray(one)) {
      for (const name of Object.keys(one)) names.add(name);
    }
  }
  return [...names];
}

function lengthOf(value: Json): number {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  throw new TaskError(`${JSON.stringify(value)} has no length; lists, objects and strings have.`);
}

function show({ result, error }: Static<typeof Output>, { op }: Static<typeof Input>): string {
  if (op === 'validate') {
    if (result === true) return 'This is valid JSON.';
    return `This is **not** valid JSON: ${plainly(error ?? '')}`;
  }
  if (op === 'format') return verbatim(String(result)).replace(/^(`{3,})\n/, '$1json\n');
  if (typeof result === 'string') return result === '' ? '(empty)' : verbatim(result);
  if (typeof result === 'number' || typeof result === 'boolean' || result === null) return `**${String(result)}**`;
  return verbatim(indentedJson(result)).replace(/^(`{3,})\n/, '$1json\n');
}
