import assert from 'node:assert/strict';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import type { Mailbox } from '../../../../tests/harness/wire.ts';

export const MOODY = { name: 'moody' };

export const local = ({ address }: Mailbox): string => address.split('@')[0] as string;

/** A service of its own, and visitors of its console. */
export async function openVisits() {
  const threads = await openConsole();
  const { client, visitor } = threads;
  const { newNamespace, newMailbox, newPaused, newKey, api, send, tryOut, read } = client;
  async function signedIn(home: Home): Promise<Visitor> {
    const who = visitor();
    assert.equal((await who.signIn(home.key)).status, 303);
    return who;
  }
  return { threads, visitor, newNamespace, newMailbox, newPaused, newKey, api, send, tryOut, read, signedIn };
}
