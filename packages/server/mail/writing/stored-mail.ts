import type { StoredMail } from '../../core/ports/email-transport.ts';
import { attached, encodingOf, parties } from './compose.ts';
import { boundedReferences, cutSubject, isMessageId, oneLine, wireAddress } from './headers.ts';

/** A field name (RFC 5322, section 2.2) of bounded length. */
const FIELD = /^[\x21-\x39\x3b-\x7e]{1,76}$/;
/** A mail is attached as one, for which its bytes are needed at once. */
const IS_MAIL = /^message\/rfc822$/i;

/** Where no address can be written: a domain that never exists (RFC 2606, section 2). */
const NO_ADDRESS = 'unknown@mailroom.invalid';

/** As `WriteStoredMail`: in plain text as it is stored, with the HTML of its author and the files. */
export async function* writeStoredMail(mail: StoredMail): AsyncGenerator<Uint8Array> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const { in_reply_to: answered, html } = mail;
  const inReplyTo = answered !== null && isMessageId(answered) ? answered : undefined;
  const references = boundedReferences(mail.references, answered);
  const text = mail.text.toWellFormed().replace(/\r\n?|\n/g, '\r\n');
  const files: Parameters<typeof attached>[0][] = [];
  for (const { filename: name, content_type: type, bytes } of mail.files)
    files.push({ name, type, content: IS_MAIL.test(type) ? await joined(bytes) : bytes });
  const composer = new MailComposer({
    from: { name: oneLine(mail.from.name), address: wireAddress(mail.from.address) ?? NO_ADDRESS },
    ...(mail.to.length > 0 && { to: parties(mail.to) }),
    ...(mail.cc.length > 0 && { cc: parties(mail.cc) }),
    ...(mail.bcc.length > 0 && { bcc: parties(mail.bcc) }),
    ...(mail.reply_to.length > 0 && { replyTo: parties(mail.reply_to) }),
    ...(isMessageId(mail.rfc_id) && { messageId: mail.rfc_id }),
    date: new Date(mail.date),
    subject: cutSubject(oneLine(mail.subject)),
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references: references.join(' ') }),
    headers: mail.headers
      .filter(({ name }) => FIELD.test(name))
      .map(({ name, value }) => ({ key: name, value: oneLine(value) })),
    text: { content: Buffer.from(text), contentType: 'text/plain', contentTransferEncoding: encodingOf(text) },
    ...(html !== undefined && {
      html: { content: Buffer.from(html), contentType: 'text/html', contentTransferEncoding: encodingOf(html) },
    }),
    attachments: files.map(attached),
    normalizeHeaderKey,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const node = composer.compile();
  node.keepBcc = true;
  let last = 0;
  for await (const chunk of node.createReadStream() as AsyncIterable<Buffer>) {
    yield chunk;
    last = chunk.at(-1) ?? last;
  }
  if (last !== LF) yield Buffer.from('\r\n');
}

/** As it is usual, and as it is documented. */
const normalizeHeaderKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^[a-z]|-[a-z]/g, (initial) => initial.toUpperCase())
    .replace(/^Mime-/, 'MIME-')
    .replace(/^(Message|Content)-Id$/, '$1-ID');

const LF = 10;

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}
