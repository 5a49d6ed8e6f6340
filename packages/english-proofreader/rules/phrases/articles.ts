import type { Phrases } from '../pattern.ts';

const JOBS =
  'waiter,waitress,teacher,engineer,nurse,doctor,lawyer,developer,designer,driver,manager,programmer,receptionist,secretary,translator,journalist,consultant,volunteer,freelancer,student,researcher,accountant,salesman,intern,cashier,chef,baker,gardener,mechanic,electrician,farmer,musician,singer,policeman,pilot,actor,architect,dentist,hairdresser,cleaner,babysitter,tutor';
/** Things that are counted, so that one of them takes an article after a verb of getting or having. */
const THINGS =
  'house,flat,apartment,car,bike,bicycle,phone,computer,laptop,tablet,ticket,question,problem,error,mistake,solution,job,movie,book,letter,invoice,window,key,dog,cat,girlfriend,boyfriend,bag,bottle,picture,photo,camera,restaurant,hotel,meeting,appointment,interview,refund,discount,bug,gift,ring,jacket,dress,shirt,pen,pencil,umbrella,knife,fork,spoon,charger,passport,garden,balcony,printer,keyboard,helmet';
const GETTING =
  'have|has|had|buy|bought|see|saw|make|made|makes|need|needs|want|wants|get|got|gets|write|wrote|send|sent|rent|order|eat|ate';
const END = '$|for|with|about|in|on|near|from|at|because|yesterday|today|tomorrow|last|next|when|that|which';
const QUALITIES =
  'new,old,good,bad,big,small,nice,great,beautiful,cheap,expensive,red,blue,black,white,interesting,important,serious,simple,short,long,strange,different,modern,lovely,wonderful,terrible';
const ONE_OF_THEM = `${THINGS.replaceAll(',', '|')}|idea|day|person|man|woman|girl|boy|teacher|friend|place|city|town|village|company|student|doctor|experience|opportunity|choice|example|story|song|game|party|hat|watch|chair|bed|desk|plan`;

/** Articles in fixed words. */
export const ARTICLES: readonly Phrases[] = [
  {
    id: 'the-left-out',
    kind: 'article',
    why: '“the” belongs before “$1”.',
    fixes: { 'The price is same.': 'The price is the same.' },
    leaves: ['At first sight it looked like gold.', 'He was in prison while his wife was at sea.'],
    lines: [
      'in {dark,rain,sun,snow,morning,evening,afternoon}>the_{} $|,|because|with|when|without|but',
      'give~|gave|given|offer~|offering me|us|him|her|them|you opportunity>the_opportunity to|of',
      'at|to|on|from beach>the_beach $|and|with|in',
      'in|at|before|until|near|since|from|through|during {end,beginning,middle,heart,start,rest,bottom,center,centre}>the_{} of',
      'go|went|going|goes|get|got|drive|drove|walk|walked|way|back|came|come to {airport,station,cinema,supermarket,mountains,countryside,gym,beach,park,library,office}>the_{} $|with|and|for|at|on|in|because|yesterday|today|every|by|tomorrow|to',
      'around|across world>the_world $|and|with|to',
      'is|are|was|were|in|of most>the_most ADJ NOUN !of',
      "have|has|had|got|is|are|was|were|'s same>the_same problem|issue|question|opinion|error|name|idea|size|age|experience|$|as|for|,",
    ],
  },
  {
    id: 'article-left-out',
    kind: 'article',
    why: 'An article belongs here: “$2”.',
    fixes: { 'I have cold.': 'I have a cold.', "It's good idea.": "It's a good idea." },
    leaves: ['It was good news for the whole team.', 'They bought new furniture for the flat.'],
    lines: [
      `work~ like_{${JOBS}}>as_{:a} $|in|for|at|and|since|with|from`,
      'when i|he|she|mother|father|sister|brother|son|daughter was {child,teenager,kid,boy,girl,toddler}>{:a} $|,',
      'by {large,small,wide,narrow,huge}>a_{} margin !NOUN',
      'as result>a_result $|,|of|the|we|it|they|he|she|i|this|prices',
      'work~|job|stay~|live~|eat~ in {team,bank,restaurant,hotel,hostel,factory,shop,supermarket,office,flat,house,village,apartment}>{:a} $|and|as|for|since|with|because|near|in|on',
      `work~|job|experience as {${JOBS}}>{:a} $|in|for|at|and|since|with|from|to`,
      `am|'m|is|was|become|became {${JOBS}}>{:a} $|and|in|at|from|with|for|since|because|of|too|one|someday|when|before|until|but`,
      'become|became project>a_project manager',
      `${GETTING}|'s|is|was|'ve|got|such {${QUALITIES}}>{:a} ${ONE_OF_THEM} ${END}`,
      'have|has|had|caught|got {cold,fever,cough}>{:a} $|and|since|today|because|so|but|for',
    ],
  },
  {
    id: 'needless-article',
    kind: 'article',
    why: '“$1” does not belong here: what follows is not counted, or goes without it.',
    fixes: { 'The life is hard.': 'Life is hard.', 'I have a good news.': 'I have good news.' },
    leaves: ['The life of a sailor is hard.', 'He has a good knowledge of Greek.'],
    lines: [
      'play~ the> football|tennis|basketball|chess|volleyball|soccer|cricket|golf|hockey $|in|with|at|on|and|every',
      'NOUN|PRON|PROPN|there|here|home the> last monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|year|summer|winter|spring|autumn $|,|and',
      'plays|play|playing|played a> football|tennis|basketball|chess|volleyball|soccer|cricket|golf|hockey $|in|with|at|on|and|every',
      'need|want|have|find a> parking $',
      'a> free|good|fast wifi|internet|parking',
      'a|an> air conditioning',
      'a> very|good|great|bad|fantastic|important good|news english|$|for|about|,',
      '^ the_life>life is|can hard|short|beautiful|good|too|full|be|not|very',
    ],
  },
];
