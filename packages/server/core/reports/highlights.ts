import type { Message } from '../entities/message.ts';
import type { Phrase, SearchTerms } from '../values/search-query.ts';
import { type Word, wordsOf } from '../values/search-words.ts';

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Where a text of a message says what was searched. */
export interface Highlight extends Span {
  readonly field: 'subject' | 'body' | 'reply.body';
}

/** Of one message, or of one text. */
const MAX_HIGHLIGHTS = 100;

/** Where the texts of a message say what is searched, in the order of the texts. */
export function highlightsOf({ subject, body, reply }: Message, terms: SearchTerms): readonly Highlight[] {
  const texts = { subject, body, 'reply.body': reply?.body ?? null } as const;
  return Object.entries(texts)
    .flatMap(([name, text]) => {
      const field = name as Highlight['field'];
      return text === null ? [] : spansIn(text, terms, field).map((span) => ({ field, ...span }));
    })
    .slice(0, MAX_HIGHLIGHTS);
}

/** Where a text says what is searched in all texts, or in those of this field. */
export function spansIn(text: string, { words }: SearchTerms, field?: Highlight['field']): readonly Span[] {
  const phrases = words.filter(({ not }) => !not).flatMap(({ any }) => any);
  const wanted = phrases.filter((one) => one.field === undefined || one.field === field);
  if (wanted.length === 0) return [];
  const found: Span[] = [];
  const all = wordsOf(text);
  for (let at = 0; at < all.length && found.length < MAX_HIGHLIGHTS; at++) {
    const ends = wanted.map((phrase) => endOf(all, at, phrase)).filter((end) => end !== undefined);
    if (ends.length === 0) continue;
    const { offset } = all[at] as Word;
    const last = found.at(-1);
    const end = Math.max(...ends);
    // Pairs of characters overlap.
    if (last !== undefined && last.offset + last.length > offset)
      found[found.length - 1] = { ...last, length: Math.max(last.length, end - last.offset) };
    else found.push({ offset, length: end - offset });
  }
  return found;
}

/** Where a phrase ends that begins at a word; undefined where it does not. */
function endOf(all: readonly Word[], at: number, { words, prefix, single }: Phrase): number | undefined {
  for (const [nth, word] of words.entries()) {
    const text = all[at + nth]?.text;
    const last = nth === words.length - 1;
    if (text === undefined || !(prefix && last ? text.startsWith(word) : text === word)) return undefined;
  }
  const { offset, length } = all[at + words.length - 1] as Word;
  // Of a pair, what is looked for is its first character.
  return offset + (single === true ? Math.min((words.at(-1) ?? '').length, length) : length);
}
