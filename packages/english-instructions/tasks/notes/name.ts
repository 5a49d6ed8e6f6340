import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';
import { unquote } from '../clause.ts';
import type { NoteView, TaskContext } from '../task.ts';
import { answersTo } from './asked.ts';

const NAME_LENGTH = 100;

/** Maximum characters of an instruction; longer text is for another task. */
export const INSTRUCTION_LENGTH = 2_000;

const LEADING = /^(?:(?:that|about|the|a|an|my|our|your|of) )+(?=\S)/;

/** The stored form of a name: lower case, single spaces, up to 100 characters; '' when nothing is left. */
export const noteName = (text: string): string =>
  text.toLowerCase().replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH).trim();

/** The name of a note as people say it, without quotation marks, "the", "my" and final punctuation. */
export const spokenName = (text: string): string =>
  noteName(unquote(withoutTrailing(noteName(text), `${BLANKS}?!.,;:`)).replace(LEADING, ''));

/** The name of a text without one: its first words. */
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

/** The notes that a name means: the one with exactly this name, else all that contain it, or all of its words. */
export async function notesOf(asked: string, { notes }: Pick<TaskContext, 'notes'>): Promise<readonly NoteView[]> {
  const name = noteName(asked);
  const exact = (await notes.get(name)) ?? (await notes.get(spokenName(name)));
  if (exact !== undefined) return [exact];
  const found = await notes.find(spokenName(name));
  return found.length > 0
    ? found
    : (await notes.find('')).filter(({ name: called, text }) => answersTo(name, `${called} ${text}`));
}

/** Kinds of things that people write down. */
export const KEPT =
  '(?:password|passcode|pass ?phrase|code|pin|number|address|key|size|birthday|name|e-?mail|phone|link|login|username|account|iban|deadline|combination)';
/** One of them, with what it belongs to: "the key to the shed". */
export const NAMED_KINDS = new RegExp(
  `^(?:the )?(?:[\\p{L}-]+ )?${KEPT}(?: (?:of|for|to|at) [\\p{L}'’ -]{2,40})?$`,
  'iu',
);
