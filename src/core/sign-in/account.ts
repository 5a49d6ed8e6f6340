import type { Millis } from '../values/clock.ts';

/**
 * Who signs in: a person or an agent behind an address. Of an address that is hosted here the mailbox itself is the account
 * (its id, `mbx_…`, is never given to another); of an address outside there is one of these.
 */
export interface Account {
  /** `acc_…` */
  readonly id: string;
  /** In lower case; an address outside, never one that is hosted here. */
  readonly address: string;
  readonly created_at: Millis;
}

/** What of a passkey is kept (WebAuthn Level 3, section 4, credential record). */
export interface Passkey {
  /** The credential's id, as base64url. */
  readonly id: string;
  /** `acc_…` or `mbx_…` */
  readonly account_id: string;
  /** As its owner calls it. */
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

/**
 * An account that owns a namespace. It acts by an owner key of its own, whose secret nobody knows: revoking that key ends
 * the ownership, at once and on every node.
 */
export interface Ownership {
  readonly namespace_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly created_at: Millis;
}

/** Passkeys of one account. */
export const MAX_PASSKEYS = 20;
/** Accounts that own one namespace, and namespaces of one account. */
export const MAX_OWNERSHIPS = 50;

/** Who signs in, and by what. Of a deleted mailbox or namespace nothing is found from that moment. */
export interface Accounts {
  /** The one of this address; `fresh` becomes it when there is none: of many at once, one does. */
  getOrPut(fresh: Account): Promise<Account>;
  byId(id: string): Promise<Account | undefined>;
  /**
   * With its passkeys, subjects, ownerships (whose keys are revoked), and the states of it or of one of its subjects. False
   * when it was not there.
   */
  remove(id: string): Promise<boolean>;
  /**
   * What a namespace's services know the account by; `fresh` becomes it when there is none. It is never given to another.
   * Throws AppError `not_found` when the account or the namespace is no more.
   */
  subject(namespace_id: string, account_id: string, fresh: string): Promise<string>;
  /** The account that a namespace's services know by this. */
  ofSubject(namespace_id: string, subject: string): Promise<string | undefined>;
  /** All that an account is known by, up to 1,000. */
  subjects(account_id: string): Promise<readonly { readonly namespace_id: string; readonly subject: string }[]>;
  /** `taken`: it is somebody's already. `full`: the account has `MAX_PASSKEYS`. `gone`: the account is no more. */
  addPasskey(passkey: Passkey): Promise<'added' | 'taken' | 'full' | 'gone'>;
  passkey(id: string): Promise<Passkey | undefined>;
  /** In the order they were made. */
  passkeys(account_id: string): Promise<readonly Passkey[]>;
  /** Remembers that it signed. False when it is gone, or `counter` does not grow though it counts (a copy of it). */
  usedPasskey(id: string, counter: number, backed_up: boolean, at: Millis): Promise<boolean>;
  renamePasskey(id: string, account_id: string, name: string): Promise<boolean>;
  removePasskey(id: string, account_id: string): Promise<boolean>;
  /**
   * Its key is made first. Whoever owned it before with this account owns it by the new key, and the one before is revoked.
   * `full`: `MAX_OWNERSHIPS`. `gone`: the namespace, the account or the key is no more.
   */
  own(ownership: Ownership): Promise<'owned' | 'full' | 'gone'>;
  /** Those whose key works, in the order they were made. */
  ownersOf(namespace_id: string, now: Millis): Promise<readonly Ownership[]>;
  /** Those of living namespaces whose key works. */
  ownedBy(account_id: string, now: Millis): Promise<readonly Ownership[]>;
}
