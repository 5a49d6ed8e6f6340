import { type Patterns, patternRule } from './pattern.ts';

const MODAL = "can|could|will|would|shall|should|may|might|must|'ll|n't|to|cannot";
const OBJECT = 'a|an|the|my|your|his|her|its|our|their|this|that|these|those|it|them|me|us|him|any|some';

const CONFUSED: readonly Patterns[] = [
  {
    kind: 'confused_word',
    why: '“their” says whose, “there” names a place or that something exists, “they’re” is “they are”.',
    lines: [
      'there>their own',
      'everybody|everyone|they|people have|has|had there>their NOUN|ADJ',
      "that|think|because|if|when|says|say|said|so|and|but|know|hope|while|^ their>they're coming|going|leaving|gonna|trying|waiting|getting|making|looking|doing|having|working|playing !of|NOUN|was|is",
      "there>they're gonna",
      "their>they're not|late|gonna|always|never|already",
      'eat|ate|eaten|been|go|went|live|lived|stay|stayed|be|are|is|was get|got|$|NUM|ADV|it|them|home their>there $',
    ],
  },
  {
    kind: 'confused_word',
    why: '“your” says whose; “you’re” is “you are”.',
    lines: [
      "VERB|ADP|with|for you_'re>your NOUN $|ADP|before|and|is|are|was|were|by|until|as",
      "your>you're not|gonna|welcome|right|wrong|kidding|joking !NOUN|ADJ",
      "because|if|when|think|that|and|so|know|hope|but|^ your>you're the|a|an|so|very|too|not|late|sure|sorry|able|ready|done !NOUN|-",
    ],
  },
  {
    kind: 'confused_word',
    why: '“who’s” is “who is” or “who has”; “whose” says to whom something belongs.',
    lines: [
      "whose>who's having|going|coming|been|not|gonna|getting|doing|always|never",
      "who_'s>whose car|house|book|idea|name|turn|job|phone|dog|fault|bag",
    ],
  },
  {
    kind: 'confused_word',
    why: '“it’s” is “it is” or “it has”; “its” says whose.',
    lines: [
      "its>it's to|too late|early|much|many|hot|cold|big|small|expensive|hard|difficult|bad|good|far|long|easy|soon|loud|slow|fast",
      "^|and|but|because|so|that|think|if|when|PRON its>it's raining|snowing|working|getting|going|been|gonna",
      "why|how|when|where|think|because|if|but|and|know|says|^ its>it's not|very|really|so|too|always|never|ok|okay|fine|great|nice|cool|important !own",
    ],
  },
  {
    kind: 'confused_word',
    why: '“too” means also, or more than is good; “to” is the preposition.',
    lines: [
      "is|was|are|were|'s|'m|'re|be|its|been to>too late|early|hot|cold|big|small|expensive|hard|difficult|bad|far|long|soon|loud|slow|heavy|tired|young|old|weak|short|high|low|much|many|busy|dangerous|good|easy|few|little !NOUN",
      'late|early to>too $',
    ],
  },
  {
    kind: 'confused_word',
    why: '“two” is the number.',
    lines: [
      'it|them|that|him|her|me|us to>two times',
      'for|in|the|these|after|last|next|only to>two days|weeks|months|years|hours|minutes|times',
    ],
  },
  {
    kind: 'confused_word',
    why: 'A comparison takes “than”; “then” means at that time or after that.',
    lines: [
      '^ than>then the|we|i|he|she|they|it|you|click|press|open|go|select|choose|run|add|select|save|restart|everyone',
      ', than>then changes|change|click|press|open|go|select|choose|run|add|put|take',
      'and than>then VERB|PRON|DET|AUX',
      'as soon|early|late|quickly|fast|much|many|far|good|long|well|often than>as possible|i|you|he|she|we|they|it|the',
      'more|less|better|worse|bigger|smaller|faster|slower|easier|harder|cheaper|older|younger|taller|higher|lower|earlier|later|rather|other then>than DET|PRON|NUM|NOUN|PROPN|ADV|ADJ|VERB',
      'rather|other then>than !,',
    ],
  },
  {
    kind: 'confused_word',
    why: '“lose” is not to keep or not to win; “loose” is not tight.',
    lines: [
      `${MODAL}|not|please|^|and|you|we|i|they loose>lose ${OBJECT}|weight|money|time|NOUN`,
      'loosing>losing',
      `${MODAL}|be|been|is|was|have|had|has loosed>lost`,
    ],
  },
  {
    kind: 'confused_word',
    why: '“accept” is to take what is given; “except” is without.',
    lines: [
      `${MODAL}|not|please|we|they except>accept ${OBJECT}`,
      `all|every|everything|everyone|day|days|everybody|nothing|week|always|anything expect>except for|PROPN|the|on|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|sundays|saturdays|me|him`,
    ],
  },
  {
    kind: 'confused_word',
    why: '“affect” is to have an influence on; the influence is an “effect”.',
    lines: [
      `which|what|that|who|it|this|also|not|n't|will|can|could|may|might|would|does|do|did|to|greatly|directly|negatively|positively effect>affect ${OBJECT.replace('a|an|', '')}|people|everyone|us|every|all|both`,
      `which|what|that|it|this|also|who|decision|weather effects>affects ${OBJECT.replace('a|an|', '')}|people|everyone|every|all`,
      `which|what|that|it|this|also|who|decision|has|have|had|was|were|been|he|she|they|greatly|not effected>affected ${OBJECT}|people|everyone|by|every|all|there|their`,
      'the|an|no|any|this|big|bad|good|great|positive|negative|side|adverse|main|little|same|huge affect>effect !VERB|the|a',
      'side|the|positive|negative|bad|good|these affects>effects of|on|are|were|$',
    ],
  },
  {
    kind: 'confused_word',
    why: '“buy” is to get for money; “by” is the preposition.',
    lines: [
      `to|n't|not|wont|'ll|will|can|could|should|want by>buy from|a|an|some|new|it|them|one|food|clothes|something|anything|this`,
      'to by>buy NOUN|DET|ADJ',
    ],
  },
  {
    kind: 'verb_form',
    why: 'After “could”, “should” and the like the verb is “have”.',
    lines: [
      "n't|not|could|should|would|must|might|couldnt|shouldnt|wouldnt of>have VERB|been|AUX|gone|known|done|trusted|told|said",
    ],
  },
  {
    kind: 'confused_word',
    why: '“$2” is the word that fits here, not “$1”.',
    lines: [
      'therefor>therefore',
      'irregardless>regardless',
      ', witch>which',
      'NOUN|, witch>which is|are|was|were|has|have|can|will|VERB',
      'a|all|the|one|two|some|many|most|its|their|our|no|any mayor>major problem|problems|issue|issues|change|changes|role|browser|browsers|city|cities|reason|part|advantage|difference|company|companies|bug|version|release|event|factor',
      'work|works|worked|working|study|studies|studied|studying|try|tried|train|trained very|so|really hardly>hard',
      'work|works|worked|working|study|studies|studied|studying|try|tried|train|trained hardly>hard $|and|but|to|for|every',
      "'m|am|'re|are|so|very|is|was exiting>excited for|about|to",
      'the|my|a|this|our|whole hole>whole day|week|year|time|thing|family|world|night|month|life|story|class|team|weekend|summer|house|city|country|point',
      "three|two|times|have|has|had|'ve|'s|was|is|are|were all_ready>already $|VERB|there|too|in|at|here|gone|done|started",
      'of|the|a|this|whole peace>piece of',
      "n't|to|can|will|not|please breath>breathe $|in|out|normally|well|the|easily|properly",
      'please|could|can|would|will|to advice>advise me|us|you|him|them|on|against',
      'you|they|we|i|to|please advice>advise me|us|you|him|them|on',
      'an|the|my|your|his|some|any|good|this advise>advice $|on|about|from|for|is|was',
      'in stead>instead $|of',
      'more|less|much quite>quiet $|and|place|than',
      'a|very|so|be|keep|stay quite>quiet $|place|room|street|town|and|please',
      'day|week|days|night|year passed>past $|the',
      'walked|ran|drove|went|go|walk|half|quarter passed>past DET|PRON|NUM',
      'the|a|this|my|last|next|every|each weak>week $|of|ago|and|we|i',
      'last|next|this|every weak>week',
      'very|so|too|is|was|feel|feels|felt|are week>weak $|and|to',
      'if|know|knows|ask|asked|see|sure|decide|wonder|wondering weather>whether it|we|i|you|he|she|they|the|or|this|there|to',
      'the|good|bad|nice|cold|hot|warm|sunny whether>weather is|was|$|forecast|in|today',
      'the|is|was|of|my|his our>or NUM',
      'year|years|weeks|days|months|hours|minutes a_go>ago',
      "to|n't|not|will|can|could|should here>hear from|about|that|it|you|him|her|the|a|me",
      'over|right|come|am|is|are|was|live|work|stay hear>here $|in|at|for|and',
      "i|you|we|they|'t|n't|not|to no>know that|how|what|why|where|who|if|the|him|her|it|them|about",
      'i|you|we|they now>know that|how|what|why|him|her|them|about',
      'i|he|she|we|they|you new>knew that|how|what|why|him|her|it|them|the|about|i',
      'a|the|my|our|some|his|her|your knew>new NOUN|ADJ',
      "do|does|n't|not|to|will|can|please right>write a|an|the|it|them|me|to|down|his|her|my|your|this",
    ],
  },
  {
    kind: 'confused_word',
    why: 'Who feels something is “excited” or “interested”; what arouses it is “exciting” or “interesting”.',
    lines: [
      ...[
        'exciting>excited',
        'interesting>interested',
        'disappointing>disappointed',
        'confusing>confused',
        'exhausting>exhausted',
        'surprising>surprised',
        'embarrassing>embarrassed',
        'frustrating>frustrated',
      ].flatMap((pair) => [
        `i|we 'm|am|was|'re|are|were ${pair} $|about|with|by|that|to|because|when|and|in|at`,
        `i|we|parents|students|customers|guests 'm|am|was|'re|are|were very|so|really|quite|too ${pair} $|about|with|by|that|to|because|when|and|in|at`,
      ]),
      ...['movie', 'film', 'book', 'story', 'lesson', 'game', 'end', 'job', 'lecture', 'class'].map(
        (thing) => `${thing} is|was a|very|so|really|quite bit|$|too bored>boring`,
      ),
      'movie|film|book|story|lesson|game|end|job|lecture|class is|was very|so|really|quite bored>boring',
      'is|was a bit|little bored>boring $',
    ],
  },
  {
    kind: 'confused_word',
    why: '“was” is the verb; “where” asks for a place.',
    lines: [
      '^ the NOUN where>was moved|changed|closed|canceled|cancelled|sent|made|delayed|postponed to|by|for|on|in|yesterday|$',
      'deadline|meeting|order|package|price|letter where>was moved|changed|canceled|cancelled|sent|made|delayed|postponed',
      'we|you|they where>were',
      'if|when|because|that|^ i where>were',
    ],
  },
];

