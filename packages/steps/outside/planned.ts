import type { JsonObject } from '@mailroom/behavior/values/json';
import type { Step } from '@mailroom/english-instructions/plan/index';
import type { Effects, OutsideToolOf } from '@mailroom/english-instructions/tasks/task';
import { outsideSource } from '../running/receipt.ts';

/** What is known of a task that calls a tool of others. */
interface Called {
  readonly effects: Effects;
  readonly outside?: OutsideToolOf | undefined;
}

/**
 * The tools of others that steps call, by task, as the owner approves them: when one is changed, it is another plan.
 * Undefined when none is called.
 */
export function plannedOutside(
  steps: readonly Step[],
  called: (task: string) => Called | undefined,
): JsonObject | undefined {
  const tools = steps.flatMap(({ task }) => {
    const { effects, outside } = called(task) ?? {};
    return outside === undefined || effects === undefined
      ? []
      : [[task, { ...outsideSource(outside), effects }] as const];
  });
  return tools.length === 0 ? undefined : Object.fromEntries(tools);
}
