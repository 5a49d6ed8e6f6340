import { group, type Patterns } from '../pattern.ts';

/** Plurals and singulars in fixed phrases. */
export const PLURALS: readonly Patterns[] = [
  group('plural', '“$2” is the form that fits here.', [
    'NUM {luggage,furniture,advice,equipment,information,homework}s>pieces_of_{}',
    'everythings>everything',
    'somethings>something',
    'anythings>anything',
    'on vacations>vacation',
    'on holidays>holiday $|and|in|with|for',
    'lot of attentions>attention',
    'much|more|little|some|any|your|our|my attentions>attention',
    'healths>health $|and|of|is',
    'livestocks>livestock',
    'pollutions>pollution',
    'researches>research $|about|on|is|are|show|shows|and',
    'feedbacks>feedback',
    'softwares>software',
    'hardwares>hardware',
    'equipments>equipment',
    'homeworks>homework',
    'luggages>luggage',
    'advices>advice',
    'knowledges>knowledge',
    'furnitures>furniture',
    'sceneries>scenery',
    'both advantage>advantages and',
    'both advantages|advantage and disadvantage>disadvantages',
    'our|all|your|hotel|many staffs>staff $|are|is|was|were|and',
    "childrens>children's NOUN",
    'childrens>children',
  ]),
];
