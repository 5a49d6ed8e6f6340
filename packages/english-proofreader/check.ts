import { detectLanguage } from '@mailroom/detect-language';
import { sortFindings } from './choose.ts';
import type { Dialect } from './dialect.ts';
import { applyEdits, compose, type Doubt, doubtsOf, type Edit, type Kind, type Proposal, settle } from './edits.ts';
import { frequency } from './frequency.ts';
import { lint } from './harper.ts';
import { joinMarks } from './marks.ts';
import { dialectLines, isOfStandard } from './nonstandard.ts';
import { joinRanges, protectedRanges, type Range, touches } from './protect.ts';
import { contextOf } from './rules/context.ts';
import { findings } from './rules/index.ts';
import { sentences, type Token, tokenize } from './tokens.ts';
import { correctUnknown } from './unknown-words.ts';
import { unreadRanges } from './unread.ts';

/** The result of reading a text or a piece of one. */
export interface Reading {
  /** ISO 639-1, or null when it is uncertain. */
  readonly language: string | null;
  readonly words: number;
  /** False where a possible mistake was left unchanged, so that "no corrections" does not mean "correct". */
  readonly sure: boolean;
  readonly edits: readonly Edit[];
  /** What may be a mistake and is left as it is, in text order; none touches an edit. */
  readonly doubts: readonly Doubt[];
}

/** How often the own rules are applied to their own result, because one mistake often hides another. */
const ROUNDS = 2;
/** A text with a mistake in this many words probably has more. */
const WORDS_A_MISTAKE = 15;
/** Kinds of corrections that cannot hide another mistake. */
const ON_THE_SURFACE: ReadonlySet<Kind> = new Set(['punctuation', 'spacing', 'capitalization', 'repetition']);

/** What is known about a text beside its words. */
export interface Circumstances {
  /** The dialect was inferred from the text rather than set, so spellings of other dialects are accepted. */
  readonly inferred?: boolean;
  /** The text continues a paragraph of the piece before. */
  readonly continues?: boolean;
  /** The next piece continues the last paragraph. */
  readonly continued?: boolean;
  /** Ids of rules that find nothing. */
  readonly ignore?: readonly string[];
}

/** Reads a text of a few thousand characters and corrects it if it is English. */
export async function check(text: string, dialect: Dialect, circumstances: Circumstances = {}): Promise<Reading> {
  const joined = joinMarks(text);
  const reading = await checkJoined(joined.text, dialect, circumstances);
  if (joined.text === text) return reading;
  const placed = <Place extends Edit | Doubt>(place: Place): Place => {
    const offset = joined.original(place.offset);
    const end = joined.original(place.offset + place.length);
    return { ...place, offset, length: end - offset, original: text.slice(offset, end) };
  };
  return { ...reading, edits: reading.edits.map(placed), doubts: reading.doubts.map(placed) };
}

async function checkJoined(
  text: string,
  dialect: Dialect,
  { inferred = false, continues = false, continued = false, ignore = [] }: Circumstances,
): Promise<Reading> {
  const prose = withoutRanges(text, protectedRanges(text));
  const words = prose.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const found = detectLanguage(prose);
  const language = found !== null && found !== 'en' && readsAsEnglish(prose) ? 'en' : found;
  if (words === 0 || (language !== null && language !== 'en'))
    return { language, words, sure: true, edits: [], doubts: [] };
  // Of a few words in a script of several languages, such as Arabic, only that is known.
  const foreign = /\p{L}/u.test(prose) && !/\p{Script=Latin}/u.test(prose);
  if (language === null && (foreign || (words >= 4 && commonShare(prose) < 0.4)))
    return { language: null, words, sure: true, edits: [], doubts: [] };
  const locked = leftAlone(text);
  const { unknown, proposals, doubtfulCount } = sortFindings(
    text,
    (await lint(text, dialect)).filter((finding) => !touches(locked, finding.start, finding.end)),
    continues,
  );
  const doubtful = unknown.length + doubtfulCount;
  const wanted = { dialect, wanted: inferred ? undefined : dialect };
  const spelling = await correctUnknown(text, unknown, wanted);
  if (unknown.length > spelling.length && (spelling.length + proposals.length) * WORDS_A_MISTAKE >= words) {
    const corrected = new Set(spelling.map(({ start }) => start));
    const rest = unknown.filter(({ start }) => !corrected.has(start));
    spelling.push(...(await correctUnknown(text, rest, { ...wanted, careless: true })));
  }
  const wantedOnly = (found: readonly Proposal[]) => found.filter(({ rule }) => !ignore.includes(rule));
  const first = wantedOnly([...spelling, ...outsideDialect(text, proposals)]);
  let edits = settle(text, first);
  let doubts = doubtsOf(text, [], first);
  let done: ReadonlySet<string> = new Set();
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = applyEdits(text, edits);
    const unlocked = edits.length === 0 && round === 0 ? locked : leftAlone(current);
    const { proposals: own, read } = ownProposals(current, unlocked, done, { continues, continued });
    const found = wantedOnly(own);
    const more = settle(current, found);
    doubts = [...doubts, ...doubtsOf(text, edits, found)];
    if (more.length === 0) break;
    done = read;
    edits = compose(text, edits, more);
    if (more.every((edit) => ON_THE_SURFACE.has(edit.kind))) break;
  }
  const standing = apart(doubts, edits);
  return { language: 'en', words, sure: doubtful === 0 && standing.length === 0, edits, doubts: standing };
}

