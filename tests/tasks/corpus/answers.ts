/** Messages, and what the answer to them says. Those of a thread are apart by ` || `. At Friday 2026-11-20, 08:00 UTC. */
export const ANSWERS: readonly (readonly [says: string, answer: RegExp])[] = [
  ['70 F in C please 🙏', /21\.1/],
  ['12 km in miles and then in feet', /7\.456[\s\S]*39,370/],
  ['2 TB in GB', /2,000 GB/],
  ['split 100 in the ratio 2:3:5', /20\*\*[\s\S]*30\*\*[\s\S]*50\*\*/],
  ['20% off 89.99, plus 8.25% sales tax', /77\.93134/],
  ['1/3 + 1/6 as a fraction', /\*\*1\/2\*\*/],
  ['write 0.375 as a fraction', /\*\*3\/8\*\*/],
  ["what's an 18% tip on $64.50?", /\*\*\$11\.61\*\*/],
  ['15% off $19.99', /\*\*\$16\.99 \(16\.9915\)\*\*/],
  ['I paid 45 after a 10% discount, what was the original price', /\*\*50\*\*/],
  ['split a $120 bill 4 ways with 15% tip', /\*\*\$34\.50\*\*/],
  ['twelve dozen', /\*\*144\*\*/],
  ['how many workdays in March 2026', /\*\*22 business days/],
  ["what's left if I take 37 from 100", /\*\*63\*\*/],
  ['if 8 pens cost $6 how much does one cost', /\*\*\$0\.75\*\*/],
  ['if 3 apples cost 2 euros, how much do 12 apples cost', /\*\*€8\*\*/],
  ['price went from 40 to 50, by how many percent did it rise', /\*\*25\*\*/],
  ['what day of the week was I born if I was born on 3 March 1988', /Thursday/],
  ['shuffle the letters of abc', /[abc]{3}/],
  ['split Ann, Bob, Cy, Dee into 2 teams', /^- \w+, \w+\n- \w+, \w+$/],
  ['extract the numbers from: a 3 b 4 and then sum them', /\*\*7\*\*/],
  ['pick 3 numbers between 5 and 5 || sum them', /\*\*15\*\*/],
  ['how many days until christmas || and in weeks?', /\*\*5 weeks/],
  ['convert 10 km to miles || and in feet?', /32,?808/],
  ['sort 5, 3, 8 || and now the other way round', /8[\s\S]*5[\s\S]*3/],
];

/** What is asked back, because an answer would be a guess. */
export const QUESTIONS: readonly string[] = [
  'sort them by X',
  '$5 + 3 EUR',
  'days until the 45th of Nonember',
  'what day is the 31st of Nevember',
];
