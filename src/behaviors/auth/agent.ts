import type { Key } from '../../core/entities/key.ts';
import { hasScope, isLive } from '../../core/entities/key.ts';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import type { Sender } from '../../core/entities/message.ts';
import type { Incoming } from '../../core/ports/behavior.ts';
import type { Clock, Millis } from '../../core/values/clock.ts';

/** A program that acts for a hosted mailbox, as long as its key is valid. */
export interface Agent {
  readonly mailbox: Mailbox;
  readonly key_expires_at: Millis | null;
}

type AgentLookup<T> = T | undefined | Promise<T | undefined>;

/** Looks up the sender; the result may be a second old. */
export interface LookUp {
  readonly key: (id: string) => AgentLookup<Key>;
  readonly mailbox: (id: string) => AgentLookup<Mailbox>;
}

/** Whether the sender is a person without a key or an outside address, who gets help and nothing else. */
export const isStranger = ({ kind }: Sender): boolean => kind === 'guest' || kind === 'email';

/**
 * The hosted mailbox that a message acts for, or a sentence that says what is missing. Only a program that writes through
 * the API with its own key counts, because a message caused by another may express a stranger's wish.
 */
export async function agentOf(
  { hops, channel }: Pick<Incoming, 'hops' | 'channel'>,
  sender: Sender,
  lookUp: LookUp,
  clock: Clock,
): Promise<Agent | string> {
  if (hops > 0 || channel !== 'api' || sender.key_id === null) {
    return 'Only a program that writes to this address itself can ask for this: use POST /api/v1/mail/send with the agent’s key.';
  }
  const found = lookUp.key(sender.key_id);
  const key = found instanceof Promise ? await found : found;
  if (key === undefined || !isLive(key, clock())) return 'The key that sent this was revoked or has expired.';
  if (!hasScope(key, 'auth:assert')) {
    return 'This needs a key with the scope auth:assert. Make one with POST /api/v1/keys, with the scopes mail:send and auth:assert.';
  }
  if (sender.kind !== 'mailbox' || sender.id === null) {
    return 'Say who signs in: send it again with `from`, the address of a mailbox of your namespace.';
  }
  const looked = lookUp.mailbox(sender.id);
  const mailbox = looked instanceof Promise ? await looked : looked;
  if (mailbox === undefined || mailbox.deleted_at !== null) return 'The mailbox that sent this was deleted.';
  return { mailbox, key_expires_at: key.expires_at };
}
