import { TaskError } from '../../../tasks/task.ts';
import type { Plan } from '../../steps/plan/index.ts';
import { fits } from '../../steps/plan/validate.ts';
import type { ExecutionParts } from '../../steps/running/execution-parts.ts';
import { Staged } from '../../steps/running/staged.ts';
import { StepContext } from '../../steps/running/step-context.ts';

/**
 * The names of what the steps of a plan would delete permanently. A step whose input is not known yet reports it itself
 * when it runs.
 */
export async function lossesOf({ steps }: Plan, parts: ExecutionParts): Promise<readonly string[]> {
  const losses: string[] = [];
  const { services, clock } = parts.context;
  for (const [index, { task: name, input }] of steps.entries()) {
    const task = parts.tasks.get(name);
    if (task?.loses === undefined || !fits(task.input, input)) continue;
    try {
      losses.push(...(await task.loses(input, new StepContext(parts, new Staged(services, clock), index + 1))));
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
    }
  }
  return losses;
}
