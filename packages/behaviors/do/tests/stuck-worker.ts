// Threads of `do` with a defect for planner-threads-stuck.test.ts: reading or running "get stuck" never ends.
import { random } from '@mailroom/english-instructions/tasks/random/index';
import { text } from '@mailroom/english-instructions/tasks/text/index';

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
await import(`${new URL('../threads/worker.ts', import.meta.url)}?as-it-is`);
