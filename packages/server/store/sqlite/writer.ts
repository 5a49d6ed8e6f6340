import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.ts';
import { connect } from './connection.ts';
import { Deletion, markDeleted } from './deletion.ts';
import { makeEngine } from './engine.ts';
import { type Batch, bytesOf, type FromWriter, type Outcome, type WriterData } from './wire.ts';

/** The writer thread: the only connection of the process that writes. Started by `thread.ts`. */
const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread');
const { path, alongside, compactHour } = workerData as WriterData;
const db = connect(path);
const checkpoints = new Checkpoints(db);
// A maintenance command leaves compactions to the process that serves the file.
const deletion = alongside
  ? undefined
  : new Deletion({
      path,
      db,
      compactHour,
      onCompacted: (compaction) => port.postMessage({ kind: 'compacted', ...compaction } satisfies FromWriter),
    });
const run = makeEngine(db, (after) => {
  if (deletion === undefined) markDeleted(db);
  else deletion.deleted(after);
});

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
    checkpoints.committed(bytesOf(batch));
    deletion?.wrote();
    return;
  }
  deletion?.stop();
  try {
    if (!alongside) db.exec('pragma wal_checkpoint(truncate)');
  } finally {
    db.close();
    port.postMessage({ kind: 'closed' } satisfies FromWriter);
    port.close();
  }
});
port.postMessage({ kind: 'ready' } satisfies FromWriter);
