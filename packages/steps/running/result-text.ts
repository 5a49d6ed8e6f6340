import { cutText, sentBytes } from '@mailroom/behavior/reply-limit';
import { isObject } from '@mailroom/behavior/values/json';
import type { Step, Tasks } from '@mailroom/english-instructions/plan/index';
import { asText } from '@mailroom/english-instructions/plan/references';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import type { ExecutionLimits } from './execution-parts.ts';
import type { StepReceipt } from './receipt.ts';

const outputText = (task: Task | undefined, { input, output }: StepReceipt): string =>
  task === undefined ? asText(output) : task.show(output as never, input as never);

/** Bytes reserved for the words around the results. */
const AROUND_BYTES = 4096;

/**
 * The results of the steps: of one step the result alone, of several a list. Longer text than the results may have as JSON
 * is cut, with a note.
 */
export function resultText(steps: readonly StepReceipt[], tasks: Tasks, { total_bytes }: Shown): string {
  const [only] = steps;
  let room = total_bytes + AROUND_BYTES;
  if (steps.length === 1 && only !== undefined && only.status === 'completed') {
    return cutText(outputText(tasks.get(only.task), only), room) || 'Done.';
  }
  const lines = steps.map((shown, at) => {
    const step = { ...shown, step: at + 1 };
    const line = room > 0 ? cutText(lineOf(step, tasks), Math.max(room, MIN_LINE)) : `${headOf(step)}: ${step.status}.`;
    room -= sentBytes(line);
    return line;
  });
  return lines.join('\n\n');
}

/** Tasks that make a text of a text. */
const TURNING: readonly string[] = ['text', 'encode', 'json', 'table'];
const isText = ({ output }: StepReceipt): boolean => {
  const result = isObject(output) ? output.result : undefined;
  return typeof result === 'string' || Array.isArray(result);
};

/** The steps without a text that a later one only turned into another text. `plan` has their inputs with references. */
export function withoutTurned(steps: readonly StepReceipt[], plan: readonly Step[]): readonly StepReceipt[] {
  const turning = steps.filter((one) => TURNING.includes(one.task) && one.status === 'completed' && isText(one));
  const takes = (later: StepReceipt, step: number): boolean => {
    const input = JSON.stringify(plan[later.step - 1]?.input ?? null);
    return input.includes(`{{${step}}}`) || input.includes(`{{${step}.`);
  };
  return steps.filter((one) => !turning.includes(one) || !turning.some((later) => takes(later, one.step)));
}

type Shown = Pick<ExecutionLimits, 'total_bytes'>;
const MIN_LINE = 256;

const headOf = ({ step, task }: StepReceipt): string => `${step}. **${task}**`;

function lineOf(step: StepReceipt, tasks: Tasks): string {
  const head = headOf(step);
  switch (step.status) {
    case 'completed': {
      const text = outputText(tasks.get(step.task), step);
      return text.includes('\n') ? `${head}\n\n${indented(text)}` : `${head}: ${text}`;
    }
    case 'failed':
      return `${head} failed: ${step.error ?? ''}`;
    case 'unknown':
      return `${head}: unknown. ${step.error ?? ''}`;
    case 'skipped':
      return `${head}: not done.`;
  }
}

/** The text indented as the content of a list item. */
const indented = (text: string): string => text.replace(/^(?=.)/gm, '   ');
