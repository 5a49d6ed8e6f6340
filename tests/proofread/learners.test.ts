import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '../../src/behaviors/proofread/edits.ts';
import { check } from '../harness/proofread-pool.ts';

/** Sentences by learners and in haste with a careful editor's corrections, and right ones that look like them. */
const CORRECTED: Readonly<Record<string, readonly (readonly [faulty: string, right: string])[]>> = {
  'an adverb by its ending, and slips that are equally near to two words': [
    ['I finaly got the answer.', 'I finally got the answer.'],
    ['It is basicly done, and it rarly fails.', 'It is basically done, and it rarely fails.'],
    ['Sorry for the late awnser.', 'Sorry for the late answer.'],
    ["I didn't believed her.", "I didn't believe her."],
    ['Dont forget it.', "Don't forget it."],
    ['Whats your lowest price?', "What's your lowest price?"],
  ],
  'words that no other fits, and plurals that are possessives': [
    ['Thank you very much for you mail of last Monday.', 'Thank you very much for your mail of last Monday.'],
    ['I hardly never eat meat.', 'I hardly ever eat meat.'],
    ['We past the church on our way.', 'We passed the church on our way.'],
    ['We stayed in a quite village near the coast.', 'We stayed in a quiet village near the coast.'],
    ['The principle of our school retired.', 'The principal of our school retired.'],
    ["I didn't except such a long answer.", "I didn't expect such a long answer."],
    ['The mens room is on the left.', "The men's room is on the left."],
    ['Five mans came to repair the roof.', 'Five men came to repair the roof.'],
    ['The trip has been cancel because of the storm.', 'The trip has been canceled because of the storm.'],
    ['These book belongs to the school.', 'These books belong to the school.'],
  ],
  'the base form where none but that can follow': [
    ['Maybe we can going next week.', 'Maybe we can go next week.'],
    ['I am happy to helping you.', 'I am happy to help you.'],
    ['It is easy to cleaning.', 'It is easy to clean.'],
    ["Don't hesitate contact us.", "Don't hesitate to contact us."],
    ['The meeting will be take place on Monday.', 'The meeting will take place on Monday.'],
    ['It must be install on the server.', 'It must be installed on the server.'],
  ],
  'states and conditions': [
    ['The breakfast was consisting of bread.', 'The breakfast consisted of bread.'],
    ['If I was rich, I will travel around the world.', 'If I was rich, I would travel around the world.'],
    ['If I would have more time, I will learn it.', 'If I had more time, I would learn it.'],
    ['If you will have any questions, call us.', 'If you have any questions, call us.'],
    ['When I was a child, I use to play here.', 'When I was a child, I used to play here.'],
  ],
  'several where several are meant': [
    ['There are more job in the city.', 'There are more jobs in the city.'],
    ['I need to read more book.', 'I need to read more books.'],
    ['I want to meet people from others countries.', 'I want to meet people from other countries.'],
    ['We take it three time a day.', 'We take it three times a day.'],
    ['She was five year old.', 'She was five years old.'],
  ],
  'the verb of one thing, and of several people': [
    ['The battery last all day.', 'The battery lasts all day.'],
    ['The app crash with an error.', 'The app crashes with an error.'],
    ['He always leave everything on the table.', 'He always leaves everything on the table.'],
    ['I think technology make our life easier.', 'I think technology makes our life easier.'],
    ['There are many reasons why people learns a language.', 'There are many reasons why people learn a language.'],
  ],
  'what is to come, not what was': [
    ['We will met on Friday.', 'We will meet on Friday.'],
    ['They will went home soon.', 'They will go home soon.'],
  ],
  'the second of two negations, and one day of many': [
    ["She doesn't like coffee neither.", "She doesn't like coffee either."],
    ["I don't know the answer neither, so ask Tom.", "I don't know the answer either, so ask Tom."],
    ['I go to the gym every mondays.', 'I go to the gym every Monday.'],
  ],
  'what learners say word by word': [
    ['I come from the Egypt.', 'I come from Egypt.'],
    ['The machine who I bought is broken.', 'The machine that I bought is broken.'],
    ['The flat what you offer is nice.', 'The flat that you offer is nice.'],
    ['Is possible to visit the flat?', 'Is it possible to visit the flat?'],
    ['Is important to know it.', 'It is important to know it.'],
    ['According the article, it is good.', 'According to the article, it is good.'],
    ['I am writing to apply to the position of a cook.', 'I am writing to apply for the position of a cook.'],
    ['I have 5 years experience in sales.', "I have 5 years' experience in sales."],
    ['In nowadays we have phones.', 'Nowadays, we have phones.'],
    ['My brother loosed his phone.', 'My brother lost his phone.'],
    ['She was busy whit her exams.', 'She was busy with her exams.'],
    ['The children were very exciting about the trip.', 'The children were very excited about the trip.'],
  ],
  'verbs that have one subject, or follow a helping verb': [
    ['They always say hello and invites you for tea.', 'They always say hello and invite you for tea.'],
    ['Both of them likes to read.', 'Both of them like to read.'],
    ['I have been waited for your answer.', 'I have been waiting for your answer.'],
    ['I should have study more.', 'I should have studied more.'],
    ['I would like complain about the service.', 'I would like to complain about the service.'],
    ['Please informs me about it.', 'Please inform me about it.'],
    ['Which one do you prefers?', 'Which one do you prefer?'],
    ['The car need to be repaired.', 'The car needs to be repaired.'],
    ['It says that the shop open at 9.', 'It says that the shop opens at 9.'],
    ['Last night I have watched a film.', 'Last night I watched a film.'],
  ],
  'a word that is near': [
    ['Could you please to inform Mr. Brown?', 'Could you please inform Mr. Brown?'],
    ['My sister is work as a teacher.', 'My sister is working as a teacher.'],
    ['I work like a teacher in a primary school.', 'I work as a teacher in a primary school.'],
    ["I don't found it.", "I don't find it."],
    ["Thank you for you're understanding.", 'Thank you for your understanding.'],
    ['An other reason is the price.', 'Another reason is the price.'],
    ['The shoes are very comfortables.', 'The shoes are very comfortable.'],
    ['He learns it by watch films.', 'He learns it by watching films.'],
    ['The feature allows users to uploads the files.', 'The feature allows users to upload the files.'],
    ['I used to played tennis.', 'I used to play tennis.'],
    ['Please let me knows if it is fine.', 'Please let me know if it is fine.'],
    ['He has be ill for a week.', 'He has been ill for a week.'],
    ['Thanks for you quick reply.', 'Thanks for your quick reply.'],
    ['The new version fix several bugs.', 'The new version fixes several bugs.'],
    ['A education is the key to success.', 'An education is the key to success.'],
    ['My dream is become a pilot.', 'My dream is to become a pilot.'],
    ['I can work in team.', 'I can work in a team.'],
    ['We had many fun at the party.', 'We had a lot of fun at the party.'],
    ['Some agree, while other disagree.', 'Some agree, while others disagree.'],
    ['I would like to introduce me.', 'I would like to introduce myself.'],
    ['The train was late, what means that I was late.', 'The train was late, which means that I was late.'],
    ['Can you tell me who are responsible for it?', 'Can you tell me who is responsible for it?'],
    ['There is a few things to do.', 'There are a few things to do.'],
    ['I was borned in 1990.', 'I was born in 1990.'],
    ['How long time does it take to get there?', 'How long does it take to get there?'],
    ['We need it, and the set contain everything you need.', 'We need it, and the set contains everything you need.'],
    ['All room has free wifi.', 'All rooms have free wifi.'],
  ],
  'what is said in other words': [
    ['I am student of computer science.', 'I am a student of computer science.'],
    ['I have 32 years old.', 'I am 32 years old.'],
    ['I go to work with bus.', 'I go to work by bus.'],
    ['She spends too many time in front of the screen.', 'She spends too much time in front of the screen.'],
    ['There are many kind of dishes.', 'There are many kinds of dishes.'],
    ['I recommend it to all peoples who love action.', 'I recommend it to all people who love action.'],
    ['Her sister is more smart than her.', 'Her sister is smarter than her.'],
    ['I hope you doing well.', 'I hope you are doing well.'],
    ['Hi mate, hows it going?', "Hi mate, how's it going?"],
    ['Me name is Olga.', 'My name is Olga.'],
    ['Can you tell me where is the other one?', 'Can you tell me where the other one is?'],
    ["You're order will be shipped.", 'Your order will be shipped.'],
  ],
};

