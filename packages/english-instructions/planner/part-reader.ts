import type { Step } from '../plan/index.ts';
import type { Clause } from '../tasks/clause.ts';
import { isClear, type Part, type Read } from './paraphrases.ts';
import { type PlanningParts, zoned } from './plan.ts';
import { bestOf, type Known } from './readings.ts';

const SURE = 0.9;
/**
 * The characters that are read in all ways of splitting a message, for each of its own and for any message. Instructions
 * need two thirds of them at most; a text made to be split in many ways needs more.
 */
const MAX_READ = { each: 1.3, any: 1_200 };

/** Reads parts of a message, each once, and counts the characters that are read. */
export class PartReader {
  parts: PlanningParts;
  /** The steps that are planned so far. */
  readonly steps: Step[] = [];
  /** The readings so far, because a text is read in several ways of splitting it. */
  readonly #known = new Map<string, Known>();
  #left = MAX_READ.any;

  constructor(parts: PlanningParts) {
    this.parts = parts;
  }

  /** Whether more was read than a message of instructions needs. */
  get exhausted(): boolean {
    return this.#left < 0;
  }

  /** The sender named their time zone, which is that of what follows. */
  moveTo(time_zone: string): void {
    this.parts = { ...this.parts, time_zone };
    this.#known.clear();
  }

  /** A text of this length is read next. */
  allow(length: number): void {
    this.#left += length * MAX_READ.each;
  }

  best(part: Part, more = 0, after?: string): Known {
    const clause = this.clause(part, more, after);
    const key = `${clause.it} ${clause.after} ${clause.tasks?.length} ${part.text}\0${part.data ?? ''}`;
    if (this.#known.has(key)) return this.#known.get(key);
    this.#left -= part.text.length;
    if (this.#left < 0) return undefined;
    const best = bestOf(clause, this.parts.tasks);
    this.#known.set(key, best);
    return best;
  }

  readonly read: Read = (part, more, after) => this.best(part, more, after);

  /** Whether it is an instruction beyond doubt, after the steps before it, the last of them of the task `after`. */
  isSure(part: Part, after?: string): boolean {
    const best = this.best(part, 1, after);
    return isClear(best) && best !== undefined && best.reading.sure >= SURE;
  }

  /** `more`: the number of earlier steps that are not planned yet; the last of them is of the task `after`. */
  clause(part: Part, more = 0, after = this.steps[this.steps.length + more - 1]?.task): Clause {
    const last = this.steps.length + more;
    const it = last > 0 ? last : this.parts.before ? 0 : undefined;
    const tasks = this.steps.map(({ task }) => task);
    const previous = it === 0 ? this.parts.previous : undefined;
    const planned = last > 0 ? undefined : this.parts.planned;
    return {
      ...part,
      it,
      after,
      tasks,
      ...zoned(this.parts),
      ...(previous && { previous }),
      ...(planned && { planned }),
    };
  }
}
