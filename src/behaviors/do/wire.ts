import type { Outcome } from '../../core/behavior.ts';
import type { Millis } from '../../core/clock.ts';
import type { Json } from '../../core/json.ts';
import type { Signer } from '../../keyring/jws.ts';
import type { ExecutionLimits } from './execution.ts';
import type { Plan } from './plan.ts';
import type { Party } from './rights.ts';

/** What the thread is started with. */
export interface ThreadData {
  readonly limits: ExecutionLimits;
  readonly signer: Signer;
}

/** A message that begins a thread. */
export interface Job {
  readonly id: string;
  readonly body: string;
  readonly data: Json;
  /** When it is handled, by the clock of whoever does, */
  readonly now: Millis;
  /** and by the clock that does not jump: `performance.timeOrigin + performance.now()`. */
  readonly at: number;
  /** The full address of the mailbox, */
  readonly mailbox: string;
  /** its settings as JSON text, by which the thread knows them again, */
  readonly settings: string;
  /** and whose message it is. */
  readonly party: Party;
}

/** What the thread is asked: to do a message, to sign those that come after it with another key, or to get ready. */
export type Asked = Job | Signer | 'prepare';

/**
 * What it comes to: it ran (`data`: the signed receipt), it is to be answered otherwise, or it is to run where it can reach
 * what it needs. Null: it was no message.
 */
export type Came =
  | { readonly kind: 'ended'; readonly body: string; readonly detail: string | null; readonly data: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'plan'; readonly plan: Plan }
  | null;