const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'a dialect': [
    "He don't know nothing 'bout that, y'all.",
    '“You was never one for books,” Gran said. “Ain’t that right, our Billy?”',
    '“Aye,” he said. “I weren’t.”',
  ],
  'two nouns that look like a noun and its verb': [
    'The auto restart feature restarts the server.',
    'The crash report opens at once.',
    'The auto restart is off.',
    'The work order needs a signature.',
    'The start screen looks good.',
  ],
  'a gerund behind a modal or “to” that belongs elsewhere': [
    'I read as much as I can using the free time I have.',
    'She is committed to helping others, and close to finishing.',
    'We are used to changing trains.',
    "She's used to heat. He used to be used to it.",
    'I did what I could helping them.',
  ],
  'one of a kind, or an amount': [
    'There is more room in the car than I thought.',
    'There are no more than two.',
    'Some people like tea and others coffee.',
    'I have enough work for today.',
    'The five-year-old boy is my nephew.',
  ],
  'who and what, where they are right': [
    'The man in the car who waved is my uncle.',
    'He told the hotel what he needed.',
    'I asked the school who I should talk to.',
  ],
  'the article of a name that has one': [
    'She is from the Netherlands and works in the Germany of today.',
    'We left the China team behind.',
  ],
  'neither that begins a clause': ["I don't smoke, and neither does she.", "I can't swim. Neither can he."],
  'conditions that may be real': [
    'If I was wrong, I will apologize.',
    'If you will have me, I am yours.',
    'This is the tool I use to edit photos.',
  ],
  'a phrase in conversation': ['In casual conversation, people say it.', 'Not a whit of it is true.'],
  'your right, and every one': [
    'Your right of withdrawal ends after 14 days.',
    'Each of us has a key, and every one of them fits.',
  ],
  'verbs with subjects of their own': [
    'We like the man who cooks and cleans our house.',
    'They know who cooks and cleans the house.',
    'He must have lunch with us, and may have cause to.',
    'I would like work that pays and help that counts.',
  ],
  'nouns behind “have” and “would like”': [
    'They could have help, and she would like help with it.',
    'He might have work to do.',
  ],
  'what a council does, and a wish': [
    'The council have approved the plans.',
    'Would that it were so!',
    'They came too the next day.',
    'The rent is due of course. They spent money for years.',
    'All peoples have rights.',
    'She is a costumer at the opera. Other wise men came.',
    'He works like a designer possessed.',
    'Although is a conjunction.',
    'She works in team sports, and he works in shop fitting.',
    'We had many fun days. So, what means the most to you?',
    'They want to introduce me to the team.',
    'A cache need not validate what it holds, and it need not be fresh.',
    'We have had it up to here.',
    'All theory is gray, and all trade is barter.',
  ],
  'peoples, and kinds': ['The peoples of Africa speak many languages.', 'There is more heavy rain this year.'],
  'a phrase that goes on behind a link': ['For example error messages can be red.'],
};

for (const [name, pairs] of Object.entries(CORRECTED)) {
  describe(name, () => {
    for (const [faulty, right] of pairs) {
      test(faulty, async () => {
        const { edits } = await check(faulty, 'american');
        assert.equal(applyEdits(faulty, edits), right, JSON.stringify(edits));
      });
    }
  });
}

for (const [name, texts] of Object.entries(RIGHT)) {
  describe(`left alone: ${name}`, () => {
    for (const text of texts) {
      test(text, async () => {
        assert.deepEqual((await check(text, 'american')).edits, []);
      });
    }
  });
}
