import { addressOf } from '../ports/behavior/mailbox.ts';
import type { Store } from '../ports/store.ts';
import { fullAddress } from '../values/address.ts';
import type { Clock } from '../values/clock.ts';
import { DAY } from '../values/clock.ts';
import { newId } from '../values/ids.ts';
import type { ServiceMail } from './service-mail.ts';

interface OwnerNoticesParts {
  readonly store: Pick<Store, 'accounts' | 'mailboxes'>;
  readonly serviceMail: Pick<ServiceMail, 'enqueue'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** The mailbox that writes to owners: its local part, and the name of its namespace. */
  readonly sender: { readonly local_part: string; readonly namespace: string };
  /** Renders a text as the HTML of a mail. */
  readonly html: (text: string) => string;
}

/** How long delivery of a notice is retried. */
const NOTICE_MS = 3 * DAY;

/**
 * Mail to the people who own a namespace, about something that needs them. A namespace that is not claimed has none; its
 * console says the same.
 */
export class OwnerNotices {
  readonly #parts: OwnerNoticesParts;

  constructor(parts: OwnerNoticesParts) {
    this.#parts = parts;
  }

  /** Durable when it resolves. AppError `unavailable`. */
  async send(namespaceId: string, subject: string, text: string): Promise<void> {
    const { store, serviceMail, clock, sender, html } = this.#parts;
    const from = await store.mailboxes.byAddress(sender.local_part, sender.namespace);
    if (from === undefined || from.deleted_at !== null) return;
    for (const { account_id } of await store.accounts.ownersOf(namespaceId, clock())) {
      const to = await this.#addressOf(account_id);
      if (to === undefined) continue;
      const now = clock();
      await serviceMail.enqueue({
        id: newId('mail', now),
        to,
        subject,
        text,
        html: html(text),
        expires_at: now + NOTICE_MS,
        from_mailbox_id: from.id,
        note: text,
      });
    }
  }

  /** An account is an address outside, or a mailbox here. */
  async #addressOf(accountId: string): Promise<string | undefined> {
    const { store, mailDomain } = this.#parts;
    const account = await store.accounts.byId(accountId);
    if (account !== undefined) return account.address;
    const mailbox = await store.mailboxes.byId(accountId);
    if (mailbox === undefined || mailbox.deleted_at !== null) return undefined;
    return fullAddress(addressOf(mailbox), mailDomain);
  }
}
