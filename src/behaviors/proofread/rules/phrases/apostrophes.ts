import { group, type Patterns } from '../pattern.ts';

const OWNERS =
  'manager,boss,teacher,brother,sister,mother,father,friend,doctor,neighbor,neighbour,girlfriend,boyfriend,wife,husband,uncle,aunt,grandmother,grandfather,mom,dad,company,dog,cat,son,daughter,cousin,landlord,colleague,grandma,grandpa';
const OWNED =
  'house|car|decision|opinion|name|job|idea|room|phone|birthday|office|computer|advice|problem|wedding|dog|cat|bag|bike|book|answer|question|place|party|team|family|money|food|tail|email|address';

/** Missing apostrophes. */
export const APOSTROPHES: readonly Patterns[] = [
  group('punctuation', 'What belongs to a day or a person takes an apostrophe.', [
    "{yesterday,today,tomorrow,tonight}s>{}'s NOUN|ADJ",
    `the|my|our|his|her|your|their {${OWNERS}:s}>{}'s ${OWNED}`,
    "my|our|his|her|your|their parent_'s>parents' NOUN",
    "my|our|his|her|your|their parents>parents' house|car|home|place|opinion|money|bedroom|room|wedding|garden|kitchen",
    "a|an|one|two|three|four|five|few weeks>weeks' notice|vacation|holiday",
  ]),
  group('punctuation', '“$2” is short for two words, and takes an apostrophe.', [
    "PRON|NOUN|PROPN wo_nt>won't VERB|AUX|be|by|ADV|it",
    "^|but|and|so wheres>where's the|my|your|our|his|her|their|it|that|this",
  ]),
  group('punctuation', '“let’s” is “let us”.', [
    "^|please|so|now|ok|okay|then lets>let's VERB|be|not|go|meet|talk|discuss|see|start|have|take|do|make|get|try|eat|play",
  ]),
];
