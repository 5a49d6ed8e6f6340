import { detectLanguage } from '../language.ts';
import type { Dialect } from './dialect.ts';
import type { Proposal } from './edits.ts';
import { type Finding, isSpelled } from './harper.ts';
import { type Candidate, candidates } from './spelling.ts';

/** What is quoted, emphasized or put in brackets, of up to 200 characters. */
const SET_OFF =
  /"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|‘[^’\n]{1,200}’|(?<!\w)[*_][^*_\n]{1,200}[*_](?!\w)|\([^()\n]{1,200}\)/g;

/** A correction for each word that is in no dictionary, where it is sure enough what was meant. */
export async function correctUnknown(
  text: string,
  findings: readonly Finding[],
  dialect: Dialect,
): Promise<Proposal[]> {
  if (findings.length === 0) return [];
  const asides = foreignAsides(text, findings);
  const proposals: Proposal[] = [];
  for (const finding of findings) {
    if (asides.some(([start, end]) => start <= finding.start && finding.end <= end)) continue;
    const proposal = await correct(text, finding, dialect);
    if (proposal !== undefined) proposals.push(proposal);
  }
  return proposals;
}

/** Words of another language, or words named as words: set off, and all unknown or recognized as another language. */
function foreignAsides(text: string, findings: readonly Finding[]): [number, number][] {
  const asides: [number, number][] = [];
  for (const match of text.matchAll(SET_OFF)) {
    const start = match.index;
    const end = start + match[0].length;
    const unknown = findings.filter((finding) => start <= finding.start && finding.end <= end).length;
    if (unknown === 0) continue;
    const words = match[0].match(/[\p{L}\p{M}]+/gu)?.length ?? 0;
    const language = words === 1 ? null : detectLanguage(match[0]);
    if (words === 1 || (language !== null && language !== 'en') || (unknown >= 2 && unknown * 2 > words)) {
      asides.push([start, end]);
    }
  }
  return asides;
}

async function correct(text: string, finding: Finding, dialect: Dialect): Promise<Proposal | undefined> {
  const { start, end, suggestions } = finding;
  const typed = text.slice(start, end);
  if (!/^[A-Za-z]+(?:['’][A-Za-z]+)?$/.test(typed) || (typed.length > 1 && typed === typed.toUpperCase()))
    return undefined;
  const before = /([A-Za-z]+(?:['’][a-z]+)?)[ \t]+$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
  const after = /^[ \t]+([A-Za-z]+(?:['’][a-z]+)?)/.exec(text.slice(end, end + 40))?.[1] ?? '';
  const beside = { before: before.toLowerCase(), after: after.toLowerCase() };
  const found = candidates(typed, suggestions, beside);
  if (isName(text, start, typed, found)) return undefined;
  const best: string[] = [];
  for (const { word } of found.slice(0, 6)) {
    if (best.length === 3) break;
    if (suggestions.includes(word) || (await isSpelled(word, dialect))) best.push(inCaseOf(typed, word));
  }
  const [replacement] = best;
  if (replacement === undefined) return undefined;
  return {
    start,
    end,
    replacement,
    kind: 'spelling',
    explanation: `“${typed}” is not spelled right; “${replacement}” is the word that fits.`,
    suggestions: [...new Set(best)],
  };
}

/** An unknown capitalized word is a name, unless it is one slip away from a word that starts with a capital, or begins a sentence. */
function isName(text: string, start: number, typed: string, found: readonly Candidate[]): boolean {
  if (!/^[A-Z]/.test(typed)) return false;
  const best = found[0];
  if (best === undefined) return true;
  const begins = /(?:^|[.!?]["”’)]*\s+|\n\s*(?:[-*•]\s+)?)["“‘(]?$/.test(text.slice(Math.max(0, start - 12), start));
  if (begins) return best.distance > 1.3;
  return !(/^[A-Z]/.test(best.word) && best.distance <= 1.1 && typed.length >= 5);
}

function inCaseOf(typed: string, word: string): string {
  return /^[A-Z]/.test(typed) ? (word[0] ?? '').toUpperCase() + word.slice(1) : word;
}
