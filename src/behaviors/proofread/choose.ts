import type { Proposal } from './edits.ts';
import { explain, kindOf } from './explain.ts';
import type { Finding } from './harper.ts';

/** Rules that look at words no dictionary has; those are corrected by `unknown-words.ts`. */
const OF_UNKNOWN_WORDS = new Set(['SpellCheck', 'SplitWords', 'WrongNegative']);

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
    const explanation = explain(finding, original, replacement);
    proposals.push({ start, end, replacement, kind: kindOf(finding), explanation, suggestions });
  }
  return { unknown, proposals };
}
