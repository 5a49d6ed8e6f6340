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

/**
 * The worker thread's side of `Lane`: those of a batch that need no wait are answered together, the others when they end.
 * Call it once; what came before is waiting then.
 */
export function serveLane<Task, Result>(handle: (task: Task) => Result | Promise<Result>): void {
  const port = parentPort;
  if (port === null) throw new Error('serveLane() belongs into a worker thread.');
  port.on('message', ([first, tasks]: readonly [number, readonly Task[]]) => {
    const answers: Answers<Result>[number][] = [];
    for (const [at, task] of tasks.entries()) {
      const id = first + at;
      try {
        const result = handle(task);
        if (result instanceof Promise) {
          result.then(
            (later) => port.postMessage([[id, null, later]]),
            (error: unknown) => port.postMessage([[id, saidOf(error), undefined]]),
          );
        } else answers.push([id, null, result]);
      } catch (error) {
        answers.push([id, saidOf(error), undefined]);
      }
    }
    if (answers.length > 0) port.postMessage(answers);
  });
}

const saidOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
