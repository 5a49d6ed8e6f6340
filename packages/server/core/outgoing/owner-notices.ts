import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import { DAY } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { DisclosureParts } from '../access/disclosure.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Webhook } from '../entities/webhook.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { Disabling } from '../ports/webhooks.ts';
import type { ServiceMail } from './service-mail.ts';
import { disabledNotice, limitedNotice } from './webhook-kind.ts';

/** A webhook that was switched off, and why, as sentences for its owner. */
export interface PushDisabled {
  readonly mailbox: Mailbox;
  readonly url: string;
  readonly why: 'gone' | 'failing';
  readonly reason: string;
}

interface OwnerNoticesParts {
  readonly store: Pick<Store, 'accounts' | 'mailboxes' | 'namespaces'>;
  readonly serviceMail: () => Pick<ServiceMail, 'enqueue'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** The mailbox that writes to owners: its local part, and the name of its namespace. */
  readonly sender: { readonly local_part: string; readonly namespace: string };
  /** Renders a text as the HTML of a mail. */
  readonly html: (text: string) => string;
  readonly baseUrl: () => string;
  /** Events of this namespace were written. */
  readonly publishEvents: (namespaceId: string) => void;
  readonly log: { info(fields: object, text: string): void };
  readonly onError: (error: unknown) => void;
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

  webhookDisabled(webhook: Webhook, disabling: Disabling): void {
    const { id, namespace_id } = webhook;
    const { log, baseUrl } = this.#parts;
    log.info({ webhook_id: id, reason: disabling.reason }, 'a webhook was switched off');
    this.#notify(namespace_id, disabledNotice(webhook, disabling, baseUrl()));
  }

  pushDisabled(disabled: PushDisabled): void {
    const { id, namespace_id } = disabled.mailbox;
    const { log, mailDomain, baseUrl } = this.#parts;
    log.info({ mailbox_id: id }, 'the webhook of a mailbox was switched off');
    this.#notify(namespace_id, pushDisabledNotice(disabled, mailDomain, baseUrl()));
  }

  /** What leaves by a webhook or the settings of a mailbox is ids alone from now on. */
  limited(limited: Parameters<DisclosureParts['onLimited']>[0]): void {
    const { log, mailDomain, baseUrl } = this.#parts;
    if ('webhook' in limited) {
      const { id, namespace_id, url } = limited.webhook;
      log.info({ webhook_id: id }, 'a webhook gets ids alone');
      const what = `Your webhook to ${URL.parse(url)?.host ?? 'its endpoint'}`;
      this.#notify(namespace_id, limitedNotice(what, `${baseUrl()}/console/webhooks/${id}`));
      return;
    }
    const { id, namespace_id, local_part } = limited.mailbox;
    log.info({ mailbox_id: id }, 'messages of a mailbox leave as ids alone');
    const what = `What ${fullAddress(addressOf(limited.mailbox), mailDomain)} sends to programs`;
    this.#notify(namespace_id, limitedNotice(what, `${baseUrl()}/console/addresses/${local_part}?tab=behavior`));
  }

  /** `count` conversations have waited for a person with no console open. Durable when it resolves. AppError `unavailable`. */
  async waiting(namespaceId: string, count: number): Promise<void> {
    const { store, baseUrl } = this.#parts;
    const namespace = await store.namespaces.byId(namespaceId);
    if (namespace === undefined) return;
    const { subject, text } = waitingNotice(namespace.name, count, baseUrl());
    await this.#send(namespaceId, subject, text);
  }

  #notify(namespaceId: string, { subject, text }: { readonly subject: string; readonly text: string }): void {
    this.#parts.publishEvents(namespaceId);
    this.#send(namespaceId, subject, text).catch(this.#parts.onError);
  }

  /** Durable when it resolves. AppError `unavailable`. */
  async #send(namespaceId: string, subject: string, text: string): Promise<void> {
    const { store, clock } = this.#parts;
    for (const { account_id } of await store.accounts.ownersOf(namespaceId, clock())) {
      const to = await this.#addressOf(account_id);
      if (to !== undefined) await this.send(to, { subject, text });
    }
  }

  /** Writes to any address, and sets the state with it. Durable when it resolves. AppError `unavailable`. */
  async send(to: string, { subject, text }: { readonly subject: string; readonly text: string }, state?: State) {
    const { store, serviceMail, clock, sender, html } = this.#parts;
    const from = await store.mailboxes.byAddress(sender.local_part, sender.namespace);
    if (from === undefined || from.deleted_at !== null) return;
    const now = clock();
    const mail = {
      id: newId('mail', now),
      to,
      subject,
      text,
      html: html(text),
      expires_at: now + NOTICE_MS,
      from_mailbox_id: from.id,
      note: text,
    };
    await serviceMail().enqueue(mail, state);
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

/** What owners read when something waits for them. */
function waitingNotice(
  name: string,
  count: number,
  baseUrl: string,
): { readonly subject: string; readonly text: string } {
  const what = count === 1 ? '1 conversation waits' : `${count} conversations wait`;
  return {
    subject: `${what} for you in ${name}`,
    text: `In ${name} ${what} for a person, and no console was open for 15 minutes:
${baseUrl}/console

You get no other mail about what waits until a console is opened.
`,
  };
}

/** What its owners read when the webhook of a mailbox is switched off. */
function pushDisabledNotice(
  { mailbox, url, why, reason }: PushDisabled,
  mailDomain: string,
  baseUrl: string,
): { readonly subject: string; readonly text: string } {
  const address = fullAddress(addressOf(mailbox), mailDomain);
  const host = URL.parse(url)?.host ?? 'its endpoint';
  const because = why === 'gone' ? 'it answered 410' : 'every attempt failed for five days';
  return {
    subject: `The webhook of ${address} is switched off`,
    text: `Messages to ${address} are no longer sent to ${host}, because ${because}.

${reason}

They wait for an answer until their time is over: a program that asks for them can still answer, and you can by hand. Save the settings of the address to switch its webhook on again, with what waits then:
${baseUrl}/console/addresses/${mailbox.local_part}
`,
  };
}
