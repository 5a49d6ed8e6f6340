import { closed } from '@mailroom/behavior/values/closed';
import type { Json, JsonObject } from '@mailroom/behavior/values/json';
import { TimeSlice } from '@mailroom/behavior/values/time-slice';
import { checkSteps, type PlanError, type Step } from '@mailroom/english-instructions/plan/index';
import { asText, filled, UnresolvedError } from '@mailroom/english-instructions/plan/references';
import { errorOf, fits } from '@mailroom/english-instructions/plan/validate';
import { type Clause, operand, type Reading } from '@mailroom/english-instructions/tasks/clause';
import {
  EFFECTS,
  type Effects,
  type Task,
  type TaskContext,
  TaskError,
} from '@mailroom/english-instructions/tasks/task';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Parameters, Procedure } from './settings.ts';

const NOTHING: Parameters = { type: 'object', properties: {} };
const Output = closed({
  result: Type.Unknown(),
  steps: Type.Array(Type.Object({ task: Type.String(), result: Type.Unknown() })),
});

const inputOf = ({ parameters = NOTHING }: Procedure): TObject =>
  ({ ...parameters, additionalProperties: false }) as unknown as TObject;

/** The errors in an owner's procedures, each with its JSON pointer in the settings. */
export function procedureErrors(procedures: readonly Procedure[], builtin: ReadonlyMap<string, Task>): PlanError[] {
  const errors: PlanError[] = [];
  const seen = new Set<string>();
  for (const [at, procedure] of procedures.entries()) {
    const pointer = `/procedures/${at}`;
    const { name, steps, script, parameters = NOTHING } = procedure;
    if (builtin.has(name) || seen.has(name)) {
      errors.push({ pointer: `${pointer}/name`, message: `There is a task "${name}" already. Choose another name.` });
    }
    seen.add(name);
    if ((steps === undefined) === (script === undefined)) {
      errors.push({ pointer, message: 'A procedure has either steps or a script.' });
    }
    const unknown = parameters.required?.find((one) => !Object.hasOwn(parameters.properties, one));
    if (unknown !== undefined) {
      errors.push({ pointer: `${pointer}/parameters/required`, message: `There is no parameter "${unknown}".` });
    }
    if (steps !== undefined) {
      const known = { max: 20, pointer: `${pointer}/steps`, known: () => false };
      const error = checkSteps(steps, builtin, known) ?? parameterError(steps as readonly Step[], parameters, pointer);
      if (error !== undefined) errors.push(error);
    }
  }
  return errors;
}

