import PostalMime from 'postal-mime';
import { unfoldFlowed } from './flowed.ts';

interface Decoder {
  update(line: Uint8Array): void;
  finalize(): Promise<ArrayBuffer>;
}

/** The class of the parts of a mail, which `postal-mime` does not export. */
interface Part {
  contentDecoder: Decoder | null;
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

/**
 * Changes how `postal-mime` 4.0.0 reads parts: it joins an answer to the quoted line before it in `format=flowed`, and
 * takes 10 µs a line for text without an encoding, because it makes a `Blob` of them.
 */
export function changePostalMime(): void {
  const { root } = new PostalMime() as unknown as { readonly root: Part };
  const part = Object.getPrototypeOf(root) as Part;
  const { setupContentDecoder } = part;
  part.decodeFlowedText = unfoldFlowed;
  part.setupContentDecoder = function (this: Part, encoding) {
    setupContentDecoder.call(this, encoding);
    if (this.contentDecoder?.constructor.name === 'PassThroughDecoder') this.contentDecoder = new Lines();
  };
}
