// The thread of `do` on which reading an instruction that says "get stuck" never ends.
import { random } from '../../../src/tasks/random/index.ts';

const { read } = random;
random.read = (clause) => {
  for (const stuck = clause.text.includes('get stuck'); stuck; );
  return read(clause);
};
await import('../../../src/behaviors/do/threads/worker.ts');
