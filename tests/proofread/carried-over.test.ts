import { type Corrected, type Right, testSentences } from '../harness/sentences.ts';

/** What writers carry over from other languages and from speech, with an editor's corrections, and right text like it. */
const CORRECTED: Corrected = {
  'words that go together': [
    ['I am having five years of experience.', 'I have five years of experience.'],
    ['Please let know me if you come.', 'Please let me know if you come.'],
    ['Our company was found in 1998.', 'Our company was founded in 1998.'],
    ['The sales increased in 12 % last year.', 'The sales increased by 12 % last year.'],
    ['We waited during one hour and left.', 'We waited for one hour and left.'],
    ['The only think I miss is the sea.', 'The only thing I miss is the sea.'],
    ['The service was terrible slow.', 'The service was terribly slow.'],
    ['You should be able work alone.', 'You should be able to work alone.'],
    ['When I was child, I lived in Spain.', 'When I was a child, I lived in Spain.'],
    ['I never had such problem.', 'I never had such a problem.'],
    ['I work as project manager.', 'I work as a project manager.'],
    ['He is the most tall boy in our class.', 'He is the tallest boy in our class.'],
    ['Please send me the file until tonight.', 'Please send me the file by tonight.'],
    ['We made a photo of the lake.', 'We took a photo of the lake.'],
  ],
  'the articles of places and degrees': [
    ['I went in bank to open an account.', 'I went in the bank to open an account.'],
    ['I have worked two years in bank.', 'I have worked two years in a bank.'],
    ["Don't forget to pick me up at airport!", "Don't forget to pick me up at the airport!"],
    ["She came with Master's degree in biology.", "She came with a Master's degree in biology."],
  ],
  'its and this': [
    ['Its perfect for breakfast.', "It's perfect for breakfast."],
    ['Now its Friday and nothing came.', "Now it's Friday and nothing came."],
    ['I like this ones.', 'I like these ones.'],
    ['Delete the old one and only use this ones.', 'Delete the old one and only use this one.'],
    ['Hi Tom,\nthats why I ask.', "Hi Tom,\nthat's why I ask."],
  ],
  'the past of several verbs': [
    ['We sat down, drank coffee and talk about the trip.', 'We sat down, drank coffee and talked about the trip.'],
    ['Yesterday we missed the bus, so we walk home.', 'Yesterday we missed the bus, so we walked home.'],
    [
      'It was raining all day, so we stay in the hotel and play cards.',
      'It was raining all day, so we stayed in the hotel and played cards.',
    ],
    ['We waited an hour and the waiter forget our drinks.', 'We waited an hour and the waiter forgot our drinks.'],
    ['He had spend all his money.', 'He had spent all his money.'],
    ['I missed the train and had spend the night there.', 'I missed the train and had to spend the night there.'],
    ['I have already call the number.', 'I have already called the number.'],
    ['This is the third time I write to you.', 'This is the third time I have written to you.'],
    ['Since then I work here.', 'Since then I have worked here.'],
  ],
  'verbs and their subjects': [
    ["Nobody don't know the answer.", 'Nobody knows the answer.'],
    ['We need a material that keep the heat inside.', 'We need a material that keeps the heat inside.'],
    ['The error rate decrease when the cache is warm.', 'The error rate decreases when the cache is warm.'],
    ['My older brother work in a garage.', 'My older brother works in a garage.'],
    [
      'My father teach history and my mother teach biology.',
      'My father teaches history and my mother teaches biology.',
    ],
    ['The hotel is nice and have a pool.', 'The hotel is nice and has a pool.'],
    ['Both the API and the web client needs tests.', 'Both the API and the web client need tests.'],
    ['Nobody from our team were available.', 'Nobody from our team was available.'],
    ['Almost half of the guests was late.', 'Almost half of the guests were late.'],
    ['After the installation have finished, restart it.', 'After the installation has finished, restart it.'],
    ['If something urgent happen, call me.', 'If something urgent happens, call me.'],
    ['Can you explain why the test fail?', 'Can you explain why the test fails?'],
    ["It came late and the left side don't work.", "It came late and the left side doesn't work."],
    ['Who have to pay for it?', 'Who has to pay for it?'],
  ],
  'the form of a verb': [
    ['I am sorry for not come yesterday.', 'I am sorry for not coming yesterday.'],
    ['I am afraid of speak in front of people.', 'I am afraid of speaking in front of people.'],
    ['Children should not using phones there.', 'Children should not use phones there.'],
    ['Can you helping me, please?', 'Can you help me, please?'],
    ['Could someone from the office takes a look?', 'Could someone from the office take a look?'],
    ['I want you to refunds me the money.', 'I want you to refund me the money.'],
    ['The goal of this report is present the results.', 'The goal of this report is to present the results.'],
    ['Breakfast is include in the price.', 'Breakfast is included in the price.'],
    ["We don't needs it.", "We don't need it."],
    ['Please be inform that we are closed.', 'Please be informed that we are closed.'],
  ],
  'a clause that “however” begins': [
    ['Everybody likes it, however I think it is dull.', 'Everybody likes it; however, I think it is dull.'],
  ],
};

const RIGHT: Right = {
  'of a kind, and a will': [
    'This was of great consequence for the city.',
    'It proved of little value.',
    'An unbending will to dominate drove him.',
    'He pushed with all his might to open it.',
  ],
  'two subjects behind a verb': [
    'I think my brother and my sister work in a garage.',
    'It is late because my brother and my sister work there.',
    'He said the cat and the dog chase the mouse.',
    'At my age, you and your partner are each a help.',
    'He felt his lips thicken and his mind go slack.',
  ],
  'what is now, behind what was': [
    'I changed my diet, and I eat better now.',
    'We were poor, so I know what hunger is.',
    'Last year we moved here, and we love it.',
  ],
  'however in its clause': [
    'When, however, it became clear, we left.',
    'After the coast led nowhere, however, he turned north.',
    'The victory, however it was won, would be sweet.',
  ],
  'idioms without an article': [
    'We went from bank to bank.',
    'She lives in town and works at home.',
    'They shall pay such person as they name.',
  ],
  'deadlines and times': [
    'Please wait until Friday.',
    'You can return it until the end comes.',
    'It happened during one week of May.',
    'Nobody doubted it, and everyone was glad.',
  ],
  'you, behind another verb': ['The only way I could beat you was to wait.'],
  'a will, and a way of building': ['He has work to do. It is the most high-tech equipment.'],
};

testSentences(CORRECTED, RIGHT);
