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

const LF = 0x0a;
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

/** The lines of a part that has no encoding. */
class Lines implements Decoder {
  readonly #bytes = new Bytes();

  update(line: Uint8Array): void {
    this.#bytes.push(line, LF);
  }

  async finalize(): Promise<ArrayBuffer> {
    return this.#bytes.take();
  }
}

/** The value of a hexadecimal digit; -1 for another byte. */
function digitOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x37 : -1;
}

/** A part in quoted-printable (RFC 2045, section 6.7); what is none of it stays as it is. */
class QuotedPrintable implements Decoder {
  readonly #bytes = new Bytes();

  update(line: Uint8Array): void {
    const soft = line.length > 0 && line[line.length - 1] === EQUALS;
    const end = soft ? line.length - 1 : line.length;
    let from = 0;
    for (let at = line.indexOf(EQUALS); at >= 0 && at + 2 < end; at = line.indexOf(EQUALS, at + 1)) {
      const [high, low] = [digitOf(line[at + 1]), digitOf(line[at + 2])];
      if (high < 0 || low < 0) continue;
      this.#bytes.push(line.subarray(from, at), (high << 4) | low);
      from = at + 3;
      at += 2;
    }
    this.#bytes.push(line.subarray(from, end), soft ? undefined : LF);
  }

  async finalize(): Promise<ArrayBuffer> {
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
  let at = 0;
  for (const chunk of this.chunks) {
    all.set(new Uint8Array(chunk), at);
    at += chunk.byteLength;
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

/**
 * Changes how `postal-mime` 4.0.0 reads parts: it joins an answer to the quoted line before it in `format=flowed`,
 * takes 10 µs a line for text without an encoding, because it makes a `Blob` of them, and believes every charset. A part
 * in quoted-printable costs it 100 KiB, so that every sixtieth mail caused a collection of the whole heap.
 */
export function changePostalMime(): void {
  const { root } = new PostalMime() as unknown as { readonly root: Part };
  const part = Object.getPrototypeOf(root) as Part;
  const { setupContentDecoder, getTextContent } = part;
  part.decodeFlowedText = unfoldFlowed;
  part.setupContentDecoder = function (this: Part, encoding) {
    if (/base64/i.test(encoding)) {
      setupContentDecoder.call(this, encoding);
      if (this.contentDecoder !== null) this.contentDecoder.finalize = joined;
    } else this.contentDecoder = /quoted-printable/i.test(encoding) ? new QuotedPrintable() : new Lines();
  };
  part.getTextContent = function (this: Part) {
    const { params } = this.contentType.parsed;
    const utf8 = this.content === null ? undefined : utf7As8(this.content, params.charset ?? '');
    if (utf8 !== undefined) [this.content, params.charset] = [utf8, 'utf-8'];
    const charset = this.content === null ? undefined : actualCharset(this.content, params.charset ?? '');
    if (charset !== undefined) params.charset = charset;
    return getTextContent.call(this);
  };
}
