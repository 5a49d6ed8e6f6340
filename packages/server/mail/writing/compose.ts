import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { yieldToEventLoop } from '@mailroom/behavior/values/yield-to-event-loop';
import {
  boundedReferences,
  cutSubject,
  isMessageId,
  oneLine,
  type Party,
  replySubject,
  wireAddress,
} from './headers.ts';
import { type AnswerMarks, mailHtml, type Signature } from './html.ts';

/** A file that goes with a mail. */
interface MailAttachment {
  readonly name: string;
  /** Its media type; one that is no media type is sent as `application/octet-stream`. */
  readonly type: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** What a mail says, and of whom to whom. */
export interface MailInput {
  /** Its Message-ID, with the angle brackets; of a mail that is sent twice the same. */
  readonly id: string;
  readonly from: Party;
  /** The address that it is sent to; the only one of To, unless `recipients` says otherwise. */
  readonly to: string;
  readonly recipients?: { readonly to: readonly string[]; readonly cc: readonly string[] } | undefined;
  /** Where answers go, if not to `from`. */
  readonly reply_to?: readonly string[] | undefined;
  /** Header fields of its author's: names as RFC 5322 has them, values without line breaks. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** That of the mail that is answered, with or without `Re:`; of a mail that answers none as it is. */
  readonly subject: string;
  /** The Message-ID of the mail that is answered. */
  readonly in_reply_to: string | null;
  /** The Message-IDs of the mails before, oldest first; those that no header can hold are left out. */
  readonly references: readonly string[];
  readonly markdown: string;
  /** How the HTML shows the answer, if not as its Markdown. */
  readonly marks?: AnswerMarks | undefined;
  /** HTML instead of that of the Markdown. */
  readonly html?: string | undefined;
  readonly signature?: Signature | undefined;
  readonly attachments?: readonly MailAttachment[];
  /** `Auto-Submitted` (RFC 3834, section 5); null: a person wrote it. */
  readonly automatic: 'auto-replied' | 'auto-generated' | null;
  readonly date: Date;
}

/** The fields of a mail cannot be written as one. */
export class NotAMail extends Error {
  override readonly name = 'NotAMail';
}

/** Prevents automatic answers to an automatic mail (MS-OXCMAIL, section 2.2.3.2.14), but not notices of its failure. */
const SUPPRESSED = 'DR, RN, NRN, OOF, AutoReply';
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}(?:;[\x20-\x7e]{0,200})?$/i;
/** Nested mails and multiparts may not be encoded (RFC 2046, section 5.2.1), so bytes that need it are sent as a file. */
const OPAQUE = /^(?:message|multipart)\//i;
const MAX_NAME = 200;
const MAX_EXTENSION = 20;
/** Octets that are encoded without a pause. */
const CHUNK = 64 * 1024;

/**
 * Writes a mail (RFC 5322) with lines of at most 998 octets that end with CRLF: the Markdown as plain text without its marks, its HTML and
 * the attachments. Everything but an address outside ASCII is written in ASCII, so no server on the way changes it.
 * Nothing is read from files or URLs. Rejects with NotAMail, or as a stream of an attachment does.
 */
