import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { TaskError } from '../task.ts';
import { fits } from '../text/input.ts';
import { decodeEntities, encodeEntities } from './entities.ts';
import { fromMorse, toMorse } from './morse.ts';

/** The supported encodings. */
export const CODECS = [
  'base64',
  'base64url',
  'base32',
  'hex',
  'binary',
  'url',
  'html',
  'rot13',
  'morse',
  'ascii',
] as const;
export type Codec = (typeof CODECS)[number];

export interface Decoded {
  readonly result: string;
  /** A note for people about the result. */
  readonly note?: string;
}

/** Replaces lone surrogates, which have no bytes. */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  const at = Array.from(text).findIndex((sign) => !sign.isWellFormed());
  throw new TaskError(`Character ${at + 1} is half of a surrogate pair, which has no bytes in UTF-8.`);
}

/** How many bytes one byte of the text may become. */
const GROWTH: { readonly [codec in Codec]: number } = {
  base64: 1.4,
  base64url: 1.4,
  base32: 1.6,
  hex: 2,
  binary: 9,
  url: 1,
  html: 1,
  rot13: 1,
  morse: 1,
  ascii: 4,
};

/** The text in an encoding, at most `max` bytes. Throws TaskError. */
export function encoded(text: string, codec: Codec, max: number): string {
  const bytes = Buffer.from(wellFormed(text));
  fits(bytes.length * GROWTH[codec], max);
  if (codec === 'base64' || codec === 'base64url' || codec === 'hex') return bytes.toString(codec);
  if (codec === 'base32') return toBase32(bytes);
  if (codec === 'binary') return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join(' ');
  if (codec === 'ascii') return Array.from(text, asciiOf).join(' ');
  if (codec === 'rot13') return rot13(text);
  if (codec === 'morse') return bounded(toMorse(text), max);
  if (codec === 'html') return bounded(encodeEntities(text), max);
  const strict = encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return bounded(strict, max);
}

function asciiOf(sign: string): string {
  const code = sign.codePointAt(0) as number;
  if (code < 128) return String(code);
  throw new TaskError(`“${sign}” is not in ASCII; its Unicode code point is ${code}.`);
}

function fromAscii(text: string): string {
  const codes = text.match(/\d+/g) ?? [];
  const strange = /[^\d\s,;]/.exec(text)?.[0] ?? codes.find((code) => Number(code) > 127);
  if (strange !== undefined || codes.length === 0)
    throw new TaskError(`“${strange ?? text}” is no ASCII code: these are 0 to 127.`);
  return String.fromCharCode(...codes.map(Number));
}

function bounded(text: string, max: number): string {
  fits(text.length, max);
  return text;
}

/** The decoded text; bytes that are not UTF-8 are given in hex. Throws TaskError with the place of an error. */
export function decoded(text: string, codec: Codec): Decoded {
  switch (codec) {
    case 'base64':
    case 'base64url':
      return bytesAsText(fromBase64(text));
    case 'base32':
      return bytesAsText(fromBase32(text));
    case 'hex':
      return bytesAsText(fromHex(text));
    case 'binary':
      return bytesAsText(fromBinary(text));
    case 'url':
      return fromUrl(text);
    case 'html':
      return { result: decodeEntities(text) };
    case 'rot13':
      return { result: rot13(text) };
    case 'morse':
      return { result: fromMorse(text) };
    case 'ascii':
      return { result: fromAscii(text) };
  }
}

/** Bytes as text if they are UTF-8, else in hex with a note. */
function bytesAsText(bytes: Buffer): Decoded {
  try {
    return { result: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return {
      result: bytes.toString('hex'),
      note: `These ${bytes.length} bytes are no text in UTF-8; they are given in hex.`,
    };
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BASE32_BITS = new Map(Array.from(BASE32, (sign, value) => [sign, value.toString(2).padStart(5, '0')]));

/** RFC 4648, section 6, with padding. */
function toBase32(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const bits = Array.from(bytes.subarray(at, at + 5), (byte) => byte.toString(2).padStart(8, '0')).join('');
    const signs = bits.match(/.{1,5}/g) ?? [];
    text += signs
      .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)])
      .join('')
      .padEnd(8, '=');
  }
  return text;
}

