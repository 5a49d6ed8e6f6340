// The thread of `do` on which reading an instruction that says "get stuck" never ends.
import { random } from '@mailroom/english-instructions/tasks/random/index';

const { read } = random;
random.read = (clause) => {
  for (const stuck = clause.text.includes('get stuck'); stuck; );
  return read(clause);
};
await import('@mailroom/do/threads/worker');
