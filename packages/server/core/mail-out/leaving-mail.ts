import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutgoing, type RecipientLists } from '@mailroom/behavior/message';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Clock } from '@mailroom/behavior/values/clock';
import type { DeliveryClaim } from '../entities/delivery.ts';
import { takesNotices } from '../entities/domain.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import { bytesOf } from '../files/attached-files.ts';
import type { RawMails } from '../files/raw-mails.ts';
import type { DeliveryResult } from '../ports/delivery.ts';
import type { EmailTransport, HandedAnswer, KeptBytes, OutgoingEmail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';
import { ANSWER_TO_ALL } from '../values/states.ts';
import { isDeadAddress } from './dead-address.ts';
import { suppress } from './email-bounces.ts';
import type { Answer, Leaving } from './leaving-text.ts';
import { REVIEW_HEADER, ReviewedMail, type ReviewedMailParts } from './reviewed-mail.ts';

export interface LeavingParts extends ReviewedMailParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly transport: EmailTransport;
  readonly raws: () => Pick<RawMails, 'attempt'>;
  readonly onError: (error: unknown) => void;
}

/** Writes what leaves as a mail, and hands it over. */
export class LeavingMail {
  readonly #parts: LeavingParts;
  readonly #reviewed: ReviewedMail;

  constructor(parts: LeavingParts) {
    this.#parts = parts;
    this.#reviewed = new ReviewedMail(parts);
  }

  /**
   * What the recipient's server refuses for good suppresses the address; what was reviewed and is not that any more fails
   * for good.
   */
  async send(delivery: DeliveryClaim, leaving: Leaving, signal: AbortSignal): Promise<DeliveryResult> {
    const { mailDomain, transport } = this.#parts;
    const { message, mailbox, answer, references, files, automatic, domain } = leaving;
    const names = await this.#namesOf(message, answer);
    const proof = leaving.unreviewed === true ? null : await this.#reviewed.check(delivery, leaving, names);
    if (typeof proof === 'object' && proof !== null) return proof;
    const result = await transport.send(
      {
        id: delivery.id,
        rfc_id: rfcIdOf(answer.id, mailbox, domain, mailDomain),
        automatic,
        // What was reviewed leaves under the name that was seen.
        ...(await this.#senderOf(mailbox, domain, proof === null ? answer.signed_by : undefined)),
        namespace_id: mailbox.namespace_id,
        to: delivery.target,
        ...this.#headersOf(message, names, proof),
        subject: message.subject ?? '',
        in_reply_to: references.at(-1) ?? null,
        references,
        answers: isOutgoing(message) || message.kind === 'reply' ? null : message.body,
        body: answer.body,
        data: answer.data,
        files: files.map(({ id, filename, content_type }) => ({
          filename,
          content_type,
          bytes: this.#bytes(id),
        })),
        created_at: answer.at,
        source: leaving.unreviewed && { message, domain, delivery },
        kept: () => this.#kept(leaving),
      },
      signal,
    );
    if (result.kind === 'failed' && result.permanent && result.reason.includes('RCPT TO')) {
      const [status = null] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(result.reason) ?? [];
      if (isDeadAddress({ status, words: result.response ?? '', of_recipient: true }))
        await suppress(delivery, `bounced ${status ?? ''}`.trim(), this.#parts);
    }
    return result;
  }

  async #kept({ message, mailbox, answer, files }: Leaving): Promise<KeptBytes> {
    // A failure has no id of its own, and its message may have come as a mail.
    if (answer.id === message.id && !isOutgoing(message)) return { raw: undefined, keep: undefined };
    const opened = files.map(
      ({ id }) =>
        () =>
          this.#bytes(id),
    );
    const leaving = { id: answer.id, namespace_id: mailbox.namespace_id, files: opened };
    return this.#parts.raws().attempt(leaving, this.#parts.onError);
  }

  /** What a mail that a mailbox wrote itself, or an answer to several, names beside its recipient. */
  async #namesOf(message: Message, { id }: Answer): Promise<RecipientLists | undefined> {
    return isOutgoing(message) || message.kind === 'reply' ? message.recipients : this.#planned(message, id);
  }

  /** An answer to a message of a mailbox as it leaves with a response. */
  async handed({ id, body, at, signed_by }: Answer, mailbox: Mailbox, domain: string | null): Promise<HandedAnswer> {
    const { from } = await this.#senderOf(mailbox, domain, signed_by);
    return { rfc_id: rfcIdOf(id, mailbox, domain, this.#parts.mailDomain), from, body, at };
  }

  #headersOf(
    message: Message,
    names: RecipientLists | undefined,
    proof: string | null,
  ): Pick<OutgoingEmail, 'recipients' | 'mail'> {
    const whole = (addresses: readonly string[]) => addresses.map((one) => fullAddress(one, this.#parts.mailDomain));
    const { headers = {}, ...mail } = (isOutgoing(message) ? message.mail : undefined) ?? {};
    // Only the service says so.
    const given = Object.entries(headers).filter(([name]) => name.toLowerCase() !== REVIEW_HEADER.toLowerCase());
    return {
      mail: { ...mail, headers: { ...Object.fromEntries(given), ...(proof !== null && { [REVIEW_HEADER]: proof }) } },
      ...(names && { recipients: { to: whole(names.to), cc: whole(names.cc) } }),
    };
  }

  /** Whom an answer of a person or a program is for beside its author. */
  async #planned(message: Message, id: string): Promise<RecipientLists | undefined> {
    const { store, clock } = this.#parts;
    const reply = await store.messages.byId(id);
    if (reply?.recipients !== undefined && id !== message.id) return reply.recipients;
    const state = await store.states.get(ANSWER_TO_ALL, id, clock());
    return state && (JSON.parse(state.value) as { readonly recipients: RecipientLists }).recipients;
  }

  /**
   * The address that was written to; the one at the mail domain once its own domain is not verified any more. Notices come
   * to that domain too where it names the servers of this service both for its mail (MX) and for what is sent (SPF).
   */
  async #senderOf(
    mailbox: Mailbox,
    domain: string | null,
    signedBy: string | undefined,
  ): Promise<Pick<OutgoingEmail, 'from' | 'return_domain'>> {
    const { store, mailDomain } = this.#parts;
    const found = domain === null ? undefined : await store.domains.find(mailbox.namespace_id, domain);
    const name = signedBy ?? mailbox.display_name ?? mailbox.local_part;
    if (found?.status !== 'verified')
      return { from: { name, address: fullAddress(addressOf(mailbox), mailDomain) }, return_domain: null };
    const from = { name, address: `${mailbox.local_part}@${domain}` };
    return { from, return_domain: takesNotices(found) ? domain : null };
  }

  async *#bytes(id: string): AsyncGenerator<Uint8Array> {
    const { store } = this.#parts;
    const file = await store.attachments.byId(id);
    if (file !== undefined) yield* bytesOf(file, store.blobs, 0, file.size - 1);
  }
}

/** The Message-ID of a message that a mailbox wrote (RFC 5322, section 3.6.4), the same at each attempt. */
export const rfcIdOf = (id: string, { namespace }: Mailbox, domain: string | null, mailDomain: string): string =>
  `<${id}@${domain ?? `${namespace}.${mailDomain}`}>`;
