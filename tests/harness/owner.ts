import assert from 'node:assert/strict';
import { newId } from '@mailroom/behavior/values/ids';
import type { Home } from './client.ts';
import type { Inside } from './inside.ts';

/** Makes an address outside the owner of a namespace, as signing in with it and claiming does. */
export async function ownedBy({ store }: Inside, home: Home, address: string): Promise<void> {
  const now = Date.now();
  const { id: account_id } = await store.accounts.getOrPut({ id: newId('acc', now), address, created_at: now });
  const member = { namespace_id: home.id, account_id, key_id: home.keyId, created_at: now, name: 'owner' };
  assert.equal(await store.accounts.join({ ...member, role: 'owner', mailbox_ids: null }), 'joined');
}