/** Accepts any case, with or without padding, with line breaks and spaces anywhere. */
function fromBase32(text: string): Buffer {
  const signs = withoutTrailing(text.replace(/\s+/g, ''), '=').toUpperCase();
  const bytes: number[] = [];
  let bits = '';
  for (const [at, sign] of Array.from(signs).entries()) {
    const five = BASE32_BITS.get(sign);
    if (five === undefined) throw new TaskError(`“${sign}” at character ${at + 1} does not belong into base32.`);
    bits += five;
    if (bits.length < 8) continue;
    bytes.push(Number.parseInt(bits.slice(0, 8), 2));
    bits = bits.slice(8);
  }
  return Buffer.from(bytes);
}

/** Accepts both alphabets, with or without padding, with line breaks and spaces anywhere. */
function fromBase64(text: string): Buffer {
  const start = /^\s*data:[^,\s]{0,200};base64,/i.exec(text)?.[0].length ?? 0;
  const plain = text.slice(start);
  const wrong = /[^A-Za-z0-9+/_=\s-]/u.exec(plain);
  if (wrong !== null) {
    throw new TaskError(`“${wrong[0]}” at character ${start + wrong.index + 1} does not belong into base64.`);
  }
  const signs = plain.replace(/\s+/g, '');
  const end = signs.indexOf('=');
  const body = end < 0 ? signs : signs.slice(0, end);
  if (end >= 0 && /[^=]/.test(signs.slice(end))) {
    throw new TaskError(
      `Base64 ends with “=”, but there is more behind the one at character ${plain.indexOf('=') + start + 1}.`,
    );
  }
  if (body.length % 4 === 1) {
    throw new TaskError(
      `Base64 of ${body.length} signs cannot be complete: one is too many, or up to three are missing at its end.`,
    );
  }
  return Buffer.from(body, 'base64');
}

function fromHex(text: string): Buffer {
  const plain = text.replace(/0x|\\x/gi, '  ');
  const wrong = /[^0-9a-f\s:,-]/iu.exec(plain);
  if (wrong !== null) throw new TaskError(`“${wrong[0]}” at character ${wrong.index + 1} is no hexadecimal digit.`);
  const digits = plain.replace(/[^0-9a-f]+/gi, '');
  if (digits.length % 2 === 1) {
    throw new TaskError(
      `There are ${digits.length} hexadecimal digits; two make a byte, so one is missing or too many.`,
    );
  }
  return Buffer.from(digits, 'hex');
}

function fromBinary(text: string): Buffer {
  const plain = text.replace(/0b/gi, '  ');
  const wrong = /[^01\s,_-]/u.exec(plain);
  if (wrong !== null) throw new TaskError(`“${wrong[0]}” at character ${wrong.index + 1} is neither 0 nor 1.`);
  const groups = plain.split(/[\s,_-]+/).filter((group) => group !== '');
  // Groups of up to eight digits are bytes without leading zeros; one run of digits is cut into eights.
  if (groups.length > 1 && groups.every((group) => group.length <= 8)) {
    return Buffer.from(groups.map((group) => Number.parseInt(group, 2)));
  }
  const digits = groups.join('');
  if (digits.length % 8 !== 0) {
    throw new TaskError(
      `There are ${digits.length} binary digits; eight make a byte, so ${8 - (digits.length % 8)} are missing.`,
    );
  }
  return Buffer.from((digits.match(/.{8}/g) ?? []).map((group) => Number.parseInt(group, 2)));
}

/** A "+" stays, because it means a space only in forms. */
function fromUrl(text: string): Decoded {
  const wrong = /%(?![0-9a-f]{2})/i.exec(text);
  if (wrong !== null) {
    throw new TaskError(`The “%” at character ${wrong.index + 1} is not followed by two hexadecimal digits.`);
  }
  try {
    return { result: decodeURIComponent(text) };
  } catch {
    const bytes = Buffer.from(
      wellFormed(text)
        .split(/(%[0-9a-f]{2})/i)
        .map((part) => (/^%[0-9a-f]{2}$/i.test(part) ? part.slice(1) : Buffer.from(part).toString('hex')))
        .join(''),
      'hex',
    );
    return bytesAsText(bytes);
  }
}

const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
