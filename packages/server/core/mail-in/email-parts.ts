import { DAY, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isId, messageIdOf } from '@mailroom/behavior/values/ids';
import { MAX_FILES } from '../entities/attachment.ts';
import { isLoopField, keptReferences } from '../entities/email.ts';
import type { Message } from '../entities/message.ts';
import { bytesInWords } from '../entities/storage-size.ts';
import type { Upload } from '../files/uploads.ts';
import type { ReceivedEmail } from '../ports/email-transport.ts';
import type { Store } from '../ports/store.ts';

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

/** A file of a mail that a message cannot have. */
interface NotKept {
  readonly filename: string;
  readonly content_type: string | null;
  readonly size: number;
  /** `too_large`: it alone, or with those that are kept. */
  readonly reason: 'too_large' | 'too_many';
}

/**
 * Stores the files of a mail, and returns those that are too many or too large for a message: pictures within the text
 * are the first ones to be left out. AppError `storage_full`, `unavailable`.
 */
export async function addFiles(upload: Upload, { files }: ReceivedEmail): Promise<readonly NotKept[]> {
  const { max_file, max_files } = upload.limits;
  const reasons = new Map<ReceivedEmail['files'][number], NotKept['reason']>();
  let [count, bytes] = [0, 0];
  for (const file of files.toSorted((one, other) => Number(one.inline) - Number(other.inline))) {
    const size = file.bytes.byteLength;
    if (size > max_file || bytes + size > max_files) reasons.set(file, 'too_large');
    else if (count === MAX_FILES) reasons.set(file, 'too_many');
    else [count, bytes] = [count + 1, bytes + size];
  }
  const omittedFiles: NotKept[] = [];
  for (const [index, file] of files.entries()) {
    const { filename, content_type } = file;
    const reason = reasons.get(file);
    if (reason === undefined)
      await upload.add({ filename, content_type, bytes: [file.bytes] }, `/attachments/${index}`);
    else omittedFiles.push({ filename, content_type, size: file.bytes.byteLength, reason });
  }
  return omittedFiles;
}

/** Files that are named one by one in the text. */
const MAX_NAMED = 20;

/** The text of a mail, with a note that names the files that were not kept. */
export function bodyWith({ body }: ReceivedEmail, omittedFiles: readonly NotKept[]): string {
  if (omittedFiles.length === 0) return body;
  const named = omittedFiles.slice(0, MAX_NAMED).map(({ filename, size }) => `${filename} (${bytesInWords(size)})`);
  const more = omittedFiles.length > MAX_NAMED ? ` and ${omittedFiles.length - MAX_NAMED} more` : '';
  return `${body.trimEnd()}\n\n[Not kept, since a message has at most ${MAX_FILES} files of limited size: ${named.join(', ')}${more}]\n`;
}

/** Files that were not kept, and addresses, that are listed in the data. */
const MAX_LISTED = 100;

/** What of a mail to `address` is not in the message, as JSON text of at most `max` bytes, as far as there is room for it. */
export function emailData(
  { rfc_id, from, text, headers, hidden, date, cc, reply_to }: ReceivedEmail,
  { address, left: omittedFiles }: { readonly address: string; readonly left: readonly NotKept[] },
  max: number,
): string {
  const not_kept = omittedFiles.slice(0, MAX_LISTED);
  const fields = {
    message_id: rfc_id,
    from_name: from.name,
    to: address,
    date: date === null ? null : rfc3339(date),
    cc: cc.slice(0, MAX_LISTED),
    reply_to: reply_to.slice(0, MAX_LISTED),
    ...(omittedFiles.length > 0 && { not_kept }),
  };
  // A loop is recognized in the longest mail too.
  const loops = headers.filter(isLoopField).slice(0, MAX_LISTED);
  const short = loops.length === 0 ? null : loops;
  const rests = [
    { headers, hidden, text },
    { headers: short, hidden, text, truncated: true },
    { headers: short, hidden: null, text, truncated: true },
  ];
  for (const rest of rests) {
    const whole = JSON.stringify({ email: { ...fields, ...rest } });
    if (Buffer.byteLength(whole) <= max) return whole;
  }
  return JSON.stringify({ email: { ...fields, headers: short, hidden: null, text: null, truncated: true } });
}

/** The newest message that fits, or its reply, among those that a mail of a namespace refers to. */
export async function messageBefore(
  references: readonly string[],
  namespaceId: string,
  store: Pick<Store, 'messageIds' | 'messages'>,
  fits: (message: Message) => boolean,
): Promise<Message | undefined> {
  const ids = keptReferences(references).toReversed();
  if (ids.length === 0) return undefined;
  // Most mails answer one of ours, which its own id names.
  const newest = ownId(ids[0] as string);
  const answered = newest === undefined ? undefined : await store.messages.byId(messageIdOf(newest));
  if (answered !== undefined && fits(answered)) return answered;
  const found = await store.messageIds.find(namespaceId, ids);
  for (const id of ids) {
    const named = found.filter(({ rfc_id }) => rfc_id === id).map(({ message_id }) => message_id);
    const own = ownId(id);
    for (const message_id of own === undefined || own === newest ? named : [own, ...named]) {
      const message = await store.messages.byId(messageIdOf(message_id));
      if (message !== undefined && fits(message)) return message;
    }
  }
  return undefined;
}

/** The message that one of our own Message-IDs names, by whatever domain. */
export function ownId(rfcId: string): string | undefined {
  const [, id = ''] = /^<(msg_[0-9a-z]{20})@/.exec(rfcId) ?? [];
  return isId('msg', id) ? id : undefined;
}
