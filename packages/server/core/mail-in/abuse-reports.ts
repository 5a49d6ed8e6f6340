import { type Clock, DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { Directory } from '../access/directory.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { Namespace } from '../entities/namespace.ts';
import { sizeOfMessage } from '../entities/storage-size.ts';
import type { StorageMeter } from '../limits/storage-meter.ts';
import type { ServiceMail } from '../outgoing/service-mail.ts';
import type { Idempotency } from '../ports/idempotency.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import { compose, guestSubmission } from '../runs/submission.ts';

/** A report about an address or a page, stored as a message. */
export interface Report {
  readonly subject: string;
  readonly body: string;
  readonly idempotency: Idempotency | undefined;
  /** The network of the reporter. */
  readonly network: string;
}

interface ReportsParts {
  readonly store: Pick<Store, 'mailboxes' | 'messages' | 'namespaces'>;
  readonly directory: Pick<Directory, 'changed'>;
  readonly dispatch: Pick<Dispatch, 'publishEvents'>;
  /** Makes the mailbox that reports are filed in, which is not stored yet. */
  readonly newInbox: (namespace: Namespace) => Mailbox;
  readonly storage: Pick<StorageMeter, 'reserve' | 'add'>;
  readonly serviceMail: Pick<ServiceMail, 'enqueue'>;
  readonly clock: Clock;
  /** The name of the namespace whose owner reads the reports. */
  readonly house: string;
  /** An external address that gets a copy by mail. */
  readonly copy_to: string | undefined;
  /** Renders a text as the HTML of a mail. */
  readonly html: (text: string) => string;
}

/** The local part of the inbox; `abuse` and `postmaster` are reserved: they cannot be mailboxes. */
export const REPORTS = 'reports';
/** How long delivery of the copy is retried. */
const MAIL_MS = 3 * DAY;

/** Files reports from outside as messages in an inbox of the operator's namespace that no behavior answers. */
export class Reports {
  readonly #parts: ReportsParts;

  constructor(parts: ReportsParts) {
    this.#parts = parts;
  }

  /**
   * Durable when it resolves with the id of the message; repeating the same `idempotency` files nothing and returns the
   * same id. AppError `not_found` when the operator's namespace was deleted, `storage_full` when this network stored too
   * much today, `unavailable`.
   */
  async file({ subject, body, idempotency, network }: Report): Promise<string> {
    const { store, storage, dispatch, clock } = this.#parts;
    const mailbox = await this.#mailbox();
    const now = clock();
    const to = { local: mailbox.local_part, namespace: mailbox.namespace, tag: null };
    const submission = {
      ...guestSubmission({ to, body, thread_id: null, channel: 'web', idempotency, network }),
      subject,
    };
    const message: Message = {
      ...compose(submission, mailbox, now, undefined),
      // Settled on arrival, because a person reads it and no behavior runs.
      status: 'completed',
      settled_at: now,
    };
    const payer = { kind: 'guests', network } as const;
    await storage.reserve(payer, sizeOfMessage(message));
    let written = false;
    try {
      const accepted = await store.messages.accept({
        message,
        idempotency,
        max_waiting: 0,
        from_mailbox_id: null,
      });
      if (accepted.kind === 'replayed') return accepted.id;
      if (accepted.kind === 'refused') throw noReader();
      written = true;
    } finally {
      if (!written) storage.add(payer, -sizeOfMessage(message));
    }
    dispatch.publishEvents(mailbox.namespace_id);
    await this.#copy(message, mailbox);
    return message.id;
  }

  async #copy({ id, subject, body }: Message, mailbox: Mailbox): Promise<void> {
    const { serviceMail, copy_to, clock, html } = this.#parts;
    if (copy_to === undefined) return;
    const text = `${body}\n\nReference: ${id}\n`;
    const now = clock();
    await serviceMail.enqueue({
      id: newId('mail', now),
      to: copy_to,
      subject: subject ?? 'Report',
      text,
      html: html(text),
      expires_at: now + MAIL_MS,
      from_mailbox_id: mailbox.id,
      note: text,
    });
  }

  /** The inbox for reports; created with the first report, and again after it was deleted. */
  async #mailbox(): Promise<Mailbox> {
    const { store, newInbox, directory, house } = this.#parts;
    const known = await this.#living();
    if (known !== undefined) return known;
    const namespace = await store.namespaces.byName(house);
    if (namespace === undefined || namespace.deleted_at !== null) throw noReader();
    const mailbox = newInbox(namespace);
    const made = await store.mailboxes.create(mailbox);
    directory.changed();
    if (made.kind === 'created') return mailbox;
    // Another report created the mailbox at the same time.
    const other = await this.#living();
    if (other === undefined) throw noReader();
    return other;
  }

  async #living(): Promise<Mailbox | undefined> {
    const { store, house } = this.#parts;
    const mailbox = await store.mailboxes.byAddress(REPORTS, house);
    return mailbox?.deleted_at === null ? mailbox : undefined;
  }
}

const noReader = (): AppError =>
  new AppError('not_found', 'Reports cannot be filed: the namespace of this service was deleted.');