function parameterError(steps: readonly Step[], { properties }: Parameters, pointer: string): PlanError | undefined {
  for (const [index, { input = {} }] of steps.entries()) {
    for (const [, name = ''] of JSON.stringify(input).matchAll(/\{\{input\.([A-Za-z0-9_]+)/g)) {
      if (Object.hasOwn(properties, name)) continue;
      return {
        pointer: `${pointer}/steps/${index}/input`,
        message: `{{input.${name}}}: there is no parameter "${name}".`,
      };
    }
  }
  return undefined;
}

/** The owner's procedures as tasks. `builtin`: the tasks that their steps and scripts may use. */
export const procedureTasks = (procedures: readonly Procedure[], builtin: ReadonlyMap<string, Task>): readonly Task[] =>
  procedures.map((procedure) => procedureTask(procedure, builtin));

function procedureTask(procedure: Procedure, builtin: ReadonlyMap<string, Task>): Task {
  const { name, description, script } = procedure;
  const input = inputOf(procedure);
  const steps: readonly Step[] =
    script === undefined
      ? (procedure.steps ?? []).map((step) => ({ task: step.task, input: (step.input ?? {}) as JsonObject }))
      : [{ task: 'run', input: { code: script, input: '{{input}}' } }];
  const used = steps.map((step) => builtin.get(step.task)).filter((task) => task !== undefined);
  const rank = Math.max(0, ...used.map(({ effects }) => EFFECTS.indexOf(effects)));
  return {
    name,
    description,
    input,
    output: Output,
    effects: EFFECTS[rank] as Effects,
    repeatable: used.every(({ repeatable }) => repeatable),
    examples: [],
    read: (clause) => readCall(clause, procedure),
    run: (given, context) => runSteps(steps, withDefaults(given as JsonObject, procedure), builtin, context),
    show: (output) => asText((output as Static<typeof Output>).result as Json),
  };
}

const withDefaults = (given: JsonObject, { parameters = NOTHING }: Procedure): JsonObject => {
  const defaults = Object.entries(parameters.properties).filter(
    ([, one]) => 'default' in one && one.default !== undefined,
  );
  return { ...Object.fromEntries(defaults.map(([name, one]) => [name, (one as { default: Json }).default])), ...given };
};

async function runSteps(
  steps: readonly Step[],
  input: JsonObject,
  builtin: ReadonlyMap<string, Task>,
  context: TaskContext,
): Promise<Static<typeof Output>> {
  const outputs = new Map<number, JsonObject>();
  const done: { task: string; result: unknown }[] = [];
  const turn = new TimeSlice();
  for (const [index, step] of steps.entries()) {
    const task = builtin.get(step.task);
    if (task === undefined) throw new TaskError(`Its step ${index + 1} uses "${step.task}", which is not there.`);
    if (turn.over) await turn.yieldToEventLoop();
    context.signal.throwIfAborted();
    const given = fill(step, task.input, { outputs, input }, index, context.limits.output_bytes * 4);
    const output = (await task.run(given, context)) as JsonObject;
    outputs.set(index + 1, output);
    done.push({ task: step.task, result: output.result });
  }
  return { result: done.at(-1)?.result ?? null, steps: done };
}

function fill(step: Step, schema: TSchema, results: Given, index: number, max: number): JsonObject {
  try {
    const given = filled(step.input, schema, results, max);
    if (fits(schema, given)) return given;
    throw new TaskError(`Its step ${index + 1} (${step.task}): ${errorOf(schema, given)}`);
  } catch (error) {
    if (error instanceof UnresolvedError) throw new TaskError(`Its step ${index + 1} (${step.task}): ${error.message}`);
    throw error;
  }
}

interface Given {
  readonly outputs: ReadonlyMap<number, JsonObject>;
  readonly input: JsonObject;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Reads "greet", "run greet with name Ann and age 5", "greet Ann" and "greet: Ann". */
function readCall(clause: Clause, procedure: Procedure): Reading | undefined {
  const spoken = procedure.name.split(/[-_]/).map(escaped).join('[-_ ]');
  const call = new RegExp(
    `^(?:(?:run|do|use|call|start|execute)\\s+(?:the\\s+)?)?${spoken}(?:\\s+procedure)?(?:\\s+(.{1,2000}))?$`,
    'is',
  );
  const match = call.exec(clause.text.slice(0, 2_100));
  if (match === null) return undefined;
  const { properties, required = [] } = procedure.parameters ?? NOTHING;
  const given = argumentsOf(
    (match[1] ?? '').replace(/^(?:with|for|on|using|of)\s+/i, ''),
    Object.keys(properties),
    clause,
  );
  const missing = required.find((name) => !Object.hasOwn(given, name));
  if (missing === undefined) return { sure: 1, input: typed(given, properties) };
  return {
    sure: 1,
    ask: `What is ${missing}${properties[missing]?.description === undefined ? '' : ` (${properties[missing].description})`}?`,
    answered: (answer) => {
      const pairs = Object.entries(given).map(([name, value]) => `${name}: ${asText(value)}`);
      return `${procedure.name} with ${[...pairs, `${missing}: ${answer}`].join(', ')}`;
    },
  };
}

/** The arguments in a text such as "net 100, for: two chairs"; one without names is the first of `names`. */
export function argumentsOf(text: string, names: readonly string[], clause: Clause): JsonObject {
  const named =
    clause.data !== undefined && names.some((name) => text.toLowerCase().endsWith(` ${name.toLowerCase()}`));
  // In "… with net 100, for: two chairs" the colon belongs to the last parameter name.
  if (named) return argumentsOf(`${text}: ${clause.data}`, names, { ...clause, data: undefined });
  if (clause.data !== undefined) {
    const object = jsonObject(clause.data);
    if (object !== undefined) return object;
    return names.length === 0 ? {} : { [names[0] as string]: clause.data };
  }
  if (names.length === 0) return {};
  const key = new RegExp(
    `(?:^|[,;]\\s*|\\sand\\s+|\\s)(${names.map(escaped).join('|')})\\s*(?:[:=]|\\bis\\b)?\\s+|(?:^|[,;]\\s*|\\s)(${names.map(escaped).join('|')})\\s*[:=]\\s*`,
    'gi',
  );
  const found = [...text.matchAll(key)];
  if (found.length === 0) {
    const only = operand(text, clause);
    if (only !== '') return { [names[0] as string]: only };
    return clause.it === undefined ? {} : { [names[0] as string]: `{{${clause.it}}}` };
  }
  const given: { [name: string]: Json } = {};
  for (const [index, match] of found.entries()) {
    const said = (match[1] ?? match[2] ?? '').toLowerCase();
    const name = names.find((one) => one.toLowerCase() === said) as string;
    const end = found[index + 1]?.index ?? text.length;
    const value = text
      .slice(match.index + match[0].length, end)
      .trim()
      .replace(/(?:[,;]|\band)$/i, '');
    given[name] = operand(value, clause);
  }
  return given;
}

function jsonObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}

/** Converts numbers and yes or no where the parameter has that type; the input check reports what cannot be converted. */
export const typed = (
  given: JsonObject,
  properties: { readonly [name: string]: { readonly type?: unknown } },
): JsonObject =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.type : undefined;
      if (typeof value !== 'string' || value.includes('{{')) return [name, value];
      if (type === 'boolean' && /^(?:yes|true|no|false)$/i.test(value)) return [name, /^(?:yes|true)$/i.test(value)];
      if ((type === 'number' || type === 'integer') && Number.isFinite(Number(value))) return [name, Number(value)];
      if (type === 'array') return [name, value.split(',').map((one) => one.trim())];
      return [name, value];
    }),
  );
