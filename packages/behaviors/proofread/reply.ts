import { longestBackticks } from '@mailroom/behavior/values/backticks';
import { languageName } from '@mailroom/behavior/values/language-name';
import { passedOverText } from '@mailroom/behavior/values/passed-over';
import { DIALECT_NAMES, type English } from '@mailroom/english-proofreader/dialect';
import type { Doubt, Edit } from '@mailroom/english-proofreader/edits';
import type { Reading } from '@mailroom/english-proofreader/reading';

/** Such as “1 word” and “2 words”. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * The reply as Markdown: the corrected text and each correction with its reason, or that there are none; then what may be a
 * mistake, and how much was not read.
 */
export function replyBody(corrected: string, reading: Reading, { dialect, inferred }: English): string {
  const { language, words, sure, edits, doubts, passed_over } = reading;
  if (language !== null && language !== 'en') {
    return `Nothing was corrected: the text reads as ${languageName(language)}, and only English is corrected here.`;
  }
  const passed = passedOverText(passed_over);
  if (words === 0)
    return passed === undefined
      ? 'Nothing to correct: there are no words to read.'
      : `Nothing was corrected: there is no English prose here. ${passed}`;
  if (language === null)
    return 'Nothing was corrected: the text does not read as English, and only English is corrected here.';
  const name = DIALECT_NAMES[dialect];
  if (edits.length === 0) {
    const found = sure ? 'Nothing to correct.' : 'I found nothing I am sure of.';
    const line = [`${found} ${counted(words, 'word')} read as ${name}.`, passed].filter((text) => text !== undefined);
    return [line.join(' '), worthALook(doubts)].filter((text) => text !== undefined).join('\n\n');
  }
  const list = edits.map((edit, index) => `${index + 1}. ${change(edit)}: ${edit.explanation}`);
  const read = inferred ? ` (read as ${name})` : '';
  const corrections = `${corrected}\n\n---\n\n**${counted(edits.length, 'correction')}**${read}\n\n${list.join('\n')}`;
  return `${[corrections, worthALook(doubts), passed].filter((text) => text !== undefined).join('\n\n')}\n`;
}

/** What may be a mistake, as a list; undefined where there is nothing. */
function worthALook(doubts: readonly Doubt[]): string | undefined {
  if (doubts.length === 0) return undefined;
  return `**Worth a look**, left as written\n\n${doubts.map((doubt) => `- ${question(doubt)}: ${doubt.explanation}`).join('\n')}`;
}

function question({ original, suggestions }: Doubt): string {
  const meant = suggestions.filter((text) => text.trim() !== '').map(code);
  const what = original.trim() === '' ? 'A word' : code(original.trim());
  return meant.length === 0 ? `${what} left out?` : `${what} → ${meant.join(' or ')}?`;
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
