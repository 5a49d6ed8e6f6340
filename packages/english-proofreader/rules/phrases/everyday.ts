import { group, type Patterns } from '../pattern.ts';
import { MONTHS, WITH_BASE } from './words.ts';

const MACHINES =
  'car|phone|computer|laptop|printer|machine|window|screen|door|bike|button|link|heater|fridge|oven|tv|projector|camera|microphone|speaker|keyboard|mouse|elevator|lift|toilet|shower|lock|glass|watch|site|website|app|chair|table';
const KIN =
  'friend|brother|sister|mother|father|boss|colleague|wife|husband|son|daughter|dad|mom|mum|uncle|aunt|cousin|teacher|neighbor';

/** What mails, reports and reviews say often. */
export const EVERYDAY: readonly Patterns[] = [
  group('verb_form', '“$2” is the form that fits here.', [
    'this|it|that|which|they may|might|can|could|will|would causes>cause',
    'can|could|will|would|might saw>see DET|PRON|it|that',
    'i|we|they|you can|could found>find DET|PRON|it|that',
    'am|is NUM years>years_old and !NUM',
    "i am|'m NUM years>years_old $",
    "he|she is|'s NUM years>years_old $",
    '{take>have,takes>has,took>had,taking>having} breakfast|lunch|dinner $|at|and|in|together',
    '{look>watch,looks>watches,looked>watched,looking>watching} tv|television',
    'i meet|met me> with|at|in',
    'we meet|met us> with|at|in|every',
    'hobby|hobbies|interests is|are {read,play,watch,listen,cook,travel,dance,swim,draw,sing,write,hike}>{:ing}',
    'playing|reading|watching|cooking|swimming|dancing|traveling NOUN and to_{play,read,watch,cook,swim,dance,travel,listen,write}>{:ing}',
    "i|we|they have|'ve been {learn,study,live,wait,play,try:ed}>{:ing} english|for|since|in|at|here|to|german|french|spanish|the",
    'experiment|measurement|test|procedure|process was|were|is|are|been repeat>repeated',
    'i|we|they|you|also|really like|love|enjoy {play,watch,read,listen,cook,meet,learn,eat,drink,speak,study}>{:ing} DET|PRON|guitar|piano|football|soccer|tennis|basketball|games|music|books|movies|videos|to|new',
    'go|goes|went to_swim>swimming $|and|in|with|every',
    'go|goes|went to_shop>shopping $|and|in|with|every',
    'reading|swimming|traveling|travelling|cooking|dancing|hiking|painting|sports|music and to_{meet,travel,read,play,watch,listen,cook}>{:ing}',
    `${MACHINES} is|was|are broke>broken`,
    `${MACHINES} stop|stops|stopped to_{work,function,respond,load,charge}>{:ing}`,
    '^|what|where|when|why|how|who|which|and|but do|does|did i|you|he|she|it|we|they {know,have,want,like,need,think,mean,live,work,come,go,cost,take,get,make,speak,understand,see,use,start,help,feel,look:s}>{}',
    "have|has|had|'ve already|never|ever|just did>done",
    "i|and|am|'m|are|'re|is|was|be use>used to {work,live,get,speak,drive,deal,have,be,eat,walk:ing}",
    'he|she has>is right .|!|and|but|that|because',
    'he|she has>is right , but|so|because',
    'you|we|they have>are right .|!|and|but|that|because',
    'you|we|they have>are right , but|so|because',
  ]),
  group('agreement', 'The verb agrees with its subject: “$2”.', [
    '^|,|that|while table|figure|section|chapter NUM {show,present,list,describe,summarize,give,compare,explain,introduce,contain}>{:s} that|the|a|an|how|our|some|all|DET',
    'everybody|everyone|anyone|anybody|somebody|someone|nobody who {love,like,want,need,have,work,live,know,use,speak,enjoy,play}>{:s}',
    '^|and|but|because|so|that|, we|they|you both|all {work,live,like,love,want,need,know,think,have,speak,play,study,come,go,enjoy,agree,use:s}>{}',
    `!${WITH_BASE} it last>lasts up|for|long|longer|until|only|NUM`,
    `!${WITH_BASE} the|its|my|this|your battery last>lasts up|for|long|longer|until|only|NUM`,
    '^|,|and|than|that|because NUM people was>were',
    '^|,|and|than|that|because NUM people is>are',
    '^|,|and|because|but the people there|here was>were',
    '^|,|and|because|but the people there|here is>are',
  ]),
  group('preposition', 'The preposition here is “$2”.', [
    'log|logs|logged in>in_to your|my|the|our account|profile|website|system|portal|app',
    'discount|reduction from>of NUM % !to',
    `expire|expires|start|starts|end|ends|begins|due at>on NUM ${MONTHS}`,
    `at>on the first|second|third of ${MONTHS}`,
    'remind~ you|me|us|him|her|them on>of the|my|our|your deadline|meeting|appointment|payment|invoice|date|promise',
    'since>from NUM am|pm until|till|to',
    'or|me|us|it|you per>by mail|email|phone|post',
    'back|return|returned|it|answer|reply|contact inside>within NUM days|hours|weeks|minutes|months',
  ]),
  group('preposition', 'No “$1” stands here.', [
    'fit|fits to> your|my|our|his|her|their needs|requirements|expectations|budget',
  ]),
  group('article', 'An article belongs here: “$2”.', [
    '{get,gets,got,receive,received}>{}_a NUM % discount',
    'VERB|and|PROPN|speak little>a_little bit',
  ]),
  group('confused_word', '“$2” is the word that fits here, not “$1”.', [
    'on|for|with|of|to|in you>your first|own|new NOUN',
    "in the_nowadays>today's society|world|life|times",
    'everything|something|anything|nothing|files|things|documents|photos what>that i|we|you|he|she|they',
    'any|the|no inconveniences>inconvenience',
    '^|then poor>pour the|it|some|about',
    'will properly>probably be back|late|there|ready|a|the|fine|at|in|able',
    'get|have|want|need|receive|send|see|buy anymore>any_more NOUN',
    'cancel|confirm|check|process|ship|receive|received|got|read|reply|answer you>your order|email|mail|message|letter|request|account|payment',
    '^|i|we hope your>you_are well|fine|okay|ok|good $',
    ', were>where i|we|he|she|they|you|it was|were|am|is|are|had|have|has|can|could|will|would',
    'writing|like|want|have|had|need to complaint>complain about|that',
    'let me|us now>know $|if|when|whether|what|how|by|about|as',
    '!what|which|whose part|place|point|moment|scene|bit|island|city|town|village|house|hotel|beach|restaurant were>where i|he|she|we|they|you|it|nobody|everyone|everybody|people',
    'it|that|which weight>weighs about|only|around|NUM|less|more',
    'they|we weight>weigh about|only|around|NUM|less|more',
    'fall~ of>off the|a|my|his|her chair|bike|bicycle|ladder|table|bed|horse|roof|wall|bench|couch|sofa|cliff',
  ]),
  group('punctuation', 'No comma stands before “that” here.', ['the fact ,> that']),
  group('punctuation', 'It is short for “of the clock”, and takes an apostrophe: “$2”.', ["NUM o_clock>o'clock"]),
  group('plural', '“$2” is the form that fits here.', ['two|three|four|five|ten|2|3|4|5|10|20|30 second>seconds $']),
  group('pronoun', 'The subject is named already, so “$1” does not belong here.', [
    `^ my|our ${KIN} he|she> VERB|is|was|has`,
  ]),
];
