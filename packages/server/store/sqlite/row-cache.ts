import type { DatabaseSync } from 'node:sqlite';
import type { Millis } from '@mailroom/behavior/values/clock';

interface CachedKey {
  readonly expires_at: Millis | null;
  readonly revoked: boolean;
}
interface CachedMailbox {
  readonly namespace_id: string;
  readonly deleted: boolean;
  readonly online: boolean;
  /** Whether its messages are pushed to a webhook. */
  readonly pushes: boolean;
  /** `local@namespace`. */
  readonly address: string;
}

/** Maximum number of cached rows; beyond it the cache starts again from empty. */
const MAX = 10_000;

/**
 * The writer's cache of keys and mailboxes, so that an acceptance reads nothing. All writes of this process pass through
 * the writer, and `pragma data_version` shows writes of other processes (maintenance commands), so it is never stale.
 */
export function makeRowCache(db: DatabaseSync) {
  const readKey = db.prepare('select expires_at, revoked_at from keys where id = ?');
  const readMailbox = db.prepare(
    'select namespace_id, status, webhook, deleted_at, local_part, namespace from mailboxes where id = ?',
  );
  const countWaiting = db.prepare('select count(*) as waiting from handlings where mailbox_id = ?');
  const dataVersion = db.prepare('pragma data_version');
  const keys = new Map<string, CachedKey | undefined>();
  const mailboxes = new Map<string, CachedMailbox | undefined>();
  /** Unsettled messages by mailbox, counted on first use. */
  const waiting = new Map<string, number>();
  let version: unknown;

  /** Drops keys and mailboxes, which may have changed. */
  function distrust(): void {
    keys.clear();
    mailboxes.clear();
  }
  /** Drops everything. */
  function forget(): void {
    distrust();
    waiting.clear();
  }

  return {
    distrust,
    forget,
    /** Called at the start of a transaction: checks whether another process wrote. */
    look(): void {
      const now = dataVersion.get()?.data_version;
      if (now !== version) forget();
      version = now;
      if (keys.size > MAX || mailboxes.size > MAX || waiting.size > MAX) forget();
    },
    /** Whether the key was neither revoked nor expired at `now`. */
    keyWorks(id: string, now: Millis): boolean {
      let key = keys.get(id);
      if (key === undefined) {
        const row = readKey.get(id);
        if (row === undefined) return false;
        key = { expires_at: row.expires_at as Millis | null, revoked: row.revoked_at !== null };
        keys.set(id, key);
      }
      return !key.revoked && (key.expires_at === null || key.expires_at > now);
    },
    mailbox(id: string): CachedMailbox | undefined {
      let mailbox = mailboxes.get(id);
      if (mailbox === undefined) {
        const row = readMailbox.get(id);
        if (row === undefined) return undefined;
        mailbox = {
          namespace_id: row.namespace_id as string,
          deleted: row.deleted_at !== null,
          online: row.status === 'online',
          pushes: row.webhook === 'on',
          address: `${row.local_part}@${row.namespace}`,
        };
        mailboxes.set(id, mailbox);
      }
      return mailbox;
    },
    /** How many messages wait in the mailbox or are being handled. */
    waiting(id: string): number {
      let count = waiting.get(id);
      if (count === undefined) {
        count = countWaiting.get(id)?.waiting as number;
        waiting.set(id, count);
      }
      return count;
    },
    /** Adds `more` (which may be negative) to the number of waiting messages. */
    wait(id: string, more: number): void {
      const count = waiting.get(id);
      if (count !== undefined) waiting.set(id, count + more);
    },
  };
}
