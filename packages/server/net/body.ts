import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export interface Bytes {
  readonly bytes: Buffer;
  /** Whether there was more. */
  readonly cut: boolean;
}

/** The accepted codings. Zstandard is left out: it may need 128 MiB before its first byte. */
export const ACCEPT_ENCODING = 'gzip, br';

/** The coding is not supported. */
export class UnknownCoding extends Error {}

/** Bytes that a coding may add to a body, such as headers of a format. */
const MAX_OVERHEAD = 64 * 1024;
/** Pieces of a body, of which each takes time: a server may send a byte in each. */
const MAX_PIECES = 20_000;
const FIRST_BYTES = 4_096;

/**
 * Reads up to `max` bytes of a body, counted after decompression, and 20,000 pieces; the rest is neither read nor
 * decompressed. A coded body may be 64 KiB longer than that on the wire. Ends the body.
 */
export async function readBody(body: Readable, coding: string, max: number): Promise<Bytes> {
  let kept = Buffer.alloc(0);
  let [length, pieces, received] = [0, 0, 0];
  let cut = false;
  async function* limited(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      received += chunk.length;
      cut ||= received > max + MAX_OVERHEAD;
      if (cut) return;
      yield chunk;
    }
  }
  try {
    const inflate = inflater(coding);
    // Errors are thrown by the loop below, and the body ends with it.
    const source = inflate === undefined ? body : pipeline(body, limited, inflate, () => undefined);
    for await (const chunk of source as AsyncIterable<Buffer>) {
      pieces += 1;
      const end = Math.min(max, length + chunk.length);
      if (end > kept.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(max, Math.max(FIRST_BYTES, 2 * kept.length, end)));
        kept.copy(larger, 0, 0, length);
        kept = larger;
      }
      cut ||= length + chunk.length > max || pieces >= MAX_PIECES;
      chunk.copy(kept, length, 0, end - length);
      length = end;
      if (cut) break;
    }
  } finally {
    body.on('error', () => undefined);
    body.destroy();
  }
  return { bytes: kept.subarray(0, length), cut };
}

function inflater(coding: string): Transform | undefined {
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      // The beginning of a body that the server cut off is still useful.
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new UnknownCoding();
  }
}

/** `type/subtype` in lower case and the charset of a Content-Type; each '' when there is none. */
export function mediaType(header: string): { readonly type: string; readonly charset: string } {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header)?.[1] ?? '';
  return { type: /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '', charset };
}

/** Decodes by the byte order mark, or else the given charset, or else what HTML declares in its first KiB, or else UTF-8. */
export function decode({ bytes, cut }: Bytes, { type, charset }: ReturnType<typeof mediaType>): string {
  const bom =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : '';
  const head = /html|xml/.test(type) ? bytes.toString('latin1', 0, 1024) : '';
  const said = /<meta[^>]+charset\s*=\s*["']?([\w-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(head);
  const decoder = decoderOf(bom || charset || said?.[1] || said?.[2] || 'utf-8');
  // A character split by the cut is left out.
  return withoutNul(decoder.decode(bytes, { stream: cut }));
}

/** U+FFFD in place of U+0000. By its units, because a body of nothing else would take `replaceAll` seconds and gigabytes. */
function withoutNul(text: string): string {
  if (!text.includes('\0')) return text;
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at) || 0xfffd;
  return Buffer.from(units.buffer).toString('utf16le');
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
