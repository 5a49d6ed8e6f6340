/** The length of the longest run of backticks; 0 where there is none. */
export const longestBackticks = (text: string): number =>
  // Not spread into one call, because a text may have more runs than a call takes arguments.
  (text.match(/`+/g) ?? []).reduce((max, { length }) => Math.max(max, length), 0);

/** A code block with a fence longer than any in the text (CommonMark 0.31, section 4.5). */
export function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
