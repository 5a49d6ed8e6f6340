import type { Patterns } from '../pattern.ts';

/** Pronouns in fixed phrases. */
export const PRONOUNS: readonly Patterns[] = [
  {
    kind: 'pronoun',
    why: 'The subject is “they”, not “them”.',
    lines: ['^ them>they are|were|have|will|can'],
  },
  {
    kind: 'pronoun',
    why: 'After a preposition the pronoun is “me”.',
    lines: [
      'between|for|with|to|from|like|about|without you|him|her|them|NOUN|PROPN and i>me $|about|to|in|on|at|for|with|by|because|and',
    ],
  },
  {
    kind: 'pronoun',
    why: 'A person is “who”, not “which”.',
    lines: [
      'person|people|man|woman|men|women|child|children|girl|boy|friend|friends|teacher|teachers|student|students|designer|developer|engineer|manager|colleague|colleagues|customer|customers|user|someone|somebody|everyone|everybody|anyone|neighbor|neighbour|doctor|employee|employees|player|players|worker|workers|guy|lady|guest|guests|candidate|candidates|applicant|parents|kids|volunteers|passengers|patients|sister|brother|mother|father|uncle|aunt|boss|cousin|daughter|son|husband|wife|grandmother|grandfather which>who AUX|VERB|have|has|is|are|was|were|can|will',
    ],
  },
  {
    kind: 'pronoun',
    why: 'Before a noun the possessive has no “s” of its own: “$2”.',
    lines: ['VERB|ADP|track|and {yours>your,ours>our,theirs>their,hers>her} NOUN !is|are|was|were|VERB|AUX'],
  },
];
