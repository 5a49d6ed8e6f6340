import { insertBefore, isNoun, isOne, isWord, type Rule, words } from './rule.ts';

/** Places that a visitor names with an article, as no idiom leaves it out. */
const PLACES = words(
  'airport station bank cinema supermarket restaurant hotel gym beach park library museum pharmacy bakery mall factory garage pool playground mountains countryside village',
);
const PREPOSITIONS = words('in at to from near inside outside behind');
/** Words that show someone was or went there. */
const MOTION = words(
  'go goes went going gone come comes came coming get gets got getting arrive arrives arrived walk walked walking drive drove driving run ran travel traveled travelled wait waited waiting meet met meeting work works worked working live lives lived stay stayed eat ate buy bought sit sat stand stood pick picked drop dropped take took bring brought left leave be been am is are was were money account job breakfast dinner lunch hours minutes years months',
);
const WORK = words('work works worked working job years months experience');
const END =
  /^(?:[.,;!?)]|and|but|because|with|for|on|at|yesterday|today|tomorrow|this|last|next|every|by|before|after|so|when|where)$/;

/** "We met at airport", "He has worked two years in bank": the place takes an article. */
export const articleBeforePlace: Rule = {
  id: 'article-before-place',
  kind: 'article',
  words: 'in at to from near inside outside behind',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const place = sentence[i + 1];
      const next = sentence[i + 2];
      if (!isOne(token, PREPOSITIONS) || !token.spaced || !isOne(place, PLACES) || !isNoun(place) || !place.spaced)
        continue;
      const purpose = token.lower !== 'from' && next?.lower === 'to' && sentence[i + 3]?.pos === 'VERB';
      if (next !== undefined && !purpose && (!END.test(next.lower) || (!next.spaced && next.pos !== 'PUNCT'))) continue;
      const lead = sentence.slice(Math.max(0, i - 6), i);
      // "from bank to bank", "hotel to airport": two ends of a way.
      if (token.lower === 'to' && lead.some((word) => word.lower === 'from' || word.pos === 'NUM')) continue;
      if (
        isNoun(sentence[i - 1]) &&
        (token.lower === 'to' || token.lower === 'from') &&
        !isOne(sentence[i - 1], words('way back'))
      )
        continue;
      if (!lead.some((word) => isOne(word, MOTION))) continue;
      const article = token.lower === 'in' && lead.some((word) => isOne(word, WORK)) ? 'a' : 'the';
      yield insertBefore(place, article, `“${place.text}” takes an article here: “${article} ${place.lower}”.`);
    }
  },
};

const WITH = words('with have has had got completed finished take took hold holds obtained received');

/** "with Master's degree": a degree is counted. */
export const articleBeforeDegree: Rule = {
  id: 'article-before-degree',
  kind: 'article',
  words: 'degree',
  fixes: {},
  leaves: [],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const title = sentence[i + 1];
      if (!isOne(token, WITH) || !isWord(title) || !isOne(title, words('master bachelor'))) continue;
      if (!/^['’]s$/.test(sentence[i + 2]?.text ?? '') || sentence[i + 3]?.lower !== 'degree') continue;
      const explanation = 'A degree is counted, so an article stands before it.';
      yield { start: title.start, end: title.end, replacement: `a ${title.text}`, explanation };
    }
  },
};
