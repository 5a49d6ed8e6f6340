import { group, type Patterns } from '../pattern.ts';

const JOBS =
  'waiter,waitress,teacher,engineer,nurse,doctor,lawyer,developer,designer,driver,manager,programmer,cook,receptionist,secretary,translator,journalist,consultant,volunteer,freelancer,student,researcher,accountant,salesman,intern,cashier,chef,baker,gardener,mechanic,electrician,farmer,policeman,pilot,actor,architect,dentist,hairdresser,cleaner,babysitter,tutor';

/** Articles in fixed phrases. */
export const ARTICLES: readonly Patterns[] = [
  group('article', '“the” belongs before “$1”.', [
    'in|at|before|until|near|since|from|through|during {end,beginning,middle,heart,start,rest,bottom,center,centre}>the_{} of',
    'go|went|going|goes|get|got|drive|drove|walk|walked|way|back|came|come to {airport,station,cinema,supermarket,mountains,countryside,gym,beach,park,library,office}>the_{} $|with|and|for|at|on|in|because|yesterday|today|every|by|tomorrow|to',
    'walk|minutes|minute|far|away|came|back|kilometers|meters|drive from {airport,station,supermarket,beach,office,library}>the_{} $|and|to|by|in|at',
    'around|across world>the_world $|and|with|to',
    'in internet>the_internet',
    'on internet>the_internet $|and|to|for|is|because',
  ]),
  group('article', 'An article belongs here: “$2”.', [
    'by {large,small,wide,narrow,huge}>a_{} margin !NOUN',
    'as result>a_result $|,|of|the|we|it|they|he|she|i|this|prices',
    'have|has|had good>a_good time|day|idea|job|relationship|experience|knowledge $|and|with|in|at|of|for|today',
    'had|has|have look>a_look at',
    'work~|job in {team,bank,restaurant,hotel,factory,shop,supermarket,office}>{:a} $|and|as|for|since|with|because',
    `work~|job|experience as {${JOBS}}>{:a} $|in|for|at|and|since|with|from|to`,
    `am|'m|is|was|become|became|'s {${JOBS}}>{:a} $|and|in|at|from|with|for|since|because|of|too|one|someday|when`,
    'become|became project>a_project manager',
  ]),
  group('article', '“$1” does not belong here: what follows is not counted, or goes without it.', [
    'a> free|good|fast wifi|internet|parking',
    'a|an> air conditioning',
    'need|want|have|find a> parking $',
    'in the> nature $|and|because',
    'have|had|has|having|eat|ate|eating a> breakfast $|and|at|before|together|with',
    'about|of|on|against|to|fight|stop the> climate change $|and|is|has',
    'a> very good english',
    'speak|speaks|spoke|speaking a> good|perfect|fluent english',
  ]),
];
