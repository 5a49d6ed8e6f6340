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
      say({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  say({ ready: true });
}
