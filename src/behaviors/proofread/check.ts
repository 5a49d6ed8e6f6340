import { detectLanguage } from '../language.ts';
import { sortFindings } from './choose.ts';
import type { Dialect } from './dialect.ts';
import { applyEdits, compose, type Edit, type Proposal, settle } from './edits.ts';
import { lint } from './harper.ts';
import { protectedRanges, type Range, touches } from './protect.ts';
import { RULES } from './rules/index.ts';
import { sentences, tokenize } from './tokens.ts';
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

/** Reads a text of a few thousand characters and corrects it if it is English. */
export async function check(text: string, dialect: Dialect): Promise<Reading> {
  const locked = protectedRanges(text);
  const prose = withoutRanges(text, locked);
  const words = prose.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const language = detectLanguage(prose);
  if (words === 0 || (language !== null && language !== 'en')) return { language, words, edits: [] };
  const { unknown, proposals } = sortFindings(
    text,
    (await lint(text, dialect)).filter((finding) => !touches(locked, finding.start, finding.end)),
  );
  const spelling = await correctUnknown(text, unknown, dialect);
  let edits = settle(text, [...spelling, ...proposals]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const current = applyEdits(text, edits);
    const more = ownEdits(current, edits.length === 0 && round === 0 ? locked : protectedRanges(current));
    if (more.length === 0) break;
    edits = compose(text, edits, more);
  }
  return { language: language ?? (edits.length > 0 || words > 0 ? 'en' : null), words, edits };
}

function ownEdits(text: string, locked: readonly Range[]): Edit[] {
  const tokens = tokenize(text, (start, end) => touches(locked, start, end));
  const proposals: Proposal[] = [];
  for (const sentence of sentences(tokens)) {
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
