import { detectLanguage } from '../language.ts';
import { DIALECT_NAMES, type Dialect } from './dialect.ts';
import type { Proposal } from './edits.ts';
import { frequency } from './frequency.ts';
import { type Finding, isSpelled } from './harper.ts';
import { INFORMAL } from './informal.ts';
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

/** Far from every word it is more likely a term nobody listed than a slip. Measured on learners' mistakes and on manuals. */
const isNear = (typed: string, { word, distance }: Candidate): boolean =>
  distance / typed.length < 0.28 || (distance <= 1.3 && frequency(word.toLowerCase()) > 400_000_000);

/** A frequent word with one spelling everywhere: Harper, which takes a fraction of a millisecond to say so, need not be asked. */
const isOrdinary = (word: string): boolean =>
  frequency(word) > 30_000_000 && !/our|[iy][sz]e|[iy][sz]i|re$|ae|oe|ogu|lled|lling|ence$|ense$/.test(word);

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
  const capitals = suggestions.find((word) => word !== typed && word.toLowerCase() === typed.toLowerCase());
  if (capitals !== undefined && typed === typed.toLowerCase() && !INFORMAL.has(typed))
    return capitalized(finding, typed, capitals);
  if (isMeant(typed)) return undefined;
  const variant = suggestions.find((word) => inDialect(word) === inDialect(typed));
  if (variant !== undefined && frequency(typed.toLowerCase()) > 0) return ofDialect(finding, typed, variant, dialect);
  if (frequency(typed.toLowerCase()) > KNOWN_TO_BOOKS) return undefined;
  const before = /([A-Za-z]+(?:['’][a-z]+)?)[ \t]+$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
  const after = /^[ \t]+([A-Za-z]+(?:['’][a-z]+)?)/.exec(text.slice(end, end + 40))?.[1] ?? '';
  const beside = { before: before.toLowerCase(), after: after.toLowerCase() };
  const lower = typed.toLowerCase();
  const found = candidates(typed, suggestions, beside);
  if (isName(text, start, typed, found)) return undefined;
  const [likeliest] = found;
  if (likeliest === undefined || !isNear(lower, likeliest)) return undefined;
  const best: string[] = [];
  for (const { word } of found.slice(0, 8)) {
    if (best.length === 3) break;
    // Only the first one is worth asking for: the others are just shown.
    if (suggestions.includes(word) || (best.length === 0 && (isOrdinary(word) || (await isSpelled(word, dialect)))))
      best.push(inCaseOf(typed, word));
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

const capitalized = ({ start, end }: Finding, typed: string, right: string): Proposal => ({
  start,
  end,
  replacement: right,
  kind: 'capitalization',
  explanation: `“${typed}” is a name and is written “${right}”.`,
});

const ofDialect = ({ start, end }: Finding, typed: string, right: string, dialect: Dialect): Proposal => ({
  start,
  end,
  replacement: inCaseOf(typed, right),
  kind: 'spelling',
  explanation: `${DIALECT_NAMES[dialect]} spells it “${right}”.`,
});

/** Abbreviations people use on purpose, terms made of a prefix and a word, and the possessive of a term. */
function isMeant(typed: string): boolean {
  const lower = typed.toLowerCase();
  if (INFORMAL.has(lower) || /^[bcdfghjklmnpqrstvwxz]{2,5}$/.test(typed)) return true;
  if (/['’]s$/.test(lower)) return frequency(lower.slice(0, -2)) === 0;
  const stem =
    /^(?:re|de|un|non|pre|sub|multi|anti|inter|over|under|micro|hyper|meta|auto|cyber|crypto)([a-z]{6,})$/.exec(
      lower,
    )?.[1];
  return stem !== undefined && frequency(stem) > 1_000_000;
}
/** Words that books have though Harper has not. */
const KNOWN_TO_BOOKS = 1_200_000;

/** The same for the spellings of one word on both sides of the Atlantic. */
const inDialect = (word: string): string =>
  word
    .toLowerCase()
    .replace(/our/g, 'or')
    .replace(/[sz](?=[eia])/g, 'z')
    .replace(/re\b/g, 'er')
    .replace(/ae|oe/g, 'e')
    .replace(/ogue/g, 'og')
    .replace(/(\w)\1/g, '$1')
    .replace(/nce\b/g, 'nse')
    .replace(/que\b/g, 'ck')
    .replace(/y/g, 'i')
    .replace(/grai/, 'grei');

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
