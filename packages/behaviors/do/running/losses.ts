import type { Plan } from '@mailroom/english-instructions/plan/index';
import { fits } from '@mailroom/english-instructions/plan/validate';
import { TaskError } from '@mailroom/english-instructions/tasks/task';
import type { ExecutionParts } from '@mailroom/steps/running/execution-parts';
import { Staged } from '@mailroom/steps/running/staged';
import { StepContext } from '@mailroom/steps/running/step-context';

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
