/** Messages that say something in one sentence and ask about it in another. At Friday 2026-11-20, 08:00 UTC. */
export const FACTS: readonly (readonly [says: string, answer: RegExp])[] = [
  ['my budget is 500 and i spent 123.45, how much is left?', /376\.55/],
  ['I have 250 dollars and spend 80. What remains?', /\$170/],
  ['I had 100 euros, spent 30 and got 20. how much do i have now?', /90/],
  ['i have 20 apples and eat 3 apples. how many apples are left?', /\*\*17\*\*/],
  ['we are 4 people and the bill is 96. how much each?', /\*\*24\*\*/],
  ['we r 7 ppl and the bill was 213.50, how much each', /\*\*30\.5\*\*/],
  ['my rent is 800 and my salary is 2400. what percent of my salary is the rent?', /33\.33/],
  ['i work 38.5 hours a week at 21 euros. what do i earn per week?', /808\.5/],
  ["the word is banana. how many a's does it have?", /\*\*3\*\*/],
  ['my text is "hello world". make it uppercase', /HELLO WORLD/],
  ['a pizza costs 12.50 and I buy 3. total?', /37\.5/],
  ['x is 5. what is x squared plus 2?', /\*\*27\*\*/],
  ['x = 7, y = 3. x*y?', /\*\*21\*\*/],
  ["the room is 4 m by 5 m. what's its area?", /20 m\^2/],
  ['I slept from 23:15 to 6:40. how long was that?', /7 hours and 25 minutes/],
  ['numbers: 3 9 4. total, mean and biggest?', /\*\*16\*\*[\s\S]*5\.33[\s\S]*\*\*9\*\*/],
  ['here are my scores 12, 15, 9. give me the average, the max and the min', /\*\*12\*\*[\s\S]*\*\*15\*\*/],
  ['ages: 23, 31 and 45. average age?', /\*\*33\*\*/],
  ['I live in Tokyo. what time is it there?', /5:00 PM \(Asia\/Tokyo/],
  ["my salary is 3000. what's 5% of it?", /\*\*150\*\*/],
  ['names: Bob, Ann, Cid. sort them', /- Ann\n- Bob\n- Cid/],
  ['My son was born 8 May 2017, how old is he?', /9 years/],
  ['Passport was issued 12 June 2019 and is valid 10 years. When does it expire?', /June 12, 2029/],
  // What is said has nothing to do with what is asked.
  ['my name is Bob. what time is it?', /8:00 AM/],
];

/** What is said limits itself or says no value, so that nothing is answered. */
export const NO_FACTS: readonly string[] = [
  'my rent is never 800 and my salary is 2400. what percent of my salary is the rent?',
  'the word is only sometimes banana. uppercase it',
  'my budget is unclear and i spent a lot, how much is left?',
  "how many a's does it have",
  'double it',
  // A number is left over.
  'the price is 20. what is 5+5?',
  'replace a with b and b with a in: abba',
];
