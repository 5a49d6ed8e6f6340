import { parentPort } from 'node:worker_threads';

/** What a worker thread says to its pool. */
export type Said<Result> =
  | { readonly ready: true }
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: string };

/**
 * The worker thread's side of `Pool`: answers one task at a time. Call it once, when everything slow is loaded and warm;
 * tasks are handed out only from then on. What the handler throws fails its task, the thread goes on.
 */
export function serve<Task, Result>(handle: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('serve() belongs into a worker thread.');
  const say = (said: Said<Result>): void => port.postMessage(said);
  port.on('message', async ({ id, task }: { id: number; task: Task }) => {
    try {
      say({ id, result: await handle(task) });
    } catch (error) {
      say({ id, error: saidOf(error) });
    }
  });
  say({ ready: true });
}

/** To each task its number, what its handler threw (null: nothing) and what it came to. */
export type Answers<Result> = readonly (readonly [id: number, error: string | null, result: Result | undefined])[];

/** What is ready is not kept longer for the others of its batch, in ms; */
const HOLD_MS = 5;
/** and so many are answered at a time, so that whoever waits goes on while the next are ended. */
const ANSWER_AT = 4;

/**
 * The worker thread's side of `BatchThread`, in two steps: all of a batch are begun, then those that need no wait are ended
 * and answered together, the others when they are ready. The same work many times over is quicker than two kinds in turn:
 * their code and tables stay in the processor's caches. Call it once; what came before is waiting then.
 */
export function serveBatches<Task, Ready, Result>(
  begin: (task: Task) => Ready | Promise<Ready>,
  end: (ready: Ready) => Result,
): void {
  const port = parentPort;
  if (port === null) throw new Error('serveBatches() belongs into a worker thread.');
  type Answer = Answers<Result>[number];
  const ended = (id: number, ready: Ready): Answer => {
    try {
      return [id, null, end(ready)];
    } catch (error) {
      return [id, saidOf(error), undefined];
    }
  };
  const say = (answers: readonly Answer[]): void => {
    if (answers.length > 0) port.postMessage(answers);
  };
  port.on('message', ([first, tasks]: readonly [number, readonly Task[]]) => {
    let answers: Answer[] = [];
    let ready: (readonly [number, Ready])[] = [];
    let since = performance.now();
    const finish = (): void => {
      for (const [id, one] of ready) {
        answers.push(ended(id, one));
        if (answers.length >= ANSWER_AT) {
          say(answers);
          answers = [];
        }
      }
      say(answers);
      [answers, ready] = [[], []];
      since = performance.now();
    };
    for (const [at, task] of tasks.entries()) {
      const id = first + at;
      try {
        const one = begin(task);
        if (one instanceof Promise) {
          one.then(
            (later) => say([ended(id, later)]),
            (error: unknown) => say([[id, saidOf(error), undefined]]),
          );
        } else ready.push([id, one]);
      } catch (error) {
        answers.push([id, saidOf(error), undefined]);
      }
      if (performance.now() - since > HOLD_MS) finish();
    }
    finish();
  });
}

const saidOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
