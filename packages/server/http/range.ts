/** The bytes of a range, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The range that a request asks for (RFC 9110, section 14): null for a range outside of the `size` bytes, undefined for
 * the whole, which also answers several ranges, other units, and an `If-Range` for another version.
 */
export function rangeOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  size: number,
  etag: string,
): Range | null | undefined {
  const { range } = headers;
  const condition = headers['if-range'];
  if (typeof range !== 'string' || (condition !== undefined && condition !== etag)) return undefined;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? null : { from, to: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether `If-None-Match` names this version (RFC 9110, section 13.1.2). */
export function isKnown(given: string | string[] | undefined, etag: string): boolean {
  const etags = String(given ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  return etags.includes(etag) || etags.includes('*');
}

/** `Content-Disposition: attachment` with a name in ASCII and, where that differs, the whole (RFC 6266, RFC 8187). */
export function attachmentDisposition(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const whole = `attachment; filename="${ascii}"`;
  if (ascii === filename) return whole;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/gu,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${whole}; filename*=UTF-8''${encoded}`;
}
