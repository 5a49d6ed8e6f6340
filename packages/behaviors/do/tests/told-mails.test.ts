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
const mail = (told: string, request: string): string =>
  `Dear all,\n\n${told}\n${request}\n\nMany thanks,\nIngrid Vale\nHarbour Office, berth 12`;

const REMINDERS = lines(`
Please remind me on Monday at 16:00 to leave the key at the gate.
Could you remind me tomorrow at 9 to ring the bakery?
So please remind me on 3 December at 15:00 to pay the miller.
Remind me every Friday at 17:00 to water the plants.`);
const BEFORE_REMINDERS = lines(`
The ferry to the island leaves next Tuesday, 1 December, at 11:00, and I cannot be there myself.
Our inspection is on 20 January 2027 and the papers have to go out before that.
The second crew comes only in the afternoon, so I had better be early.
I thought the boats were being moved on Monday, but it is on Tuesday after all.
Mr Holm from the shipyard will have the new rope ready in a week.
The report for the third quarter is due at 17:00, and I always hand it in too late.
The harbour master says that 15% of all berths are empty.`);
const NOT_BEFORE_REMINDERS = lines(`
Please mail Ann about it too.
If it rains on Sunday we do not sail.
I am in New York time at the moment.
Could you tell me the date of Easter?
The clocks here are two hours ahead.
You must not tell anyone.
Unless the wind turns we sail on Monday.
The talk is on Thursday, not Monday.
We sail on the 4th, not on the 3rd.
It is for Friday and not for tomorrow.`);

test('a reminder is the same beside what is told before it, above a signature of any length', () => {
  for (const request of REMINDERS) {
    const whole = stepsOf(request);
    assert.ok(whole?.includes('remind'), request);
    for (const told of BEFORE_REMINDERS) assert.equal(stepsOf(mail(told, request)), whole, told + request);
    for (const told of NOT_BEFORE_REMINDERS) assert.notEqual(stepsOf(mail(told, request)), whole, told + request);
  }
});

const ROWS = 'berth,boat,fee\n1,Albatros,120\n2,Seagull,95.5\n3,Puffin,210';
const OF_ROWS = lines(`
Please add up the fee column:
Which boat has the highest fee?
Please show me the rows where fee is over 100:`);
const BEFORE_ROWS = lines(`
Here are the boats of the three berths.
Below are the fees of the north pier as of last night.
This is today's list from the office, and I have to send the bills tonight.
These are the boats that stay over the winter.`);
const NOT_BEFORE_ROWS = lines(`
Puffin has left the harbour.
The Seagull does not pay this year.
Only the even berths count.
The fee of the albatros should be 130.
All fees are without VAT, which must be added.
Please ignore the first row.`);

/** The row with the highest fee, by whichever reader. */
const same = (steps = ''): string => (/Puffin: 210|"limit":1/.test(steps) ? 'Puffin' : steps);

test('rows are read the same below what announces them, and not below what changes them', () => {
  for (const request of OF_ROWS) {
    const whole = stepsOf(`${request}\n\n${ROWS}`);
    assert.ok(whole !== undefined, request);
    for (const told of BEFORE_ROWS)
      assert.equal(same(stepsOf(mail(told, `${request}\n\n${ROWS}`))), same(whole), told + request);
    for (const told of NOT_BEFORE_ROWS)
      assert.notEqual(stepsOf(mail(told, `${request}\n\n${ROWS}`)), whole, told + request);
  }
});

test('a question for one date behind another is no search for dates', () => {
  const says = mail(
    'The lease of the boathouse ends on 14 February 2027. We have to give notice 45 days before that.',
    'Which date is that, please?',
  );
  assert.match(stepsOf(says) ?? '', /"length":"-45 days"/);
  assert.equal(stepsOf('Which date is that?\nThe lease ends on 14 February 2027.'), undefined);
});

test('a feast with its date is one day, and beside another date, or today, it is asked', () => {
  assert.equal(
    stepsOf('How many days is it from today to Easter Sunday, 28 March 2027?'),
    stepsOf('How many days is it until 28 March 2027?'),
  );
  for (const says of [
    'How many days is it from today to Easter Sunday, 29 March 2027?',
    'How many days is it from today to Christmas, 24 December 2026?',
    'How many days is it from now to Good Friday, 28 March 2027?',
  ])
    assert.equal(stepsOf(says), undefined, says);
});

test('a torque is none of its two units', () => {
  for (const unit of ['ft lb', 'ft-lbs', 'lb ft', 'foot-pounds', 'pound feet'])
    assert.match(stepsOf(`what is 85 ${unit} in Nm`) ?? '', new RegExp(`"from":"85 ${unit}","to":"Nm"`), unit);
  assert.match(stepsOf('20 Nm in foot pounds') ?? '', /"to":"foot pounds"/);
  assert.match(stepsOf('5 ft in nm') ?? '', /"to":"nm"/);
  assert.equal(stepsOf('5 ft in Nm'), undefined);
  for (const says of ['3 ft kg in cm', '12 m s in km', '4 kg m in lb']) assert.equal(stepsOf(says), undefined, says);
});

test('words that say that a text is replaced everywhere are no part of what replaces it', () => {
  for (const end of ['', ' throughout', ' throughout this notice', ' wherever it comes up'])
    assert.match(
      stepsOf(`Please replace Monday with Friday${end}: we sail on Monday`) ?? '',
      /"find":"Monday","with":"Friday","text":"we sail on Monday"/,
      end,
    );
});

