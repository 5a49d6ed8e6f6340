import type { Task } from '../../../tasks/task.ts';
import type { Tasks } from '../plan/index.ts';
import { asText } from '../plan/references.ts';
import type { StepReceipt } from './receipt.ts';

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
