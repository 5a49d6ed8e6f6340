import { detectLanguage } from '@mailroom/detect-language';
import { DIALECT_NAMES, type Dialect } from './dialect.ts';
import type { Proposal } from './edits.ts';
import { isIrregularPlural, isPlural, past } from './forms.ts';
import { frequency } from './frequency.ts';
import { type Finding, isSpelled } from './harper.ts';
import { INFORMAL } from './informal.ts';
import { slipOf } from './plain-slips.ts';
import { isCountable } from './rules/nouns.ts';
import { isGiven } from './rules/person-names.ts';
import { words } from './rules/rule.ts';
import { type Candidate, candidates } from './spelling.ts';

/** Text in quotation marks, emphasis or brackets, of up to 200 characters. */
const SET_OFF =
  /"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|‘[^’\n]{1,200}’|(?<!\w)[*_][^*_\n]{1,200}[*_](?!\w)|\([^()\n]{1,200}\)/g;

/** How words have to be spelled. */
export interface WantedWord {
  /** The dialect of the dictionary. */
  readonly dialect: Dialect;
  /** Spellings of other dialects than this are corrected; without one they are accepted. */
  readonly wanted: Dialect | undefined;
  /** Whether the text has many mistakes, so that an unknown word is more likely a mistake than a term. */
  readonly careless?: boolean;
}

/** A correction for each word that no dictionary has, where the intended word is certain enough. */
export async function correctUnknown(
  text: string,
  findings: readonly Finding[],
  wanted: WantedWord,
): Promise<Proposal[]> {
  if (findings.length === 0) return [];
  const asides = foreignAsides(text, findings);
  const proposals: Proposal[] = [];
  for (const finding of findings) {
    if (asides.some(([start, end]) => start <= finding.start && finding.end <= end)) continue;
    const proposal = await correct(text, finding, wanted);
    if (proposal !== undefined) proposals.push(proposal);
  }
  return proposals;
}

/** Whether a word is frequent with one spelling in all dialects, so that Harper, which is slower, need not be asked. */
const isOrdinary = (word: string): boolean =>
  frequency(word) > 30_000_000 && !/our|[iy][sz]e|[iy][sz]i|re$|ae|oe|ogu|lled|lling|ence$|ense$/.test(word);

/** Words of another language or words named as words: set off, and all unknown or recognized as another language. */
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

