import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '@mailroom/english-instructions/planner/index';
import { makeTasks } from '@mailroom/english-instructions/tasks/index';
import { NOW } from '../../../english-instructions/tests/tasks/harness.ts';

const tasks = makeTasks({ sandbox_workers: 1, sandbox_queue: 10 });
/** The steps of a plan as text; undefined when something is asked. */
const stepsOf = (says: string): string | undefined => {
  const plan = planOf(says, { tasks, now: NOW, time_zone: 'UTC', max_steps: 50, before: false });
  return plan.kind === 'plan' ? JSON.stringify(plan.steps) : undefined;
};
const lines = (text: string): readonly string[] => text.trim().split('\n');

const TOLD_BEFORE = lines(`
I am doing my maths homework and I am not sure about one number.
We want to buy new chairs for the club room.
My nephew is in third grade and needs a hand.
There was a long discussion at the board meeting.
In our village there is a small museum.
As a nurse I have to be careful with such things.
Every year we organise a flea market.
Last night we talked about it at dinner.
Because of the storm our router is dead.
Marta from accounting sent me this.
The new trainee and I were wondering about this.
My friend Carla, who teaches physics, asked me this.
Somebody typed the notice at the reception.
It is for my daughter's school project.
These days everything happens on a screen.
I have no idea how to do it.
Cleaning up the cellar, I found my old school books.
One of the residents loves riddles.
The scout troop is collecting for new tents.
I wrote the report by hand and my eyes are tired.`);
const TOLD_BEHIND = lines(`
I need it for the stock sheet.
I have to type it into the time sheet.
My husband says he can do it in his head.
They are going to print it on a banner.
It will go on the notice board.
I just want to be sure.
Nobody in the kitchen could tell me.
That is what my daughter asked me.
I hope you can help me.
My sister works there and I do not want to wake her up.`);
const REQUESTS = lines(`
What is 12 to the power of 4?
How many ml are 2.4 liters?
How many days is it until 31 January 2027?
What day of the week is 17 February 2027?
How do I write 49 in binary?
Write 45,000 in words.
Please make this uppercase: all visitors must sign in
Replace all digits with x in: Bed 14, phone 2207
Can you sort these alphabetically: pear, apple, fig
Can you pick one at random: Ann, Bob, Cleo
Reverse the word "lantern".
Roll two dice.
Divide 960 by 7 and round to two decimals.
Please run this JavaScript: return 6*7`);
/** The same result, in whatever way it is written. */
const same = (steps = ''): string =>
  steps.replace(/"to":"(?:ml|mL|milliliters)"/, '"to":"ml"').replace(/"(?:roman numerals|Roman numerals)"/, '"roman"');

test('what is only told before a request changes nothing', () => {
  for (const request of REQUESTS) {
    const whole = stepsOf(request);
    assert.ok(whole !== undefined, request);
    for (const told of TOLD_BEFORE)
      for (const says of [`${told} ${request}`, `Hello,\n${told} ${request}\n\nKind regards\nTom Feld`])
        assert.equal(same(stepsOf(says)), same(whole), says);
  }
});

test('what is only told behind a request changes nothing', () => {
  for (const request of REQUESTS.filter((one) => /[.?]$/.test(one)))
    for (const told of TOLD_BEHIND) {
      const says = `${request} ${told}`;
      assert.equal(same(stepsOf(says)), same(stepsOf(request)), says);
    }
});

/** What is told and a request that it may change: a form, a limit, an exception, another request, a correction. */
const CHANGED = lines(`
The last one does not count. | Please add up 12, 40 and 7.5.
We only count the paid ones. | Please add up 12, 40 and 7.5.
Not the ones from May. | Please add up 12, 40 and 7.5.
The 40 was paid back. | Please add up 12, 40 and 7.5.
The minus signs are typos. | Please add up -12, 40 and 7.
There are duplicates in it. | Please add up 12, 40 and 12.
We got another 5 this morning. | Please add up 12, 40 and 7.
The 8 is wrong. | What is the average of 4, 8 and 9?
I made a mistake, the 8 should be 6. | What is the average of 4, 8 and 9?
The first two belong together. | What is the average of 4, 8 and 9?
I want to know the median too. | What is the average of 4, 8 and 9?
The median would be nice as well. | What is the average of 4, 8 and 9?
Bob cannot come. | Can you pick one at random: Ann, Bob, Cleo
Jonas left the club. | Can you pick one at random: Jonas, Sara, Ivo
Names with B are out. | Can you pick one at random: Ann, Bob, Cleo
I do not like figs. | Can you sort these alphabetically: pear, apple, fig
Capitals come first. | Sort these lines: wood, iron, clay
The name tags need capitals. | Sort these alphabetically: ann, bob, cleo
The fox is gone. | Count the words: the quick brown fox
I hate the word fox. | Count the words: the quick brown fox
The lines are separated by semicolons. | Count the lines: a; b; c
Spaces count too. | How many characters does "hello you" have?
The system needs it URL safe. | Encode "hello you" in base64.
We are closed on Mondays. | How many days are there from 8 January 2027 to 19 March 2027?
We do not work on holidays. | How many days are there from 8 January 2027 to 19 March 2027?
I mean nights. | How many days are there from 8 January 2027 to 19 March 2027?
Our week starts on Sunday. | Which week number is 8 March 2027?
We use American week numbers. | Which week number is 8 March 2027?
We meet on 3 May. | How long is it until then?
I live in the UK. | How many liters are 3 gallons?
Our cups are big. | How many ml are 2 cups?
I am American. | What day of the week is 03/04/2027?
We get a discount on it. | What is 3 times 45?
The deposit is already paid. | What is 30% off 250?
We don't charge VAT. | What is 119 plus 19% VAT?
My daughter pays a third. | What is 15% of 80?
I need to see the steps. | What is 15% of 80?
You do not have to do it. | What is 30% off 250?
I no longer need this. | What is 30% off 250?
The bank rounds down. | What is 5.4% of 312.55?
If it rains we stay at home. | What is 15% of 80?`);

