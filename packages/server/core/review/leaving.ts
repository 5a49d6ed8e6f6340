import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists, Reply } from '@mailroom/behavior/message';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { LeavingMessage } from '../entities/review.ts';
import type { Store } from '../ports/store.ts';

/** The stored address of a message’s author; null where it has none. */
export const authorOf = ({
  from,
  sender_kind: kind,
  sender_id: id,
}: Pick<Message, 'from' | 'sender_kind' | 'sender_id'>): string | null => from ?? (kind === 'email' ? id : null);

/** Whom an answer is for: its message’s author, or all whom it names. */
export function answeredLists(
  message: Pick<Message, 'from' | 'sender_kind' | 'sender_id'>,
  recipients: RecipientLists | undefined,
): RecipientLists {
  if (recipients !== undefined) return recipients;
  const author = authorOf(message);
  return { to: author === null ? [] : [author], cc: [] };
}

interface From {
  readonly mailbox: Mailbox;
  /** The domain of its owner that it leaves from; null for the mail domain. */
  readonly domain?: string | null | undefined;
  readonly mailDomain: string;
}

const SPECIALS = /[^\p{L}\p{N}\p{M} !#$%&'*+/=?^_`{|}~-]/u;

/** As in the header (RFC 5322, section 3.4): with the name that its owner gave the mailbox, if any. */
function fromOf({ mailbox, domain = null, mailDomain }: From): string {
  const { display_name: name, local_part: local } = mailbox;
  const address = domain === null ? fullAddress(addressOf(mailbox), mailDomain) : `${local}@${domain}`;
  if (name === null) return address;
  return `${SPECIALS.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${address}>`;
}

/** The domain that a mailbox writes from; null for the mail domain, also while its own one is not verified. */
export async function domainToSendFrom(
  store: Pick<Store, 'domains'>,
  { namespace_id }: Pick<Mailbox, 'namespace_id'>,
  domain: string | null,
): Promise<string | null> {
  const found = domain === null ? undefined : await store.domains.find(namespace_id, domain);
  return found?.status === 'verified' ? domain : null;
}

const filesOf = (files: readonly Attachment[] = []): LeavingMessage['attachments'] =>
  files.length === 0 ? null : files.map(({ filename, content_type, sha256 }) => ({ filename, content_type, sha256 }));

/** An answer as it would leave. */
export function leavingAnswer(
  message: Pick<Message, 'id' | 'subject' | 'from' | 'sender_kind' | 'sender_id'>,
  reply: Reply,
  from: From & { readonly files?: readonly Attachment[] | undefined; readonly recipients?: RecipientLists | undefined },
): LeavingMessage {
  return {
    ...listsOf(answeredLists(message, from.recipients), from.mailDomain),
    from: fromOf(from),
    reply_to: null,
    headers: null,
    subject: message.subject,
    body: reply.body,
    html: null,
    data: reply.data,
    attachments: filesOf(from.files),
    in_reply_to: message.id,
  };
}

/** What a mailbox writes itself, as it would leave. */
export type OwnMessage = Pick<Message, 'subject' | 'body' | 'data' | 'in_reply_to' | 'mail'> & {
  readonly attachments?: readonly Attachment[] | undefined;
  readonly recipients: RecipientLists;
};

export function leavingMessage(message: OwnMessage, from: From): LeavingMessage {
  const { mail = {}, subject, body, data, in_reply_to } = message;
  return {
    ...listsOf(message.recipients, from.mailDomain),
    from: fromOf(from),
    reply_to: mail.reply_to === undefined ? null : [...mail.reply_to],
    headers: mail.headers === undefined ? null : { ...mail.headers },
    subject,
    body,
    html: mail.html ?? null,
    data,
    attachments: filesOf(message.attachments),
    in_reply_to,
  };
}

function listsOf({ to, cc, bcc = [] }: RecipientLists, mailDomain: string) {
  const whole = (addresses: readonly string[]): string[] | null =>
    addresses.length === 0 ? null : addresses.map((one) => fullAddress(one, mailDomain));
  return { to: whole(to), cc: whole(cc), bcc: whole(bcc) };
}
