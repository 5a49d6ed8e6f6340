import { Unzip, UnzipInflate } from 'fflate';

/** What is read of an archive: the names of its files, and the texts of those that are texts. */
export interface ArchiveContent {
  readonly names: readonly string[];
  readonly text: string;
}

/** Bytes of all texts, and files, that are read; an archive may grow a thousandfold. */
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_ENTRIES = 1_000;
/** Bytes that are unpacked at a time, which grow to four MiB at most. */
const SLICE = 4 * 1024;

/** Files that are no text, or say nothing: pictures, fonts, styles and the settings of a document. */
const SKIPPED =
  /\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|emf|wmf|mp[34]|mov|wav|ogg|ttf|otf|woff2?|zip|gz|xz|7z|exe|dll|so|pdf|rels)$|^(?:word|ppt|xl)\/(?:theme|styles|settings|fontTable|webSettings|numbering|media|fonts)/i;

/** Whether these are the first bytes of a ZIP archive (APPNOTE.TXT, section 4.3.7), as a document of Office is too. */
export const isArchive = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;

/** Reads the beginning of an archive; what is encrypted, damaged or cut off has no text. */
export function archiveContent(bytes: Uint8Array): ArchiveContent {
  const names: string[] = [];
  const parts: Uint8Array[] = [];
  let length = 0;
  const unzip = new Unzip((file) => {
    if (names.length >= MAX_ENTRIES) return;
    names.push(file.name.slice(0, 1_000));
    if (SKIPPED.test(file.name)) return;
    file.ondata = (error, data) => {
      if (error !== null || length >= MAX_TEXT) return;
      length += data.length;
      parts.push(data);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length && length < MAX_TEXT && names.length < MAX_ENTRIES; at += SLICE)
      unzip.push(bytes.subarray(at, at + SLICE), at + SLICE >= bytes.length);
  } catch {
    // What was read before it broke is searched.
  }
  return { names, text: Buffer.concat(parts).toString('utf8', 0, MAX_TEXT) };
}
