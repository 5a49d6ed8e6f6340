import type { Key } from '../entities/key.ts';
import { isLive } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { AppError } from '../values/error.ts';

/** How stale a look-up may be on another node; on this one `forget` makes it exact. */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 20_000;
/** Characters of settings that are remembered, as JSON: in memory they take up to some ten times as much. */
const MAX_SETTINGS = 8 * 1024 * 1024;

/** At once when it is remembered: most look-ups then take no turn of the queue. */
type Lookup<T> = T | undefined | Promise<T | undefined>;

interface Entry<T> {
  readonly value: T;
  readonly at: Millis;
}

/**
 * Mailboxes and keys, remembered for a second: what each message needs to know. It only speeds look-ups up: writes
 * re-check in the store, so that a revoked key or deleted mailbox is refused exactly.
 */
export class Directory {
  readonly #store: Store;
  readonly #clock: Clock;
  #mailboxes = new Map<string, Entry<Mailbox>>();
  #keys = new Map<string, Entry<Key>>();
  /** Characters of the settings in `#mailboxes`, or more. */
  #settings = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The living mailbox of this address, else the one deleted last. */
  mailbox(local: string, namespace: string): Lookup<Mailbox> {
    return this.#look(this.#mailboxes, `${local}@${namespace}`, () =>
      this.#store.mailboxes.byAddress(local, namespace),
    );
  }

  mailboxById(id: string): Lookup<Mailbox> {
    return this.#look(this.#mailboxes, id, () => this.#store.mailboxes.byId(id));
  }

  /** Of a message that is checked as it is written: it may be a second old. */
  keyById(id: string): Lookup<Key> {
    return this.#look(this.#keys, id, () => this.#store.keys.byId(id));
  }

  /**
   * With `sure` it is looked up whenever another node may have revoked it meanwhile: for all that does not check it again
   * as it writes.
   */
  key(sha256: string, sure = true): Lookup<Key> {
    const read = (): Promise<Key | undefined> => this.#store.keys.bySha256(sha256);
    if (sure && this.#store.shared !== undefined) return this.#read(this.#keys, sha256, read);
    return this.#look(this.#keys, sha256, read);
  }

  /**
   * Whether a key that was shown a while ago still works, for who goes on telling something by it. True while the store is
   * away, when there is nothing new to tell.
   */
  async works({ sha256 }: Key): Promise<boolean> {
    try {
      const key = await this.key(sha256);
      return key !== undefined && isLive(key, this.#clock());
    } catch (error) {
      if (error instanceof AppError && error.code === 'unavailable') return true;
      throw error;
    }
  }

  /** After any change or deletion made here, which other nodes are told of. */
  changed(): void {
    this.forget();
    this.#store.shared?.publish({ kind: 'changed' });
  }

  /** Something may have changed: such is rare, so all goes. */
  forget(): void {
    // New maps, not cleared ones: a look-up under way then writes into the old map, which nobody reads any more.
    this.#mailboxes = new Map();
    this.#keys = new Map();
    this.#settings = 0;
  }

  #look<T>(entries: Map<string, Entry<T>>, id: string, read: () => Promise<T | undefined>): Lookup<T> {
    const known = entries.get(id);
    if (known !== undefined) {
      const age = this.#clock() - known.at;
      // Below 0 the clock was set back, and nobody knows.
      if (age >= 0 && age < FRESH_MS) return known.value;
    }
    return this.#read(entries, id, read);
  }

  async #read<T>(
    entries: Map<string, Entry<T>>,
    id: string,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const at = this.#clock();
    const value = await read();
    if (value === undefined) {
      entries.delete(id);
      return undefined;
    }
    if (isMailbox(value)) this.#settings += JSON.stringify(value.settings).length;
    if (entries.size >= MAX_ENTRIES || this.#settings > MAX_SETTINGS) this.forget();
    else entries.set(id, { value, at });
    return value;
  }
}

const isMailbox = (value: unknown): value is Mailbox => (value as Partial<Mailbox>).settings !== undefined;
