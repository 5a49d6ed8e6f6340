import { isObject, type Json } from '@mailroom/behavior/values/json';
import type { TSchema } from 'typebox';
import type { Task } from '../tasks/task.ts';
import { references, withoutReferences } from './references.ts';
import { errorOf, fits } from './validate.ts';

/** One call of a task. Strings of `input` may contain `{{n}}`, the result of step n. */
export interface Step {
  readonly task: string;
  readonly input: { readonly [name: string]: Json };
}

/** Who made a plan: the built-in planner, the sender's `steps`, or the model. */
export type Planner = 'builtin' | 'steps' | 'model';

/** The steps to run, in order. */
export interface Plan {
  readonly planner: Planner;
  readonly steps: readonly Step[];
}

/** An error in a step, as a sentence for people. */
export interface PlanError {
  readonly pointer: string;
  readonly message: string;
}

/** The tasks that the sender may use, by name. */
export type Tasks = ReadonlyMap<string, Task>;

/** The first error in structured steps, found before any of them runs. `it0`: the thread has an earlier result. */
export function checkSteps(
  steps: unknown,
  tasks: Tasks,
  {
    max,
    pointer,
    known: isTask,
  }: { readonly max: number; readonly pointer: string; readonly known: (n: string) => boolean },
): PlanError | undefined {
  if (!Array.isArray(steps)) return { pointer, message: 'This must be a list of {"task": "…", "input": {…}}.' };
  if (steps.length === 0) return { pointer, message: 'There is no step. Name at least one task.' };
  if (steps.length > max) {
    return { pointer, message: `This message has ${steps.length} steps; ${max} are allowed. Send it in parts.` };
  }
  for (const [at, step] of (steps as readonly unknown[]).entries()) {
    const error = checkStep(step, at, tasks, `${pointer}/${at}`, isTask);
    if (error !== undefined) return error;
  }
  return undefined;
}

function checkStep(
  step: unknown,
  index: number,
  tasks: Tasks,
  pointer: string,
  isTask: (n: string) => boolean,
): PlanError | undefined {
  if (!isObject(step)) return { pointer, message: 'A step is {"task": "…", "input": {…}}.' };
  const extra = Object.keys(step).find((name) => name !== 'task' && name !== 'input');
  if (extra !== undefined) {
    return {
      pointer: `${pointer}/${extra}`,
      message: `A step has "task" and "input"; "${extra.slice(0, 40)}" is neither.`,
    };
  }
  const { task: name, input = {} } = step;
  if (typeof name !== 'string') {
    return { pointer: `${pointer}/task`, message: 'The name of a task is missing. It is a text.' };
  }
  const task = tasks.get(name);
  if (task === undefined) {
    const there = isTask(name);
    return {
      pointer: `${pointer}/task`,
      message: there
        ? `You may not use the task "${name}" here.`
        : `There is no task "${name.slice(0, 60)}". There are: ${[...tasks.keys()].join(', ')}.`,
    };
  }
  if (!isObject(input)) return { pointer: `${pointer}/input`, message: 'The input must be an object.' };
  const wrong = references(input).find((n) => n > index);
  if (wrong !== undefined) {
    return {
      pointer: `${pointer}/input`,
      message: `Step ${index + 1} uses {{${wrong}}}, which is not before it. A step can use the results of earlier steps only.`,
    };
  }
  return checkInput(task.input, input, `${pointer}/input`);
}

/** Validates the parts of an input that are no references; the rest is validated when the step runs. */
function checkInput(schema: TSchema, input: Json, pointer: string): PlanError | undefined {
  const known = withoutReferences(input);
  if (known === undefined || fits(schema, known)) return undefined;
  return { pointer, message: errorOf(schema, known) };
}
