import type { AttachedFiles } from '@mailroom/behavior';
import type { AttachedFile } from '@mailroom/behavior/message';

/** Bytes of a file that is read as text; a message's body may have as many. */
const MAX_TEXT_FILE = 256 * 1024;

/** The text of a file, or why it is not read. */
export type FileText = { readonly text: string } | { readonly unread: string };

/** Whether a file has one of these media types, or its name one of these extensions. */
export function isFileOf(
  { filename, content_type }: AttachedFile,
  types: readonly string[],
  extensions: readonly string[],
): boolean {
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = filename.toLowerCase();
  return types.includes(type) || extensions.some((extension) => name.endsWith(extension));
}

/** Reads a file as UTF-8, with all its line ends and without changing anything else in it. */
export async function textOfFile(files: AttachedFiles, file: AttachedFile): Promise<FileText> {
  const bytes = await bytesOf(files, file);
  if (bytes === undefined) return TOO_LONG;
  const text = decoded(bytes, 'utf-8', true);
  return text === undefined ? { unread: 'it is not UTF-8 text' } : { text };
}

/**
 * Reads a file in the charset that its byte order mark or its media type names, else in UTF-8; without the mark. Bytes that
 * are no text in it are refused, so that nothing is read wrong.
 */
export async function textInCharset(files: AttachedFiles, file: AttachedFile): Promise<FileText> {
  const bytes = await bytesOf(files, file);
  if (bytes === undefined) return TOO_LONG;
  const named = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(file.content_type)?.[1];
  const charset = markOf(bytes) ?? named ?? 'utf-8';
  const text = decoded(bytes, charset, false);
  if (text === undefined) {
    const other = named === undefined ? ', and its type names no other charset' : '';
    return { unread: `it is no text in ${charset.toUpperCase()}${other}` };
  }
  return text.includes('\0') ? { unread: 'it holds bytes that are no text' } : { text };
}

const TOO_LONG: FileText = { unread: 'it is longer than 256 KiB' };

/** Undefined above `MAX_TEXT_FILE`. */
async function bytesOf(files: AttachedFiles, file: AttachedFile): Promise<Buffer | undefined> {
  if (file.size > MAX_TEXT_FILE) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.open(file.id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The charset of a byte order mark (WHATWG Encoding, section "BOM sniff"). */
function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

/** Undefined when the bytes are not of this charset, or it is not known. */
function decoded(bytes: Uint8Array, charset: string, ignoreBOM: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return undefined;
  }
}
