/** What is told in some sentences and asked in another, and what the answer says. At Friday 2026-11-20, 08:00 UTC. */
export const TOLD: readonly (readonly [says: string, answer: RegExp])[] = [
  // So many things, and so much in each.
  [
    'We sold 37 boxes in the morning and 58 after lunch. Every box holds 24 bottles. How many bottles?',
    /\*\*2,280\*\*/,
  ],
  ['Every shelf holds 12 books. We have 9 shelves. How many books is that?', /\*\*108\*\*/],
  ['Each crate has 12 bottles. We ordered 7 crates. How many bottles is that?', /\*\*84\*\*/],
  // What is left.
  [
    'There were 240 stickers in the pack. I gave 60 to my sister and half of the rest to a friend. How many do I still have?',
    /\*\*90\*\*/,
  ],
  ['He had 90 marbles, lost 30, and gave a third of the rest to Tom. How many does he have left?', /\*\*40\*\*/],
  ['she had 100 euros, spent 30, and gave 20% of the rest to a friend. how much does she have left', /\*\*€56\*\*/],
  ['what is left over when you divide 1000 by 43', /\*\*11\*\*/],
  ['100 divided by 7, what is the remainder?', /\*\*2\*\*/],
  // Two who have an amount together.
  ['Tom pays twice as much as Ana. Together they pay 96. How much does Ana pay?', /\*\*32\*\*/],
  ['Sara earns three times as much as Ben. In total they earn 4800. How much does Sara earn?', /\*\*3,600\*\*/],
  ['Leo has twice as many cards as Mia. Together they have 36. How many does Mia have?', /\*\*12\*\*/],
  // Prices, shares and bills.
  ['Jacket was 89.90, now it is 30% off. How much do I pay?', /\*\*62\.93\*\*/],
  ["The lamp was 60. Now it's 25% off. What do I pay?", /\*\*45\*\*/],
  ['My rent was 800, plus 5% tax. How much is that?', /\*\*840\*\*/],
  ['The invoice says 357 including 19% VAT. How much is it without the VAT?', /\*\*300\*\*/],
  ['27 out of 36 pupils handed in homework. What percent did NOT hand it in?', /\*\*25%\*\*/],
  ['14 out of 56 seats are taken. Which percentage is not taken?', /\*\*75%\*\*/],
  ['bill is 128.40 + 10% tip, we are 4. each?', /\*\*35\.31\*\*/],
  ['3 tickets at 14.50 each and one for 9. total?', /\*\*52\.5\*\*/],
  [
    'We are 4 people, the bill is 90, but Ann does not pay because she is ill. How much for each of the others?',
    /\*\*30\*\*/,
  ],
  ['our car use 6.4 litre for 100 km. We will drive 350 km. how much petrol it needs?', /\*\*22\.4 L\*\*/],
  // Days and times.
  [
    'Yoga is every other Thursday, starting 3 December 2026. What are the dates of the first 2 classes?',
    /3, 2026[\s\S]* 17, 2026$/,
  ],
  ['Mozart was born on 27 January 1756 and died on 5 December 1791. How old did he get?', /35 years/],
  [
    'I worked from 8:25 till 17:05 with a 45 minute lunch. How long did I work without the lunch?',
    /\*\*7 h 55 min\*\*/,
  ],
  ["it's 6 pm in London, what time is it in Tokyo?", /3:00 AM/],
  [
    'how many working days (Mon to Fri) are there from 1 June to 12 June 2026, both included? ignore holidays',
    /\*\*10 business days \(Monday to Friday, both days included/,
  ],
  ['how many days from 1 December to 15 December 2026 inclusive', /\*\*15 days/],
  ['the second to last day of february 2028', /February 28, 2028/],
  ['Last Friday of next month is which date?', /December 25, 2026/],
  // Numbers that go on, and units together.
  ['next two numbers: 2, 6, 18, 54, ...', /^- 162\n- 486$/],
  ['next number in the sequence: 1, 1, 2, 3, 5, 8', /^13$/],
  ['convert 7384 seconds to hours minutes and seconds', /\*\*2 h 3 min 4 s\*\*/],
  ['Convert 5 ft 11 in to cm', /\*\*180\.34 cm\*\*/],
  ['what number is 101101 in binary, as decimal', /\*\*45\*\*/],
  // How the answer is wanted, and words around an instruction.
  ['how many miles is 42 km? one decimal is enough', /\*\*26\.1 mi\*\*/],
  ['42 km in miles rounded to 1 decimal', /\*\*26\.1 mi\*\*/],
  ['Please round 7,846 to the nearest hundred. Thank you. Margaret', /\*\*7800\*\*/],
  ['how many days till christmas day?? kids keep asking 😅', /\*\*35 days/],
  ['my boss sent me this, can you decode? aGVsbG8=', /hello/],
];

/** Facts of which one is missing, not used, or does not belong to the question. */
export const NOT_TOLD: readonly string[] = [
  'Every box holds 24 bottles. How many bottles do we have?',
  'We sold 37 boxes and 58 crates. Every box holds 24 bottles. How many bottles?',
  'Every shelf holds 12 books. We have 9 tables. How many books is that?',
  'We bought 6 packs. Every pack has 8 pens. How many pencils do we have?',
  'She bought 3 shirts and 2 hats. Each shirt costs 20 euros. How much did she pay?',
  '18 out of 24 students passed the test. What percent did not sleep?',
  'Tom pays twice as much as Ana. Together they pay 96. How much does Eva pay?',
  'Choir is every other Monday, starting 8 December 2026. What are the dates of the first 3 rehearsals?',
  'next 3 numbers: 5, 4, 9, 1',
  'next number: 1, 2, 3',
];