test('what is told and may change a request is asked about, before it and behind it', () => {
  for (const pair of CHANGED) {
    const [told = '', request = ''] = pair.split(' | ');
    assert.equal(stepsOf(`${told} ${request}`), undefined, pair);
    assert.equal(stepsOf(`${told}\n${request}`), undefined, pair);
    if (/[.?]$/.test(request)) assert.equal(stepsOf(`${request} ${told}`), undefined, pair);
  }
});

test('the form that a sentence of its own says is that of the result', () => {
  const forms: readonly (readonly [says: string, as: string])[] = [
    [
      'Our teacher wants it as JSON. Please convert this CSV:\n\na,b\n1,2',
      'Please convert this CSV to JSON:\n\na,b\n1,2',
    ],
    ['Divide 960 by 7. The result has to be rounded up.', 'Divide 960 by 7 and round it up'],
    ['The answer should be in binary. What is 12 + 7?', 'What is 12 + 7 in binary'],
    ['I need it in capitals. Reverse the word "lantern".', 'Put "lantern" in capitals and reverse it'],
  ];
  for (const [says, as] of forms) {
    assert.ok(stepsOf(as) !== undefined, as);
    assert.equal(stepsOf(says), stepsOf(as), says);
  }
});

test('what is sent, kept or reminded of has every word behind it, and nothing that was told before', () => {
  for (const says of [
    'Remind me tomorrow at 9 to call Ann.',
    'Please tell bob@y.example that the delivery comes at 11.',
  ]) {
    assert.equal(stepsOf(`Grandpa is writing down his memories. ${says}`), stepsOf(says));
    assert.match(stepsOf(`${says} Our boss loves such details.`) ?? '', /Our boss loves such details/);
  }
  assert.equal(stepsOf('On Mondays I teach a small group. Send ann@x.example then: see you'), undefined);
});

const STORIES = lines(`
We want to buy new chairs for the club room. One is 42.50 and we need 36 of them. What does it cost all together? | 36 * 42.50
We order mugs. One costs 7.90 and we take 24 of them. What is the total? | 24 * 7.90
I have a cable of 5 meters and I cut off 4 pieces of 85 cm. How much cable is left? | 5 m - 4 * (85 cm)
A rope is 20 m long and I cut off 3 pieces of 2.5 m. How much rope is left? | 20 m - 3 * (2.5 m)
We are 19 people for the trip and one van takes 8 people. How many vans must we rent? | ceil(19 / 8)
A bag of seed is enough for 25 m2. The lawn has 180 m2. How many bags do we need? | ceil(180 / 25)
7 out of 40 kids are sick this week, how much is that in % | 7 / 40 * 100
A recipe for 4 people needs 300 g rice. We are 10. How much rice do we need? | 300 g / 4 * 10
We got 14 pallets with 48 boxes on each, but 3 are damaged. How many good boxes is 14 x 48 minus 3? | 14 * 48 - 3`);
for (const story of STORIES) {
  const [says = '', expression = ''] = story.split(' | ');
  test(`is calculated as it is told: ${JSON.stringify(says)}`, () => {
    assert.equal(JSON.parse(stepsOf(says) ?? '[{"input":{}}]')[0].input.expression, expression);
  });
}
for (const says of lines(`
We had 120 chairs, 15 are broken and we rent 30 more. How many chairs do we have?
We have 24 bottles and 3 are empty. How many are full?
Tom has twice as many cards as Eva, who has 14. How many cards has Tom?
We have 12 boxes with 30 pens and 4 are lost. How many pens is 12 x 30?`))
  test(`is asked about, for its amounts are told in another way: ${JSON.stringify(says)}`, () => {
    assert.equal(stepsOf(says), undefined);
  });

test('a bare closing with a name below a gap is no part of a list, and stays in what is sent', () => {
  const sorted = stepsOf('sort these from small to big: 4.2, 0.9, 13');
  assert.equal(stepsOf('sort these from small to big: 4.2, 0.9, 13\n\nBest\nJonas'), sorted);
  assert.equal(
    stepsOf('sort these from small to big: 4.2, 0.9, 13\n\nBest\nJonas\n\n--\nJonas Feld\nTreasurer'),
    sorted,
  );
  assert.match(stepsOf('sort these:\nGood\nBetter\nBest') ?? '', /Better\\nBest/);
  assert.match(stepsOf('send a@b.example: the hall is open\n\nBest\nJonas') ?? '', /Best\\nJonas/);
});

test('a text is never what a sentence beside it says', () => {
  assert.equal(stepsOf('The biggest should be first.\nPlease sort 3, 9, 4'), undefined);
  assert.match(
    stepsOf('How many words start with s here: the small saw is still sharp') ?? '',
    /the small saw is still/,
  );
  assert.equal(stepsOf('Can you show me my notes? I have forgotten what I wrote to you.'), stepsOf('show me my notes'));
});
