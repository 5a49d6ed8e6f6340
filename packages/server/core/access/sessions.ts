import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { hasScope, isBound, isLive, type Key } from '../entities/key.ts';
import type { Namespace } from '../entities/namespace.ts';
import type { Store } from '../ports/store.ts';
import { KeptSessions } from './kept-sessions.ts';

/** A session of a member, or one that was opened with an owner key. */
export interface Session {
  /** SHA-256 of the id in the browser's cookie: identifies the session but cannot open it. */
  readonly hash: string;
  /** The key in its current state. */
  readonly key: Key;
  readonly namespace: Namespace;
}

/** A session as it is listed. */
export interface SessionEntry {
  readonly hash: string;
  readonly key_id: string;
  readonly created_at: Millis;
  /** Rounded to the hour. */
  readonly seen_at: Millis;
  /** The browser, such as “Firefox on Linux”. */
  readonly agent: string;
}

/** Whether the key is an owner's of the whole namespace, and opens its console by itself. */
export const opensConsole = (key: Key, now: Millis): boolean =>
  isLive(key, now) && hasScope(key, 'owner') && !isBound(key);

/**
 * Console sessions opened with an owner key. A session is valid only while its key is, so revoking the key ends it;
 * neither the key nor the session's id is stored, only the hash of the id.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #kept: KeptSessions<{ readonly key_id: string }>;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#kept = new KeptSessions('session', { states: store.states, clock });
  }

  /** Creates a session that ends with its key and returns its id of 256 random bits. */
  begin(key: Key, agent: string): Promise<string> {
    return this.#kept.begin(key.namespace_id, { key_id: key.id }, agent, key.expires_at);
  }

  /** The session of this id while it is valid; one that no longer is gets removed. */
  find(id: string): Promise<Session | undefined> {
    return this.#kept.find(id, async ({ hash, subject, kept }) => {
      const key = await this.#store.keys.byId(kept.key_id);
      const namespace = key && (await this.#store.namespaces.byId(key.namespace_id));
      const now = this.#clock();
      if (key?.namespace_id !== subject || !isLive(key, now) || namespace?.deleted_at !== null) return undefined;
      const isOpen = opensConsole(key, now) || (await this.#store.accounts.memberBy(key.id, now)) !== undefined;
      return isOpen ? { hash, key, namespace } : undefined;
    });
  }

  /** Returns false when it had already ended. */
  end(hash: string): Promise<boolean> {
    return this.#kept.end(hash);
  }

  /** Ends every session of a namespace; returns how many there were. */
  endAll(namespaceId: string): Promise<number> {
    return this.#kept.endAll(namespaceId);
  }

  /** The sessions of a namespace that have not expired, newest first. */
  async list(namespaceId: string): Promise<readonly SessionEntry[]> {
    const found = await this.#kept.list(namespaceId);
    return found.map(({ hash, kept, seen_at }) => ({ hash, ...kept, seen_at }));
  }
}