const APOSTROPHES: readonly Patterns[] = [
  {
    kind: 'punctuation',
    why: 'What belongs to a day or a person takes an apostrophe.',
    lines: [
      ...['yesterday', 'today', 'tomorrow'].map((day) => `${day}s>${day}'s NOUN|ADJ`),
      ...[
        'manager',
        'boss',
        'teacher',
        'brother',
        'sister',
        'mother',
        'father',
        'friend',
        'doctor',
        'neighbor',
        'neighbour',
        'girlfriend',
        'boyfriend',
        'wife',
        'husband',
        'uncle',
        'aunt',
        'grandmother',
        'grandfather',
        'mom',
        'dad',
        'company',
        'dog',
        'cat',
      ].flatMap((one) => {
        const many = one.endsWith('y')
          ? `${one.slice(0, -1)}ies`
          : one === 'boss'
            ? 'bosses'
            : one === 'wife'
              ? 'wifes'
              : `${one}s`;
        return [
          `the|my|our|his|her|your|their ${many}>${one}'s house|car|decision|opinion|name|job|idea|room|phone|birthday|office|computer|advice|problem|wedding|dog|cat|bag|bike|book|answer|question|place|party|team|family|money|food|tail|email|address`,
        ];
      }),
      "my|our|his|her|your|their parents>parents' house|car|home|place|opinion|money|bedroom|room|wedding|garden|kitchen",
      "a|an|one|two|three|four|five|few weeks>weeks' notice|vacation|holiday",
    ],
  },
  {
    kind: 'punctuation',
    why: '“let’s” is “let us”.',
    lines: [
      "^|please|so|now|ok|okay|then lets>let's VERB|be|not|go|meet|talk|discuss|see|start|have|take|do|make|get|try|eat|play",
    ],
  },
];

