import type { Token } from '../tokens.ts';
import { commaAfter, hasVerb } from './commas.ts';
import { isOne, type Rule, SUBJECT_PRONOUNS, words } from './rule.ts';

/** Linking words; a comma follows when a subject comes next (Chicago 6.49). */
const LINKS: readonly (readonly string[])[] = [
  ...words(
    'however therefore furthermore moreover nevertheless nonetheless consequently additionally similarly likewise meanwhile nowadays finally firstly secondly thirdly lastly hence thus unfortunately fortunately actually personally obviously besides otherwise instead generally usually indeed also yes no well oh hello hi second third',
  ),
  ...'for example|for instance|in addition|in fact|in conclusion|in contrast|in other words|in general|in my opinion|in my view|in short|in summary|in this case|in that case|in this way|on the other hand|on the contrary|on one hand|on the one hand|as a result|as a consequence|as a matter of fact|first of all|above all|after all|of course|at first|at the same time|by the way|to sum up|to conclude|at the end of the day|these days|in the past|in the future|in recent years|from my point of view|because of that|because of this|for this reason|for these reasons|for that reason'.split(
    '|',
  ),
].map((link) => link.split(' '));
/** Links that books hardly ever leave without a comma; after the others it is for the writer to choose. */
const SURE = new Set([
  ...words(
    'however therefore furthermore moreover nevertheless consequently additionally unfortunately nowadays hello hi',
  ),
  ...[
    'for example',
    'for instance',
    'in addition',
    'in conclusion',
    'on the other hand',
    'as a result',
    'first of all',
  ],
]);
const LONGEST_LINK = Math.max(...LINKS.map((link) => link.length));
const byFirst = Map.groupBy(LINKS, (link) => link[0] as string);

const BEGINS_CLAUSE = words(
  'i you he she it we they there this that these those the a an my your his her our their some many most people if when everyone everybody nobody no one',
);

/** "However it is late" → "However, it is late". */
export const afterLink: Rule = {
  id: 'after-link',
  kind: 'punctuation',
  fixes: { 'However I still believe in you.': 'However, I still believe in you.' },
  leaves: ['Luckily for us, the shop was still open at ten.'],
  *find(sentence) {
    const start = sentence[0]?.lower === 'and' || sentence[0]?.lower === 'but' || sentence[0]?.lower === 'so' ? 1 : 0;
    const first = sentence[start];
    if (first === undefined) return;
    const fitting = byFirst
      .get(first.lower)
      ?.filter((link) => link.every((word, n) => sentence[start + n]?.lower === word));
    const link = fitting?.sort((a, b) => b.length - a.length)[0];
    if (link === undefined || link.length > LONGEST_LINK) return;
    const last = sentence[start + link.length - 1] as Token;
    const next = sentence[start + link.length];
    if (last.locked || next === undefined || !next.spaced) return;
    const clause =
      BEGINS_CLAUSE.has(next.lower) || (next.pos === 'NOUN' && !/^(?:of|to)$/.test(next.lower)) || next.pos === 'PROPN';
    if (!clause || !hasVerb(sentence, start + link.length)) return;
    if (/^(?:this|that|these)$/.test(last.lower) && next.pos === 'NOUN') return;
    // "For example error messages": the noun may be part of the phrase.
    if (/^(?:example|instance)$/.test(last.lower) && !BEGINS_CLAUSE.has(next.lower)) return;
    // "In short order", "However that may be".
    if (/^(?:short|general|fact)$/.test(last.lower) && next.pos === 'NOUN' && !BEGINS_CLAUSE.has(next.lower)) return;
    if (link[0] === 'however' && isOne(sentence[start + 2], words('may might know knows'))) return;
    if (/^(?:hello|hi)$/.test(link[0] as string) && !isOne(next, words('i my we this it'))) return;
    // In "However you do it" and "Besides the house" the word is a conjunction or a preposition.
    if (/^(?:however|hence|besides|instead|otherwise)$/.test(link[0] as string) && link.length === 1) {
      if (
        link[0] === 'however' &&
        next.lower === 'you' &&
        !/^(?:are|can|will|should|must|have)$/.test(sentence[start + 2]?.lower ?? '')
      )
        return;
      if (link[0] !== 'however' && !SUBJECT_PRONOUNS.has(next.lower)) return;
    }
    if (
      /^(?:thus|usually|generally|actually|finally)$/.test(link[0] as string) &&
      !(SUBJECT_PRONOUNS.has(next.lower) || /^(?:the|this|that|there|these)$/.test(next.lower))
    )
      return;
    if (
      /^after all$|^in the (?:past|future)$|^at first$/.test(link.join(' ')) &&
      !SUBJECT_PRONOUNS.has(next.lower) &&
      next.lower !== 'there'
    )
      return;
    if (/^(?:in this way|in this case)$/.test(link.join(' ')) && next.lower === 'that') return;
    const answers = isOne(first, words('yes no well oh')) && link.length === 1;
    const states = isOne(next, SUBJECT_PRONOUNS) && /^(?:AUX|VERB)$/.test(sentence[start + 2]?.pos ?? '');
    if (answers && (!isOne(next, SUBJECT_PRONOUNS) || isOne(sentence[start + 2], words('may might')))) return;
    if (first.lower === 'no' && sentence[start + 2]?.pos !== 'AUX') return;
    const found = commaAfter(last, 'What opens a sentence and stands apart from it is followed by a comma.');
    yield { ...found, doubt: !(SURE.has(link.join(' ')) || (answers && states)) };
  },
};
