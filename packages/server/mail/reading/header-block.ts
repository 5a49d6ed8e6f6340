import { isUtf8 } from 'node:buffer';
import { decodedText } from './charset.ts';
import { unlabeledCharset } from './unlabeled.ts';

/** The maximum number of bytes of headers that are read. */
const MAX_HEADER_BYTES = 512 * 1024;
/** The maximum number of bytes of one header field; longer ones are left out when the headers are too large. */
const MAX_FIELD_BYTES = 64 * 1024;
/** The maximum number of lines of all headers, and of one: some libraries take quadratic time for a field's lines. */
const MAX_HEADER_LINES = 20_000;
const MAX_FIELD_LINES = 2_000;
/** Signatures are tried one by one, each with a look-up (RFC 6376, section 6.1, leaves the number to us). */
const MAX_SIGNATURES = 10;

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;

/** A header field with its continuation lines and line break. */
export interface HeaderField {
  /** In lower case, without the blanks that may stand before the colon (RFC 5322, section 4.5); the whole line where it has none. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Where the first empty line ends, or the end. */
export function endOfHeaders(raw: Buffer): number {
  for (let offset = 0; offset < raw.length; ) {
    const end = raw.indexOf(LF, offset);
    if (end < 0) return raw.length;
    if (end === offset || (end === offset + 1 && raw[offset] === CR)) return end + 1;
    offset = end + 1;
  }
  return raw.length;
}

function* fieldsOf(block: Buffer): Generator<HeaderField> {
  for (let offset = 0; offset < block.length; ) {
    let end = block.indexOf(LF, offset);
    while (end >= 0 && (block[end + 1] === 0x20 || block[end + 1] === 0x09)) end = block.indexOf(LF, end + 1);
    const next = end < 0 ? block.length : end + 1;
    const bytes = block.subarray(offset, next);
    const colon = bytes.indexOf(COLON);
    const name = bytes.toString('latin1', 0, colon < 0 ? bytes.length : colon);
    yield { name: name.trim().toLowerCase(), bytes };
    offset = next;
  }
}

/** The header fields of a mail, from the first to the last. */
export const headerFields = (raw: Buffer): readonly HeaderField[] => [...fieldsOf(raw.subarray(0, endOfHeaders(raw)))];

/** The mail without the header fields of these names. */
export function withoutFields(raw: Buffer, isLeftOut: (name: string) => boolean): Buffer {
  const kept = headerFields(raw).filter(({ name }) => !isLeftOut(name));
  return Buffer.concat([...kept.map(({ bytes }) => bytes), raw.subarray(endOfHeaders(raw))]);
}

function linesOf(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}

/** A mail whose headers are small enough to read. */
export interface BoundedMail {
  readonly raw: Buffer;
  /** Fields were left out, so no signature of it can be checked. */
  readonly headers_cut: boolean;
}

/** The mail without its large header fields, and without the last ones, when its headers are too large. */
export function withBoundedHeaders(raw: Buffer): BoundedMail {
  const end = endOfHeaders(raw);
  const block = raw.subarray(0, end);
  const kept: Buffer[] = [];
  let [size, lines, cut] = [0, 0, false];
  // Fewer lines than one field may have need no closer look.
  if (end <= MAX_HEADER_BYTES && linesOf(block) <= MAX_FIELD_LINES) return { raw, headers_cut: false };
  for (const { bytes } of fieldsOf(block)) {
    const fieldLines = linesOf(bytes);
    if (bytes.length <= 2) continue;
    if (bytes.length > MAX_FIELD_BYTES || fieldLines > MAX_FIELD_LINES) cut = true;
    else if (size + bytes.length > MAX_HEADER_BYTES || lines + fieldLines > MAX_HEADER_LINES) cut = true;
    else {
      kept.push(bytes);
      size += bytes.length;
      lines += fieldLines;
    }
  }
  if (!cut) return { raw, headers_cut: false };
  return { raw: Buffer.concat([...kept, Buffer.from('\r\n'), raw.subarray(end)]), headers_cut: true };
}

/** Bytes of the parts of a mail that are searched for a charset. */
const MAX_SEARCHED = 64 * 1024;
const CHARSET = /charset\*?="?(?!utf-?8|us-ascii)([\w.:-]{2,40})/i;

/**
 * The mail with its header fields in UTF-8 (RFC 6532): old programs write names and subjects in the charset of the
 * text, and name none.
 */
export function withUtf8Headers(raw: Buffer): Buffer {
  const end = endOfHeaders(raw);
  const block = raw.subarray(0, end);
  if (isUtf8(block)) return raw;
  const [, charset] = CHARSET.exec(raw.toString('latin1', 0, end + MAX_SEARCHED)) ?? [];
  const fields = [...fieldsOf(block)].map(({ bytes }) => {
    if (isUtf8(bytes)) return bytes;
    return Buffer.from(decodedText(bytes, unlabeledCharset(bytes) ?? charset ?? 'windows-1252'));
  });
  return Buffer.concat([...fields, raw.subarray(end)]);
}

/** The mail with the topmost signatures alone, and whether there were more. */
export function withBoundedSignatures(raw: Buffer): { readonly raw: Buffer; readonly signatures_cut: boolean } {
  const end = endOfHeaders(raw);
  const block = raw.subarray(0, end);
  let count = 0;
  const kept = [...fieldsOf(block)].filter(({ name }) => name !== 'dkim-signature' || ++count <= MAX_SIGNATURES);
  if (count <= MAX_SIGNATURES) return { raw, signatures_cut: false };
  return { raw: Buffer.concat([...kept.map(({ bytes }) => bytes), raw.subarray(end)]), signatures_cut: true };
}

/**
 * The mail with CRLF for each line feed that stands alone, as a signature counts it.
 */
export function withCrlf(raw: Buffer): Buffer {
  let bare = 0;
  for (let at = raw.indexOf(LF); at >= 0; at = raw.indexOf(LF, at + 1)) if (raw[at - 1] !== CR) bare++;
  if (bare === 0) return raw;
  const whole = Buffer.allocUnsafeSlow(raw.length + bare);
  let to = 0;
  let from = 0;
  for (let lineFeed = raw.indexOf(LF); lineFeed >= 0; lineFeed = raw.indexOf(LF, lineFeed + 1)) {
    if (raw[lineFeed - 1] === CR) continue;
    to += raw.copy(whole, to, from, lineFeed);
    to += whole.write('\r\n', to, 'latin1');
    from = lineFeed + 1;
  }
  raw.copy(whole, to, from);
  return whole;
}

/**
 * The mail in the form in which a relaxed signature counts it (RFC 6376, section 3.4), so that all mails by which that
 * signature passes are one: no fields over several lines, one blank for several, none at the end of a line, but for the
 * separator of a signature of its author.
 */
export function withRelaxedBlanks(raw: Buffer): Buffer {
  const end = endOfHeaders(raw);
  const header = raw.toString('latin1', 0, end).replace(/\r?\n(?=[ \t])/g, '');
  const lines = (header + raw.toString('latin1', end)).replace(/[ \t]+/g, ' ');
  return Buffer.from(lines.replace(/(?<!\n--) (?=\r?\n)/g, ''), 'latin1');
}

/** Limits of what is read; each line and each part costs memory, however short it is. */
const MAX_LINES = 1_500_000;
const MAX_PARTS = 1_000;
/** Lines that may begin a part: `--` begins a line of many programs too. */
const MAX_DASHED = 20_000;
const DASHES = Buffer.from('\n--');
/** The first header of a part, or the empty line of a part that has none. */
const BEGINNING = /^(?:\r?\n|[!-9;-~]{1,70}:)/;

/** Whether a mail has so many lines or parts that reading them costs too much memory. */
export function isTooLong(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf(LF); at >= 0; at = raw.indexOf(LF, at + 1)) if (++lines > MAX_LINES) return true;
  let dashed = 0;
  let parts = 0;
  for (let at = raw.indexOf(DASHES); at >= 0; at = raw.indexOf(DASHES, at + 1)) {
    if (++dashed > MAX_DASHED) return true;
    const end = raw.indexOf(LF, at + 1);
    if (end < 0) break;
    if (BEGINNING.test(raw.toString('latin1', end + 1, end + 80)) && ++parts > MAX_PARTS) return true;
  }
  return false;
}
