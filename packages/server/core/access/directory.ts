import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { covers, isLive, type Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { DomainHolder } from '../ports/domains.ts';
import type { Store } from '../ports/store.ts';

/** How old a look-up may be after a change on another node; changes on this node call `forget`. */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 20_000;
/** Upper bound of cached settings and lists of senders, in characters of JSON; in memory they take up to about ten times as much. */
const MAX_SETTINGS = 8 * 1024 * 1024;

/** A cached look-up returns without a promise, which saves a trip through the event loop. */
type Lookup<T> = T | undefined | Promise<T | undefined>;

interface Entry<T> {
  readonly value: T;
  readonly at: Millis;
}

/**
 * Caches mailboxes, keys and domains of owners, which every message needs, for a second. Writes check again in the store, so a revoked key
 * or a deleted mailbox is always refused.
 */
export class Directory {
  readonly #store: Store;
  readonly #clock: Clock;
  #mailboxes = new Map<string, Entry<Mailbox>>();
  #keys = new Map<string, Entry<Key>>();
  /** Of domains of others too, from which most mail comes. */
  #domains = new Map<string, Entry<{ readonly holder: DomainHolder | undefined }>>();
  /** Names of namespaces by id, which never change. */
  readonly #names = new Map<string, string>();
  /** Upper bound of the settings and lists of senders in `#mailboxes`, in characters. */
  #settings = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The living mailbox of this address, or else the one deleted last. */
  mailbox(local: string, namespace: string): Lookup<Mailbox> {
    return this.#look(this.#mailboxes, `${local}@${namespace}`, () =>
      this.#store.mailboxes.byAddress(local, namespace),
    );
  }

  mailboxById(id: string): Lookup<Mailbox> {
    return this.#look(this.#mailboxes, id, () => this.#store.mailboxes.byId(id));
  }

  /** The namespace in which a domain of an owner is verified; in A-labels and lower case. */
  async domain(domain: string): Promise<DomainHolder | undefined> {
    const read = async () => ({ holder: await this.#store.domains.holder(domain) });
    return (await this.#look(this.#domains, domain, read))?.holder;
  }

  /** The name of a namespace, also of a deleted one. */
  async namespaceName(id: string): Promise<string | undefined> {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const name = (await this.#store.namespaces.byId(id))?.name;
    if (this.#names.size >= MAX_ENTRIES) this.#names.clear();
    if (name !== undefined) this.#names.set(id, name);
    return name;
  }

  /** The key by its id, up to a second old; the write of the message checks it again. */
  keyById(id: string): Lookup<Key> {
    return this.#look(this.#keys, id, () => this.#store.keys.byId(id));
  }

  /**
   * With `sure`, the store is asked whenever another node may have revoked the key meanwhile; needed where no write
   * checks it again.
   */
  key(sha256: string, sure = true): Lookup<Key> {
    const read = (): Promise<Key | undefined> => this.#store.keys.bySha256(sha256);
    if (sure && this.#store.shared !== undefined) return this.#read(this.#keys, sha256, read);
    return this.#look(this.#keys, sha256, read);
  }

  /**
   * Whether a key that was shown a while ago still works, and may do as much, for streams that continue under it. True while the store is
   * unavailable, when there is nothing new to send. `sure` is as of `key`.
   */
  async works(shown: Key, sure = true): Promise<boolean> {
    try {
      const key = await this.key(shown.sha256, sure);
      return key !== undefined && isLive(key, this.#clock()) && covers(key, shown);
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return true;
      throw error;
    }
  }

  /** Call after any change or deletion on this node; other nodes are notified. */
  changed(): void {
    this.forget();
    this.#store.shared?.publish({ kind: 'changed' });
  }

  /** Drops the whole cache, because changes are rare. */
  forget(): void {
    // Replaced rather than cleared, so that a look-up in progress writes into the old map.
    this.#mailboxes = new Map();
    this.#keys = new Map();
    this.#domains = new Map();
    this.#settings = 0;
  }

  #look<T>(entries: Map<string, Entry<T>>, id: string, read: () => Promise<T | undefined>): Lookup<T> {
    const entry = entries.get(id);
    if (entry !== undefined) {
      const age = this.#clock() - entry.at;
      // A negative age means that the clock was set back, so the entry cannot be trusted.
      if (age >= 0 && age < FRESH_MS) return entry.value;
    }
    return this.#read(entries, id, read);
  }

  async #read<T>(
    entries: Map<string, Entry<T>>,
    id: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const readAt = this.#clock();
    const value = await read();
    if (value === undefined) {
      entries.delete(id);
      return undefined;
    }
    if (isMailbox(value)) this.#settings += JSON.stringify([value.settings, value.senders, value.rules]).length;
    if (entries.size >= MAX_ENTRIES || this.#settings > MAX_SETTINGS) this.forget();
    else entries.set(id, { value, at: readAt });
    return value;
  }
}

const isMailbox = (value: unknown): value is Mailbox => (value as Partial<Mailbox>).settings !== undefined;
