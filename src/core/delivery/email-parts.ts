import { keptReferences } from '../entities/email.ts';
import type { Message } from '../entities/message.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';
import { DAY } from '../values/clock.ts';
import { AppError } from '../values/error.ts';
import { isId, messageIdOf } from '../values/ids.ts';
import type { Upload } from './uploads.ts';

/** For how long a repeated transmission is recognized: senders try for up to five days (RFC 5321, section 4.5.4.1). */
export const REPEATED_MS = 6 * DAY;

/** AppError `body_too_large` for a text of more than `max` bytes in UTF-8. */
export function checkBody({ body }: ReceivedEmail, max: number): void {
  const bytes = Buffer.byteLength(body);
  if (bytes > max)
    throw new AppError(
      'body_too_large',
      `The text has ${bytes} bytes; up to ${max} are read. Attach long texts as files.`,
    );
}

/** Stores the files of a mail. AppError as of an upload. */
export async function addFiles(upload: Upload, { files }: ReceivedEmail): Promise<void> {
  for (const [at, file] of files.entries()) await upload.add({ ...file, bytes: [file.bytes] }, `/attachments/${at}`);
}

/** What of a mail to `address` is not in the message, as JSON text of at most `max` bytes, as far as there is room for it. */
export function emailData({ rfc_id, from, text }: ReceivedEmail, address: string, max: number): string {
  const known = { message_id: rfc_id, from_name: from.name, to: address };
  const whole = JSON.stringify({ email: { ...known, text } });
  if (Buffer.byteLength(whole) <= max) return whole;
  return JSON.stringify({ email: { ...known, text: null, truncated: true } });
}

/** The newest message that fits, or its reply, among those that a mail of a namespace refers to. */
export async function messageBefore(
  { references }: ReceivedEmail,
  namespaceId: string,
  store: Pick<Store, 'messageIds' | 'messages'>,
  fits: (message: Message) => boolean,
): Promise<Message | undefined> {
  const ids = keptReferences(references).toReversed();
  if (ids.length === 0) return undefined;
  const found = await store.messageIds.find(namespaceId, ids);
  for (const id of ids) {
    const named = found.filter(({ rfc_id }) => rfc_id === id).map(({ message_id }) => message_id);
    const own = ownId(id);
    for (const message_id of own === undefined ? named : [own, ...named]) {
      const message = await store.messages.byId(messageIdOf(message_id));
      if (message !== undefined && fits(message)) return message;
    }
  }
  return undefined;
}

/** The message that one of our own Message-IDs names, by whatever domain. */
function ownId(rfcId: string): string | undefined {
  const [, id = ''] = /^<(msg_[0-9a-z]{20})@/.exec(rfcId) ?? [];
  return isId('msg', id) ? id : undefined;
}
