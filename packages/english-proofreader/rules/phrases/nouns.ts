import type { Phrases } from '../pattern.ts';

const WHO = 'colleague,neighbor,neighbour,cousin,classmate,student,teacher,coworker,roommate';
const THEN = 'lives|works|is|was|has|told|said|says|who|$|can|will|came|bought|asked|gave';

/** Nouns of the other number in fixed words. */
export const NOUNS: readonly Phrases[] = [
  {
    id: 'noun-form',
    kind: 'plural',
    why: 'With $0 the noun takes the form “$2”.',
    fixes: { 'I have two luggages.': 'I have two pieces of luggage.' },
    leaves: ['The waters of the lake are calm today.', 'You are the one whom he and I wait for.'],
    lines: [
      'new|more|any|no|some|the evidences>evidence',
      'if|you|we|they|still have any {question,suggestion,comment}>{:s} $|or|about|regarding|,|on|please|for',
      'your|for|the|of helps>help $|with|and',
      'one {students>student,days>day,people>person,persons>person,things>thing,times>time,books>book} $|VERB|AUX|who|of|in|that !of',
      'neither|either {teams>team,sides>side,options>option,answers>answer,parties>party,players>player,students>student,books>book} VERB|AUX|$',
      'all of my|his|her|your|our|their|the|these {question>questions,friend>friends,book>books,student>students,problem>problems,email>emails,file>files,customer>customers,employee>employees,child>children,shoe>shoes,photo>photos,message>messages}',
      'NUM {luggage,furniture,advice,equipment,information,homework}s>pieces_of_{}',
      '{everythings>everything,somethings>something,anythings>anything,livestocks>livestock,pollutions>pollution,feedbacks>feedback,softwares>software,hardwares>hardware}',
      'on vacations>vacation',
      'on holidays>holiday $|and|in|with|for',
      'lot of attentions>attention',
      'much|more|little|some|any|your|our|my attentions>attention',
      'healths>health $|and|of|is',
      'researches>research $|about|on|is|are|show|shows|and',
      '{equipments>equipment,homeworks>homework,luggages>luggage,advices>advice,knowledges>knowledge,furnitures>furniture,sceneries>scenery}',
      'both advantage>advantages and',
      'both advantages|advantage and disadvantage>disadvantages',
      'our|all|your|hotel|many staffs>staff $|are|is|was|were|and',
      "childrens>children's NOUN",
      'every {monday,tuesday,wednesday,thursday,friday,saturday,sunday}s>{}',
      'many|several|different|various|two|three {kind>kinds,type>types} of',
      'some|all|other|^|,|that|and|because|but peoples>people who|like|think|say|want|love|believe|should|must|can|will|need|use|have|are|do',
      'young|old|nice|poor|rich peoples>people !of|and|,',
      'the peoples>people in|from my',
      'deep|machine learnings>learning',
      'some|many|most|few|two|three|one of my|our|his|her|their|your friend>friends are|is|have|live|lives|$|who|and|in|from|works|was|has|told|said|says|can|will|came|bought|asked|gave',
      'all the|my|our|his|her|their|these {student,friend,employee,user,member,customer,teacher,neighbor,product,ticket,file,picture,photo,window,shop}>{}s $|VERB|are|were|have|in|of|on|that|who|and',
      'researches_have>research_has shown|found|been|focused|suggested|revealed',
      'many thank>thanks $|for|in|and',
      'ADP|require|requires|required|need|needs|needed|contain|contains|use|uses|used|produce|produces large|huge|small|great amount>amounts of',
      `one of my|our|his|her|their|your best|good|old|close|new|former {friend,${WHO}}>{:s} ${THEN}`,
      `one of my|our|his|her|their|your|the {${WHO}}>{:s} ${THEN}`,
      'my|her|his|your hairs>hair is|are|was|were|$',
      'of|much|more|good|great|big|some|little|no|any|make~ progresses>progress',
    ],
  },
];
