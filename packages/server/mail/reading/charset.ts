import { isAscii, isUtf8 } from 'node:buffer';
import { labelToName, TextDecoder } from '@exodus/bytes/encoding.js';
import { unlabeledCharset } from './unlabeled.ts';

/** Charsets of several bytes a character, of which a short text may be valid UTF-8 by chance. */
const WIDE = /^(?:gbk|gb18030|big5|euc-jp|euc-kr|shift_jis)$/;
/** What switches to Japanese or Korean among bytes of ASCII (RFC 1468, RFC 1557). */
const [ESC, SO, SI] = ['\u001b', '\u000e', '\u000f'];
const JAPANESE = new RegExp(`${ESC}(?:\\$[@B]|\\([IJ])`);
const KOREAN = `${ESC}$)C`;
const SHIFTED = new RegExp(`${SO}([^${SI}\n]*)${SI}?`, 'g');

/** Code pages of Windows and IBM by the labels of the Encoding Standard. */
const PAGES: Readonly<Record<string, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  65001: 'utf-8',
};
/** Labels without their separators that the Encoding Standard has with them, or not at all. */
const SPELLINGS: Readonly<Record<string, string>> = {
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  iso2022jp: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  latin9: 'iso-8859-15',
  shiftjis: 'shift_jis',
  tis620: 'tis-620',
  uhc: 'euc-kr',
  utf8: 'utf-8',
  utf8mb4: 'utf-8',
};

/** The name of the charset that a label stands for by the Encoding Standard, or by its code page; undefined for no charset. */
function charsetName(label: string): string | undefined {
  const bare = label.replace(/^(?:x-ms-|x-|cs)/i, '').replace(/[\s._-]+/g, '');
  const [, page = ''] = /^(?:cp|windows|ms|ibm)(\d{2,5})$/i.exec(bare) ?? [];
  const name = labelToName(label) ?? labelToName(PAGES[page] ?? SPELLINGS[bare.toLowerCase()] ?? bare);
  return name?.toLowerCase();
}

/** Labels that programs write where they know no charset. */
const UNLABELED = /^\s*(?:us-?ascii|default|unknown(?:-?8-?bit)?|x-unknown)\s*$/i;

const standard = (bytes: Uint8Array, label: string): string => new TextDecoder(label).decode(bytes);

/** Sets the high bits of bytes, as EUC has what others mark by shifts. */
const shifted = (text: string): string =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) | 0x80));
/** ISO-2022-KR (RFC 1557): Korean stands between SO and SI. */
const korean = (text: string): string =>
  text.replaceAll(KOREAN, '').replace(SHIFTED, (_, inner: string) => shifted(inner));
/** HZ (RFC 1843): Chinese stands between `~{` and `~}`. */
const chinese = (text: string): string =>
  text.replace(/~(?:~|\r?\n|\{((?:[!-}][!-~])*)(?:~\})?)/g, (all, inner?: string) =>
    inner === undefined ? (all === '~~' ? '~' : '') : shifted(inner),
  );

/** A text of seven bits that is none of ASCII; undefined when it is. */
function sevenBits(bytes: Uint8Array, label: string): string | undefined {
  const hz = /^hz(?:-gb-2312)?$/i.test(label);
  if (!hz && !bytes.includes(0x1b) && !/^(?:cs)?iso-?2022-?kr$/i.test(label)) return undefined;
  const text = Buffer.from(bytes).toString('latin1');
  if (hz) return standard(Buffer.from(chinese(text), 'latin1'), 'gbk');
  if (JAPANESE.test(text)) return standard(bytes, 'iso-2022-jp');
  return text.includes(KOREAN) || text.includes(SO)
    ? standard(Buffer.from(korean(text), 'latin1'), 'euc-kr')
    : undefined;
}

const isWhole = (bytes: Uint8Array, label: string): boolean => !standard(bytes, label).includes('\ufffd');

/** The charset of a text that says ISO-2022-JP and has eight bits. */
const japanese = (bytes: Uint8Array): string => (isWhole(bytes, 'euc-jp') ? 'euc-jp' : 'shift_jis');

/** Whether a text that is valid UTF-8 is so by more than chance, where its label names another charset. */
function isMeant(utf8: string, bytes: Uint8Array, name: string): boolean {
  if (name === 'windows-1252') return true;
  if (WIDE.test(name)) return /[\u0800-\uffff]/.test(utf8) || !isWhole(bytes, name);
  return name === 'iso-2022-jp' || /[^\0-\x7f][\0-\x7f]*[^\0-\x7f]/.test(utf8);
}

/**
 * The text of bytes in the charset that a label stands for by the Encoding Standard, or in ISO-2022-KR or HZ; where it is
 * certainly another one, in that: escapes of seven bits, and valid UTF-8 beyond ASCII, are known whatever a label says. What
 * names none, or says UTF-8 without a single valid character beyond ASCII, is known by its letters, or of Windows.
 */
