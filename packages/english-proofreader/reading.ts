import type { Doubt, Edit } from './edits.ts';
import type { Range } from './protect.ts';

/** The result of reading a text or a piece of one. */
export interface Reading {
  /** ISO 639-1, or null when it is uncertain. */
  readonly language: string | null;
  readonly words: number;
  /** False where a possible mistake was left unchanged, so that "no corrections" does not mean "correct". */
  readonly sure: boolean;
  readonly edits: readonly Edit[];
  /** What may be a mistake and is left as it is, in text order; none touches an edit. */
  readonly doubts: readonly Doubt[];
  /** Ranges that are not read as English prose, sorted. */
  readonly unread: readonly Range[];
  readonly passed_over: PassedOver;
}

/** Numbers of words that were not read. */
export interface PassedOver {
  /** In another language. */
  readonly other_language: number;
  /** In code, data, columns and sentences in capitals. */
  readonly not_prose: number;
  /** Words that no dictionary has, such as names. */
  readonly unknown: number;
}

/** The reading of a text without words. */
export const NO_WORDS: Reading = {
  language: null,
  words: 0,
  sure: true,
  edits: [],
  doubts: [],
  unread: [],
  passed_over: { other_language: 0, not_prose: 0, unknown: 0 },
};