const VERBS: readonly Patterns[] = [
  {
    kind: 'verb_form',
    why: '“$2” is the form that fits here.',
    lines: [
      ...[
        'seen>saw',
        'done>did',
        'gone>went',
        'been>was',
        'sung>sang',
        'drunk>drank',
        'swum>swam',
        'begun>began',
        'rung>rang',
        'known>knew',
        'taken>took',
        'written>wrote',
        'eaten>ate',
        'given>gave',
        'fallen>fell',
        'spoken>spoke',
      ].map(
        (pair) =>
          `^|and|because|that|when|then|yesterday|,|but|so i|he|she|we|they ${pair} ${OBJECT}|$|at|in|on|to|with|until|off|up|him|her|home|too|yesterday|last`,
      ),
      'please found>find enclosed|attached|my|the|a|our|below|here|in',
      'hope|hopes this|the|my|that NOUN finds|find you good>well',
      ...[
        'followup>follow_up',
        'signup>sign_up',
        'login>log_in',
        'logout>log_out',
        'setup>set_up',
        'backup>back_up',
        'checkout>check_out',
        'cleanup>clean_up',
      ].map(
        (pair) =>
          `wanted|want|wants|need|needed|have|had|able|please|can|will|could|should to|you|we|i ${pair} ${OBJECT}|NOUN|with|about|to|in|on`,
      ),
      'find|finds you good>well $',
      'dog|cat|he|she|i|we|they|child|baby laid>lay down beside|besides|next|on|and|near|under|$',
    ],
  },
  {
    kind: 'grammar',
    why: 'What exists is said with “there is”.',
    lines: [
      '^|, it_is>there_is no doubt|way|reason|need|chance|problem|evidence',
      '^ it_exists|it_exist>there_is a|an|no',
    ],
  },
];

