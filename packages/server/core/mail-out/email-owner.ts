import type { Sender } from '@mailroom/behavior/message';
import { lowerCase } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Store } from '../ports/store.ts';

export type EmailAuthor = Sender & { readonly id: string };

/** Who wrote a mail: one sender, in whatever letters a program writes the address. */
export const emailAuthor = (address: string): EmailAuthor => ({
  kind: 'email',
  id: lowerCase(address).normalize('NFC'),
  namespace_id: null,
  key_id: null,
  from: null,
});

/**
 * The sender of a mail of which the address is proven. An owner of the namespace acts with the key of the ownership, so
 * that everything ends with it; to any other sender the namespace owes nothing.
 */
export async function emailSender(
  author: EmailAuthor,
  namespaceId: string,
  store: Pick<Store, 'accounts'>,
  now: Millis,
): Promise<Sender> {
  for (const { account_id, key_id } of await store.accounts.ownersOf(namespaceId, now)) {
    const account = await store.accounts.byId(account_id);
    if (account?.address.toLowerCase() === author.id) return { ...author, namespace_id: namespaceId, key_id };
  }
  return author;
}
