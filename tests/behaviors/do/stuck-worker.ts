// Threads of `do` with a defect for planner-threads-stuck.test.ts: reading or running "get stuck" never ends.
import { random } from '../../../src/tasks/random/index.ts';
import { text } from '../../../src/tasks/text/index.ts';

const stick = (given: unknown): void => {
  for (const stuck = /get stuck/i.test(JSON.stringify(given)); stuck; );
};
const { read } = random;
random.read = (clause) => {
  stick(clause);
  return read(clause);
};
const { run } = text;
text.run = (input, context) => {
  stick(input);
  return run(input, context);
};
// Not the packed one of `npm test`, which has its own copies of the tasks.
await import(`${new URL('../../../src/behaviors/do/threads/worker.ts', import.meta.url)}?as-it-is`);
