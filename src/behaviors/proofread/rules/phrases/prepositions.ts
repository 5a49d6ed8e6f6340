import type { Patterns } from '../pattern.ts';
import { MONTHS } from './words.ts';

/** Prepositions in fixed phrases. */
export const PREPOSITIONS: readonly Patterns[] = [
  {
    kind: 'preposition',
    why: 'The preposition here is “$2”.',
    lines: [
      ...MONTHS.map((month) => `in>on the NUM|ADJ of ${month}`),
      'kind|nice|sweet|generous|good from>of you|him|her|them',
      'have|has|no|any|get|give|gives|full|free|easy|unlimited access on>to DET|PRON|NOUN|PROPN !machine|server|computer|phone|device',
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
      'in|on>at the end of DET year|month|week|day|course|lesson|street|story|film|movie|book|meeting',
      'prefer|prefers|preferred NOUN than|then>to NOUN|DET|PRON',
      'on>in the morning|afternoon|evening $',
      'according of>to',
      'in>at the moment $|i|we|is',
      'my|an|the|a internship|internships|apprenticeship by>at PROPN',
      'minute|minutes|hour|go|goes|went|came|come|far|quickly by_walk>on_foot',
    ],
  },
  {
    kind: 'preposition',
    why: 'No “$1” stands here.',
    lines: [
      '!is|was|are|were|be|been|it|them|one|go|come|turn|turned|going|coming|went|came|show|carry|carried on|at> yesterday|tomorrow|tonight $',
      'near|nearby from> DET|PRON',
      'ask|asked|asking|asks to> PROPN|him|her|me|us|them|you $|,|if|about|what|why|how|where|when|whether|for',
      'told|tell|tells to> me|us|him|her|them|PROPN',
      "i|we|he|she|they|you|will|can|'ll|please|to|and|must|should call|called|phone|phoned to> me|us|him|her|them|PROPN $|,|and|yesterday",
      'answer|answered|answers to> me|us|him|her|them $|and|yet|that',
      'enter|entered|enters in> the|a|my|our|his|her room|house|building|office|hotel|shop|class|classroom',
      'reach|reached|reaches to> the|a|my|our|his|her',
      'visited|visiting to> the|a|my|our|his|her|PROPN',
      "i|we|they|you|can|could|will|would|should|must|may|to|please|'ll visit to> the|a|my|our|his|her|PROPN",
      "i|we|he|she|they|you|to|will|can|would|please|'ll join|joined to> the|our|us|your|a",
    ],
  },
  {
    kind: 'preposition',
    why: 'The preposition “$2” belongs here.',
    lines: [
      ...['the', 'a', 'an', 'this', 'my', 'our', 'his', 'her', 'their', 'your', 'bad', 'heavy'].map(
        (word) => `due ${word}>to_${word} NOUN|ADJ`,
      ),
      'graduated the>from_the university|college|school|PROPN',
    ],
  },
];
