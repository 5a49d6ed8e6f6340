import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists, Reply } from '@mailroom/behavior/message';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Attachment } from '../entities/attachment.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { LeavingMessage } from '../entities/review.ts';

/** The stored address of a message’s author; null where it has none. */
export const authorOf = ({ from, sender_kind: kind, sender_id: id }: Message): string | null =>
  from ?? (kind === 'email' ? id : null);

/** Whom an answer is for: its message’s author, or all whom it names. */
export function answeredLists(message: Message, recipients: RecipientLists | undefined): RecipientLists {
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

const fromOf = ({ mailbox, domain = null, mailDomain }: From): string =>
  domain === null ? fullAddress(addressOf(mailbox), mailDomain) : `${mailbox.local_part}@${domain}`;

const filesOf = (files: readonly Attachment[] = []): LeavingMessage['attachments'] =>
  files.length === 0 ? null : files.map(({ filename, content_type, sha256 }) => ({ filename, content_type, sha256 }));

/** An answer as it would leave. */
export function leavingAnswer(
  message: Message,
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
export type OwnMessage = Pick<Message, 'subject' | 'body' | 'data' | 'in_reply_to' | 'mail' | 'attachments'> & {
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
