import { AppError } from '@mailroom/behavior/values/error';
import { PoolError } from '@mailroom/workers/pool';
import type { Bounce } from '../../core/mail-out/email-bounces.ts';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import { networkOf } from '../../http/authenticate.ts';
import type { Complaint, ReadMail } from './read-mail.ts';
import type { MailReader, MailSource } from './reader.ts';

/** The mail, or why it is refused for good, and what it reports about mails that were sent. */
type ReadEmail = ({ readonly email: ReceivedEmail } | { readonly refused: string }) & {
  readonly bounces: readonly Bounce[];
  readonly complaint: Complaint | null;
};

/** Reads a mail as it was received. AppError `unavailable` when many are being read. */
export async function readEmail(reader: MailReader, source: MailSource, signal: AbortSignal): Promise<ReadEmail> {
  const mail = await readOrNone(reader, source, signal);
  if (mail === undefined) return { bounces: [], complaint: null, refused: 'It takes too much time or memory to read.' };
  const { bounce: bounces, complaint } = mail;
  if (mail.policy === 'reject')
    return {
      bounces,
      complaint,
      refused: 'The domain of its sender asks to refuse mail that it did not authenticate.',
    };
  if (mail.from === null)
    return { bounces, complaint, refused: 'It needs exactly one address in From (RFC 5322, section 3.6.2).' };
  return { bounces, complaint, email: receivedOf(mail, mail.from, source) };
}

/** Undefined for a mail that takes too much time or memory. */
export const readOrNone = (reader: MailReader, source: MailSource, signal: AbortSignal) =>
  reader.read(source, signal).catch((error: unknown) => {
    if (error instanceof PoolError && (error.reason === 'timeout' || error.reason === 'crashed')) return undefined;
    if (error instanceof PoolError) throw new AppError('unavailable', 'Many mails are being read. Try again later.');
    throw error;
  });

/** The mail as the core knows it. */
export const receivedOf = (mail: ReadMail, from: ReceivedEmail['from'], source: MailSource): ReceivedEmail => ({
  raw: source.raw,
  rfc_id: mail.message_id,
  references: [...mail.references, ...mail.in_reply_to],
  subject: mail.subject === '' ? null : mail.subject,
  date: mail.date === null ? null : Date.parse(mail.date),
  from,
  reply_to: mail.reply_to,
  to: mail.to,
  cc: mail.cc,
  forwarded: mail.forwarded,
  body: mail.body,
  html_body: mail.html_body,
  text: mail.text,
  headers: mail.headers,
  hidden: mail.hidden,
  files: mail.attachments.map(({ name, ...file }) => ({ ...file, filename: name })),
  authentication: mail.authentication,
  network: source.ip === null ? null : networkOf(source.ip),
  written_to: mail.written_to,
  sha256: mail.sha256,
  signed_sha256: mail.signed_sha256,
  signed_at: mail.signed_at,
  not_answered: mail.automatic ?? (mail.policy === 'quarantine' ? 'quarantine' : null),
});
