import { type Clock, type Millis, rfc3339 } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { isLive, type Key } from '../entities/key.ts';
import { GONE, labelsIn, TRASH } from '../entities/label.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import type { Message } from '../entities/message.ts';
import type { StoredMails } from '../mail-out/stored-mails.ts';
import type { Store } from '../ports/store.ts';
import { messagesOfMailbox } from './export.ts';

/** What an export of a mailbox reads. */
export interface MboxParts {
  readonly store: Store;
  readonly storedMails: Pick<StoredMails, 'of'>;
  readonly clock: Clock;
}

/** The suggested name of the file. */
export const mboxName = ({ local_part, namespace }: Mailbox, at: Millis): string =>
  `${local_part}@${namespace}-${rfc3339(at).slice(0, 10)}.mbox`;

/**
 * The view of a mailbox up to `exportTime` as an mbox file (RFC 4155, in the form mboxrd): what it received and wrote,
 * oldest first, without its trash. Rejects with AppError `invalid_key` when `callerKey` is revoked meanwhile.
 */
export async function* mboxOf(
  { store, storedMails, clock }: MboxParts,
  mailbox: Mailbox,
  callerKey: Key,
  exportTime: Millis,
): AsyncGenerator<Uint8Array> {
  for await (const messages of messagesOfMailbox(store, mailbox.id, exportTime)) {
    // A revoked key ends the export at once.
    const key = await store.keys.byId(callerKey.id);
    if (key === undefined || !isLive(key, clock())) throw new AppError('invalid_key', 'This key was revoked.');
    for (const message of messages) {
      if (isThrownAway(message, mailbox.id)) continue;
      yield Buffer.from(separator(message));
      yield* quoted(await storedMails.of(message, mailbox.id));
    }
  }
}

const isThrownAway = (message: Message, mailboxId: string): boolean => {
  const labels = labelsIn(message, mailboxId);
  return labels.includes(TRASH) || labels.includes(GONE);
};

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The line before a mail: an address, and the time in UTC as asctime() writes it (RFC 4155, appendix A). */
function separator({ sender_kind: kind, sender_id: id, created_at }: Message): string {
  const address = kind === 'email' && id !== null && /^[\x21-\x7e]+$/.test(id) ? id : 'MAILER-DAEMON';
  const sentAt = new Date(created_at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = `${DAYS[sentAt.getUTCDay()]} ${MONTHS[sentAt.getUTCMonth()]} ${String(sentAt.getUTCDate()).padStart(2)}`;
  const time = `${two(sentAt.getUTCHours())}:${two(sentAt.getUTCMinutes())}:${two(sentAt.getUTCSeconds())}`;
  return `From ${address} ${date} ${time} ${sentAt.getUTCFullYear()}\n`;
}

const [LF, GREATER] = [10, 62];
const FROM = Buffer.from('From ');
const MARK = Buffer.from('>');

/** A mail with one more `>` before each line that begins with `From ` behind any number of them, and an empty line. */
async function* quoted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // How much of `From ` the line has so far behind its marks; null once it begins otherwise.
  let matched: number | null = 0;
  let last = LF;
  for await (const chunk of bytes) {
    let begin = 0;
    for (let offset = 0; offset < chunk.length; offset++) {
      const octet = chunk[offset] as number;
      if (matched === null) {
        // A search for the end of the line is faster than a step for each octet.
        const end = chunk.indexOf(LF, offset);
        if (end < 0) break;
        offset = end;
        matched = 0;
      } else if (octet === FROM[matched]) {
        // The octets before are held back, since the mark goes in front of them.
        if (matched === 0 && offset > begin) yield chunk.subarray(begin, offset);
        if (matched === 0) begin = offset;
        matched++;
        if (matched < FROM.length) {
          if (offset === chunk.length - 1) begin = chunk.length;
          continue;
        }
        yield MARK;
        yield FROM;
        begin = offset + 1;
        matched = null;
      } else if (matched > 0) {
        // Held back from a chunk before, or from this one.
        yield FROM.subarray(0, matched);
        begin = offset;
        matched = null;
        offset--;
      } else if (octet !== GREATER) matched = octet === LF ? 0 : null;
    }
    if (begin < chunk.length) yield chunk.subarray(begin);
    last = chunk.at(-1) ?? last;
  }
  if (matched !== null && matched > 0) yield FROM.subarray(0, matched);
  yield Buffer.from(last === LF ? '\n' : '\n\n');
}
