import type { Proposal } from './edits.ts';
import { explain, kindOf } from './explain.ts';
import { frequency, PAIR_SCALE, pairFrequency } from './frequency.ts';
import type { Finding } from './harper.ts';
import { INFORMAL } from './informal.ts';

/** Rules that look at words no dictionary has; those are corrected by `unknown-words.ts`. */
const OF_UNKNOWN_WORDS = new Set(['SpellCheck', 'SplitWords', 'WrongNegative']);

/** Rules that write two words as one. */
const JOINS = new Set(['CompoundNouns', 'MergeWords', 'DisjointPrefixes']);

/** Books write it as one word more often than as two ("homework", not "schoolteachers"); a hyphen is left as it is. */
function joinsWell(original: string, replacement: string): boolean {
  const [first, second, ...more] = original.toLowerCase().split(/\s+/);
  if (first === undefined || second === undefined || first.length < 2 || more.length > 0 || /[A-Z]{2}/.test(original))
    return false;
  const joined = frequency(replacement.toLowerCase());
  return joined > 100_000 && joined > pairFrequency(first, second) / PAIR_SCALE;
}

/** A sentence before it ended, on its line or the one above. What an exclamation in quotes or brackets ends goes on: “Oh!” he said. */
const AFTER_SENTENCE = /(?:(\p{L}+|[\d)\]%]|[`’”"])\.["'”’)\]]*|\p{L}[!?])[ \t]*(?:\r?\n)?[ \t]*["“‘(]?$/u;
/** The beginning of the text or of a paragraph that begins with no sign of a list. */
const AT_PARAGRAPH = /(?:^|\n[ \t]*\r?\n)[^\p{L}\p{N}\n*•–+#>|=~.:;,-]*$/u;
const ABBREVIATION =
  /^(?:\p{L}|inc|ltd|co|corp|etc|vs|dr|mr|mrs|ms|st|no|vol|fig|approx|dept|est|jr|sr|prof|gen|rev|eg|ie|resp|incl|ca|al|cf|sec|ed|eds|min|max|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|ave|blvd)$/iu;

/** Whether a sentence begins with a word that Harper would write with a capital: list items, labels and what goes on stay as they are. */
function beginsSentence(text: string, start: number, end: number): boolean {
  if (
    frequency(text.slice(start, end).toLowerCase()) === 0 ||
    /^(?:[-._/:=(*\]]\S|\*\*)/.test(text.slice(end, end + 2))
  )
    return false;
  const lead = text.slice(Math.max(0, start - 60), start);
  const sentence = AFTER_SENTENCE.exec(lead);
  if (sentence !== null && /\s/.test(sentence[0])) {
    const word = sentence[1] ?? 'word';
    return !ABBREVIATION.test(word) && !/(?:^|\n)\s*\d+\.\s*$/.test(lead) && !/\.\.\s*$/.test(lead);
  }
  const before = AT_PARAGRAPH.exec(text.slice(0, start));
  if (before === null) return false;
  const above = text.slice(0, before.index).trimEnd();
  if (above !== '' && !/[.!?]["'”’)]*$/.test(above)) return false;
  const [paragraph = ''] = text.slice(start).split(/\n[ \t]*\r?\n/, 1);
  return /[.!?]["'”’)]*\s*$|[.!?]\s+\p{Lu}/u.test(paragraph);
}

/** "ipod", "NIce"; not "IDEs", which has capitals of its own. */
const isMiswritten = (original: string, replacement: string): boolean =>
  (/^[a-z]+$/.test(original) && !INFORMAL.has(original)) ||
  (/^[A-Z]{2}[a-z]+$/.test(original) && frequency(replacement.toLowerCase()) > 10_000_000);

/** Two spaces between two words of a text that does not align anything with spaces, as tables and justified lines do. */
function isStraySpace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  if (text.slice(start, end).trim() !== '' || !/[a-z][a-z,;]$/.test(before) || !/^[a-z]/i.test(text.charAt(end)))
    return false;
  const runs = text.match(/[^\s.!?:] {2,}\S| {4}|\t/g) ?? [];
  return runs.length <= STRAY_SPACES_MOST;
}
const STRAY_SPACES_MOST = 3;

export interface Sorted {
  readonly unknown: readonly Finding[];
  readonly proposals: readonly Proposal[];
}

/** Harper's findings as proposals, each with its best suggestion; what has none is dropped. Unknown words apart. */
export function sortFindings(text: string, findings: readonly Finding[]): Sorted {
  const unknown = findings.filter((finding) => finding.rule === 'SpellCheck');
  const proposals: Proposal[] = [];
  for (const finding of findings) {
    if (
      OF_UNKNOWN_WORDS.has(finding.rule) ||
      unknown.some((word) => word.start === finding.start && word.end === finding.end)
    )
      continue;
    const { start, end, suggestions } = finding;
    const [replacement] = suggestions;
    if (replacement === undefined) continue;
    const original = text.slice(start, end);
    if (finding.rule === 'SentenceCapitalization' && !beginsSentence(text, start, end)) continue;
    if (finding.rule === 'AnA' && /^\s+(?:[b-df-hj-np-tv-xz]{2,}\b|[A-Z]{2,})/.test(text.slice(end, end + 20)))
      continue;
    if (/^(?:that that|had had)$/i.test(original)) continue;
    if (
      original === original.toUpperCase() &&
      original.length > 3 &&
      original.toLowerCase() === replacement.toLowerCase()
    )
      continue;
    if (finding.rule === 'Spaces' && !isStraySpace(text, start, end)) continue;
    if (finding.rule === 'ToTwoToo' && replacement === 'to' && /^ \w+ an? /.test(text.slice(end, end + 30))) continue;
    if (finding.rule === 'OrthographicConsistency' && !isMiswritten(original, replacement)) continue;
    // "Who's going?": the capital is the sentence's.
    if (original.charAt(0).toLowerCase() + original.slice(1) === replacement && /^\p{Lu}/u.test(original)) continue;
    if (JOINS.has(finding.rule) && !joinsWell(original, replacement)) continue;
    const explanation = explain(finding, original, replacement);
    proposals.push({ start, end, replacement, kind: kindOf(finding), explanation, suggestions });
  }
  return { unknown, proposals };
}
