import { isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { decodedText, withUtf8Parameters, withUtf8Words, withWholeWords } from './charset.ts';
import { unfoldFlowed } from './flowed.ts';
import { utf7As8 } from './utf7.ts';

interface Decoder {
  update(line: Uint8Array): void;
  finalize(): Promise<ArrayBuffer>;
}

interface PartParameters {
  readonly charset?: string;
  readonly name?: string;
  readonly format?: string;
  readonly delsp?: string;
}

/** The class of the parts of a mail, which `postal-mime` does not export. */
interface Part {
  content: ArrayBuffer | Uint8Array<ArrayBuffer> | null;
  readonly state: 'header' | 'body' | 'finished';
  headerLines: string[];
  readonly parentNode?: Part;
  readonly childNodes: readonly Part[];
  readonly contentType: {
    readonly parsed: { value: string; readonly params: PartParameters };
    readonly multipart: string | false;
  };
  readonly contentDisposition: {
    readonly parsed: { readonly value: string; readonly params: { readonly filename?: string } };
  };
  contentDecoder: Decoder | null;
  getTextContent(): string;
  setupContentDecoder(encoding: string): void;
  parseStructuredHeader(field: string): unknown;
  processHeaders(): void;
  feed(line: Uint8Array): void;
}

/** The class of the library, with the method that makes a file of a part. */
interface Parser {
  readonly attachments: { content: ArrayBuffer | Uint8Array | string }[];
  isInlineTextNode(part: Part): boolean;
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

/** A part in base64 (RFC 2045, section 6.8), with the lines that a mailing list has added below a text as they are. */
class Encoded implements Decoder {
  readonly #base64: Base64;
  readonly #footer = new Plain();
  #length = 0;
  #isAtEnd = false;
  #hasFooter = false;

  readonly #isText: boolean;

  constructor(base64: Base64, isText: boolean) {
    this.#base64 = base64;
    this.#isText = isText;
  }

  update(line: Uint8Array): void {
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1').trimEnd();
    const isOther = /[^A-Za-z0-9+/=]/.test(text);
    // What begins with something else was never encoded.
    this.#hasFooter ||= isOther && (this.#isAtEnd || (this.#isText && this.#length === 0 && /[^\w\s+/=-]/.test(text)));
    if (this.#hasFooter) this.#footer.update(line);
    if (this.#hasFooter || text === '') return;
    this.#isAtEnd = text.endsWith('=') || text.length < this.#length;
    this.#length ||= text.length;
    // RFC 4648, section 5.
    this.#base64.update(isOther ? Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'latin1') : line);
  }

  async finalize(): Promise<ArrayBuffer> {
    this.#base64.flushRemainder();
    const lineFeed = this.#length > 0 ? [new TextEncoder().encode('\n').buffer] : [];
    const footer = this.#hasFooter && this.#isText ? [...lineFeed, await this.#footer.finalize()] : [];
    return new Blob([...this.#base64.chunks, ...footer]).arrayBuffer();
  }
}

/** The charset that HTML names itself, where its part names none. */
const META = /<(?:meta\s[^>]{0,200}?charset|\?xml\s[^>]{0,100}?encoding)\s{0,3}=\s{0,3}["']?([\w.:-]{2,40})/i;
const metaCharset = (content: ArrayBuffer | Uint8Array): string | undefined =>
  META.exec(Buffer.from(content as ArrayBuffer).toString('latin1', 0, 4_096))?.[1];

/** A field of a part whose first parameter has no semicolon before it, and paths of Windows whose backslashes are not doubled. */
const withSeparators = (field: string): string =>
  field
    .replace(/^([^\s;,="]{1,100})[\s,]+(?=[\w*-]{1,40}=)/, '$1; ')
    .replace(
      /(="(?:[a-z]:|\\(?=\\\w)))((?:\\[^"\\]+)+)(?=")/gi,
      (_, start: string, path: string) => start + path.replaceAll('\\', '\\\\'),
    );

/** Types of texts that a program reads. */
const DATA =
  /^text\/(?:calendar|csv|tab-separated-values|rfc822-headers|(?:x-)?v(?:card|calendar)|directory|css|xml|(?:java|ecma)script|x-amp-html|watch-html)$/;
const SHOWN = /^text\/(?:plain|html)$/;

/** Whether a part is a text that its reader reads: any text that is not named as a file (RFC 2046, section 4.1.4). */
function isText({ contentType, contentDisposition, parentNode }: Part): boolean {
  const { value, params } = contentType.parsed;
  const { value: disposition, params: named } = contentDisposition.parsed;
  if (disposition === 'attachment' || !value.startsWith('text/') || DATA.test(value)) return false;
  const siblings = parentNode?.contentType.multipart === 'alternative' ? parentNode.childNodes : [];
  // Another form of a text that is there.
  if (!SHOWN.test(value) && siblings.some((one) => SHOWN.test(one.contentType.parsed.value))) return false;
  const name = (named.filename ?? params.name ?? '').trim();
  if (name === '' || parentNode === undefined || siblings.length > 0) return true;
  return named.filename === undefined && parentNode.childNodes[0]?.contentType === contentType;
}

/** Types by which programs mean a text, and HTML. */
const MEANS_TEXT = /^(?:(?:message|application)\/(?:plain|text)|plain\/text|text\/?)$/;
const MEANS_HTML = /^(?:html|html\/text|(?:application|message)\/x?html(?:\+xml)?)$/;

/** The type of a part. One that is none is that of a text (RFC 2045, section 5.2), unless it is that of a file. */
function typeOf(written: string, isFile: boolean): string {
  const type = written.replace(/\s/g, '');
  if (isFile) return type;
  if (MEANS_HTML.test(type)) return 'text/html';
  const isNone = !type.includes('/') && !/^(?:application|image|audio|video|message|font)$/.test(type);
  return isNone || MEANS_TEXT.test(type) ? 'text/plain' : type;
}

/** Header fields of which those with encoded words stand on one line each. */
function foldedFields(lines: readonly string[]): string[] {
  const fields: string[][] = [];
  for (const line of lines) {
    const last = fields.at(-1);
    if (last !== undefined && /^[ \t]/.test(line)) last.push(line);
    else fields.push([line]);
  }
  return fields.flatMap((field) => (field.some((line) => line.includes('=?')) ? [field.join('')] : field));
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
  parser.isInlineTextNode = isText;
  const { setupContentDecoder, parseStructuredHeader, processHeaders, feed } = part;
  part.feed = function (this: Part, line) {
    const raw = this.state === 'header' && (line.includes(0x1b) || !isUtf8(line));
    feed.call(this, raw ? new Uint8Array(Buffer.from(decodedText(line, ''))) : line);
  };
  part.processHeaders = function (this: Part) {
    this.headerLines = foldedFields(this.headerLines).map((field) => withUtf8Words(withWholeWords(field)));
    processHeaders.call(this);
  };
  part.parseStructuredHeader = function (this: Part, field) {
    return parseStructuredHeader.call(this, withUtf8Parameters(withSeparators(field)));
  };
  part.setupContentDecoder = function (this: Part, encoding) {
    const { parsed } = this.contentType;
    const isFile = Boolean(parsed.params.name ?? this.contentDisposition.parsed.params.filename);
    parsed.value = typeOf(parsed.value, isFile);
    if (/base-?64|\bb64\b/i.test(encoding)) {
      setupContentDecoder.call(this, 'base64');
      const isText = parsed.value.startsWith('text/');
      if (this.contentDecoder !== null) this.contentDecoder = new Encoded(this.contentDecoder as Base64, isText);
    } else this.contentDecoder = /\bquoted|\bqp\b/i.test(encoding) ? new QuotedPrintable() : new Plain();
  };
  part.getTextContent = function (this: Part) {
    const { content, contentType } = this;
    const { params, value } = contentType.parsed;
    if (content === null) return '';
    const named = /^us-?ascii$/i.test(params.charset ?? '') ? '' : params.charset;
    const charset = named || (value === 'text/html' ? metaCharset(content) : undefined) || '';
    const text = decodedText(utf7As8(content, charset) ?? content, charset);
    const isFlowed = /^flowed$/i.test(params.format ?? '');
    return withLineFeeds(isFlowed ? unfoldFlowed(text, /^yes$/i.test(params.delsp ?? '')) : text);
  };
}
