import { TimeSlice } from '@mailroom/behavior/values/time-slice';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';

/** Waits for something outside of the thread; meanwhile others have their turns. */
export type Wait = <Answer>(answer: Promise<Answer>) => Promise<Answer>;

interface Task {
  readonly id: number;
  /** What continues with its next turn. */
  next: (() => void)[];
  /** Answers that it waits for. */
  waits: number;
  /** Microseconds of processor time so far. */
  used: number;
  queued: boolean;
  over: boolean;
  readonly tooMuch: () => void;
}

const usedHere = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/**
 * Lets the tasks of a thread work one at a time until each waits, so that the processor time of each is known, and the
 * thread says by `TimeSlice.watched` which of them hangs.
 */
export class Turns {
  readonly #max_us: number;
  readonly #queue: Task[] = [];
  #current: Task | undefined;
  #going = false;

  /** `max_ms`: the processor time of a task. */
  constructor(max_ms: number) {
    this.#max_us = max_ms * 1000;
  }

  /** Runs the task that a `BatchThread` knows by this number; undefined when it took too much processor time. */
  run<Result>(id: number, work: (wait: Wait) => Promise<Result>): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        work(wait)
          .then(resolve, reject)
          .finally(() => {
            task.over = true;
          });
      };
      const task: Task = {
        id,
        next: [begin],
        waits: 0,
        used: 0,
        queued: false,
        over: false,
        tooMuch: () => resolve(undefined),
      };
      const wait: Wait = (answer) => {
        task.waits += 1;
        return new Promise((got, failed) => {
          const back = (proceed: () => void): void => {
            task.waits -= 1;
            task.next.push(proceed);
            this.#ready(task);
          };
          answer.then(
            (value) => back(() => got(value)),
            (error: unknown) => back(() => failed(error)),
          );
        });
      };
      this.#ready(task);
    });
  }

  #ready(task: Task): void {
    if (task.over || task.queued || task === this.#current) return;
    task.queued = true;
    this.#queue.push(task);
    if (this.#going) return;
    this.#going = true;
    void this.#go();
  }

  async #go(): Promise<void> {
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      task.queued = false;
      this.#current = task;
      TimeSlice.watched?.enter(task.id);
      const from = usedHere() - task.used;
      do {
        for (const proceed of task.next.splice(0)) proceed();
        // Then all is done that needs nothing from outside.
        await yieldToEventLoop();
        task.used = usedHere() - from;
        if (task.used > this.#max_us) {
          task.over = true;
          task.tooMuch();
        }
      } while (!task.over && (task.next.length > 0 || task.waits === 0));
      TimeSlice.watched?.leave();
      this.#current = undefined;
    }
    this.#going = false;
  }
}
