import { fullAddress, splitTag } from '@mailroom/behavior/values/address';
import { isReplyId, messageIdOf, threadOf } from '@mailroom/behavior/values/ids';
import { isObject } from '@mailroom/behavior/values/json';
import type { Message } from '../entities/message.ts';
import { bytesOf } from '../files/attached-files.ts';
import type { RawMails } from '../files/raw-mails.ts';
import type { StoredMail, WriteStoredMail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';

interface Parts {
  readonly store: Pick<Store, 'messages' | 'emails' | 'attachments' | 'blobs'>;
  readonly raws: Pick<RawMails, 'find'>;
  readonly mailDomain: string;
  readonly writeStoredMail: WriteStoredMail;
}

/** The header field by which a mail that was made of a message names it. */
const ID_FIELD = 'X-Mailroom-Id';

/** Fields of the mail that came which are written from the message itself. */
const WRITTEN =
  /^(?:from|to|cc|bcc|reply-to|date|subject|message-id|in-reply-to|references|mime-version|content-.*|x-mailroom-.*)$/i;

/** What is kept of a mail that came beside its message. */
interface KeptFields {
  readonly text?: unknown;
  readonly from_name?: unknown;
  readonly cc?: unknown;
  readonly reply_to?: unknown;
  readonly headers?: unknown;
}

/** Messages and replies as mails: the bytes that came or left, where they are kept, else made of what is stored. */
export class StoredMails {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The bytes of one for a reader of `mailboxId`, which alone sees its own Bcc; null for none of them. They reject with
   * AppError `not_found` when they are removed meanwhile.
   */
  async of(message: Message, mailboxId: string | null): Promise<AsyncIterable<Uint8Array>> {
    const kept = await this.#parts.raws.find(message.id);
    return kept?.bytes ?? this.#parts.writeStoredMail(await this.#composed(message, mailboxId));
  }

  async #composed(message: Message, mailboxId: string | null): Promise<StoredMail> {
    const { store, mailDomain } = this.#parts;
    const { id, recipients, subject, created_at: date, mail, attachments = [] } = message;
    const whole = (addresses: readonly string[]) => addresses.map((one) => fullAddress(one, mailDomain));
    const isAuthor =
      message.sender_kind === 'mailbox' && message.sender_id === mailboxId && message.copy_of === undefined;
    const email = keptOf(message);
    return {
      rfc_id: await this.#rfcId(message),
      from: this.#from(message, email),
      to: whole(recipients?.to ?? (message.to === null ? [] : [message.to])),
      cc: recipients === undefined ? addressesOf(email.cc) : whole(recipients.cc),
      bcc: isAuthor ? whole(recipients?.bcc ?? []) : [],
      reply_to: mail?.reply_to ?? addressesOf(email.reply_to),
      date,
      subject: subject ?? '',
      ...(await this.#before(message, mailboxId ?? message.mailbox_id)),
      headers: [{ name: ID_FIELD, value: id }, ...Object.entries(mail?.headers ?? {}).map(toField), ...fieldsOf(email)],
      text: textOf(message),
      html: mail?.html,
      files: attachments.map(({ id: fileId, filename, content_type }) => ({
        filename,
        content_type,
        bytes: opened(fileId, store),
      })),
    };
  }

  #from(message: Message, { from_name: name }: KeptFields): StoredMail['from'] {
    const { from, sender_kind: kind, sender_id: id } = message;
    const { mailDomain } = this.#parts;
    if (from !== null) return { name: '', address: fullAddress(splitTag(from).address, mailDomain) };
    if (kind === 'email' && id !== null) return { name: typeof name === 'string' ? name : '', address: id };
    return { name: 'A sender without an address', address: `${kind}@mailroom.invalid` };
  }

  /** That of the mail that came or left, else one that follows from its id. */
  async #rfcId(message: Message): Promise<string> {
    const [email] = message.kind === 'reply' ? [] : await this.#parts.store.emails.byMessages([message.id]);
    return email?.rfc_id ?? this.#ownId(message);
  }

  /** As its mailbox names it in mail. */
  #ownId({ id, from, to }: Pick<Message, 'id' | 'from' | 'to'>): string {
    const { mailDomain } = this.#parts;
    const address = [from, to].find((one) => one !== null && fullAddress(one, mailDomain) !== one);
    const domain = address == null ? mailDomain : fullAddress(address, mailDomain).slice(address.lastIndexOf('@') + 1);
    return `<${id}@${domain}>`;
  }

  /** What it answers, by the Message-IDs of the mailbox's own mails, and by none of those that others got. */
  async #before(message: Message, mailboxId: string): Promise<Pick<StoredMail, 'in_reply_to' | 'references'>> {
    const { store } = this.#parts;
    const { id, in_reply_to: answered, thread_id } = message;
    const first = threadOf(messageIdOf(id)) === thread_id ? null : `msg_${thread_id.slice('thr_'.length)}`;
    const ids = [first, answered].filter((one) => one !== null);
    const found = new Map<string, string>();
    for (const id of new Set(ids)) {
      const named = await store.messages.byId(id);
      if (named === undefined) continue;
      const isOwn = named.mailbox_id === mailboxId && !isReplyId(id);
      found.set(id, isOwn ? await this.#rfcId(named) : this.#ownId(named));
    }
    const references = ids.map((one) => found.get(one)).filter((one) => one !== undefined);
    return { in_reply_to: (answered === null ? undefined : found.get(answered)) ?? null, references };
  }
}

/** Of a mail the text with what it quotes. */
export function textOf(message: Pick<Message, 'body' | 'data'>): string {
  const { text } = keptOf(message);
  return typeof text === 'string' && text !== '' ? text : message.body;
}

function keptOf({ data }: Pick<Message, 'data'>): KeptFields {
  const parsed: unknown = data === null ? null : JSON.parse(data);
  const email: unknown = isObject(parsed) ? parsed.email : undefined;
  return isObject(email) ? email : {};
}

const toField = ([name, value]: [string, string]) => ({ name, value });

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const addressesOf = (value: unknown): readonly string[] =>
  listOf(value)
    .map(({ address }) => address)
    .filter((address) => typeof address === 'string');

const fieldsOf = ({ headers }: KeptFields): StoredMail['headers'] =>
  listOf(headers)
    .map(({ name, value }) => ({ name, value }))
    .filter((field): field is { name: string; value: string } => {
      const { name, value } = field;
      return typeof name === 'string' && typeof value === 'string' && !WRITTEN.test(name);
    });

async function* opened(id: string, store: Parts['store']): AsyncGenerator<Uint8Array> {
  const file = await store.attachments.byId(id);
  if (file !== undefined) yield* bytesOf(file, store.blobs, 0, file.size - 1);
}
