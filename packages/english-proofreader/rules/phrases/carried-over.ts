import { group, type Patterns } from '../pattern.ts';

const UNITS = 'minutes|hours|days|weeks|months|years|minute|hour|week|month|year';
const DAY = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const ADJECTIVES =
  'perfect|great|good|nice|fine|amazing|awesome|easy|hard|difficult|important|possible|impossible|beautiful|cheap|broken|closed|open|true|clear|worth|available|free|raining|okay|ok|over|time|cold|hot|late|early';
const ORGANIZATION =
  'company|firm|business|school|university|college|club|party|organization|organisation|association|bank|city|town|museum|newspaper|institute|agency|team';

/** What writers carry over from other languages and from speech. */
export const CARRIED_OVER: readonly Patterns[] = [
  group('verb_form', '“$2” is the form that fits here.', [
    `am_having|are_having|'m_having|'re_having>have NUM ${UNITS}|brothers|sisters|children|kids|siblings`,
    '^|and|but|because|that i_am_{believe,know,understand,need,own,prefer,agree,want:ing}>i_{} that|the|a|my|your|it|PRON|to|with|some|more',
    'know|understand|see|find|explain|tell what cause>causes it|this|them $',
    'is|was|are|were|be|been well {organize,document,write,prepare,know,design,equip,make,structure}>{:ed} $|and|but|for|by|with|in',
    'let_know_me>let_me_know',
    'let_know_us>let_us_know',
    'revert_back|revert>get_back to me|us $|as|at|with|by|soon|on|about',
    "i|we|you|they {am,are,'m,'re} have>having a|an|some|the|many|lots|dinner|lunch|breakfast|problems|trouble|fun",
    'he|she|it is have>having a|an|some|lots|dinner|lunch|breakfast|problems|trouble|fun',
    '^ please to> VERB !you|him|her|them',
    '^ kindly to> VERB',
    '^|if|when|because|that|where|while|but you was>were',
    "ca_n't_hardly|can_n't_hardly>can_hardly",
    "could_n't_hardly>could_hardly",
    "PRON 'd_of>'d_have VERB|AUX|been|had",
    `${ORGANIZATION} was|were|is found>founded in|by NUM|PROPN`,
  ]),
  group('verb_form', '“able” is followed by “to” and the verb: “$2”.', [
    "am|is|are|was|were|be|been|not|'m|'re|being able {work,go,speak,get,make,see,find,buy,come,write,read,understand,help,learn,do,take,use,pay,solve,finish,play,run,be,have,change,move,attend}>to_{}",
  ]),
  group('preposition', 'The preposition here is “$2”.', [
    'since_last|since_past>for_the_last NUM|few {week,month,year,day,hour}s',
    'increase~|decrease~|fall~|rise~|grow~|drop~|reduce~|improve~|decline~ in>by NUM %|percent',
    `during>for NUM ${UNITS} $|and|in|at|because|but|with`,
    'proud on|for>of DET|PRON|my|our|you|PROPN',
    'afraid from|about>of the|a|my|it|him|her|them|this|dogs|spiders',
    'congratulate|congratulations|congrats for>on your|the|his|her|their',
    'good|bad in>at sports|math|maths|chess|english $',
    'capable to>of',
    "i|we 'm|am|are|'re familiar to>with PROPN|the|a|this|these|your|NOUN",
    'write~|make~|do~|wash~|it|them|essay|letter in>by hand $|or',
    'since>for DET|a long time',
    'since>for NUM|several|many|few minutes|hours|days|weeks|months|years $',
    "is|are|was|were|'s|'re too big|small|expensive|long|short|hard|difficult|heavy|hot|cold|far|late|early|much to>for me|us|him|them $|and|,|because",
    'reason of|why>for the|this|my|our delay|decision|problem|change',
  ]),
  group('confused_word', '“$2” is the word that fits here, not “$1”.', [
    'the only|first|best|same|main|other|important|last|worst|whole think>thing',
    'every|one|another|any|this|a think>thing that|i|is|which|about|he|she|we|you',
    'significant|positive|negative|strong|big|great|huge|direct|major|profound|bad|good|little|no|an|the|its|their affect>effect on|of',
    'positive|negative|side|harmful|bad|good affects>effects $|of|on|and|are|were',
    'more|less ADJ that>than i|we|you|they thought|expected|imagined|think|hoped|believed',
    'more|less ADJ that>than in|on|at|before|last|ever|expected|usual',
    'cheaper|bigger|smaller|faster|slower|better|worse|older|younger|taller|higher|lower|longer|shorter|easier that>than the|a|in|mine|yours|me|him|her|us|before|last|expected|usual|my|our|your',
    'is|was|are|were|be kindly>kind $|and|to',
    'is|was|are|were|be very|so|really|too kindly>kind $|and|to',
  ]),
  group('word_choice', 'Before another adjective stands the adverb: “$2”.', [
    `is|was|are|were|'s|'re|be|so|seems|looks {extreme,incredible,terrible,horrible,absolute,complete,unbelievable}>{:ly} slow|fast|good|bad|expensive|cheap|rude|friendly|helpful|important|difficult|easy|hard|happy|sad|tired|cold|hot|nice|useful|useless|loud|long|high|low|late|busy|disappointed|satisfied|wrong|different $|and|but|for|to|with|because|that`,
  ]),
  group('confused_word', '“it’s” is “it is” or “it has”; “its” says whose.', [
    `^ its>it's ${ADJECTIVES} $|for|to|that|because|when|if|but|and|here|there|now|today`,
    `^|now|because|but|and|so|today|think|that its>it's ${DAY}|nearly|almost|already|just|been|still`,
  ]),
  group('article', 'What is counted takes an article when there is one of it: “$2”.', [
    'i|he|she was|am|is {child,kid,teenager,boy,girl,baby,student,teacher}>a_{} $|and|at|in|from|because|i|we|he|she|my',
  ]),
  group('article', 'Who works in a role is one of several, so an article stands before it: “$2”.', [
    'work~|job|career|experience as {project,product,sales,marketing,store,software,web,data,civil,bank,shop,team,security,tour,taxi,truck,bus,language,math,private}>a_{} manager|engineer|developer|assistant|teacher|designer|analyst|representative|consultant|driver|coordinator|leader|guide|guard|tutor|scientist',
  ]),
  group('plural', '“$2” is the form that fits here.', [
    'of|much|more|good|great|big|some|little|no|any|make~ progresses>progress',
    'my|our|give~|send~|all|with best wish>wishes $|for|to|and|on',
  ]),
  group('agreement', 'The verb agrees with its subject: “$2”.', [
    '^|,|because|that the amount|list|set|reason|thing|shop|store|day are>is ADJ|not|too|very|so',
    '^|,|because|that the amount|list|set|reason|thing|shop|store|day were>was ADJ|not|too|very|so',
    'how much|many|long|often do>does he|she|it VERB',
    '^|, the NOUN|picture|text on|in page|slide|figure|table|chapter NUM show>shows DET',
    '^ this cause>causes NOUN|ADJ|DET|PRON|a|the|many|problems',
    'how_long_time>how_long has|have|is|was|can|must|should',
  ]),
  group('confused_word', '“$2” is said where “$1” is carried over from another language.', [
    '^ in_the_next>the_next morning|day|evening i|we|he|she|they|everything|it|,',
    '^ in_the_last_time>lately',
    '^ in_the_last_times>lately',
    '^ in_last_time>lately',
  ]),
];
