import type { Match } from './finding.ts';

/** Tag characters but those of a flag (UTS #51, section 1.4.5), and selectors of variants, in rows: both can spell a text that no program shows. */
const SPELLED = /[\u{e0000}-\u{e007f}]{3,}|(?:[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]){3,}/gu;
/** Characters without width in rows, in which bits can be written. */
const WITHOUT_WIDTH = /[\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u180e\u00ad]{16,}/gu;
const FLAG = '\u{1f3f4}';
/** Bits are seldom in order; what fills the preview of a newsletter repeats one pattern of at most this length. */
const MAX_PATTERN = 8;

const isPeriodic = (row: string): boolean => {
  const begin = row.slice(0, 256);
  return Array.from({ length: MAX_PATTERN }, (_, index) => index + 1).some(
    (period) => begin.slice(period) === begin.slice(0, -period),
  );
};

/** Texts in characters that are not shown. */
export function hiddenCharacters(text: string): Match[] {
  const spelled = [...text.matchAll(SPELLED)].filter(({ index }) => text.slice(index - 2, index) !== FLAG);
  const bits = [...text.matchAll(WITHOUT_WIDTH)].filter(([row]) => !isPeriodic(row));
  return [...spelled, ...bits].map(({ index, 0: row }) => ({
    start: index,
    length: row.length,
    why: 'There is text in characters that no program shows.',
  }));
}

const WORD = /[\p{L}\p{N}]{2,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** Words from which a hidden text says something. */
const MIN_WORDS = 3;
/** The longest line that newsletters hide for the preview in a list of mails, in characters. */
const MAX_PREVIEW = 200;
/** How HTML hides such a line, or a part that is for screens of another size. */
const USUAL = new Set(['display_none', 'hidden_attribute', 'zero_size', 'invisible', 'transparent']);

export interface HiddenPart {
  readonly text: string;
  /** By what it is hidden, in the words of the service's reader of mail, such as `display_none`. */
  readonly why: readonly string[];
}

/**
 * Whether a hidden text says what the mail does not say. Not: fewer than three words; words of which four fifths are shown
 * too, as in a mail with a layout for small screens; a line for the preview in a list of mails, which has at most 200
 * characters, no address, and is hidden as such lines are.
 */
export function isNewToReader({ text, why }: HiddenPart, shown: string): boolean {
  const words = new Set(wordsOf(text));
  if (words.size < MIN_WORDS) return false;
  const visible = new Set(wordsOf(shown));
  const missing = [...words].filter((word) => !visible.has(word)).length;
  if (missing * 5 <= words.size) return false;
  const isPreview = text.length <= MAX_PREVIEW && why.every((one) => USUAL.has(one)) && !/@|:\/\/|www\./i.test(text);
  return !isPreview;
}
