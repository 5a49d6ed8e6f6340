import type { Step } from '../plan/index.ts';
import type { PlannedBefore, Previous } from '../tasks/clause.ts';
import type { Task } from '../tasks/task.ts';
import type { Fence } from './lines.ts';

export interface PlanningParts {
  /** All tasks, including those that this sender may not use, which are recognized and refused. */
  readonly tasks: readonly Task[];
  /** The tasks that this sender may use, where that is not all of them; only these are suggested. */
  readonly usable?: readonly Task[];
  readonly now: number;
  readonly time_zone: string;
  readonly max_steps: number;
  /** Whether the thread has an earlier result. */
  readonly before: boolean;
  /** The step that had that result. */
  readonly previous?: Previous | undefined;
  /** What the thread planned last. */
  readonly planned?: PlannedBefore | undefined;
  /** The sender's answers to questions, in the order asked: the instruction's number and the answer. */
  readonly answers?: readonly (readonly [number, string])[];
  /** The text of an attached file. */
  readonly pasted?: Fence | undefined;
  /** The message as it was written; by default the text that is planned. */
  readonly written?: string;
  /** The plans of this message and of its parts so far, as several readers try the same part. */
  readonly plans?: Map<string, Planned>;
}

export type Planned =
  /** `later`: the steps of what is planned for a later time, also within that. */
  | { readonly kind: 'plan'; readonly steps: readonly Step[]; readonly later?: readonly Step[] }
  /** Something is unclear or missing. `at`: the instruction's number from 0, or -1 for the message as a whole. */
  | {
      readonly kind: 'unclear';
      readonly at: number;
      readonly text: string;
      readonly question: string;
      readonly suggestions: readonly string[];
      readonly steps: readonly Step[];
      /** The task that asks; undefined where none is meant so far. */
      readonly task?: string;
    }
  | { readonly kind: 'too_much'; readonly detail: string };

/** The refusal of a message that can be split in too many ways. */
export const TOO_MANY_WAYS: Planned = {
  kind: 'too_much',
  detail:
    'This message can be split into instructions in too many ways. Put each instruction on a line of its own, and text to work on between lines of ```.',
};

/** The refusal of more steps than are allowed. */
export const tooMany = (steps: number, { max_steps }: PlanningParts): Planned => ({
  kind: 'too_much',
  detail: `This message has at least ${steps} steps; ${max_steps} are allowed. Send it in parts.`,
});

/** The zone and the time of a plan. */
export const zoned = ({ now, time_zone }: PlanningParts) => ({ now, time_zone });

/** Whether a task neither sends nor keeps anything. */
export const hasNoEffects = (name: string, { tasks }: PlanningParts): boolean =>
  tasks.find((one) => one.name === name)?.effects === 'none';
