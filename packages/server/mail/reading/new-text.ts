import { forwardedAt, quotedMailAt } from '@mailroom/behavior/values/quoted-mail';
import EmailReplyParser from 'email-reply-parser';
import { attributionAt, isArrowed, isDecided } from './attribution.ts';
import { withoutSignature } from './signature.ts';

/** Characters that are searched for quotes; longer texts are documents. */
const MAX_SEARCHED = 2 * 1024 * 1024;
/** Characters that `email-reply-parser` reads, some of whose expressions are not linear. */
const MAX_PARSED = 3_000;
/** Lines of a form. */
const MAX_FORM = 8;

/** What a mail says about itself. */
export interface Context {
  readonly subject: string;
  /** It names a mail that it answers. */
  readonly answers: boolean;
  /** Names and address of who wrote it, by which a signature is known. */
  readonly author?: string;
}

/** Prefixes of subjects by which programs forward, by language. */
const FORWARD = /^(?:fwd?|wg|tr|rv|doorst|enc|pd|vs|vl|i|转发|轉寄|転送) ?[:：]/iu;
/** Prefixes of subjects by which programs answer, by language. */
const ANSWER = /^(?:re|aw|sv|antw|odp|ri|res|ref|rép|回复|回覆|答复|返信)(?:\[\d{1,3}\]|\(\d{1,3}\))? ?[:：]/iu;

const isQuoted = (line: string): boolean => /^ {0,2}>/.test(line);
/** Some programs mark quotes by bars, as tables are too. */
const isMarked = (line: string): boolean => isQuoted(line) || /^\|(?: [^|]*)?$/.test(line);
const isEmpty = (line: string): boolean => line.trim() === '';

/** What the sender wrote between quotes. */
type Segment = readonly string[];

/**
 * The text without what it quotes: lines that begin with `>` and what names their author, and everything below the
 * headers of a quoted mail, or below an attribution of text without marks. Undefined when it quotes nothing.
 */
function unquoted(all: readonly string[], subject: string): Segment[] | undefined {
  const below = quotedMailAt(all, subject);
  const lines = below === undefined ? all : all.slice(0, below);
  const segments: string[][] = [];
  let segment: string[] = [];
  let found = below !== undefined;
  const shellEnd = endOfShell(lines);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    if (isQuoted(line) && !(index < shellEnd && line.startsWith('>>> '))) {
      found = true;
      // Programs that fold lines mark the second one of an attribution as quoted.
      const verb = line.replace(/^ {0,2}> ?/, '');
      const start = segment.length > 0 && verb.length < 100 ? openedAt(lines, index, verb) : index;
      segment.length = Math.max(segment.length - (index - start), 0);
      if (segment.length > 0) segments.push(segment);
      segment = [];
      // A mark that is the end of an address quotes nothing.
      if (isArrowed(line) || (start < index && verb.endsWith(':') && isUnmarked(lines, index))) break;
      continue;
    }
    if (isFolded(lines, index)) continue;
    const next = nextLine(lines, index);
    const quoted = next !== undefined && isMarked(next);
    const start = attributionAt(lines, index, quoted);
    if (start === undefined || index - start >= segment.length + 1) {
      segment.push(line);
      continue;
    }
    found = true;
    segment.length -= index - start;
    // Its quote has no marks of lines, so all of the rest is quoted.
    if (!quoted || !isQuoted(next)) break;
  }
  segments.push(segment);
  return found ? segments : undefined;
}

/** The line below what may be of a shell of Python, of which lines begin as those of a quote within a quote within a quote. */
function endOfShell(lines: readonly string[]): number {
  const first = lines.findIndex(isQuoted);
  const above = lines.slice(0, Math.max(first, 0)).findLastIndex((line) => !isEmpty(line));
  if (first < 0 || /[:：]\s*$/.test(lines[above] ?? '') || attributionAt(lines, above, true) !== undefined) return 0;
  const end = lines.findIndex((line) => isQuoted(line) && (!line.startsWith('>>> ') || /\S@\S/.test(line)));
  // A quote of which the first lines were quoted in the mail that it quotes.
  if (isQuoted(lines[end - 1] ?? '')) return 0;
  return end < 0 ? lines.length : end;
}

/** Whether a line is the end of the quoted one above, which a program folded and did not mark. */
function isFolded(lines: readonly string[], at: number): boolean {
  const [above = '', line = '', below = ''] = lines.slice(Math.max(at - 1, 0), at + 2);
  return (
    isQuoted(above) &&
    above.length >= 65 &&
    /[\p{L},]$/u.test(above) &&
    /^\p{Ll}.{0,60}$/u.test(line) &&
    isQuoted(below)
  );
}

