import { type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import type { Mailbox, WebhookView } from '../entities/mailbox.ts';

/** The webhook of a mailbox whose messages are pushed to a program, apart from its URL, which is a setting. */
export interface AgentWebhook {
  /** `whsec_…`. */
  readonly secret: string;
  /** The secret before, with which requests are signed too, until `old_until`. */
  readonly old_secret: string | null;
  readonly old_until: Millis | null;
  /** Since when every attempt failed; null when the last one did not. */
  readonly failing_since: Millis | null;
  /** When it was switched off; null while it is on. */
  readonly off_at: Millis | null;
  /** What went wrong last, as a sentence for its owner. */
  readonly error: string | null;
}

export interface AgentWebhooks {
  /** Undefined for a mailbox without a webhook. */
  find(mailbox_id: string): Promise<AgentWebhook | undefined>;
  /**
   * Switches the webhook of a living mailbox on, and queues all its messages that wait for an answer. Returns true when
   * `secret` is its secret from now on, because it had none.
   */
  enable(mailbox_id: string, secret: string, now: Millis): Promise<boolean>;
  /** Replaces the secret; the current one is kept until `old_until`. False when there is no webhook. */
  rotate(mailbox_id: string, secret: string, old_until: Millis): Promise<boolean>;
  /** Notes that an attempt failed. */
  failed(mailbox_id: string, error: string, now: Millis): Promise<void>;
  /** Notes that an attempt did not fail. */
  worked(mailbox_id: string): Promise<void>;
  /**
   * Switches it off with the event `mailbox.webhook_disabled`; the mailbox is offline from then on unless `stays_online`.
   * False when it was off.
   */
  disable(
    mailbox_id: string,
    error: string,
    of: { readonly now: Millis; readonly stays_online: boolean },
  ): Promise<boolean>;
}

/** How it does, for its owner; without its secrets. */
export const webhookView = (
  { failing_since, off_at, error }: AgentWebhook,
  { limited_since }: Pick<Mailbox, 'limited_since'>,
): WebhookView => ({
  status: off_at === null ? 'on' : 'off',
  failing_since: failing_since === null ? null : rfc3339(failing_since),
  disabled_at: off_at === null ? null : rfc3339(off_at),
  last_error: error,
  ...(typeof limited_since === 'number' && { limited_since: rfc3339(limited_since) }),
});
