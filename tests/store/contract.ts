import type { Store } from '../../src/core/ports/store.ts';
import { accountsContract } from './contract-accounts.ts';
import { clientsContract } from './contract-clients.ts';
import { effectsContract } from './contract-effects.ts';
import { eventsContract } from './contract-events.ts';
import { jobsContract } from './contract-jobs.ts';
import { messagesContract } from './contract-messages.ts';
import { namesContract } from './contract-names.ts';
import { searchContract } from './contract-search.ts';
import { statesContract } from './contract-states.ts';

/** The tests that every store passes. `open` gives a new, empty store. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  namesContract(name, open);
  messagesContract(name, open);
  jobsContract(name, open);
  statesContract(name, open);
  eventsContract(name, open);
  effectsContract(name, open);
  accountsContract(name, open);
  clientsContract(name, open);
  searchContract(name, open);
}
