// A copy of packages/server/transports/web/excerpt.ts, made by npm run client.
/** Characters of a line that are read. */
const MAX_READ = 400;
/** What stands in front of a line: quotes, headings, list items and their boxes. */
const BEGINNING = /^(?:[ \t]|>|#{1,6}(?=[ \t])|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[[ xX]\](?=[ \t]))+/;
const FENCE = /^[ \t]*(?:```|~~~)/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** Punctuation that is no markup stands in the private area of Unicode meanwhile. */
const PRIVATE = 0xe000;
const HIDDEN = /[\ue021-\ue07e]/g;

const hide = (text: string): string =>
  text.replace(PUNCTUATION, (one) => String.fromCharCode(PRIVATE + one.charCodeAt(0)));

/** The words with which a mail begins, and the second ones of those that have two. */
const GREETINGS = new Set('hi hello hey dear greetings hallo liebe lieber bonjour hola ciao'.split(' '));
const GREETINGS_OF_TWO = new Set([
  'good morning',
  'good afternoon',
  'good evening',
  'good day',
  'guten tag',
  'guten morgen',
]);
/** Words of a line that only greets, with a comma or the like at its end and without. */
const [MAX_WORDS, MAX_OPEN_WORDS] = [7, 3];

function isGreeting(line: string): boolean {
  const words = line.split(/\s+/, MAX_WORDS + 1);
  const [first = '', second = ''] = words.map((word) => word.toLowerCase().replace(/[,!.:]$/, ''));
  if (!GREETINGS.has(first) && !GREETINGS_OF_TWO.has(`${first} ${second}`)) return false;
  const max = /[,!:]$/.test(line) ? MAX_WORDS : MAX_OPEN_WORDS;
  return words.length <= max && !/\?$/.test(line) && !words.slice(1, -1).some((word) => /[,!?:;]$/.test(word));
}

/** A word that stands above what is said of it, such as the name of a step. */
const isLabel = (line: string): boolean => /^\*\*[^\s*]+\*\*$/.test(line.replace(BEGINNING, '').trim());

/**
 * The first line of a text that says something, without the marks of Markdown, for lists: not a greeting or a label, where
 * there is another one. All of the first line where no line says anything.
 */
export function excerptOf(text: string): string {
  let first = '';
  let passed: string | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    first ||= line.trim();
    if (FENCE.test(line)) continue;
    const plain = withoutMarks(line.slice(0, MAX_READ).toWellFormed()).trim();
    if (!/[\p{L}\p{N}\p{S}]/u.test(plain)) continue;
    if (!isGreeting(plain) && !isLabel(line.slice(0, MAX_READ))) return plain;
    passed ??= plain;
  }
  return passed ?? first;
}

function withoutMarks(line: string): string {
  let text = line.replace(BEGINNING, '');
  if (/^\|.*\|[ \t]*$/.test(text)) text = text.replace(/^\||\|[ \t]*$/g, '').replaceAll('|', '·');
  text = text
    .replace(/\\([!-/:-@[-`{-~])/g, (_, one: string) => hide(one))
    .replace(/(`+)([^`]+)\1/g, (_, _marks, code: string) => hide(code))
    .replace(/<(https?:[^<>\s]+|[^<>@\s]+@[^<>@\s]+)>/gi, '$1')
    .replace(/!?\[([^[\]]*)\](?:\((?:[^()\s]|\([^()\s]*\))*(?: "[^"]*")?\)|\[[^[\]]*\])/g, '$1')
    .replace(/https?:\/\/\S+/gi, hide);
  // What is in the middle first: one kind of emphasis may be in another.
  for (let depth = 0; depth < 3; depth++) {
    text = text
      .replace(/(\*{1,3})(?=\S)([^*]+)(?<=\S)\1/g, '$2')
      .replace(/(~~)(?=\S)([^~]+)(?<=\S)\1/g, '$2')
      .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]+)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2');
  }
  return text.replace(HIDDEN, (one) => String.fromCharCode(one.charCodeAt(0) - PRIVATE));
}
