/** The tagger's result for one token. */
interface Tagged {
  readonly lower: string;
  readonly pos: string;
}

const BEFORE_LIVES = /^(?:who|that|which|he|she|it|they|we|i|you|everyone|everybody|nobody|someone)$/;
const AFTER_LIVES = /^(?:in|at|near|with|next|there|here|alone|together|on|by|abroad)$/;

const PERSONS = /^(?:children|people|students|parents|teachers|women|men|kids|customers|employees|users|guests)$/;

/**
 * Corrects parts of speech that the tagger regularly gets wrong, as in "the people who lives next door", "everyone who like
 * tea".
 */
export function retag<T extends Tagged>(tokens: readonly T[]): T[] {
  return tokens.map((token, i) => {
    const previous = tokens[i - 1];
    const next = tokens[i + 1];
    const subject = BEFORE_LIVES.test(previous?.lower ?? '') || previous?.pos === 'NOUN';
    if (token.lower === 'lives' && token.pos === 'NOUN' && subject && AFTER_LIVES.test(next?.lower ?? ''))
      return { ...token, pos: 'VERB' };
    if (token.pos === 'PROPN' && PERSONS.test(token.lower) && (previous === undefined || previous.pos === 'PUNCT'))
      return { ...token, pos: 'NOUN' };
    if (token.lower === 'people' && token.pos === 'VERB' && previous?.pos !== 'PART') return { ...token, pos: 'NOUN' };
    if (next?.lower === 'people' && token.pos === 'PROPN' && /^(?:young|old|rich|poor)$/.test(token.lower))
      return { ...token, pos: 'ADJ' };
    if (/^aims?$/.test(token.lower) && previous?.pos === 'NOUN' && next?.lower === 'to')
      return { ...token, pos: 'VERB' };
    if (token.lower === 'like' && token.pos === 'ADP' && previous?.lower === 'who') return { ...token, pos: 'VERB' };
    return token;
  });
}