const PRONOUNS: readonly Patterns[] = [
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
      'person|people|man|woman|men|women|child|children|girl|boy|friend|friends|teacher|teachers|student|students|designer|developer|engineer|manager|colleague|colleagues|customer|customers|user|someone|somebody|everyone|everybody|anyone|neighbor|neighbour|doctor|employee|employees|player|players|worker|workers|guy|lady|guest|guests|candidate|candidates|applicant which>who AUX|VERB|have|has|is|are|was|were|can|will',
    ],
  },
  {
    kind: 'pronoun',
    why: 'Before a noun the possessive has no “s” of its own: “$2”.',
    lines: ['yours>your', 'ours>our', 'theirs>their', 'hers>her'].map(
      (pair) => `VERB|ADP|track|and ${pair} NOUN !is|are|was|were|VERB|AUX`,
    ),
  },
];

const PREPOSITIONS: readonly Patterns[] = [
  {
    kind: 'preposition',
    why: 'The preposition here is “$2”.',
    lines: [
      ...[
        'january',
        'february',
        'march',
        'april',
        'may',
        'june',
        'july',
        'august',
        'september',
        'october',
        'november',
        'december',
      ].map((month) => `in>on the NUM|ADJ|NOUN of ${month}`),
      'kind|nice|sweet|generous|good from>of you|him|her|them',
      'access|accesses on>to DET|PRON|NOUN|PROPN',
      'protect|protects|protected|protecting you|us|me|them|it|him|her|people|children|yourself of>from',
      'compatible to>with',
      'stay|stayed|staying|stays|remain|work|worked|working|be|was|were|sit|eat in>at home $|and|today|because|with|all|on',
      'in>on the weekend|weekends $|i|we|and|with|to',
      'arrive|arrived|arrives|arriving to>at the|my|our|his|her|a|work',
      'arrive|arrived|arrives|arriving to>in PROPN',
      'good|bad|better|best in>at cooking|dancing|singing|drawing|writing|math|maths|swimming|running|playing|speaking|football|sports|chess|languages',
      'angry|mad on>with PRON|DET',
      'worried for>about the|my|our|his|her|their|it|this',
      'think|thinking|thought in>about you|him|her|them|it',
      'dream|dreamed|dreaming with>of',
      'pay|paid|pays attention on>to',
      'answer|reply|response of>to your|my|his|her|their|the|this',
      'solution|answer of>to the|this|my|our|your problem|question|issue',
      'reason|reasons of>for this|the|my|his|her|their decision|delay|change|success|failure|problem',
      'translate|translated|change|changed|switch|switched|set the NOUN in>to english|german|french|spanish|italian',
      'in>on my|his|her|our|their|your way to|home|back',
      'in>on page NUM',
      'in>at night',
      'on>in the morning|afternoon|evening $',
      'according of>to',
      'in>at the moment $|i|we|is',
    ],
  },
  {
    kind: 'preposition',
    why: 'No “$1” stands here.',
    lines: [
      'near|nearby from> DET|PRON',
      'ask|asked|asking|asks to> PROPN|him|her|me|us|them|you $|,|if|about|what|why|how|where|when|whether|for',
      'told|tell|tells to> me|us|him|her|them|PROPN',
      'call|called|phone|phoned to> me|us|him|her|them|PROPN $|,|and|yesterday',
      'answer|answered|answers to> me|us|him|her|them $|and|yet|that',
      'enter|entered|enters in> the|a|my|our|his|her room|house|building|office|hotel|shop|class|classroom',
      'reach|reached|reaches to> the|a|my|our|his|her',
      'visit|visited|visiting|visits to> the|a|my|our|his|her|PROPN',
      'join|joined|joining to> the|our|us|your|a',
    ],
  },
  {
    kind: 'preposition',
    why: 'The preposition “$2” belongs here.',
    lines: [
      ...['the', 'a', 'an', 'this', 'my', 'our', 'his', 'her', 'their', 'your', 'bad', 'heavy'].map(
        (word) => `due ${word}>to_${word} NOUN|ADJ`,
      ),
      'graduated the>from_the university|college|school',
    ],
  },
];

