import { group, type Patterns } from '../pattern.ts';
import { WITH_BASE } from './words.ts';

/** Subjects with a verb of the other number, in fixed words. */
export const AGREEMENT: readonly Patterns[] = [
  group('agreement', 'The verb agrees with its subject: “$2”.', [
    'those who was>were',
    'those who is>are',
    'there is>are people',
    '^|,|and|but|because two|three|four|five|several|many|both|few of them is>are',
    '^|,|and|but|because two|three|four|five|several|many|both|few of them was>were',
    'and two|three|four|five|several was>were VERB|ADJ',
    'like|that|if|because|when|and|but|think someone|somebody|everyone|everybody have>has VERB|been',
    'there was>were people',
    '^ breakfast|lunch|dinner were>was ADJ|very|so|really|not|too',
    '^ technology|society|education|money|music|nature|life|science|pollution|traffic have>has VERB|AUX',
    `!${WITH_BASE} the|my|this|our battery|phone|screen|app|computer|machine|website|page|laptop|program {die,crash,freeze,stop,start,load,open,break,fail}>{:s} after|when|every|all|on|in|because`,
    'that|and|, the number|price|population|rate|temperature {increase,decrease,rise,fall}>{:s} rapidly|slowly|every|each|quickly|sharply',
    'there was>were two|three|four|five|six|seven|eight|nine|ten of us|them|you',
    '^ either of them|us|those|these are>is',
    '^ have>has he|she VERB|ADV|been|ever|always',
    'NUM miles|kilometers|hours|minutes|years are>is a long',
    '^ what are>is the news|information|weather|advice|homework|difference',
  ]),
  group('negation', 'One negation is enough: “$2”.', [
    "n't never>ever",
    "not|n't VERB nowhere>anywhere",
    'without *ing_{nobody>*ing_anybody,nothing>*ing_anything}',
    "n't nobody>anybody $|in|at|here|there|who|home|to|else",
  ]),
];
