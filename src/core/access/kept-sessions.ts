import { randomBytes } from 'node:crypto';
import type { State, States } from '../ports/store.ts';
import type { Clock, Millis } from '../values/clock.ts';
import { DAY, HOUR } from '../values/clock.ts';
import { sha256 } from '../values/hash.ts';

/** Who does nothing for so long is signed out, */
const IDLE_MS: Millis = 7 * DAY;
/** and everybody after this. */
export const MAX_SESSION_MS: Millis = 30 * DAY;
/** Going on is written this often at most: a look at a page is to cost no write. */
const WRITTEN_MS: Millis = HOUR;
const MAX_AGENT = 60;
/** Sessions of a subject: with one more, who was not seen for longest is signed out. */
const MAX_SESSIONS = 100;

/** What is kept of any session, beside what `T` adds to it. */
export type KeptSession<T> = T & {
  readonly created_at: Millis;
  /** When it ends in any case, where that is before its 30 days. */
  readonly ends_at?: Millis;
  /** Such as “Firefox on Linux”. */
  readonly agent: string;
};

export interface FoundSession<T> {
  /** SHA-256 of the id that the browser holds: tells sessions apart, opens none. */
  readonly hash: string;
  /** Whose it is. */
  readonly subject: string;
  readonly kept: KeptSession<T>;
  /** To the hour. */
  readonly seen_at: Millis;
}

/**
 * Sessions of browsers, of one kind: each belongs to a subject (a namespace, an account) and ends after 7 days alone, or
 * after 30 in any case. The session's id is not kept, only its hash.
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

  /** A new session, which ends at `ends_at` at the latest; its id, 256 bits that nobody can guess. */
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
   * What `good` makes of the session of this id; one that has ended, or of which it makes nothing, is removed. Being looked
   * for keeps it from ending alone.
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

  /** False when it had ended. */
  end(hash: string): Promise<boolean> {
    return this.#states.remove(this.#kind, hash);
  }

  /** Ends every session of a subject; how many there were. */
  endAll(subject: string): Promise<number> {
    return this.#states.removeOf(this.#kind, subject);
  }

  /** Those of a subject that have not ended by themselves, the newest first. */
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
