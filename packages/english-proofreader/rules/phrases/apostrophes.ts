import { group, type Patterns } from '../pattern.ts';

const OWNERS =
  'manager,boss,teacher,brother,sister,mother,father,friend,doctor,neighbor,neighbour,girlfriend,boyfriend,wife,husband,uncle,aunt,grandmother,grandfather,mom,dad,company,dog,cat,son,daughter,cousin,landlord,colleague,grandma,grandpa';
const OWNED =
  'house|car|decision|opinion|name|job|idea|room|phone|birthday|office|computer|advice|problem|wedding|dog|cat|bag|bike|book|answer|question|place|party|team|family|money|food|tail|email|address';

/** Missing apostrophes. */
export const APOSTROPHES: readonly Patterns[] = [
  group('punctuation', 'What belongs to a day or a person takes an apostrophe.', [
    "{mom,dad}s>{}'s birthday",
    "{yesterday,today,tomorrow,tonight}s>{}'s NOUN|ADJ",
    `the|my|our|his|her|your|their {${OWNERS}:s}>{}'s ${OWNED}`,
    "my|his|her|our|your|best {friend,brother,sister,mother,father,dog,cat,son,daughter,teacher,boss,husband,wife}>{}'s name is|was",
    "my|our|his|her|your|their parent_'s>parents' NOUN",
    "my|our|his|her|your|their parents>parents' house|car|home|place|opinion|money|bedroom|room|wedding|garden|kitchen",
    "a|an|one|two|three|four|five|few weeks>weeks' notice|vacation|holiday",
  ]),
  group('punctuation', '“$2” is short for two words, and takes an apostrophe.', [
    "PRON|NOUN|PROPN wo_nt>won't VERB|AUX|be|by|ADV|it",
    "shes>she's !and|or",
    "hes>he's !and|or",
    "{we,they,you}ve>{}'ve",
    "{it,that,there}ll>{}'ll be|have|do|work|take|get|go|come|help|make|never|only",
    "^|,|and|but|so|then|think|ok|okay|if|because|when|know ill>I'll be|call|see|come|go|do|get|take|send|let|try|have|make|tell|give|ask|check|wait|meet|pay|bring|need|write|also|just|never|always|probably|not|start|finish|talk|look|buy|pick|keep|use|know|find|leave|email",
    "^|,|and|but|so|think id>I'd like|love|prefer|appreciate|rather to|a|the|some|it|you|go|stay|be|have",
    "^|,|and|but|so|think id>I'd be|never|rather|say",
    "^|and|but|so|then|think|if|maybe|, well>we'll be there|here|late|back|fine|ok|okay|ready|happy|in|at|home|able",
    "^|and|but|so|then|think|if|maybe|, well>we'll see|meet|call|send|need|let|talk you|them|it|to|at|him|her|about|soon|tomorrow|later|again",
    "^|and|but|that|think|says|said {hell>he'll,shell>she'll} be|come|call|have|get|see|go|need",
    "{could,would,should,did,does,do,is,are,was,were,have,has,had,ca,wo}'nt>{}n't",
    "^ were>we're going|getting|having|looking|trying|doing|leaving|moving|planning|hoping to|DET|PRON|a|for|on !?",
    "^|but|and|so wheres>where's the|my|your|our|his|her|their|it|that|this",
  ]),
  group('punctuation', '“let’s” is “let us”.', [
    "^|please|so|now|ok|okay|then lets>let's VERB|be|not|go|meet|talk|discuss|see|start|have|take|do|make|get|try|eat|play",
  ]),
];
