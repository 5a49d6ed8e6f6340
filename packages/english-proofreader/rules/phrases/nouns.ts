import type { Phrases } from '../pattern.ts';

/** Nouns of the other number in fixed words. */
export const NOUNS: readonly Phrases[] = [
  {
    id: 'noun-form',
    kind: 'plural',
    why: 'With $0 the noun takes the form “$2”.',
    fixes: { 'I have two luggages.': 'I have two pieces of luggage.' },
    leaves: ['The waters of the lake are calm today.', 'You are the one whom he and I wait for.'],
    lines: [
      "one of my|his|her|our|your|their {friend,colleague,neighbor,neighbour,teacher,student,brother,sister,cousin,uncle,aunt,customer,client,employee,dog,cat,book,problem}>{}s !-|'s",
      'have|had any {question,comment,suggestion,doubt,problem}>{}s $|about|,|or|regarding',
      'NUM {luggage,furniture,advice,equipment,information,homework}s>pieces_of_{}',
      '{everythings>everything,somethings>something,anythings>anything,livestocks>livestock,pollutions>pollution,feedbacks>feedback,softwares>software,hardwares>hardware}',
      'on vacations>vacation',
      'lot of attentions>attention',
      'both advantage>advantages and',
      'both advantages|advantage and disadvantage>disadvantages',
      "childrens>children's NOUN",
      'the peoples>people in|from my',
      'deep|machine learnings>learning',
      'ADP|require|requires|required|need|needs|needed|contain|contains|use|uses|used|produce|produces large|huge|small|great amount>amounts of',
    ],
  },
];