const OF_NAMES = lines(`
Please add up the amount column: | name,amount | Olga,12 | Piet,30 | Ruud,8
Who has the most points? | Olga 12 | Piet 30 | Ruud 8
Please sort these alphabetically: | Olga | Piet | Abel
How many lines are there? | pear | plum | fig
Please remove the duplicates: | pear | plum | pear
Please number these lines: | opening | minutes | votes
Please turn this into JSON: | a,b | 1,2`).map((one) => one.split(' | '));
/** A request, by its number, and what changes it. */
const CHANGES = lines(`
0 Piet has paid already.
0 Olga is no member any more.
0 The 30 is a typing slip for 13.
0 Ruud's amount is in dollars, the others in euros.
0 These are the amounts in cents.
0 We give everyone 10% off.
0 Here are the amounts, but Olga cancelled.
0 This is the list of last year, plus 5 for each.
1 Piet was disqualified.
1 Piet withdrew.
1 Piet gave his points away.
1 In golf the lowest wins.
1 These are the points before the bonus of 20 for Ruud.
1 Below are the points of all but the guests.
2 Abel is on holiday.
2 We list people by their surname.
2 The chair always comes first.
3 The figs were eaten.
3 We had two more of them at home.
4 Pears are listed twice on purpose.
4 The plums are the same as pears for us.
5 The votes come before the minutes this time.
5 Our agenda starts at 0.
6 Numbers should be strings.
6 The program wants an array of arrays.`);

test('what names one of the rows, corrects them or says another way is asked about', () => {
  for (const change of CHANGES) {
    const [request = '', ...rows] = OF_NAMES[Number(change[0])] ?? [];
    const whole = `${request}\n\n${rows.join('\n')}`;
    const told = change.slice(2);
    assert.ok(stepsOf(whole) !== undefined, whole);
    for (const between of [' ', '\n'])
      assert.notEqual(stepsOf(`Hello,\n\n${told}${between}${whole}\n\nMany thanks,\nLena Ott`), stepsOf(whole), told);
  }
});

test('what follows a salutation on its line is no greeting where it says something', () => {
  const request = 'Please sum 3, 4 and 5.';
  for (const greeting of ['Hello there,', 'Hi Do,', 'Dear Will,', 'Good morning, team!', 'Hi, hope all is well.'])
    assert.equal(stepsOf(`${greeting}\n${request}`), stepsOf(request), greeting);
  for (const greeting of ['Hello, the last one does not count.', 'Hi, no decimals.', 'Hey, only the odd ones'])
    assert.notEqual(stepsOf(`${greeting}\n${request}`), stepsOf(request), greeting);
});

test('a line that takes back what stands above it is no part of a text', () => {
  for (const line of ['No sorry, in lower case.', 'wait, no', 'Scrap that.', 'Actually, forget it', 'Never mind.'])
    assert.equal(stepsOf(`Write this in capitals:\nthe harbour is closed\n${line}`), undefined, line);
  assert.ok(stepsOf('Write this in capitals:\nthe harbour is closed\nsorry for the noise'));
});

test('a unit of time that someone wants, or a price for a pair, is asked about', () => {
  assert.equal(stepsOf('My boss needs weeks. How many days are there until 24 December?'), undefined);
  assert.equal(stepsOf('Gloves are sold by the pair. If one costs 4 euros, how much are 6?'), undefined);
});

const LISTS = lines(`
Sort these alphabetically:
Reverse the order of these:
Please number these:
Remove the duplicates:`);
const ITEMS = ['pear, plum, fig, apple', 'pear\nplum\nfig\napple'];
const BEHIND_LISTS = lines(`
Leave out the fig.
Keep the pear at the front please.
Not by the alphabet, by the order on the sheet.
The plums are for Ann, so skip them.
But the apple comes first of all.
Please put the shortest ones on top.`);

test('a sentence behind the items of a list is none of them', () => {
  for (const request of LISTS)
    for (const items of ITEMS) {
      const isLines = items.includes('\n');
      const whole = `${request}${isLines ? '\n' : ' '}${items}`;
      assert.ok(stepsOf(whole) !== undefined, whole);
      for (const sentence of BEHIND_LISTS) {
        const says = `${whole}${isLines ? '\n' : '. '}${sentence}`;
        assert.ok(!stepsOf(says)?.includes(sentence.slice(0, -1)), says);
        assert.notEqual(stepsOf(says), stepsOf(whole), says);
      }
    }
  const told = "They're for the party that my sister gives on Saturday.";
  assert.equal(
    stepsOf(`Sort these alphabetically:\npear, fig, apple\n${told}`),
    stepsOf('Sort these alphabetically: pear, fig, apple'),
  );
});

test('a correction within the words of a reminder is asked about', () => {
  for (const says of [
    'phone the dentist, no, make it the vet',
    'buy milk, actually make that a loaf',
    'ring Bo, sorry, Ann',
  ])
    assert.equal(stepsOf(`Remind me tomorrow at 9 to ${says}`), undefined, says);
  assert.ok(stepsOf('Remind me tomorrow at 9 to say no, make it clear'));
});

test('items of a list on one line are numbered without the full stop behind it', () => {
  assert.equal(stepsOf('number these: Ana, Bo, Cy.'), stepsOf('number these: Ana, Bo, Cy'));
  assert.match(stepsOf('number these: Ana, Bo and Cy.') ?? '', /"Ana\\nBo\\nCy"/);
});

test('marks within the items of a list do not hide the sentence behind it', () => {
  const says = 'Join with semicolons: Moira, Jan?, Theo, Sam. The ones with a question mark are out';
  assert.equal(stepsOf(says), undefined);
});
