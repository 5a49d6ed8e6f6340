import { parentPort, workerData } from 'node:worker_threads';
import { connect } from './connection.ts';
import { makeEngine } from './engine.ts';
import type { Batch, FromWriter } from './wire.ts';

/** The writer thread: the one connection of the process that writes. Started by `thread.ts`. */
const port = parentPort;
if (port === null) throw new Error('writer.ts runs as a worker thread');
const { path, alongside } = workerData as { readonly path: string; readonly alongside: boolean };
const db = connect(path);
const run = makeEngine(db);

port.on('message', (message: Batch | 'close') => {
  if (message !== 'close') {
    port.postMessage(run(message));
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
