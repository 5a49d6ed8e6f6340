import { group, type Patterns } from '../pattern.ts';

/** Pronouns in fixed phrases. */
export const PRONOUNS: readonly Patterns[] = [
  group('pronoun', 'The subject is “they”, not “them”.', [
    '^ them>they are|were|have|will|can',
    '^|and|but|because|so|when|, him_and_me|me_and_him>he_and_I VERB|AUX|both|also|always|never',
    '^|and|but|because|so|when|, her_and_me|me_and_her>she_and_I VERB|AUX|both|also|always|never',
    '^|and|but|because|so|when|, me_and_them|them_and_me>they_and_I VERB|AUX|both',
  ]),
  group('pronoun', 'After a preposition the pronoun is “me”.', [
    'between|for|with|to|from|like|about|without you|him|her|them|NOUN|PROPN and i>me $|about|to|in|on|at|for|with|by|because|and',
    "between|for|with|to|from|like|about|without my|his|her|our|their|'s NOUN and i>me $|about|to|in|on|at|for|with|by|because",
  ]),
  group('pronoun', 'After a preposition the pronoun is “me”.', [
    'between|for|with|to|from|like|about|without you|him|her|them|NOUN|PROPN and i.>me.',
  ]),
  group('pronoun', 'A person is “who”, not “which”.', [
    'person|people|man|woman|men|women|child|children|girl|boy|friend|friends|teacher|teachers|student|students|designer|developer|engineer|manager|colleague|colleagues|customer|customers|user|someone|somebody|everyone|everybody|anyone|neighbor|neighbour|doctor|employee|employees|player|players|worker|workers|guy|lady|guest|guests|candidate|candidates|applicant|parents|kids|volunteers|passengers|patients|sister|brother|mother|father|uncle|aunt|boss|cousin|daughter|son|husband|wife|grandmother|grandfather|waiter|waitress|driver|nurse|actor|actress|tourist|tourists|lawyer|agent|seller|policeman|officer|guide|cook|chef|singer|writer which>who AUX|VERB|have|has|is|are|was|were|can|will',
  ]),
  group('pronoun', 'Before a noun the possessive has no “s” of its own: “$2”.', [
    'VERB|ADP|track|and {yours>your,ours>our,theirs>their,hers>her} NOUN !is|are|was|were|VERB|AUX',
  ]),
  group('pronoun', 'The pronoun here is “$2”.', [
    'hisself>himself',
    'theirselves|theirself>themselves',
    'everyone>every_one of us|them|you|the|these|those',
  ]),
  group('pronoun', 'As an object the pronoun is “me”.', [
    'gave|give|told|tell|sent|send|asked|ask|invited|invite|showed|show|met|helped|help|brought PROPN|him|her and i>me $|a|an|the|to|about|if|some|that|for|in|at',
    'gave|give|told|tell|sent|send|asked|ask|invited|invite|showed|show|met|helped|help|brought my NOUN and i>me $|a|an|the|to|about|if|some|that|for|in|at',
  ]),
  group('pronoun', '“Them” stands alone; before a noun it is “$2”.', [
    '^|,|and|but|because them>those NOUN are|were|is|have|look',
    'like|love|want|need|hate|all|about them>those shoes|books|days|kids|boys|girls|guys|dogs|cars|flowers|cookies|apples|people|things',
  ]),
];
