import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import { newId } from '@mailroom/behavior/values/ids';
import type { DisclosureParts } from '../access/disclosure.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Member } from '../entities/member.ts';
import { bytesInWords } from '../entities/storage-size.ts';
import type { Webhook } from '../entities/webhook.ts';
import type { NearlyFull } from '../limits/storage-meter.ts';
import type { State } from '../ports/states.ts';
import type { Store } from '../ports/store.ts';
import type { Disabling } from '../ports/webhooks.ts';
import type { Mail, ServiceMail } from './service-mail.ts';
import { disabledNotice, limitedNotice } from './webhook-kind.ts';

/** A webhook that was switched off, and why, as sentences for its owner. */
export interface PushDisabled {
  readonly mailbox: Mailbox;
  readonly url: string;
  readonly why: 'gone' | 'failing';
  readonly reason: string;
}

interface OwnerNoticesParts {
  readonly store: Pick<Store, 'accounts' | 'mailboxes' | 'namespaces' | 'notices'>;
  readonly serviceMail: () => Pick<ServiceMail, 'enqueue' | 'enqueueBy'>;
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

interface Written {
  readonly subject: string;
  readonly text: string;
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

  /** Once a day at most. */
  nearlyFull(namespace: NearlyFull): void {
    this.#notify(namespace.id, nearlyFullNotice(namespace, this.#parts.baseUrl()));
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

  /**
   * Calls a member for `count` conversations that wait with no console open. Durable when it resolves. False when another
   * mail called them since `after`, and when there is no one to call. AppError `unavailable`.
   */
  async callMember(
    { namespace_id, account_id }: Pick<Member, 'namespace_id' | 'account_id'>,
    { count, minutes, after }: { readonly count: number; readonly minutes: number; readonly after: Millis | null },
  ): Promise<boolean> {
    const { store, baseUrl, serviceMail } = this.#parts;
    const [namespace, to] = await Promise.all([store.namespaces.byId(namespace_id), this.#addressOf(account_id)]);
    if (namespace === undefined || to === undefined) return false;
    const mail = await this.#mailTo(to, waitingNotice(namespace.name, { count, minutes }, baseUrl()));
    if (mail === undefined) return false;
    const call = { namespace_id, account_id, after, at: this.#parts.clock() };
    return serviceMail().enqueueBy(mail, (delivery) => store.notices.call(call, delivery));
  }

  #notify(namespaceId: string, { subject, text }: Written): void {
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
  async send(to: string, written: Written, state?: State) {
    const mail = await this.#mailTo(to, written);
    if (mail !== undefined) await this.#parts.serviceMail().enqueue(mail, state);
  }

  /** Undefined when the mailbox that writes to owners is gone. */
  async #mailTo(to: string, { subject, text }: Written): Promise<Mail | undefined> {
    const { store, clock, sender, html } = this.#parts;
    const from = await store.mailboxes.byAddress(sender.local_part, sender.namespace);
    if (from === undefined || from.deleted_at !== null) return undefined;
    const now = clock();
    return {
      id: newId('mail', now),
      to,
      subject,
      text,
      html: html(text),
      expires_at: now + NOTICE_MS,
      from_mailbox_id: from.id,
      note: text,
    };
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

/** What a member reads when something waits for them. */
function waitingNotice(
  name: string,
  { count, minutes }: { readonly count: number; readonly minutes: number },
  baseUrl: string,
): Written {
  const what = count === 1 ? '1 conversation waits' : `${count} conversations wait`;
  return {
    subject: `${what} for you in ${name}`,
    text: `In ${name} ${what} for a person, and no console was open for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}:
${baseUrl}/console

You get no other mail about what waits until you look, or another member who answers the same addresses does.
When you are called, or that you are not, is your choice:
${baseUrl}/console/notices
`,
  };
}

/** What its owners read when a namespace is nearly full. */
const nearlyFullNotice = ({ name, bytes, max_bytes }: NearlyFull, baseUrl: string): Written => ({
  subject: `The storage of ${name} is nearly full`,
  text: `${name} stores ${bytesInWords(bytes)} of the ${bytesInWords(max_bytes)} that it may. When it is full, its addresses take no more messages.

Delete messages that you do not need; large files count most:
${baseUrl}/console
`,
});

/** What its owners read when the webhook of a mailbox is switched off. */
function pushDisabledNotice({ mailbox, url, why, reason }: PushDisabled, mailDomain: string, baseUrl: string): Written {
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
