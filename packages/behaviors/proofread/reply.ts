import { longestBackticks } from '@mailroom/behavior/values/backticks';
import { languageName } from '@mailroom/behavior/values/language-name';
import type { Reading } from '@mailroom/english-proofreader/check';
import { DIALECT_NAMES, type English } from '@mailroom/english-proofreader/dialect';
import type { Edit } from '@mailroom/english-proofreader/edits';

/** Such as “1 word” and “2 words”. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The reply as Markdown: the corrected text and each correction with its reason, or that there are none. */
export function replyBody(
  corrected: string,
  edits: readonly Edit[],
  { language, words, sure }: Omit<Reading, 'edits' | 'doubts'>,
  { dialect, inferred }: English,
): string {
  if (language !== null && language !== 'en') {
    return `Nothing was corrected: the text reads as ${languageName(language)}, and only English is corrected here.`;
  }
  if (words === 0) return 'Nothing to correct: there are no words to read.';
  if (language === null)
    return 'Nothing was corrected: the text does not read as English, and only English is corrected here.';
  const name = DIALECT_NAMES[dialect];
  if (edits.length === 0) {
    const found = sure ? 'Nothing to correct.' : 'I found nothing I am sure of.';
    return `${found} ${counted(words, 'word')} read as ${name}.`;
  }
  const list = edits.map((edit, index) => `${index + 1}. ${change(edit)}: ${edit.explanation}`);
  const read = inferred ? ` (read as ${name})` : '';
  return `${corrected}\n\n---\n\n**${counted(edits.length, 'correction')}**${read}\n\n${list.join('\n')}\n`;
}

function change({ original, replacement }: Edit): string {
  if (original.trim() === '' && replacement.trim() === '') return 'Spacing';
  if (original.trim() === '') return `${code(replacement)} added`;
  if (replacement.trim() === '') return `${code(original.trim())} left out`;
  return `${code(original)} → ${code(replacement)}`;
}

/** A code span that can hold any text (CommonMark 0.31, section 6.1). */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = longestBackticks(line);
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || /^\s|\s$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
