import type { Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import { boundTo, hasScope, type Key, newSecret } from '../entities/key.ts';
import { type Member, ROLES } from '../entities/member.ts';
import { SIGN_IN_OF } from '../values/sign-in-name.ts';

const MAX_NAME = 100;

/** A mailbox that keys are bound to, with its address without the mail domain. */
export interface Bound {
  readonly id: string;
  readonly address: string;
}

type Binding = Pick<Key, 'mailbox_id' | 'mailbox' | 'also'>;

/** How a key is bound to these mailboxes, one at least; with null it is not bound. */
export function bindingOf(mailboxes: readonly Bound[] | null): Binding {
  if (mailboxes?.length === 0) throw new TypeError('A key that is bound to no mailbox would reach the whole namespace');
  const [first, ...others] = mailboxes ?? [];
  return { mailbox_id: first?.id ?? null, mailbox: first?.address ?? null, also: others.map(({ id }) => id) };
}

/** The key by which a member acts; nothing keeps its secret. */
export function memberKey(
  namespace: { readonly id: string; readonly name: string },
  { account_id, role }: Pick<Member, 'account_id' | 'role'>,
  {
    address,
    mailboxes,
    now,
  }: { readonly address: string; readonly mailboxes: readonly Bound[] | null; readonly now: Millis },
): Key {
  const { prefix, sha256 } = newSecret();
  return {
    id: newId('key', now),
    namespace_id: namespace.id,
    namespace: namespace.name,
    name: `${SIGN_IN_OF} ${address}`.slice(0, MAX_NAME),
    prefix,
    sha256,
    scopes: ROLES[role],
    ...bindingOf(mailboxes),
    created_at: now,
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    account_id,
  };
}

/** A key that a member made, with no more than their role and mailboxes; without scopes where nothing is left. */
export function narrowed(key: Key, role: Member['role'], mailboxes: readonly Bound[] | null): Key {
  const scopes = key.scopes.includes('owner')
    ? ROLES[role]
    : key.scopes.filter((scope) => hasScope({ scopes: ROLES[role] }, scope));
  if (mailboxes === null) return { ...key, scopes };
  const reached = boundTo(key);
  const left = reached === null ? mailboxes : mailboxes.filter(({ id }) => reached.includes(id));
  return left.length === 0 ? { ...key, scopes: [] } : { ...key, scopes, ...bindingOf(left) };
}

/** What other members call an account at first. */
export const nameIn = (address: string): string => (address.split('@', 1)[0] ?? address).slice(0, 60);
