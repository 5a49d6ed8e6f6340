import type { Phrases } from '../pattern.ts';

/** Verbs of the other number, and negations, in fixed words. */
export const AGREEMENT: readonly Phrases[] = [
  {
    id: 'news-is',
    kind: 'agreement',
    why: '“news” and the name of a language are one thing, and the verb agrees with it: “$2”.',
    fixes: { 'The news are bad.': 'The news is bad.' },
    leaves: ['The news is bad, and physics is not my strong point.', 'The nuclei are small.'],
    lines: ['the|this|that|good|bad|latest news are>is ADJ|not|very|so|that|good|bad|VERB|from|about|$'],
  },
  {
    id: 'verb-of-its-subject',
    kind: 'agreement',
    why: 'With $0 the verb is “$2”, which agrees with its subject.',
    fixes: {
      'My brother work in a bank.': 'My brother works in a bank.',
      'The information you sent are useful.': 'The information you sent is useful.',
      'What are the news?': 'What is the news?',
      'Have she finished?': 'Has she finished?',
    },
    leaves: ['There are people in this world who have no home.', 'One of these needs a new battery.'],
    lines: [
      '^|,|but|because|that the police {is>are,was>were,has>have}',
      '^ mathematics|physics are>is ADJ|a|the|my|very|so',
      '^|but|because my|your|his|her|our|their|the brother|sister|father|mother|boss|friend|son|daughter|wife|husband|uncle|aunt|cousin|teacher|manager|colleague|neighbor|neighbour|grandmother|grandfather|doctor|dog|cat|flatmate|roommate|housemate|coworker|grandma|grandpa|mom|mum|dad|girlfriend|boyfriend|nephew|niece|landlord|guest {like>likes,want>wants,speak>speaks,live>lives,work>works,drive>drives,sleep>sleeps,walk>walks,cook>cooks,play>plays,study>studies} DET|ADP|ADV|all|every|my|his|her|too|very|english|here|there|hard',
      'the information|informations|furniture|furnitures|equipment|equipments|advice|advices|luggage|luggages|baggage|homework|homeworks|software|hardware i|you|we|they|he|she VERB {are>is,were>was,have>has} ADJ|ADV|VERB|NOUN|very|so|not|too|been',
      "there was>were n't|two|three|four|five|six|seven|eight|nine|ten any|many|of ADJ|NOUN|us|them|you",
      'each|neither|either of the|my|these|our|his|her NOUN {need>needs,want>wants,have>has,like>likes,look>looks,come>comes,contain>contains}',
      '^|,|it|but|then|NOUN the|this app|application|program|page|website|browser|system|game {crash,freeze,close,hang,load,start,stop}>{:s} $|with|when|every|after|immediately|again',
      '^|,|and this|the|our study|paper|article|report|research|thesis {aim,show,present,describe,propose,examine,focus,investigate,explore}>{:s} to|that|DET|how|on|NOUN',
      'those who {was>were,is>are}',
      '^|,|and|but|because two|three|four|five|several|many|both|few of them {is>are,was>were}',
      'and two|three|four|five|several was>were VERB|ADJ',
      'like|that|if|because|when|and|but|think|^ someone|somebody|everyone|everybody|technology|society|education|money|music|nature|life|science|pollution|traffic have>has VERB|been|AUX',
      '^ either of them|us|those|these are>is',
      '^ have>has he|she VERB|ADV|been|ever|always',
      'NUM miles|kilometers|hours|minutes|years are>is a long',
      '^ what are>is the news|information|weather|advice|homework|difference',
      '^|,|that|while table|figure|section|chapter NUM {show,present,list,describe,summarize,give,compare,explain,introduce,contain}>{:s} that|the|a|an|how|our|some|all|DET',
      'everybody|everyone|anyone|anybody|somebody|someone|nobody who {love,like,want,need,have,work,live,know,use,speak,enjoy,play}>{:s}',
    ],
  },
];
