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
    kind: 'punctuation',
    why: '“$2” is short for two words, and takes an apostrophe.',
    lines: ["^|and|but|so|know|, whats>what's DET|PRON|up|wrong|going|happening|new"],
  },
  {
    kind: 'punctuation',
    why: 'The experience is that of these years or months, so an apostrophe follows: “$2”.',
    lines: ["NUM|several|few|many years>years' experience", "NUM|several|few|many months>months' experience"],
  },
];
