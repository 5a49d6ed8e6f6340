import { isAscii, isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { unfoldFlowed } from './flowed.ts';
import { utf7As8 } from './utf7.ts';

interface Decoder {
  update(line: Uint8Array): void;
  finalize(): Promise<ArrayBuffer>;
}

/** The class of the parts of a mail, which `postal-mime` does not export. */
interface Part {
  content: ArrayBuffer | Uint8Array<ArrayBuffer> | null;
  readonly contentType: { readonly parsed: { readonly params: { charset?: string | undefined } } };
  contentDecoder: Decoder | null;
  getTextContent(): string;
  decodeFlowedText(text: string, deleteSpace: boolean): string;
  setupContentDecoder(encoding: string): void;
}

/** The class of the library, with the method that makes a file of a part. */
interface Parser {
  readonly attachments: { content: ArrayBuffer | Uint8Array | string }[];
  collectAttachment(part: Part, content: ArrayBuffer, related: boolean, tooDeep: boolean): void;
}

const CR = 0x0d;
const EQUALS = 0x3d;

/** Bytes that grow in number. */
class Bytes {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  /** Appends some, then one more. */
  push(bytes: Uint8Array, last: number | undefined): void {
    const end = this.#length + bytes.length + 1;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = end - 1;
    if (last === undefined) return;
    this.#bytes[end - 1] = last;
    this.#length = end;
  }

  take(): ArrayBuffer {
    const { buffer } = this.#bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    return buffer;
  }
}

/**
 * Where the content of a part ends, in the bytes of the mail, of which the library cuts each line without its end. The last
 * line end before a delimiter belongs to that (RFC 2046, section 5.1.1), the one at the end of the mail to the content.
 */
function endOfContent(last: Uint8Array): number {
  const bytes = new Uint8Array(last.buffer);
  const end = last.byteOffset + last.length;
  let offset = end;
  while (bytes[offset] === CR) offset += 1;
  if (offset + 1 >= bytes.length) return bytes.length;
  return offset > end ? offset - 1 : offset;
}

/** A part that has no encoding: its bytes as they stand in the mail. */
class Plain implements Decoder {
  #first: Uint8Array | undefined;
  #last: Uint8Array | undefined;

  update(line: Uint8Array): void {
    this.#first ??= line;
    this.#last = line;
  }

  async finalize(): Promise<ArrayBuffer> {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return new ArrayBuffer(0);
    return (last.buffer as ArrayBuffer).slice(first.byteOffset, endOfContent(last));
  }
}

/** The value of a hexadecimal digit; -1 for another byte. */
function digitOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;

/**
 * A part in quoted-printable (RFC 2045, section 6.7); what is none of it stays as it is. Blanks behind a soft break were
 * added on the way.
 */
class QuotedPrintable implements Decoder {
  readonly #bytes = new Bytes();
  #last: Uint8Array | undefined;
  #soft = true;

  update(line: Uint8Array): void {
    this.#breakBefore(line.byteOffset);
    this.#last = line;
    let visible = line.length;
    while (isBlank(line[visible - 1])) visible -= 1;
    this.#soft = line[visible - 1] === EQUALS;
    const end = this.#soft ? visible - 1 : line.length;
    let from = 0;
    for (
      let offset = line.indexOf(EQUALS);
      offset >= 0 && offset + 2 < end;
      offset = line.indexOf(EQUALS, offset + 1)
    ) {
      const [high, low] = [digitOf(line[offset + 1]), digitOf(line[offset + 2])];
      if (high < 0 || low < 0) continue;
      this.#bytes.push(line.subarray(from, offset), (high << 4) | low);
      from = offset + 3;
      offset += 2;
    }
    this.#bytes.push(line.subarray(from, end), undefined);
  }

  /** Appends the end of the line before, up to a place in the mail, as the mail has it. */
  #breakBefore(offset: number): void {
    if (this.#soft || this.#last === undefined) return;
    const { buffer, byteOffset, length } = this.#last;
    this.#bytes.push(new Uint8Array(buffer, byteOffset + length, offset - byteOffset - length), undefined);
  }

  async finalize(): Promise<ArrayBuffer> {
    if (this.#last !== undefined) this.#breakBefore(endOfContent(this.#last));
    return this.#bytes.take();
  }
}

/** The decoder of the library for base64. */
interface Base64 extends Decoder {
  readonly chunks: readonly ArrayBuffer[];
  flushRemainder(): void;
}

async function joined(this: Base64): Promise<ArrayBuffer> {
  this.flushRemainder();
  const all = new Uint8Array(this.chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const chunk of this.chunks) {
    all.set(new Uint8Array(chunk), offset);
    offset += chunk.byteLength;
  }
  return all.buffer;
}

/** The charset that a label stands for by the Encoding Standard; undefined when it knows none. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

/**
 * The charset in which a text can be read, where that is certainly not the one that its mail names; else undefined. A text
 * of a Western or an unknown charset that is valid UTF-8 beyond ASCII is UTF-8, and one that says UTF-8 without a single
 * character beyond ASCII that is valid is of Windows.
 */
function actualCharset(content: ArrayBuffer | Uint8Array<ArrayBuffer>, label: string): string | undefined {
  if (isAscii(content)) return undefined;
  const named = encodingOf(label === '' ? 'utf-8' : label);
  if (named === 'windows-1252' || named === undefined) return isUtf8(content) ? 'utf-8' : undefined;
  if (named !== 'utf-8' || isUtf8(content)) return undefined;
  return /[^\0-\x7f\ufffd]/.test(new TextDecoder().decode(content)) ? undefined : 'windows-1252';
}

/** A text as the library would read it: each line ends with a line feed, the last one too. */
function withLineFeeds(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
}

/**
 * Changes how `postal-mime` 4.0.0 reads parts: it joins an answer to the quoted line before it in `format=flowed`,
 * takes 10 µs a line for text without an encoding, because it makes a `Blob` of them, and believes every charset. Of
 * files it changes the ends of lines, and of calendars the charset too. A part in quoted-printable costs it 100 KiB, so that every sixtieth mail caused a collection of the whole heap.
 */
export function changePostalMime(): void {
  const { root } = new PostalMime() as unknown as { readonly root: Part };
  const part = Object.getPrototypeOf(root) as Part;
  const parser = PostalMime.prototype as unknown as Parser;
  const { collectAttachment } = parser;
  parser.collectAttachment = function (this: Parser, from, content, ...more) {
    collectAttachment.call(this, from, content, ...more);
    const file = this.attachments.at(-1);
    if (file !== undefined) file.content = content;
  };
  const { setupContentDecoder, getTextContent } = part;
  part.decodeFlowedText = unfoldFlowed;
  part.setupContentDecoder = function (this: Part, encoding) {
    if (/base64/i.test(encoding)) {
      setupContentDecoder.call(this, encoding);
      if (this.contentDecoder !== null) this.contentDecoder.finalize = joined;
    } else this.contentDecoder = /quoted-printable/i.test(encoding) ? new QuotedPrintable() : new Plain();
  };
  part.getTextContent = function (this: Part) {
    const { params } = this.contentType.parsed;
    const utf8 = this.content === null ? undefined : utf7As8(this.content, params.charset ?? '');
    if (utf8 !== undefined) [this.content, params.charset] = [utf8, 'utf-8'];
    const charset = this.content === null ? undefined : actualCharset(this.content, params.charset ?? '');
    if (charset !== undefined) params.charset = charset;
    return withLineFeeds(getTextContent.call(this));
  };
}
