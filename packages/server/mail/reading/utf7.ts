const isUtf7 = (label: string): boolean => /^\s*(?:x-)?(?:unicode-[12]-[01]-)?utf-?7\s*$/i.test(label);

/**
 * A text in UTF-7 (RFC 2152), which the Encoding Standard does not know, as UTF-8; undefined where its label names another
 * charset. Old mail servers of Windows wrote it.
 */
export function utf7As8(
  content: ArrayBuffer | Uint8Array<ArrayBuffer>,
  label: string,
): Uint8Array<ArrayBuffer> | undefined {
  if (!isUtf7(label)) return undefined;
  const text = Buffer.from(content as ArrayBuffer).toString('latin1');
  const read = text.replace(/\+([A-Za-z0-9+/]*)(-?)/g, (all, encoded: string, end: string) => {
    if (encoded === '') return end === '' ? all : '+';
    const bytes = Buffer.from(encoded, 'base64');
    return bytes.length < 2
      ? all
      : bytes
          .subarray(0, bytes.length - (bytes.length % 2))
          .swap16()
          .toString('utf16le');
  });
  return new Uint8Array(Buffer.from(read.toWellFormed()));
}