async function correct(
  text: string,
  finding: Finding,
  { wanted, dialect, careless = false }: WantedWord,
): Promise<Proposal | undefined> {
  const { start, end, suggestions } = finding;
  const typed = text.slice(start, end);
  if (!/^[A-Za-z]+(?:['’][A-Za-z]+)?$/.test(typed) || (typed.length > 1 && typed === typed.toUpperCase()))
    return undefined;
  if (isPartOfMore(text, start, end) || isNamed(text, start, end)) return undefined;
  const lower = typed.toLowerCase().replace('’', "'");
  const capitals = suggestions.find((word) => word !== typed && word.toLowerCase() === typed.toLowerCase());
  if (capitals !== undefined && typed === typed.toLowerCase() && !INFORMAL.has(typed))
    return capitalized(finding, typed, capitals);
  // "Further analyses are needed": a plural everywhere.
  if (isMeant(typed) || isIrregularPlural(lower) || /^(?:paral|catal)yses$/.test(lower)) return undefined;
  const typedFrequency = frequency(lower);
  const variant = suggestions.find((word) => inDialect(word) === inDialect(typed));
  // "the Louvre", "Harbour Street": names keep their spelling.
  const isName =
    /^[A-Z]/.test(typed) && /[\p{L}\d,;)]["'’”]?[ \t]+["“‘(]?$/u.test(text.slice(Math.max(0, start - 20), start));
  if (variant !== undefined && typedFrequency > 0 && isName) return undefined;
  if (variant !== undefined && typedFrequency > 0)
    return wanted === undefined ? undefined : ofDialect(finding, typed, variant, wanted);
  const previous = /([A-Za-z]+(?:['’][a-z]+)?)[ \t]+$/.exec(text.slice(Math.max(0, start - 40), start))?.[1] ?? '';
  const next = /^[ \t]+([A-Za-z]+(?:['’][a-z]+)?)/.exec(text.slice(end, end + 40))?.[1] ?? '';
  // "The childrens books".
  if (/^(?:children|women)s$/.test(lower) && isPlural(next.toLowerCase()))
    return misspelled(finding, typed, [lower.replace(/s$/, "'s")]);
  // "The postmans bike", "peters jacket".
  const owner = lower.slice(0, -1);
  const named = isGiven(owner);
  if (/^[a-z]+s$/.test(typed) && isCountable(next, 0.01) && (named || /.(?:man|woman)$/.test(owner)))
    return misspelled(finding, typed, [`${named ? inCaseOf('A', owner) : owner}'s`]);
  const plain = slipOf(lower);
  if (plain !== undefined) return misspelled(finding, typed, [plain]);
  if (typedFrequency > 0) return undefined;
  const irregular = irregularPast(lower);
  if (irregular !== undefined) return misspelled(finding, typed, [irregular]);
  const beside = { before: previous.toLowerCase(), after: next.toLowerCase() };
  const found = candidates(typed, suggestions, beside);
  const [likeliest] = found;
  if (likeliest === undefined) return undefined;
  if (/^[A-Z]/.test(typed) && !isMistypedAtStart(text, start, typed, likeliest)) return undefined;
  const count = countOf(text, typed);
  const slip = isSlip(lower, found, count) || (careless && mayBeSlip(lower, likeliest));
  const doubt = slip ? isAmbiguous(lower, found) || isMeasure(lower, next) : mayBeMeant(lower, found, count);
  if (!slip && !doubt) return undefined;
  const best: string[] = [];
  for (const { word } of found.slice(0, 8)) {
    if (best.length === 3) break;
    // Only the first candidate is checked; the others are only shown.
    if (suggestions.includes(word) || (best.length === 0 && (isOrdinary(word) || (await isSpelled(word, dialect)))))
      best.push(inCaseOf(typed, word));
  }
  const [replacement] = best;
  if (replacement === undefined || replacement.toLowerCase() !== likeliest.word.toLowerCase()) return undefined;
  return doubt ? doubted(finding, typed, best) : misspelled(finding, typed, best);
}

/** Whether a nearer word is hardly less likely than the likeliest: “quanified” is “qualified” or “quantified”. */
function isAmbiguous(typed: string, [best, ...others]: readonly Candidate[]): boolean {
  if (best === undefined) return false;
  const word = best.word.toLowerCase();
  // The most frequent slip of all: “wierd” is “weird”, not “wired”.
  if (typed.replace('ie', 'ei') === word || typed.replace('ei', 'ie') === word) return false;
  return others.some(
    (other) =>
      other.distance <= best.distance &&
      best.score - other.score < (other.distance < best.distance ? NEARER_MARGIN : EQUAL_MARGIN) &&
      !isFormOf(other.word, word) &&
      frequency(other.word.toLowerCase()) > 500_000,
  );
}
const NEARER_MARGIN = 6;
const EQUAL_MARGIN = 1.5;

/** Whether a word says how much something holds: “a pitful of oboes”. */
const isMeasure = (typed: string, next: string): boolean =>
  next === 'of' && /^[a-z]{3,}fuls?$/.test(typed) && frequency(typed.replace(/fuls?$/, '')) > FREQUENT;

/** Whether an unknown word that is no certain slip is near enough to a frequent word to ask about it. */
const mayBeMeant = (typed: string, [best]: readonly Candidate[], count: number): boolean =>
  best !== undefined &&
  count === 1 &&
  typed.length >= 4 &&
  !/['\s]/.test(typed + best.word) &&
  best.distance <= maxCost(typed.length) &&
  frequency(best.word.toLowerCase()) > FREQUENT &&
  !isDerived(typed);

function misspelled({ start, end }: Finding, typed: string, words: readonly string[]): Proposal {
  const suggestions = [...new Set(words.map((word) => inCaseOf(typed, word)))];
  const replacement = suggestions[0] as string;
  const explanation = `“${typed}” is not spelled right; “${replacement}” is the word that fits.`;
  return { start, end, replacement, kind: 'spelling', explanation, suggestions, rule: 'spelling' };
}

function doubted(finding: Finding, typed: string, words: readonly string[]): Proposal {
  const proposal = misspelled(finding, typed, words);
  const quoted = (proposal.suggestions as readonly string[]).map((word) => `“${word}”`);
  const meant = new Intl.ListFormat('en', { type: 'disjunction' }).format(quoted);
  return { ...proposal, explanation: `“${typed}” is in no dictionary; ${meant} may be meant.`, doubt: true };
}

/** Whether a word that Harper does not know is known here: informal, in the lists of words, or derived from such a word. */
export const isKnown = (typed: string): boolean => {
  const lower = typed.toLowerCase();
  return isMeant(typed) || frequency(lower) > 0 || isDerived(lower);
};

/** The correct past of an irregular verb that was formed regularly: "dealed", "throwed". */
function irregularPast(typed: string): string | undefined {
  if (!typed.endsWith('ed')) return undefined;
  const stem = typed.slice(0, -2);
  const base = [stem, `${stem}e`, stem.slice(0, -1)].find(
    (verb) => frequency(verb) > 0 && past(verb) !== verb && !past(verb).endsWith('ed') && verb.length > 2,
  );
  return base === undefined ? undefined : past(base);
}

/** Whether a word is part of a name, a path, a link or a compound, where it is no misspelling. */
const isPartOfMore = (text: string, start: number, end: number): boolean =>
  /[-/\\.+_'’#$=<~^&|`[{:@\u00ad\u200b-\u200d\u2060]/.test(text.charAt(start - 1)) ||
  /^(?:[-/\\+_'’=>~^&|`(@\]}\u00ad\u200b-\u200d\u2060]|[.:]\S|—["”])/.test(text.slice(end, end + 2));

/** Whether a word stands within a name, as in “John von Neumann”, or its language behind it, as in “informatica (Italian)”. */
const isNamed = (text: string, start: number, end: number): boolean =>
  /^ \(\p{Lu}\p{Ll}/u.test(text.slice(end, end + 20)) ||
  /\b(?:term|called|named) $/.test(text.slice(Math.max(0, start - 8), start)) ||
  (end - start <= 4 &&
    /(?<!\p{L})\p{Lu}\p{L}{1,20} $/u.test(text.slice(Math.max(0, start - 20), start)) &&
    /^\p{Ll}+ \p{Lu}\p{Ll}/u.test(text.slice(start, end + 3)));

/** How often a word occurs in a text, in any case. */
function countOf(text: string, word: string): number {
  let count = 0;
  for (const match of text.matchAll(new RegExp(`\\b${word}\\b`, 'gi'))) count += match.index >= 0 ? 1 : 0;
  return count;
}

/** The maximum cost of a slip by the length of the word; measured on learners' mistakes, novels and manuals. */
const maxCost = (length: number): number => (length <= 4 ? 0.9 : length <= 6 ? 1.15 : length <= 8 ? 1.7 : 1.9);
const FREQUENT = 3_000_000;
const VERY_FREQUENT = 30_000_000;
const SHORT_FREQUENT = 20_000_000;
/** Contractions that people write without their apostrophe. */
const CONTRACTED =
  /n't$|^(?:i'm|i've|i'll|you're|you've|they're|they've|we're|we've|that's|there's|he's|she's|it's|let's|what's|who's|where's|here's)$/;
/** Words that are often joined to the next by mistake: "inspite", "alot", "eachother". */
const WRITTEN_ONTO = words(
  'a i in of to at by as for no not the this that with all any each every other some such well front fact',
);

/**
 * Whether an unknown word is one simple slip away from exactly one frequent word. Otherwise it may be a name, a term or a
 * rare word, as may regular derivations of a known word and words that the writer repeats.
 */
function isSlip(typed: string, found: readonly Candidate[], count: number): boolean {
  const [best] = found as readonly [Candidate, ...Candidate[]];
  const word = best.word.toLowerCase();
  const second = found.find((other) => other.word.toLowerCase() !== word && !isFormOf(other.word, word));
  const margin = second === undefined ? Infinity : best.score - second.score;
  if (typed.length < 3 && !CONTRACTED.test(word)) return false;
  // “dselect”, “kmail”: names of programs have a letter before a word.
  if (typed.slice(1) === word && typed[0] !== typed[1]) return false;
  // "mgmt" and "pngs" are short for something; "smll" lacks one letter of a frequent word.
  if (/^[bcdfghjklmnpqrstvwxz]+$/.test(typed))
    return count === 1 && best.distance <= 1 && margin >= 2 && frequency(word) >= SHORT_FREQUENT;
  if (word.includes("'") || typed.includes("'")) return CONTRACTED.test(word) && best.distance <= 0.8;
  if (/^(?:dis|in|im)|(?:ing|ed|ive|ous|ful|less)ly$/.test(typed) && isDerived(typed) && best.distance > 0.5)
    return false;
  const halves = word.split(' ');
  if (halves.length > 1) return count === 1 && typed.length > 3 && halves.some((half) => WRITTEN_ONTO.has(half));
  const common = frequency(word);
  const doubled = best.distance <= 0.6 || (typed.length >= 6 && best.distance <= 1.1 && margin >= 2);
  const longer = typed.length >= 8 && margin >= 2 && common > 100_000;
  if (common < FREQUENT && !(doubled && common > FREQUENT / 10) && !longer) return false;
  if (count > 1 && best.distance > (count > 2 ? 0.6 : 0.9)) return false;
  if (best.distance > 0.86 && isDerived(typed)) return false;
  if (beginAlike(word, typed) && isClear(typed.length, best.distance, common, margin)) return true;
  if (best.distance > maxCost(typed.length)) return false;
  if (margin < 0.7 && second !== undefined && second.distance <= best.distance + 0.3) return false;
  return !found.some(
    (other) =>
      other.distance < best.distance - 0.5 &&
      frequency(other.word.toLowerCase()) > 10_000_000 &&
      best.score - other.score < 6,
  );
}

const beginAlike = (word: string, typed: string): boolean =>
  word.charAt(0) === typed.charAt(0) || (/^[aeiou]/.test(word) && /^[aeiou]/.test(typed));

/** Whether both are forms of the same long word: "cigarettes", "cigarette's". */
const isFormOf = (other: string, word: string): boolean =>
  word.length >= 8 && other.toLowerCase().startsWith(word.slice(0, -3));

/** Whether a candidate is frequent and, though far from the typed word, much nearer than all others. */
const isClear = (length: number, distance: number, common: number, margin: number): boolean =>
  (margin >= 5 && common >= VERY_FREQUENT && distance <= maxCost(length) + 0.5) ||
  (length >= 6 && margin >= 2 && common >= 10_000_000 && distance < length * 0.25) ||
  (length >= 9 &&
    margin >= 1.5 &&
    common >= (margin === Infinity ? 400_000 : 2_000_000) &&
    distance <= (margin === Infinity ? 2.6 : 2.3)) ||
  (length >= 8 && margin >= 2 && distance <= 1.1) ||
  (length >= 5 && margin >= 0.7 && common >= VERY_FREQUENT && distance <= 1.3) ||
  (length <= 5 && margin >= 1.5 && common >= 100_000_000 && distance <= 1.1) ||
  (length >= 4 && length <= 5 && margin >= 2.5 && common >= SHORT_FREQUENT && distance <= 1.1);

/** Whether a candidate is good enough in a text of many mistakes. */
const mayBeSlip = (typed: string, { word, distance }: Candidate): boolean =>
  typed.length >= 3 &&
  !typed.includes("'") &&
  !word.includes(' ') &&
  frequency(word.toLowerCase()) > 100_000 &&
  distance <= (typed.length < 5 ? 1.1 : typed.length * 0.3);

const SUFFIXES =
  'ings ing ability able ness less lessly ists ist isms ism ized ised ers ors ees er or ee ed ies es est like ally ish ify al s d r'.split(
    ' ',
  );
const PREFIXES =
  /^(?:re|de|un|non|pre|sub|multi|anti|inter|over|under|micro|hyper|meta|auto|cyber|crypto|mis|co|super|semi|pseudo|out|up|down|self|post|trans|bi|tri|poly|mono|nano|tele|geo|bio|eco)([a-z]{4,})$/;

/** Whether a word is regularly derived from a known one: "approvers", "resharding", "dreamlessly". */
function isDerived(word: string): boolean {
  const prefixed = PREFIXES.exec(word)?.[1];
  if (prefixed !== undefined && (frequency(prefixed) > 1_000_000 || isDerived(prefixed))) return true;
  // "disappointedly", "inconvertible".
  if (/(?:ing|ed|ive|ous|ful|less)ly$/.test(word) && frequency(word.slice(0, -2)) > 0) return true;
  if (/^(?:dis|in|im)[a-z]{6,}$/.test(word) && frequency(word.replace(/^(?:dis|in|im)/, '')) > 1_000_000) return true;
  if (isCompound(word)) return true;
  return SUFFIXES.some((suffix) => {
    const stem = word.slice(0, -suffix.length);
    // “Props” is no stem of “propsal”.
    if (!word.endsWith(suffix) || stem.length < 4 || (/[^s]s$/.test(stem) && isPluralOf(stem))) return false;
    return (
      frequency(stem) > 300_000 ||
      // "dimmable".
      (stem.at(-1) === stem.at(-2) && /^[aei]/.test(suffix) && frequency(stem.slice(0, -1)) > 300_000) ||
      (/^[aei]/.test(suffix) && frequency(`${stem}e`) > 300_000) ||
      (stem.endsWith('i') && frequency(`${stem.slice(0, -1)}y`) > 300_000)
    );
  });
}

const isPluralOf = (stem: string): boolean => frequency(stem.slice(0, -1)) > 1_000_000;

/** Whether a word consists of two frequent words: "headshot". */
function isCompound(word: string): boolean {
  for (let at = 3; at <= word.length - 3; at += 1) {
    if (frequency(word.slice(0, at)) > 20_000_000 && frequency(word.slice(at)) > 20_000_000) return true;
  }
  return false;
}

/**
 * Whether an unknown capitalized word is a misspelling: it begins a sentence and is near only one very frequent word.
 * Otherwise it is a name.
 */
function isMistypedAtStart(text: string, start: number, typed: string, best: Candidate): boolean {
  if (countOf(text, typed) > 1) return false;
  const lead = text.slice(Math.max(0, start - 12), start);
  if (!/(?:^|[.!?]["”’)]*\s+|\n\s*)["“‘(]?$/.test(lead))
    return (/^[A-Z]/.test(best.word) || NAMED.test(best.word)) && best.distance <= 0.8 && typed.length >= 6;
  return (
    best.distance <= (typed.length >= 7 ? 1.2 : 1) &&
    frequency(best.word.toLowerCase()) > FREQUENT &&
    /^,? (?:[a-z]|I\b)/.test(text.slice(start + typed.length, start + typed.length + 4))
  );
}

const capitalized = ({ start, end }: Finding, typed: string, right: string): Proposal => ({
  start,
  end,
  replacement: right,
  kind: 'capitalization',
  explanation: `“${typed}” is a name and is written “${right}”.`,
  rule: 'capital-of-name',
});

const ofDialect = ({ start, end }: Finding, typed: string, right: string, dialect: Dialect): Proposal => ({
  start,
  end,
  replacement: inCaseOf(typed, right),
  kind: 'spelling',
  explanation: `${DIALECT_NAMES[dialect]} spells it “${right}”.`,
  rule: 'spelling-of-dialect',
});

/** Whether a word is a deliberate abbreviation or the possessive of a term. */
function isMeant(typed: string): boolean {
  const lower = typed.toLowerCase();
  return INFORMAL.has(lower) || /^[bcdfghjklmnpqrstvwxz]{2,3}s?$/.test(typed) || /['’]s$/.test(lower);
}
/** Maps both transatlantic spellings of a word to the same form. */
const inDialect = (word: string): string =>
  word
    .toLowerCase()
    .replace(/our/g, 'or')
    .replace(/[sz](?=[eia])/g, 'z')
    .replace(/re\b/g, 'er')
    .replace(/ae|oe/g, 'e')
    .replace(/ogue/g, 'og')
    .replace(/([lpt])\1/g, '$1')
    .replace(/nce\b/g, 'nse')
    .replace(/que\b/g, 'ck')
    .replace(/y/g, 'i')
    .replace(/grai/, 'grei');

/** Days and months that are no other words. */
const NAMED =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|april|july|august|september|october|november|december)$/;

function inCaseOf(typed: string, word: string): string {
  return /^[A-Z]/.test(typed) || NAMED.test(word) ? (word[0] ?? '').toUpperCase() + word.slice(1) : word;
}
