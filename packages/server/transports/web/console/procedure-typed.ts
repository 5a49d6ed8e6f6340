import type { FieldError } from '@mailroom/behavior/values/error';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import { readJson } from '../../../http/json.ts';
import type { ProcedureSettings } from '../tasks.ts';

/** A parameter as typed; `more`: the rest of its schema as JSON. */
export interface TypedParameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  readonly more: string;
}

/** A step as typed. */
export interface TypedStep {
  readonly task: string;
  readonly input: string;
}

/** A procedure as typed; kept complete when something is wrong. */
export interface TypedProcedure {
  /** Its earlier name; '' for a new one. */
  readonly was: string;
  readonly name: string;
  readonly description: string;
  readonly by: 'steps' | 'script';
  readonly parameters: readonly TypedParameter[];
  readonly steps: readonly TypedStep[];
  readonly script: string;
  /** The input of a test run, by parameter. */
  readonly given: ReadonlyMap<string, string>;
}

export const TYPES = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List of texts',
} as const;

/** More rows than the settings allow are read, so that validation can report them. */
const MAX_ROWS = 60;

const EMPTY_PARAMETER: TypedParameter = { name: '', type: 'string', description: '', required: false, more: '' };
const EMPTY_STEP: TypedStep = { task: '', input: '' };

/** The form's values for a new procedure, with two empty rows to fill in. */
export const blankProcedure: TypedProcedure = {
  was: '',
  name: '',
  description: '',
  by: 'steps',
  parameters: [EMPTY_PARAMETER],
  steps: [EMPTY_STEP],
  script: '',
  given: new Map(),
};

/** The form's values for a saved procedure. */
export function typedFrom(procedure: ProcedureSettings): TypedProcedure {
  const { name, description, parameters, steps = [], script } = procedure;
  const required = new Set(parameters?.required);
  return {
    was: name,
    name,
    description,
    by: script === undefined ? 'steps' : 'script',
    parameters: Object.entries(parameters?.properties ?? {}).map(([key, { type, description: about, ...more }]) => {
      const { items: _items, ...rest } = more;
      return {
        name: key,
        type: String(type),
        description: typeof about === 'string' ? about : '',
        required: required.has(key),
        more: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
      };
    }),
    steps: steps.map(({ task, input }) => ({ task, input: input === undefined ? '' : indentedJson(input) })),
    script: script ?? '',
    given: new Map(),
  };
}

/** Reads the form. `add` and `remove` name a row to add or remove. */
export function readProcedure(form: URLSearchParams): TypedProcedure {
  const text = (name: string): string => form.get(name) ?? '';
  const gone = text('remove');
  const rows = <T>(kind: string, read: (at: string) => T): T[] =>
    Array.from({ length: MAX_ROWS }, (_, at) => `${kind}.${at}`)
      .filter((at) => form.has(`${at}.here`) && at !== gone)
      .map(read);
  const parameters = rows('p', (prefix) => ({
    name: text(`${prefix}.name`).trim(),
    type: text(`${prefix}.type`),
    description: text(`${prefix}.description`).trim(),
    required: form.has(`${prefix}.required`),
    more: text(`${prefix}.more`),
  }));
  const steps = rows('s', (at) => ({ task: text(`${at}.task`), input: text(`${at}.input`) }));
  if (form.get('add') === 'parameter') parameters.push(EMPTY_PARAMETER);
  if (form.get('add') === 'step') steps.push(EMPTY_STEP);
  const given = [...form].filter(([name]) => name.startsWith('given.'));
  return {
    was: text('was'),
    name: text('name').trim(),
    description: text('description').trim(),
    by: text('by') === 'script' ? 'script' : 'steps',
    parameters,
    steps,
    script: text('script').replace(/\r\n/g, '\n'),
    given: new Map(given.map(([name, value]) => [name.slice('given.'.length), value])),
  };
}

/** The procedure to save, and what cannot be read; errors have the pointers that validation uses. */
export function procedureOf(typed: TypedProcedure): {
  readonly procedure: ProcedureSettings;
  readonly errors: readonly FieldError[];
} {
  const errors: FieldError[] = [];
  const { name, description, by, script } = typed;
  const properties: Record<string, Record<string, unknown>> = {};
  const rows = typed.parameters.filter((one) => one.name !== '' || one.description !== '');
  for (const [index, parameter] of rows.entries()) {
    if (parameter.name === '') errors.push({ pointer: `/parameters/${index}`, message: 'Give this parameter a name.' });
    else if (Object.hasOwn(properties, parameter.name)) {
      errors.push({ pointer: `/parameters/${index}`, message: `There is a parameter "${parameter.name}" already.` });
    }
    properties[parameter.name] = {
      ...(jsonObject(parameter.more) ?? {}),
      type: parameter.type,
      ...(parameter.type === 'array' ? { items: { type: 'string' } } : {}),
      ...(parameter.description === '' ? {} : { description: parameter.description }),
    };
  }
  const required = rows.filter((one) => one.required).map((one) => one.name);
  const steps = typed.steps.filter(({ task, input }) => task !== '' || input.trim() !== '');
  const parameters = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) } as const;
  const head = { name, description, ...(rows.length === 0 ? {} : { parameters }) };
  if (by === 'script') {
    if (script.trim() === '') errors.push({ pointer: '/script', message: 'Write a script, or choose steps.' });
    return { procedure: { ...head, script }, errors };
  }
  if (steps.length === 0) errors.push({ pointer: '/steps/0/task', message: 'Choose a task for the first step.' });
  const read = steps.map(({ task, input }, index) => {
    const value = input.trim() === '' ? {} : jsonObject(input);
    if (value === undefined) {
      errors.push({
        pointer: `/steps/${index}/input`,
        message: 'Write a JSON object, such as {"expression": "{{input.n}} * 2"}.',
      });
    }
    return { task, input: value ?? {} };
  });
  return { procedure: { ...head, steps: read }, errors };
}

/** Parses a JSON object by the rules of request bodies; undefined for anything else. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = readJson(Buffer.from(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The input of a test run, converted to the parameters' types; what is not a number stays text for validation to
 * report.
 */
export function givenOf({ parameters, given }: TypedProcedure): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type } of parameters) {
    const text = given.get(name);
    if (name === '' || text === undefined || text === '') continue;
    values[name] = asTyped(type, text);
  }
  return values;
}

function asTyped(type: string, text: string): unknown {
  if (type === 'boolean') return text === 'true';
  if (type === 'array') return text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const number = Number(text);
  return (type === 'number' || type === 'integer') && text.trim() !== '' && Number.isFinite(number) ? number : text;
}
