import { type Clock, DAY, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { boundTo, type Key, type Scope } from '../entities/key.ts';
import type { Store } from '../ports/store.ts';
import { CONSOLE_LOOKED, CONSOLE_OPEN } from '../values/states.ts';

/** A console counts as open for this long after it was seen open. */
const OPEN_MS: Millis = 2 * MINUTE;
/** That it is open is written this often at most, and that someone looks. */
const WRITTEN_MS: Millis = MINUTE;
const LOOK_WRITTEN_MS: Millis = 5 * SECOND;
const KEPT_MS: Millis = 365 * DAY;
/** Keys that are remembered in memory. */
const MAX_REMEMBERED = 10_000;

/** What a member, or who opened a console with a key, may act on. */
export interface Reach {
  /** The member; null for a key of none. */
  readonly account_id: string | null;
  readonly scopes: readonly Scope[];
  /** Null for the whole namespace. */
  readonly mailbox_ids: readonly string[] | null;
}

/** Whose console it is, and until when it counts as open, or when they looked. */
export interface Seen {
  readonly reach: Reach;
  readonly at: Millis;
}

/** Who has a console of a namespace open, and when each of them last looked at what waits. */
export class ConsolePresence {
  readonly #store: Pick<Store, 'states'>;
  readonly #clock: Clock;
  /** When each was last written, by kind, namespace and key. */
  readonly #written = new Map<string, Millis>();

  constructor({ store, clock }: { readonly store: Pick<Store, 'states'>; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A console is open with this key. */
  async open(key: Key): Promise<void> {
    await this.#write(key, { kind: CONSOLE_OPEN, kept_ms: OPEN_MS, every_ms: WRITTEN_MS });
  }

  /** Who is signed in with this key sees what waits. True when that was written, which is not always needed. */
  async look(key: Key, every_ms: Millis = LOOK_WRITTEN_MS): Promise<boolean> {
    const looked = this.#write(key, { kind: CONSOLE_LOOKED, kept_ms: KEPT_MS, every_ms });
    await Promise.all([looked, this.open(key)]);
    return looked;
  }

  /** As `look`, for a page that stays in view. */
  watch(key: Key): Promise<boolean> {
    return this.look(key, WRITTEN_MS);
  }

  async of(namespaceId: string): Promise<{ readonly open: readonly Seen[]; readonly looks: readonly Seen[] }> {
    const now = this.#clock();
    const [open, looks] = await Promise.all(
      [CONSOLE_OPEN, CONSOLE_LOOKED].map((kind) => this.#store.states.of(kind, namespaceId, now)),
    );
    return {
      open: (open ?? []).map(({ value, expires_at }) => ({ reach: JSON.parse(value) as Reach, at: expires_at })),
      looks: (looks ?? []).map(({ value, expires_at }) => ({
        reach: JSON.parse(value) as Reach,
        at: expires_at - KEPT_MS,
      })),
    };
  }

  async #write(
    key: Key,
    { kind, kept_ms, every_ms }: { readonly kind: string; readonly kept_ms: Millis; readonly every_ms: Millis },
  ): Promise<boolean> {
    const now = this.#clock();
    const id = `${key.namespace_id} ${key.id}`;
    const written = this.#written.get(`${kind} ${id}`);
    // A clock that was set back ends no wait of years.
    if (written !== undefined && Math.abs(now - written) < every_ms) return false;
    if (this.#written.size >= MAX_REMEMBERED) this.#written.clear();
    this.#written.set(`${kind} ${id}`, now);
    const reach: Reach = { account_id: key.account_id, scopes: key.scopes, mailbox_ids: boundTo(key) };
    const state = { kind, id, subject: key.namespace_id, value: JSON.stringify(reach) };
    await this.#store.states.set({ ...state, expires_at: now + kept_ms });
    return true;
  }
}
