import { Type } from 'typebox';
import type { Key } from '../../core/entities/key.ts';
import { addressOf } from '../../core/entities/mailbox.ts';
import type { Sender } from '../../core/entities/message.ts';
import type { Address } from '../../core/values/address.ts';
import { parseAddress } from '../../core/values/address.ts';
import { AppError, invalid } from '../../core/values/error.ts';
import type { Json } from '../../core/values/json.ts';
import type { Parts } from '../../http/parts.ts';

/** The request of `POST /api/v1/mail/send`. */
export const Send = Type.Object(
  {
    to: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A mailbox address.',
      examples: ['proofread@agents.mailroom.localhost'],
    }),
    body: Type.String({ minLength: 1, description: '1 byte to 256 KiB of UTF-8.', examples: ['I has a apple.'] }),
    sync: Type.Optional(Type.Boolean({ default: false, description: 'Wait for the reply and answer with it.' })),
    subject: Type.Optional(Type.Union([Type.String({ maxLength: 998 }), Type.Null()])),
    thread_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], { description: 'Continue this thread.' }),
    ),
    in_reply_to: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
        description: 'The message or reply that this one answers.',
      }),
    ),
    from: Type.Optional(
      Type.Union([Type.String({ maxLength: 500 }), Type.Null()], {
        description: "A mailbox of the key's namespace to write as.",
      }),
    ),
    data: Type.Optional(
      Type.Unknown({
        description: 'Any JSON of up to 64 KiB and 64 levels: a structured part in addition to the text.',
      }),
    ),
  },
  { $id: 'Send', additionalProperties: false },
);

/** The request of `POST /api/v1/mail/try`. */
export const Try = Type.Object(
  {
    to: Send.properties.to,
    body: Type.String({ minLength: 1, description: '1 byte to 8 KiB of UTF-8.', examples: ['I has a apple.'] }),
    thread_id: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
    thread_token: Type.Optional(
      Type.Union([Type.String({ maxLength: 200 }), Type.Null()], {
        description: 'From the previous answer: continues its thread.',
      }),
    ),
  },
  { $id: 'Try', additionalProperties: false },
);

/** AppError `validation_error` when it is not an address, `mailbox_not_found` when its domain is another one. */
export function readAddress(text: string, pointer: string, mailDomain: string): Address {
  const address = parseAddress(text, mailDomain);
  if (address === undefined) {
    throw invalid(pointer, `This is not a mailbox address. One looks like hello@agents.${mailDomain}.`);
  }
  return address;
}

/** AppError `body_too_large` for a field above its own limit of `max` bytes. */
export function checkSize(text: string, pointer: string, max: number): void {
  // A UTF-16 unit takes at most 3 bytes in UTF-8, so most texts need no counting.
  if (text.length * 3 <= max) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) {
    const message = `This has ${bytes} bytes; ${max} are allowed.`;
    throw new AppError('body_too_large', `${pointer}: ${message}`, { errors: [{ pointer, message }] });
  }
}

/** The JSON text of a message's structured part, of at most `max` bytes. */
export function dataText(data: unknown, max: number): string | null {
  if (data === undefined || data === null) return null;
  const text = JSON.stringify(data as Json);
  checkSize(text, '/data', max);
  return text;
}

interface From {
  readonly sender: Sender;
  readonly from_mailbox_id: string | null;
}

/** The sender of a message: the mailbox named by `from`, else the key's own mailbox, else the key itself. */
export function senderOf(key: Key, from: string | null | undefined, parts: Parts): From | Promise<From> {
  if ((from === undefined || from === null) && key.mailbox_id === null) {
    const sender: Sender = { kind: 'key', id: key.id, namespace_id: key.namespace_id, key_id: key.id, from: null };
    return { sender, from_mailbox_id: null };
  }
  return fromMailbox(key, from, parts);
}

async function fromMailbox(key: Key, from: string | null | undefined, parts: Parts): Promise<From> {
  const mailbox = await mailboxToWriteAs(key, from, parts);
  const { namespace_id, id: key_id } = key;
  const sender: Sender = { kind: 'mailbox', id: mailbox.id, namespace_id, key_id, from: addressOf(mailbox) };
  return { sender, from_mailbox_id: mailbox.id };
}

async function mailboxToWriteAs(key: Key, from: string | null | undefined, { directory, mailDomain }: Parts) {
  const notAllowed = (): AppError =>
    new AppError(
      'sender_not_allowed',
      key.mailbox === null
        ? `from must be a mailbox of the namespace ${key.namespace}.`
        : `This key is bound to ${key.mailbox}.${mailDomain} and writes as that mailbox only.`,
    );
  if (from === undefined || from === null) {
    const bound = await directory.mailboxById(key.mailbox_id as string);
    if (bound === undefined || bound.deleted_at !== null) throw notAllowed();
    return bound;
  }
  let address: Address | undefined;
  try {
    address = parseAddress(from, mailDomain);
  } catch {
    throw notAllowed();
  }
  if (address === undefined || address.tag !== null)
    throw invalid('/from', `This is not a mailbox address. One looks like hello@${key.namespace}.${mailDomain}.`);
  const mailbox = await directory.mailbox(address.local, address.namespace);
  const own = mailbox !== undefined && mailbox.deleted_at === null && mailbox.namespace_id === key.namespace_id;
  if (!own || (key.mailbox_id !== null && key.mailbox_id !== mailbox.id)) throw notAllowed();
  return mailbox;
}

/** `Prefer: wait=N` (RFC 7240, section 4.3), 1 to 120 seconds; undefined when absent or unreadable. */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  for (const part of String(header).split(',')) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(part) ?? [];
    if (seconds !== undefined) return Math.min(120, Math.max(1, Number(seconds)));
  }
  return undefined;
}
