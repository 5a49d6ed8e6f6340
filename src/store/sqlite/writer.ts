import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { SECOND } from '../../core/values/clock.ts';
import { connect } from './connection.ts';
import { makeEngine } from './engine.ts';
import { Traces } from './traces.ts';
import type { Batch, FromWriter, Outcome } from './wire.ts';

/** When to remove deleted content that the previous process may have left in the files, in ms after the start. */
const START_MS = 10 * SECOND;

/** The writer thread: the only connection of the process that writes. Started by `thread.ts`. */
const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread');
const { path, alongside } = workerData as { readonly path: string; readonly alongside: boolean };
let db = connect(path);
let run = makeEngine(db, erase);
const traces = new Traces(
  path,
  {
    get db() {
      return db;
    },
    renew() {
      const before = db;
      db = connect(path);
      run = makeEngine(db, erase);
      before.close();
    },
  },
  (erased) => port.postMessage({ kind: 'erased', ...erased } satisfies FromWriter),
);

function erase(after: number): void {
  // A maintenance command leaves this to the process that serves the file.
  if (!alongside) traces.erase(after);
}
erase(START_MS);

/** The batch combined with those that arrived after it, and how many they are; a `close` is always last. */
function withNext(first: Batch): readonly [Batch, number] {
  const all: Batch[] = [first];
  for (let next = receiveMessageOnPort(port as MessagePort); next !== undefined; ) {
    all.push(next.message as Batch);
    next = receiveMessageOnPort(port as MessagePort);
  }
  return [all.length === 1 ? first : all.flat(), all.length];
}

port.on('message', (message: Batch | 'close') => {
  if (message !== 'close') {
    const [batch, batches] = withNext(message);
    const [results, failures] = run(batch);
    port.postMessage([results, failures, batches] satisfies Outcome);
    return;
  }
  try {
    if (!alongside) db.exec('pragma wal_checkpoint(truncate)');
  } finally {
    db.close();
    traces.stop();
    port.postMessage({ kind: 'closed' } satisfies FromWriter);
    port.close();
  }
});
port.postMessage({ kind: 'ready' } satisfies FromWriter);
