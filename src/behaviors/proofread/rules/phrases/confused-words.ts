import type { Patterns } from '../pattern.ts';
import { MODAL, OBJECT } from './words.ts';

/** Confusions of words that sound or look alike. */
export const CONFUSED_WORDS: readonly Patterns[] = [
  {
    kind: 'confused_word',
    why: '“their” says whose, “there” names a place or that something exists, “they’re” is “they are”.',
    lines: [
      'there>their own',
      'affected|effected there>their NOUN',
      'everybody|everyone|they|people have|has|had there>their NOUN|ADJ',
      "that|think|because|if|when|says|say|said|so|and|but|know|hope|while|^ their>they're coming|going|leaving|gonna|trying|waiting|getting|making|looking|doing|having|working|playing !of|NOUN|was|is",
      "there>they're gonna",
      "their>they're not|gonna|always|never|already",
      'eat|ate|eaten|been|go|went|live|lived|stay|stayed|be|are|is|was get|got|$|NUM|ADV|it|them|home their>there $',
      'stay|stayed|live|lived their>there for|until|since|with|last|during',
    ],
  },
  {
    kind: 'confused_word',
    why: '“your” says whose; “you’re” is “you are”.',
    lines: [
      "send|sends|sent|give|gives|gave|show|shows|showed me|us|him|them you_'re>your NOUN|ADJ",
      "VERB|ADP|with|for you_'re>your NOUN $|ADP|before|and|is|are|was|were|by|until|as",
      "send|sends|sent|give|gives|gave|show|shows|showed|bring|brought me|us|him|her|them you_'re>your slides|notes|plans|files|photos|thoughts|comments|ideas|answers|results",
      "your>you're not|gonna|wrong|kidding|joking !NOUN|ADJ",
      "^|,|think|know|that|so|but|and|if|maybe|yes|yeah|because|guess|sure|hope|when your>you're right $|about|that|and|but",
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
      "is|was|are|were|'s|'m|'re|be to>too hot|cold|late|early|loud|expensive|busy|tired|dark|far|slow today|tonight|now|here|outside|there|for|to",
      'late|early to>too $',
      'want|wants|wanted|need|needs|going|able|like|have|had|work|time|money|way|how too>to do|go|be|see|eat|get|make|buy|have|come|say|know|help|take|learn|work|spend|read|write|pay|use',
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
      ', than>then changes|change|click|press|open|go|select|choose|run|add|put|take',
      'and than>then VERB|PRON|DET|AUX',
      'as soon|early|late|quickly|fast|much|many|far|good|long|well|often than>as possible|i|you|he|she|we|they|it|the',
      'more|less|better|worse|bigger|smaller|faster|slower|easier|harder|cheaper|older|younger|taller|higher|lower|earlier|later|rather|other then>than DET|PRON|NUM|NOUN|PROPN|ADV|ADJ|VERB',
      'more|less|fewer NOUN then>than last|ever|usual|before|expected|planned|needed|necessary|average|mine|yours|ours|theirs|him|them|us',
      'rather|other then>than !,',
    ],
  },
  {
    kind: 'confused_word',
    why: '“lose” is not to keep or not to win; “loose” is not tight.',
    lines: [
      `${MODAL}|not|please|^|and|you|we|i|they|always|often|never loose>lose ${OBJECT}|weight|money|time|again !arrow|arrows|dogs|hounds|rope|ropes`,
      `${MODAL}|not|please loose>lose NOUN`,
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
      `which|that|who|it|this|also|not|n't|will|can|could|may|might|would|does|do|did|to|greatly|directly|negatively|positively effect>affect ${OBJECT.replace('a|an|', '')}|people|everyone|us|every|all|both`,
      `which|what|that|it|this|also|who|decision|weather effects>affects ${OBJECT.replace('a|an|', '')}|people|everyone|every|all`,
      `which|what|that|it|this|also|who|decision|has|have|had|was|were|been|he|she|they|greatly|not effected>affected ${OBJECT.replace('a|an|', '')}|people|everyone|by|every|all|there|their`,
      'the|an|no|any|this|big|bad|good|great|positive|negative|side|adverse|main|little|same|huge affect>effect !VERB|the|a',
      'side|the|positive|negative|bad|good|these affects>effects of|on|are|were|$',
    ],
  },
  {
    kind: 'confused_word',
    why: '“buy” is to get for money; “by” is the preposition.',
    lines: [
      `n't|nt|wont|'ll|will|can|could|should|want by>buy from|a|an|some|new|it|them|one|food|clothes|something|anything|this`,
      'want|wants|wanted|like|need|needs|needed|going|plan|plans|went|go|came|how|where|when|easy|cheap|money|able|decided|ready|try|trying|tried|hope|love to by>buy NOUN|DET|ADJ|PRON|from',
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
      'work|works|worked|working|study~|try|tried|train|trained very|so|really hardly>hard',
      'work|works|worked|working|study~|try|tried|train|trained hardly>hard $|and|but|to|for|every',
      "'m|am|'re|are|so|very|is|was exiting>excited for|about|to",
      'the|my|a|this|our|whole hole>whole day|week|year|time|thing|family|world|night|month|life|story|class|team|weekend|summer|house|city|country|point',
      "three|two|times|have|has|had|'ve|'s|was|is|are|were all_ready>already $|VERB|there|too|in|at|here|gone|done|started",
      'a peace>piece of',
      "n't|to|can|will|not|please breath>breathe $|in|out|normally|well|the|easily|properly",
      'please|could|can|would|will|to advice>advise me|us|you|him|them|on|against',
      'you|they|we|i|to|please advice>advise me|us|you|him|them|on',
      'an|the|my|your|his|some|any|good|this advise>advice $|on|about|from|for|is|was',
      'in stead>instead $|of',
      'sit|sits|sat|sitting|stand|stands|stood|lay|laid|lying|down|right besides>beside the|a|me|him|us|them|my|his|our|their',
      'which|witch brake|brakes>breaks our|my|your|everything|it|all',
      '!the|a|this|that|my|our|your|whole|one|every|each hole>the_whole week|weekend|month|summer|year $|,|but|and',
      'more|less|much quite>quiet $|and|place|than',
      'a|very|so|be|keep|stay quite>quiet $|place|room|street|town|and|please',
      'walked|ran|drove|went|go|walk|half|quarter passed>past DET|PRON|NUM',
      'this|my|last|next|every|each weak>week $|of|ago|and|we|i',
      'a|the weak>week ago|before|after|we|i',
      'last|next|this|every weak>week',
      'very|so|too|is|was|feel|feels|felt|are week>weak $|and|to',
      'if|know|knows|ask|asked|see|sure|decide|wonder|wondering weather>whether it|we|i|you|he|she|they|the|or|this|there|to',
      'the|good|bad|nice|cold|hot|warm|sunny whether>weather is|was|$|forecast|in|today',
      'the|is|was|my|his our>or NUM',
      'year|years|weeks|days|months|hours|minutes a_go>ago',
      "to|n't|not|will|can|could|should here>hear from|about|that|you|him|her|the|a|me",
      'over|right|come|am|is|are|was|live|work|stay hear>here $|in|at|for|and',
      "i|you|we|they|'t|n't|not|to no>know that|how|what|why|where|who|if|the|him|her|it|them|about",
      '^|and|but|if|do|did|as|because i|you|we|they now>know that|how|what|why|him|her|them|about',
      '^|and|but|if|because|that i|he|she|we|they|you new>knew that|how|what|why|him|her|it|them|the|about|i',
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
      '^|that|because|and|but DET|PRON NOUN where>was VERB to|by|for|on|in|from|yesterday|last|again|$',
      '^|and|but|if|when|because|that|while|since we|you|they where>were',
      'if|when|because|that|^ i where>were',
    ],
  },
];