export async function composeMail(input: MailInput): Promise<Buffer> {
  const [from, to] = [wireAddress(input.from.address), wireAddress(input.to)];
  const replyTo = parties(input.reply_to);
  const { to: toAll = [input.to], cc = [] } = input.recipients ?? {};
  if (from === undefined || to === undefined) throw new NotAMail('an address is not one of mail');
  if (!isMessageId(input.id)) throw new NotAMail('the id is not a Message-ID');
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const inReplyTo = input.in_reply_to !== null && isMessageId(input.in_reply_to) ? input.in_reply_to : undefined;
  const references = boundedReferences(input.references, input.in_reply_to);
  // A text that was corrected is shown as it is, whatever it would mean as Markdown.
  const unmarked = input.marks?.kind === 'corrections' ? input.markdown : withoutMarks(input.markdown);
  const text = plainText(unmarked, input.signature);
  const markup = input.html ?? (await mailHtml(input.markdown.toWellFormed(), input.marks, input.signature));
  const composer = new MailComposer({
    from: { name: oneLine(input.from.name), address: from },
    to: parties(toAll),
    ...(cc.length === 0 ? {} : { cc: parties(cc) }),
    ...(replyTo.length === 0 ? {} : { replyTo }),
    messageId: input.id,
    date: input.date,
    subject: input.in_reply_to === null ? cutSubject(oneLine(input.subject)) : replySubject(input.subject),
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(references.length === 0 ? {} : { references: references.join(' ') }),
    headers: {
      ...input.headers,
      ...(input.automatic !== null && {
        'Auto-Submitted': input.automatic,
        'X-Auto-Response-Suppress': SUPPRESSED,
      }),
    },
    text: { content: Buffer.from(text), contentType: 'text/plain', contentTransferEncoding: encodingOf(text) },
    html: { content: Buffer.from(markup), contentType: 'text/html', contentTransferEncoding: encodingOf(markup) },
    attachments: (input.attachments ?? []).map(attached),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** Those of these addresses that mail can name. */
export const parties = (addresses: readonly string[] = []): { name: string; address: string }[] =>
  addresses
    .map(wireAddress)
    .filter((address) => address !== undefined)
    .map((address) => ({ name: '', address }));

/** The Markdown with the signature after the separator of RFC 3676, section 4.3. */
function plainText(markdown: string, signature: Signature | undefined): string {
  const text = markdown.toWellFormed().replace(/\r\n?|\n/g, '\r\n');
  if (signature === undefined) return text;
  return `${text.trimEnd()}\r\n\r\n-- \r\n${oneLine(signature.name)} · ${oneLine(signature.url)}\r\n`;
}

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** Markdown as a mail program shows plain text: without its marks (CommonMark), but with code as it is. */
function withoutMarks(markdown: string): string {
  let fenced = false;
  const lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    else if (fenced) lines.push(line);
    else lines.push(except(CODE, '\ufffe', line.replace(/^ {0,3}#{1,6}[ \t]+/, ''), proseOf));
  }
  return lines.join('\n');
}

/** Code between backticks, and the character that stands for it. */
const CODE = /(?<![`\\])`([^`]+)`(?!`)|\ufffe/g;
/** Links, and the character that stands for one. */
const URLS = /\bhttps?:\/\/[^\s<>()*[\]]{1,2000}|\uffff/g;

/** Changes a text but for what `kept` finds, of which the first group stays; `mark` stands for it meanwhile. */
function except(kept: RegExp, mark: string, text: string, change: (text: string) => string): string {
  const pieces: string[] = [];
  const marked = text.replace(kept, (all: string, inner?: string) => {
    pieces.push(typeof inner === 'string' ? inner : all);
    return mark;
  });
  return change(marked).replaceAll(mark, () => pieces.shift() ?? mark);
}

/** Text outside code without marks of emphasis and links, and without the backslashes before punctuation (section 2.4). */
const proseOf = (text: string): string =>
  except(
    URLS,
    '\uffff',
    text.replace(
      /(?<!\\)\[([^\][]{1,200})\]\(((?:https?|mailto):[^()\s]{1,2000})\)/g,
      (_, words: string, url: string) => (words === url ? url : `${words} (${url})`),
    ),
    withoutEmphasis,
  );

const withoutEmphasis = (text: string): string =>
  text
    .replace(/(?<![\\*])\*\*(?=[^\s*])([^*]{1,1000})(?<![\s\\])\*\*(?!\*)/g, '$1')
    .replace(/(?<![\\*\p{L}\p{N}])\*(?=[^\s*])([^*]{1,1000})(?<![\s\\])\*(?![*\p{L}\p{N}])/gu, '$1')
    .replace(/(?<![\\_\p{L}\p{N}])(__?)(?=[^\s_])([^_]{1,1000})(?<![\s\\])\1(?![_\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1');

/** Both keep spaces at line ends and long lines; base64 is the shorter one for a text that has few ASCII letters. */
export function encodingOf(text: string): 'base64' | 'quoted-printable' {
  const sample = text.slice(0, 100_000);
  return sample.replace(/\p{ASCII}+/gu, '').length > sample.length / 5 ? 'base64' : 'quoted-printable';
}

/** Encoding a large file at once would delay everything else by a second. */
async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK) {
    if (at > 0) await yieldToEventLoop();
    yield content.subarray(at, at + CHUNK);
  }
}

export function attached({ name, type, content }: MailAttachment) {
  const filename = fileName(name);
  if (/^message\/rfc822$/i.test(type) && content instanceof Uint8Array && fitsSevenBit(content))
    return {
      filename,
      contentType: 'message/rfc822',
      contentDisposition: 'attachment',
      contentTransferEncoding: '7bit',
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    };
  return {
    filename,
    contentType: MEDIA_TYPE.test(type) && !OPAQUE.test(type) ? type : 'application/octet-stream',
    contentDisposition: 'attachment',
    contentTransferEncoding: 'base64',
    content: Readable.from(content instanceof Uint8Array ? inChunks(content) : content, { objectMode: false }),
  };
}

/**
 * Whether these octets need no encoding: ASCII without NUL, in lines of at most 998 that end with CRLF, which all others
 * would be changed to (RFC 2045, section 2.7).
 */
function fitsSevenBit(bytes: Uint8Array): boolean {
  let [length, last] = [0, 0];
  for (const octet of bytes) {
    if (octet === 0 || octet > 127 || (octet === LF) !== (last === CR)) return false;
    length = octet === LF ? 0 : length + 1;
    if (length > 999) return false;
    last = octet;
  }
  return last !== CR;
}

const [LF, CR] = [10, 13];

/** A long name keeps its extension, by which programs open the file. */
function fileName(name: string): string {
  const plain = oneLine(name).replace(/[/\\]/g, '_');
  const end = extname(plain).slice(0, MAX_EXTENSION);
  return plain.length <= MAX_NAME ? plain || 'attachment' : plain.slice(0, MAX_NAME - end.length).toWellFormed() + end;
}
