import type { Sender } from '../entities/message.ts';
import type { Store } from '../ports/store.ts';
import type { Millis } from '../values/clock.ts';

/**
 * The sender of a mail of which the address is proven. An owner of the namespace acts with the key of the ownership, so
 * that everything ends with it; to any other sender the namespace owes nothing.
 */
export async function emailSender(
  address: string,
  namespaceId: string,
  store: Pick<Store, 'accounts'>,
  now: Millis,
): Promise<Sender> {
  const sender: Sender = { kind: 'email', id: address, namespace_id: null, key_id: null, from: null };
  for (const { account_id, key_id } of await store.accounts.ownersOf(namespaceId, now)) {
    const account = await store.accounts.byId(account_id);
    if (account?.address.toLowerCase() === address) return { ...sender, namespace_id: namespaceId, key_id };
  }
  return sender;
}
