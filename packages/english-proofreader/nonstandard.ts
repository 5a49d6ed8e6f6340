import type { Kind } from './edits.ts';
import type { Range } from './protect.ts';

/** Signs that a line is written in a dialect on purpose: "ain't", "y'all", "nothin'", "summat". */
const SIGNS =
  /\b(?:ain['’]t|y['’]all|innit|nowt|owt|summat|aye|yer|ol['’]|me (?:mum|dad|mam)|[a-z]{3,}in['’](?![a-z]))|(?<![\p{L}\p{N}])['’](?:bout|em|tis|twas|ere)\b/iu;

/** Kinds of corrections that would turn a dialect into the standard. */
const OF_STANDARD: ReadonlySet<Kind> = new Set(['agreement', 'negation', 'verb_form', 'word_choice', 'grammar']);

/** The lines in dialect. */
export function dialectLines(text: string): Range[] {
  if (!SIGNS.test(text)) return [];
  const lines: Range[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    if (SIGNS.test(line)) lines.push([offset, offset + line.length]);
    offset += line.length + 1;
  }
  return lines;
}

/** Whether a correction of this kind is left out in a line of dialect. */
export const isOfStandard = (kind: Kind): boolean => OF_STANDARD.has(kind);