/** The first line of the attribution whose last one is marked as quoted; that one when there is none. */
function openedAt(lines: readonly string[], end: number, verb: string): number {
  const from = Math.max(end - 6, 0);
  const above = lines.slice(from, end).map((line, offset) => ({ line, at: from + offset }));
  // Made from HTML, each line of it may be a paragraph.
  for (const near of [above.slice(-4), above.filter(({ line }) => !isEmpty(line))]) {
    const start = attributionAt([...near.map(({ line }) => line), verb], near.length, true);
    const first = near[start ?? near.length];
    if (first !== undefined) return first.at;
  }
  return end;
}

/** Whether what says something below a line has no marks of a quote. */
function isUnmarked(lines: readonly string[], at: number): boolean {
  const next = nextLine(lines, at);
  return next !== undefined && !isQuoted(next);
}

/** The next line that says something, no more than two empty ones below. */
const nextLine = (lines: readonly string[], at: number): string | undefined =>
  lines.slice(at + 1, at + 4).find((line) => !isEmpty(line));

/** As above, of languages and programs that are not known here, by `email-reply-parser`. */
function parsed(text: string): Segment[] | undefined {
  if (text.length > MAX_PARSED) return undefined;
  const fragments = new EmailReplyParser().read(text).getFragments();
  const quote = fragments.findIndex((fragment) => fragment.isQuoted());
  if (quote <= 0 || fragments.slice(quote).some((fragment) => !fragment.isHidden())) return undefined;
  const [first = ''] = (fragments[quote]?.getContent() ?? '').split('\n').filter((line) => !isEmpty(line));
  // What is known here was looked at before.
  if (isDecided(first.trim())) return undefined;
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => line.trim() !== '' && first.trim().startsWith(line.trim()));
  // Headers that are known here were looked at before: these are a form of the author's own.
  if (quotedMailAt(lines.slice(Math.max(index - MAX_FORM, 0), index + MAX_FORM)) !== undefined) return undefined;
  return index > 0 ? [lines.slice(0, index)] : undefined;
}

/** The lines as one text, without the empty lines around it; what was said between quotes is paragraphs. */
function joined(segments: readonly Segment[]): string {
  return segments
    .map((lines) => {
      const first = lines.findIndex((line) => !isEmpty(line));
      return first < 0 ? '' : lines.slice(first, lines.findLastIndex((line) => !isEmpty(line)) + 1).join('\n');
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

const ARMOR = ['-----BEGIN PGP SIGNED MESSAGE-----', '-----BEGIN PGP SIGNATURE-----'] as const;

/** The lines of a text that is signed in the clear (RFC 9580, section 7), without its armor; any other as it is. */
function withoutArmor(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => !isEmpty(line));
  const end = lines.indexOf(ARMOR[1], begin);
  if (begin < 0 || end < 0 || lines[begin] !== ARMOR[0]) return lines;
  const text = lines.slice(begin, end);
  return text.slice(text.findIndex(isEmpty) + 1).map((line) => (line.startsWith('- ') ? line.slice(2) : line));
}

/** Without the address of its author in a paragraph of its own at the end, which Foxmail writes above what it quotes. */
function withoutOwnAddress(lines: readonly string[], author = ''): readonly string[] {
  const last = lines.findLastIndex((line) => !isEmpty(line));
  const address = lines[last]?.trim() ?? '';
  if (!address.includes('@') || !author.split(' ').includes(address) || !isEmpty(lines[last - 1] ?? 'x')) return lines;
  const above = lines.slice(0, last).findLast((line) => !isEmpty(line)) ?? ':';
  return /[:：]\s*$/.test(above) ? lines : lines.slice(0, last);
}

/** Without the signature of who wrote it, of which a forwarded mail stands below. */
function withoutOwnSignature(lines: readonly string[], author: string | undefined): readonly string[] {
  const below = forwardedAt(lines);
  const ownLines = lines.slice(0, below);
  const signed = withoutSignature(ownLines, author);
  if (below === undefined) return signed;
  return ownLines.slice(signed.length).every(isEmpty) ? lines : [...signed, '', ...lines.slice(below)];
}

/**
 * What the sender of a mail wrote, without what it quotes and without signature. The whole text when it is a quote alone,
 * or a signature alone without a subject. A mail that answers none quotes nothing, nor does one that forwards another,
 * unless a subject and a quoted mail say otherwise.
 */
export function newText(text: string, { subject, answers, author }: Context): string {
  const whole = joined([text.split('\n')]);
  if (text.length > MAX_SEARCHED) return whole;
  const lines = withoutArmor(text.split('\n'));
  const mayQuote = !FORWARD.test(subject) && (answers || ANSWER.test(subject));
  const segments = mayQuote ? (unquoted(lines, subject) ?? (answers ? parsed(text) : undefined)) : undefined;
  if (segments === undefined) {
    const body = joined([mayQuote ? withoutSignature(lines, author) : withoutOwnSignature(lines, author)]);
    return body === '' && subject === '' ? whole : body;
  }
  const body = joined(segments.map((one) => withoutSignature(withoutOwnAddress(one, author), author)));
  return body === '' ? whole : body;
}