const ARTICLES: readonly Patterns[] = [
  {
    kind: 'article',
    why: '“the” belongs before “$1”.',
    lines: [
      ...['end', 'beginning', 'middle', 'heart', 'start', 'rest', 'bottom', 'center', 'centre'].map(
        (noun) => `in|at|before|until|near|since|from|through|during ${noun}>the_${noun} of`,
      ),
      ...[
        'airport',
        'station',
        'cinema',
        'supermarket',
        'mountains',
        'countryside',
        'gym',
        'beach',
        'park',
        'library',
        'office',
      ].map(
        (noun) =>
          `go|went|going|goes|get|got|drive|drove|walk|walked|way|back|came|come to ${noun}>the_${noun} $|with|and|for|at|on|in|because|yesterday|today|every|by|tomorrow|to`,
      ),
      ...['airport', 'station', 'supermarket', 'beach', 'office', 'library'].map(
        (noun) =>
          `walk|minutes|minute|far|away|came|back|kilometers|meters|drive from ${noun}>the_${noun} $|and|to|by|in|at`,
      ),
      'around|across world>the_world $|and|with|to',
      'in internet>the_internet',
      'on internet>the_internet $|and|to|for|is|because',
    ],
  },
  {
    kind: 'article',
    why: 'An article belongs here: “$2”.',
    lines: [
      'as result>a_result $|,|of|the|we|it|they|he|she|i|this|prices',
      'have|has|had good>a_good time|day|idea|job|relationship|experience|knowledge $|and|with|in|at|of|for|today',
      'had|has|have look>a_look at',
      ...[
        'waiter',
        'waitress',
        'teacher',
        'engineer',
        'nurse',
        'doctor',
        'lawyer',
        'developer',
        'designer',
        'driver',
        'manager',
        'programmer',
        'cook',
        'receptionist',
        'secretary',
        'translator',
        'journalist',
        'consultant',
        'volunteer',
        'freelancer',
        'student',
        'researcher',
        'accountant',
        'salesman',
        'intern',
      ].flatMap((job) => {
        const article = /^[aei]/.test(job) ? 'an' : 'a';
        return [
          `work|works|worked|working|job|experience as ${job}>${article}_${job} $|in|for|at|and|since|with|from|to`,
          `am|'m|is|was|become|became|'s ${job}>${article}_${job} $|and|in|at|from|with|for|since|because`,
        ];
      }),
      'become|became project>a_project manager',
    ],
  },
  {
    kind: 'article',
    why: '“$1” does not belong here: what follows is not counted, or goes without it.',
    lines: [
      'a> free|good|fast wifi|internet|parking',
      'a|an> air conditioning',
      'need|want|have|find a> parking $',
      'in the> nature $|and|because',
    ],
  },
];

const PLURALS: readonly Patterns[] = [
  {
    kind: 'plural',
    why: '“$2” is the form that fits here.',
    lines: [
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
      'staffs>staff $|are|is|was|were|and',
      'the following point>points $|:|were|are',
      'childrens>children',
    ],
  },
];

/** Fixed words that are taken for others, by what stands beside them. */
export const phrases = patternRule([
  ...CONFUSED,
  ...APOSTROPHES,
  ...VERBS,
  ...PRONOUNS,
  ...PREPOSITIONS,
  ...ARTICLES,
  ...PLURALS,
]);
