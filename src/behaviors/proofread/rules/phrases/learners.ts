import type { Patterns } from '../pattern.ts';

const PERSONS =
  'children|kids|students|parents|guests|customers|visitors|we|they|she|he|i|you|everyone|everybody|people|friends|fans';

/** Fixed phrases that learners translate word by word. */
export const LEARNERS: readonly Patterns[] = [
  {
    kind: 'preposition',
    why: 'The preposition here is “$2”.',
    lines: [
      'apply|applying|applied|applies to>for the|a|this|your position|job|role|post|vacancy|internship|scholarship',
      'with reference of>to',
      'in|on>at NUM am|pm|a.m.|p.m.',
      'am|is|are|was|were|be|very|so|really angry to>with me|him|her|us|them|you $|and|because|when',
      'spend|spends|spent|spending money for>on DET|NOUN',
      'spend|spends|spent|spending more|less|much money for>on DET|NOUN',
      '^ in>on the other hand , it|there|we|people|some|many|NOUN',
      '^ in>on the other hand it|there|we|people|some|many',
      'married with>to DET|PROPN|him|her|me',
      'depend|depends|depended of>on DET|PRON|how|what|whether',
      'participate|participated|participates|participating to>in the|a|this|our|your NOUN',
      'similar with>to DET|mine|yours|PRON',
      'different of>from DET|mine|yours|PRON !two',
      'consist|consists|consisted from>of',
      'responsible of>for DET|NOUN|VERB',
      'go|goes|going|went|come|comes|came|travel|travels|traveled|travelled|work|school|home|there|arrive|arrived with>by bus|train|taxi|plane|car|bike|bicycle|metro|subway|tram $|and|to|because|every|but',
      'interest on>in our|your products|company|product|services|offer|shop|position|team',
      'send|sent|contact|contacted|us|me|it|you per>by email|phone|post|mail',
      'famous by>for its|their|his|her|the',
      'afraid|scared from>of DET|NOUN|PRON',
      'interested about>in',
    ],
  },
  {
    kind: 'preposition',
    why: '“according” takes “to”.',
    lines: ['according the>to_the', 'according my>to_my', 'according this>to_this', 'according our>to_our'],
  },
  {
    kind: 'preposition',
    why: '“nowadays” takes no preposition.',
    lines: ['in_nowadays|at_nowadays|on_nowadays>nowadays'],
  },
  {
    kind: 'verb_form',
    why: '“to” with the verb says what for, without “for”.',
    lines: ['^|, for_to>to VERB'],
  },
  {
    kind: 'verb_form',
    why: '“$2” is the form that fits here.',
    lines: [
      'please|pls find|see attach>attached DET|PRON|NOUN|ADJ',
      'please|pls find|see enclose>enclosed DET|PRON|NOUN|ADJ',
      ...['contact', 'call', 'ask', 'write', 'let', 'email', 'reach', 'tell'].map(
        (verb) => `hesitate ${verb}>to_${verb}`,
      ),
      "am|is|was|are|were|'m|'re|'s NUM year>years old $|and|but|now|today|when|in",
      'only one have>has VERB|AUX',
      'only one are>is VERB|ADJ|left',
      'hope you>you_are doing|feeling|having|enjoying',
      '^|,|but|and|because|when i have>am NUM years old',
      '^|,|but|and|because|when he|she has|have>is NUM years old',
      'is|are|was|were call>called "|“|by',
      'you will|can|could found>find DET|PRON|it|attached|below|here',
      'of live>living in|with|alone|there|here|together',
      'shop|store|museum|restaurant|office|bank|door|gate|pool|bar|kitchen|library|school is|was|are|were close>closed $|when|because|on|today|already|again',
      'i|he|she born>was_born in|on|and',
      'we|they|you born>were_born in|on|and',
      '^|when|because|but|where i|we|he|she|they|it use>used to VERB',
      'did i|we|you|he|she|they used>use to VERB',
      "did n't|not used>use to VERB",
    ],
  },
  {
    kind: 'verb_form',
    why: 'A condition takes the present, without “will”.',
    lines: ['^ if you|we|they|i will> have|need|want any|a|some|more|further|another'],
  },
  {
    kind: 'grammar',
    why: 'The sentence needs a subject: “it”.',
    lines: [
      'because|although is>it_is ADJ|DET|too|so|very|not|really',
      'if|while is>it_is possible|necessary|important',
    ],
  },
  {
    kind: 'confused_word',
    why: 'Who feels something is “excited” or “interested”; what arouses it is “exciting” or “interesting”.',
    lines: ['exciting>excited', 'confusing>confused'].flatMap((pair) => [
      `${PERSONS} am|'m|are|'re|was|were|is|got very|so|really|quite|too ${pair} about|by`,
      `${PERSONS} am|'m|are|'re|was|were|is|got ${pair} about|by`,
    ]),
  },
  {
    kind: 'confused_word',
    why: '“$2” is the word that fits here, not “$1”.',
    lines: [
      "i|we|they 'm|am|'re|are|was|were so|very exiting>excited",
      'battery live>life',
      ', to>too .|!',
      'it|this is|was very|really disappointed>disappointing that i|you|we|he|she|they|the|your',
      '!a|every|one|no|whit whit>with PRON|DET|NOUN|PROPN|ADJ',
      'i|he|she|we|they|you|PROPN|NOUN|have|has|had|been loosed>lost my|your|his|her|our|their|it|money|NUM !grip|arrow|arrows|tongue|hold|bow|dogs|hounds',
      'i|we except>expect a|an',
      'going|go|goes|went|come|came|coming|moving|moved|move|back|flying|drove|flew too>to the|a|my|our|your|their|his',
      'moving|moved|move|moves|travel|traveling|travelling|flying|drove|flew|went too>to PROPN',
      'go|going|went|goes too>to work|school|bed $|at|on|by|with|and|in',
      'study|studies|studied|studying economic>economics .|at|in|with|because|but',
      'study|studies|studied|studying mathematic>mathematics',
      'study|studies|studied|studying physic>physics',
      'degree|master|bachelor|professor|teacher in|of economic>economics .|from|at|,',
      'like|the|a|and|or|by|with|of|from loose>loss of NOUN|DET',
    ],
  },
  {
    kind: 'plural',
    why: '“$2” is the form that fits here.',
    lines: [
      'many|several|different|various|two|three kind>kinds of',
      'many|several|different|various|two|three type>types of',
      'some|all|other|young|old|most|more|nice|poor|rich peoples>people !of|and|,|$',
      'the peoples>people in|from my|our|this',
      'i|we|they have|had experiences>experience in|with|as',
    ],
  },
  {
    kind: 'pronoun',
    why: '“my” says whose; “me” is who.',
    lines: ['^|,|and|hello|hi me>my name is|was'],
  },
  {
    kind: 'punctuation',
    why: '“$2” is short for two words, and takes an apostrophe.',
    lines: [
      "^|and|but|so|know|, whats>what's DET|PRON|up|wrong|going|happening|new",
      "^|and|but|so|, hows>how's it|your|the|things|life|everything|everyone",
    ],
  },
  {
    kind: 'punctuation',
    why: 'The experience is that of these years or months, so an apostrophe follows: “$2”.',
    lines: ["NUM|several|few|many years>years' experience", "NUM|several|few|many months>months' experience"],
  },
];
