import { isAddedLine } from '@mailroom/behavior/values/added-line';

/** Lines that a signature may have, and fewer below a separator whose blank was lost on the way. */
const MAX_LINES = 30;
const MAX_SHORT_LINES = 10;
/** Characters of a line of the latter. */
const MAX_WIDTH = 100;

/** A line that separates, or the mark of a program that follows mails, with nothing below. */
const RULE = /^[ \t]{0,8}(?:([-#~=_+])\1{1,80}|\*{3}|\u1427)[ \t]*$/;
/** A mark of a question, which links have within. */
const QUESTION = /[?？](?:[\s"')*_]|$)/;
/** A line of a list, a program, a comment of SQL, or a change of a file. */
const OF_OTHER_TEXT = /^(?:--|@@|>|\+[^\d(]|[*•-] |\w{1,20}\(|diff )|[;{}]$/;
/** What is added below all else, and is no signature. */
const POSTSCRIPT = /^(?:p\. ?s\b|ps\b|n\. ?b\b|nb\b)/i;
/** An address, a link, or a number of a telephone. */
const CONTACT =
  /\S@\S|\bwww\.|:\/\/|\b[\w-]{1,60}\.(?:com|org|net|edu|io|example|[a-z]{2})\b|(?:\d[\d ()/.-]{0,2}){7}/i;
/** What stands above a name, by language. */
const SALUTATION =
  /^(?:(?:best|kind|warm) (?:regards|wishes)|regards|(?:many )?thanks|cheers|sincerely|yours (?:truly|sincerely)|(?:viele|liebe|beste|schöne|freundliche) grüße|mit freundlichen grüßen|mfg|cordialement|bien (?:cordialement|à vous)|(?:un )?saludos?|atentamente|(?:met )?vriendelijke groeten?|cordiali saluti|distinti saluti|atenciosamente|pozdrawiam|z poważaniem|(?:med )?(?:vänliga|venlig|vennlig) (?:hälsningar|hilsen)|terveisin|с уважением|saygılarımla|üdvözlettel|s pozdravem)(?!\p{L})/iu;
/** Names of two to four words, with one that a service gives. */
const FULL_NAME = /^(?:\p{Lu}[\p{L}'’-]{1,30} ){1,3}\p{Lu}[\p{L}'’-]{1,30}(?: @\w{1,40})?$/u;
const PARTICLE = /^(?:and|und|et|y|e|von|van|de|der|den|di|da|du|del|la|le|bin|al|zu)$/;

/** A question, or words that say something: more than four in lower case, or an end of a sentence behind four. */
function isSaid(line: string): boolean {
  if (QUESTION.test(line)) return true;
  const words = line.split(/\s/).filter((word) => /^\p{L}{2,}[.!,。]?$/u.test(word));
  const lower = words.filter((word) => /^\p{Ll}/u.test(word));
  return lower.length > 4 || (/[.!。]$/.test(line) && words.length > 3 && lower.length > 1);
}

/** The words by which an author is known. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{M}]+/u)
      .filter((word) => word.length > 1),
  );

/** Whether a line may begin with a name, by its capitals or by that of the author. */
function isName(line: string, author: ReadonlySet<string>): boolean {
  const [name = ''] = line
    .replace(/[*_]/g, '')
    .trim()
    .split(/ [-–—|/·] |, /);
  const words = name.split(/[\s.-]+/).filter((word) => !/^@|^$/.test(word) && !CONTACT.test(word));
  const isOfName = (word: string): boolean =>
    /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}'’]*$/u.test(word) || PARTICLE.test(word) || author.has(word.toLowerCase());
  return words.length > 0 && words.length <= 5 && words.every(isOfName);
}

/**
 * Whether the lines below a separator are a signature: they are few, say and ask nothing, and name their author, or anyone
 * with a way to reach them. `exact`: the separator is one of RFC 3676, by which only what is certainly none is kept. `apart`: an
 * empty line stands above the separator, so that it is no rule below a heading.
 */
function isSignature(lines: readonly string[], exact: boolean, author: ReadonlySet<string>, apart = exact): boolean {
  const below = lines
    .slice(0, 200)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [first = ''] = below;
  if (lines.length > 200 || below.length > (exact ? MAX_LINES : MAX_SHORT_LINES)) return false;
  if (below.some((line) => QUESTION.test(line) || POSTSCRIPT.test(line) || OF_OTHER_TEXT.test(line))) return false;
  if (below.length === 0) return true;
  if (exact) return below.every((line) => line === first || !isSaid(line)) || !isSaid(first);
  if (below.some((line) => line.length > MAX_WIDTH || isSaid(line))) return false;
  const named = below.slice(0, 3).filter((line) => isName(line, author));
  if (named.some((line) => [...wordsOf(line)].some((word) => author.has(word)))) return true;
  if (apart && below.length <= 4 && (SALUTATION.test(first.normalize()) || FULL_NAME.test(first))) return true;
  return named.length > 0 && below.some((line) => CONTACT.test(line));
}

/** The separator in bold or italic letters of HTML, as it becomes in plain text. */
const BOLD_SEPARATOR = /^([*_]{1,2})(-- ?)\1[ \t]*$/;

/** Where the lines of a signature begin, at the end of the lines (RFC 3676, section 4.3); their number when there is none. */
function signatureAt(given: readonly string[], author: ReadonlySet<string>): number {
  const lines = given.map((line) => BOLD_SEPARATOR.exec(line)?.[2] ?? line);
  const [exact, more] = [lines.indexOf('-- '), lines.indexOf('-- ', lines.indexOf('-- ') + 1)];
  // Several separate the items of a list; in a patch it is a line that was deleted.
  if (exact >= 0 && lines.slice(0, exact).some((line) => /^@@ -\d/.test(line))) return lines.length;
  if (exact >= 0) return more < 0 && isSignature(lines.slice(exact + 1), true, author) ? exact : lines.length;
  const bare = lines.flatMap((line, at) => (line.trim() === '--' ? [at] : []));
  const [only = lines.length] = bare;
  const above = lines.slice(0, only).findLast((line) => line.trim() !== '');
  if (above !== undefined && /[:：]\s*$/.test(above)) return lines.length;
  return bare.length === 1 && isSignature(lines.slice(only + 1), false, author, (lines[only - 1] ?? '').trim() === '')
    ? only
    : lines.length;
}

/** The lines without the signature and without what a program added below. `author`: names and address of who wrote it. */
export function withoutSignature(lines: readonly string[], author = ''): readonly string[] {
  let cut = signatureAt(lines, wordsOf(author));
  if (cut === lines.length) {
    // What a program added stands below the signature.
    const whole = withoutAdded(lines, lines.length);
    if (whole.length < lines.length) cut = signatureAt(whole, wordsOf(author));
  }
  return withoutAdded(lines, cut);
}

/** The first `end` lines, without empty ones at the end and what a program added there. */
function withoutAdded(lines: readonly string[], end: number): readonly string[] {
  let kept = end;
  for (;;) {
    while (kept > 0 && (lines[kept - 1] as string).trim() === '') kept -= 1;
    const last = lines[kept - 1];
    if (last === undefined || !(isAddedLine(last) || RULE.test(last))) return lines.slice(0, kept);
    kept -= 1;
  }
}
