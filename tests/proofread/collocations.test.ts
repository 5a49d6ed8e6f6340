import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '../../src/behaviors/proofread/edits.ts';
import { check } from '../harness/proofread-pool.ts';

/** Sentences by learners with a careful editor's corrections, and right ones that look like them. */
const CORRECTED: Readonly<Record<string, readonly (readonly [faulty: string, right: string])[]>> = {
  'words that go together': [
    ["Let's make a photo.", "Let's take a photo."],
    ['I lost the bus this morning.', 'I missed the bus this morning.'],
    ['I did a party for my birthday.', 'I had a party for my birthday.'],
    ['I waited the bus for an hour.', 'I waited for the bus for an hour.'],
    ['By the moment, I have no time.', 'At the moment, I have no time.'],
    ["The shop opens on 9 o'clock.", "The shop opens at 9 o'clock."],
    ['We can discuss this on the next meeting.', 'We can discuss this in the next meeting.'],
    ['I prefer coffee then tea.', 'I prefer coffee to tea.'],
    ['I want to loose wait before summer.', 'I want to lose weight before summer.'],
    ['How do you call this in English?', 'What do you call this in English?'],
  ],
  'what is counted and what is not': [
    ['I have two luggages.', 'I have two pieces of luggage.'],
    ['There are a lot of informations.', 'There is a lot of information.'],
    ['There is less people today.', 'There are fewer people today.'],
    ['Few water is left.', 'Little water is left.'],
    ['It requires large amount of data.', 'It requires large amounts of data.'],
    ['We offers a wide range of product.', 'We offer a wide range of products.'],
    ['One of my friend lives in Paris.', 'One of my friends lives in Paris.'],
    ['I bought new car last week.', 'I bought a new car last week.'],
    ['The news are bad.', 'The news is bad.'],
  ],
  'one and several': [
    ['Children who reads daily perform better.', 'Children who read daily perform better.'],
    ['All our products is made by hand.', 'All our products are made by hand.'],
    ['More and more people is moving to cities.', 'More and more people are moving to cities.'],
    ['Studies have shown that this effect exist.', 'Studies have shown that this effect exists.'],
    ['Neither John nor Mary are here.', 'Neither John nor Mary is here.'],
    ['You can track your expenses and saves money.', 'You can track your expenses and save money.'],
  ],
  'subjects that are missing, or named twice': [
    ['Is a nice place.', 'It is a nice place.'],
    ['Are many shops in the street.', 'There are many shops in the street.'],
    ['Make sure that have installed Node.', 'Make sure that you have installed Node.'],
    ['The waiter he was very rude.', 'The waiter was very rude.'],
    ['I writing to ask about the room.', 'I am writing to ask about the room.'],
    ['I think him and his boss have been arguing.', 'I think he and his boss have been arguing.'],
  ],
  'the order of words': [
    ['I like very much the music.', 'I like the music very much.'],
    ['He speaks very well English.', 'He speaks English very well.'],
    ['I would like to know how much does it cost.', 'I would like to know how much it costs.'],
    ['Do you can help me?', 'Can you help me?'],
  ],
  'articles that are missing, or too many': [
    ['I have problem with my computer.', 'I have a problem with my computer.'],
    ['I would like to book table for two.', 'I would like to book a table for two.'],
    ['I am looking for job in Berlin.', 'I am looking for a job in Berlin.'],
    ['In evening we watched TV.', 'In the evening we watched TV.'],
    ['It was first time I saw him.', 'It was the first time I saw him.'],
    ['What is purpose of this tool?', 'What is the purpose of this tool?'],
    ['The price is same.', 'The price is the same.'],
    ['I come from Netherlands.', 'I come from the Netherlands.'],
    ['I have an USB stick and an MBA, and it is a API.', 'I have a USB stick and an MBA, and it is an API.'],
    ['I have a good news.', 'I have good news.'],
    ['The life is hard.', 'Life is hard.'],
    ['He is the one of my best friends.', 'He is one of my best friends.'],
    ['All of students passed.', 'All students passed.'],
  ],
  'forms in -ing': [
    ['Thank you for help me.', 'Thank you for helping me.'],
    ['Without to say a word, he left.', 'Without saying a word, he left.'],
    ['Instead of go home, he stayed.', 'Instead of going home, he stayed.'],
    ['I spent two hours to clean.', 'I spent two hours cleaning.'],
    ['Would you mind to open the door?', 'Would you mind opening the door?'],
    ['I used to living there.', 'I used to live there.'],
  ],
  'what happened, and what may': [
    ['When we arrived, the shop is closed.', 'When we arrived, the shop was closed.'],
    ['While I was walking home, I see an accident.', 'While I was walking home, I saw an accident.'],
    ['I have finished it two hours ago.', 'I finished it two hours ago.'],
    ['If I had money, I will buy it.', 'If I had money, I would buy it.'],
    ['When I will have time, I call you.', 'When I have time, I call you.'],
  ],
  'the verb behind a relative clause': [
    ['The students who failed has to repeat the test.', 'The students who failed have to repeat the test.'],
    ['The man who lives next door are a doctor.', 'The man who lives next door is a doctor.'],
    ['Children who read daily performs better at school.', 'Children who read daily perform better at school.'],
    ['A lot of people thinks so.', 'A lot of people think so.'],
  ],
  'letters, reports and reviews': [
    ['I speak fluently English and little bit of German.', 'I speak English fluently and a little bit of German.'],
    ['We apologize for any inconveniences this may causes.', 'We apologize for any inconvenience this may cause.'],
    ['The proposed approach have three advantages.', 'The proposed approach has three advantages.'],
    ['Table 2 show that it works.', 'Table 2 shows that it works.'],
    ['It contains 10000 image of cats.', 'It contains 10000 images of cats.'],
    ["After the update the login button don't react.", "After the update the login button doesn't react."],
    ['I reinstalled the app, but the problem still exist.', 'I reinstalled the app, but the problem still exists.'],
    [
      'In the nowadays society, technology play an important role.',
      "In today's society, technology plays an important role.",
    ],
    ['Many young people spends too much time online.', 'Many young people spend too much time online.'],
    ['It is ideal for everybody who love hiking.', 'It is ideal for everybody who loves hiking.'],
    [
      'If it does not fit to your needs, send it back inside 30 days.',
      'If it does not fit your needs, send it back within 30 days.',
    ],
    ['This is due to the fact, that it is new.', 'This is due to the fact that it is new.'],
    ['My friend she lost her wallet.', 'My friend lost her wallet.'],
    ['My car is broke.', 'My car is broken.'],
  ],
  'verbs in their form': [
    ['I have went to London last year.', 'I went to London last year.'],
    ['It is raining since morning.', 'It has been raining since morning.'],
    ['I came here for learn English.', 'I came here to learn English.'],
    ['I suggest you to try it.', 'I suggest you try it.'],
    ['I have tried restart it.', 'I have tried to restart it.'],
    ['My hobbies are reading and to play football.', 'My hobbies are reading and playing football.'],
    ['If you had any questions, just reply to this message.', 'If you have any questions, just reply to this message.'],
    ['Because of it rained, we stayed home.', 'Because it rained, we stayed home.'],
  ],
  'apostrophes and what sounds alike': [
    ["Send me you're slides before noon.", 'Send me your slides before noon.'],
    ["It's compact design fits in every room.", 'Its compact design fits in every room.'],
    ['Its lightweight and easy to carry.', "It's lightweight and easy to carry."],
    ['Whos turn is it to cook?', 'Whose turn is it to cook?'],
    ['The childrens toys were everywhere.', "The children's toys were everywhere."],
    ["Their car is bigger than our's.", 'Their car is bigger than ours.'],
    ['We stayed their for a week.', 'We stayed there for a week.'],
    ['Weather or not you like it, we have to go.', 'Whether or not you like it, we have to go.'],
    ['It affected their moral.', 'It affected their morale.'],
  ],
};

const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'what looks like one of them': [
    'He made a break from journalism.',
    'A child born in 1998 may live to see it.',
    'There were a lot of health related professionals.',
    'You going to marry the king?',
    'It would surprise many people that we so rarely see it.',
    'How many people has she employed?',
    'Is a new car expensive?',
    'How do you call this function from another file?',
    'She likes her work very much.',
    'It is a question of morals.',
    'Neither he nor his brothers are here.',
    'We lost the bus company a contract.',
    'They make room for it by the open window.',
    'Bird flu was confirmed in UK hospitals.',
    'On one hand, it is cheap.',
    'It shows no impact at all of human activities.',
    'I had pizza for lunch.',
    "The colors of the button don't match.",
    "Though those asking this question don't realize it, it is rhetorical.",
    'In 1998 image of the company suffered.',
    'He is 24 years and 3 months old.',
    'A little bit of sugar helps.',
    'The man who says dogs are nice is here.',
    'They tried instead to explain how it feels like home.',
    'The markings consist of a circle.',
    'We spent much time to have it translated.',
  ],
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