/** Whether most lower-case words are common English words, because a text full of names can look like another language. */
const readsAsEnglish = (prose: string): boolean => commonShare(prose) >= 0.8;

/** The share of common English words among the lower-case words; 0 when there are too few. */
function commonShare(prose: string): number {
  const small = prose.match(/(?<![\p{L}\p{M}'’-])[\p{Ll}\p{M}]{2,}(?![\p{L}\p{M}'’-])/gu) ?? [];
  const common = small.filter((word) => frequency(word) > COMMON).length;
  return small.length < 2 ? 0 : common / small.length;
}
const COMMON = 30_000_000;

/** The ranges for machines, in another language or in capitals, and words that are named. */
const leftAlone = (text: string): Range[] =>
  joinRanges([...protectedRanges(text), ...unreadRanges(text), ...namedWords(text)]);

/** Single words in quotation marks, which are named rather than used: “informations” is no word. */
const namedWords = (text: string): Range[] =>
  Array.from(text.matchAll(/(?<![\p{L}\d])(?:"\p{L}+"|“\p{L}+”)/gu), ({ 0: all, index }) => [
    index,
    index + all.length,
  ]);

/** The doubts that touch no edit and no earlier doubt, in text order. */
function apart(doubts: readonly Doubt[], edits: readonly Edit[]): Doubt[] {
  const free: Doubt[] = [];
  for (const doubt of doubts) {
    const { offset, length } = doubt;
    const touched = [...edits, ...free].some(
      (other) => other.offset <= offset + length && offset <= other.offset + other.length,
    );
    if (!touched) free.push(doubt);
  }
  return free.sort((a, b) => a.offset - b.offset);
}

/** Applies the own rules once. `done`: sentences of the round before that need no second look; returns those of this round. */
function ownProposals(
  text: string,
  locked: readonly Range[],
  done: ReadonlySet<string>,
  part: Circumstances,
): { proposals: readonly Proposal[]; read: ReadonlySet<string> } {
  const tokens = tokenize(text, (start, end) => touches(locked, start, end), part);
  const proposals: Proposal[] = [];
  const read = new Set<string>();
  const all = [...sentences(tokens)];
  for (const [index, sentence] of all.entries()) {
    const words = text.slice((sentence[0] as Token).start, (sentence.at(-1) as Token).end);
    if (done.has(words)) continue;
    read.add(words);
    const context = contextOf(all, index);
    proposals.push(...findings(sentence, context));
  }
  const free = proposals.filter((proposal) => !touches(locked, proposal.start, proposal.end) && isWritten(proposal));
  return { proposals: outsideDialect(text, free), read };
}

/** Whether it is a word: a past of a past, such as "construeded", comes of a base that is not listed. */
const isWritten = ({ replacement }: Proposal): boolean =>
  !/^[a-z]*eded$/.test(replacement) || frequency(replacement) > 0;

/** Leaves out what would turn a line of dialect into standard English. */
function outsideDialect(text: string, proposals: readonly Proposal[]): readonly Proposal[] {
  const lines = dialectLines(text);
  if (lines.length === 0) return proposals;
  return proposals.filter(({ start, end, kind }) => !isOfStandard(kind) || !touches(lines, start, end));
}

function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let offset = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(offset, start), ' ');
    offset = end;
  }
  parts.push(text.slice(offset));
  return parts.join('');
}
