import { isAscii, isUtf8 } from 'node:buffer';
import PostalMime from 'postal-mime';
import { unfoldFlowed } from './flowed.ts';

interface Decoder {
  update(line: Uint8Array): void;
  finalize(): Promise<ArrayBuffer>;
}

/** The class of the parts of a mail, which `postal-mime` does not export. */
interface Part {
  readonly content: ArrayBuffer | Uint8Array<ArrayBuffer> | null;
  readonly contentType: { readonly parsed: { readonly params: { charset?: string | undefined } } };
  contentDecoder: Decoder | null;
  getTextContent(): string;
  decodeFlowedText(text: string, deleteSpace: boolean): string;
  setupContentDecoder(encoding: string): void;
}

const LF = 0x0a;

/** The lines of a part that has no encoding. */
class Lines implements Decoder {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  update(line: Uint8Array): void {
    const end = this.#length + line.length + 1;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(line, this.#length);
    this.#bytes[end - 1] = LF;
    this.#length = end;
  }

  async finalize(): Promise<ArrayBuffer> {
    const { buffer } = this.#bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    return buffer;
  }
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
 * takes 10 µs a line for text without an encoding, because it makes a `Blob` of them, and believes every charset.
 */
export function changePostalMime(): void {
  const { root } = new PostalMime() as unknown as { readonly root: Part };
  const part = Object.getPrototypeOf(root) as Part;
  const { setupContentDecoder, getTextContent } = part;
  part.decodeFlowedText = unfoldFlowed;
  part.setupContentDecoder = function (this: Part, encoding) {
    setupContentDecoder.call(this, encoding);
    if (this.contentDecoder?.constructor.name === 'PassThroughDecoder') this.contentDecoder = new Lines();
  };
  part.getTextContent = function (this: Part) {
    const { params } = this.contentType.parsed;
    const charset = this.content === null ? undefined : actualCharset(this.content, params.charset ?? '');
    if (charset !== undefined) params.charset = charset;
    return getTextContent.call(this);
  };
}
