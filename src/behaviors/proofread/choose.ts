import type { Proposal } from './edits.ts';
import { explain, kindOf } from './explain.ts';
import { frequency, PAIR_SCALE, pairFrequency } from './frequency.ts';
import type { Finding } from './harper.ts';

/** Rules that look at words no dictionary has; those are corrected by `unknown-words.ts`. */
const OF_UNKNOWN_WORDS = new Set(['SpellCheck', 'SplitWords', 'WrongNegative']);

/** Rules that write two words as one. */
const JOINS = new Set(['CompoundNouns', 'MergeWords', 'DisjointPrefixes']);

/** Books write it as one word more often than as two ("homework", not "schoolteachers"); a hyphen is left as it is. */
function joinsWell(original: string, replacement: string): boolean {
  const [first, second, ...more] = original.toLowerCase().split(/\s+/);
  if (first === undefined || second === undefined || more.length > 0 || /[A-Z]{2}/.test(original)) return false;
  const joined = frequency(replacement.toLowerCase());
  return joined > 100_000 && joined > pairFrequency(first, second) / PAIR_SCALE;
}

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
    // "Who's going?": the capital is the sentence's.
    if (original.charAt(0).toLowerCase() + original.slice(1) === replacement && /^\p{Lu}/u.test(original)) continue;
    if (JOINS.has(finding.rule) && !joinsWell(original, replacement)) continue;
    const explanation = explain(finding, original, replacement);
    proposals.push({ start, end, replacement, kind: kindOf(finding), explanation, suggestions });
  }
  return { unknown, proposals };
}
