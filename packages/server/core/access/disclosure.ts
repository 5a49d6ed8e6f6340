import type { Clock } from '@mailroom/behavior/values/clock';
import { mayDisclose } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Webhook } from '../entities/webhook.ts';
import type { Store } from '../ports/store.ts';
import type { Directory } from './directory.ts';

export interface DisclosureParts {
  readonly store: Pick<Store, 'mailboxes' | 'webhooks'>;
  readonly directory: Pick<Directory, 'changed' | 'keyById'>;
  readonly clock: Clock;
  /** Called once when one is limited from now on. */
  readonly onLimited: (limited: { readonly webhook: Webhook } | { readonly mailbox: Mailbox }) => void;
}

/**
 * Whether messages may leave by what a key set up, as that key's rights are when they leave. Where they may not, the owner is
 * told by an event, once.
 */
export class Disclosure {
  readonly #parts: DisclosureParts;

  constructor(parts: DisclosureParts) {
    this.#parts = parts;
  }

  /** Whether the webhook gets no more of a message than its ids. */
  async isLimitedWebhook(webhook: Webhook): Promise<boolean> {
    const { id, key_id, mailbox_id, limited_since } = webhook;
    if (await this.#may(key_id, mailbox_id)) return false;
    const { store, clock, onLimited } = this.#parts;
    if (limited_since === undefined && (await store.webhooks.limit(id, clock()))) onLimited({ webhook });
    return true;
  }

  /** The same of what leaves by the settings of a mailbox. */
  async isLimitedMailbox(mailbox: Mailbox): Promise<boolean> {
    const { id, settings_key_id, limited_since } = mailbox;
    if (await this.#may(settings_key_id, id)) return false;
    const { store, directory, clock, onLimited } = this.#parts;
    if (limited_since === undefined && (await store.mailboxes.limit(id, clock()))) {
      directory.changed();
      onLimited({ mailbox });
    }
    return true;
  }

  async #may(key_id: string | null | undefined, mailbox_id: string | null): Promise<boolean> {
    return key_id != null && mayDisclose(await this.#parts.directory.keyById(key_id), mailbox_id);
  }
}
