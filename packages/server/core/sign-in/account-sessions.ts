import { fullAddress, shortAddress } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { KeptSessions } from '../access/kept-sessions.ts';
import type { Store } from '../ports/store.ts';

/** An account in its current state. */
export interface Person {
  /** `acc_…`, or `mbx_…` of a hosted mailbox. */
  readonly account_id: string;
  /** The full address, in lower case. */
  readonly address: string;
  /** The display name, for a hosted mailbox that has one. */
  readonly name: string | null;
}

/** A session of a person who signed in with an address. */
export interface AccountSession extends Person {
  /** SHA-256 of the id in the browser's cookie: identifies the session but cannot open it. */
  readonly hash: string;
  /** When the person authenticated. */
  readonly at: Millis;
  /** How the person authenticated (RFC 8176). */
  readonly amr: readonly string[];
}

/** A session as it is listed. */
export interface AccountSessionEntry {
  readonly hash: string;
  readonly created_at: Millis;
  /** Rounded to the hour. */
  readonly seen_at: Millis;
  /** The browser, such as “Firefox on Linux”. */
  readonly agent: string;
  readonly amr: readonly string[];
}

/**
 * Sessions of people who signed in with an address, by a code or a passkey. A session ends with its account, or with the
 * mailbox that is the account.
 */
export class AccountSessions {
  readonly #store: Store;
  readonly #mailDomain: string;
  readonly #kept: KeptSessions<{ readonly amr: readonly string[] }>;

  constructor({
    store,
    clock,
    mailDomain,
  }: { readonly store: Store; readonly clock: Clock; readonly mailDomain: string }) {
    this.#store = store;
    this.#mailDomain = mailDomain;
    this.#kept = new KeptSessions('account_session', { states: store.states, clock });
  }

  /** Creates a session and returns its id of 256 random bits. */
  begin(account_id: string, amr: readonly string[], agent: string): Promise<string> {
    return this.#kept.begin(account_id, { amr }, agent);
  }

  /** The session of this id while it is valid; one that no longer is gets removed. */
  find(id: string): Promise<AccountSession | undefined> {
    return this.#kept.find(id, async ({ hash, subject, kept }) => {
      const person = await this.person(subject);
      return person && { ...person, hash, at: kept.created_at, amr: kept.amr };
    });
  }

  /** The person of this account; undefined when it was deleted. */
  async person(account_id: string): Promise<Person | undefined> {
    if (account_id.startsWith('acc_')) {
      const account = await this.#store.accounts.byId(account_id);
      return account && { account_id, address: account.address, name: null };
    }
    const mailbox = await this.#store.mailboxes.byId(account_id);
    if (mailbox === undefined || mailbox.deleted_at !== null) return undefined;
    const address = fullAddress(shortAddress(mailbox.local_part, mailbox.namespace), this.#mailDomain);
    return { account_id, address, name: mailbox.display_name };
  }

  /** Ends a session of this account; false when the account has no such session. */
  async end(account_id: string, hash: string): Promise<boolean> {
    const own = (await this.#kept.list(account_id)).some((one) => one.hash === hash);
    return own && (await this.#kept.end(hash));
  }

  /** Ends every session of an account; returns how many there were. */
  endAll(account_id: string): Promise<number> {
    return this.#kept.endAll(account_id);
  }

  /** The sessions of an account that have not expired, newest first. */
  async list(account_id: string): Promise<readonly AccountSessionEntry[]> {
    const found = await this.#kept.list(account_id);
    return found.map(({ hash, kept, seen_at }) => ({ hash, ...kept, seen_at }));
  }
}
