import type { Phrases } from '../pattern.ts';

/** Pronouns in fixed words. */
export const PRONOUNS: readonly Phrases[] = [
  {
    id: 'pronoun-as-subject',
    kind: 'pronoun',
    why: 'As a subject the pronoun is “$2”.',
    fixes: { 'Me and him went home.': 'He and I went home.' },
    leaves: ['The dog bit him and his sister.', 'Let him and her decide where to eat.'],
    lines: [
      '^|and|but|because|, {i_and_him>he_and_I,i_and_her>she_and_I} VERB|AUX',
      '^|and|but|because|so|when|, {him_and_me|me_and_him>he_and_I,her_and_me|me_and_her>she_and_I} VERB|AUX|both|also|always|never',
      '^|think|believe|because|hope|suppose|guess|say|says|said him>he and my|his|her|their|the NOUN is|are|was|were|has|have|AUX|VERB',
    ],
  },
  {
    id: 'pronoun-as-object',
    kind: 'pronoun',
    why: 'As an object the pronoun is “$2”.',
    fixes: { 'He gave it to Tom and I.': 'He gave it to Tom and me.' },
    leaves: ['He is the man I work for, and she knows it.', 'Since you and I met, much has changed.'],
    lines: [
      'between|for|with|to|from|like|about|without|gave|give|told|tell|sent|send|asked|ask|call|contact|email|see|meet|invited|invite|showed|show|met|helped|help|brought you|him|her|them|NOUN|PROPN and|or i>me $|about|to|in|on|at|for|with|by|because|and|a|an|the|if|some|that',
    ],
  },
  {
    id: 'person-who',
    kind: 'pronoun',
    why: 'A person is “who”, not “which”.',
    fixes: { 'The woman which has called is a doctor.': 'The woman who has called is a doctor.' },
    leaves: ['The committee, which met on Monday, chose a woman.', 'Every man and woman has a vote.'],
    lines: [
      'person|people|man|woman|men|women|child|children|girl|boy|friend|friends|teacher|teachers|student|students|designer|developer|engineer|manager|colleague|colleagues|customer|customers|user|someone|somebody|everyone|everybody|anyone|neighbor|neighbour|doctor|employee|employees|player|players|worker|workers|guy|lady|guest|guests|candidate|candidates|applicant|parents|kids|volunteers|passengers|patients|sister|brother|mother|father|uncle|aunt|boss|cousin|daughter|son|husband|wife|grandmother|grandfather|waiter|waitress|driver|nurse|actor|actress|tourist|tourists|lawyer|agent|seller|policeman|officer|guide|cook|chef|singer|writer which>who AUX|VERB|have|has|is|are|was|were|can|will',
    ],
  },
  {
    id: 'possessive-before-noun',
    kind: 'pronoun',
    why: 'Before a noun the possessive has no “s” of its own: “$2”.',
    fixes: { 'Me name is Olga.': 'My name is Olga.' },
    leaves: ['The car is ours again.'],
    lines: [
      'VERB|ADP|track|and {yours>your,ours>our,theirs>their,hers>her} NOUN !is|are|was|were|VERB|AUX',
      '^|,|and|hello|hi me>my name is|was',
    ],
  },
  {
    id: 'those-before-noun',
    kind: 'pronoun',
    why: '“Them” stands alone; before a noun it is “$2”.',
    fixes: { 'I like them shoes.': 'I like those shoes.' },
    leaves: ['I know that boxes like these are heavy.', 'Your running shoes are by the door.'],
    lines: [
      '^|,|and|but|because them>those NOUN are|were|is|have|look',
      'like|love|want|need|hate|all|about them>those shoes|books|days|kids|boys|girls|guys|dogs|cars|flowers|cookies|apples|people|things',
    ],
  },
];
