import { detectLanguage } from '../language.ts';
import { sortFindings } from './choose.ts';
import type { Dialect } from './dialect.ts';
import { applyEdits, compose, type Edit, type Kind, type Proposal, settle } from './edits.ts';
import { frequency } from './frequency.ts';
import { lint } from './harper.ts';
import { joinMarks } from './marks.ts';
import { protectedRanges, type Range, touches } from './protect.ts';
import { RULES } from './rules/index.ts';
import { sentences, type Token, tokenize } from './tokens.ts';
import { correctUnknown } from './unknown-words.ts';

/** What reading a text, or a piece of one, gave. */
export interface Reading {
  /** ISO 639-1, or null when it cannot be told. */
  readonly language: string | null;
  readonly words: number;
  readonly edits: readonly Edit[];
}

/** Our own rules are applied again to what they made, as one mistake often hides another; so many times. */
const ROUNDS = 2;
/** Corrections that hide nothing. */
const ON_THE_SURFACE: ReadonlySet<Kind> = new Set(['punctuation', 'spacing', 'capitalization', 'repetition']);

/** Reads a text of a few thousand characters and corrects it if it is English. */
export async function check(text: string, dialect: Dialect): Promise<Reading> {
  const joined = joinMarks(text);
  const reading = await checkJoined(joined.text, dialect);
  if (joined.text === text) return reading;
  const edits = reading.edits.map((edit): Edit => {
    const offset = joined.original(edit.offset);
    const end = joined.original(edit.offset + edit.length);
    return { ...edit, offset, length: end - offset, original: text.slice(offset, end) };
  });
  return { ...reading, edits };
}

async function checkJoined(text: string, dialect: Dialect): Promise<Reading> {
  const locked = protectedRanges(text);
  const prose = withoutRanges(text, locked);
  const words = prose.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const found = detectLanguage(prose);
  const language = found !== null && found !== 'en' && readsAsEnglish(prose) ? 'en' : found;
  if (words === 0 || (language !== null && language !== 'en')) return { language, words, edits: [] };
  if (language === null && words >= 4 && commonShare(prose) < 0.4) return { language: null, words, edits: [] };
  const { unknown, proposals } = sortFindings(
    text,
    (await lint(text, dialect)).filter((finding) => !touches(locked, finding.start, finding.end)),
  );
  const spelling = await correctUnknown(text, unknown, dialect);
  let edits = settle(text, [...spelling, ...proposals]);
  const done = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = applyEdits(text, edits);
    const more = ownEdits(current, edits.length === 0 && round === 0 ? locked : protectedRanges(current), done);
    if (more.length === 0) break;
    edits = compose(text, edits, more);
    if (more.every((edit) => ON_THE_SURFACE.has(edit.kind))) break;
  }
  return { language: 'en', words, edits };
}

/** Common English words make up nearly all that is written small. A text full of names can look like another language. */
const readsAsEnglish = (prose: string): boolean => commonShare(prose) >= 0.8;

/** Which part of the words written small is common in English; 0 when there are hardly any. */
function commonShare(prose: string): number {
  const small = prose.match(/(?<![\p{L}\p{M}'’-])[\p{Ll}\p{M}]{2,}(?![\p{L}\p{M}'’-])/gu) ?? [];
  const common = small.filter((word) => frequency(word) > COMMON).length;
  return small.length < 2 ? 0 : common / small.length;
}
const COMMON = 30_000_000;

/** `done`: sentences that were looked at before, and need not be again. */
function ownEdits(text: string, locked: readonly Range[], done: Set<string>): Edit[] {
  const tokens = tokenize(text, (start, end) => touches(locked, start, end));
  const proposals: Proposal[] = [];
  for (const sentence of sentences(tokens)) {
    const read = text.slice((sentence[0] as Token).start, (sentence.at(-1) as Token).end);
    if (done.has(read)) continue;
    done.add(read);
    for (const rule of RULES) for (const proposal of rule(sentence)) proposals.push(proposal);
  }
  return settle(
    text,
    proposals.filter(({ start, end }) => !touches(locked, start, end)),
  );
}

function withoutRanges(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(at, start), ' ');
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
