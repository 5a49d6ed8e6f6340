import { sha256 } from '@mailroom/behavior/values/hash';
import type { JsonObject } from '@mailroom/behavior/values/json';
import type { Step, Tasks } from '@mailroom/english-instructions/plan/index';
import type { Task } from '@mailroom/english-instructions/tasks/task';
import { outsideTasks } from '@mailroom/steps/outside/task';
import { allowed, type Party } from '@mailroom/steps/rights';
import { procedureTasks } from './procedures.ts';
import { readOutside } from './read-outside.ts';
import type { Settings } from './settings.ts';

/** The tasks of a mailbox. */
export interface AvailableTask {
  /** The built-in tasks and the owner's procedures. */
  readonly all: readonly Task[];
  /** The tasks that the party may use. */
  readonly tasks: Tasks;
}

/** Caches the tasks of mailboxes by settings object and party. */
export class AvailableTasks {
  readonly #own: readonly Task[];
  readonly #builtin: Tasks;
  readonly #known = new WeakMap<Settings, Map<Party, AvailableTask>>();

  /** `own`: the tasks of this build. */
  constructor(own: readonly Task[]) {
    this.#own = own;
    this.#builtin = new Map(own.map((task) => [task.name, task]));
  }

  get builtin(): Tasks {
    return this.#builtin;
  }

  of(settings: Settings, party: Party): AvailableTask {
    let parties = this.#known.get(settings);
    if (parties === undefined) {
      parties = new Map();
      this.#known.set(settings, parties);
    }
    let found = parties.get(party);
    if (found === undefined) {
      const ownTasks = [...this.#own, ...procedureTasks(settings.procedures ?? [], this.#builtin)];
      // Only remotes that the sender may use are known.
      const outside = (settings.remotes ?? []).flatMap((remote) => outsideTasks(remote, readOutside));
      const tasks = allowed(ownTasks, party, settings.rights);
      found = {
        all: [...ownTasks, ...outside],
        tasks: outside.length === 0 ? tasks : new Map([...tasks, ...outside.map((task) => [task.name, task] as const)]),
      };
      parties.set(party, found);
    }
    return found;
  }
}

/** Whether a task needs only its input, the clock and randomness, and has no thread of its own. */
export const standsAlone = ({ effects, close }: Task): boolean => effects === 'none' && close === undefined;

/** The procedures that a plan calls, as they are now; undefined when it calls none. */
export function proceduresOf(steps: readonly Step[], { procedures = [] }: Settings): JsonObject | undefined {
  const used = procedures.filter(({ name }) => steps.some(({ task }) => task === name));
  if (used.length === 0) return undefined;
  return Object.fromEntries(used.map((one) => [one.name, sha256(JSON.stringify(one))]));
}

/** The names of the task itself and of the tasks that a procedure uses. */
export function insideOf(name: string, { procedures = [] }: Settings): readonly string[] {
  const procedure = procedures.find((one) => one.name === name);
  if (procedure === undefined) return [name];
  return [name, ...(procedure.steps ?? [{ task: 'run' }]).map(({ task }) => task)];
}
