import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads';
import { TimeSlice } from '@mailroom/behavior/values/time-slice';

/** A message from a worker thread to its pool. */
export type Said<Result> =
  | { readonly ready: true }
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: string };

/**
 * The worker thread's side of `Pool`: answers one task at a time. Call it once, when everything slow is loaded; tasks are
 * sent only after that. An exception of the handler fails its task, and the thread continues. `transferOf`: what of a
 * result is moved rather than copied.
 */
export function serve<Task, Result>(
  handle: (task: Task) => Result | Promise<Result>,
  transferOf: (result: Result) => readonly Transferable[] = () => [],
): void {
  const port = parentPort;
  if (port === null) throw new Error('serve() belongs into a worker thread.');
  const say = (said: Said<Result>, transfer: readonly Transferable[] = []): void =>
    port.postMessage(said, [...transfer]);
  port.on('message', async ({ id, task }: { id: number; task: Task }) => {
    try {
      const result = await handle(task);
      say({ id, result }, transferOf(result));
    } catch (error) {
      say({ id, error: saidOf(error) });
    }
  });
  say({ ready: true });
}

/**
 * A message from a `BatchThread`: tasks, numbered from the first on; the number of a task to end, with the reason; or its
 * marks.
 */
export type Handed<Task> = readonly [first: number, tasks: readonly Task[]] | Ending | { readonly marks: Marks };

/**
 * Shared memory with [number of the current task (0: none), how often that changed], readable even when the thread hangs
 * and sends nothing.
 */
export type Marks = Int32Array<SharedArrayBuffer>;

export interface Ending {
  readonly id: number;
  readonly name: string;
  readonly message: string;
}

/**
 * For each task: its number, what its handler threw (null: nothing), its result, and the ms that its thread worked on it
 * in one go.
 */
export type Answers<Result> = readonly (readonly [
  id: number,
  error: string | null,
  result: Result | undefined,
  ms: number,
])[];

/** What a task reports while it runs. */
export interface Meanwhile<Saying> {
  readonly id: number;
  readonly said: Saying;
}

/** A running task. */
export class Work<Saying> {
  readonly #port: MessagePort;
  readonly #id: number;
  #abort: AbortController | undefined;

  constructor(port: MessagePort, id: number) {
    this.#port = port;
    this.#id = id;
  }

  /** The number of the task. */
  get id(): number {
    return this.#id;
  }

  /** Sends a report to the waiting caller. */
  say(said: Saying): void {
    this.#port.postMessage({ id: this.#id, said } satisfies Meanwhile<Saying>);
  }

  /** Aborts when the caller no longer waits; works only for a task that has reported something, and only while it yields. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with the caller's reason, recreated here because not every error can be cloned. */
  end({ name, message }: Ending): void {
    this.#controller.abort(new DOMException(message, name));
  }

  get #controller(): AbortController {
    this.#abort ??= new AbortController();
    return this.#abort;
  }
}

/** How long finished tasks wait for the others of their batch, in ms. */
const HOLD_MS = 5;
/** How many tasks are answered at a time, so that callers continue while the next ones finish. */
const ANSWER_AT = 4;

/**
 * The worker thread's side of `BatchThread`, in two steps: all tasks of a batch are begun, then those that need no wait
 * are finished and answered together, the others when they are ready. Repeating one kind of work keeps its code and
 * tables in the processor's caches. Call it once; earlier messages are waiting then.
 */
export function serveBatches<Task, Ready, Result, Saying = never>(
  begin: (task: Task, work: Work<Saying>) => Ready | Promise<Ready>,
  end: (ready: Ready) => Result,
): void {
  const port = parentPort;
  if (port === null) throw new Error('serveBatches() belongs into a worker thread.');
  type Answer = Answers<Result>[number];
  let marks: Marks = new Int32Array(new SharedArrayBuffer(8));
  const mark = (id: number): void => {
    marks[0] = id;
    marks[1] = ((marks[1] as number) + 1) | 0;
  };
  TimeSlice.watched = { leave: () => leave(), enter: mark };
  const leave = (): number => {
    const id = marks[0] as number;
    mark(0);
    return id;
  };
  const ended = (id: number, ready: Ready, ms: number): Answer => {
    mark(id);
    try {
      return [id, null, end(ready), ms];
    } catch (error) {
      return [id, saidOf(error), undefined, ms];
    } finally {
      mark(0);
    }
  };
  const say = (answers: readonly Answer[]): void => {
    if (answers.length > 0) port.postMessage(answers);
  };
  /** Tasks that take more than one turn. */
  const working = new Map<number, Work<Saying>>();
  const goOn = (id: number, work: Work<Saying>, later: Promise<Ready>): void => {
    working.set(id, work);
    const over = (answer: () => Answer): void => {
      working.delete(id);
      say([answer()]);
      mark(0);
    };
    later.then(
      (ready) => over(() => ended(id, ready, 0)),
      (error: unknown) => over(() => [id, saidOf(error), undefined, 0]),
    );
  };
  const serveBatch = (first: number, tasks: readonly Task[]): void => {
    let answers: Answer[] = [];
    let ready: (readonly [number, Ready, number])[] = [];
    let since = performance.now();
    const finish = (): void => {
      for (const [id, one, ms] of ready) {
        answers.push(ended(id, one, ms));
        if (answers.length >= ANSWER_AT) {
          say(answers);
          answers = [];
        }
      }
      say(answers);
      [answers, ready] = [[], []];
      since = performance.now();
    };
    let began = since;
    for (const [at, task] of tasks.entries()) {
      const id = first + at;
      mark(id);
      try {
        const work = new Work<Saying>(port, id);
        const result = begin(task, work);
        const now = performance.now();
        if (result instanceof Promise) goOn(id, work, result);
        else ready.push([id, result, now - began]);
      } catch (error) {
        answers.push([id, saidOf(error), undefined, performance.now() - began]);
      }
      mark(0);
      began = performance.now();
      if (began - since > HOLD_MS) {
        finish();
        began = since;
      }
    }
    finish();
  };
  port.on('message', (handed: Handed<Task>) => {
    if ('marks' in handed) marks = handed.marks;
    else if ('id' in handed) working.get(handed.id)?.end(handed);
    else serveBatch(...handed);
  });
}

const saidOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
