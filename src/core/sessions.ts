import { randomBytes } from 'node:crypto';
import type { Clock, Millis } from './clock.ts';
import { DAY, HOUR } from './clock.ts';
import type { Key } from './key.ts';
import { hasScope, isLive, sha256 } from './key.ts';
import type { Namespace } from './namespace.ts';
import type { State, Store } from './store.ts';

/** Who does nothing for so long is signed out, */
const IDLE_MS: Millis = 7 * DAY;
/** and everybody after this. */
export const SESSION_MOST_MS: Millis = 30 * DAY;
/** Going on is written this often at most: a look at a page is to cost no write. */
const WRITTEN_MS: Millis = HOUR;
const KIND = 'session';
const AGENT_MOST = 60;
/** Sessions of a namespace: with one more, who was not seen for longest is signed out. */
const SESSIONS_MOST = 100;

/** Someone who signed in with an owner key. */
export interface Session {
  /** SHA-256 of the id that the browser holds: tells sessions apart, opens none. */
  readonly hash: string;
  /** As it stands now. */
  readonly key: Key;
  readonly namespace: Namespace;
}

/** A session as it is listed. */
export interface SessionEntry {
  readonly hash: string;
  readonly key_id: string;
  readonly created_at: Millis;
  /** To the hour. */
  readonly seen_at: Millis;
  /** Such as “Firefox on Linux”. */
  readonly agent: string;
}

interface Kept {
  readonly key_id: string;
  readonly created_at: Millis;
  readonly agent: string;
}

/** Whether the key opens the console of its namespace. */
export const opensConsole = (key: Key, now: Millis): boolean =>
  isLive(key, now) && hasScope(key, 'owner') && key.mailbox_id === null;

/**
 * Sessions of people: what an owner key opens for a while. A session is as good as its key is at that moment, so revoking
 * the key ends it. Neither the key nor the session's id is kept, only the hash of the id.
 */
export class Sessions {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { readonly store: Store; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** A new session; its id, 256 bits that nobody can guess. */
  async begin(key: Key, agent: string): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const now = this.#clock();
    const kept: Kept = { key_id: key.id, created_at: now, agent: agent.slice(0, AGENT_MOST) };
    const state = { kind: KIND, id: sha256(id), subject: key.namespace_id, value: JSON.stringify(kept) };
    await this.#store.states.put({ ...state, expires_at: now + IDLE_MS }, now);
    await this.#store.states.trim(KIND, key.namespace_id, SESSIONS_MOST);
    return id;
  }

  /** The session of this id if it is still good; one that is not any more is removed. */
  async find(id: string): Promise<Session | undefined> {
    const now = this.#clock();
    const hash = sha256(id);
    const state = await this.#store.states.get(KIND, hash, now);
    if (state === undefined) return undefined;
    const { key_id, created_at } = JSON.parse(state.value) as Kept;
    const key = await this.#store.keys.byId(key_id);
    const namespace = key && (await this.#store.namespaces.byId(key.namespace_id));
    const good =
      key !== undefined &&
      key.namespace_id === state.subject &&
      opensConsole(key, now) &&
      namespace?.deleted_at === null &&
      now < created_at + SESSION_MOST_MS;
    if (!good) {
      await this.#store.states.remove(KIND, hash);
      return undefined;
    }
    const until = Math.min(now + IDLE_MS, created_at + SESSION_MOST_MS);
    if (until - state.expires_at >= WRITTEN_MS) await this.#store.states.prolong(KIND, hash, until, now);
    return { hash, key, namespace };
  }

  /** False when it had ended. */
  end(hash: string): Promise<boolean> {
    return this.#store.states.remove(KIND, hash);
  }

  /** Ends every session of a namespace; how many there were. */
  endAll(namespaceId: string): Promise<number> {
    return this.#store.states.removeOf(KIND, namespaceId);
  }

  /** Those of a namespace that have not ended by themselves, the newest first. */
  async list(namespaceId: string): Promise<readonly SessionEntry[]> {
    const states = await this.#store.states.of(KIND, namespaceId, this.#clock());
    return states.map(entryFrom).sort((a, b) => b.created_at - a.created_at);
  }
}

const entryFrom = ({ id, value, expires_at }: State): SessionEntry => {
  const { key_id, created_at, agent } = JSON.parse(value) as Kept;
  return { hash: id, key_id, created_at, seen_at: Math.max(created_at, expires_at - IDLE_MS), agent };
};
