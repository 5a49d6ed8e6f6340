// A thread for pool.test.ts that does what its task says.
import { workerData } from 'node:worker_threads';
import { serve } from '../serve.ts';

if (workerData === 'never starts') throw new Error('never starts');
// Without processor time meanwhile.
if (workerData === 'starts late') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
if (workerData === 'starts for ever') for (;;);

export interface Task {
  readonly do: 'echo' | 'hang' | 'throw' | 'exit' | 'exit once' | 'crash later' | 'wait' | 'size';
  readonly value?: unknown;
  readonly flag?: SharedArrayBuffer;
  readonly bytes?: Uint8Array;
}

serve(async (task: Task): Promise<unknown> => {
  if (task.do === 'hang') {
    if (task.flag !== undefined)
      Atomics.notify(new Int32Array(task.flag), Atomics.add(new Int32Array(task.flag), 0, 1));
    for (;;);
  }
  if (task.do === 'wait') await new Promise((resolve) => setTimeout(resolve, Number(task.value)));
  if (task.do === 'size') return task.bytes?.length;
  if (task.do === 'throw') throw new Error(`thrown: ${task.value}`);
  if (task.do === 'exit') process.exit(3);
  if (task.do === 'exit once' && task.flag !== undefined && Atomics.add(new Int32Array(task.flag), 0, 1) === 0) {
    process.exit(3);
  }
  if (task.do === 'crash later') {
    setImmediate(() => {
      throw new Error('outside of any task');
    });
    await new Promise(() => {});
  }
  return task.value;
});
