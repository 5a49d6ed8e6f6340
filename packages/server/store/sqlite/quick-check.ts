import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { BUSY_MS } from './connection.ts';

/** Up to this size a file is checked as it is opened, in some 50 ms; a larger one, at 1 s a GB, beside the start. */
const DIRECT_BYTES = 32 * 1024 * 1024;

/** The first thing that is wrong with the structure of the file ("PRAGMA quick_check"); undefined when all is well. */
function wrongIn(path: string): string | undefined {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
    const [row] = db.prepare('pragma quick_check(1)').all();
    const found = String(Object.values(row ?? {})[0]);
    return found === 'ok' ? undefined : found;
  } catch (error) {
    // Another process that holds the file, or a full disk, is no damage.
    const { errcode } = error as { readonly errcode?: number };
    return errcode !== undefined && [11, 26].includes(errcode & 0xff) ? (error as Error).message : undefined;
  }
}

/** Checks the file at `path`, a large one on a thread of its own; `onWrong` is told what is wrong. */
export function quickCheck(path: string, onWrong: (what: string) => void): AsyncDisposable {
  if (statSync(path).size <= DIRECT_BYTES) {
    const wrong = wrongIn(path);
    if (wrong !== undefined) onWrong(wrong);
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: { quick_check: path }, execArgv: [] });
  worker.on('message', onWrong);
  // A thread that cannot run says nothing about the file.
  worker.on('error', () => {});
  worker.unref();
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

if (!isMainThread && workerData?.quick_check !== undefined) {
  const wrong = wrongIn(workerData.quick_check);
  if (wrong !== undefined) parentPort?.postMessage(wrong);
}
