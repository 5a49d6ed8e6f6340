import type { Millis } from '@mailroom/behavior/values/clock';

/** A value that is stored until a time, such as a session or a solved challenge. */
export interface State {
  readonly kind: string;
  readonly id: string;
  /** The subject it belongs to, by which all of its states can be removed. */
  readonly subject: string | null;
  readonly value: string;
  readonly expires_at: Millis;
}

/** Short-lived rows; expired ones are never returned. */
export interface States {
  /** False when one of this kind and id exists: of concurrent calls one succeeds. */
  put(state: State, now: Millis): Promise<boolean>;
  /** Writes it, replacing an existing one. */
  set(state: State): Promise<void>;
  /** Sets the value `to` if it is exactly `from`: of concurrent calls one succeeds, the others return false. */
  swap(kind: string, id: string, from: string, to: string, now: Millis): Promise<boolean>;
  /** Removes and returns it: of concurrent calls one gets it. */
  take(kind: string, id: string, now: Millis): Promise<State | undefined>;
  get(kind: string, id: string, now: Millis): Promise<State | undefined>;
  /** False when it does not exist or has expired. */
  prolong(kind: string, id: string, until: Millis, now: Millis): Promise<boolean>;
  /** False when it did not exist. */
  remove(kind: string, id: string): Promise<boolean>;
  /** Those of a subject that have not expired, up to 200, the last to expire first. */
  of(kind: string, subject: string, now: Millis): Promise<readonly State[]>;
  /** Removes all of a subject but the `most` that expire last. */
  trim(kind: string, subject: string, most: number): Promise<void>;
  /** Removes all of a subject; returns how many there were. */
  removeOf(kind: string, subject: string): Promise<number>;
  /** Removes a bounded number that expired before `now`; returns how many. */
  sweep(now: Millis): Promise<number>;
}
