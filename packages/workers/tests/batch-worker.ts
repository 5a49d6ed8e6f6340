// A thread for batch-thread.test.ts that does what its task says.
import { workerData } from 'node:worker_threads';
import { serveBatches } from '../serve.ts';

export type Task =
  | { readonly do: 'echo' | 'later' | 'throw'; readonly value: unknown }
  | { readonly do: 'busy'; readonly value: unknown; readonly ms: number }
  | { readonly do: 'hang' | 'exit' | 'started with' };

if (workerData === 'never starts') throw new Error('never starts');

serveBatches(
  (task: Task): unknown => {
    switch (task.do) {
      case 'echo':
        return task.value;
      case 'busy': {
        const until = performance.now() + task.ms;
        while (performance.now() < until);
        return task.value;
      }
      case 'later':
        return new Promise((resolve) => setTimeout(resolve, 50, task.value));
      case 'throw':
        throw new Error(`thrown: ${task.value}`);
      case 'hang':
        for (;;);
      case 'exit':
        process.exit(3);
        break;
      case 'started with':
        return workerData;
    }
  },
  (value) => value,
);
