import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyEdits } from '../../src/behaviors/proofread/edits.ts';
import { check } from '../harness/threads.ts';

/** Learners' sentences and a careful editor's corrections, by kind of mistake. */
const CORRECTED: Readonly<Record<string, readonly (readonly [faulty: string, right: string])[]>> = {
  'a plural where several are meant, a singular where one is': [
    ['I saw three cat on the roof.', 'I saw three cats on the roof.'],
    ['There are many problem with this plan.', 'There are many problems with this plan.'],
    ['She has several reason to stay.', 'She has several reasons to stay.'],
    ['He goes there every days.', 'He goes there every day.'],
    ['We need a lot of car for the trip.', 'We need a lot of cars for the trip.'],
    ['This is one of the best movie of the year.', 'This is one of the best movies of the year.'],
    ['These book are mine.', 'These books are mine.'],
    ['I want to visit another countries.', 'I want to visit another country.'],
  ],
  'the article by the sound of what follows, also where a word begins like a preposition': [
    ['We have a office in London.', 'We have an office in London.'],
    ['That is a interesting idea.', 'That is an interesting idea.'],
    ['She is a only child.', 'She is an only child.'],
    ['He lives on a island.', 'He lives on an island.'],
    ['It was a accident on a old road.', 'It was an accident on an old road.'],
  ],
  'the ending of a number in order': [
    ['We meet on the 3th of May and the 22th of June.', 'We meet on the 3rd of May and the 22nd of June.'],
    ['It was her 112nd visit, on the 11th floor.', 'It was her 112th visit, on the 11th floor.'],
  ],
  '“than” behind what is compared by its number': [
    ['There were fewer mistakes then last time.', 'There were fewer mistakes than last time.'],
  ],
  'the verb after a pronoun and a name': [['Me and Sara was too busy.', 'Me and Sara were too busy.']],
  'nouns that are not counted': [
    ['He gave me many informations about the city.', 'He gave me much information about the city.'],
    ['She asked for an advice.', 'She asked for advice.'],
    ['We bought new furnitures.', 'We bought new furniture.'],
  ],
  'plurals with a form of their own': [
    ['The childs are playing outside.', 'The children are playing outside.'],
    ['Many peoples live in this town.', 'Many people live in this town.'],
  ],
  'fewer and many for what is counted': [
    ['Less people came this year.', 'Fewer people came this year.'],
    ['How much books did you read?', 'How many books did you read?'],
  ],
  'the verb agrees with its subject, near or distant': [
    ['She go to school by bus.', 'She goes to school by bus.'],
    ["He don't like coffee.", "He doesn't like coffee."],
    ['They was late again.', 'They were late again.'],
    ['The list of items are on the table.', 'The list of items is on the table.'],
    ['People thinks that money is everything.', 'People think that money is everything.'],
    ['Everyone are happy today.', 'Everyone is happy today.'],
    ['There is many reasons for that.', 'There are many reasons for that.'],
    ['I know a man who have two dogs.', 'I know a man who has two dogs.'],
    ['The boys was tired after the game.', 'The boys were tired after the game.'],
    ['It depend on the weather.', 'It depends on the weather.'],
  ],
  'a verb that is a noun as well, behind its subject': [
    ['The function return a list.', 'The function returns a list.'],
    ['This study aim to show the effect of sleep.', 'This study aims to show the effect of sleep.'],
    ['Section 3 describe the model.', 'Section 3 describes the model.'],
    ['The house, which was built in 1920, have a garden.', 'The house, which was built in 1920, has a garden.'],
    ['The jacket is made of wool and protect you from wind.', 'The jacket is made of wool and protects you from wind.'],
  ],
  'what learners say word by word': [
    ['She suggested me to see a doctor.', 'She suggested that I see a doctor.'],
    ['It is only five minutes by walk from the beach.', 'It is only five minutes on foot from the beach.'],
    ['The plan was approved by large margin.', 'The plan was approved by a large margin.'],
    ['Prices have raised by 12 % since May.', 'Prices have risen by 12 % since May.'],
    ['I agree, but its depend on the price.', 'I agree, but it depends on the price.'],
    ['I hope to meet you personal.', 'I hope to meet you in person.'],
    ['He was sit in an armchair.', 'He was sitting in an armchair.'],
    ['The office will be close on Monday.', 'The office will be closed on Monday.'],
    ['I wont by from this shop again.', "I won't buy from this shop again."],
    ['Wheres the link?', "Where's the link?"],
    ['The weather is to hot today.', 'The weather is too hot today.'],
    ['We need a method for detect errors early.', 'We need a method for detecting errors early.'],
  ],
  'verb forms': [
    ['She wants to goes home.', 'She wants to go home.'],
    ['He can speaks three languages.', 'He can speak three languages.'],
    ["I didn't went to the party.", "I didn't go to the party."],
    ['She has went to Paris.', 'She has gone to Paris.'],
    ['I am agree with you.', 'I agree with you.'],
    ['He could of told me.', 'He could have told me.'],
    ['You should to see a doctor.', 'You should see a doctor.'],
    ['I want buy a new phone.', 'I want to buy a new phone.'],
    ['I enjoy to play football.', 'I enjoy playing football.'],
    ['He left without say a word.', 'He left without saying a word.'],
    ['It makes me to feel better.', 'It makes me feel better.'],
    ['We have to reduced our costs.', 'We have to reduce our costs.'],
    ['He teached me how to swim.', 'He taught me how to swim.'],
  ],
  'the verb agrees with a subject that other words set apart': [
    ['The number of visitors have grown.', 'The number of visitors has grown.'],
    ['Most of the older houses has a garden.', 'Most of the older houses have a garden.'],
    ['I know everyone who want a ticket.', 'I know everyone who wants a ticket.'],
  ],
  'verbs that "and" joins, and times that are over': [
    ['She closed the window and turn off the light.', 'She closed the window and turned off the light.'],
    ['We will prepare the room and sends you the key.', 'We will prepare the room and send you the key.'],
    ['Last winter we go to the coast.', 'Last winter we went to the coast.'],
  ],
  'participles after be and have': [
    ['The bridge was build in 1932.', 'The bridge was built in 1932.'],
    ['They have agree on a price.', 'They have agreed on a price.'],
  ],
  'apostrophes and pronouns': [
    ['Todays lesson is short.', "Today's lesson is short."],
    ['Between you and I, it is boring.', 'Between you and me, it is boring.'],
    ['The woman which has called is a doctor.', 'The woman who has called is a doctor.'],
  ],
  'the order of questions': [
    ['Where I can buy a ticket?', 'Where can I buy a ticket?'],
    ['He asked me where was the bank.', 'He asked me where the bank was.'],
  ],
  articles: [
    ['She is a engineer.', 'She is an engineer.'],
    ['It was an useful tool.', 'It was a useful tool.'],
    ['I have car and a bike.', 'I have a car and a bike.'],
    ['He became doctor after ten years.', 'He became a doctor after ten years.'],
    ['They will become an experts in their field.', 'They will become experts in their field.'],
    ['We live in same house.', 'We live in the same house.'],
    ['Tokyo is most beautiful city in Japan.', 'Tokyo is the most beautiful city in Japan.'],
  ],
  prepositions: [
    ['It depends of the weather.', 'It depends on the weather.'],
    ['We discussed about the problem.', 'We discussed the problem.'],
    ['He is married with a doctor.', 'He is married to a doctor.'],
    ['I have lived here since three years.', 'I have lived here for three years.'],
    ['She is interested on history.', 'She is interested in history.'],
    ['Despite of the rain, we went out.', 'Despite the rain, we went out.'],
    ['I listen music every day.', 'I listen to music every day.'],
    ['He explained me the rules.', 'He explained the rules to me.'],
    ['We met in Monday.', 'We met on Monday.'],
    ['I want to go to home.', 'I want to go home.'],
  ],
  'words taken for one another': [
    ['Your welcome.', "You're welcome."],
    ['The soup is to hot.', 'The soup is too hot.'],
    ['You ate to much.', 'You ate too much.'],
    ['Their is a problem with the door.', 'There is a problem with the door.'],
    ['They lost there keys.', 'They lost their keys.'],
    ['She is taller then me.', 'She is taller than me.'],
    ['Its a beautiful day.', "It's a beautiful day."],
    ["The dog wagged it's tail.", 'The dog wagged its tail.'],
    ['I am interesting in art.', 'I am interested in art.'],
  ],
  comparatives: [
    ['This one is more better.', 'This one is better.'],
    ['My car is more big than yours.', 'My car is bigger than yours.'],
  ],
  'double negatives': [
    ["I don't know nothing about it.", "I don't know anything about it."],
    ["We don't have no money.", "We don't have any money."],
  ],
  capitals: [
    ['the train was late.', 'The train was late.'],
    ['Yesterday i met an old friend.', 'Yesterday I met an old friend.'],
  ],
  commas: [
    ['However I still believe in you.', 'However, I still believe in you.'],
    ['If you want to go you can take my car.', 'If you want to go, you can take my car.'],
    ['It was late but we decided to stay for dinner.', 'It was late, but we decided to stay for dinner.'],
    ['For example we could walk to the station.', 'For example, we could walk to the station.'],
  ],
  'spaces around signs': [
    ['He came home ,and he went to bed.', 'He came home, and he went to bed.'],
    ['I like apples,pears and plums.', 'I like apples, pears and plums.'],
  ],
  'words written twice': [['He went to the the store.', 'He went to the store.']],
  'one conjunction for two clauses': [
    ['Although it was raining, but we went out.', 'Although it was raining, we went out.'],
  ],
  spelling: [
    ['I recieved your letter yesterday.', 'I received your letter yesterday.'],
    ['She definately wants to come.', 'She definitely wants to come.'],
    ['We will meet tommorow at noon.', 'We will meet tomorrow at noon.'],
    ['He has alot of freinds.', 'He has a lot of friends.'],
    ['I dont know waht you mean.', "I don't know what you mean."],
    ['You can not park here.', 'You cannot park here.'],
    ['He left befor noon.', 'He left before noon.'],
    ['My old adress, email and phone are below.', 'My old address, email and phone are below.'],
  ],
  'other wrong words': [
    ['I look forward to meet you.', 'I look forward to meeting you.'],
    ['Almost people like ice cream.', 'Most people like ice cream.'],
  ],
  'at the very beginning of a sentence': [
    ['I seen her at the market.', 'I saw her at the market.'],
    ['Lets go to the cinema tonight.', "Let's go to the cinema tonight."],
    ['Your the best cook I know.', "You're the best cook I know."],
    ['Tommorow I will call the bank.', 'Tomorrow I will call the bank.'],
    ['Peoples are afraid of storms.', 'People are afraid of storms.'],
  ],
  'a time that is over takes the past': [
    ['I thank you for the book we send you last month.', 'I thank you for the book we sent you last month.'],
    ['I have seen him yesterday.', 'I saw him yesterday.'],
    ['We were there two years ago and it rain every day.', 'We were there two years ago and it rained every day.'],
    ['The first time I visit the city, I got lost.', 'The first time I visited the city, I got lost.'],
    ['When I was a child, I play outside every day.', 'When I was a child, I played outside every day.'],
  ],
  'what goes on since a time takes the perfect': [
    ['I am living here since ten years.', 'I have been living here for ten years.'],
    ['She works here since 2015.', 'She has worked here since 2015.'],
    ['We were waiting since an hour.', 'We were waiting for an hour.'],
  ],
  'conditions and clauses of time': [
    ['If I would have more time, I would learn to sail.', 'If I had more time, I would learn to sail.'],
    ['If he would know it, he would be angry.', 'If he knew it, he would be angry.'],
    ['If she were here, she will help us.', 'If she were here, she would help us.'],
    ['I will call you when I will arrive.', 'I will call you when I arrive.'],
    ['Please lock the door before you will leave.', 'Please lock the door before you leave.'],
  ],
  'verbs that tell what happened with the rest of the text': [
    [
      'The guests were tired. The waiter come late and the soup was cold.',
      'The guests were tired. The waiter came late and the soup was cold.',
    ],
    ['Last night we went home early and watch a film.', 'Last night we went home early and watched a film.'],
  ],
  'two subjects, and someone of a group': [
    ['Me and my brother has the same teacher.', 'Me and my brother have the same teacher.'],
    ['My aunt and my uncle is coming tomorrow.', 'My aunt and my uncle are coming tomorrow.'],
    ['Everyone in the office were very kind.', 'Everyone in the office was very kind.'],
    ['Neither of them know the answer.', 'Neither of them knows the answer.'],
    ['The people who lives next door are noisy.', 'The people who live next door are noisy.'],
    ["The app is small and don't need an account.", "The app is small and doesn't need an account."],
    ['This cars is too expensive.', 'This car is too expensive.'],
    ['The agenda are full.', 'The agenda is full.'],
    ['This bacteria are dead.', 'These bacteria are dead.'],
  ],
  'what someone does now': [
    ['I am write to ask about the job.', 'I am writing to ask about the job.'],
    ['I am write because my order is late.', 'I am writing because my order is late.'],
    ['I am go to school.', 'I am going to school.'],
    ['She is cook dinner now.', 'She is cooking dinner now.'],
    ['We are wait for you.', 'We are waiting for you.'],
    ['The letter is write by Ann.', 'The letter is written by Ann.'],
  ],
  questions: [
    ['Where does your parents live?', 'Where do your parents live?'],
    ['Did your sister went to Rome?', 'Did your sister go to Rome?'],
    ["Why you didn't call me?", "Why didn't you call me?"],
    ['How much cost this ticket?', 'How much does this ticket cost?'],
    ['How much costs the room?', 'How much does the room cost?'],
    ['What means this word?', 'What does this word mean?'],
    ['Where you live?', 'Where do you live?'],
    ['What time the shop opens?', 'What time does the shop open?'],
    ['Why the train is late?', 'Why is the train late?'],
    ['When my order will arrive?', 'When will my order arrive?'],
    ['Where you went yesterday?', 'Where did you go yesterday?'],
    ['Why your parents lives here?', 'Why do your parents live here?'],
    ['Do you know who is she?', 'Do you know who she is?'],
    ['Can you tell me what time is it?', 'Can you tell me what time it is?'],
    ['Please explain to me how does the new printer work.', 'Please explain to me how the new printer works.'],
  ],
  adverbs: [
    ['She drives very careful.', 'She drives very carefully.'],
    ['He speaks English very good.', 'He speaks English very well.'],
    ['They work independent.', 'They work independently.'],
  ],
  'apostrophes that make no plural, and possessives': [
    ["All employee's must wear a badge.", 'All employees must wear a badge.'],
    ["I bought some apple's and pears.", 'I bought some apples and pears.'],
    ["Is this you're bag?", 'Is this your bag?'],
    ['Thanks for you help.', 'Thanks for your help.'],
  ],
  'verbs and what follows them': [
    ['I want that you help me.', 'I want you to help me.'],
    ['He said me that he was ill.', 'He told me that he was ill.'],
    ['We have been wait for an hour.', 'We have been waiting for an hour.'],
    ['It exists a new version of the form.', 'There is a new version of the form.'],
    ['The museum locates in the old town.', 'The museum is located in the old town.'],
    ['I would rather stay at home then go out.', 'I would rather stay at home than go out.'],
    ['He plays the football every week.', 'He plays football every week.'],
    ['She is a best student in her class.', 'She is the best student in her class.'],
  ],
  'a participle alone is no past': [
    ['They done it again.', 'They did it again.'],
    ['When we swum in the lake, it rained.', 'When we swam in the lake, it rained.'],
    ['He never spoken to us.', 'He never spoke to us.'],
  ],
  'words that are taken for others of their sort': [
    ['Can you borrow me your pen?', 'Can you lend me your pen?'],
    ['She told that she was tired.', 'She said that she was tired.'],
    ['Call me when your free.', "Call me when you're free."],
    ['We had no time too do it.', 'We had no time to do it.'],
    ['I wish I can stay longer.', 'I wish I could stay longer.'],
    ['This informations are important.', 'This information is important.'],
    ['Who want to come with us?', 'Who wants to come with us?'],
  ],
  'one and several of what is rarely named': [
    ['We would like one salads and two soups.', 'We would like one salad and two soups.'],
    ['The croissants is still warm.', 'The croissants are still warm.'],
    ['I always loose my keys.', 'I always lose my keys.'],
  ],
  'fixed phrases, which are looked for by their words': [
    ['The patient hurt her spinal chord.', 'The patient hurt her spinal cord.'],
    ['Without further adieu we begin.', 'Without further ado we begin.'],
    ['They ban together against us.', 'They band together against us.'],
    ['We go any where you like.', 'We go anywhere you like.'],
    ['He did it on the spurt of the moment.', 'He did it on the spur of the moment.'],
  ],
  'several mistakes in one sentence': [
    ["He have three brother and she don't knows them.", "He has three brothers and she doesn't know them."],
  ],
};

for (const [sort, sentences] of Object.entries(CORRECTED)) {
  describe(`mistakes are corrected: ${sort}`, () => {
    for (const [faulty, right] of sentences) {
      test(faulty, async () => {
        const { edits } = await check(faulty, 'american');
        assert.equal(applyEdits(faulty, edits), right);
        for (const { explanation } of edits) assert.match(explanation, /^[^?]+[.!]$/);
      });
    }
  });
}
