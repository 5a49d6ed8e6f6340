import type { Phrases } from '../pattern.ts';

const OWNERS =
  'manager,boss,teacher,brother,sister,mother,father,friend,doctor,neighbor,neighbour,girlfriend,boyfriend,wife,husband,uncle,aunt,grandmother,grandfather,mom,dad,company,dog,cat,son,daughter,cousin,landlord,colleague,grandma,grandpa';
const OWNED =
  'house|car|decision|opinion|name|job|idea|room|phone|birthday|office|computer|advice|problem|wedding|dog|cat|bag|bike|book|answer|question|place|party|team|family|money|food|tail|email|address';
/** Numbers that stand before “-year-old” and the like. */
const NUMBERS = `two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,fifteen,twenty,thirty,${Array.from({ length: 29 }, (_, at) => at + 2).join(',')}`;

/** Missing and needless apostrophes and hyphens. */
export const APOSTROPHES: readonly Phrases[] = [
  {
    id: 'apostrophe-of-owner',
    kind: 'punctuation',
    why: 'What belongs to a day or a person takes an apostrophe.',
    fixes: { 'Todays lesson is short.': "Today's lesson is short." },
    leaves: ['My sisters live in the same street as my parents.'],
    lines: [
      "go~|went|been|way|him|her|me|is|was|am|'m|are|were|appointment to|at the {dentists>dentist's,hairdressers>hairdresser's,barbers>barber's,butchers>butcher's,bakers>baker's} $|by|at|on|tomorrow|today|yesterday|this|next|and|,|for|in",
      "the|my|his|her|our|your|this {car,truck,bike,phone,laptop,computer,van,plane,hotel,camera,printer,printer,bus}s>{}'s brakes|brake|engine|tires|tyres|roof|battery|screen|windows|window|door|doors|owner|color|colour|keyboard|wheels|lights|headlights|reception|lens|driver|restaurant",
      "my|his|her|our|your {brothers>brother's,sisters>sister's,mothers>mother's,fathers>father's,friends>friend's,grandfathers>grandfather's,grandmothers>grandmother's,neighbors>neighbor's,uncles>uncle's,aunts>aunt's,husbands>husband's} husband|wife|watch|tent|bike|car|house|jacket|boyfriend|girlfriend|garden|laptop|shoes|kitchen|flat|apartment|coat|hat|cake|bed|desk",
      "{mom,dad}s>{}'s birthday",
      "{yesterday,today,tomorrow,tonight}s>{}'s NOUN|ADJ",
      `the|my|our|his|her|your|their {${OWNERS}:s}>{}'s ${OWNED}`,
      "my|our|his|her|your|their parent_'s>parents' NOUN",
    ],
  },
  {
    id: 'apostrophe-of-short-form',
    kind: 'punctuation',
    why: '“$2” is short for two words, and takes an apostrophe.',
    fixes: { 'Shes my sister.': "She's my sister.", 'Hes late again.': "He's late again." },
    leaves: ['Were the shells on the shelf yours?', 'Were you there when we came?'],
    lines: [
      "^ {heres>here's,theres>there's}",
      "^|:|, theres>there's NOUN|a|an|no|some",
      "PRON|NOUN|PROPN wo_nt>won't VERB|AUX|be|by|ADV|it",
      "{shes>she's,hes>he's} !and|or",
      "^|,|and|but|so|then|think|ok|okay|if|because|when|know ill>I'll be|call|see|come|go|do|get|take|send|let|try|have|make|tell|give|ask|check|wait|meet|pay|bring|need|write|also|just|never|always|probably|not|start|finish|talk|look|buy|pick|keep|use|know|find|leave|email",
      "^|,|and|but|so|think id>I'd like|love|prefer|appreciate|rather to|a|the|some|it|you|go|stay|be|have",
      "^|and|but|so|then|think|if|maybe|, well>we'll be|see|meet|call|send|need|let|talk there|here|late|back|fine|ok|okay|ready|happy|in|at|home|able|you|them|it|to|him|her|about|soon|tomorrow|later|again",
      "{could,would,should,did,does,do,is,are,was,were,have,has,had,ca,wo}'nt>{}n't",
      "^|but|and|so wheres>where's the|my|your|our|his|her|their|it|that|this",
    ],
  },
  {
    id: 'lets',
    kind: 'punctuation',
    why: '“let’s” is “let us”.',
    fixes: { "It's late, so lets go home.": "It's late, so let's go home." },
    leaves: ["She lets me drive, so let's go.", 'He never lets go of the rope.'],
    lines: [
      "^|first|next|now|so|then|ok|please|okay lets>let's VERB|order|look|be|not|go|meet|talk|discuss|see|start|have|take|do|make|get|try|eat|play",
    ],
  },
  {
    id: 'hyphen-before-noun',
    kind: 'punctuation',
    why: 'Before a noun the two words take a hyphen: “$2”.',
    fixes: { 'He has a two years old son.': 'He has a two-year-old son.' },
    leaves: ['My sister has two cats and a very old dog.', 'He is 24 years and 3 months old.'],
    lines: [
      `a|an|my|his|her|our|the|their {${NUMBERS}}_years_old>{}-year-old NOUN`,
      'a|an|very hard_working>hard-working $|,|and|NOUN|ADJ',
    ],
  },
];
