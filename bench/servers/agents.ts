// Programs that answer addresses at once, as `serve` of the client runs them: the addresses are its arguments. It prints
// a line, with a port as servers do, when it has asked for their messages.
import { serve } from '../../packages/client/src/serve.ts';

const addresses = process.argv.slice(2);
const concurrency = addresses.length === 1 ? 64 : 1;
const ended = Promise.all(addresses.map((address) => serve(address, () => 'Here I am.', { concurrency })));
process.stdout.write(`${process.env.MAILROOM_URL}\n`);
await ended;
