import { wellFormed } from './values/well-formed.ts';

/** Maximum bytes of a reply's `body` and `data` together, as sent: JSON in UTF-8. */
export const MAX_REPLY = 1024 * 1024;
/** Bytes that are always left for the body of a reply with long data. */
const MIN_BODY = 1024;
/** Maximum bytes of the reason why a message failed or was rejected. */
const MAX_DETAIL = 8 * 1024;
/** The most bytes that a UTF-16 unit takes as sent: escaped in a text, unchanged in finished JSON. */
const MAX_UNIT_BODY = 6;
const MAX_UNIT_DATA = 3;

/** A reply as it is stored: `data` is JSON text. */
export interface ReplyText {
  readonly body: string;
  readonly data: string | null;
}

/**
 * The reply as every store can keep it, within `max` bytes: a long body is cut and says so at its end; data that has no
 * room becomes an object with `cut: true` and its length, because half of it would be read as something else.
 */
export function limitedReply(body: string, data: string | null, max: number): ReplyText {
  const text = wellFormed(body);
  if (text.length * MAX_UNIT_BODY + (data?.length ?? 0) * MAX_UNIT_DATA <= max) return { body: text, data };
  const dataBytes = data === null ? 0 : Buffer.byteLength(data);
  const bodyBytes = sentBytes(text);
  if (dataBytes + bodyBytes <= max) return { body: text, data };
  const kept = data === null || dataBytes + Math.min(bodyBytes, MIN_BODY) <= max ? data : cutData(dataBytes, max);
  const room = max - (kept === null ? 0 : Buffer.byteLength(kept));
  if (kept === data) return { body: cutText(text, room), data };
  return {
    body: cutText(text, room, `\n\n[The data of this answer is left out: ${tooLong(dataBytes, max)}]`),
    data: kept,
  };
}

/** The reason as it is stored and shown, at most 8 KiB. */
export const limitedDetail = (detail: string): string => cutText(wellFormed(detail), MAX_DETAIL);

/** Bytes of a text as sent. */
export const sentBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The beginning of a text that fits in `max` bytes as sent, with a note when it was cut; `more` is always appended. */
export function cutText(text: string, max: number, more = ''): string {
  const whole = text + more;
  if (whole.length * MAX_UNIT_BODY <= max || sentBytes(whole) <= max) return whole;
  const note = `\n\n[Cut: ${tooLong(sentBytes(text), max)}]${more}`;
  return limited(text, max - sentBytes(note)) + note;
}

/** The longest beginning of a well-formed text with at most `max` bytes as sent; never splits a surrogate pair. */
function limited(text: string, max: number): string {
  // The text is sent between two quotes.
  let freeBytes = max - 2;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const pair = code >= 0xd800 && code < 0xdc00;
    freeBytes -= pair ? 4 : code >= 0x800 ? 3 : code >= 0x80 ? 2 : asciiBytes(code);
    if (freeBytes < 0) return text.slice(0, index);
    if (pair) index++;
  }
  return text;
}

/** Bytes of an ASCII character in JSON (RFC 8259, section 7). */
const asciiBytes = (code: number): number =>
  code === 34 || code === 92 || (code >= 8 && code <= 13 && code !== 11) ? 2 : code < 32 ? 6 : 1;

const tooLong = (bytes: number, max: number): string => `it has ${bytes} bytes, and ${max} are allowed.`;

const cutData = (bytes: number, max: number): string =>
  JSON.stringify({ cut: true, bytes, limit: max, note: 'The data was larger than a reply may be and was left out.' });
