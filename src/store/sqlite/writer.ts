import type { MessagePort } from 'node:worker_threads';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { connect } from './connection.ts';
import { makeEngine } from './engine.ts';
import type { Batch, FromWriter, Outcome } from './wire.ts';

/** The writer thread: the one connection of the process that writes. Started by `thread.ts`. */
const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread');
const { path, alongside } = workerData as { readonly path: string; readonly alongside: boolean };
const db = connect(path);
const run = makeEngine(db);

/** The batch with those that came behind it, as one, and how many they are. Nothing comes behind a `close`. */
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
    port.postMessage({ kind: 'closed' } satisfies FromWriter);
    port.close();
  }
});
port.postMessage({ kind: 'ready' } satisfies FromWriter);
