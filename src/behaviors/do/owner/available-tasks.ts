import { sha256 } from '../../../core/values/hash.ts';
import type { JsonObject } from '../../../core/values/json.ts';
import type { Task } from '../../../tasks/task.ts';
import type { Step, Tasks } from '../plan/index.ts';
import { procedureTasks } from './procedures.ts';
import type { Party } from './rights.ts';
import { allowed } from './rights.ts';
import type { Settings } from './settings.ts';

/** What there is to do in a mailbox. */
export interface AvailableTask {
  /** What this build has and what the owner taught. */
  readonly all: readonly Task[];
  /** What a party may use of that. */
  readonly tasks: Tasks;
}

/** The tasks of mailboxes, by settings and party: made once for as long as the settings are the same object. */
export class AvailableTasks {
  readonly #own: readonly Task[];
  readonly #builtin: Tasks;
  readonly #known = new WeakMap<Settings, Map<Party, AvailableTask>>();

  /** `own`: all that this build can do. */
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
      const all = [...this.#own, ...procedureTasks(settings.procedures ?? [], this.#builtin)];
      found = { all, tasks: allowed(all, party, settings) };
      parties.set(party, found);
    }
    return found;
  }
}

/** Whether what it does follows from its input, the clock and chance, and it does that itself: without a thread of its own. */
export const standsAlone = ({ effects, close }: Task): boolean => effects === 'none' && close === undefined;

/** What is called by name in a plan, as it is now; undefined when nothing is. */
export function proceduresOf(steps: readonly Step[], { procedures = [] }: Settings): JsonObject | undefined {
  const used = procedures.filter(({ name }) => steps.some(({ task }) => task === name));
  if (used.length === 0) return undefined;
  return Object.fromEntries(used.map((one) => [one.name, sha256(JSON.stringify(one))]));
}

/** The task itself and, of a procedure, those that it uses. */
export function insideOf(name: string, { procedures = [] }: Settings): readonly string[] {
  const procedure = procedures.find((one) => one.name === name);
  if (procedure === undefined) return [name];
  return [name, ...(procedure.steps ?? [{ task: 'run' }]).map(({ task }) => task)];
}
