import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import { requireLasting } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import { opensConsole } from '../access/sessions.ts';
import { isLive, type Key } from '../entities/key.ts';
import { MAX_MEMBERSHIPS, type Member } from '../entities/member.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { Store } from '../ports/store.ts';
import { SIGN_IN_OF } from '../values/sign-in-name.ts';
import { memberKey, nameIn } from './member-keys.ts';

/** The person of an account; undefined when the account, or the mailbox that is the account, was deleted. */
export type PersonOf = (account_id: string) => Promise<{ readonly address: string } | undefined>;

/** An account that owns a namespace. */
export interface Owner {
  readonly account_id: string;
  /** The full address. */
  readonly address: string;
  /** The key it acts with. */
  readonly key_id: string;
  readonly created_at: Millis;
}

/** A namespace that an account can open. */
export interface Owned {
  readonly namespace: Namespace;
  readonly key: Key;
}

/** Keys read at a time. */
const KEYS_PAGE = 200;

/** Accounts that own namespaces: signing in with one of them opens the console without the owner key. */
export class Claims {
  readonly #store: Store;
  readonly #directory: Directory;
  readonly #storage: Pick<StorageMeter, 'claim'>;
  readonly #clock: Clock;
  readonly #personOf: PersonOf;

  constructor(
    parts: {
      readonly store: Store;
      readonly directory: Directory;
      readonly storage: Pick<StorageMeter, 'claim'>;
      readonly clock: Clock;
    },
    personOf: PersonOf,
  ) {
    this.#store = parts.store;
    this.#directory = parts.directory;
    this.#storage = parts.storage;
    this.#clock = parts.clock;
    this.#personOf = personOf;
  }

  /** The owners of the namespace, in the order in which they were added. */
  async ownersOf(namespace_id: string): Promise<readonly Owner[]> {
    const members = await this.#store.accounts.ownersOf(namespace_id, this.#clock());
    const owners = await Promise.all(
      members.map(async ({ account_id, key_id, created_at }) => {
        const person = await this.#personOf(account_id);
        return person === undefined ? [] : [{ account_id, address: person.address, key_id, created_at }];
      }),
    );
    return owners.flat();
  }

