import type { Millis } from '@mailroom/behavior/values/clock';
import type { Key } from './key.ts';
import type { Member, Membership } from './member.ts';

/**
 * A person or an agent who signs in with an external address. For a hosted address the mailbox itself is the account (its
 * id, `mbx_…`, is never reused).
 */
export interface Account {
  /** `acc_…` */
  readonly id: string;
  /** An external address in lower case, never a hosted one. */
  readonly address: string;
  readonly created_at: Millis;
}

/** What is stored of a passkey (WebAuthn Level 3, section 4, credential record). */
export interface Passkey {
  /** The credential's id, as base64url. */
  readonly id: string;
  /** `acc_…` or `mbx_…` */
  readonly account_id: string;
  /** The name its owner gave it. */
  readonly name: string;
  /** COSE key, as base64url. */
  readonly public_key: string;
  readonly counter: number;
  /** JSON text: a list of transports. */
  readonly transports: string;
  readonly backed_up: boolean;
  readonly created_at: Millis;
  readonly used_at: Millis | null;
}

/** Maximum number of passkeys of one account. */
export const MAX_PASSKEYS = 20;

/** Accounts, passkeys and members. Those of a deleted mailbox or namespace are no longer found from that moment. */
export interface Accounts {
  /** The account of this address; `fresh` is stored when there is none: of concurrent calls one does. */
  getOrPut(fresh: Account): Promise<Account>;
  byId(id: string): Promise<Account | undefined>;
  /**
   * Removes it with its passkeys, subjects, memberships (whose keys are revoked), and its states and those of its
   * subjects. False when it did not exist.
   */
  remove(id: string): Promise<boolean>;
  /**
   * The subject under which a namespace's services know the account; `fresh` is stored when there is none. A subject is
   * never reused. Throws AppError `not_found` when the account or the namespace is gone.
   */
  subject(namespace_id: string, account_id: string, fresh: string): Promise<string>;
  /** The account that a namespace's services know under this subject. */
  ofSubject(namespace_id: string, subject: string): Promise<string | undefined>;
  /** All subjects of an account, up to 1,000. */
  subjects(account_id: string): Promise<readonly { readonly namespace_id: string; readonly subject: string }[]>;
  /** `taken`: an account already has it. `full`: the account has `MAX_PASSKEYS`. `gone`: the account is gone. */
  addPasskey(passkey: Passkey): Promise<'added' | 'taken' | 'full' | 'gone'>;
  passkey(id: string): Promise<Passkey | undefined>;
  /** In the order of creation. */
  passkeys(account_id: string): Promise<readonly Passkey[]>;
  /** Records a use. False when it is gone, or when a used `counter` does not grow, which indicates a copy of the passkey. */
  usedPasskey(id: string, counter: number, backed_up: boolean, at: Millis): Promise<boolean>;
  renamePasskey(id: string, account_id: string, name: string): Promise<boolean>;
  removePasskey(id: string, account_id: string): Promise<boolean>;
  /**
   * Stores the member, after its key was created. An earlier membership of the account in the namespace is replaced and
   * its key revoked. `full`: `MAX_MEMBERSHIPS`. `gone`: the namespace, the account or the key is gone.
   */
  join(member: Member): Promise<'joined' | 'full' | 'gone'>;
  /** Those whose key works, in the order of creation. */
  membersOf(namespace_id: string, now: Millis): Promise<readonly Member[]>;
  /** The members with the role of an owner. */
  ownersOf(namespace_id: string, now: Millis): Promise<readonly Member[]>;
  /** The memberships of an account in living namespaces whose key works. */
  membershipsOf(account_id: string, now: Millis): Promise<readonly Member[]>;
  /** The member that acts by this key, while the key works. */
  memberBy(key_id: string, now: Millis): Promise<Member | undefined>;
  /** The member with this id. */
  member(namespace_id: string, account_id: string, now: Millis): Promise<Member | undefined>;
  /** The keys that work of a member: the one they act by, and those made in their session or by such a key. */
  keysOf(namespace_id: string, account_id: string, now: Millis): Promise<readonly Key[]>;
  /**
   * Changes a member, and with them their keys, of which `keys` are all; one without scopes is revoked. `last`: it is the
   * last owner. `raced`: they have other keys by now. `gone`: there is no such member. All but `changed` change nothing.
   */
  changeMember(
    member: Pick<Member, 'namespace_id' | 'account_id'>,
    to: Membership,
    keys: readonly Pick<Key, 'id' | 'scopes' | 'mailbox_id' | 'mailbox' | 'also'>[],
    now: Millis,
  ): Promise<'changed' | 'last' | 'raced' | 'gone'>;
  /**
   * Ends a membership. What they made stops, or with `heir` passes to who acts by that key; `last` and `gone` as above.
   */
  removeMember(
    member: Pick<Member, 'namespace_id' | 'account_id'>,
    heir: Pick<Key, 'id' | 'account_id'> | undefined,
    now: Millis,
  ): Promise<'removed' | 'last' | 'gone'>;
}
