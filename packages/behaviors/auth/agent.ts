import type { Incoming } from '@mailroom/behavior';
import type { HostIssuer } from '@mailroom/behavior/host';
import type { BehaviorMailbox } from '@mailroom/behavior/mailbox';
import type { Sender } from '@mailroom/behavior/message';
import type { Millis } from '@mailroom/behavior/values/clock';

/** A program that acts for a hosted mailbox, as long as its key is valid. */
export interface Agent {
  readonly mailbox: BehaviorMailbox;
  readonly key_expires_at: Millis | null;
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
  lookUp: Pick<HostIssuer, 'key' | 'mailbox'>,
): Promise<Agent | string> {
  if (hops > 0 || channel !== 'api' || sender.key_id === null) {
    return 'Only a program that writes to this address itself can ask for this: use POST /api/v1/mail/send with the agent’s key.';
  }
  const found = lookUp.key(sender.key_id);
  const key = found instanceof Promise ? await found : found;
  if (key === undefined || !key.live) return 'The key that sent this was revoked or has expired.';
  if (!key.asserts) {
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
