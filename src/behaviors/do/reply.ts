import type { Task } from '../../tasks/task.ts';
import type { Plan, Step, Tasks } from './plan.ts';
import type { StepReceipt } from './receipt.ts';
import { asText } from './references.ts';

/** Of one value shown in a sentence. */
const SHORT = 200;

const inShort = (text: string): string => (text.length > SHORT ? `${text.slice(0, SHORT - 1)}…` : text);

/** A step in a line: the task and what it is given. */
export function stepLine({ task, input }: Step): string {
  const given = Object.entries(input).map(([name, value]) => `${name}: ${inShort(asText(value).replace(/\s+/g, ' '))}`);
  return given.length === 0 ? `**${task}**` : `**${task}** \`${given.join(', ').replaceAll('`', "'")}\``;
}

/** The plan alone, as a list. */
export const planText = ({ steps }: Plan): string => steps.map((step, at) => `${at + 1}. ${stepLine(step)}`).join('\n');

const shown = (task: Task | undefined, { input, output }: StepReceipt): string =>
  task === undefined ? asText(output) : task.show(output as never, input as never);

/** What the steps came to: of one step its result alone, of several a list. */
export function resultText(steps: readonly StepReceipt[], tasks: Tasks): string {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined && only.status === 'completed') {
    return shown(tasks.get(only.task), only) || 'Done.';
  }
  return steps.map((step) => lineOf(step, tasks)).join('\n\n');
}

function lineOf(step: StepReceipt, tasks: Tasks): string {
  const head = `${step.step}. **${step.task}**`;
  switch (step.status) {
    case 'completed': {
      const text = shown(tasks.get(step.task), step);
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

/** As the content of a list's item. */
const indented = (text: string): string => text.replace(/^(?=.)/gm, '   ');