  /**
   * Makes the account an owner of the namespace, with an owner key of its own whose secret is discarded. The caller must
   * hold an owner key that does not expire. Repeating it changes nothing; revoking the account's key ends the ownership.
   * AppError `access_denied` for any other key, `validation_error` for a mailbox of the namespace itself, for an account
   * or namespace with too many, and for an account that is gone.
   */
  async claim(by: Key, namespace: Namespace, account_id: string): Promise<Owner> {
    const now = this.#clock();
    if (!opensConsole(by, now) || by.namespace_id !== namespace.id) {
      throw new AppError('access_denied', `This requires an owner key of "${namespace.name}".`);
    }
    requireLasting(by, 'an owner');
    const ownership = await this.#ownership(namespace.id, account_id);
    const address = (await this.#personOf(account_id))?.address;
    if (address === undefined) throw gone();
    if (ownership !== undefined) {
      await this.#mark(namespace, account_id, now);
      return { ...ownership, address };
    }
    await this.#check(namespace, account_id);
    const key = memberKey(namespace, { account_id, role: 'owner' }, { address, mailboxes: null, now });
    // A crash between the two writes leaves a key whose secret is unknown, which opens nothing and can be revoked.
    await this.#store.keys.create(key);
    const joined = await this.#store.accounts.join({
      namespace_id: namespace.id,
      account_id,
      key_id: key.id,
      created_at: now,
      role: 'owner',
      mailbox_ids: null,
      name: nameIn(address),
    });
    if (joined !== 'joined') await this.#store.keys.revoke(key.id, namespace.id, this.#clock());
    this.#directory.changed();
    if (joined === 'full') {
      throw invalid(
        '',
        `${namespace.name} has ${MAX_MEMBERSHIPS} owners, or your account as many names, which is the most. Remove one first.`,
      );
    }
    if (joined === 'gone') throw gone();
    await this.#mark(namespace, account_id, now);
    return { account_id, address, key_id: key.id, created_at: now };
  }

  /** All keys of a namespace that were not revoked, in the order of creation. */
  async #keysOf(namespace_id: string): Promise<readonly Key[]> {
    const { keys } = this.#store;
    const all: Key[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof keys.page>> = await keys.page({ namespace_id }, after, KEYS_PAGE);
      all.push(...page.items);
      after = page.next;
    } while (after !== null);
    return all;
  }

  /** The ids of the keys that can open the console, without keys of accounts that no longer own the namespace. */
  async waysIn(namespace_id: string): Promise<ReadonlySet<string>> {
    const now = this.#clock();
    const [keys, owners] = await Promise.all([this.#keysOf(namespace_id), this.ownersOf(namespace_id)]);
    const owned = new Set(owners.map(({ key_id }) => key_id));
    const usable = keys.filter(
      (key) => opensConsole(key, now) && (owned.has(key.id) || key.name?.startsWith(SIGN_IN_OF) !== true),
    );
    return new Set(usable.map(({ id }) => id));
  }

  /** The names of the other namespaces of the account that acts with this key; none for any other key. */
  async othersOf(key: Key): Promise<readonly string[]> {
    const member = await this.#store.accounts.memberBy(key.id, this.#clock());
    const opened = member === undefined ? [] : await this.openedBy(member.account_id);
    return opened.map(({ namespace }) => namespace.name).filter((name) => name !== key.namespace);
  }

  /** The namespaces whose console an account opens, as a member, by name; none for an account that is gone. */
  async openedBy(account_id: string): Promise<readonly Owned[]> {
    if ((await this.#personOf(account_id)) === undefined) return [];
    const now = this.#clock();
    const found = await Promise.all(
      (await this.#store.accounts.membershipsOf(account_id, now)).map(async ({ namespace_id, key_id }) => {
        const [namespace, key] = await Promise.all([
          this.#store.namespaces.byId(namespace_id),
          this.#store.keys.byId(key_id),
        ]);
        const opens = namespace?.deleted_at === null && key?.namespace_id === namespace.id && isLive(key, now);
        return opens ? [{ namespace, key }] : [];
      }),
    );
    return found.flat().sort((a, b) => (a.namespace.name < b.namespace.name ? -1 : 1));
  }

  /**
   * Marks a namespace as claimed by a person when its owner is external. A hosted address counts only when its own
   * namespace is claimed, or two namespaces of one program could claim each other.
   */
  async #mark(namespace: Namespace, account_id: string, now: Millis): Promise<void> {
    const { mailboxes, namespaces } = this.#store;
    const mailbox = account_id.startsWith('mbx_') ? await mailboxes.byId(account_id) : undefined;
    if (mailbox !== undefined && !(await namespaces.isClaimed(mailbox.namespace_id))) return;
    await this.#storage.claim(namespace.id, now);
  }

  async #ownership(namespace_id: string, account_id: string): Promise<Member | undefined> {
    const all = await this.#store.accounts.ownersOf(namespace_id, this.#clock());
    return all.find((one) => one.account_id === account_id);
  }

  async #check(namespace: Namespace, account_id: string): Promise<void> {
    const mailbox = account_id.startsWith('mbx_') ? await this.#store.mailboxes.byId(account_id) : undefined;
    if (mailbox?.namespace_id === namespace.id) {
      // Its sign-in codes arrive where the console and every key that reads messages would see them.
      throw invalid(
        '',
        `An address of ${namespace.name} cannot own it: its sign-in codes arrive in the console they would open. Sign in with an address elsewhere.`,
      );
    }
  }
}

const gone = (): AppError => invalid('', 'This account was deleted. Sign in with another address.');
