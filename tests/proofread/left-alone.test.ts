import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { check } from '../../src/behaviors/proofread/check.ts';
import { applyEdits } from '../../src/behaviors/proofread/edits.ts';

/** Correct sentences, by what earlier versions wrongly corrected. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
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
