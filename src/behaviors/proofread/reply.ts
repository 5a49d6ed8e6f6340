import { DIALECT_NAMES, type Dialect } from './dialect.ts';
import type { Edit } from './edits.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The answer as Markdown: the corrected text, then each correction with its reason; or that there is none. */
export function replyBody(
  corrected: string,
  edits: readonly Edit[],
  language: string | null,
  words: number,
  dialect: Dialect,
): string {
  if (language !== null && language !== 'en') {
    return `Nothing was corrected: the text reads as ${languageNames.of(language) ?? language}, and only English is corrected here.`;
  }
  if (words === 0) return 'Nothing to correct: there are no words to read.';
  if (language === null)
    return 'Nothing was corrected: the text does not read as English, and only English is corrected here.';
  if (edits.length === 0) return `Nothing to correct. ${counted(words, 'word')} read as ${DIALECT_NAMES[dialect]}.`;
  const list = edits.map((edit, index) => `${index + 1}. ${change(edit)}: ${edit.explanation}`);
  return `${corrected}\n\n---\n\n**${counted(edits.length, 'correction')}**\n\n${list.join('\n')}\n`;
}

function change({ original, replacement }: Edit): string {
  if (original.trim() === '' && replacement.trim() === '') return 'Spacing';
  if (original.trim() === '') return `${code(replacement)} added`;
  if (replacement.trim() === '') return `${code(original)} left out`;
  return `${code(original)} → ${code(replacement)}`;
}

/** A code span with any text in it (CommonMark 0.31, section 6.1). */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 || /^\s|\s$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
