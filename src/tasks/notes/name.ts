import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import { unquote } from '../clause.ts';
import type { NoteView, TaskContext } from '../task.ts';

/** Characters of a note's name. */
export const NAME_LENGTH = 100;

/** Instructions are short; what is longer is text for another task. */
export const INSTRUCTION_LENGTH = 2_000;

const LEADING = /^(?:(?:that|about|the|a|an|my|our|your|of) )+(?=\S)/;

/** A name as notes are kept by: lower case, single spaces, up to 100 characters. '' when nothing is left. */
export const noteName = (text: string): string =>
  text.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH).trim();

/** What people call a note, as its name: without quotes, "the", "my" and punctuation at the end. */
export const spokenName = (text: string): string =>
  noteName(unquote(withoutTrailing(noteName(text), `${BLANKS}?!.,;:`)).replace(LEADING, ''));

/** A name for text that was given none: its first words. */
export const firstWords = (text: string): string =>
  spokenName(
    text
      .slice(0, 400)
      .replace(/[,;:.!?"“”()[\]{}]+(?=\s|$)/g, '')
      .split(/\s+/)
      .slice(0, 5)
      .join(' ')
      .slice(0, 60),
  ) || 'note';

/** The notes that are meant by a name: the one of exactly this name, else all that have it in them. */
export async function notesOf(asked: string, { notes }: Pick<TaskContext, 'notes'>): Promise<readonly NoteView[]> {
  const name = noteName(asked);
  const exact = (await notes.get(name)) ?? (await notes.get(spokenName(name)));
  return exact === undefined ? notes.find(spokenName(name)) : [exact];
}
