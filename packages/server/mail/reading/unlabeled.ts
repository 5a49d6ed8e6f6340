import { TextDecoder } from '@exodus/bytes/encoding.js';

/** Bytes that are looked at. */
const MAX_BYTES = 4_096;
/** Letters by whose number a script is known. */
const MIN_LETTERS = 6;
/** Consecutive bytes beyond ASCII that no text in a Latin script has. */
const RUN = /[\x80-\xff]{4,}/;

const decoded = (bytes: Uint8Array, charset: string): string => new TextDecoder(charset).decode(bytes);
const countOf = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;
const isWhole = (text: string): boolean => !text.includes('\ufffd');

/**
 * Whether bytes are certainly Chinese in GBK: they stand in pairs, nearly all of which are the common characters and the
 * punctuation of GB 2312, beyond those that Korean has there too.
 */
function isChinese(latin1: string): boolean {
  const runs = latin1.match(/[\x80-\xff]+/g) ?? [];
  if (runs.some((run) => run.length % 2 === 1)) return false;
  const pairs = runs.flatMap((run) => run.match(/../g) ?? []);
  const common = pairs.filter((pair) => /^[\xa1\xa3\xb0-\xd7][\xa1-\xfe]$/.test(pair));
  return common.length >= 0.9 * pairs.length && common.some((pair) => pair >= '\xc9' && pair < '\xd8');
}

/** Charsets of several bytes a character, in the order in which they are tried: what a text in each is made of. */
const WIDE: readonly {
  readonly charset: string;
  readonly script: RegExp;
  readonly common: RegExp;
  readonly share: number;
}[] = [
  {
    charset: 'shift_jis',
    script: /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g,
    common: /[\u3041-\u30fc]/g,
    share: 0.2,
  },
  { charset: 'euc-jp', script: /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]/g, common: /[\u3041-\u30fc]/g, share: 0.2 },
  {
    charset: 'euc-kr',
    script: /[\uac00-\ud7a3\u3000-\u303f]/g,
    common: /[이다는을를가에하의고한지로니요안기사도들나어서인대해시그세아여있것습은녕일자부정]/g,
    share: 0.3,
  },
  {
    charset: 'big5',
    script: /[\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]/g,
    common:
      /[的一是不我有大在人了中到資要可以這個你會好為上來學也用能如時文說沒他看那問生過下請天們所多小想得還電出工對都機自後子訊去心只家知國台很信成何同道地發法無然但嗎當於本現年前真最和新因果定意情點題其事方件謝您公司回覆關]/g,
    share: 0.25,
  },
];

/** Charsets of a byte a character: the letters of a script, and the most frequent of them in its languages. */
const NARROW: readonly {
  readonly charset: string;
  readonly script: RegExp;
  readonly common: RegExp;
  readonly share: number;
}[] = [
  ...['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'].map((charset) => ({
    charset,
    script: /[\u0400-\u04ff]/g,
    // In the wrong one of them capitals are small.
    common: /[оеаинтсрвлкмдпу]/g,
    share: 0.6,
  })),
  { charset: 'windows-1253', script: /[\u0370-\u03ff]/g, common: /[αοιετσνηυρπκμςλόίάέ]/g, share: 0.7 },
  { charset: 'windows-1255', script: /[\u05b0-\u05ea]/g, common: /[יוהלאתרמשבנ]/g, share: 0.65 },
  { charset: 'windows-1256', script: /[\u0600-\u06ff]/g, common: /[اليمنورتبهةعدسفك]/g, share: 0.7 },
  { charset: 'windows-874', script: /[\u0e00-\u0e7f]/g, common: /[านรกอเงมยลวดทสตะปบคขพ]/g, share: 0.6 },
];

/**
 * The charset of a text that names none and is no UTF-8, where its bytes say for certain that it is of Japanese, Chinese,
 * Korean, or a script of letters beyond Latin; undefined otherwise.
 */
export function unlabeledCharset(content: Uint8Array): string | undefined {
  const bytes = content.subarray(0, MAX_BYTES);
  const latin1 = Buffer.from(bytes).toString('latin1');
  if (!RUN.test(latin1)) return undefined;
  // The last character may be cut.
  const whole = content.length > MAX_BYTES ? bytes.subarray(0, latin1.search(/[\0-\x7f][\x80-\xff]*$/) + 1) : bytes;
  const high = countOf(latin1, /[\x80-\xff]/g);
  if (isChinese(latin1)) return 'gbk';
  for (const { charset, script, common, share } of WIDE) {
    const text = decoded(whole, charset);
    const letters = countOf(text, script);
    if (isWhole(text) && letters >= 0.9 * countOf(text, /[^\0-\x7f]/g) && countOf(text, common) >= share * letters)
      return charset;
  }
  const shares = NARROW.map(({ charset, script, common, share }) => {
    const text = decoded(whole, charset);
    const letters = countOf(text, script);
    const found = countOf(text, common) / Math.max(letters, 1);
    return { charset, found: letters >= Math.max(MIN_LETTERS, 0.8 * high) && found >= share ? found : 0 };
  });
  const best = shares.reduce((most, one) => (one.found > most.found ? one : most));
  return best.found > 0 ? best.charset : undefined;
}
