import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../../../tests/harness/threads.ts';
import { applyEdits } from '../edits.ts';

/** Correct sentences, by what earlier versions wrongly corrected. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  '“your”, “then” and “discus” where they belong': [
    'If your happy place is the sea, go there.',
    'Ask if your fine motor skills improve.',
    'It was the same then and now.',
    'He threw the discus and won.',
  ],
  'questions and their inversion': [
    "Doesn't she like the new house?",
    'What does he want from us?',
    "Couldn't they have waited for the others?",
    'Why did the team choose this one?',
    'When will the shop open again?',
  ],
  'a bare verb after "let", "help" and demands': [
    'Let people choose what they want to read.',
    'We suggested that the office stay open until six.',
    'It is important that each guest sign the book.',
    'The coach made the players run for an hour.',
    'If the answer were known, nobody would ask.',
  ],
  'verbs that look like nouns': [
    'Many people form a queue before the doors open.',
    'These two goals conflict with each other.',
    'Each request defaults to this value.',
    'We had a communications officer on board.',
    'Very few of these plans fail at the start.',
  ],
  'a preposition at the end of a relative clause and another behind it': [
    'The hotel we stayed in in Rome had no lift.',
    'The town she grew up in in Ohio is small.',
    'The desk he sat at at work was old.',
  ],
  'its, your and to where they are right': [
    'Keeping your cool is not easy in a crowd.',
    'It is a place that we go to sometimes.',
    'Its being so late did not trouble them.',
    'He provides help to junior and senior members.',
  ],
  'times that are over beside what is so now': [
    'I love what you did last week.',
    'I think yesterday was the best day of all.',
    'I have been here since last summer.',
    'I remember the trip we made two years ago.',
    'He has worked here since his boss left last year.',
    'I received your letter yesterday and I want to thank you for it.',
    'Last week I met Ann. She works at a bank.',
  ],
  'conditions, and "will" where it is right': [
    'If you would like to come, we would be happy.',
    'I do not know when I will arrive.',
    'Tell me when you will be ready.',
    'If I was wrong, I will apologize.',
    'I am staying here for two weeks.',
  ],
  'subjects that "and" joins': [
    'Fish and chips is what we had.',
    'My friend and colleague is here.',
    'I think he and his brother are late.',
    'The plan is good and does not need more work.',
  ],
  'questions inside of sentences': [
    'Do you know who is coming to dinner?',
    'I know what is in the box.',
    'He wants to know what is new.',
    'What we are doing is right?',
    'How do you know that it works?',
  ],
  'adjectives behind verbs': [
    'You look beautiful.',
    'Everything works great.',
    'She works hard and drives fast.',
    'He plays it safe, and they live close.',
  ],
  'apostrophes where they are right': [
    "All my brother's friends are here.",
    "Some of the company's money is gone.",
    "The two dogs' bowls are empty.",
    "They're home and you're right.",
    'That is for you to decide.',
  ],
  'numbers with an ending that is right, or is no ending': [
    'The 1st, 2nd, 3rd, 4th, 11th, 12th, 13th, 21st, 22nd, 23rd, 101st, 111th and 112th day passed.',
    'He weighs 12st and lives in the 1960s.',
  ],
  'a name behind a pronoun that is no subject': ['They told me and Sara was there too.'],
  'what may be meant in two ways': [
    'We were told that she was tired.',
    'It is for you to decide when you are ready.',
    'He will come, they said, but he never came.',
    'I saw what they had done.',
    'A week passed. The day passed the others by.',
    'We agree on the following point.',
    'The doors, once broken, were replaced.',
  ],
  'superlatives and games in set phrases': [
    'She is a best friend to all of us.',
    'They watched the football match.',
    'He plays the football anthem.',
    'Learn about a best practice.',
  ],
  'words that no dictionary has': [
    'The lamp gives a warm, dimmable light.',
    'The canonicalization of names is tunable in the config.',
    'The approvers asked for a resharding of the table.',
    'Mr. Bennet showed Tarik the way to Splunk Hall.',
    'Node A sends what it has to B, and B forwards it to C.',
    'He slept dreamlessly while the skywatchers stayed awake.',
    'We use tokio, gevent and asyncio for this.',
  ],
  'British spelling where no dialect is set': [
    'The colour of the harbour changed as we travelled along the coast.',
    'She organised a programme for the theatre in the centre.',
  ],
  'sentences in German': [
    'He always said: „Das ist nicht mein Problem, sondern deins.“ Then he left the room.',
    'The sign read as follows. Bitte nicht auf den Rasen treten. We stayed on the path.',
  ],
  capitals: ['PLEASE DO NOT FEED THE DUCK IN THE GARDEN.', 'The sign said: NO ENTRY FOR VISITOR WITHOUT A BADGE.'],
  LaTeX: [
    'The energy is $E = m c^2$, as \\cite{einstein1905} showed, and \\emph{teh} is kept.',
    'We write \\begin{equation} a_i = b_i \\end{equation} for the first row.',
  ],
  JSON: [
    'The answer looks like this:\n{\n  "nam": "a apple",\n  "valu": 12\n}\n',
    'It returns {"stat": "ok", "mesage": "a hour"} to the caller.',
  ],
  'the style of standards': [
    '3.  Header Fields\n\n   A client MUST NOT send the field more than once, and a\n   server SHOULD ignore it.\n\n   o  the first value is used, and\n\n   o  the others are ignored.\n',
  ],
  'a list of changes': ['## 2.1.0\n\n- fix crash when a file is empty\n- add option for colors\n- remove old parser\n'],
  'lists in lower case, bold labels and headings': [
    'You should:\n\n- document all commands\n- keep the logs\n- tell the owner\n',
    '**admin** - Administrative commands.\n\n**blocking** - Commands that may wait.\n',
    '# Our history and what we have learned from it\n\nWe began in a garage.\n',
  ],
  tables: [
    '| name | what it does |\n| --- | --- |\n| run | starts the the job |\n',
    'Name        Value\nfirst       a apple\nsecond      an pear\n',
  ],
  'contractions and possessives, as books and chats have them': [
    "Hey, it's Tim.",
    "You say no because you're Michael.",
    'You know how it is when you’re fifteen.',
    'Is this a letter from you we have waited for?',
    'This command lists each commit with its SHA-1 checksum.',
    'They are inclined to exaggerate its not inconsiderable virtues.',
    'Two men in their late twenties came in.',
    'Having their carefully crafted work rejected was hard on them.',
    'It is the blue building on your right.',
    'Each of our three common collections is used here.',
  ],
  'pasts of irregular verbs': [
    'The man sprang from his chair and walked to the window.',
    'He took it in the kidneys, and he lay there for a while.',
    'He lit the lamp with a grave face and led the way.',
    'The court was tired, and the judge upheld the verdict.',
    'She was tired. She strode on and said nothing.',
    'Having gotten it down to a few pages, I sent it to her.',
  ],
  'verbs behind modals and helping verbs': [
    'Do you guys sell tea?',
    'You should have seen it; you coulda told me.',
    'You need a server to which you have write access.',
    'Each will decide on his own course.',
    'Each must have a name that tells what it does.',
    'I will do what I can to make it clearer.',
    'Should posts like this move to a blog?',
    'This method is just like the other one.',
    'The talent that he might have did not lie there.',
    'There was hope that it would end well.',
  ],
  'nouns that could be verbs, and verbs that could be nouns': [
    'During a long visit to Warsaw she made many friends.',
    'I want to place a phone call to London.',
    'The branch is pointed to by the newest commit.',
    'I like the kind of work you do for us.',
    'This moves the pointer to the other branch.',
    'This cuts into my earnings.',
    'Many suspect that the rule is unfair.',
    'These sound like plain questions, but they are not.',
    'What makes the furniture last is that it cost a lot.',
    'They adapt decisions and plans to changing situations.',
  ],
  'subjects far from their verbs': [
    'People today are aware of the risk.',
    'There are people in this world who have no home.',
    'He hosts the freshmen who are new to the school.',
    'The summons was brief and urgent.',
    'AIDS has killed thousands of people.',
    'Algorithms that use it are called naive.',
    'If there were a word for it, I would use it.',
    'There are a handful of people who know.',
    'It is only natural that she assert herself.',
    'Somebody tell me!',
    'Every team and every project is different.',
  ],
  quantities: [
    'Thirty-one minutes later we took off.',
    'No one cares.',
    'We have six left, and all set for tomorrow.',
    'They hired some 300 head of cattle.',
    'One of the family was there to greet us.',
    'Both types of branch can be used.',
    'Wait for another few minutes, please.',
    'He put together an idle few minutes of music.',
    'Some peoples of the steppe never settled in towns.',
    'The rights that other persons may have are not affected.',
    'You get ten more next week.',
    'There is one more way to do it.',
  ],
  prepositions: [
    'It depends to a considerable degree on the weather.',
    'The members are concentrated in a single class.',
    'These two things do not belong in the same sentence.',
    'He will succeed to the throne one day.',
    'He scored twice in Saturday’s game.',
    'They were the contacts with friendly members that helped most.',
    'He was obsessed by disease and poverty.',
  ],
  articles: [
    'We want to make the most of each day.',
    'They took a trip to the Bahamas.',
    'There is an A List of people to invite.',
    'He makes a little money on the side.',
    'She has a knowledge of the law that few have.',
    'We went to the Hudson’s Bay Company.',
    'They make for lively copy, and the work had considerable impact.',
  ],
  'words that resemble others': [
    'They loose the arrows at the same moment.',
    'We ask where new bony tissue grows.',
    'I want to do something new, but I am new here.',
    'The setting controls how people use it.',
    'The peace of the village was disturbed.',
    'Is it not obvious to you now that this matters?',
    'It is almost time for me to leave.',
    'He said no to a good offer.',
    'Twelve of whom were from the north stayed on.',
    'The country is not very good in that part of the world.',
    'It was merged in while you were working on it.',
    'It is not much more, in fact, than the return on bonds.',
  ],
  'words that no list has': [
    'The format of the refspec is simple.',
    'The directory lists the inodes of its files.',
    'Add it to your todo list, and use cgi scripts.',
    'They ate foie gras and thanked her for her largesse.',
  ],
  'commas that would split a clause': [
    'By four in the afternoon the street lamps are on.',
    'However that may be, people go there.',
    'And in short order the croupier had pushed it over.',
    'When his parents told him they wanted to move, he cried.',
    'When they decide you are a loser they usually decide fast.',
  ],
  'a noun and its verb that could be one word': [
    'The sun sets at six.',
    'My head aches a lot.',
    'The new net works fine.',
    'When the land slides, the road is closed.',
  ],
  'plurals that do not end like others': [
    'The horsemen are here.',
    'The specimen is here.',
    'The bookshelves are full.',
    'My grandchildren are here.',
    'The bacteria are dead.',
    'The nuclei are small.',
    'The stimuli were strong.',
    'The formulae are correct.',
    'The missing persons are safe.',
    'The hearing aids are expensive.',
    'The crossroads are busy.',
    'Further analyses are needed, whatever color you choose.',
  ],
  'questions whose subject follows': [
    'How many cars does she have?',
    'Who has the most apples?',
    'How many credits is this student carrying?',
    'How fast does your new car go?',
  ],
  'words with two readings': [
    "I don't want to bore you.",
    'It was love at first sight.',
    'My eyebrows singed when I bent over the flames.',
    'We need more young blood in this organization.',
    'There were so many phone calls.',
    'Life depends on many chemical and physical processes.',
    "It wasn't much, but don't look a gift horse in the mouth.",
    "Don't outstay your welcome.",
    'Constantine I is on this coin.',
    'The cattle roam across the plain.',
    'The events today were a repeat of those in May.',
    'The street where the President lives is always closed.',
    'Many of the deaf use sign language.',
    'Their cooperation with us was essential.',
  ],
  'set phrases': [
    "The marksman gets two bull's-eyes.",
    'She is the first woman in this office since 1990.',
    'They made it last for years.',
    'What island were you on?',
    'On page 3 “informations” should be “information”.',
    'Can you send it today so I have time to read it?',
    'I would stay, were I you.',
    'It is a right of one people to choose.',
    'How long will the battery last?',
    'The owners have right, title and interest in the land.',
    'Prices fell, a reduction from 10 % to 5 %.',
    'I suggest that this give way to a new plan.',
    'The branches moved to and fro.',
    'It led to the re-establishment of the school.',
    'They answered my letter pro forma.',
    'It was a red traffic light.',
    "Aren't there more of them?",
    'Only the weak, the old and the sick stayed.',
    'We met in the middle of May.',
    'He must weigh more than twenty stone.',
  ],
  'articles by sound': ['It was a unanimous decision.', 'An unidentified man left.', 'That is an onerous task.'],
  'adverbs and places': [
    'We want to work first.',
    'They listen every day.',
    'The comma belongs at the end.',
    'It has proved useful.',
  ],
  'questions that are fragments or clauses': [
    'Where you live is where you vote?',
    'Where the hell is the train?',
    'Why the price increases?',
    'How come you never call?',
  ],
  'words that are no verb of their sentence': [
    'A ship run by pirates arrived.',
    'A tech lead on the team also acts as a mentor.',
    'This effected a change in policy.',
    'The dice were cast.',
  ],
  'words said twice on purpose': ['I really really want to see it.', 'They found W. W. Sawyer in the library.'],
};

for (const [kind, texts] of Object.entries(RIGHT)) {
  describe(`left as it is: ${kind}`, () => {
    for (const text of texts) {
      test(text, async () => {
        const { edits } = await check(text, /colour|theatre/.test(text) ? 'british' : 'american', { inferred: true });
        assert.equal(applyEdits(text, edits), text);
      });
    }
  });
}

test('a sentence is corrected each time it stands in a text', async () => {
  const sentence = 'They was late again.';
  const text = `${sentence} We waited. ${sentence} We left. ${sentence}`;
  const { edits } = await check(text, 'american');
  assert.equal(applyEdits(text, edits), text.replaceAll('was', 'were'));
});

test('it is sure that nothing is wrong only when nothing was found that it left', async () => {
  assert.equal((await check('The meeting starts at nine, and lunch is at noon.', 'american')).sure, true);
  const { edits, sure } = await check('The meeting starts at nine in the zqoorhim.', 'american');
  assert.deepEqual([edits.length, sure], [0, false]);
});
