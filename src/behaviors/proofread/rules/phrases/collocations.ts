import type { Patterns } from '../pattern.ts';
import { MONTHS } from './words.ts';

const WHO = 'friend|colleague|neighbor|neighbour|cousin|classmate|student|teacher|coworker|roommate';

/** Words that go together: a photo is taken, a mistake is made, a bus is missed. */
export const COLLOCATIONS: readonly Patterns[] = [
  {
    kind: 'confused_word',
    why: 'With these words “$2” is said, not “$1”.',
    lines: [
      ...['make>take', 'makes>takes', 'made>took', 'making>taking', 'do>take', 'did>took', 'doing>taking'].map(
        (pair) =>
          `${pair} a|some|many|more|photos|the|nice|beautiful photo|photos|selfie|selfies $|of|with|and|from|in`,
      ),
      ...['make>take', 'makes>takes', 'made>took', 'making>taking'].flatMap((pair) => [
        `${pair} photos|selfies $|of|with|and|from|in`,
        `${pair} a nap|shower|selfie $|and|in|at|after|before|with|to|from`,
      ]),
      ...['do>have', 'did>had', 'doing>having', 'make>have', 'made>had', 'making>having'].map(
        (pair) => `${pair} a|the birthday|barbecue party|barbecue $|for|with|and|in|at|on`,
      ),
      'did|made>had a|the party $|for|with|and|in|at|on|yesterday|last',
      'did|made>had my party $|for|with|and|in|at|on|yesterday|last',
      ...['lost>missed', 'losing>missing'].map(
        (pair) =>
          `${pair} the|my|our|his|her bus|train|flight|plane|connection|ferry $|because|and|this|yesterday|to|from`,
      ),
      'to lose>miss the|my|our bus|train|flight|plane|ferry $|because|and|to',
      'doubts|question|questions|problem|problems|decision make>made $',
    ],
  },
  {
    kind: 'preposition',
    why: 'The preposition here is “$2”.',
    lines: [
      'key of>to success',
      ...['join', 'work', 'apply', 'buy', 'visit', 'participate', 'attend', 'rent', 'study', 'rent'].map(
        (verb) => `am|'m|are|is|was|be|very interested to_${verb}>in_${verb.replace(/e$/, '')}ing`,
      ),
      'on>in my|our|his|her|their opinion|view $|,|it|this|the|we|you|there|that|i',
      '^ by>at the moment $|,|i|we|there|it|he|she',
      'in regard|regards of>to',
      'with regard of>to',
      ...MONTHS.map(
        (month) =>
          `born|starts|start|started|arrive|arrived|place|held|meet|due in>on NUM ${month} $|in|and|at|with|because`,
      ),
      'discuss|discussed|discussing|present|explain|mention|raise|clarify|decide this|that|it|them|everything on>in the|our next|following meeting',
      "open|opens|opened|close|closes|closed|start|starts|started|begin|begins|end|ends on>at NUM o’clock|o'clock|am|pm|a.m.|p.m.",
      'open|opens|close|closes|start|starts|begin|begins on>at noon|midnight',
      'married|engaged with>to my|his|her|a|the|an',
    ],
  },
  {
    kind: 'preposition',
    why: 'The preposition “$2” belongs here.',
    lines: [
      ...['the', 'my', 'our', 'a', 'your', 'an'].map(
        (word) =>
          `wait|waited|waiting|waits ${word}>for_${word} bus|train|taxi|tram|plane|flight|answer|reply|doctor|results|result|delivery|package|parcel|confirmation $|for|and|since|in|at|to|from|because|yesterday`,
      ),
      'wait|waiting|waited you>for_you $|here|there|outside',
    ],
  },
  {
    kind: 'verb_form',
    why: '“$2” is the form that fits here.',
    lines: [
      ...[
        'visit',
        'learn',
        'study',
        'work',
        'help',
        'see',
        'meet',
        'buy',
        'find',
        'improve',
        'ask',
        'take',
        'make',
        'do',
      ].flatMap((verb) => [
        `came|come|here|went|go|gone|moved|going|traveled|travelled|arrived for_${verb}>to_${verb} DET|PRON|PROPN|my|english|german|french|spanish|more`,
        `PRON|VERB|ADV|here|there|NOUN|time|ready|am|'m for_to_${verb}>to_${verb}`,
      ]),
      "it_'s_depend>it_depends on|of",
      ...[
        'restart',
        'reinstall',
        'reboot',
        'install',
        'update',
        'open',
        'contact',
        'call',
        'find',
        'use',
        'fix',
        'change',
        'reset',
      ].map((verb) => `try|tried|trying ${verb}>to_${verb} it|the|my|this|your|them`),
      ...[
        'working',
        'living',
        'writing',
        'looking',
        'studying',
        'waiting',
        'trying',
        'going',
        'planning',
        'learning',
      ].flatMap((verb) => [
        `^|because|but i ${verb}>am_${verb} to|for|in|at|as|on|about|because|with|the|a|english`,
        `^|because|but we|they ${verb}>are_${verb} to|for|in|at|as|on|about|because|with`,
        `^|because|but he|she ${verb}>is_${verb} to|for|in|at|as|on|about|because|with`,
      ]),
      ...[
        'reading',
        'swimming',
        'dancing',
        'cooking',
        'traveling',
        'travelling',
        'running',
        'singing',
        'drawing',
        'hiking',
        'painting',
      ].flatMap((hobby) =>
        [
          'play>playing',
          'read>reading',
          'watch>watching',
          'listen>listening',
          'go>going',
          'cook>cooking',
          'meet>meeting',
          'dance>dancing',
        ].map((pair) => `is|are|like|likes|love|loves|enjoy|enjoys ${hobby} and to_${pair}`),
      ),
      'since i|he|she am|is>was born $|and|,',
      'has|have|had ever|never stay>stayed in|at|with|there',
      'ADJ increasing>increase of|in DET|PRON|NOUN|ADJ',
      'ADJ decreasing>decrease of|in DET|PRON|NOUN|ADJ',
      'suggest|suggests|suggested|suggesting you to> VERB',
      'will_can>can VERB|AUX',
      'is|are|was|were make>made of|from|by',
      'born and grow>grew up',
      ...['I', 'we', 'you'].flatMap((who) =>
        ['can', 'could', 'must', 'should', 'will'].map(
          (help) => `^|,|but do_${who.toLowerCase()}_${help}>${help}_${who} VERB`,
        ),
      ),
      'i have>am hungry|thirsty $',
      'he|she has|have>is hungry|thirsty $',
      'we|they|you have>are hungry|thirsty $',
      'i|we|they|you have_been_worked>have_been_working as|at|here|there|since',
      'he|she has_been_worked>has_been_working as|at|here|there|since',
      'let me introduce me>myself',
      'opportunity|chance|possibility to introduce me>myself $|in|to',
      'discuss|discusses|review|reviews|describe|describes|present|presents related works>work $',
    ],
  },
  {
    kind: 'confused_word',
    why: '“$2” is the word that fits here, not “$1”.',
    lines: [
      'fastly>quickly $|and|than|as|to|in|on',
      'fastly>fast NOUN|reply|response|answer|delivery|service',
      'mid-night>midnight',
      'loose|lose|losing|lost|gain wait>weight',
      '^|,|but|and weather>whether or not',
      'the worse>worst NOUN i|we|ever|that|of',
      'did good>well on|in the|my|his|her test|exam|interview|exams',
      'the personal>staff was|is|were|are very|friendly|so|really|helpful|not|always|nice',
      'smell|smells|smelled|smelt badly>bad $|and',
      'affect|affects|affected|effected|boost|boosts|boosted|raise|raises|raised|lower|lowers|lowered|improve|improves|improved|hurt|hurts my|their|there|our|his|her|your|the moral>morale $|and|in|at|of',
      'team|employee|staff|troop|worker moral>morale $|is|was|and|in|has',
      'important|necessary|difficult|easy|hard|nice|better|possible|impossible|able|ready|happy|glad|going|trying|supposed too>to be|do|have|get|go|make|see|know|take|help|find|use|work|learn|tell|say|send|meet|hear|ask|come|eat|buy',
      'few>little water|money|time|information|traffic|food|rain|snow|light|space is|was|has|$|to|for|in',
    ],
  },
  {
    kind: 'plural',
    why: '“$2” is the form that fits here.',
    lines: [
      'deep|machine learnings>learning',
      'some|many|most|few|two|three of my|our|his|her|their|your friend>friends are|is|have|live|lives|$|who|and|in|from',
      ...[
        'student',
        'friend',
        'employee',
        'user',
        'member',
        'customer',
        'teacher',
        'neighbor',
        'product',
        'ticket',
        'file',
        'picture',
        'photo',
        'window',
        'shop',
      ].map((one) => `all the|my|our|his|her|their|these ${one}>${one}s $|VERB|are|were|have|in|of|on|that|who|and`),
      ...['shoe', 'sock', 'glove', 'boot', 'headphone', 'sneaker', 'earring', 'trouser'].map(
        (one) => `pair|pairs of ${one}>${one}s`,
      ),
      'researches_have>research_has shown|found|been|focused|suggested|revealed',
      ...[
        'product',
        'service',
        'feature',
        'topic',
        'tool',
        'restaurant',
        'shop',
        'option',
        'book',
        'dish',
        'course',
        'activity',
        'skill',
      ].map(
        (one) =>
          `a|the|large|wide|huge|great|our range|variety|selection of ${one}>${one.replace(/y$/, 'ie')}${/[hx]$/.test(one) ? 'es' : 's'} $|and|for|in|from|to|that`,
      ),
      "she 's|is|was the|a women>woman i|we|who|that|in|with|$",
      '^|,|that|and|because|but peoples>people should|must|can|will|need|want|use|have|are|do|say|think',
      'finish|finished|complete|completed my|his|her|your study>studies $|last|in|and|at|with|i|two|three',
      'many thank>thanks $|for|in|and',
      'ADP|require|requires|required|need|needs|needed|contain|contains|use|uses|used|produce|produces large|huge|small|great amount>amounts of',
      'one of my|our|his|her|their|your friend>friends lives|works|is|was|has|told|said|says|who|$|can|will|came|bought|asked|gave',
      ...WHO.split('|').map(
        (who) =>
          `one of my|our|his|her|their|your best|good|old|close|new|former ${who}>${who}s lives|works|is|was|has|told|said|says|who|$|can|will|came|bought|asked|gave`,
      ),
      ...WHO.split('|')
        .slice(1)
        .map(
          (who) =>
            `one of my|our|his|her|their|your|the ${who}>${who}s lives|works|is|was|has|told|said|says|who|$|can|will|came|bought|asked|gave`,
        ),
      'my|her|his|your hairs>hair is|are|was|were|$',
    ],
  },
  {
    kind: 'agreement',
    why: '“news” and the name of a language are one thing, and the verb agrees with it: “$2”.',
    lines: [
      'the|this|that|good|bad|latest news are>is ADJ|not|very|so|that|good|bad|VERB|from|about|$',
      'the|this|that|good|bad|latest news were>was ADJ|not|very|so|good|bad|from|about|$',
      '^|and|but|because|that my|your|his|her|our|their english|german|french|spanish|italian are>is ADJ|not|very|so|bad|good|better',
    ],
  },
  {
    kind: 'grammar',
    why: 'Before a statement stands “because” alone; “because of” stands before a thing.',
    lines: ['because_of>because i|he|she|we|they', 'because_of>because it VERB|is|was|rained|snowed'],
  },
  {
    kind: 'grammar',
    why: '“$2” belongs here: without it the subject is missing.',
    lines: ['make|making sure that>that_you have VERB|DET|read|installed|enough'],
  },
  {
    kind: 'word_choice',
    why: 'A name is asked for with “what”.',
    lines: [
      '^ how>what do|would you|we|they call this|that|it|these in english|german|french|spanish|italian|polish $',
    ],
  },
  {
    kind: 'confused_word',
    why: '“$1” says whose, or where; “$2” has the verb “are”.',
    lines: ["^ your>you're the best $", "^ there>they're going to|home"],
  },
  {
    kind: 'confused_word',
    why: '“it’s” is “it is” or “it has”; “its” says whose.',
    lines: ["^ it_'s>its ADJ NOUN fits|fit|makes|gives|offers|feels|looks|keeps|allows|helps|provides|matches"],
  },
  {
    kind: 'verb_form',
    why: 'The condition is open, so it takes “$2”.',
    lines: [
      '^ if you had>have any|some question|questions|problem|problems|doubt|doubts|concern|concerns , please|just|do|feel|contact|call|let|write|you|we|i',
      '^ if you had>have any|some further|more|other|additional question|questions|problem|problems|concern|concerns , please|just|do|feel|contact|call|let|write|you|we|i',
    ],
  },
  {
    kind: 'punctuation',
    why: '“its” says whose; “it’s” is “it is”.',
    lines: ["^ its>it's ADJ and|but ADJ $|to|for"],
  },
  {
    kind: 'punctuation',
    why: 'The possessive has no apostrophe: “$2”.',
    lines: ["our's>ours $", "their's>theirs $", "your's>yours $", "her's>hers $"],
  },
  {
    kind: 'pronoun',
    why: 'The subject is named already, so “$1” does not belong here.',
    lines: ['^ the|my|our|his|her|your NOUN he|she|they|it> is|was|are|were very|so|really|too ADJ $|and|but|because'],
  },
  {
    kind: 'agreement',
    why: 'The verb agrees with its subject: “$2”.',
    lines: [
      '^|,|and|but do>does he|she VERB',
      'what|where|when|why|how do>does he|she|it VERB',
      '^ the|this|our|my|each team|system|course|set|project|program|exam|test|book|house|flat|product|package|kit|group consist>consists of',
      'there have>has been a|an !lot|few|couple|number|great|variety|series|handful|hundred|thousand|dozen|wide|host|flurry|range|string',
      'here is>are the|my|your|our|some documents|files|photos|pictures|details|keys|results|slides|notes|links|tickets|numbers',
      '^|when|because|but|and|, the police is>are',
      '^|when|because|but the police was>were',
      ...[
        'thinks>think',
        'says>say',
        'believes>believe',
        'likes>like',
        'wants>want',
        'knows>know',
        'has>have',
        'uses>use',
        'needs>need',
        'loves>love',
        'works>work',
        'lives>live',
      ].map((pair) => `^|,|because|that|but|and a lot of people ${pair}`),
      ...['crash', 'freeze', 'close', 'hang', 'load', 'start', 'stop'].map(
        (verb) =>
          `^|,|it|but|then|NOUN the|this app|application|program|page|website|browser|system|game ${verb}>${verb}${/sh$/.test(verb) ? 'es' : 's'} $|with|when|every|after|immediately|again`,
      ),
      '^|,|because|that|and|but|where|when|if|so many|most|more|some|other|few people is>are',
      '^|,|because|that|and|but|where|when|if|so many|most|more|some|other|few people was>were',
      '^|,|because|that|and|but|where|when|if|so many|most|more|some|other|few people has>have',
      '^ neither PROPN|he|she nor PROPN|he|she are|am>is',
      '^ neither PROPN|he|she nor PROPN|he|she have>has',
      '^ every one of the|my|our|his|her|their|them NOUN were>was',
      '^ every one of the|my|our|his|her|their|them NOUN are>is',
      '^ every one of the|my|our|his|her|their|them NOUN have>has',
    ],
  },
  {
    kind: 'preposition',
    why: 'No “to” stands before the person when the thing follows: “$2”.',
    lines: ['me', 'us', 'him', 'her', 'them'].map(
      (who) => `send|sent|give|gave|show|showed to_${who}>${who} a|the|an|more|some|your`,
    ),
  },
  {
    kind: 'pronoun',
    why: 'As a subject the pronoun is “$2”.',
    lines: [
      '^|think|believe|because|hope|suppose|guess|say|says|said him>he and my|his|her|their|the NOUN is|are|was|were|has|have|AUX|VERB',
      '^|think|believe|because|hope|suppose|guess|say|says|said him>he and PROPN is|are|was|were|has|have',
      '^ her>she and my|his|her|their NOUN is|are|was|were|has|have|AUX|VERB',
    ],
  },
];
