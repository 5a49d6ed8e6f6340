/** What a text that speaks to a model wants of it. */
export type Purpose = 'override' | 'address' | 'role' | 'prompt' | 'secrecy' | 'data' | 'marks';

/** A way to say it. */
export interface Phrase {
  readonly purpose: Purpose;
  /** Parts of words of which a text with the phrase has at least one: the others need not be searched. */
  readonly stems: readonly string[];
  /** For text as `folded` makes it: in lower case, without accents, with single blanks. */
  readonly form: RegExp;
}

/**
 * A phrase in folded words. In `form`, `<3>` stands for up to three other words of the same sentence with a blank on
 * each side, and `<c9>` for up to nine characters, in languages that write no blanks. `stems` are separated by blanks.
 */
export const phrase = (purpose: Purpose, stems: string, form: string): Phrase => ({
  purpose,
  stems: stems.split(' '),
  form: new RegExp(
    form.replace(/<(\d)>/g, '(?: [^ .!?;]{1,25}){0,$1}? ').replace(/<c(\d{1,2})>/g, '[^.!?。！？；]{0,$1}?'),
    'gu',
  ),
});