export function decodedText(content: ArrayBuffer | Uint8Array, label: string): string {
  const bytes = new Uint8Array(content as ArrayBuffer);
  const name = charsetName(label.trim());
  // A blank of UTF-16 has a zero.
  if (name?.startsWith('utf-16') && !(isUtf8(bytes) && bytes.includes(0x20) && !bytes.includes(0)))
    return standard(bytes, name);
  if (isAscii(bytes)) return sevenBits(bytes, label.trim()) ?? Buffer.from(bytes).toString('latin1');
  const utf8 = isUtf8(bytes) ? standard(bytes, 'utf-8') : undefined;
  const guessed = (): string => standard(bytes, unlabeledCharset(bytes) ?? 'windows-1252');
  if (name === undefined || name === 'replacement' || UNLABELED.test(label)) return utf8 ?? guessed();
  if (name === 'utf-8') {
    if (utf8 !== undefined) return utf8;
    const text = standard(bytes, 'utf-8');
    return /[^\0-\x7f\ufffd]/.test(text) ? text : guessed();
  }
  if (utf8 !== undefined && isMeant(utf8, bytes, name)) return utf8;
  return standard(bytes, name === 'iso-2022-jp' ? japanese(bytes) : name);
}

const WORD = /=\?([^?\s]{1,60})\?([QB])\?([^?]*)\?=/gi;

const wordBytes = (encoding: string, text: string): Buffer =>
  /b/i.test(encoding)
    ? // Programs join words of which each has its padding.
      Buffer.concat(text.split(/(?<==)(?=[^=])/).map((piece) => Buffer.from(piece, 'base64')))
    : Buffer.from(
        text
          .replace(/=[ \t]+/g, '')
          .replaceAll('_', ' ')
          .replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
        'latin1',
      );

/** What ends a word of a name (RFC 5322, section 3.2.3), which programs leave in encoded words (RFC 2047, section 5). */
const SPECIAL = /["(),:;<>[\]\\]/;
/** Padding within base64, and a break within quoted-printable. */
const JOINED = /\?B\?[^?]*=[^=?]|[^?]=[ \t]/i;
/** Whether encoded words hold a special that is no part of an address, or were joined or broken. */
const isSpecial = (field: string): boolean => (SPECIAL.test(field) && !field.includes('@')) || JOINED.test(field);

/** Whether encoded words in UTF-8 can be read one by one. */
const isPlain = (label: string, pieces: readonly Buffer[]): boolean =>
  /^utf-?8$/i.test(label) && pieces.every((bytes) => isUtf8(bytes));

/**
 * A header field whose encoded words are all in UTF-8 and end with a character each (RFC 2047, section 5); programs name
 * other charsets and cut words inside a character.
 */
export function withUtf8Words(field: string): string {
  const words = [...field.matchAll(WORD)];
  let [text, from] = ['', 0];
  for (let index = 0; index < words.length; index += 1) {
    const [first, charset = '', encoding = '', content = ''] = words[index] as RegExpExecArray;
    const start = (words[index] as RegExpExecArray).index;
    let end = start + first.length;
    const pieces = [wordBytes(encoding, content)];
    for (let next = words[index + 1]; next !== undefined; next = words[index + 1]) {
      if (next[1]?.toLowerCase() !== charset.toLowerCase() || field.slice(end, next.index).trim() !== '') break;
      pieces.push(wordBytes(next[2] ?? '', next[3] ?? ''));
      end = next.index + next[0].length;
      index += 1;
    }
    const label = charset.replace(/\*.*/, '');
    const written = field.slice(start, end);
    const whole =
      isPlain(label, pieces) && !isSpecial(written)
        ? written
        : `=?utf-8?B?${Buffer.from(decodedText(Buffer.concat(pieces), label)).toString('base64')}?=`;
    text += field.slice(from, start) + whole;
    from = end;
  }
  return text + field.slice(from);
}

/** An encoded word that sections of a parameter cut (RFC 2231, section 3), of which neither allows the other. */
const CUT_WORD =
  /(=\?[^?\s]{1,60}\?[QB]\?[^?";]*)((?:"?[ \t]{0,4};[ \t]{0,4}[\w-]{1,40}\*\d{1,3}="?[^?";]*)+)(?=\?=)/gi;
const SECTION = /"?[ \t]{0,4};[ \t]{0,4}[\w-]{1,40}\*\d{1,3}="?/g;

/** A header field whose encoded words are each within one section of a parameter. */
export const withWholeWords = (field: string): string =>
  field.replace(CUT_WORD, (_, start: string, rest: string) => start + rest.replace(SECTION, ''));

/** A parameter with its charset and its encoded sections (RFC 2231, sections 3 and 4). */
const EXTENDED = /([\w-]{1,40})(\*(?:0\*)?=)\s?"?([\w.:-]{2,40})'[\w-]{0,20}'([^;"]*)"?((?:\s?;\s?\1\*\d+\*=[^;]*)*)/gi;

/** A header field whose extended parameters are all in UTF-8. */
export const withUtf8Parameters = (field: string): string =>
  field.replace(EXTENDED, (all, name: string, sign: string, label: string, value: string, rest: string) => {
    if (/^utf-?8$/i.test(label)) return all;
    const sections = rest.replace(/\s?;\s?[\w-]{1,40}\*\d+\*=\s?"?([^;"]*)"?/g, '$1');
    const bytes = (value + sections).replace(/%([\da-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    return `${name}${sign}utf-8''${encodeURIComponent(decodedText(Buffer.from(bytes, 'latin1'), label).toWellFormed())}`;
  });
