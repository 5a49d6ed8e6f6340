import { randomBytes } from 'node:crypto';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { isId } from '@mailroom/behavior/values/ids';
import type { Account as Known } from 'oidc-provider';
import type { Store } from '../../core/ports/store.ts';

/** The scopes a service may request (OpenID Connect Core 1.0, sections 5.4 and 11). */
export const SCOPES: readonly string[] = ['openid', 'email', 'profile', 'offline_access'];

/** The claims of each scope, in the ID token and at the userinfo endpoint. */
export const CLAIMS = {
  openid: ['sub', 'auth_time', 'amr'],
  email: ['email', 'email_verified'],
  profile: ['name'],
};

const SUBJECT_BYTES = 20;

/** The random subject by which a namespace's services know an account; it is never given to another account. */
export const subjectOf = (store: Store, namespace_id: string, account_id: string): Promise<string> =>
  store.accounts.subject(namespace_id, account_id, randomBytes(SUBJECT_BYTES).toString('base64url'));

/** The account of a subject; undefined when it does not exist (any more). A hosted address is its own account. */
export async function accountOf(
  { store, mailDomain }: { readonly store: Store; readonly mailDomain: string },
  namespace_id: string,
  subject: string,
): Promise<Known | undefined> {
  const account_id = await store.accounts.ofSubject(namespace_id, subject);
  if (account_id === undefined) return undefined;
  const who = isId('mbx', account_id)
    ? await hosted(store, account_id, mailDomain)
    : await store.accounts.byId(account_id).then((account) => account && { email: account.address });
  if (who === undefined) return undefined;
  return {
    accountId: subject,
    claims: async () => ({ sub: subject, ...who, email_verified: true }),
  };
}

async function hosted(
  store: Store,
  id: string,
  mailDomain: string,
): Promise<{ readonly email: string; readonly name?: string } | undefined> {
  const mailbox = await store.mailboxes.byId(id);
  if (mailbox === undefined || mailbox.deleted_at !== null) return undefined;
  const email = fullAddress(addressOf(mailbox), mailDomain);
  return mailbox.display_name === null ? { email } : { email, name: mailbox.display_name };
}
