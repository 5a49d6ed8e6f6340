import type { Millis } from '@mailroom/behavior/values/clock';

/** Where a key wants to learn of a task's changes, as it is stored. */
export interface PushConfig {
  /** The message whose id the task has. */
  readonly task_id: string;
  /** The key that made it: no other sees it, and nothing is sent once that key does not work. */
  readonly key_id: string;
  /** Distinct for this task and key. */
  readonly id: string;
  /** Who pays for it. */
  readonly namespace_id: string;
  /** The URL and its secrets, encrypted. */
  readonly sealed: string;
  /** The state of the task at which nothing is sent, because the caller knows it. */
  readonly known_state: string;
  readonly created_at: Millis;
  readonly expires_at: Millis;
}

/** Whose configuration it is, and which. */
export type PushConfigKey = Pick<PushConfig, 'task_id' | 'key_id' | 'id'>;

/** The push configurations of tasks; expired ones are never returned. What is replaced or removed gives its bytes back. */
export interface PushConfigs {
  /**
   * Stores it, replacing that of the same task, key and id. `full`: the key has `max` others of this task; `gone`: there
   * is no such task.
   */
  set(config: PushConfig, max: number): Promise<'stored' | 'full' | 'gone'>;
  get(of: PushConfigKey, now: Millis): Promise<PushConfig | undefined>;
  /** Those of a task, of one key or of all, by key and id. */
  list(of: { readonly task_id: string; readonly key_id?: string }, now: Millis): Promise<readonly PushConfig[]>;
  remove(of: PushConfigKey): Promise<void>;
  /** Removes a bounded number that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}
