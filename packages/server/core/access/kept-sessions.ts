import { randomBytes } from 'node:crypto';
import { type Clock, DAY, HOUR, type Millis } from '@mailroom/behavior/values/clock';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { State, States } from '../ports/states.ts';

/** A session without requests for this long ends. */
const IDLE_MS: Millis = 7 * DAY;
/** Every session ends after this time. */
export const MAX_SESSION_MS: Millis = 30 * DAY;
/** `seen_at` is written at most this often, so that viewing a page usually costs no write. */
const WRITTEN_MS: Millis = HOUR;
const MAX_AGENT = 60;
/** Sessions per subject; one more ends the one unused for longest. */
const MAX_SESSIONS = 100;

/** What is stored of every session, in addition to `T`. */
type KeptSession<T> = T & {
  readonly created_at: Millis;
  /** A fixed end, where it is earlier than 30 days. */
  readonly ends_at?: Millis;
  /** The browser, such as “Firefox on Linux”. */
  readonly agent: string;
};

export interface FoundSession<T> {
  /** SHA-256 of the id in the browser's cookie: identifies the session but cannot open it. */
  readonly hash: string;
  /** The namespace or account that it belongs to. */
  readonly subject: string;
  readonly kept: KeptSession<T>;
  /** Rounded to the hour. */
  readonly seen_at: Millis;
}

/**
 * Browser sessions of one kind. Each belongs to a subject (a namespace or an account) and ends after 7 days without use,
 * or after 30 days at the latest; only the hash of its id is stored.
 */
export class KeptSessions<T extends object> {
  readonly #kind: string;
  readonly #states: States;
  readonly #clock: Clock;

  constructor(kind: string, parts: { readonly states: States; readonly clock: Clock }) {
    this.#kind = kind;
    this.#states = parts.states;
    this.#clock = parts.clock;
  }

  /** Creates a session that ends at `ends_at` at the latest and returns its id of 256 random bits. */
  async begin(subject: string, about: T, agent: string, ends_at: Millis | null = null): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const now = this.#clock();
    const end = ends_at === null ? {} : { ends_at };
    const kept: KeptSession<T> = { ...about, created_at: now, ...end, agent: agent.slice(0, MAX_AGENT) };
    const state = { kind: this.#kind, id: sha256(id), subject, value: JSON.stringify(kept) };
    await this.#states.put({ ...state, expires_at: Math.min(now + IDLE_MS, endOf(kept)) }, now);
    await this.#states.trim(this.#kind, subject, MAX_SESSIONS);
    return id;
  }

  /**
   * The result of `good` for the session of this id. A session that has ended, or for which `good` returns undefined, is
   * removed. A look-up counts as use.
   */
  async find<R>(id: string, good: (found: FoundSession<T>) => Promise<R | undefined>): Promise<R | undefined> {
    const now = this.#clock();
    const hash = sha256(id);
    const state = await this.#states.get(this.#kind, hash, now);
    if (state === undefined) return undefined;
    const found = foundFrom<T>(state);
    const end = endOf(found.kept);
    const result = now < end ? await good(found) : undefined;
    if (result === undefined) {
      await this.end(hash);
      return undefined;
    }
    const until = Math.min(now + IDLE_MS, end);
    if (until - state.expires_at >= WRITTEN_MS) await this.#states.prolong(this.#kind, hash, until, now);
    return result;
  }

  /** Returns false when it had already ended. */
  end(hash: string): Promise<boolean> {
    return this.#states.remove(this.#kind, hash);
  }

  /** Ends every session of a subject; returns how many there were. */
  endAll(subject: string): Promise<number> {
    return this.#states.removeOf(this.#kind, subject);
  }

  /** The sessions of a subject that have not expired, newest first. */
  async list(subject: string): Promise<readonly FoundSession<T>[]> {
    const states = await this.#states.of(this.#kind, subject, this.#clock());
    return states.map((state) => foundFrom<T>(state)).sort((a, b) => b.kept.created_at - a.kept.created_at);
  }
}

const endOf = ({ created_at, ends_at = Number.POSITIVE_INFINITY }: KeptSession<object>): Millis =>
  Math.min(created_at + MAX_SESSION_MS, ends_at);

function foundFrom<T>({ id, subject, value, expires_at }: State): FoundSession<T> {
  const kept = JSON.parse(value) as KeptSession<T>;
  return { hash: id, subject: subject ?? '', kept, seen_at: Math.max(kept.created_at, expires_at - IDLE_MS) };
}
