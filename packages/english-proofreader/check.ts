import { detectLanguage } from '@mailroom/detect-language';
import { sortFindings } from './choose.ts';
import type { Dialect } from './dialect.ts';
import {
  applyEdits,
  compose,
  type Doubt,
  doubtsOf,
  type Edit,
  type Kind,
  leastText,
  type Proposal,
  settle,
} from './edits.ts';
import { frequency } from './frequency.ts';
import { type Finding, lint } from './harper.ts';
import { joinMarks } from './marks.ts';
import { dialectLines, isOfStandard } from './nonstandard.ts';
import { inoffensive } from './offensive.ts';
import { joinRanges, protectedRanges, type Range, touches } from './protect.ts';
import { NO_WORDS, type Reading } from './reading.ts';
import { contextOf } from './rules/context.ts';
import { findings } from './rules/index.ts';
import { sentences, type Token, tokenize } from './tokens.ts';
import { correctUnknown, isKnown } from './unknown-words.ts';
import { type Unread, unreadParts } from './unread.ts';

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
  const placed = <Mark extends Edit | Doubt>(mark: Mark): Mark => {
    const offset = joined.original(mark.offset);
    const end = joined.original(mark.offset + mark.length);
    return { ...mark, offset, length: end - offset, original: text.slice(offset, end) };
  };
  const unread = reading.unread.map(([start, end]): Range => [joined.original(start), joined.original(end)]);
  return { ...reading, edits: reading.edits.map(placed), doubts: reading.doubts.map(placed), unread };
}

async function checkJoined(
  text: string,
  dialect: Dialect,
  { inferred = false, continues = false, continued = false, ignore = [] }: Circumstances,
): Promise<Reading> {
  const unread = unreadParts(text);
  const { language, isRead } = languageOf(text, unread);
  const notProse = wordsIn(text, unread.notProse);
  if (!isRead) {
    const words = countWords(withoutRanges(text, protectedRanges(text)));
    const passed_over = { other_language: Math.max(0, words - notProse), not_prose: notProse, unknown: 0 };
    return { ...NO_WORDS, language, words, passed_over };
  }
  const words = countWords(withoutRanges(text, unread.all));
  const other_language = wordsIn(text, unread.foreign);
  if (words === 0) return { ...NO_WORDS, passed_over: { other_language, not_prose: notProse, unknown: 0 } };
  const wantedOnly = (read: string, found: readonly Proposal[]): Proposal[] =>
    inoffensive(read, found).filter(({ rule }) => !ignore.includes(rule));
  const { unknown, proposals, doubtfulCount } = sortFindings(
    text,
    (await lint(text, dialect)).filter((finding) => !touches(unread.all, finding.start, finding.end)),
    continues,
  );
  const wanted = { dialect, wanted: inferred ? undefined : dialect };
  let spelling = await correctUnknown(text, unknown, wanted);
  const certain = spelling.filter(({ doubt }) => doubt !== true);
  if (unknown.length > certain.length && (certain.length + proposals.length) * WORDS_A_MISTAKE >= words) {
    const corrected = new Set(certain.map(({ start }) => start));
    const rest = unknown.filter(({ start }) => !corrected.has(start));
    spelling = [...certain, ...(await correctUnknown(text, rest, { ...wanted, careless: true }))];
  }
  const first = wantedOnly(text, [...spelling, ...outsideDialect(text, proposals)]);
  let edits = settle(text, first);
  const possible = doubtsOf(text, [], first);
  let done: ReadonlySet<string> = new Set();
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = applyEdits(text, edits);
    const locked = edits.length === 0 && round === 0 ? unread.all : unreadParts(current).all;
    const { proposals: own, read: sentencesRead } = ownProposals(current, locked, done, { continues, continued });
    const found = wantedOnly(current, own);
    const more = settle(current, found);
    possible.push(...doubtsOf(text, edits, found));
    if (more.length === 0) break;
    done = sentencesRead;
    edits = compose(text, edits, more);
    if (more.every((edit) => ON_THE_SURFACE.has(edit.kind))) break;
  }
  edits = leastText(text, edits);
  const doubts = apart(possible, edits);
  const passed_over = {
    other_language,
    not_prose: notProse,
    unknown: unknown.filter((finding) => isUnread(text, finding, [...edits, ...doubts])).length,
  };
  const sure = doubtfulCount === 0 && passed_over.unknown === 0 && doubts.length === 0;
  return { language: 'en', words, sure, edits, doubts, unread: unread.all, passed_over };
}

/** Whether a word is unknown to all that reads here, and none of the marks is at it. */
const isUnread = (
  text: string,
  { start, end }: Finding,
  marks: readonly { readonly offset: number; readonly length: number }[],
): boolean =>
  /\p{L}{2}/u.test(text.slice(start, end)) &&
  !isKnown(text.slice(start, end)) &&
  !marks.some(({ offset, length }) => offset < end && start < offset + length);

/** The language of a text, and whether it is read: as English, or as a few words of no certain language. */
function languageOf(text: string, unread: Unread): { readonly language: string | null; readonly isRead: boolean } {
  const prose = withoutRanges(text, joinRanges([...protectedRanges(text), ...unread.notProse]));
  const words = countWords(prose);
  if (words === 0) return { language: null, isRead: true };
  const found = detectLanguage(prose);
  if (found !== null && found !== 'en') {
    const isEnglish = commonShare(prose) >= 0.8 || hasEnglish(withoutRanges(text, unread.all), words);
    return isEnglish ? { language: 'en', isRead: true } : { language: found, isRead: false };
  }
  // Of a few words in a script of several languages, such as Arabic, only that is known.
  const foreign = /\p{L}/u.test(prose) && !/\p{Script=Latin}/u.test(prose);
  const isUncertain = found === null && (foreign || (words >= 4 && commonShare(prose) < 0.4));
  return isUncertain ? { language: null, isRead: false } : { language: 'en', isRead: true };
}

/** Whether what is not in another language is a good part of the text, and English. */
function hasEnglish(rest: string, words: number): boolean {
  const count = countWords(rest);
  return count >= MIN_ENGLISH && count >= words * 0.3 && commonShare(rest) >= 0.6;
}
const MIN_ENGLISH = 8;

/** The share of common English words among the lower-case words; 0 when there are too few. A text full of names can look like another language. */
function commonShare(prose: string): number {
  const small = prose.match(/(?<![\p{L}\p{M}'’-])[\p{Ll}\p{M}]{2,}(?![\p{L}\p{M}'’-])/gu) ?? [];
  const common = small.filter((word) => frequency(word) > COMMON).length;
  return small.length < 2 ? 0 : common / small.length;
}
const COMMON = 30_000_000;

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;

const wordsIn = (text: string, ranges: readonly Range[]): number =>
  ranges.reduce((sum, [start, end]) => sum + countWords(text.slice(start, end)), 0);

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
