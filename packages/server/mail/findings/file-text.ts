import { decodedText } from '../reading/charset.ts';

/** A file as its author names it. */
export interface NamedFile {
  readonly filename: string;
  readonly content_type: string;
}

/** Bytes by which a file without a byte order mark is known to be UTF-16. */
const SNIFFED = 512;

/** The label of UTF-16 where each second byte is zero, as of most texts in it; undefined elsewhere. */
function wideCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const begin = bytes.subarray(0, SNIFFED);
  const zeros = [0, 0];
  for (const [place, byte] of begin.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd * 4 >= begin.length && even === 0) return 'utf-16le';
  return even * 4 >= begin.length && odd === 0 ? 'utf-16be' : undefined;
}

/** The text of a file by its bytes, whatever its type says; undefined where it is none. */
export function textOfFile({ content_type }: NamedFile, bytes: Uint8Array): string | undefined {
  const wide = wideCharset(bytes);
  if (wide === undefined && bytes.includes(0)) return undefined;
  const named = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(content_type)?.[1];
  const text = decodedText(bytes, wide ?? named ?? 'utf-8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Whether a text of a file is HTML, by its type, its name or how it begins. */
export const isHtml = ({ filename, content_type }: NamedFile, text: string): boolean =>
  /^(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i.test(content_type) ||
  /\.(?:x?html?|svg)$/i.test(filename) ||
  /^\s{0,100}<(?:!doctype html|html)\b/i.test(text.slice(0, 200));
