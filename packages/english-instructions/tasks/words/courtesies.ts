/** Courtesies and words for "at once", which say nothing by themselves. */
export const COURTESY =
  '(?:(?:and |so )?(?:(?:many|best|kind|warm|with) )?(?:thanks|thank you|thx+|ty|tia|cheers|regards|wishes|please|pls|plz|kindly)(?: (?:a lot|so much|very much|in advance|again))?|(?:right )?now|asap|at once|immediately|for me|if you can|(?:would|will|could) you)';
const ONLY = new RegExp(`^(?:[\\s,.!?-]*${COURTESY}(?![\\p{L}\\p{N}]))+[\\s,.!?]*$`, 'iu');
/** Thanks may be what is sent or kept. */
const THANKS = /^(?:(?:many|best|kind|warm|with) )?(?:thanks|thank you|thx+|ty|cheers|regards|wishes)\b/i;
const LAST = new RegExp(`(?:(?:, ?| )${COURTESY})+[.!?]*$`, 'iu');

/** Whether words that would be sent or kept only ask for it politely: "for me, would you?", ", thanks". */
export function isCourtesy(text: string): boolean {
  const words = text.trim();
  return words.length < 100 && ONLY.test(words) && !THANKS.test(words);
}

/** A text without the courtesy at its end. */
export const withoutCourtesy = (text: string): string => text.replace(LAST, '');
