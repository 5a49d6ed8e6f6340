// Preloaded into a service: on its worker threads, reading an instruction that says "get stuck" never ends.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) {
  const { random } = await import('../../../src/tasks/random/index.ts');
  const { read } = random;
  random.read = (clause) => {
    for (const stuck = clause.text.includes('get stuck'); stuck; );
    return read(clause);
  };
}
