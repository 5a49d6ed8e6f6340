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

/** Behind white space or an opening sign, and a word: "sys.path" and "adduser" keep what they are. */
const beginsSentence = (text: string, start: number, word: string): boolean =>
  (start === 0 || /[\s"'“‘(*_]/.test(text.charAt(start - 1))) &&
  frequency(word.toLowerCase()) > 0 &&
  !/\b(?:inc|ltd|co|corp|etc|vs|dr|mr|mrs|ms|st|no|vol|fig|approx|dept|est|jr|sr|prof|gen|rev)\.\s*$/i.test(
    text.slice(Math.max(0, start - 10), start),
  );

/** "ipod", "NIce"; not "IDEs", which has capitals of its own. */
const isMiswritten = (original: string, replacement: string): boolean =>
  (/^[a-z]+$/.test(original) && !INFORMAL.has(original)) ||
  (/^[A-Z]{2}[a-z]+$/.test(original) && frequency(replacement.toLowerCase()) > 10_000_000);

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
    if (finding.rule === 'SentenceCapitalization' && !beginsSentence(text, start, original)) continue;
    if (finding.rule === 'AnA' && /^\s+(?:[b-df-hj-np-tv-xz]{2,}\b|[A-Z]{2,})/.test(text.slice(end, end + 20)))
      continue;
    if (/^(?:that that|had had)$/i.test(original)) continue;
    if (
      original === original.toUpperCase() &&
      original.length > 3 &&
      original.toLowerCase() === replacement.toLowerCase()
    )
      continue;
    // "an empty .login file", "too low a value".
    if (finding.rule === 'Spaces' && /^\.\S/.test(text.slice(end, end + 2))) continue;
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
