import { AppError } from '@mailroom/behavior/values/error';
import { readConfig } from '../config.ts';
import { makeOwnerKey } from '../core/access/key-registry.ts';
import { systemClock } from '../core/values/steady-clock.ts';
import { openStore } from '../store/open.ts';

// `npm run owner-key -- NAMESPACE`: creates an owner key for the operator of the machine, whether or not the service
// runs.
const [name] = process.argv.slice(2);
try {
  if (name === undefined) throw new Error('Name the namespace: npm run owner-key -- NAMESPACE');
  await using store = await openStore(readConfig(process.env).DATABASE_URL, { alongside: true });
  const { secret } = await makeOwnerKey(store, name, systemClock);
  process.stdout.write(`New owner key for ${name}, shown only once:\n${secret}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof AppError || error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
